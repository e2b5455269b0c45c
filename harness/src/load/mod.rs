//! Text to suites: `cases.toml`, bulk vectors and the known failures, each error at file, line and column.
//!
//! Nothing here knows ports or specs; [`crate::bind`] puts those beside what is loaded.

mod entries;
pub mod known;
pub mod suite;
pub mod vectors;

/// Whether an id is lower-case words joined by `-`.
pub(crate) fn is_id(id: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    id.split('-').all(word)
}

/// Whether a text is a day, `YYYY-MM-DD`.
pub(crate) fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let [year, month, day] = parts.as_slice() else { return false };
    digits(year, 4)
        && digits(month, 2)
        && digits(day, 2)
        && (1..=12).contains(&month.parse().unwrap_or(0))
        && (1..=31).contains(&day.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_days() {
        for good in ["a", "a-1", "quarter-of-double-spread"] {
            assert!(is_id(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "a.b", "é"] {
            assert!(!is_id(bad), "{bad}");
        }
        assert!(is_day("2026-02-28"));
        for bad in ["2026-13-01", "2026-1-01", "2026-01-32", "yesterday", "2026-01-01-01", ""] {
            assert!(!is_day(bad), "{bad}");
        }
    }
}
