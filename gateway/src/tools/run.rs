//! `run_capability`: validated arguments to a breakdown, with the trust that it deserves.

use super::{Call, argument, einval, entry, summarise, wrong};
use crate::encode::base64;
use crate::envelope::{Refusal, Stage, list, map, text, unsigned, value};
use crate::media;
use crate::services::{self, Service};
use crate::snapshot::Snapshot;
use crate::validate::Checked;
use assay_harness::Entry;
use assay_model::bytes::with_host;
use assay_model::{Attachment, Errno, Game, Host, Output, PortError, Tree};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Attachments above this many bytes are named and digested, not carried.
const ATTACHMENT_LIMIT: usize = 1 << 20;

pub(crate) fn answer(arguments: &Tree, call: Call<'_>) -> Result<Tree, Refusal> {
    let snapshot = call.snapshot;
    let name = argument(arguments, "name").unwrap_or_default();
    let detail = argument(arguments, "response_detail").unwrap_or("breakdown");
    let input = object(arguments.get("arguments"))?;
    if let Some(service) = services::named(name) {
        return of_service(service, &input, detail, call);
    }
    let entry = entry(snapshot, name)?;
    let meta = entry.port.meta();
    let checked = snapshot.checked(meta.name)?;
    let (breakdown, mut attachments) = outcome(entry, checked, &input, call)?;
    let game = game(checked.schema(), &input);
    let mut caveats = Vec::new();
    collect_caveats(&breakdown, &mut caveats);
    // Only what is shown is made.
    let unseen = if detail == "full" { see(meta.name, &breakdown, &mut attachments) } else { None };
    let breakdown = if detail == "summary" { summarise(breakdown) } else { breakdown };
    let mut data = vec![
        ("capability".to_owned(), text(meta.name)),
        ("game".to_owned(), game.map_or(Tree::Null, |game| text(game.as_str()))),
        ("breakdown".to_owned(), breakdown),
        ("caveats".to_owned(), Tree::List(caveats)),
        ("trust".to_owned(), trust(snapshot, entry, game)),
    ];
    if detail == "full" {
        data.push(("input".to_owned(), with_defaults(checked.schema(), input)));
        let attachments = attachments.iter().map(attachment);
        data.push(("attachments".to_owned(), Tree::List(attachments.collect())));
        data.extend(unseen.map(|why| ("not_shown".to_owned(), text(why))));
    }
    Ok(Tree::Map(data))
}

/// The breakdown and the artefacts of a run.
fn outcome(
    entry: &Entry,
    checked: &Checked,
    input: &Tree,
    call: Call<'_>,
) -> Result<(Tree, Vec<Attachment>), Refusal> {
    let name = entry.port.meta().name;
    let violations = checked.violations(&value(input));
    if !violations.is_empty() {
        let hint = format!("describe_capability {name} gives the schema and an example");
        return Err(einval(&violations, &format!("arguments of {name}")).with("hint", text(hint)));
    }
    let mut output = Output::default();
    // The port sees bytes alone; where an argument names a file or an upload, they come from here.
    let host = Arc::clone(call.assets) as Arc<dyn Host>;
    with_host(Some(host), || entry.port.run(&input.to_json(), &mut output)).map_err(refused)?;
    let breakdown = Tree::from_json(&output.json).map_err(|_| Refusal::failed("the breakdown is no JSON"))?;
    Ok((breakdown, output.attachments))
}

/// Adds the picture or the sound that the bytes are, or gives the reason why there is none where there could be one. The
/// raw bytes are there all the same.
fn see(name: &str, breakdown: &Tree, attachments: &mut Vec<Attachment>) -> Option<String> {
    media::shape(name)?;
    media::shown(name, breakdown, attachments, None).map(|seen| attachments.push(seen)).err()
}

/// What a run decoded.
pub struct Artefacts {
    /// All of it, however large, and the same as a picture or a sound.
    pub all: Vec<Attachment>,
    /// Why there is no picture and no sound, where there could be one.
    pub unseen: Option<String>,
}

