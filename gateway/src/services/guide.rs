//! `get_guide`: how the usual jobs are done, for clients that read neither resources nor prompts.

use super::{LEAVES_NOTHING, Service};
use crate::envelope::{Refusal, list, map, text};
use crate::guides::{self, Guide};
use crate::tools::Call;
use crate::validate::Checked;
use assay_model::{Errno, Tree};
use serde_json::{Value, json};
use std::sync::LazyLock;

pub(super) static SERVICE: Service = Service {
    name: "get_guide",
    summary: "Gives a step-by-step guide: verify a port, run a capability, add a golden case, gate CI.",
    aliases: &["guide", "how to", "tutorial", "help", "skill"],
    example: r#"{"name":"run-a-capability"}"#,
    input_schema,
    checked: LazyLock::new(|| Checked::new(input_schema())),
    repeats: LEAVES_NOTHING,
    run,
};

fn input_schema() -> Value {
    let names: Vec<&str> = guides::all().iter().map(|guide| guide.name).collect();
    json!({
        "type": "object",
        "properties": {
            "name": {
                "type": "string", "enum": names,
                "description": "Which guide; left out, the reply lists them."
            },
        },
        "additionalProperties": false,
    })
}

fn run(arguments: &Tree, _: Call<'_>) -> Result<Tree, Refusal> {
    let Some(name) = arguments.get("name").and_then(Tree::as_str) else {
        return Ok(map([("guides", Tree::List(guides::all().iter().map(row).collect()))]));
    };
    let names = || list(guides::all().iter().map(|guide| guide.name));
    let guide = guides::named(name).ok_or_else(|| {
        Refusal::rejected(Errno::Enoent, format!("no guide is called `{name}`")).with("nearest", names())
    })?;
    let Tree::Map(mut members) = row(guide) else { return Ok(Tree::Null) };
    members.push(("text".to_owned(), text(guide.text)));
    Ok(Tree::Map(members))
}

fn row(guide: &Guide) -> Tree {
    map([("name", text(guide.name)), ("description", text(guide.description)), ("uri", text(guide.uri()))])
}
