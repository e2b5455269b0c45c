//! How the usual jobs are done: the `SKILL.md` files under `gateway/guides`, compiled in. A test runs every command that
//! stands in them.

use std::sync::LazyLock;

/// One guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Name of its folder.
    pub name: &'static str,
    /// One sentence: what it is for, and when to read it.
    pub description: &'static str,
    /// Markdown, front matter included.
    pub text: &'static str,
    /// Whether it is about one capability, so that one can be named with it.
    pub about_one: bool,
}

/// Folder, text, and whether the guide is about one capability; by name.
const FILES: [(&str, &str, bool); 4] = [
    ("add-a-golden-case", include_str!("../guides/add-a-golden-case/SKILL.md"), true),
    ("gate-ci", include_str!("../guides/gate-ci/SKILL.md"), false),
    ("run-a-capability", include_str!("../guides/run-a-capability/SKILL.md"), true),
    ("verify-a-port", include_str!("../guides/verify-a-port/SKILL.md"), true),
];

/// All guides, by name.
#[must_use]
pub fn all() -> &'static [Guide] {
    static GUIDES: LazyLock<Vec<Guide>> = LazyLock::new(|| {
        let guide = |(name, text, about_one)| Guide { name, description: description(text), text, about_one };
        FILES.into_iter().map(guide).collect()
    });
    &GUIDES
}

/// The guide of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Guide> {
    all().iter().find(|guide| guide.name == name)
}

impl Guide {
    /// The resource that it is.
    #[must_use]
    pub fn uri(&self) -> String {
        format!("oracle://guide/{}", self.name)
    }

    /// The text without its front matter.
    #[must_use]
    pub fn body(&self) -> &'static str {
        front(self.text).map_or(self.text, |(_, body)| body.trim_start())
    }
}

/// Front matter and the rest.
fn front(text: &'static str) -> Option<(&'static str, &'static str)> {
    text.strip_prefix("---\n")?.split_once("\n---\n")
}

fn description(text: &'static str) -> &'static str {
    let (front, _) = front(text).unwrap_or_default();
    front.lines().find_map(|line| line.strip_prefix("description: ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_names_the_folder_and_says_what_it_is_for() {
        assert!(all().is_sorted_by_key(|guide| guide.name));
        for guide in all() {
            let (front, _) = front(guide.text).unwrap();
            assert!(front.starts_with(&format!("name: {}\ndescription: ", guide.name)), "{front}");
            assert!((40..=300).contains(&guide.description.len()), "{}", guide.description);
            assert!(guide.body().starts_with("# "), "{}", guide.name);
        }
    }

    #[test]
    fn every_folder_is_a_guide() {
        let folders = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/guides")).unwrap();
        let mut folders: Vec<String> =
            folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        folders.sort();
        assert_eq!(folders, all().iter().map(|guide| guide.name).collect::<Vec<_>>());
    }
}
