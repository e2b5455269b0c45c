//! The log: one JSON object a line, or plain lines, on standard error.

use std::str::FromStr as _;
use tracing::Subscriber;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt};

/// The environment variable that says what is logged, such as `warn` or `info,rmcp=debug`.
pub const VARIABLE: &str = "ASSAY_LOG";
/// What a server logs unless told otherwise.
pub const USUAL: &str = "info,rmcp=warn";

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One JSON object a line
    Json,
    /// For people
    Text,
}

/// Starts logging, for the rest of the process: what [`VARIABLE`] says, else `usual`.
///
/// # Errors
/// [`VARIABLE`] cannot be read, or something logs already; a fragment that fits after "failed to".
pub fn start(format: Format, usual: &str) -> Result<(), String> {
    let wanted = std::env::var(VARIABLE).unwrap_or_else(|_| usual.to_owned());
    let targets = Targets::from_str(&wanted).map_err(|error| format!("read {VARIABLE}: {error}"))?;
    tracing::subscriber::set_global_default(subscriber(format, targets, std::io::stderr))
        .map_err(|error| format!("start the log: {error}"))
}

fn subscriber<W>(format: Format, targets: Targets, writer: W) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let lines = fmt::layer().with_writer(writer).with_ansi(false);
    match format {
        Format::Json => {
            Box::new(Registry::default().with(lines.json().flatten_event(true).with_filter(targets)))
        }
        Format::Text => Box::new(Registry::default().with(lines.with_filter(targets))),
    }
}
