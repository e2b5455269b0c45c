//! The messages of the protocol as types: what is sent and read, and the schemas, come from the same place.
//!
//! `PROTOCOL.md` beside this file is the reference for authors of ports.

use assay_model::{Errno, Game, PortError, Tree};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The version of the protocol that this harness speaks. A message that changes its meaning takes another number.
pub const PROTOCOL: u32 = 1;

/// Questions that may be open at a time.
pub const WINDOW: u32 = 64;

/// Longest line in either direction, in bytes.
pub const MAX_LINE: usize = 16 << 20;

/// The first line that a port reads.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The greeting.
    pub hello: Greeting,
}

/// What the harness says of itself.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// Version of the protocol; a port that does not speak it leaves with a message on stderr.
    pub protocol: u32,
    /// Most questions that are open at a time.
    pub window: u32,
    /// Longest line in bytes, the line feed not counted.
    pub line: u64,
}

/// The first line that a port writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HelloReply {
    /// The port's introduction.
    pub hello: Introduction,
}

/// What a port says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Introduction {
    /// Version of the protocol that the port speaks.
    pub protocol: u32,
    /// Name of the port, as reports print it.
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// The language it is written in.
    #[schemars(length(min = 1, max = 80))]
    pub language: String,
    /// Version of the port: a release or a commit.
    #[schemars(length(min = 1, max = 80))]
    pub version: String,
    /// What it can be asked for. Nothing else is ever sent.
    pub capabilities: Vec<Offer>,
    /// Most questions that it wants open at a time, if fewer than the harness allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 64))]
    pub window: Option<u32>,
}

/// A capability that a port has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// Its name in the corpus.
    pub name: String,
    /// The games that it is done for; every game if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<Game>>,
}

/// A question.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The question.
    pub run: Question,
}

/// What is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Given once in the life of a process; below 2^53.
    pub id: u64,
    /// One of the capabilities that the port offered.
    pub capability: String,
    /// The arguments as the case holds them, the game among them where the capability differs by game.
    #[schemars(with = "Map<String, Value>")]
    pub input: Tree,
}

/// An answer: the id, and one of `ok`, `error` and `skip`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["ok"]}, {"required": ["error"]}, {"required": ["skip"]}]))]
pub struct Answer {
    /// The id of the question.
    pub id: u64,
    /// The breakdown: every stage by name, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>", transform = required)]
    pub ok: Option<Tree>,
    /// The engine does not accept this input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Refused", transform = required)]
    pub error: Option<Refused>,
    /// Why this question was not worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1), transform = required)]
    pub skip: Option<String>,
}

/// A default is no part of the format.
fn required(schema: &mut schemars::Schema) {
    schema.remove("default");
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// Which sort of error.
    pub errno: Errno,
    /// Dotted path of the input field that is wrong; empty when the input as a whole is.
    #[serde(default)]
    pub field: String,
    /// One line for people. What is compared is the name that it begins with, where the spec has names for what is wrong: `truncated: …`.
    #[serde(default)]
    pub message: String,
}

impl From<PortError> for Refused {
    fn from(error: PortError) -> Self {
        Self { errno: error.errno, field: error.field, message: error.message }
    }
}

impl From<Refused> for PortError {
    fn from(error: Refused) -> Self {
        Self { errno: error.errno, field: error.field, message: error.message }
    }
}

/// The last line that a port reads.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bye {
    /// Nothing yet.
    pub bye: Farewell,
}

/// An empty object.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Farewell {}

/// What a port told about a question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Told {
    /// A breakdown.
    Ok(Tree),
    /// A refusal.
    Error(PortError),
    /// Why it was not worked on.
    Skip(String),
}

/// A line that a port wrote.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// An answer, and the length of its line.
    Answer { id: u64, told: Told, size: usize },
    /// No answer as the protocol wants it, but its id can be read.
    Malformed { id: u64, why: String },
    /// Nothing that could be told to belong to a question.
    Garbage { why: String },
    /// More than a line may be.
    TooLong,
}

