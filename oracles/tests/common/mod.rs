//! What several test files need: running a derivation, and loading a made-up set of files.
#![allow(dead_code, reason = "each test file compiles this module and uses a part of it")]

use assay_model::{Files, Problem, Tree};
use assay_oracles::Oracle;
use assay_oracles::derive::{DeriveError, Outcome, Program, Scope, Steps};

/// Runs a derivation that must succeed.
pub fn steps(text: &str, inputs: &[(&str, Tree)]) -> Steps {
    match run(text, inputs) {
        Ok(Outcome::Steps(steps)) => steps,
        other => panic!("{text}: {other:?}"),
    }
}

pub fn run(text: &str, inputs: &[(&str, Tree)]) -> Result<Outcome, DeriveError> {
    let mut scope = Scope::default();
    for (name, value) in inputs {
        scope.bind(name, value).expect("an input that binds");
    }
    Program::parse(text)?.run(&scope)
}

/// The printed value of one expression.
pub fn value(expression: &str) -> String {
    steps(&format!("r = {expression}"), &[]).leaf("r").expect("a step").to_string()
}

/// The message of an expression that cannot be evaluated, without the step it is in.
pub fn error(expression: &str) -> String {
    let error = run(&format!("r = {expression}"), &[]).expect_err(expression);
    error.message.strip_prefix("step `r`: ").map_or_else(|| error.message.clone(), str::to_owned)
}

/// The value of one expression as a double, which it must be.
pub fn double(expression: &str, inputs: &[(&str, f64)]) -> f64 {
    let inputs: Vec<_> = inputs.iter().map(|(name, value)| (*name, Tree::Float(*value))).collect();
    match steps(&format!("r = {expression}"), &inputs).tree("r").expect("a step") {
        Tree::Float(value) => value,
        Tree::Int(value) => value as f64,
        Tree::UInt(value) => value as f64,
        other => panic!("{expression} gives {other}"),
    }
}

pub fn files(texts: &[(&str, &str)]) -> Files {
    let texts = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    Files { origin: "test".to_owned(), texts }
}

pub fn problems(texts: &[(&str, &str)]) -> Vec<String> {
    Oracle::load(&files(texts)).problems.iter().map(Problem::to_string).collect()
}
