//! `execute_batch`: many runs in one call, in order, all from one snapshot.

use super::Service;
use crate::envelope::{Refusal, map, text, unsigned};
use crate::surface::Tool;
use crate::tools::{Call, guarded, run};
use crate::validate::Checked;
use assay_harness::Monitor as _;
use assay_model::{Errno, Tree};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Runs in one batch at most.
pub const RUNS: usize = 100;
/// Once the results are larger than this together, what is left is not run.
pub const BYTES: usize = 4 << 20;

pub(super) static SERVICE: Service = Service {
    name: "execute_batch",
    summary: "Runs many capabilities in one call, in order, all from one snapshot of ports and cases.",
    aliases: &["batch", "bulk", "many runs", "several calls"],
    example: r#"{"runs":[{"name":"get_guide"}],"stop_on_error":true}"#,
    input_schema,
    checked: LazyLock::new(|| Checked::new(input_schema())),
    repeats: "each run leaves behind what it leaves alone",
    run: execute,
};

/// An element is exactly what `run_capability` takes.
fn input_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "runs": {
                "type": "array", "minItems": 1, "maxItems": RUNS, "items": Tool::Run.input_schema(),
                "description": "Arguments of run_capability, one element a run."
            },
            "stop_on_error": {
                "type": "boolean", "default": false,
                "description": "Whether the first run that fails is the last one."
            },
        },
        "required": ["runs"],
        "additionalProperties": false,
    })
}

fn execute(arguments: &Tree, call: Call<'_>) -> Result<Tree, Refusal> {
    let Some(Tree::List(runs)) = arguments.get("runs") else {
        return Err(Refusal::rejected(Errno::Einval, "`runs` is missing"));
    };
    let stop = arguments.get("stop_on_error") == Some(&Tree::Bool(true));
    let (mut results, mut failed, mut bytes) = (Vec::with_capacity(runs.len()), 0_u64, 0);
    let mut ended = None;
    for (index, run) in runs.iter().enumerate() {
        if call.control.stopped() {
            return Err(Refusal::rejected(
                Errno::Etimedout,
                "stopped between two runs; nothing is left behind",
            ));
        }
        let outcome = one(run, call);
        let ok = outcome.is_ok();
        failed += u64::from(!ok);
        let result = result(index, run, outcome);
        bytes += result.to_json().len();
        results.push(result);
        call.control.ran(results.len(), runs.len());
        if stop && !ok {
            ended = Some("a run failed");
            break;
        }
        if bytes > BYTES {
            ended = Some("the results are too large together; ask for less detail, or in several batches");
            break;
        }
    }
    let (count, done) = (runs.len() as u64, results.len() as u64);
    let ended = ended.filter(|_| done < count).map_or(Tree::Null, text);
    Ok(map([
        ("count", unsigned(count)),
        ("succeeded", unsigned(done - failed)),
        ("failed", unsigned(failed)),
        ("not_run", unsigned(count - done)),
        ("ended_early", ended),
        ("results", Tree::List(results)),
    ]))
}

fn one(arguments: &Tree, call: Call<'_>) -> Result<Tree, Refusal> {
    if arguments.get("name").and_then(Tree::as_str) == Some(SERVICE.name) {
        return Err(Refusal::rejected(Errno::Eperm, "a batch runs no batch; put its runs into this one"));
    }
    guarded(Tool::Run.name(), || run::answer(arguments, call))
}

/// The envelope of one run; snapshot and time are those of the whole reply.
fn result(index: usize, arguments: &Tree, outcome: Result<Tree, Refusal>) -> Tree {
    let mut members = vec![
        ("index".to_owned(), unsigned(index as u64)),
        ("name".to_owned(), arguments.get("name").cloned().unwrap_or(Tree::Null)),
        ("ok".to_owned(), Tree::Bool(outcome.is_ok())),
    ];
    match outcome {
        Ok(data) => members.push(("data".to_owned(), data)),
        Err(refusal) => {
            members.push(("data".to_owned(), Tree::Null));
            members.extend(refusal.members());
        }
    }
    Tree::Map(members)
}
