//! `response_detail = summary`: the same breakdown, made short.

use super::clip;
use crate::envelope::{map, unsigned};
use assay_model::Tree;

/// Elements of a list that a summary shows.
const SAMPLE: usize = 3;
/// Elements of a list inside a stage that a summary still shows whole.
const INNER: usize = 64;
/// Characters of a text that a summary shows.
const TEXT: usize = 256;

/// Turns every top-level list of a breakdown, and a list of more than 64 elements anywhere in it, into `{count, sample,
/// truncated}`, and caps long texts at any depth. Scalars and small objects pass untouched.
#[must_use]
pub fn summarise(breakdown: Tree) -> Tree {
    let Tree::Map(entries) = breakdown else { return cap(breakdown) };
    let entries = entries.into_iter().map(|(name, value)| {
        let value = match value {
            Tree::List(items) => sampled(items),
            other => cap(other),
        };
        (name, value)
    });
    Tree::Map(entries.collect())
}

fn sampled(items: Vec<Tree>) -> Tree {
    let (count, truncated) = (items.len() as u64, items.len() > SAMPLE);
    let sample = items.into_iter().take(SAMPLE).map(cap).collect();
    map([("count", unsigned(count)), ("sample", Tree::List(sample)), ("truncated", Tree::Bool(truncated))])
}

fn cap(value: Tree) -> Tree {
    match value {
        Tree::List(items) if items.len() > INNER => sampled(items),
        Tree::Text(text) => Tree::Text(clip(&text, TEXT)),
        Tree::List(items) => Tree::List(items.into_iter().map(cap).collect()),
        Tree::Map(entries) => {
            Tree::Map(entries.into_iter().map(|(name, value)| (name, cap(value))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_inside_a_stage_are_sampled_too() {
        let many: Vec<String> = (0..65).map(|number| number.to_string()).collect();
        let breakdown = format!(r#"{{"a":[{{"texts":[{}]}}]}}"#, many.join(","));
        let short = summarise(Tree::from_json(breakdown.as_bytes()).unwrap()).to_string();
        let inner = r#"{"count":65,"sample":[0,1,2],"truncated":true}"#;
        assert_eq!(
            short,
            format!(r#"{{"a":{{"count":1,"sample":[{{"texts":{inner}}}],"truncated":false}}}}"#)
        );
    }

    #[test]
    fn lists_become_samples_and_texts_are_capped() {
        let long = "é".repeat(300);
        let breakdown = format!(r#"{{"a":[1,2,3,4],"b":[],"c":{{"d":[1,2,3,4],"e":"{long}"}},"f":2.5}}"#);
        let short = summarise(Tree::from_json(breakdown.as_bytes()).unwrap()).to_string();
        let capped = "é".repeat(256);
        assert_eq!(
            short,
            format!(
                r#"{{"a":{{"count":4,"sample":[1,2,3],"truncated":true}},"b":{{"count":0,"sample":[],"truncated":false}},"c":{{"d":[1,2,3,4],"e":"{capped}…"}},"f":2.5}}"#
            )
        );
    }
}
