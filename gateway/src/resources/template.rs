//! URI templates after RFC 6570: `{name}` for one path segment, and `{?a,b}` at the end for optional query parameters. The
//! template that is announced is the one that is matched; nothing is declared twice.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything that a simple expansion encodes: all but the unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The variables of a URI, in the order of the template; a query parameter that is not there is left out. `None` when the
/// URI is no expansion of the template.
#[must_use]
pub fn matched<'t>(template: &'t str, uri: &str) -> Option<Vec<(&'t str, String)>> {
    let (path, parameters) = parts(template);
    let (given, query) = uri.split_once('?').map_or((uri, None), |(path, query)| (path, Some(query)));
    let (mut wanted, mut segments, mut found) = (path.split('/'), given.split('/'), Vec::new());
    loop {
        match (wanted.next(), segments.next()) {
            (None, None) => break,
            (Some(wanted), Some(segment)) => match variable(wanted) {
                Some(name) => found.push((name, decoded(segment)?)),
                None if wanted == segment => {}
                None => return None,
            },
            _ => return None,
        }
    }
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        let (name, value) = pair.split_once('=')?;
        let name = parameters.iter().copied().find(|known| *known == name)?;
        if found.iter().any(|(known, _)| *known == name) {
            return None;
        }
        found.push((name, decoded(value)?));
    }
    Some(found)
}

/// The URI of a template with every path variable set, in order; query parameters are left out.
#[must_use]
pub fn expanded(template: &str, values: &[&str]) -> String {
    let (path, _) = parts(template);
    let mut values = values.iter();
    let segments = path.split('/').map(|segment| match variable(segment) {
        Some(_) => values.next().map(|value| encoded(value)).unwrap_or_default(),
        None => segment.to_owned(),
    });
    segments.collect::<Vec<_>>().join("/")
}

/// Names of all variables of a template.
pub fn variables(template: &str) -> impl Iterator<Item = &str> {
    let (path, parameters) = parts(template);
    path.split('/').filter_map(variable).chain(parameters)
}

/// Path and query parameters.
fn parts(template: &str) -> (&str, Vec<&str>) {
    match template.split_once("{?") {
        Some((path, query)) => (path, query.trim_end_matches('}').split(',').collect()),
        None => (template, Vec::new()),
    }
}

fn variable(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

fn encoded(value: &str) -> String {
    utf8_percent_encode(value, RESERVED).to_string()
}

/// A value that is not empty, once its percent signs are resolved. Each of them begins a triplet.
fn decoded(value: &str) -> Option<String> {
    let triplets = value
        .split('%')
        .skip(1)
        .all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()));
    let text = percent_decode_str(value).decode_utf8().ok()?.into_owned();
    (triplets && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_takes_its_own_expansions_and_nothing_else() {
        let template = "oracle://case/{area}/{capability}/{case}";
        let uri = expanded(template, &["combat", "compute_damage", "50 % / ü"]);
        assert_eq!(uri, "oracle://case/combat/compute_damage/50%20%25%20%2F%20%C3%BC");
        let found = matched(template, &uri).unwrap();
        assert_eq!(found[2], ("case", "50 % / ü".to_owned()));
        assert_eq!(variables(template).collect::<Vec<_>>(), ["area", "capability", "case"]);
        for wrong in [
            "oracle://case/combat/compute_damage",
            "oracle://case/combat/compute_damage/x/y",
            "oracle://case/combat//x",
            "oracle://case/combat/compute_damage/",
            "oracle://case/combat/compute_damage/%",
            "oracle://case/combat/compute_damage/%2",
            "oracle://case/combat/compute_damage/%ff",
            "oracle://case/combat/compute_damage/%zz",
            "oracle://cases/combat/compute_damage/x",
            "oracle://case/combat/compute_damage/x?limit=1",
            "",
        ] {
            assert_eq!(matched(template, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn query_parameters_are_optional_known_and_given_once() {
        let template = "oracle://catalog{?limit,cursor}";
        assert_eq!(matched(template, "oracle://catalog").unwrap(), []);
        let found = matched(template, "oracle://catalog?cursor=a%2Bb&limit=5").unwrap();
        assert_eq!(found, [("cursor", "a+b".to_owned()), ("limit", "5".to_owned())]);
        for wrong in ["?", "?limit", "?limit=", "?page=1", "?limit=1&limit=2", "?limit=1&"] {
            assert_eq!(matched(template, &format!("oracle://catalog{wrong}")), None, "{wrong}");
        }
        assert_eq!(expanded(template, &[]), "oracle://catalog");
    }
}
