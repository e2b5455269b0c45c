//! What a port is: metadata, a closed input schema, and a pure function from typed input to a breakdown.

use crate::bytes::Attachment;
use crate::error::PortError;
use crate::vocab::{Area, Game, Kind};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// What a capability says of itself. Tier and status are not here: they are computed from evidence.
#[derive(Debug)]
pub struct Meta {
    /// Unique name, `compute_…`, `simulate_…`, `inspect_…`, `decode_…`, `parse_…`.
    pub name: &'static str,
    /// Area of the question.
    pub area: Area,
    /// Sort of answer.
    pub kind: Kind,
    /// Games that the evidence covers, in vocabulary order.
    pub games: &'static [Game],
    /// One sentence, at most 160 characters.
    pub summary: &'static str,
    /// INI keys and the words people search for; short noun phrases.
    pub aliases: &'static [&'static str],
    /// Units of what goes in and comes out, in one line.
    pub units: &'static str,
    /// Arguments that run, as a JSON object.
    pub example: &'static str,
}

impl Meta {
    /// Refuses a game that the evidence does not cover.
    ///
    /// # Errors
    /// `EOPNOTSUPP` at `game`, naming the games on offer.
    pub fn offers(&self, game: Game) -> Result<(), PortError> {
        if self.games.contains(&game) {
            return Ok(());
        }
        let games: Vec<_> = self.games.iter().map(|game| game.as_str()).collect();
        Err(PortError::unsupported(
            "game",
            format!("no evidence covers {game}; offered: {}", games.join(", ")),
        ))
    }
}

/// A remark on a result: it reached an open clause or left the range that evidence covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Caveat {
    /// The clause concerned.
    pub clause: String,
    /// What is not known.
    pub message: String,
}

impl Caveat {
    /// A remark that names its clause.
    #[must_use]
    pub fn new(clause: &str, message: impl Into<String>) -> Self {
        Self { clause: clause.to_owned(), message: message.into() }
    }
}

/// What one run leaves behind: the canonical JSON of the breakdown, and artefacts.
#[derive(Debug, Default)]
pub struct Output {
    /// The breakdown: compact JSON, keys in stage order.
    pub json: Vec<u8>,
    /// Pictures, sounds, raw bytes; empty for most ports.
    pub attachments: Vec<Attachment>,
}

/// A port with its types erased, as registry, harness and gateway see it.
pub trait Port: Send + Sync {
    /// What it says of itself.
    fn meta(&self) -> &'static Meta;

    /// JSON Schema (2020-12) of the input: closed, bounded, with defaults.
    fn input_schema(&self) -> Value;

    /// JSON Schema of the breakdown.
    fn breakdown_schema(&self) -> Value;

    /// Runs one input given as JSON. `output` is cleared first, so that one buffer serves many runs.
    ///
    /// # Errors
    /// `EINVAL` for JSON that is not the input type, and whatever the port refuses.
    fn run(&self, input: &[u8], output: &mut Output) -> Result<(), PortError>;
}

/// A typed function as a [`Port`].
pub struct FnPort<I, B> {
    meta: &'static Meta,
    function: fn(&I) -> Result<B, PortError>,
    attachments: Option<fn(&B) -> Vec<Attachment>>,
}

impl<I, B> FnPort<I, B> {
    /// A port without artefacts.
    #[must_use]
    pub const fn new(meta: &'static Meta, function: fn(&I) -> Result<B, PortError>) -> Self {
        Self { meta, function, attachments: None }
    }

    /// The same port, with a function that takes the artefacts out of a breakdown.
    #[must_use]
    pub const fn attaching(mut self, attachments: fn(&B) -> Vec<Attachment>) -> Self {
        self.attachments = Some(attachments);
        self
    }
}

