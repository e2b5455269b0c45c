//! Ports in other processes: `verify --port`, and `assay port` for their authors.

use super::arguments::{DocumentFormat, ReportFormat, Verify};
use super::{BROKEN, DRIFT, PASS, output, verify as ours};
use crate::corpus;
use crate::snapshot::{Gateway, Snapshot};
use assay_harness::external::{
    self, Check, External, Finding, Identity, KnownList, Limits, REFERENCE, end_all, schemas, serve,
};
use assay_harness::{Options, Selection};
use assay_model::Report;
use assay_reports::{Style, align, compare, compare_text, document, github, json_all, junit_all};
use clap::{Args, Subcommand};
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Ports in other processes, and how they are held to account.
#[derive(Debug, Args)]
pub struct Outside {
    /// Judge the port that this command starts instead of the ones compiled in; repeat for several. The command is split like
    /// a shell splits words, and started without one
    #[arg(long, value_name = "CMD")]
    pub port: Vec<String>,
    /// Known failures of that port; for several ports one each, in their order
    #[arg(long, value_name = "FILE", requires = "port")]
    pub known: Vec<PathBuf>,
    /// Seconds that a port may say nothing while it is asked
    #[arg(long, value_name = "SECONDS", default_value_t = 5, requires = "port", value_parser = clap::value_parser!(u16).range(1..))]
    pub timeout: u16,
}

impl Outside {
    /// Whether anybody but the ports that are compiled in is asked for.
    pub fn any(&self) -> bool {
        !self.port.is_empty()
    }

    fn limits(&self) -> Limits {
        Limits { answer: Duration::from_secs(self.timeout.into()), ..Limits::default() }
    }
}

/// `assay port`.
#[derive(Debug, Subcommand)]
pub enum Arguments {
    /// Try a whole conversation with a port, and say what is wrong with it
    Check(CheckPort),
    /// Print the JSON Schemas of the protocol's messages
    Schema(Schema),
    /// Print the reference of the protocol
    Protocol,
    /// Serve the ports that are compiled in by the protocol, on standard input and output
    Serve,
}

