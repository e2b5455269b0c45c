//! `csf_lookup`: the text that the game shows for a label.

use super::csf_decode::{CsfDecodeInput, CsfLabel, csf_decode};
use super::csf_fold::fold;
use super::yr;
use assay_model::{Area, Bytes, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "csf_lookup",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Text that the game shows for a label of a string table, or the MISSING text where there is none.",
    aliases: &["MISSING", "string lookup", "UIName text", "label text", "missing string", "string label"],
    units: "label in, text out",
    example: r#"{"bytes":"hex:204653430300000001000000010000000000000000000000204c424c01000000070000004e414d453a45312052545302000000b8ffb6ff","label":"Name:e1"}"#,
};

/// The port.
pub static PORT: FnPort<CsfLookupInput, CsfLookup> = FnPort::new(&META, csf_lookup);

/// Bytes of a label that the game keeps.
const KEPT: usize = 32;
/// Most bytes of a label that is asked for.
const MOST: usize = 256;

/// A string table and a label.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CsfLookupInput {
    /// Game that looks it up. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The string table, at most 64 MiB, 1000000 labels and 1000000 texts.
    pub bytes: Bytes,
    /// The label, in any case: 1 to 256 characters, one byte each.
    #[schemars(length(min = 1, max = 256))]
    pub label: String,
    /// Whether the text is folded as `csf_fold` does. Default false.
    #[serde(default)]
    pub fold: bool,
}

/// What the game shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CsfLookup {
    /// The label by which it looks: at most 32 characters, upper case (key.1).
    pub key: String,
    /// Labels of the table.
    pub labels: u32,
    /// Those of them that are this one: 0 or 1 as a rule (search.1).
    pub matches: u32,
    /// Labels that are sorted before it (search.1).
    pub before: u32,
    /// Whether there is one (search.1).
    pub found: bool,
    /// The label as it stands in the table; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The text: the first of the label, nothing of a label without, `MISSING:` and the label without one (missing.1).
    pub text: String,
    /// Name of the sound that goes with it; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
    /// What is not known of a result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Looks a label up.
///
/// # Errors
/// Those of `csf_decode` at `bytes`; `EINVAL` at `label` for none, for more than 256 characters, and for one with a
/// character beyond U+00FF; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn csf_lookup(input: &CsfLookupInput) -> Result<CsfLookup, PortError> {
    META.offers(input.game)?;
    let length = input.label.chars().count();
    if length == 0 || length > MOST || input.label.chars().any(|character| u32::from(character) > 0xFF) {
        let message = format!("must have 1 to {MOST} characters up to U+00FF");
        return Err(PortError::invalid("label", message));
    }
    let table = csf_decode(&CsfDecodeInput { game: input.game, bytes: input.bytes.clone(), fold: false })?;
    let key = key(&input.label);
    let matching: Vec<&CsfLabel> =
        table.labels.iter().filter(|label| self::key(&label.name) == key).collect();
    let before = table.labels.iter().filter(|label| self::key(&label.name) < key).count() as u32;
    let label = matching.first();
    let string = label.and_then(|label| label.strings.first());
    let text = match (label, string) {
        (None, _) => format!("MISSING:{}", input.label),
        (Some(_), None) => String::new(),
        (Some(_), Some(string)) if input.fold => fold(&string.text).folded,
        (Some(_), Some(string)) => string.text.clone(),
    };
    let mut caveats = Vec::new();
    if matching.len() > 1 {
        let message = "which of equal labels the game finds was not read; this is the first of the file";
        caveats.push(Caveat::new("search.1", message));
    }
    if length >= KEPT {
        let message = "whether the end mark is one of the 32 bytes of a label was not read";
        caveats.push(Caveat::new("key.1", message));
    }
    Ok(CsfLookup {
        key,
        labels: table.label_count,
        matches: matching.len() as u32,
        before,
        found: label.is_some(),
        label: label.map(|label| label.name.clone()),
        extra: string.and_then(|string| string.extra.clone()),
        text,
        caveats,
    })
}

/// A label as it is compared: cut, and without its case.
fn key(label: &str) -> String {
    label.chars().take(KEPT).map(|character| character.to_ascii_uppercase()).collect()
}
