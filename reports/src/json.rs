//! JSON for tools. The shape is stable: fields are added, never renamed, and `format` counts what breaks readers.

use crate::compare::Comparison;
use assay_model::Report;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    verdict: &'static str,
    exit_code: u8,
    #[serde(flatten)]
    report: &'a Report,
}

/// The report as pretty-printed JSON with its verdict and exit code; the same bytes for the same report.
#[must_use]
pub fn json(report: &Report) -> String {
    let document = Document { format: 1, verdict: report.verdict(), exit_code: report.exit_code(), report };
    // Maps have string keys and floats do not occur, so this cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Several<'a> {
    format: u32,
    exit_code: u8,
    comparison: &'a Comparison,
    reports: Vec<Document<'a>>,
}

/// The reports on several ports as one document, with what compares them.
#[must_use]
pub fn json_all(reports: &[Report], comparison: &Comparison) -> String {
    let document = |report| Document {
        format: 1,
        verdict: Report::verdict(report),
        exit_code: report.exit_code(),
        report,
    };
    let exit_code = comparison.exit_code();
    let several =
        Several { format: 1, exit_code, comparison, reports: reports.iter().map(document).collect() };
    // As above.
    serde_json::to_string_pretty(&several).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Plain<'a, T> {
    format: u32,
    #[serde(flatten)]
    content: &'a T,
}

/// An explanation or a coverage as pretty-printed JSON: `format` first, then its fields in the order of the type.
#[must_use]
pub fn document<T: Serialize>(content: &T) -> String {
    // Nothing in these types fails to serialise.
    serde_json::to_string_pretty(&Plain { format: 1, content }).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn it_reads_back_with_verdict_and_results() {
        let text = json(&sample::red());
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["format"], 1);
        assert_eq!((value["verdict"].as_str(), value["exit_code"].as_u64()), (Some("fail"), Some(1)));
        assert_eq!(value["areas"]["combat"]["fail"], 1);
        assert_eq!(value["results"][0]["verdict"], "fail");
        assert_eq!(value["results"][0]["failure"]["stage"], "kernel.falloff");
        assert_eq!(text, json(&sample::red()));
        assert!(value.get("port").is_none());
    }

    #[test]
    fn several_reports_are_one_document() {
        let reports = [sample::green(), sample::red()];
        let value: serde_json::Value =
            serde_json::from_str(&json_all(&reports, &crate::compare(&reports))).unwrap();
        assert_eq!(
            (value["exit_code"].as_u64(), value["reports"][1]["verdict"].as_str()),
            (Some(1), Some("fail"))
        );
        assert_eq!(value["comparison"]["ports"][0]["verdict"], "pass");
    }
}
