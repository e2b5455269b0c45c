//! Tools and a prompt that ask the client for something before they answer, in one round or two.
//!
//! The state between two rounds is the number of the round with a keyed hash, so that nobody can skip one.

use rmcp::model::{ClientCapabilities, ErrorData, InputResponses};
use serde_json::{Map, Value, json};

/// The prompt that asks.
pub const PROMPT: &str = "test_input_required_result_prompt";
/// The tools that ask.
pub const TOOLS: &[&str] = &[
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
    "test_streaming_elicitation",
];

fn elicit(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { field: { "type": kind } }, "required": [field] });
    json!({ "method": "elicitation/create", "params": { "message": message, "requestedSchema": schema } })
}

fn sample(question: &str) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": question } });
    json!({ "method": "sampling/createMessage", "params": { "messages": [message], "maxTokens": 100 } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

/// The questions of a tool, a round after the other; `None` for one that asks nothing.
pub fn of_tool(name: &str, declared: Option<&ClientCapabilities>) -> Option<Vec<Value>> {
    let who = || elicit("What is your name?", "name", "string");
    let short = name.strip_prefix("test_input_required_result_").or_else(|| name.strip_prefix("test_"))?;
    Some(match short {
        "elicitation" if TOOLS.contains(&name) => vec![json!({ "user_name": who() })],
        "streaming_elicitation" => vec![json!({ "user_name": who() })],
        "sampling" if TOOLS.contains(&name) => {
            vec![json!({ "capital_question": sample("What is the capital of France?") })]
        }
        "list_roots" => vec![json!({ "client_roots": roots() })],
        "request_state" | "tampered_state" => {
            vec![json!({ "confirm": elicit("Please confirm", "ok", "boolean") })]
        }
        "multiple_inputs" => {
            let greeting = sample("Generate a greeting");
            vec![json!({ "user_name": who(), "greeting": greeting, "client_roots": roots() })]
        }
        "multi_round" => vec![
            json!({ "step1": elicit("Step 1: What is your name?", "name", "string") }),
            json!({ "step2": elicit("Step 2: What is your favorite color?", "color", "string") }),
        ],
        "capabilities" => {
            let mut asked = Map::new();
            if declared.is_some_and(|declared| declared.elicitation.is_some()) {
                asked.insert("user_name".to_owned(), who());
            }
            if declared.is_some_and(|declared| declared.sampling.is_some()) {
                asked.insert("greeting".to_owned(), sample("Generate a greeting"));
            }
            vec![Value::Object(asked)]
        }
        _ => return None,
    })
}

/// The questions of a prompt.
pub fn of_prompt(name: &str) -> Option<Vec<Value>> {
    let asked = elicit("What context should the prompt use?", "context", "string");
    (name == PROMPT).then(|| vec![json!({ "user_context": asked })])
}

/// What to ask next; `None` when everything was answered.
pub fn next(
    name: &str,
    rounds: &[Value],
    answered: Option<&InputResponses>,
    state: Option<&str>,
) -> Result<Option<Value>, ErrorData> {
    let round = match state {
        None => 0,
        Some(state) => (0..rounds.len())
            .find(|round| sealed(name, *round) == state)
            .ok_or_else(|| ErrorData::invalid_params("requestState is none that this server gave", None))?,
    };
    let keys = rounds[round].as_object().into_iter().flatten().map(|(key, _)| key);
    let whole = keys
        .into_iter()
        .all(|key| answered.and_then(|answered| answered.get(key)).is_some_and(Value::is_object));
    let round = if whole && answered.is_some() { round + 1 } else { round };
    Ok(rounds.get(round).map(|asked| {
        json!({ "resultType": "input_required", "inputRequests": asked, "requestState": sealed(name, round) })
    }))
}

fn sealed(name: &str, round: usize) -> String {
    let key = blake3::derive_key("assay conformance fixture", name.as_bytes());
    let seal = blake3::keyed_hash(&key, round.to_string().as_bytes());
    format!("{round}.{}", seal.to_hex())
}
