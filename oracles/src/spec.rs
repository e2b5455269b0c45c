//! Specs: the findings about one engine system, in clauses, with the defaults, constants and tables it uses.

use crate::clause::{Clause, Context};
use crate::derive::Value;
use crate::reader::{Reader, Shape, is_words};
use crate::source::Sources;
use crate::table::Table;
use assay_model::{Area, Game, Problem, Rule, Tree};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;
use toml::de::DeTable;

/// Where specs are.
pub const SPECS: &str = "oracles/specs";

/// The findings about one engine system.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The capability that it judges, from the path.
    pub capability: String,
    /// Area, from the path.
    pub area: Area,
    /// Title.
    pub title: String,
    /// Games that it says something about, in vocabulary order.
    pub games: Vec<Game>,
    /// What the executable's constructor gives, by input name: a map.
    pub defaults: Tree,
    /// Where games differ: a map for each such game.
    pub defaults_by_game: BTreeMap<Game, Tree>,
    /// Constants that derivations name: a map.
    pub constants: Tree,
    /// Tables that derivations name: lists of numbers, shared between specs.
    pub tables: BTreeMap<String, Value>,
    /// Paths of those tables, whether they can be used or not.
    pub table_paths: BTreeSet<String>,
    /// Capabilities whose rules this one calls: its tier is at most theirs.
    pub composes: Vec<String>,
    /// The clauses in file order.
    pub clauses: Vec<Clause>,
    /// Whether nothing is wrong with the front matter; if something is, derivations may lack a name.
    pub sound: bool,
    /// The whole file.
    pub text: String,
    /// Path relative to the repository.
    pub path: String,
}

/// The front matter of a spec, between two lines `+++`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrontMatter {
    /// What the system is called.
    #[schemars(with = "String", length(min = 1))]
    title: Spanned<String>,
    /// Games that at least one clause is for.
    #[schemars(with = "Vec<Game>", length(min = 1))]
    games: Vec<Spanned<String>>,
    /// What the executable's constructor gives, by input name.
    #[serde(default = "empty")]
    defaults: Tree,
    /// The same where games differ: game, then input name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Tree>")]
    defaults_by_game: BTreeMap<Spanned<String>, Tree>,
    /// Numbers that derivations name: integers, floats, or bits such as `"f64:0x3fe0000000000000"`.
    #[serde(default = "empty")]
    constants: Tree,
    /// Tables that derivations name: name, then path.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    tables: BTreeMap<String, Spanned<String>>,
    /// Capabilities whose rules this one calls, each with a spec of its own.
    #[serde(default)]
    composes: Vec<String>,
}

/// What all specs are read against.
pub struct Shelf<'a> {
    /// Sources that can be cited.
    pub sources: &'a Sources,
    /// Tables by path.
    pub tables: &'a BTreeMap<String, Table>,
    /// Keys of the front matter.
    pub shape: &'a Shape<FrontMatter>,
}

fn empty() -> Tree {
    Tree::Map(Vec::new())
}

impl Spec {
    /// Reads a spec; nothing when its path or front matter is beyond use.
    pub(crate) fn read(
        path: &str,
        text: &str,
        shelf: &Shelf<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        let (area, capability) = match place(path) {
            Ok(place) => place,
            Err((message, help)) => {
                problems.push(Problem::whole(Rule::File, path, message, help));
                return None;
            }
        };
        let Some((front, body)) = front_matter(text) else {
            let message =
                "no front matter: the file does not begin with a line `+++` that a second one answers";
            let help = "put the TOML between two lines `+++`";
            problems.push(Problem::at(Rule::Syntax, path, text, 0, message, help));
            return None;
        };
        let mut reader = Reader::new(path, text, front.start, problems);
        let spare = OnceCell::new();
        let before = reader.count();
        let table = reader.parse(&text[front], &spare);
        bindings(&table, &mut reader);
        let Some(matter) = reader.entry::<FrontMatter>(shelf.shape, table) else {
            // The clauses are looked at all the same, in the light of every game.
            let context = Context { file: path, text, games: Game::ALL, sources: shelf.sources };
            context.clauses(body, problems);
            return None;
        };
        let games = reader.games(&matter.games);
        if matter.title.get_ref().trim().is_empty() {
            reader.report(Rule::Title, &matter.title.span(), "`title` is empty", "name the system");
        }
        let defaults_by_game = by_game(matter.defaults_by_game, &games, &mut reader);
        let table_paths = matter.tables.values().map(|path| path.get_ref().clone()).collect();
        let carried = carried(matter.tables, shelf.tables, &mut reader);
        let sound = reader.count() == before;
        let context = Context { file: path, text, games: &games, sources: shelf.sources };
        let mut found = Vec::new();
        let clauses = context.clauses(body, &mut found);
        let without_clause =
            matter.games.iter().filter(|word| games.iter().any(|game| game.as_str() == word.get_ref()));
        for word in without_clause {
            if !clauses.iter().flat_map(|clause| &clause.games).any(|game| game.as_str() == word.get_ref()) {
                let message = format!("no clause is for {}", word.get_ref());
                reader.report(Rule::Coverage, &word.span(), message, "write one, or take the game out");
            }
        }
        problems.append(&mut found);
        Some(Self {
            capability,
            area,
            title: matter.title.into_inner(),
            games,
            defaults: matter.defaults,
            defaults_by_game,
            constants: matter.constants,
            tables: carried,
            table_paths,
            composes: matter.composes,
            clauses,
            sound,
            text: text.to_owned(),
            path: path.to_owned(),
        })
    }

