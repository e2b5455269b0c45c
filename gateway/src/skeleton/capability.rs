//! A new capability: spec, suite, port, a lead to cite, and its place in the registry.

use super::register;
use super::{Edit, Plan};
use assay_model::{Area, Game, Kind};
use std::fs;
use std::path::Path;

const SPEC: &str = include_str!("../../templates/spec.md");
const CASES: &str = include_str!("../../templates/cases.toml");
const CASES_OF_A_GAME: &str = include_str!("../../templates/game.toml");
const SOURCE: &str = include_str!("../../templates/source.toml");
const PORT: &str = include_str!("../../templates/port.rs");

/// Verbs that a name may begin with.
const VERBS: [&str; 6] = ["compute", "decode", "inspect", "parse", "simulate", "verify"];
/// Characters of a name at most.
const LONGEST: usize = 40;

const SOURCES: &str = "oracles/sources.toml";
const LIB: &str = "ports/src/lib.rs";

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// A verb and what it does it to, joined by `_`.
    pub name: String,
    /// Area; not that of services.
    pub area: Area,
    /// Kind.
    pub kind: Kind,
    /// Games; YR alone when there is none.
    pub games: Vec<Game>,
}

impl Wanted {
    /// Where its port stands.
    #[must_use]
    pub fn port(&self) -> String {
        format!("ports/src/{}/{}.rs", self.area, self.name)
    }

    /// Where its spec stands.
    #[must_use]
    pub fn spec(&self) -> String {
        format!("oracles/specs/{}/{}.md", self.area, self.name)
    }

    /// Where its suite stands.
    #[must_use]
    pub fn cases(&self) -> String {
        format!("golden/{}/{}/cases.toml", self.area, self.name)
    }

    /// The games in the order of the vocabulary, each once.
    fn sorted(&self) -> Vec<Game> {
        let mut games = if self.games.is_empty() { vec![Game::Yr] } else { self.games.clone() };
        games.sort_unstable();
        games.dedup();
        games
    }
}

/// What has to be written for a capability in the checkout at `root`.
///
/// # Errors
/// The name is none or is taken, the area has no systems, or a file of the registry is not as expected.
pub fn plan(root: &Path, wanted: &Wanted) -> Result<Plan, String> {
    check(&wanted.name).map_err(|why| format!("failed to name it `{}`: {why}", wanted.name))?;
    if wanted.area == Area::Service {
        return Err("failed to make it: service entries are no engine systems, and have no spec".to_owned());
    }
    if let Some(path) = taken(root, &wanted.name) {
        return Err(format!("failed to make `{}`: it exists, see {path}", wanted.name));
    }
    let words = Words::of(wanted);
    let mut plan = Plan {
        create: vec![
            (wanted.spec(), words.fill(SPEC)),
            (wanted.cases(), words.cases()),
            (wanted.port(), words.fill(PORT)),
        ],
        edit: Vec::new(),
    };
    let read = |path: &str| {
        fs::read_to_string(root.join(path)).map_err(|error| format!("failed to read {path}: {error}"))
    };
    let sources = read(SOURCES)?;
    if sources.contains(&format!("\"{}\"", words.source)) {
        return Err(format!("failed to make `{}`: {SOURCES} has a source `{}`", wanted.name, words.source));
    }
    let new = format!("{}\n{}", sources.trim_end(), words.fill(SOURCE));
    plan.edit.push(Edit { path: SOURCES.to_owned(), old: sources, new });
    let (area, lib) = (wanted.area.as_str(), read(LIB)?);
    let module = format!("ports/src/{area}/mod.rs");
    let mut registered = register::port(&lib, area, &wanted.name)
        .map_err(|why| format!("failed to register it in {LIB}: {why}"))?;
    if root.join(&module).exists() {
        let old = read(&module)?;
        let new = register::module(&old, &wanted.name);
        plan.edit.push(Edit { path: module, old, new });
    } else {
        let head = format!("//! Engine systems of the area `{area}`.\n");
        plan.create.push((module, register::module(&head, &wanted.name)));
        registered = register::module(&registered, area);
    }
    plan.edit.push(Edit { path: LIB.to_owned(), old: lib, new: registered });
    Ok(plan)
}

