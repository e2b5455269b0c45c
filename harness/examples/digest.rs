//! The golden suites of a checkout against the ports, and nothing else: prints what two targets, compilers or optimisation
//! levels must agree on. Small enough to be built for any target that has a standard library (`.ci/targets`).
//!
//! ```text
//! digest DIR [SELECTION]
//! ```
//!
//! A line a result on standard output, by id: fingerprint, verdict, id. Then one for all of them: result digest, verdict,
//! cases and sweep points. Exit code as `assay verify`.

use assay_harness::{Options, Registry, Selection, disk, verify};
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match digest() {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            // With standard error gone there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}

fn digest() -> Result<u8, String> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("usage: digest DIR [SELECTION]")?;
    let selection: Selection = arguments.collect::<Vec<_>>().join(" ").parse()?;
    let (specs, golden) = disk::read(root.as_ref()).map_err(|problem| problem.to_string())?;
    let registry = Registry::new(assay_ports::ALL, &specs, &golden);
    // An emulated processor is slow, and what is asked here is what comes out, not when.
    let options = Options { slow: std::time::Duration::from_secs(600), ..Options::default() };
    let report = verify(&registry, &selection, &options);
    for problem in &report.problems {
        let _ = writeln!(std::io::stderr(), "{problem}");
    }
    for result in report.results.iter().filter(|result| result.verdict.is_drift()) {
        let message = result.failure.as_ref().map_or("", |failure| failure.message.as_str());
        let _ = writeln!(std::io::stderr(), "{}: {message}", result.id);
    }
    let mut lines = String::new();
    for result in &report.results {
        lines.push_str(&format!("{} {} {}\n", result.fingerprint, result.verdict.as_str(), result.id));
    }
    lines.push_str(&format!(
        "{} {} {} cases, {} sweep points\n",
        report.result_digest,
        report.verdict(),
        report.counts.executed(),
        report.sweep_points
    ));
    std::io::stdout().write_all(lines.as_bytes()).map_err(|error| format!("failed to write: {error}"))?;
    Ok(report.exit_code())
}
