//! The entries of one `cases.toml`, each read by itself.

use assay_model::{CaseEntry, Game, Problem, Rule, SuiteFile, SweepEntry, Tombstone, Tree};
use assay_oracles::reader::{Reader, Shape};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Deserializer};

/// What can be told of an entry that is not well-formed.
#[derive(Debug)]
pub(crate) struct Half {
    /// `case` or `sweep`.
    pub table: &'static str,
    /// Position in the file.
    pub index: usize,
    pub id: String,
    pub game: Game,
    pub clause: Vec<String>,
}

/// Everything that one file says.
#[derive(Debug)]
pub(super) struct Entries {
    /// What is well-formed.
    pub file: SuiteFile,
    /// Positions of its cases, sweeps and tombstones.
    pub places: [Vec<usize>; 3],
    /// What is not.
    pub halves: Vec<Half>,
    /// The whole content as canonical JSON.
    pub canonical: Vec<u8>,
    /// The text, parts that do not parse blanked out.
    pub readable: String,
}

/// What a file is made of.
const KEYS: &[&str] = &["derivations", "case", "sweep", "removed"];

/// The keys of each sort of entry.
struct Shapes {
    case: Shape<CaseEntry>,
    sweep: Shape<SweepEntry>,
    removed: Shape<Tombstone>,
}

static SHAPES: LazyLock<Shapes> =
    LazyLock::new(|| Shapes { case: Shape::new(), sweep: Shape::new(), removed: Shape::new() });

/// Entries of one sort, each with its position: those that are well-formed, and what is left of the others.
type Listed<T> = (Vec<(usize, T)>, Vec<(usize, T)>);

impl Entries {
    /// Reads a file; every slip of every entry is a problem.
    pub fn read(path: &str, text: &str, problems: &mut Vec<Problem>) -> Self {
        let (known, spare) = (OnceCell::new(), OnceCell::new());
        let mut reader = Reader::new(path, text, 0, problems);
        let text = reader.known_parts(text, KEYS, &known);
        let table = reader.parse(text, &spare);
        // Of a table that parsed; the digest of one that did not is asked for by nobody.
        let canonical = Tree::deserialize(Deserializer::from(table.clone())).unwrap_or(Tree::Null).to_json();
        let mut file = SuiteFile::default();
        let (mut places, mut halves) = ([const { Vec::new() }; 3], Vec::new());
        for (key, value) in table.into_inner() {
            match &**key.get_ref() {
                "derivations" => file.derivations = derivations(&mut reader, value),
                "case" => {
                    let (whole, half) = list(&mut reader, &SHAPES.case, &key, value);
                    (places[0], file.cases) = whole.into_iter().unzip();
                    halves.extend(half.into_iter().map(|(index, entry)| {
                        let CaseEntry { id, game, clause, .. } = entry;
                        Half { table: "case", index, id, game, clause }
                    }));
                }
                "sweep" => {
                    let (whole, half) = list(&mut reader, &SHAPES.sweep, &key, value);
                    (places[1], file.sweeps) = whole.into_iter().unzip();
                    halves.extend(half.into_iter().map(|(index, entry)| {
                        let SweepEntry { id, game, clause, .. } = entry;
                        Half { table: "sweep", index, id, game, clause }
                    }));
                }
                "removed" => {
                    let (whole, _) = list(&mut reader, &SHAPES.removed, &key, value);
                    (places[2], file.removed) = whole.into_iter().unzip();
                }
                _ => reader.unknown(&key, KEYS),
            }
        }
        let readable = spare.into_inner().unwrap_or_else(|| text.to_owned());
        Self { file, places, halves, canonical, readable }
    }
}

/// Reads a list of tables, each by itself.
pub(super) fn list<T: DeserializeOwned>(
    reader: &mut Reader,
    shape: &Shape<T>,
    key: &Spanned<DeString>,
    value: Spanned<DeValue>,
) -> Listed<T> {
    let (mut whole, mut half) = (Vec::new(), Vec::new());
    let name = key.get_ref();
    let help = format!("write each as `[[{name}]]`");
    let span = value.span();
    let DeValue::Array(items) = value.into_inner() else {
        reader.report(Rule::WrongType, &span, format!("`{name}` is no list"), help);
        return (whole, half);
    };
    for (index, item) in items.into_iter().enumerate() {
        let span = item.span();
        let DeValue::Table(table) = item.into_inner() else {
            reader.report(Rule::WrongType, &span, format!("a {name} is a table"), &help);
            continue;
        };
        let before = reader.count();
        let entry = reader.entry(shape, Spanned::new(span, table));
        let sound = reader.count() == before;
        if let Some(entry) = entry {
            (if sound { &mut whole } else { &mut half }).push((index, entry));
        }
    }
    (whole, half)
}

fn derivations(reader: &mut Reader, value: Spanned<DeValue>) -> BTreeMap<String, String> {
    let span = value.span();
    let help = "write `name = \'\'\'…\'\'\'` below `[derivations]`";
    let DeValue::Table(table) = value.into_inner() else {
        reader.report(Rule::WrongType, &span, "`derivations` is no table", help);
        return BTreeMap::new();
    };
    let table: DeTable = table;
    let mut texts = BTreeMap::new();
    for (name, value) in table {
        match value.get_ref() {
            DeValue::String(text) => {
                texts.insert(name.into_inner().into_owned(), text.clone().into_owned());
            }
            _ => {
                let message = format!("derivation `{}` is no text", name.get_ref());
                reader.report(Rule::WrongType, &value.span(), message, help);
            }
        }
    }
    texts
}
