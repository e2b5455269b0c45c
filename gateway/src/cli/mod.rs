//! The command line: words in, exit code out. Results go to standard output, everything else to standard error.

mod arguments;
mod asset;
mod bisect;
mod catalog;
mod compare;
mod coverage;
mod determinism;
mod division;
mod explain;
mod lint;
mod lock;
mod new;
mod out;
mod output;
mod port;
mod receipt;
mod render;
mod report;
mod run;
mod screen;
mod serve;
mod strength;
mod verify;
mod watch;

use crate::snapshot::Gateway;
use crate::toolset::Toolset;
use arguments::{Cli, Command, ReceiptCommand, ReportCommand};
use clap::Parser as _;
use std::process::ExitCode;

/// Everything passed.
const PASS: u8 = 0;
/// Something drifted; for `run`, the port refused; for `asset check`, something does not decode or differs.
const DRIFT: u8 = 1;
/// Wrong usage, or a corpus that cannot be trusted.
const BROKEN: u8 = 2;

/// Reads the command line and does what it says.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors. A closed pipe is nobody's fault.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BROKEN } else { PASS });
        }
    };
    let code = command(cli);
    ExitCode::from(code)
}

fn command(cli: Cli) -> u8 {
    let gateway = Gateway::new(cli.root);
    let outcome = match cli.command {
        Command::Verify(arguments) => verify::command(&gateway, &arguments),
        Command::List(arguments) => catalog::list(&gateway, &arguments),
        Command::Find(arguments) => catalog::find(&gateway, &arguments),
        Command::Describe(arguments) => catalog::describe(&gateway, &arguments),
        Command::Run(arguments) => asset::opening(gateway, &arguments.folders, None)
            .and_then(|gateway| run::command(&gateway, &arguments)),
        Command::Asset(arguments) => asset::command(&arguments),
        Command::Explain(arguments) => explain::command(&gateway, &arguments),
        Command::Coverage(arguments) => coverage::command(&gateway, &arguments),
        Command::New(arguments) => new::command(&gateway, &arguments),
        Command::Lint(arguments) => lint::command(&gateway, &arguments),
        Command::Watch(arguments) => watch::command(&gateway, &arguments),
        Command::Compare(arguments) => compare::command(&gateway, &arguments),
        Command::Port(arguments) => port::command(&gateway, &arguments),
        Command::Strength(arguments) => strength::command(&gateway, &arguments),
        Command::Lock(arguments) => lock::command(&gateway, &arguments),
        Command::Mcp(arguments) => asset::opening(gateway, &arguments.folders, Some(&arguments.uploads))
            .and_then(|gateway| serve::stdio(gateway, Toolset::ALL, arguments.watch)),
        Command::Serve(arguments) => asset::opening(gateway, &arguments.folders, Some(&arguments.uploads))
            .and_then(|gateway| serve::command(gateway, &arguments)),
        Command::Determinism(arguments) => determinism::command(&gateway, &arguments),
        Command::Report(ReportCommand::Merge(arguments)) => report::merge(&gateway, &arguments),
        Command::Receipt(ReceiptCommand::Verify(arguments)) => receipt::verify(&gateway, &arguments),
        Command::Bisect(arguments) => bisect::command(&gateway, &arguments),
    };
    outcome.unwrap_or_else(|message| {
        output::error(&message);
        BROKEN
    })
}