/// Whether a name can be that of a capability, and if not, what can.
fn check(name: &str) -> Result<(), String> {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    if !name.split('_').all(word) {
        return Err("write lower-case words joined by `_`, such as `compute_build_time`".to_owned());
    }
    // A name of a verb and more is never a word that Rust keeps for itself, nor `mod` or `lib`.
    let verbs = VERBS.map(|verb| format!("{verb}_")).join(", ");
    if !VERBS.iter().any(|verb| name.strip_prefix(verb).is_some_and(|rest| rest.starts_with('_'))) {
        return Err(format!("begin with what it does ({verbs}) and say to what"));
    }
    if name.len() > LONGEST {
        return Err(format!("{} characters are too many, at most {LONGEST}", name.len()));
    }
    Ok(())
}

/// A file of a capability of that name, in whatever area.
fn taken(root: &Path, name: &str) -> Option<String> {
    let areas = Area::ALL.iter();
    let paths = areas.flat_map(|area| {
        [
            format!("ports/src/{area}/{name}.rs"),
            format!("oracles/specs/{area}/{name}.md"),
            format!("golden/{area}/{name}"),
        ]
    });
    paths.into_iter().find(|path| root.join(path).symlink_metadata().is_ok())
}

/// What is put into the templates.
struct Words {
    games: Vec<Game>,
    source: String,
    pairs: Vec<(&'static str, String)>,
}

impl Words {
    fn of(wanted: &Wanted) -> Self {
        let games = wanted.sorted();
        let default = if games.contains(&Game::Yr) { Game::Yr } else { games[0] };
        let joined = |each: &dyn Fn(Game) -> String| {
            games.iter().map(|game| each(*game)).collect::<Vec<_>>().join(", ")
        };
        let name = &wanted.name;
        let words: Vec<&str> = name.split('_').skip(1).collect();
        let source = format!("{}-lead", name.replace('_', "-"));
        let pairs = vec![
            ("{{name}}", name.clone()),
            ("{{Area}}", variant(wanted.area.as_str())),
            ("{{Kind}}", variant(wanted.kind.as_str())),
            ("{{variants}}", joined(&|game| format!("Game::{}", variant(game.as_str())))),
            ("{{games}}", joined(&|game| format!("\"{game}\""))),
            ("{{list}}", joined(&|game| game.to_string())),
            ("{{default}}", default.to_string()),
            ("{{Default}}", variant(default.as_str())),
            ("{{words}}", words.join(" ")),
            ("{{alias}}", words[..words.len().min(5)].join(" ")),
            ("{{title}}", title(&words.join(" "))),
            ("{{source}}", source.clone()),
        ];
        Self { games, source, pairs }
    }

    fn fill(&self, template: &str) -> String {
        self.pairs.iter().fold(template.to_owned(), |text, (mark, word)| text.replace(mark, word))
    }

    fn cases(&self) -> String {
        let of = |game: &Game| {
            let prefix = game.as_str().to_lowercase();
            CASES_OF_A_GAME.replace("{{game}}", game.as_str()).replace("{{prefix}}", &prefix)
        };
        self.games.iter().fold(self.fill(CASES), |text, game| text + &of(game))
    }
}

/// The Rust variant of a word of the vocabulary.
fn variant(word: &str) -> String {
    title(&word.to_lowercase())
}

fn title(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_done_to_what() {
        for good in ["compute_build_time", "parse_ini", "simulate_2_bodies"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("", "lower-case words"),
            ("Compute_x", "lower-case words"),
            ("compute-x", "lower-case words"),
            ("compute__x", "lower-case words"),
            ("compute_", "lower-case words"),
            ("../compute_x", "lower-case words"),
            ("compute", "begin with what it does"),
            ("fn", "begin with what it does"),
            ("self", "begin with what it does"),
            ("computes_x", "begin with what it does"),
            ("compute_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "too many"),
        ] {
            assert!(check(bad).unwrap_err().contains(why), "{bad}");
        }
    }

    #[test]
    fn no_mark_is_left_in_any_template() {
        let wanted = Wanted {
            name: "compute_a_b_c_d_e_f".into(),
            area: Area::Ui,
            kind: Kind::Other,
            games: vec![Game::Ts, Game::Ra1, Game::Ts],
        };
        let words = Words::of(&wanted);
        let texts = [SPEC, PORT, SOURCE].map(|template| words.fill(template)).join("") + &words.cases();
        assert!(!texts.contains("{{") && !texts.contains("}}"), "{texts}");
        assert!(
            texts.contains("games: &[Game::Ra1, Game::Ts],") && texts.contains("game = \"RA1\""),
            "{texts}"
        );
        assert!(texts.contains("aliases: &[\"a b c d e\"]"), "{texts}");
    }
}
