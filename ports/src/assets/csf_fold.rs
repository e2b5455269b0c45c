//! `csf_fold`: what the loader of string tables makes of the blanks in a text.

use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "csf_fold",
    area: Area::Assets,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Blanks of a string table text as the loader folds them: leading, repeated, before a break, trailing.",
    aliases: &["CSF spaces", "string table blanks", "double space", "trailing space", "text folding"],
    units: "text in, text out, dropped blanks",
    example: r#"{"text":"  a  b \n c "}"#,
};

/// The port.
pub static PORT: FnPort<CsfFoldInput, CsfFold> = FnPort::new(&META, csf_fold);

/// Most characters of a text.
const MOST: usize = 65_536;

/// A text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CsfFoldInput {
    /// Game whose loader it is. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The text as it stands in the table: at most 65536 characters.
    #[schemars(length(max = 65_536))]
    pub text: String,
}

/// A text without what the loader drops.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CsfFold {
    /// Blanks dropped at the start of a line (leading.1).
    pub leading: u32,
    /// Blanks dropped behind a blank (runs.1).
    pub repeated: u32,
    /// Blanks dropped before a line end or a tab (break.1).
    pub before_break: u32,
    /// Blanks dropped at the end: 0 or 1 (trailing.1).
    pub trailing: u32,
    /// Whether any was dropped.
    pub changed: bool,
    /// What is left.
    pub folded: String,
}

/// Folds the blanks of a text.
///
/// # Errors
/// `EINVAL` at `text` beyond 65536 characters; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn csf_fold(input: &CsfFoldInput) -> Result<CsfFold, PortError> {
    META.offers(input.game)?;
    if input.text.chars().nth(MOST).is_some() {
        return Err(PortError::invalid("text", format!("must have at most {MOST} characters")));
    }
    Ok(fold(&input.text))
}

/// The same for a text of any length.
pub(crate) fn fold(text: &str) -> CsfFold {
    let mut fold = CsfFold::default();
    for character in text.chars() {
        match (character, fold.folded.chars().next_back()) {
            (' ', None | Some('\n')) => fold.leading += 1,
            (' ', Some(' ')) => fold.repeated += 1,
            ('\n' | '\t', Some(' ')) => {
                fold.before_break += 1;
                fold.folded.pop();
                fold.folded.push(character);
            }
            _ => fold.folded.push(character),
        }
    }
    if fold.folded.ends_with(' ') {
        fold.trailing = 1;
        fold.folded.pop();
    }
    fold.changed = fold.folded != text;
    fold
}
