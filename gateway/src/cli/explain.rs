//! `assay explain`: a case step by step, or a capability clause by clause.

use super::arguments::{DocumentFormat, Explain};
use super::output;
use crate::snapshot::Gateway;
use assay_harness::explain::{self, Found};
use assay_reports::{Style, document, explain_capability, explain_case};

pub(super) fn command(gateway: &Gateway, arguments: &Explain) -> Result<u8, String> {
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    for note in snapshot.notes() {
        output::note(note);
    }
    let (registry, options) = (snapshot.registry(), snapshot.options());
    // Where colours are not wanted they fall away on the way out.
    let style = Style { color: true, ..Style::default() };
    let text = arguments.format == DocumentFormat::Text;
    let failed = |message| format!("failed to explain: {message}");
    let (shown, code) = match explain::find(registry, &arguments.name).map_err(failed)? {
        Found::Case(id) => {
            let case = explain::case(registry, &options, &id, &arguments.at).map_err(failed)?;
            (if text { explain_case(&case, &style) } else { document(&case) }, case.exit_code())
        }
        Found::Capability(_) if !arguments.at.is_empty() => {
            return Err(failed("a capability has no points: name a sweep".to_owned()));
        }
        Found::Capability(name) => {
            let entry = registry.get(&name).ok_or_else(|| failed(format!("nothing is called `{name}`")))?;
            let capability = explain::capability(registry, &options, entry).map_err(failed)?;
            let shown = if text { explain_capability(&capability, &style) } else { document(&capability) };
            (shown, capability.exit_code())
        }
    };
    output::result(&shown)?;
    Ok(code)
}
