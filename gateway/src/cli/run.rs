//! `assay run`: one capability, every stage.

use super::arguments::{Format, Run, word};
use super::output::{self, FAINT, GOOD, STRONG, WARN, paint};
use super::{BROKEN, DRIFT, PASS, out, render};
use crate::envelope::{Refusal, Reply, Stage, value};
use crate::snapshot::Gateway;
use crate::surface::Tool;
use crate::tools::Artefacts;
use assay_model::{Attachment, Tree};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

pub(super) fn command(gateway: &Gateway, run: &Run) -> Result<u8, String> {
    let arguments = arguments(&run.args)?;
    // Text is only for what is no object without a key that stands twice: then its error names the place.
    let given = match Tree::from_json(arguments.as_bytes()) {
        Ok(object @ Tree::Map(_)) => value(&object.integral()),
        _ => Value::String(arguments.clone()),
    };
    let call = json!({ "name": run.name, "arguments": given, "response_detail": word(&run.detail) });
    let reply = gateway.call(Tool::Run, &call);
    let code = finish(&reply, run.format, breakdown)?;
    if let (PASS, Some(out)) = (code, &run.out) {
        let artefacts =
            gateway.artefacts(&run.name, &Tree::Text(arguments)).map_err(|refusal| explain(&refusal))?;
        write(&artefacts, out).map_err(|why| format!("failed to {why}"))?;
    }
    Ok(code)
}

/// Writes the artefact that the name asks for, or all of them into a folder.
fn write(Artefacts { all: artefacts, unseen }: &Artefacts, out: &Path) -> Result<(), String> {
    let none = |why: String| Err(format!("write {}: {why}", out.display()));
    // The run has read what it reads.
    let put = |place: &Path, artefact: &Attachment| out::bytes(place, Path::new(""), &artefact.bytes);
    if out.is_dir() {
        for artefact in artefacts {
            let raw = if artefact.name.contains('.') { "" } else { ".bin" };
            put(&out.join(format!("{}{raw}", artefact.name)), artefact)?;
        }
        return if artefacts.is_empty() { none("nothing is decoded".to_owned()) } else { Ok(()) };
    }
    let extension = out.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let wanted = match extension.as_deref() {
        Some("png") => "image/png",
        Some("wav") => "audio/wav",
        _ => "application/octet-stream",
    };
    let fit: Vec<&Attachment> = artefacts.iter().filter(|artefact| artefact.media_type == wanted).collect();
    match fit.as_slice() {
        [artefact] => put(out, artefact),
        [] => {
            let given: Vec<&str> = artefacts.iter().map(|artefact| artefact.name.as_str()).collect();
            let why = unseen.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
            none(format!("the run gives no {wanted}{why}, but: {}", given.join(", ")))
        }
        several => {
            let given: Vec<&str> = several.iter().map(|artefact| artefact.name.as_str()).collect();
            none(format!("the run gives {}; name a folder, which gets all of them", given.join(", ")))
        }
    }
}

/// Prints a reply and turns it into an exit code: a refusal of the port is a result, anything else is wrong usage.
pub(super) fn finish(
    reply: &Reply,
    format: Format,
    text: impl FnOnce(&Tree) -> String,
) -> Result<u8, String> {
    if format == Format::Json {
        output::result(&reply.envelope().to_string())?;
    }
    match &reply.outcome {
        Ok(data) => {
            if format == Format::Text {
                output::result(&text(data))?;
            }
            Ok(PASS)
        }
        Err(refusal) => {
            output::error(&explain(refusal));
            Ok(if refusal.outcome == Stage::Refused { DRIFT } else { BROKEN })
        }
    }
}

fn arguments(given: &str) -> Result<String, String> {
    if given == "-" {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| format!("failed to read the arguments: {error}"))?;
        return Ok(text);
    }
    match given.strip_prefix('@') {
        Some(file) => {
            std::fs::read_to_string(file).map_err(|error| format!("failed to read {file}: {error}"))
        }
        None => Ok(given.to_owned()),
    }
}

fn breakdown(data: &Tree) -> String {
    let leaf =
        |tree: &Tree, name: &str| tree.get(name).and_then(Tree::as_str).unwrap_or("unknown").to_owned();
    let game = data.get("game").and_then(Tree::as_str).map(|game| format!(" ({game})")).unwrap_or_default();
    let mut text = format!("{}{game}\n", paint(STRONG, &leaf(data, "capability")));
    for part in ["breakdown", "input", "attachments"] {
        if let Some(tree) =
            data.get(part).filter(|tree| !matches!(tree, Tree::List(items) if items.is_empty()))
        {
            if part != "breakdown" {
                let _ = writeln!(text, "{}", paint(FAINT, part));
            }
            text.push_str(&render::stages(tree));
        }
    }
    if let Some(Tree::List(caveats)) = data.get("caveats") {
        for caveat in caveats {
            let line = format!("{}: {}", leaf(caveat, "clause"), leaf(caveat, "message"));
            let _ = writeln!(text, "{} {line}", paint(WARN, "caveat"));
        }
    }
    if let Some(trust) = data.get("trust") {
        let status = leaf(trust, "status");
        let style = if status == "verified" { GOOD } else { WARN };
        let digest = leaf(trust, "corpus_digest");
        let digest = digest.get(..12).unwrap_or(&digest);
        let _ =
            writeln!(text, "trust  {}, tier {}, corpus {digest}", paint(style, &status), leaf(trust, "tier"));
        if let Some(Tree::List(missing)) = trust.get("missing") {
            for line in missing.iter().filter_map(Tree::as_str) {
                let _ = writeln!(text, "       {}", paint(FAINT, line));
            }
        }
    }
    text
}

/// A refusal in a few lines.
fn explain(refusal: &Refusal) -> String {
    let detail = |name: &str| refusal.details.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let field = detail("field").and_then(Tree::as_str).filter(|field| !field.is_empty());
    let mut text = match (refusal.outcome, field) {
        (Stage::Refused, Some(field)) => format!("{} at `{field}`: {}", refusal.errno, refusal.message),
        _ => format!("{}: {}", refusal.errno, refusal.message),
    };
    if let Some(Tree::List(errors)) = detail("errors") {
        // The message goes on with the first violation, which the list holds anyway.
        text = format!("{}: {}", refusal.errno, refusal.message.split(": ").next().unwrap_or_default());
        for error in errors {
            let leaf = |name: &str| error.get(name).and_then(Tree::as_str).unwrap_or_default();
            let _ = write!(text, "\n  {}  {}; {}", leaf("pointer"), leaf("message"), leaf("hint"));
        }
    }
    if let Some(Tree::List(near)) = detail("nearest") {
        let near: Vec<&str> = near.iter().filter_map(Tree::as_str).collect();
        let _ = write!(text, "\n  nearest: {}", near.join(", "));
    }
    text
}
