//! JSON for tools. The shape is stable: fields are added, never renamed, and `format` counts what breaks readers.

use crate::compare::Comparison;
use assay_model::Report;
use serde::{Deserialize, Serialize};

/// Counts what breaks readers of a report.
const FORMAT: u32 = 1;

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
    let document =
        Document { format: FORMAT, verdict: report.verdict(), exit_code: report.exit_code(), report };
    // Maps have string keys and floats do not occur, so this cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// What is read of a document besides the report.
#[derive(Deserialize)]
struct Head {
    format: u32,
    verdict: String,
}

/// Reads a report that [`json`] wrote.
///
/// # Errors
/// It is no such JSON (a truncated file included), of a format that is not known, or its verdict is not what its counts
/// and problems come to.
pub fn read(text: &str) -> Result<Report, String> {
    let broken = |error: serde_json::Error| format!("is no report: {error}");
    let head: Head = serde_json::from_str(text).map_err(broken)?;
    if head.format != FORMAT {
        return Err(format!("is a report of format {}, and this reads format {FORMAT}", head.format));
    }
    let report: Report = serde_json::from_str(text).map_err(broken)?;
    if report.verdict() == head.verdict {
        Ok(report)
    } else {
        Err(format!("says {}, and its counts come to {}", head.verdict, report.verdict()))
    }
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

    #[test]
    fn what_was_written_reads_back_and_nothing_else_does() {
        for report in [sample::red(), sample::green(), sample::empty()] {
            let text = json(&report);
            assert_eq!(json(&read(&text).unwrap()), text);
        }
        let text = json(&sample::red());
        for (wrong, why) in [
            (text[..text.len() / 2].to_owned(), "is no report"),
            (text.replace("\"format\": 1", "\"format\": 2"), "is a report of format 2"),
            (
                text.replace(
                    "\"verdict\": \"fail\",\n  \"exit_code\"",
                    "\"verdict\": \"pass\",\n  \"exit_code\"",
                ),
                "says pass, and",
            ),
            (text.replace("\"math\"", "\"maths\""), "is no report"),
        ] {
            assert!(read(&wrong).unwrap_err().contains(why), "{why}");
        }
    }
}
