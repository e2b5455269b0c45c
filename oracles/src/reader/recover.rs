//! What can still be read of a TOML text that does not parse: the parts between two headers are looked at one by one, and
//! those that break are blanked out, so that every other part keeps its place.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, Error};

/// Splits a TOML text where a part begins: at a line that is the header of a top-level table. `[case.expect]` goes on
/// with the part above it.
fn parts(toml: &str) -> Vec<Range<usize>> {
    split(toml, true)
}

/// The parts whose header is none of `known`: place of the name, and the part. Headers inside of texts are none.
pub fn strange(toml: &str, known: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = Vec::new();
    for part in split(toml, false) {
        let line = toml[part.clone()].lines().next().unwrap_or_default();
        let inner = line.trim_start_matches('[');
        let name = inner.split(']').next().unwrap_or_default().trim_end();
        let start = part.start + line.len() - inner.len();
        if line.starts_with('[') && begins_part(line, false) && !known.contains(&name.trim_start()) {
            found.push((start..start + name.len(), part));
        }
    }
    found
}

fn split(toml: &str, in_texts: bool) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let (mut offset, mut fence) = (0, None);
    for line in toml.split_inclusive('\n') {
        // Inside a block of text only `[[name]]` begins a part: there the fence was forgotten.
        if offset > 0 && (in_texts || fence.is_none()) && begins_part(line, fence.is_some()) {
            starts.push(offset);
            fence = None;
        }
        fence = fences(line, fence);
        offset += line.len();
    }
    let ends = starts[1..].iter().copied().chain(std::iter::once(toml.len()));
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn begins_part(line: &str, in_text: bool) -> bool {
    let Some(inner) = line.strip_prefix('[') else { return false };
    let (double, inner) = inner.strip_prefix('[').map_or((false, inner), |inner| (true, inner));
    let name = inner.split([']', '\n']).next().unwrap_or_default().trim();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (double || !in_text)
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(word)
        && inner.contains(']')
}

/// The fence of the multi-line text that is open after a line.
fn fences(line: &str, mut open: Option<&'static str>) -> Option<&'static str> {
    let mut rest = line;
    loop {
        let next = ["'''", "\"\"\""]
            .into_iter()
            .filter(|fence| open.is_none_or(|open| open == *fence))
            .filter_map(|fence| Some((rest.find(fence)?, fence)))
            .min();
        let Some((at, fence)) = next else { return open };
        // A comment holds no fence.
        if open.is_none() && rest[..at].contains('#') {
            return None;
        }
        open = if open.is_some() { None } else { Some(fence) };
        rest = &rest[at + fence.len()..];
    }
}

/// Blanks out what does not parse, telling of each error by its place, and gives what is left.
pub fn readable(toml: &str, tell: &mut dyn FnMut(&Range<usize>, &Error)) -> String {
    let parts = parts(toml);
    let mut text = toml.as_bytes().to_vec();
    for part in &parts {
        let (_, errors) = DeTable::parse_recoverable(&toml[part.clone()]);
        if !errors.is_empty() {
            for error in first_of_each_line(&toml[part.clone()], &errors) {
                let span = error.span().unwrap_or_default();
                tell(&(part.start + span.start..part.start + span.end), error);
            }
            blank(&mut text, part);
        }
    }
    // What shows only when parts stand together, such as a table that is there twice. Each round blanks a part.
    for _ in 0..=parts.len() {
        let left = String::from_utf8(text).unwrap_or_default();
        let (_, errors) = DeTable::parse_recoverable(&left);
        let mut broken: Vec<&Range<usize>> = Vec::new();
        for error in first_of_each_line(&left, &errors) {
            let span = error.span().unwrap_or_default();
            let part = parts.iter().find(|part| part.contains(&span.start)).or(parts.last());
            // A part that is too many is too many as a whole.
            if part.is_some_and(|part| !broken.contains(&part)) {
                tell(&span, error);
                broken.extend(part);
            }
        }
        text = left.into_bytes();
        if broken.is_empty() {
            return String::from_utf8(text).unwrap_or_default();
        }
        broken.into_iter().for_each(|part| blank(&mut text, part));
    }
    // Nothing is left to stand on.
    blank(&mut text, &(0..toml.len()));
    String::from_utf8(text).unwrap_or_default()
}

/// One slip of the pen often breaks a line in several ways; the first says enough.
fn first_of_each_line<'e>(text: &str, errors: &'e [Error]) -> Vec<&'e Error> {
    let line = |error: &Error| {
        let end = error.span().unwrap_or_default().start.min(text.len());
        text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count()
    };
    let mut sorted: Vec<&Error> = errors.iter().collect();
    sorted.sort_by_key(|error| error.span().unwrap_or_default().start);
    sorted.dedup_by_key(|error| line(error));
    sorted
}