    /// blake3, in hex, over the digests of all clauses; their order does not matter.
    #[must_use]
    pub fn clauses_digest(&self) -> String {
        let clauses: BTreeMap<&str, &str> =
            self.clauses.iter().map(|c| (c.id.as_str(), c.digest.as_str())).collect();
        let mut hasher = blake3::Hasher::new();
        for (id, digest) in clauses {
            hasher.update(format!("{id} {digest}\n").as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The clause of that id.
    #[must_use]
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.id == id)
    }

    /// What an input is for a game when nobody gives it.
    #[must_use]
    pub fn default(&self, game: Game, name: &str) -> Option<&Tree> {
        self.defaults_by_game.get(&game).and_then(|map| map.get(name)).or_else(|| self.defaults.get(name))
    }
}

/// Area and capability of `oracles/specs/<area>/<capability>.md`, or what is wrong with the path.
fn place(path: &str) -> Result<(Area, String), (String, String)> {
    let inside = path.strip_prefix(SPECS).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path);
    let parts: Vec<&str> = inside.split('/').collect();
    let [area, file] = parts.as_slice() else {
        return Err((
            "a spec is not in the folder of its area".into(),
            format!("{SPECS}/<area>/<capability>.md"),
        ));
    };
    let area = match area.parse::<Area>() {
        Ok(found) if found.as_str() == *area => found,
        Ok(found) => return Err((format!("unknown area `{area}`"), format!("it is written {found}"))),
        Err(message) => return Err((message, "move the spec".into())),
    };
    match file.strip_suffix(".md") {
        Some(name) if is_words(name, '_') => Ok((area, name.to_owned())),
        _ => Err((
            format!("`{file}` is no file name of a spec"),
            "lower-case words joined by `_`, then .md".into(),
        )),
    }
}

/// Byte range of the front matter of a spec, and where the rest begins.
#[must_use]
pub fn front_matter(text: &str) -> Option<(std::ops::Range<usize>, usize)> {
    let mut start = 0;
    let mut opened = None;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        match (line.trim_end() == "+++", opened) {
            (true, None) => opened = Some(end),
            (true, Some(front)) => return Some((front..start, end)),
            (false, None) => return None,
            (false, Some(_)) => {}
        }
        start = end;
    }
    None
}

/// Checks every name and value that derivations will see.
fn bindings(front: &Spanned<DeTable<'_>>, reader: &mut Reader<'_>) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for section in ["defaults", "constants", "tables"] {
        let Some(value) = front.get_ref().get(section) else { continue };
        let Some(names) = value.get_ref().as_table() else {
            reader.report(
                Rule::WrongType,
                &value.span(),
                format!("`{section}` is not a table"),
                format!("write `[{section}]`"),
            );
            continue;
        };
        for (name, value) in names {
            binding(name, value, reader);
            // The game of the case is always bound, whatever the default of the input is.
            let game = section != "defaults" && name.get_ref() == "game";
            if game || !taken.insert(name.get_ref().to_string()) {
                let message = format!("`{}` means two things in derivations", name.get_ref());
                reader.report(
                    Rule::Binding,
                    &name.span(),
                    message,
                    "defaults, constants, tables and `game` share one set of names",
                );
            }
        }
    }
    let by_game = front.get_ref().get("defaults_by_game").and_then(|value| value.get_ref().as_table());
    for (name, value) in
        by_game.into_iter().flatten().filter_map(|(_, map)| map.get_ref().as_table()).flatten()
    {
        binding(name, value, reader);
    }
}

fn binding(
    name: &Spanned<toml::de::DeString<'_>>,
    value: &Spanned<toml::de::DeValue<'_>>,
    reader: &mut Reader<'_>,
) {
    let text = name.get_ref();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if text.is_empty() || text.starts_with(|first: char| first.is_ascii_digit()) || !text.bytes().all(word) {
        reader.report(
            Rule::Binding,
            &name.span(),
            format!("`{text}` is no name in a derivation"),
            "letters, digits and `_`",
        );
    }
    if value.get_ref().is_datetime() {
        // Told where the entry as a whole is read.
        return;
    }
    let tree = Tree::deserialize(toml::de::ValueDeserializer::from(value.clone()))
        .map_err(|error| error.to_string());
    if let Err(message) = tree.and_then(|tree| Value::from_tree(&tree)) {
        reader.report(Rule::Binding, &value.span(), message, "");
    }
}

fn by_game(
    maps: BTreeMap<Spanned<String>, Tree>,
    games: &[Game],
    reader: &mut Reader<'_>,
) -> BTreeMap<Game, Tree> {
    let mut by_game = BTreeMap::new();
    for (word, map) in maps {
        let game = games.iter().find(|game| game.as_str() == word.get_ref());
        match (game, &map) {
            (Some(game), Tree::Map(_)) => {
                by_game.insert(*game, map);
            }
            (Some(_), _) => {
                reader.report(Rule::WrongType, &word.span(), "defaults of a game are a table", "");
            }
            (None, _) => {
                let message = format!("defaults for {}, which the spec does not list", word.get_ref());
                reader.report(
                    Rule::UnknownGame,
                    &word.span(),
                    message,
                    "add it to `games` of the front matter",
                );
            }
        }
    }
    by_game
}

fn carried(
    paths: BTreeMap<String, Spanned<String>>,
    tables: &BTreeMap<String, Table>,
    reader: &mut Reader<'_>,
) -> BTreeMap<String, Value> {
    let mut carried = BTreeMap::new();
    for (name, path) in paths {
        match tables.get(path.get_ref()) {
            Some(table) => {
                carried.insert(name, table.list.clone());
            }
            None => {
                let message = format!("no usable table `{}`", path.get_ref());
                reader.report(
                    Rule::Table,
                    &path.span(),
                    message,
                    "put it in oracles/tables, or correct what is wrong in it",
                );
            }
        }
    }
    carried
}
