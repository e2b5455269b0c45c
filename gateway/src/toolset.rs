//! Toolsets: tags that say which of the four tools a server, or one request, offers.

use crate::surface::Tool;
use std::fmt;
use std::str::FromStr;

/// What a tool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Locating and reading.
    Discover,
    /// Running one capability.
    Run,
    /// Judging the ports.
    Verify,
}

impl Tag {
    /// All of them, in the order of the tools.
    pub const ALL: &'static [Self] = &[Self::Discover, Self::Run, Self::Verify];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::Run => "run",
            Self::Verify => "verify",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Tool {
    /// The toolset that holds it.
    #[must_use]
    pub const fn tag(self) -> Tag {
        match self {
            Self::Find | Self::Describe => Tag::Discover,
            Self::Run => Tag::Run,
            Self::Verify => Tag::Verify,
        }
    }
}

/// A set of tags, and with it a set of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toolset(u8);

impl Toolset {
    /// Every tool.
    pub const ALL: Self = Self(0b111);
    /// How many sets there are; [`Toolset::index`] stays below.
    pub const COUNT: usize = 8;

    /// Every set there is, by index.
    pub fn every() -> impl Iterator<Item = Self> {
        (0..=Self::ALL.0).map(Self)
    }

    /// Its place among all sets.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// What both sets hold: a request can narrow what the server offers, never widen it.
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether it holds a tool.
    #[must_use]
    pub const fn holds(self, tool: Tool) -> bool {
        self.0 & tool.tag().bit() != 0
    }

    /// Its tools, in their order.
    pub fn tools(self) -> impl Iterator<Item = Tool> {
        Tool::ALL.iter().copied().filter(move |tool| self.holds(*tool))
    }
}

impl Default for Toolset {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromStr for Toolset {
    type Err = String;

    /// The union of the words between commas.
    fn from_str(words: &str) -> Result<Self, String> {
        let mut bits = 0;
        for word in words.split(',').map(str::trim) {
            bits |= match Tag::ALL.iter().find(|tag| tag.as_str() == word) {
                Some(tag) => tag.bit(),
                None if word == "all" => Self::ALL.0,
                None => {
                    let word: String = word.chars().take(40).collect();
                    return Err(format!(
                        "no toolset is called `{word}`; there are discover, run, verify and all"
                    ));
                }
            };
        }
        Ok(Self(bits))
    }
}

impl fmt::Display for Toolset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> =
            Tag::ALL.iter().filter(|tag| self.0 & tag.bit() != 0).map(|tag| tag.as_str()).collect();
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &str) -> Vec<&'static str> {
        words.parse::<Toolset>().unwrap().tools().map(Tool::name).collect()
    }

    #[test]
    fn words_are_united_and_the_order_is_that_of_the_tools() {
        assert_eq!(names("discover"), ["find_capabilities", "describe_capability"]);
        assert_eq!(names("verify, run"), ["run_capability", "verify_spec"]);
        assert_eq!(names("all").len(), 4);
        assert_eq!("run,run,discover".parse::<Toolset>().unwrap().to_string(), "discover,run");
        for wrong in ["", "everything", "run,", "Run"] {
            assert!(wrong.parse::<Toolset>().unwrap_err().contains("discover, run, verify"), "{wrong}");
        }
    }

    #[test]
    fn a_set_narrows_another_and_never_widens_it() {
        let (run, verify): (Toolset, Toolset) = ("run".parse().unwrap(), "verify".parse().unwrap());
        assert_eq!(Toolset::ALL.within(run), run);
        assert_eq!(run.within(verify).tools().count(), 0);
        assert_eq!(Toolset::every().count(), Toolset::COUNT);
        assert!(Toolset::every().enumerate().all(|(index, set)| set.index() == index));
    }
}
