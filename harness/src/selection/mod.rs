//! Which cases: one grammar for the command line, the gateway and the tests.
//!
//! ```text
//! combat                                   everything in an area
//! combat/compute_damage                    a suite, by its path
//! compute_damage                           or by the capability alone
//! */compute_*/quarter-*                    globs, `*` and `?`, within a part
//! game=YR tier=verified tag=edge:* status=partial      filters, beside patterns or alone
//! ```
//!
//! Patterns are joined by commas or spaces; a case is selected if it matches any of them and every filter.

mod pattern;

use crate::registry::{Entry, Registry};
use assay_model::{Game, Status, Tier};
use pattern::{like, matches, reaches};
use std::fmt;
use std::str::FromStr;

/// Patterns and filters. The default selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    patterns: Vec<Vec<String>>,
    games: Vec<Game>,
    tier: Option<Tier>,
    tags: Vec<String>,
    status: Option<Status>,
}

/// What a filter looks at.
pub(crate) struct Subject<'a> {
    /// `area/capability/case`.
    pub id: &'a str,
    pub game: Game,
    pub clauses: &'a [String],
    pub tags: &'a [String],
}

impl Selection {
    /// Everything.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Adds a pattern.
    ///
    /// # Errors
    /// More than three parts, or an empty one.
    pub fn pattern(mut self, pattern: &str) -> Result<Self, String> {
        let parts: Vec<String> = pattern.trim_end_matches('/').split('/').map(str::to_owned).collect();
        if parts.len() > 3 || parts.iter().any(String::is_empty) {
            return Err(format!(
                "`{pattern}` is no pattern: write area/capability/case, or the first parts of it"
            ));
        }
        self.patterns.push(parts);
        Ok(self)
    }

    /// Only cases of this game; given again, of any of those games.
    #[must_use]
    pub fn game(mut self, game: Game) -> Self {
        self.games.push(game);
        self
    }

    /// Only cases whose weakest clause has this tier.
    #[must_use]
    pub fn tier(mut self, tier: Tier) -> Self {
        self.tier = Some(tier);
        self
    }

    /// Only cases with this tag, globs allowed; given again, with any of them.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Only capabilities that earn this status; together with a game, capabilities that earn it for the case's game.
    #[must_use]
    pub fn status(mut self, status: Status) -> Self {
        self.status = Some(status);
        self
    }

    /// Whether nothing narrows it.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it asks for a status, which only a run can tell.
    pub(crate) fn wants_status(&self) -> bool {
        self.status.is_some()
    }

    /// Whether it asks for tags, which only cases have.
    pub(crate) fn wants_tags(&self) -> bool {
        !self.tags.is_empty()
    }

    /// Whether the filters take a clause of this tier in a game, by what its capability has earned.
    pub(crate) fn takes(&self, game: Game, tier: Tier, standing: Option<&assay_model::Standing>) -> bool {
        let stands = match standing {
            Some(standing) => self.stands(standing, game),
            // Nothing vouches for a suite that does not load.
            None => self.status.is_none_or(|status| status == Status::Partial),
        };
        stands
            && (self.games.is_empty() || self.games.contains(&game))
            && self.tier.is_none_or(|wanted| wanted == tier)
    }

    /// The first pattern that means none of these capabilities, with the nearest of them.
    pub(crate) fn meaningless(&self, paths: &[String]) -> Option<String> {
        let means = |pattern: &[String]| paths.iter().any(|path| reaches(pattern, path));
        let wrong = self.patterns.iter().find(|pattern| !means(pattern))?.join("/");
        let names = paths.iter().flat_map(|path| path.split('/').chain([path.as_str()]));
        let near = crate::nearest::nearest(&wrong, names, 3).join("`, `");
        Some(if near.is_empty() {
            format!("nothing matches `{wrong}`")
        } else {
            format!("nothing matches `{wrong}`; nearest: `{near}`")
        })
    }

    /// Whether a standing has the status asked for.
    pub(crate) fn stands(&self, standing: &assay_model::Standing, game: Game) -> bool {
        let status =
            if self.games.is_empty() { Some(standing.status) } else { standing.games.get(&game).copied() };
        self.status.is_none_or(|wanted| status == Some(wanted))
    }

