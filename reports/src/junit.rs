//! JUnit XML: one testsuite a capability, one testcase a result, and the corpus' own problems as a suite of their own.

use assay_model::{CaseResult, Report, Verdict};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// The report as JUnit XML.
///
/// # Errors
/// What the XML writer says.
pub fn junit(report: &Report) -> Result<String, String> {
    junit_all(std::slice::from_ref(report))
}

/// The reports on several ports as one document. The suites of a port in another process carry its name.
///
/// # Errors
/// What the XML writer says.
pub fn junit_all(reports: &[Report]) -> Result<String, String> {
    let mut document = quick_junit::Report::new("assay");
    for report in reports {
        add(&mut document, report);
    }
    document.to_string().map_err(|error| error.to_string())
}

fn add(document: &mut quick_junit::Report, report: &Report) {
    let whose = report.port.as_ref().map(|port| format!("{}:", port.name)).unwrap_or_default();
    if !report.problems.is_empty() || report.counts.executed() == 0 {
        document.add_test_suite(corpus(report, &whose));
    }
    // Results are ordered by id, so those of a capability stand together.
    for results in report.results.chunk_by(|a, b| (a.area, &a.capability) == (b.area, &b.capability)) {
        let mut suite = TestSuite::new(format!("{whose}{}.{}", results[0].area, results[0].capability));
        suite.add_property(("corpus", report.corpus_digest.as_str()));
        if let Some(port) = &report.port {
            for (key, value) in
                [("name", &port.name), ("language", &port.language), ("version", &port.version)]
            {
                suite.add_property((format!("port.{key}"), xml(value)));
            }
        }
        suite.add_test_cases(results.iter().map(|result| case(result, &whose)));
        document.add_test_suite(suite);
    }
}

/// A corpus that cannot be trusted is red in every CI, whatever its cases say.
fn corpus(report: &Report, whose: &str) -> TestSuite {
    let mut suite = TestSuite::new(format!("{whose}corpus"));
    for problem in &report.problems {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("corpus").set_message(xml(&problem.to_string()));
        suite.add_test_case(TestCase::new(format!("{}:{}", problem.file, problem.line), status));
    }
    if report.counts.executed() == 0 {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("corpus").set_message("no case ran");
        suite.add_test_case(TestCase::new("executed", status));
    }
    suite
}

fn case(result: &CaseResult, whose: &str) -> TestCase {
    let mut status = match result.verdict {
        Verdict::Pass => TestCaseStatus::success(),
        Verdict::Fail | Verdict::UnexpectedPass => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Error | Verdict::Panicked => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::Skipped | Verdict::KnownFailure | Verdict::Disputed => TestCaseStatus::skipped(),
    };
    if result.verdict != Verdict::Pass {
        status.set_type(result.verdict.as_str()).set_message(xml(&message(result)));
        if let Some(failure) = &result.failure {
            let text = format!(
                "stage {}\nexpected {}\nactual {}\nrule {}\nclause {}\n{}\n{}",
                failure.stage,
                failure.expected,
                failure.actual,
                failure.rule,
                result.clause.join(", "),
                failure.repro,
                failure.point
            );
            let stderr =
                if failure.stderr.is_empty() { String::new() } else { format!("\n{}", failure.stderr) };
            status.set_description(xml(&(text + &stderr)));
        }
    }
    let name = result.id.rsplit('/').next().unwrap_or_default();
    let mut case = TestCase::new(name, status);
    case.set_classname(format!("{whose}{}.{}", result.area, result.capability));
    case
}

fn message(result: &CaseResult) -> String {
    let failure = result.failure.as_ref().map(|failure| failure.message.as_str());
    let dispute = result.disputed.as_ref().map(|dispute| dispute.reason.as_str());
    let parts = [Some(result.reason.as_str()), dispute, failure];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Replaces the two characters that XML 1.0 has no place for and that the writer lets through; it drops control
/// characters.
fn xml(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_suite_a_capability_and_a_case_a_result() {
        let xml = junit(&sample::red()).unwrap();
        for part in [
            "tests=\"4\" failures=\"1\" errors=\"1\"",
            "<testsuite name=\"combat.compute_damage\" tests=\"2\" disabled=\"0\" errors=\"0\" failures=\"1\">",
            "<testcase name=\"quarter\" classname=\"combat.compute_damage\">",
            "type=\"fail\"",
            "stage kernel.falloff",
            "<testcase name=\"states.v1\" classname=\"math.simulate_rng\">",
            "<skipped",
        ] {
            assert!(xml.contains(part), "{part}\n{xml}");
        }
        assert!(!xml.contains("name=\"corpus\" tests"));
    }

    #[test]
    fn the_suites_of_a_port_in_another_process_carry_its_name() {
        let xml = junit_all(&[sample::green(), sample::outsider("snake", sample::red())]).unwrap();
        for part in [
            "<testsuite name=\"combat.compute_damage\" tests=\"1\"",
            "<testsuite name=\"snake:combat.compute_damage\" tests=\"2\"",
            "<property name=\"port.language\" value=\"Python\"/>",
            "classname=\"snake:combat.compute_damage\"",
        ] {
            assert!(xml.contains(part), "{part}\n{xml}");
        }
    }

    #[test]
    fn a_broken_corpus_is_red_whatever_its_cases_say() {
        let mut report = sample::green();
        report.problems = sample::problems();
        let xml = junit(&report).unwrap();
        assert!(xml.contains("<testsuite name=\"corpus\" tests=\"2\" disabled=\"0\" errors=\"2\""), "{xml}");
        assert!(junit(&sample::empty()).unwrap().contains("no case ran"));
    }

    #[test]
    fn markup_and_control_characters_cannot_break_the_document() {
        let mut report = sample::red();
        if let Some(failure) = &mut report.results[0].failure {
            failure.message = "a < b & \"c\" \u{0} \u{1b}[31m \u{fffe} end".to_owned();
        }
        let xml = junit(&report).unwrap();
        assert!(xml.contains("a &lt; b &amp; &quot;c&quot;"), "{xml}");
        assert!(!xml.chars().any(|c| (c.is_control() && !"\n\r\t".contains(c)) || c == '\u{fffe}'), "{xml}");
    }
}