impl<I, B> Port for FnPort<I, B>
where
    I: DeserializeOwned + JsonSchema,
    B: Serialize + JsonSchema,
{
    fn meta(&self) -> &'static Meta {
        self.meta
    }

    fn input_schema(&self) -> Value {
        let mut schema = schema_of::<I>();
        if let Some(games) = schema.pointer_mut("/properties/game/enum") {
            *games = self.meta.games.iter().map(|game| json!(game)).collect();
        }
        schema
    }

    fn breakdown_schema(&self) -> Value {
        schema_of::<B>()
    }

    fn run(&self, input: &[u8], output: &mut Output) -> Result<(), PortError> {
        output.json.clear();
        output.attachments.clear();
        // What a host refused in another run is none of this one's.
        crate::bytes::refused();
        let typed: I = serde_json::from_slice(input).map_err(|error| misread(input, &error))?;
        let breakdown = (self.function)(&typed)?;
        serde_json::to_writer(&mut output.json, &breakdown).map_err(|error| PortError {
            errno: crate::Errno::Eio,
            field: String::new(),
            message: format!("breakdown does not serialise: {error}"),
        })?;
        if let Some(attachments) = self.attachments {
            output.attachments = attachments(&breakdown);
        }
        Ok(())
    }
}

/// The 2020-12 schema of a type, everything inlined, integer widths as bounds, without titles.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema, false);
    schema
}

/// Strips titles and turns integer formats into bounds, which validators enforce and formats do not. Inside
/// `properties` keys are names, so `title` and `format` there stay.
fn tidy(schema: &mut Value, names: bool) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| tidy(item, false)),
        Value::Object(map) => {
            if !names {
                map.remove("title");
                bound(map);
            }
            for (key, value) in map.iter_mut() {
                tidy(value, !names && key == "properties");
            }
        }
        _ => {}
    }
}

fn bound(map: &mut Map<String, Value>) {
    let (low, high) = match map.get("format").and_then(Value::as_str) {
        Some("int8") => (json!(i8::MIN), json!(i8::MAX)),
        Some("int16") => (json!(i16::MIN), json!(i16::MAX)),
        Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
        Some("int64") => (json!(i64::MIN), json!(i64::MAX)),
        Some("uint8") => (json!(0), json!(u8::MAX)),
        Some("uint16") => (json!(0), json!(u16::MAX)),
        Some("uint32") => (json!(0), json!(u32::MAX)),
        Some("uint64" | "uint") => (json!(0), json!(u64::MAX)),
        _ => return,
    };
    map.remove("format");
    map.entry("minimum").or_insert(low);
    map.entry("maximum").or_insert(high);
}

/// Turns a reader's message into an error that names the field.
fn misread(input: &[u8], error: &serde_json::Error) -> PortError {
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
    if let Some((refused, object)) = crate::bytes::refused() {
        // The reader stands behind the last member of an object, which is not what was refused.
        let offset = offset_of(input, error.line(), error.column());
        return PortError { field: path_at(input, offset, object), ..refused };
    }
    let named = ["unknown field `", "missing field `"].iter().find_map(|start| {
        let rest = message.strip_prefix(start)?;
        rest.split_once('`').map(|(field, _)| field.to_owned())
    });
    let offset = offset_of(input, error.line(), error.column());
    let place = path_at(input, offset, named.is_some());
    let field = match (place.is_empty(), named) {
        (true, Some(name)) => name,
        (false, Some(name)) => format!("{place}.{name}"),
        (_, None) => place,
    };
    PortError::invalid(field, message)
}

fn offset_of(input: &[u8], line: usize, column: usize) -> usize {
    let start = input.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len);
    start.sum::<usize>() + column
}

/// The dotted path of the value that ends at or around `offset` in a JSON text; with `container`, of the object around
/// it. Good enough for messages: keys with escapes are shown raw.
fn path_at(input: &[u8], offset: usize, container: bool) -> String {
    // One entry an open bracket: the key last seen in an object, the index in a list.
    let mut open: Vec<Step> = Vec::new();
    let mut position = 0;
    while position < offset.min(input.len()) {
        match input[position] {
            b'"' => {
                let end = string_end(input, position);
                if let (Some(Step::Key(key)), Some(b':')) = (open.last_mut(), input.get(end)) {
                    *key = String::from_utf8_lossy(&input[position + 1..end - 1]).into_owned();
                }
                position = end;
                continue;
            }
            b'{' => open.push(Step::Key(String::new())),
            b'[' => open.push(Step::Index(0)),
            b',' => match open.last_mut() {
                Some(Step::Index(index)) => *index += 1,
                Some(Step::Key(key)) => key.clear(),
                None => {}
            },
            b'}' | b']' if position + 1 < offset => {
                open.pop();
            }
            _ => {}
        }
        position += 1;
    }
    if container {
        open.pop();
    }
    let names = open.iter().map(|step| match step {
        Step::Key(key) => key.clone(),
        Step::Index(index) => index.to_string(),
    });
    names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(".")
}

