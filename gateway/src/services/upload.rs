//! `upload_asset`: a file in pieces into the memory of the process, for callers whose files are on another machine.

use super::Service;
use crate::assets::{Chunk, Stored};
use crate::envelope::{Refusal, Stage, map, text, unsigned};
use crate::tools::Call;
use crate::validate::Checked;
use assay_model::{Bytes, Errno, PortError, Tree};
use serde_json::{Value, json};
use std::sync::LazyLock;

pub(super) static SERVICE: Service = Service {
    name: "upload_asset",
    summary: "Takes a file in pieces, so that an argument that wants bytes can name it as {\"upload\": id}.",
    aliases: &["upload", "send file", "chunked upload", "remote file", "put asset"],
    example: r#"{"id":"hello.txt","total":5,"bytes":"base64:aGVsbG8=","sha1":"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"}"#,
    input_schema,
    checked: LazyLock::new(|| Checked::new(input_schema())),
    repeats: "holds the file in memory until it is removed, nobody uses it for a while, or the process ends; the same piece \
        may be sent again",
    run,
};

fn input_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {
                "type": "string", "pattern": "^[A-Za-z0-9._-]+$", "maxLength": 64,
                "description": "What to call the file; every caller of this server sees the same ids."
            },
            "total": {
                "type": "integer", "minimum": 0, "maximum": 1_u64 << 40,
                "description": "Bytes of the whole file, the same with every piece."
            },
            "offset": {
                "type": "integer", "minimum": 0, "maximum": 1_u64 << 40, "default": 0,
                "description": "Where this piece begins: `received` of the reply before."
            },
            "bytes": {
                "type": "string", "pattern": "^(hex|base64):", "maxLength": 33_554_432,
                "description": "The piece, inline, and not empty. A message of 24 MiB arrives: 16 MiB as base64, 12 MiB as hex."
            },
            "sha1": {
                "type": "string", "pattern": "^[0-9a-f]{40}$",
                "description": "SHA-1 of the whole file, which is checked when the last piece is there."
            },
            "remove": {
                "type": "boolean", "default": false,
                "description": "Forgets the file instead; nothing but `id` goes with it."
            },
        },
        "required": ["id"],
        "additionalProperties": false,
    })
}

fn run(arguments: &Tree, call: Call<'_>) -> Result<Tree, Refusal> {
    let word = |name: &str| arguments.get(name).and_then(Tree::as_str);
    let number = |name: &str| match arguments.get(name) {
        Some(Tree::Int(value)) => u64::try_from(*value).ok(),
        _ => None,
    };
    let id = word("id").unwrap_or_default();
    let store = call.assets.uploads();
    if arguments.get("remove") == Some(&Tree::Bool(true)) {
        if arguments.entries().len() > 2 {
            return Err(refused("remove", "`remove` goes with `id` alone"));
        }
        store.remove(id).map_err(|why| refusal(why, "id"))?;
        return Ok(map([("id", text(id)), ("removed", Tree::Bool(true))]));
    }
    let total =
        number("total").ok_or_else(|| refused("total", "`total` is missing: bytes of the whole file"))?;
    let bytes = piece(arguments.get("bytes"))?;
    let chunk = Chunk { id, total, offset: number("offset").unwrap_or(0), bytes: &bytes, sha1: word("sha1") };
    let stored = store.take(chunk).map_err(|why| refusal(why, "bytes"))?;
    Ok(shown(id, stored, store.limits().idle.as_secs()))
}

/// The bytes of a piece; the schema lets inline forms through alone.
fn piece(given: Option<&Tree>) -> Result<Vec<u8>, Refusal> {
    let given =
        given.ok_or_else(|| refused("bytes", "`bytes` is missing: the piece, as base64:… or hex:…"))?;
    let bytes: Bytes =
        serde_json::from_slice(&given.to_json()).map_err(|error| refused("bytes", &error.to_string()))?;
    let length = usize::try_from(bytes.length()).unwrap_or(usize::MAX);
    bytes.range(0, length).map_err(|why| refusal(why, "bytes"))
}

fn shown(id: &str, stored: Stored, idle: u64) -> Tree {
    map([
        ("id", text(id)),
        ("received", unsigned(stored.received)),
        ("total", unsigned(stored.total)),
        ("complete", Tree::Bool(stored.sha1.is_some())),
        ("sha1", stored.sha1.map_or(Tree::Null, text)),
        ("expires_after_idle_seconds", unsigned(idle)),
    ])
}

fn refused(field: &str, message: &str) -> Refusal {
    refusal(PortError::invalid("", message), field)
}

/// What the store refuses is a result as what a port refuses is.
fn refusal(why: PortError, field: &str) -> Refusal {
    let outcome = if why.errno == Errno::Eio { Stage::Failed } else { Stage::Refused };
    Refusal { errno: why.errno, outcome, message: why.message, details: Vec::new() }
        .with("field", text(field))
}