    /// Whether any pattern takes the case.
    pub(crate) fn names(&self, id: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| matches(pattern, id))
    }

    /// Whether any pattern may mean the capability at `area/capability`, or something in it.
    #[must_use]
    pub fn means(&self, path: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| reaches(pattern, path))
    }

    /// Whether every filter but the status lets it through.
    pub(crate) fn admits(&self, registry: &Registry, entry: &Entry, subject: &Subject) -> bool {
        (self.games.is_empty() || self.games.contains(&subject.game))
            && (self.tags.is_empty()
                || self.tags.iter().any(|glob| subject.tags.iter().any(|tag| like(glob, tag))))
            && self.tier.is_none_or(|tier| weakest(registry, entry, subject) == Some(tier))
    }

    /// Patterns that take nothing, each with the nearest names.
    #[must_use]
    pub fn unmatched(&self, registry: &Registry) -> Vec<String> {
        let nothing = self.patterns.iter().filter(|pattern| !registry.ids().any(|id| matches(pattern, id)));
        nothing
            .map(|pattern| {
                let wrong = pattern.join("/");
                let paths: Vec<String> = registry.entries().iter().map(Entry::path).collect();
                let names = registry.entries().iter().map(Entry::name);
                let areas = registry.entries().iter().map(|entry| entry.area().as_str());
                // An id is compared with ids, a shorter pattern with what has as many parts.
                let near = match pattern.len() {
                    1 => crate::nearest::nearest(&wrong, areas.chain(names), 3),
                    2 => crate::nearest::nearest(
                        &wrong,
                        paths.iter().map(String::as_str).chain(registry.ids()),
                        3,
                    ),
                    _ => crate::nearest::nearest(&wrong, registry.ids(), 3),
                };
                if near.is_empty() {
                    format!("nothing matches `{wrong}`")
                } else {
                    format!("nothing matches `{wrong}`; nearest: `{}`", near.join("`, `"))
                }
            })
            .collect()
    }
}

/// The tier of a case is that of its weakest clause for its game.
fn weakest(registry: &Registry, entry: &Entry, subject: &Subject) -> Option<Tier> {
    let spec = registry.spec(entry.name())?;
    let clauses = subject.clauses.iter().filter_map(|id| spec.clause(id));
    clauses.map(|clause| registry.oracle().tier(clause, subject.game)).min()
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut selection = Self::all();
        for word in text.split([',', ' ', '\t', '\n']).filter(|word| !word.is_empty()) {
            selection = match word.split_once('=') {
                None => selection.pattern(word)?,
                Some(("game", game)) => selection.game(game.parse()?),
                Some(("tier", tier)) => selection.tier(tier.parse()?),
                Some(("tag", tag)) => selection.tag(tag),
                Some(("status", status)) => selection.status(status.parse()?),
                Some((other, _)) => {
                    return Err(format!("unknown filter `{other}` (one of game, tier, tag, status)"));
                }
            };
        }
        Ok(selection)
    }
}

/// As [`FromStr`] reads it; `*` for everything.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = self.patterns.iter().map(|pattern| pattern.join("/")).collect();
        words.extend(self.games.iter().map(|game| format!("game={game}")));
        words.extend(self.tier.iter().map(|tier| format!("tier={tier}")));
        words.extend(self.tags.iter().map(|tag| format!("tag={tag}")));
        words.extend(self.status.iter().map(|status| format!("status={status}")));
        f.write_str(&if words.is_empty() { "*".to_owned() } else { words.join(" ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(pattern: &str, id: &str) -> bool {
        pattern.parse::<Selection>().unwrap().names(id)
    }

    #[test]
    fn patterns_match_part_by_part_from_area_or_capability() {
        let id = "combat/compute_damage/quarter-of-spread";
        for good in [
            "",
            "combat",
            "combat/",
            "combat/compute_damage",
            id,
            "compute_damage",
            "compute_damage/quarter-*",
            "c*t/*/q?arter-of-spread",
            "*",
            "economy,compute_damage",
            "economy combat/*/quarter*",
        ] {
            assert!(takes(good, id), "{good}");
        }
        for bad in
            ["econ", "comba", "combat/compute", "quarter-of-spread", "combat/quarter-of-spread", "*/*/x*"]
        {
            assert!(!takes(bad, id), "{bad}");
        }
        assert!(takes("math/x/states.*", "math/x/states.v0001"));
        for (pattern, means) in [
            ("combat/x/case", true),
            ("x/case", true),
            ("x", true),
            ("combat", true),
            ("y", false),
            ("*/y/case", false),
        ] {
            assert_eq!(pattern.parse::<Selection>().unwrap().means("combat/x"), means, "{pattern}");
        }
    }

    #[test]
    fn words_that_are_no_selection_say_why() {
        for (wrong, why) in [
            ("a/b/c/d", "is no pattern"),
            ("a//c", "is no pattern"),
            ("game=RA9", "unknown game `RA9`"),
            ("speed=9", "unknown filter `speed`"),
        ] {
            assert!(wrong.parse::<Selection>().unwrap_err().contains(why), "{wrong}");
        }
    }

    #[test]
    fn a_selection_prints_as_it_is_read() {
        let text = "combat/* compute_x game=TS game=YR tier=verified tag=edge:* status=partial";
        let selection: Selection = text.parse().unwrap();
        assert_eq!(selection.to_string(), text);
        assert_eq!(selection.to_string().parse::<Selection>().unwrap(), selection);
        assert_eq!(Selection::all().to_string(), "*");
    }
}