/// Reads a line that should be an answer.
pub(super) fn reply(line: &[u8]) -> Reply {
    #[derive(Deserialize)]
    struct Numbered {
        id: u64,
    }
    if line.len() > MAX_LINE {
        return Reply::TooLong;
    }
    let answer = match serde_json::from_slice::<Answer>(line) {
        Ok(answer) => answer,
        Err(error) => {
            return match serde_json::from_slice::<Numbered>(line) {
                Ok(Numbered { id }) => Reply::Malformed { id, why: plain(&error) },
                Err(_) => Reply::Garbage { why: format!("{}: `{}`", plain(&error), shown(line)) },
            };
        }
    };
    let (id, size) = (answer.id, line.len());
    let told = match (answer.ok, answer.error, answer.skip) {
        (Some(tree @ Tree::Map(_)), None, None) => Told::Ok(tree),
        (Some(_), None, None) => {
            return Reply::Malformed {
                id,
                why: "`ok` is no object: a breakdown names its stages".to_owned(),
            };
        }
        (None, Some(error), None) => Told::Error(error.into()),
        (None, None, Some(reason)) if !reason.trim().is_empty() => Told::Skip(reason),
        (None, None, Some(_)) => return Reply::Malformed { id, why: "`skip` gives no reason".to_owned() },
        _ => {
            let why = "an answer has one of `ok`, `error` and `skip`".to_owned();
            return Reply::Malformed { id, why };
        }
    };
    Reply::Answer { id, told, size }
}

/// Reads the line that should be a port's introduction.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn introduction(line: &[u8]) -> Result<Introduction, String> {
    let read = serde_json::from_slice::<HelloReply>(line);
    let HelloReply { hello } = read.map_err(|error| {
        let why = plain(&error);
        format!("the first line on its standard output is no hello: {why}: `{}`", shown(line))
    })?;
    if hello.protocol != PROTOCOL {
        return Err(format!("it speaks protocol {}, and this is {PROTOCOL}", hello.protocol));
    }
    for (what, text) in [("name", &hello.name), ("language", &hello.language), ("version", &hello.version)] {
        if text.trim().is_empty() || text.chars().count() > 80 || text.chars().any(char::is_control) {
            return Err(format!("the `{what}` in its hello is not 1 to 80 printable characters"));
        }
    }
    if hello.window == Some(0) {
        return Err("the `window` in its hello is 0: nothing could ever be asked".to_owned());
    }
    let mut names: Vec<&str> = hello.capabilities.iter().map(|offer| offer.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("its hello lists `{}` twice", pair[0]));
    }
    Ok(hello)
}