enum Step {
    Key(String),
    Index(usize),
}

fn string_end(input: &[u8], start: usize) -> usize {
    let mut position = start + 1;
    while position < input.len() {
        match input[position] {
            b'\\' => position += 2,
            b'"' => return position + 1,
            _ => position += 1,
        }
    }
    input.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Input {
        /// Games are cut to those on offer.
        #[serde(default = "yr")]
        #[expect(dead_code, reason = "only its schema is looked at")]
        game: Game,
        damage: i32,
        #[serde(default)]
        #[schemars(length(max = 4))]
        layers: Vec<Layer>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Layer {
        depth: u8,
    }

    #[derive(Serialize, JsonSchema)]
    struct Sum {
        total: i64,
    }

    fn yr() -> Game {
        Game::Yr
    }

    fn sum(input: &Input) -> Result<Sum, PortError> {
        let depth: i64 = input.layers.iter().map(|layer| i64::from(layer.depth)).sum();
        if input.damage == 0 {
            return Err(PortError::invalid("damage", "is zero"));
        }
        Ok(Sum { total: i64::from(input.damage) + depth })
    }

    static META: Meta = Meta {
        name: "compute_sum",
        area: Area::Math,
        kind: Kind::Compute,
        games: &[Game::Ts, Game::Yr],
        summary: "Adds.",
        aliases: &[],
        units: "points",
        example: r#"{"damage":1}"#,
    };
    static PORT: FnPort<Input, Sum> = FnPort::new(&META, sum).attaching(|sum| {
        let bytes = sum.total.to_le_bytes().to_vec();
        vec![Attachment { name: "total".into(), media_type: "application/octet-stream".into(), bytes }]
    });

    fn run(input: &str) -> Result<String, PortError> {
        let mut output = Output::default();
        PORT.run(input.as_bytes(), &mut output)?;
        assert_eq!(output.attachments.len(), 1);
        Ok(String::from_utf8(output.json).unwrap())
    }

    #[test]
    fn a_typed_function_runs_on_json() {
        assert_eq!(run(r#"{"damage":5,"layers":[{"depth":2}]}"#).unwrap(), r#"{"total":7}"#);
        assert_eq!(run(r#"{"damage":0}"#).unwrap_err().field, "damage");
    }

    #[test]
    fn misreadings_name_the_field() {
        let field = |input: &str| run(input).unwrap_err().field;
        assert_eq!(field(r#"{"layers":[]}"#), "damage");
        assert_eq!(field(r#"{"damage":1,"spread":2}"#), "spread");
        assert_eq!(field(r#"{"damage":"x"}"#), "damage");
        assert_eq!(field(r#"{"damage":1,"layers":[{"depth":1},{"depth":300}]}"#), "layers.1.depth");
        assert_eq!(field(r#"{"damage":1,"layers":[{"depth":1},{"deep":3}]}"#), "layers.1.deep");
        assert_eq!(field(r#"{"damage":1,"layers":[{}]}"#), "layers.0.depth");
        assert_eq!(field("7"), "");
        assert!(!run(r#"{"damage":"x"}"#).unwrap_err().message.contains(" at line "));
    }

    #[test]
    fn schemas_are_closed_bounded_and_cut_to_the_games_on_offer() {
        let schema = PORT.input_schema();
        assert_eq!(schema.pointer("/properties/game/enum"), Some(&json!(["TS", "YR"])));
        assert_eq!(schema.pointer("/properties/game/default"), Some(&json!("YR")));
        assert_eq!(schema.pointer("/properties/damage/minimum"), Some(&json!(i32::MIN)));
        assert_eq!(schema.pointer("/properties/layers/items/properties/depth/maximum"), Some(&json!(255)));
        assert_eq!(schema.pointer("/additionalProperties"), Some(&json!(false)));
        assert!(!schema.to_string().contains("title"));
        assert!(META.offers(Game::Td).unwrap_err().message.contains("offered: TS, YR"));
    }
}