/// Runs a capability for what it decodes. `arguments` is an object or JSON text of one.
///
/// # Errors
/// What the run refuses.
pub fn artefacts(name: &str, arguments: &Tree, call: Call<'_>) -> Result<Artefacts, Refusal> {
    let input = object(Some(arguments))?;
    let entry = entry(call.snapshot, name)?;
    let (breakdown, mut all) = outcome(entry, call.snapshot.checked(name)?, &input, call)?;
    let unseen = see(name, &breakdown, &mut all);
    Ok(Artefacts { all, unseen })
}

/// What a service entry gives, in the place of a breakdown; there is nothing to trust or to doubt about it.
fn of_service(service: &Service, input: &Tree, detail: &str, call: Call<'_>) -> Result<Tree, Refusal> {
    let violations = service.checked()?.violations(&value(input));
    if !violations.is_empty() {
        let hint = format!("describe_capability {} gives the schema and an example", service.name);
        return Err(einval(&violations, &format!("arguments of {}", service.name)).with("hint", text(hint)));
    }
    let given = (service.run)(input, call)?;
    let given = if detail == "summary" { summarise(given) } else { given };
    Ok(map([("capability", text(service.name)), ("service", Tree::Bool(true)), ("breakdown", given)]))
}

/// The arguments as a map: an object as it is, or the object that a JSON text holds. Only the text can show a key
/// twice, and then it is refused.
fn object(arguments: Option<&Tree>) -> Result<Tree, Refusal> {
    let hint = "give an object, or JSON text of one";
    match arguments {
        None => Ok(Tree::Map(Vec::new())),
        Some(Tree::Text(json)) => match Tree::from_json(json.as_bytes()) {
            Ok(map @ Tree::Map(_)) => Ok(map.integral()),
            Ok(_) => Err(wrong("/arguments", "format", "the JSON text is not an object", hint)),
            Err(error) => Err(wrong("/arguments", "format", format!("the text is not JSON: {error}"), hint)),
        },
        Some(other) => Ok(other.clone()),
    }
}

fn refused(error: PortError) -> Refusal {
    let outcome = if error.errno == Errno::Eio { Stage::Failed } else { Stage::Refused };
    let refusal = Refusal { errno: error.errno, outcome, message: error.message, details: Vec::new() };
    refusal.with("field", text(error.field))
}

/// The game that was asked for, where the capability tells games apart.
fn game(schema: &Value, input: &Tree) -> Option<Game> {
    let given = input.get("game").and_then(Tree::as_str);
    let default = || schema.pointer("/properties/game/default").and_then(Value::as_str);
    given.or_else(default)?.parse().ok()
}

fn trust(snapshot: &Snapshot, entry: &Entry, game: Option<Game>) -> Tree {
    let name = entry.port.meta().name;
    let games = game.map_or_else(|| entry.port.meta().games.to_vec(), |game| vec![game]);
    // Without a game to ask for, the weakest one speaks.
    let status = games.iter().map(|game| snapshot.status_in(name, *game)).min();
    let tier = games.iter().map(|game| snapshot.tier_in(name, *game)).min().flatten();
    let mut members = vec![
        ("status".to_owned(), status.map_or(Tree::Null, |status| text(status.as_str()))),
        ("tier".to_owned(), tier.map_or(Tree::Null, |tier| text(tier.as_str()))),
        ("corpus_digest".to_owned(), text(snapshot.registry().corpus_digest())),
    ];
    let missing = snapshot.missing(name, &games);
    if !missing.is_empty() {
        members.push(("missing".to_owned(), list(missing)));
    }
    Tree::Map(members)
}

