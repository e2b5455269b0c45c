//! SARIF 2.1.0, what code scanning services read: one run, every rule with its description, one result a problem.

use crate::lint::Linted;
use assay_model::{Problem, Rule};
use serde_json::{Value, json};

/// The problems as SARIF. Paths are relative to the root of the repository.
#[must_use]
pub fn sarif(linted: &Linted) -> String {
    let rules: Vec<Value> = Rule::ALL.iter().map(|rule| descriptor(*rule)).collect();
    let results: Vec<Value> = linted.problems.iter().map(result).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "assay lint",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "ROOT": { "description": { "text": "The root of the repository." } } },
            "results": results,
        }],
    });
    // A JSON value always prints.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn descriptor(rule: Rule) -> Value {
    json!({
        "id": rule.as_str(),
        "shortDescription": { "text": rule.description() },
        "help": { "text": rule.description() },
        "defaultConfiguration": { "level": rule.severity().as_str() },
    })
}

fn result(problem: &Problem) -> Value {
    let index = Rule::ALL.iter().position(|rule| *rule == problem.rule);
    let help = if problem.help.is_empty() { String::new() } else { format!(" ({})", problem.help) };
    let mut place = json!({ "artifactLocation": { "uri": uri(&problem.file), "uriBaseId": "ROOT" } });
    if problem.line > 0 {
        place["region"] = match problem.column {
            0 => json!({ "startLine": problem.line }),
            column => json!({ "startLine": problem.line, "startColumn": column }),
        };
    }
    json!({
        "ruleId": problem.rule.as_str(),
        "ruleIndex": index,
        "level": problem.severity().as_str(),
        "message": { "text": format!("{}{help}", problem.message) },
        "locations": [{ "physicalLocation": place }],
    })
}

/// A path as the path of a URI.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tests::sample;

    /// The rules of the format that a reader relies on, without the schema itself.
    #[test]
    fn it_holds_to_the_structure_of_the_format() {
        let log: Value = serde_json::from_str(&sarif(&sample())).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string());
        let rules = driver["rules"].as_array().unwrap();
        for rule in rules {
            for text in [&rule["id"], &rule["shortDescription"]["text"], &rule["help"]["text"]] {
                assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{rule}");
            }
        }
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        for result in results {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"], "{result}");
            assert!(["error", "warning", "note", "none"].contains(&result["level"].as_str().unwrap()));
            assert!(result["message"]["text"].is_string());
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.starts_with('/') && !uri.contains([' ', '\\', ':']), "{uri}");
            let base = place["artifactLocation"]["uriBaseId"].as_str().unwrap();
            assert!(run["originalUriBaseIds"][base].is_object());
            if let Some(region) = place.get("region") {
                assert!(region["startLine"].as_u64() >= Some(1));
                assert!(region.get("startColumn").is_none_or(|column| column.as_u64() >= Some(1)));
            }
        }
        let places: Vec<_> =
            results.iter().map(|r| r["locations"][0]["physicalLocation"].get("region")).collect();
        assert_eq!(places[0].unwrap()["startColumn"], 1);
        assert!(places[2].is_none(), "a whole file has no region");
        assert!(results[2].to_string().contains("x%20y.md"));
    }
}
