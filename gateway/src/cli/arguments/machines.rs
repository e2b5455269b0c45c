//! What can be typed about many machines, many runs and many revisions.

use super::{Demands, DocumentFormat, ReportFormat};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `assay determinism`.
#[derive(Debug, Args)]
pub struct Determinism {
    /// area/capability/case patterns; everything without one
    #[arg(value_name = "SELECTION")]
    pub selection: Vec<String>,
    /// Numbers of threads, with commas; 0 stands for one a processor
    #[arg(long, value_name = "N,N…", value_delimiter = ',', default_values_t = [1, 2, 0], value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: Vec<u16>,
    /// Shuffled orders, besides the order of the corpus
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub orders: u16,
    /// How often each is run
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeat: u16,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

/// `assay report`.
#[derive(Debug, Subcommand)]
pub enum ReportCommand {
    /// Put the JSON reports of all shards of a run together
    Merge(Merge),
}

/// `assay report merge`.
#[derive(Debug, Args)]
pub struct Merge {
    /// The reports, as `assay verify --shard K/N --report FILE` wrote them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// What it has to meet.
    #[command(flatten)]
    pub demands: Demands,
    /// Also write the report as JSON into this file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write a receipt of the whole run into this file, as an in-toto statement
    #[arg(long, value_name = "FILE")]
    pub receipt: Option<PathBuf>,
}

/// `assay receipt`.
#[derive(Debug, Subcommand)]
pub enum ReceiptCommand {
    /// Run again what a receipt is about, and compare
    Verify(VerifyReceipt),
}

/// `assay receipt verify`.
#[derive(Debug, Args)]
pub struct VerifyReceipt {
    /// The receipt, as `assay verify --receipt FILE` wrote it
    pub file: PathBuf,
    /// Threads [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

/// `assay bisect`.
#[derive(Debug, Args)]
pub struct Bisect {
    /// area/capability/case (capability/case will do), as today's checkout has it
    pub case: String,
    /// A revision at which the case still came to something else
    #[arg(long, value_name = "REV")]
    pub good: String,
    /// A revision at which it comes to what it should not
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub bad: String,
    /// How to build a revision: run by `sh -c` in its checkout, prints the path of its assay as the last line
    /// [default: cargo build --locked, into target/bisect]
    #[arg(long, value_name = "CMD")]
    pub build: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}