/// `assay port check`.
#[derive(Debug, Args)]
pub struct CheckPort {
    /// The command that starts the port
    #[arg(value_name = "CMD")]
    pub command: String,
    /// Seconds that the port may say nothing while it is asked
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub timeout: u16,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

/// `assay port schema`.
#[derive(Debug, Args)]
pub struct Schema {
    /// Write a file for each message into this folder instead
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

pub(super) fn command(gateway: &Gateway, arguments: &Arguments) -> Result<u8, String> {
    match arguments {
        Arguments::Check(arguments) => check(gateway, arguments),
        Arguments::Schema(arguments) => schema(arguments),
        Arguments::Protocol => output::result(REFERENCE).map(|()| PASS),
        Arguments::Serve => {
            let identity = Identity { name: "assay", version: env!("CARGO_PKG_VERSION") };
            let served = serve(identity, assay_ports::ALL, io::stdin().lock(), io::stdout().lock());
            match served {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(format!("failed to serve: {error}"))
                }
                _ => Ok(PASS),
            }
        }
    }
}

/// Judges ports in other processes. One gives the report that the ports compiled in give; several are compared besides.
pub(super) fn verify(
    snapshot: &Snapshot,
    selection: &Selection,
    options: &Options,
    arguments: &Verify,
) -> Result<u8, String> {
    let started = Instant::now();
    let mut reports = judged(snapshot, selection, options, &arguments.outside)?;
    let elapsed = started.elapsed();
    for note in snapshot.notes() {
        output::note(note);
    }
    for report in &mut reports {
        report.notes.extend(snapshot.notes().iter().cloned());
    }
    let shown = match reports.as_slice() {
        [report] => ours::print(report, arguments.format, Some(elapsed))?,
        reports => several(reports, arguments.format)?,
    };
    output::result(&shown)?;
    let code = |report: &Report| ours::demand(report, &arguments.demands).max(report.exit_code());
    Ok(reports.iter().map(code).max().unwrap_or(BROKEN))
}

fn several(reports: &[Report], format: ReportFormat) -> Result<String, String> {
    let style = Style { color: true, elapsed: None, limit: Some(20) };
    Ok(match format {
        ReportFormat::Text => {
            let each = reports.iter().map(|report| assay_reports::text(report, &style) + "\n");
            each.collect::<String>() + &compare_text(&compare(reports), &style)
        }
        ReportFormat::Json => json_all(reports, &compare(reports)),
        ReportFormat::Junit => {
            junit_all(reports).map_err(|error| format!("failed to print the reports: {error}"))?
        }
        ReportFormat::Github => reports.iter().map(github).collect(),
    })
}

/// Starts every port, then judges them side by side; reports in the order of the ports.
pub(super) fn judged(
    snapshot: &Snapshot,
    selection: &Selection,
    options: &Options,
    outside: &Outside,
) -> Result<Vec<Report>, String> {
    let Outside { port: commands, known, .. } = outside;
    if !known.is_empty() && known.len() != commands.len() {
        let (lists, ports) = (known.len(), commands.len());
        return Err(format!(
            "{lists} lists of known failures for {ports} ports: give each port one, in their order"
        ));
    }
    let lists = known.iter().map(|path| KnownList::open(path)).collect::<Result<Vec<_>, _>>()?;
    stop_with_us();
    let open = |command: &String| External::open(command, outside.limits());
    let ports = commands.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let registry = snapshot.registry();
    let reports = thread::scope(|scope| {
        let threads: Vec<_> = ports
            .into_iter()
            .enumerate()
            .map(|(place, port)| {
                let list = lists.get(place);
                scope.spawn(move || port.verify(registry, selection, options, list))
            })
            .collect();
        threads.into_iter().map(thread::ScopedJoinHandle::join).collect::<Result<Vec<_>, _>>()
    });
    reports.map_err(|_| "failed to judge a port: its thread panicked".to_owned())
}

/// A port leads a group of its own, so Ctrl-C does not reach it.
fn stop_with_us() {
    const INTERRUPTED: i32 = 130;
    // Who has set a handler before keeps it; a port that reads the end of its input leaves by itself.
    let _ = ctrlc::set_handler(|| {
        end_all();
        std::process::exit(INTERRUPTED);
    });
}

fn check(gateway: &Gateway, arguments: &CheckPort) -> Result<u8, String> {
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    stop_with_us();
    let answer = Duration::from_secs(arguments.timeout.into());
    let limits = Limits { answer, ..Limits::default() };
    let check = external::check(&arguments.command, limits, snapshot.registry())?;
    output::result(&match arguments.format {
        DocumentFormat::Text => shown(&check),
        DocumentFormat::Json => document(&check),
    })?;
    Ok(if check.finding() == Finding::Wrong { DRIFT } else { PASS })
}

/// A check as text: a line a step, and what there is to do below it.
fn shown(check: &Check) -> String {
    let mut rows = Vec::new();
    for step in &check.steps {
        for (index, said) in step.said.iter().flat_map(|said| said.lines()).enumerate() {
            let word = step.finding.as_str();
            let (word, name) = if index == 0 { (word, step.step) } else { ("", "") };
            rows.push(vec![word.to_owned(), name.to_owned(), said.to_owned()]);
        }
    }
    let paint = |line: String| match line.split_once(' ') {
        Some(("good", rest)) => format!("{} {rest}", output::paint(output::GOOD, "good")),
        Some(("remark", rest)) => format!("{} {rest}", output::paint(output::WARN, "remark")),
        Some(("wrong", rest)) => format!("{} {rest}", output::paint(output::BAD, "wrong")),
        _ => line,
    };
    let mut text: String = align(&rows).into_iter().map(|line| paint(line) + "\n").collect();
    text.push_str(match check.finding() {
        Finding::Wrong => "\nthe port does not keep to the protocol; `assay port protocol` prints it\n",
        _ => "\nthe port keeps to the protocol; `assay verify --port` judges its values\n",
    });
    text
}

fn schema(arguments: &Schema) -> Result<u8, String> {
    let Some(folder) = &arguments.out else {
        let all: serde_json::Map<String, serde_json::Value> = schemas()
            .into_iter()
            .map(|(name, text)| {
                let name = name.trim_end_matches(".json").to_owned();
                (name, serde_json::from_str(&text).unwrap_or_default())
            })
            .collect();
        let text = serde_json::to_string_pretty(&all).map_err(|error| format!("failed to print: {error}"))?;
        return output::result(&text).map(|()| PASS);
    };
    for (name, text) in schemas() {
        corpus::write(&folder.join(name), &text)?;
    }
    Ok(PASS)
}