/// Caveats anywhere in the breakdown, each once, in stage order.
fn collect_caveats(breakdown: &Tree, found: &mut Vec<Tree>) {
    match breakdown {
        Tree::Map(entries) => {
            for (name, value) in entries {
                match value {
                    Tree::List(items) if name == "caveats" => {
                        for item in items {
                            if !found.contains(item) {
                                found.push(item.clone());
                            }
                        }
                    }
                    value => collect_caveats(value, found),
                }
            }
        }
        Tree::List(items) => items.iter().for_each(|item| collect_caveats(item, found)),
        _ => {}
    }
}

fn attachment(attachment: &Attachment) -> Tree {
    let bytes = &attachment.bytes;
    let carried = bytes.len() <= ATTACHMENT_LIMIT;
    let mut told = map([
        ("name", text(&attachment.name)),
        ("media_type", text(&attachment.media_type)),
        ("length", unsigned(bytes.len() as u64)),
        ("digest", text(blake3::hash(bytes).to_hex().as_str())),
        ("base64", if carried { text(base64(bytes)) } else { Tree::Null }),
    ]);
    if let (false, Tree::Map(members)) = (carried, &mut told) {
        let why = format!("above {ATTACHMENT_LIMIT} bytes; `assay run --out` writes them");
        members.push(("left_out".to_owned(), text(why)));
    }
    told
}

/// The input with every default of the schema that it leaves out, given members first.
#[must_use]
pub fn with_defaults(schema: &Value, input: Tree) -> Tree {
    match input {
        Tree::Map(entries) => {
            let properties = &schema["properties"];
            let mut entries: Vec<(String, Tree)> = entries
                .into_iter()
                .map(|(name, value)| {
                    let value = with_defaults(&properties[&name], value);
                    (name, value)
                })
                .collect();
            for (name, property) in properties.as_object().into_iter().flatten() {
                let default = property.get("default").and_then(|default| Tree::deserialize(default).ok());
                if let Some(default) = default.filter(|_| !entries.iter().any(|(given, _)| given == name)) {
                    entries.push((name.clone(), default.integral()));
                }
            }
            Tree::Map(entries)
        }
        Tree::List(items) => {
            Tree::List(items.into_iter().map(|item| with_defaults(&schema["items"], item)).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tree(json: &str) -> Tree {
        Tree::from_json(json.as_bytes()).unwrap()
    }

    #[test]
    fn defaults_are_filled_at_every_level() {
        let schema = json!({ "properties": {
            "game": { "default": "YR" },
            "damage": {},
            "layers": { "items": { "properties": { "depth": { "default": 1.0 } } } },
        } });
        let filled = with_defaults(&schema, tree(r#"{"damage":5,"layers":[{},{"depth":2}]}"#));
        assert_eq!(filled.to_string(), r#"{"damage":5,"layers":[{"depth":1},{"depth":2}],"game":"YR"}"#);
    }

    #[test]
    fn caveats_are_found_at_every_depth_once() {
        let mut found = Vec::new();
        let breakdown = r#"{"fire":{"caveats":[{"clause":"a.1"}]},"steps":[{"caveats":[]}],"caveats":[{"clause":"a.1"},{"clause":"b.2"}]}"#;
        collect_caveats(&tree(breakdown), &mut found);
        assert_eq!(Tree::List(found).to_string(), r#"[{"clause":"a.1"},{"clause":"b.2"}]"#);
    }

    #[test]
    fn arguments_may_be_text_but_never_with_a_key_twice() {
        let text = |json: &str| object(Some(&Tree::Text(json.to_owned())));
        assert_eq!(text(r#"{"a":100.0}"#).unwrap().to_string(), r#"{"a":100}"#);
        let twice = text(r#"{"a":1,"a":2}"#).unwrap_err();
        assert!(twice.message.contains("duplicate key `a`"), "{twice:?}");
        assert!(text("[1]").unwrap_err().message.contains("not an object"));
        assert!(text("{").is_err());
        assert_eq!(object(None).unwrap(), Tree::Map(Vec::new()));
    }
}
