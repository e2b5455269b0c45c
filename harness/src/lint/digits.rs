//! A float says what its value keeps: digits beyond that promise something that no reader of the file gets.

use super::sheet::{Edit, Finding, Sheet, values};
use assay_model::Rule;
use toml_edit::Value;

/// Float literals that do not survive a round trip.
pub(super) fn floats(sheet: &Sheet, findings: &mut Vec<Finding>) {
    values(sheet.document.as_item(), &mut |value| {
        let Value::Float(float) = value else { return };
        let Some(span) = value.span() else { return };
        let raw = sheet.toml[span.clone()].trim();
        let kept = *float.value();
        if !kept.is_finite() {
            if !raw.ends_with("inf") && !raw.ends_with("nan") {
                let message = format!("`{raw}` is beyond every float: it becomes {kept}");
                findings.push(sheet.finding(
                    Rule::FloatText,
                    span.start,
                    message,
                    "write `inf`, or bits: `\"f64:0x…\"`",
                ));
            }
            return;
        }
        let short = assay_model::Tree::Float(kept).to_string();
        if decimal(raw) != decimal(&short) {
            let message = format!("`{raw}` has more digits than its value keeps: it becomes {short}");
            let range = sheet.start + span.start..sheet.start + span.end;
            let edit = Edit { range, text: short.clone() };
            let help = format!("write `{short}`, or the bits: `\"f64:{:#018x}\"`", kept.to_bits());
            findings.push(sheet.finding(Rule::FloatText, span.start, message, help).mended_by(Some(edit)));
        }
    });
}

/// Sign, significant digits and decimal exponent of a literal: equal for equal numbers, however they are written.
fn decimal(raw: &str) -> (bool, String, i64) {
    let text = raw.replace('_', "").to_ascii_lowercase();
    let negative = text.starts_with('-');
    let text = text.trim_start_matches(['+', '-']);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i64 = exponent.trim_start_matches('+').parse().unwrap_or(0);
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    let point = whole.len() as i64 + exponent;
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let digits = digits.trim_matches('0').to_owned();
    let point = if digits.is_empty() { 0 } else { point - leading as i64 };
    (negative, digits, point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_compared_by_value() {
        for (a, b) in
            [("0.10", "0.1"), ("1e3", "1000.0"), ("+1_0.5", "10.5"), ("0.0", "0e9"), ("1.5E-3", "0.0015")]
        {
            assert_eq!(decimal(a), decimal(b));
        }
        for (a, b) in [("0.1000000000000000055", "0.1"), ("-0.0", "0.0"), ("10.0", "1.0")] {
            assert_ne!(decimal(a), decimal(b));
        }
    }
}