/// A message as a line.
pub(super) fn line<T: Serialize>(message: &T) -> Vec<u8> {
    // Nothing in these types fails to serialise.
    let mut bytes = serde_json::to_vec(message).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The greeting as a line.
pub(super) fn hello() -> Vec<u8> {
    line(&Hello { hello: Greeting { protocol: PROTOCOL, window: WINDOW, line: MAX_LINE as u64 } })
}

/// A question as a line, but for what [`head`] writes before it. `input` is canonical JSON.
pub(super) fn tail(capability: &str, input: &[u8]) -> Vec<u8> {
    let name = serde_json::to_vec(capability).unwrap_or_default();
    [b"\"capability\":".as_slice(), &name, b",\"input\":", input, b"}}\n"].concat()
}

/// The beginning of a question's line.
pub(super) fn head(id: u64) -> String {
    format!("{{\"run\":{{\"id\":{id},")
}

/// The beginning of a line that nobody understood, for messages.
pub(super) fn shown(line: &[u8]) -> String {
    const SHOWN: usize = 120;
    let text = String::from_utf8_lossy(line.get(..SHOWN * 4).unwrap_or(line));
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() || line.len() > SHOWN * 4 {
        shown.push('…');
    }
    shown
}

/// The reader's message without its place: the column moves with the digits of the id, and no message may.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

/// The schema of every message, as file name and text, in the order of a conversation.
#[must_use]
pub fn schemas() -> Vec<(&'static str, String)> {
    vec![
        ("hello.request.json", schema::<Hello>("The first line that a port reads")),
        ("hello.reply.json", schema::<HelloReply>("The first line that a port writes")),
        ("run.request.json", schema::<Run>("A question")),
        ("run.reply.json", schema::<Answer>("An answer")),
        ("bye.request.json", schema::<Bye>("The last line that a port reads")),
    ]
}

fn schema<T: JsonSchema>(title: &str) -> String {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    plainer(&mut schema);
    if let Some(root) = schema.as_object_mut() {
        root.insert("title".to_owned(), json!(format!("Assay port protocol {PROTOCOL}: {title}")));
    }
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// Drops what says nothing: formats that validators do not know, and `null` beside what may be left out.
fn plainer(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(plainer),
        Value::Object(map) => {
            map.remove("format");
            if map.get("default") == Some(&Value::Null) {
                map.remove("default");
            }
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            map.values_mut().for_each(plainer);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn malformed(line: &str) -> String {
        match reply(line.as_bytes()) {
            Reply::Malformed { id: 7, why } => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_is_one_of_three() {
        let told = |line: &str| match reply(line.as_bytes()) {
            Reply::Answer { id: 7, told, .. } => told,
            other => panic!("{other:?}"),
        };
        let tree = Tree::from_json(br#"{"b":1,"a":0.5}"#).unwrap();
        assert_eq!(told(r#"{"id":7,"ok":{"b":1,"a":0.5}}"#), Told::Ok(tree));
        assert_eq!(told(r#" {"skip":"not yet", "id":7} "#), Told::Skip("not yet".to_owned()));
        let refused = PortError::invalid("distance", "");
        assert_eq!(told(r#"{"id":7,"error":{"errno":"EINVAL","field":"distance"}}"#), Told::Error(refused));
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_said_and_charged_to_its_id() {
        for (line, why) in [
            (r#"{"id":7}"#, "one of `ok`, `error` and `skip`"),
            (r#"{"id":7,"ok":{},"skip":"x"}"#, "one of `ok`, `error` and `skip`"),
            (r#"{"id":7,"ok":65}"#, "`ok` is no object"),
            (r#"{"id":7,"ok":{"a":1,"a":2}}"#, "a"),
            (r#"{"id":7,"skip":" "}"#, "no reason"),
            (r#"{"id":7,"error":{"errno":"EWRONG"}}"#, "unknown variant `EWRONG`"),
            (r#"{"id":7,"okay":{}}"#, "unknown field `okay`"),
        ] {
            let said = malformed(line);
            assert!(said.contains(why), "{line}: {said}");
        }
    }

    #[test]
    fn what_has_no_id_is_garbage_and_shown_in_short() {
        for line in ["", "hello", "7", "{\"id\":\"7\"}", "{\"id\":-7}", "{\"id\":7,", "\u{1b}[31m"] {
            assert!(matches!(reply(line.as_bytes()), Reply::Garbage { .. }), "{line}");
        }
        let long = "x".repeat(1 << 20);
        let Reply::Garbage { why } = reply(long.as_bytes()) else { panic!("it is no answer") };
        assert!(why.len() < 300, "{}", why.len());
        assert_eq!(shown(b"\x1b[31m\xff"), "\\u{1b}[31m\u{fffd}");
    }

    #[test]
    fn an_introduction_is_checked_before_anything_is_asked() {
        let hello = |more: &str| {
            format!(
                r#"{{"hello":{{"protocol":1,"name":"n","language":"l","version":"v","capabilities":[]{more}}}}}"#
            )
        };
        assert!(introduction(hello("").as_bytes()).is_ok());
        let wrong = |line: String| introduction(line.as_bytes()).unwrap_err();
        assert!(wrong(hello("").replace(":1,", ":2,")).contains("speaks protocol 2, and this is 1"));
        assert!(wrong(hello("").replace("\"v\"", "\"\"")).contains("`version`"));
        assert!(wrong(hello(r#","window":0"#)).contains("`window`"));
        assert!(wrong(hello(r#","colour":"red""#)).contains("unknown field `colour`"));
        let twice = r#"[{"name":"a"},{"name":"a","games":["YR"]}]"#;
        assert!(wrong(hello("").replace("[]", twice)).contains("lists `a` twice"));
        assert!(wrong("Python 3.11".to_owned()).contains("no hello"));
    }

    #[test]
    fn a_question_is_compact_and_its_keys_stand_in_order() {
        let line = [head(7).as_bytes(), &tail("compute_x", br#"{"a":0.1}"#)].concat();
        assert_eq!(line, b"{\"run\":{\"id\":7,\"capability\":\"compute_x\",\"input\":{\"a\":0.1}}}\n");
        let run: Run = serde_json::from_slice(&line).unwrap();
        assert_eq!(super::line(&run), line);
    }
}
