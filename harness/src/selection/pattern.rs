//! Patterns and globs.

/// Whether a pattern takes an id: part by part from the area or from the capability on; fewer parts take all below.
pub(super) fn matches(pattern: &[String], id: &str) -> bool {
    let parts: Vec<&str> = id.splitn(3, '/').collect();
    (0..=1).any(|start| {
        let rest = parts.get(start..).unwrap_or_default();
        rest.len() >= pattern.len() && pattern.iter().zip(rest).all(|(glob, part)| like(glob, part))
    })
}

/// Whether a pattern can take an id below `area/capability`: as far as both go, they agree.
pub(super) fn reaches(pattern: &[String], path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    (0..=1).any(|start| {
        let rest = parts.get(start..).unwrap_or_default();
        pattern.len() + start <= 3 && pattern.iter().zip(rest).all(|(glob, part)| like(glob, part))
    })
}

/// Whether `text` is like `glob`: `*` for any characters, `?` for one.
pub(super) fn like(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut g, mut t) = (0, 0);
    // After the last `*`: where it is, and how far it has eaten.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => {
                let Some((at, eaten)) = star else { return false };
                star = Some((at, eaten + 1));
                (g, t) = (at + 1, eaten + 1);
            }
        }
    }
    glob[g..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, text, like_it) in [
            ("*a*b", "xaxbxb", true),
            ("*a*b", "xaxbx", false),
            ("??", "é1", true),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(like(glob, text), like_it, "{glob} {text}");
        }
    }
}
