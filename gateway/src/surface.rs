//! The four tools as clients see them: names, titles, descriptions, schemas. A constant, independent of the registry, so
//! that a new capability never changes a byte of it. Kept short: a client reads all of this before it asks anything.

use crate::envelope::Stage;
use crate::validate::Checked;
use assay_model::{Game, Kind, Status};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// What a client is told once, beside the tools.
pub const INSTRUCTIONS: &str = "Engine systems of Tiberian Sun, Red Alert 2 and Yuri's Revenge as callable functions, \
checked against golden cases. find_capabilities locates one, describe_capability gives its exact arguments, \
run_capability runs it and says how far to trust the answer, verify_spec re-checks everything now.";

/// Results in one page of `find_capabilities`, unless told otherwise.
pub const FIND_LIMIT: u64 = 10;
/// Results in one page of `find_capabilities` at most.
pub const FIND_LIMIT_MAX: u64 = 25;
/// Cases in one page of `verify_spec`, unless told otherwise.
pub const VERIFY_LIMIT: u64 = 20;
/// Cases in one page of `verify_spec` at most.
pub const VERIFY_LIMIT_MAX: u64 = 100;

/// One of the four tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// Locates capabilities.
    Find,
    /// Says what one takes and gives.
    Describe,
    /// Runs one.
    Run,
    /// Checks the ports against the golden cases.
    Verify,
}

impl Tool {
    /// All of them, in the order in which they are listed and used.
    pub const ALL: &'static [Self] = &[Self::Find, Self::Describe, Self::Run, Self::Verify];

    /// The tool of a name, if it is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.name() == name)
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Find => "find_capabilities",
            Self::Describe => "describe_capability",
            Self::Run => "run_capability",
            Self::Verify => "verify_spec",
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Find => "Find engine capabilities",
            Self::Describe => "Describe a capability",
            Self::Run => "Run a capability",
            Self::Verify => "Verify against golden cases",
        }
    }

    /// What it is for.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Find => {
                "Searches the catalog of engine systems by words, area, kind, game or status; without arguments it lists \
                 all. A match marked weak probably does not answer the question."
            }
            Self::Describe => {
                "Gives the exact argument schema of one capability, a runnable example, units and its status per game; \
                 detail adds the documentation, the golden cases, or the evidence for each rule."
            }
            Self::Run => {
                "Runs one capability and returns every stage of the computation, caveats, and the trust the result \
                 deserves. Take the arguments from describe_capability; all violations are listed at once."
            }
            Self::Verify => {
                "Checks the capabilities against their golden cases now. Returns the verdict, counts per area and \
                 failing cases. A failing verdict is a result, not a tool error."
            }
        }
    }

    /// JSON Schema of the arguments.
    #[must_use]
    pub fn input_schema(self) -> Value {
        let (required, properties) = match self {
            Self::Find => (
                json!([]),
                json!({
                    "query": { "type": "string", "maxLength": 400, "description": "Free text; a name hits first." },
                    "area": { "type": "string", "maxLength": 32, "description": "Such as combat or economy." },
                    "kind": { "type": "string", "enum": words(Kind::ALL) },
                    "games": {
                        "type": "array", "maxItems": Game::ALL.len(),
                        "items": { "type": "string", "enum": words(Game::ALL) },
                        "description": "Any of these; with status: the status in that game."
                    },
                    "status": { "type": "string", "enum": words(Status::ALL) },
                    "limit": limit(FIND_LIMIT, FIND_LIMIT_MAX),
                    "cursor": cursor(),
                }),
            ),
            Self::Describe => (
                json!(["name"]),
                json!({
                    "name": name(),
                    "detail": {
                        "type": "string", "enum": ["schema", "docs", "cases", "evidence"], "default": "schema"
                    },
                }),
            ),
            Self::Run => (
                json!(["name"]),
                json!({
                    "name": name(),
                    "arguments": {
                        "anyOf": [{ "type": "object" }, { "type": "string", "maxLength": 1 << 20 }], "default": {},
                        "description": "An object, or JSON text of one."
                    },
                    "response_detail": {
                        "type": "string", "enum": ["breakdown", "full", "summary"], "default": "breakdown",
                        "description": "summary shortens lists and texts; full adds attachments and all defaults."
                    },
                }),
            ),
            Self::Verify => (
                json!([]),
                json!({
                    "selection": {
                        "type": "string", "maxLength": 400,
                        "description": "area/capability/case with * and ?, game=YR, tag=…; several by spaces."
                    },
                    "detail": { "type": "string", "enum": ["failures", "all"], "default": "failures" },
                    "limit": limit(VERIFY_LIMIT, VERIFY_LIMIT_MAX),
                    "cursor": cursor(),
                }),
            ),
        };
        let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if required != json!([]) {
            schema["required"] = required;
        }
        schema
    }

    /// The input schema, compiled once a process.
    #[must_use]
    pub fn checked(self) -> Option<&'static Checked> {
        static CHECKED: LazyLock<Vec<Option<Checked>>> =
            LazyLock::new(|| Tool::ALL.iter().map(|tool| Checked::new(tool.input_schema()).ok()).collect());
        CHECKED.get(self as usize)?.as_ref()
    }

    /// JSON Schema of the envelope that it returns.
    #[must_use]
    pub fn output_schema(self) -> Value {
        let of = |word: &str| json!({ "type": word });
        let (text, list, object, nothing) = (of("string"), of("array"), of("object"), of("null"));
        let data = match self {
            Self::Find => json!({ "count": { "type": "integer" }, "capabilities": list,
                "next_cursor": { "anyOf": [text, nothing] } }),
            Self::Describe => json!({ "name": text, "games": object, "schema": object, "example": object }),
            Self::Run => json!({ "capability": text, "breakdown": object, "caveats": list, "trust": object }),
            Self::Verify => json!({ "verdict": { "enum": ["pass", "fail", "broken"] }, "counts": object,
                "areas": object, "failures": list, "corpus_digest": text, "result_digest": text, "next": text }),
        };
        json!({
            "type": "object",
            "properties": {
                "ok": { "type": "boolean" },
                "data": { "anyOf": [{ "type": "object", "properties": data }, nothing] },
                "snapshot_sequence": { "type": "integer" },
                "ut": { "type": "integer" },
                "outcome": { "enum": Stage::ALL.iter().map(|stage| stage.as_str()).collect::<Vec<_>>() },
                "errno": text,
                "message": text,
                "retryable": { "type": "boolean" },
                "errors": list,
            },
            "required": ["ok", "data", "snapshot_sequence", "ut"],
        })
    }
}

fn name() -> Value {
    json!({ "type": "string", "maxLength": 128 })
}

fn limit(default: u64, maximum: u64) -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": maximum, "default": default })
}

fn cursor() -> Value {
    json!({ "type": "string", "maxLength": 512, "description": "next_cursor of the page before." })
}

fn words<T: ToString>(vocabulary: &[T]) -> Vec<String> {
    vocabulary.iter().map(ToString::to_string).collect()
}
