//! Ends of lines and of the file.

use super::sheet::{Edit, Finding, Sheet, values};
use assay_model::Rule;
use std::ops::Range;
use toml_edit::Value;

/// Spaces at the end of a line outside of texts, and files that do not end in one end of line.
pub(super) fn lines(sheet: &Sheet, findings: &mut Vec<Finding>) {
    let mut texts: Vec<Range<usize>> = Vec::new();
    values(sheet.document.as_item(), &mut |value| {
        if let (Value::String(_), Some(span)) = (value, value.span()) {
            texts.push(span);
        }
    });
    texts.sort_by_key(|span| span.start);
    let edit = |range: Range<usize>, text: &str| {
        Some(Edit { range: sheet.start + range.start..sheet.start + range.end, text: text.to_owned() })
    };
    // Blank parts are those that do not parse; what they hold is judged when they do.
    let toml = if sheet.is_whole() { &sheet.toml[..] } else { "\n" };
    let mut offset = 0;
    for line in toml.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let (end, kept) = (offset + content.len(), offset + content.trim_end().len());
        offset += line.len();
        let next = texts.partition_point(|span| span.start < end);
        let inside = next > 0 && end < texts[next - 1].end;
        if kept < end && !inside {
            let found = sheet.finding(Rule::Layout, kept, "space at the end of the line", "remove it");
            findings.push(found.mended_by(edit(kept..end, "")));
        }
    }
    let body = toml.trim_end();
    let tail = &toml[body.len()..];
    // The front matter of a spec ends at its fence.
    if sheet.path.ends_with(".toml") && !body.is_empty() && tail != "\n" && tail != "\r\n" {
        let found = sheet.finding(
            Rule::Layout,
            body.len(),
            "the file does not end in one end of line",
            "end it there",
        );
        findings.push(found.mended_by(edit(body.len()..toml.len(), "\n")));
    }
}