/// Makes a part blank; every other place stays what it is.
pub fn blank(text: &mut [u8], part: &Range<usize>) {
    text[part.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Takes the key out whose name or value covers `span`, the deepest one, and gives its name.
pub fn remove(table: &mut DeTable<'_>, span: &Range<usize>) -> Option<String> {
    let keys: Vec<_> = table.keys().cloned().collect();
    // The keys of a table with a header of its own stand outside the span of the table.
    if let Some(name) = keys.iter().find_map(|key| remove_in(table.get_mut(key)?, span)) {
        return Some(name);
    }
    let found = keys
        .iter()
        .find(|key| covers(&key.span(), span) || table.get(*key).is_some_and(|v| covers(&v.span(), span)));
    found.and_then(|key| table.remove(key).map(|_| key.get_ref().clone().into_owned()))
}

fn remove_in(value: &mut Spanned<toml::de::DeValue<'_>>, span: &Range<usize>) -> Option<String> {
    match value.get_mut() {
        toml::de::DeValue::Table(table) => remove(table, span),
        toml::de::DeValue::Array(items) => items.iter_mut().find_map(|item| remove_in(item, span)),
        _ => None,
    }
}

fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end && outer.end > inner.start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_begin_at_top_level_headers() {
        let toml = "# head\n[derivations]\na = '''\n[x]\n'''\n[[case]]\nb = [\n[1],\n]\n[case.expect]\nc = 1\n[[sweep]\nd = 1\n";
        let found: Vec<&str> =
            parts(toml).into_iter().map(|part| toml[part].lines().next().unwrap_or_default()).collect();
        assert_eq!(found, ["# head", "[derivations]", "[[case]]", "[[sweep]"]);
    }

    #[test]
    fn strange_headers_are_found_outside_of_texts() {
        let toml = "[[case]]\na = \"\"\"\n[[note]]\n\"\"\"\n[[csae]]\nb = 1\n[case.expect]\n";
        let found = strange(toml, &["case"]);
        let texts: Vec<_> =
            found.iter().map(|(name, part)| (&toml[name.clone()], &toml[part.clone()])).collect();
        assert_eq!(texts, [("csae", "[[csae]]\nb = 1\n[case.expect]\n")]);
    }

    #[test]
    fn a_forgotten_fence_breaks_its_own_part_alone() {
        let toml = "[[case]]\na = '''\nx = 1\n\n[[case]]\na = '''\nx = 2\n'''\nb = ?\n\n[[case]]\na = 3\n";
        let mut told = Vec::new();
        let left = readable(toml, &mut |span, _| told.push(toml[..span.start].matches('\n').count() + 1));
        assert_eq!(left.len(), toml.len());
        assert_eq!(left.trim(), "[[case]]\na = 3");
        assert!(told.contains(&9) && told.len() == 2, "{told:?}");
    }

    #[test]
    fn what_breaks_only_together_is_told_once() {
        let toml = "[a]\nx = 1\n[a]\nx = 2\n[b]\ny = 1\n";
        let mut told = 0;
        let left = readable(toml, &mut |_, _| told += 1);
        assert_eq!((told, left.trim().starts_with("[a]\nx = 1"), left.contains("x = 2")), (1, true, false));
    }
}
