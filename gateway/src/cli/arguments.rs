//! What can be typed.

mod machines;

use super::asset::{Asset, Folders, Uploads};
use crate::http::log;
use crate::toolset::Toolset;
use assay_harness::Shard;
use assay_model::{Area, Game, Kind, Status, Tier};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use machines::{Bisect, Determinism, Merge, ReceiptCommand, ReportCommand, VerifyReceipt};
use std::num::NonZeroU32;
use std::path::PathBuf;

const EXIT_CODES: &str = "Exit codes:
  0  everything passed
  1  something drifted from its golden case; for `run`: the port refused the input; for `asset`: a file does
     not decode; for `determinism`: a run differs; for `bisect`: more than one commit is left
  2  wrong usage, or a corpus that cannot be trusted (zero executed cases included)

A selection is area/capability/case, * and ? match, later parts may be left out, and filters may stand
beside it: `assay verify 'combat/*' game=YR tag=edge:*`";

/// Checks ports of engine systems against golden cases, and runs the ports that pass.
#[derive(Debug, Parser)]
#[command(name = "assay", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub struct Cli {
    /// Read specs and cases from this checkout instead of the ones compiled in
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check ports against their golden cases
    Verify(Verify),
    /// List the capabilities
    List(List),
    /// Search the capabilities by meaning
    Find(Find),
    /// Show what one capability takes, gives and rests on
    Describe(Describe),
    /// Run one capability and show every stage
    Run(Run),
    /// Explain a case step by step, or a capability clause by clause
    Explain(Explain),
    /// Show which clauses have cases, and how strong each is
    Coverage(Coverage),
    /// Write a skeleton: a capability, or a case of one
    #[command(subcommand)]
    New(New),
    /// Check specs, sources and cases, and name every slip at its line
    Lint(Lint),
    /// Verify again what every saved edit touches
    Watch(Watch),
    /// Write golden/index.lock and golden/schema from the checkout
    Lock(Lock),
    /// Judge several ports by the same cases, side by side
    Compare(super::compare::Arguments),
    /// Help for authors of ports in other languages
    #[command(subcommand)]
    Port(super::port::Arguments),
    /// Show how many changed ports the golden cases catch
    Strength(Strength),
    /// List, take out, show and check files of the games
    #[command(subcommand)]
    Asset(Asset),
    /// Check that threads, order and repetition change no result
    Determinism(Determinism),
    /// Put the reports of shards together
    #[command(subcommand)]
    Report(ReportCommand),
    /// Run again what a receipt is about
    #[command(subcommand)]
    Receipt(ReceiptCommand),
    /// Find the commit that changed what a case comes to
    Bisect(Bisect),
    /// Serve the Model Context Protocol on standard input and output
    Mcp(Mcp),
    /// Serve the same on standard input and output, or over HTTP with REST beside it
    Serve(Serve),
}

/// `assay serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// Listen here instead of on standard input: MCP on /mcp, REST on /api/v1; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    pub http: Option<String>,
    /// Publish a new snapshot whenever a change of the checkout at --root leaves it sound
    #[arg(long)]
    pub watch: bool,
    /// Offer only these tools: discover, run, verify, all; several with commas
    #[arg(long, value_name = "TAGS", default_value_t = Toolset::ALL, hide_default_value = true)]
    pub toolsets: Toolset,
    /// Demand the bearer token in this file [otherwise: that of ASSAY_TOKEN, if it is set]
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
    /// Answer for this host name too; repeat for several
    #[arg(long, value_name = "NAME", requires = "http")]
    pub allow_host: Vec<String>,
    /// Let pages of this origin call; repeat for several
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,
    /// Be reached at this address, through a proxy: documents say so, and its name is answered for
    #[arg(long, value_name = "URL", requires = "http")]
    pub public_url: Option<String>,
    /// Requests a second from one address [default: no limit on this machine, 100 beyond it]
    #[arg(long, value_name = "N", requires = "http")]
    pub rate: Option<NonZeroU32>,
    /// Requests at a time
    #[arg(long, value_name = "N", default_value_t = 256, requires = "http", value_parser = clap::value_parser!(u16).range(1..))]
    pub requests: u16,
    /// Connections at a time
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "http", value_parser = clap::value_parser!(u16).range(1..))]
    pub connections: u16,
    /// Seconds that a request may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "http", value_parser = clap::value_parser!(u16).range(1..))]
    pub timeout: u16,
    /// Seconds that requests get to finish when the server is told to stop
    #[arg(long, value_name = "SECONDS", default_value_t = 10, requires = "http")]
    pub grace: u16,
    /// How the log looks, on standard error
    #[arg(long, value_enum, default_value_t = log::Format::Json, requires = "http")]
    pub log: log::Format,
    /// Files that arguments may name.
    #[command(flatten)]
    pub folders: Folders,
    /// How much callers may send.
    #[command(flatten)]
    pub uploads: Uploads,
}

/// How a verification is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// The whole report
    Json,
    /// JUnit XML
    Junit,
    /// Annotations for GitHub
    Github,
}

/// How everything else is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// The same envelope that the MCP tools return
    Json,
}

/// How an explanation or a coverage is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DocumentFormat {
    /// For people
    Text,
    /// Every field, for tools
    Json,
}

/// `assay verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// area/capability/case patterns; everything without one
    #[arg(value_name = "SELECTION")]
    pub selection: Vec<String>,
    /// Threads [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// Only cases of this game; repeat for several
    #[arg(long)]
    pub game: Vec<Game>,
    /// Only cases whose weakest clause has this tier
    #[arg(long)]
    pub tier: Option<Tier>,
    /// Only cases with this tag, globs allowed; repeat for several
    #[arg(long)]
    pub tag: Vec<String>,
    /// Only capabilities of this status
    #[arg(long)]
    pub status: Option<Status>,
    /// What it has to meet.
    #[command(flatten)]
    pub demands: Demands,
    /// Ports in other processes.
    #[command(flatten)]
    pub outside: super::port::Outside,
    /// Also write the report as JSON into this file
    #[arg(long, value_name = "FILE", conflicts_with = "port")]
    pub report: Option<PathBuf>,
    /// Write a receipt of the run into this file, as an in-toto statement
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "port"])]
    pub receipt: Option<PathBuf>,
    /// Run only one part of the selection, K of N from 1; `assay report merge` puts the reports together
    #[arg(long, value_name = "K/N", conflicts_with = "port")]
    pub shard: Option<Shard>,
    /// Divide by what --write-costs measured; the same file for every shard [default: by the number of points]
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub costs: Option<PathBuf>,
    /// Write how long each case took into this file
    #[arg(long, value_name = "FILE", conflicts_with = "port")]
    pub write_costs: Option<PathBuf>,
}

/// What a report has to meet besides its own verdict.
#[derive(Debug, Args)]
pub struct Demands {
    /// Fail unless every selected capability is verified
    #[arg(long, value_enum, value_name = "STATUS")]
    pub require: Option<Require>,
    /// Fail when any selected case was skipped
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub deny: Option<Deny>,
    /// Fail unless the corpus has this digest (or starts with these 12 characters or more)
    #[arg(long, value_name = "DIGEST")]
    pub expect_corpus: Option<String>,
}

/// A status that can be required.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Require {
    /// Every clause of every listed game is verified and has a passing case
    Verified,
}

/// A verdict that gates only when asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Cases that did not run
    Skipped,
}

/// `assay list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only this area
    #[arg(long)]
    pub area: Option<Area>,
    /// Only this kind
    #[arg(long)]
    pub kind: Option<Kind>,
    /// Only capabilities for this game; repeat for several
    #[arg(long)]
    pub game: Vec<Game>,
    /// Only capabilities of this status (with --game: in that game)
    #[arg(long)]
    pub status: Option<Status>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `assay find`.
#[derive(Debug, Args)]
pub struct Find {
    /// What is wanted, in any words
    #[arg(required = true)]
    pub query: Vec<String>,
    /// Matches at most
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=25))]
    pub limit: u8,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// What `describe` adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Detail {
    /// Arguments and example
    Schema,
    /// The spec
    Docs,
    /// The golden cases
    Cases,
    /// The clauses with their tiers and sources
    Evidence,
}

/// `assay describe`.
#[derive(Debug, Args)]
pub struct Describe {
    /// The capability
    pub name: String,
    /// What to add
    #[arg(long, value_enum, default_value_t = Detail::Schema)]
    pub detail: Detail,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How much of a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResponseDetail {
    /// Every stage
    Breakdown,
    /// Every stage, attachments, and the input with its defaults
    Full,
    /// Lists and long texts shortened
    Summary,
}

/// `assay run`.
#[derive(Debug, Args)]
pub struct Run {
    /// The capability
    pub name: String,
    /// Arguments as JSON, @FILE, or - for standard input
    #[arg(long, value_name = "JSON|@FILE|-", default_value = "{}", allow_hyphen_values = true)]
    pub args: String,
    /// How much to show
    #[arg(long, value_enum, default_value_t = ResponseDetail::Breakdown)]
    pub detail: ResponseDetail,
    /// Write what it decodes here: .png the picture, .wav the sound, otherwise the bytes; all of it into a folder
    #[arg(long, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,
    /// Files that arguments may name.
    #[command(flatten)]
    pub folders: Folders,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `assay lock`.
#[derive(Debug, Args)]
pub struct Lock {
    /// A suite that was read again after its clauses changed; repeat for several
    #[arg(long, value_name = "SUITE")]
    pub reread: Vec<String>,
    /// Write nothing; exit 2 when anything is out of date
    #[arg(long)]
    pub check: bool,
}

/// `assay explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A capability, or area/capability/case (capability/case will do)
    pub name: String,
    /// For a sweep: the point to explain, as axis=value; repeat for every axis
    #[arg(long, value_name = "AXIS=VALUE")]
    pub at: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

/// `assay coverage`.
#[derive(Debug, Args)]
pub struct Coverage {
    /// area/capability patterns; everything without one
    #[arg(value_name = "SELECTION")]
    pub selection: Vec<String>,
    /// Only clauses without a passing computed or recorded case
    #[arg(long)]
    pub missing: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

/// `assay new`.
#[derive(Debug, Subcommand)]
pub enum New {
    /// Spec, suite and port of a new capability, ready to be filled in
    Capability(NewCapability),
    /// One more case at the end of a suite
    Case(NewCase),
}

/// `assay new capability`.
#[derive(Debug, Args)]
pub struct NewCapability {
    /// Name: a verb and what it does it to, joined by `_`
    pub name: String,
    /// Area
    #[arg(long, value_parser = areas())]
    pub area: Area,
    /// Kind
    #[arg(long, value_parser = kinds())]
    pub kind: Kind,
    /// Game that it is offered for; repeat for several [default: YR]
    #[arg(long)]
    pub game: Vec<Game>,
}

/// `assay new case`.
#[derive(Debug, Args)]
pub struct NewCase {
    /// The capability
    pub capability: String,
    /// Id of the case [default: the next free `case-N`]
    #[arg(long)]
    pub id: Option<String>,
    /// Game [default: the one that the example of the capability is for]
    #[arg(long)]
    pub game: Option<Game>,
}

/// How problems are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people
    Text,
    /// Every problem with its place, rule and help
    Json,
    /// Annotations for GitHub
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// `assay lint`.
#[derive(Debug, Args)]
pub struct Lint {
    /// Capabilities (area/capability patterns) or files; everything without one
    #[arg(value_name = "WHAT")]
    pub what: Vec<String>,
    /// Mend what is mechanical
    #[arg(long)]
    pub fix: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = LintFormat::Text)]
    pub format: LintFormat,
}

/// `assay watch`.
#[derive(Debug, Args)]
pub struct Watch {
    /// area/capability/case patterns; everything without one
    #[arg(value_name = "SELECTION")]
    pub selection: Vec<String>,
}

/// `assay mcp`.
#[derive(Debug, Args)]
pub struct Mcp {
    /// Publish a new snapshot whenever a change of the checkout at --root leaves it sound
    #[arg(long)]
    pub watch: bool,
    /// Files that arguments may name.
    #[command(flatten)]
    pub folders: Folders,
    /// How much callers may send.
    #[command(flatten)]
    pub uploads: Uploads,
}

/// `assay strength`.
#[derive(Debug, Args)]
pub struct Strength {
    /// Capabilities to show; everything without one
    pub capability: Vec<String>,
    /// Fail when a capability is below its floor, or a survivor has no argument
    #[arg(long)]
    pub check: bool,
    /// Show the kill matrix: which case catches which mutant
    #[arg(long)]
    pub matrix: bool,
    /// Raise the floors in ports/strength.toml to what was measured; never lowers one
    #[arg(long, conflicts_with = "check")]
    pub record: bool,
    /// Print what `.ci/strength` has to run: file, row, key of its results, and the suites that see it
    #[arg(long, hide = true)]
    pub plan: bool,
    /// Results of the mutation run [default: target/strength in the checkout]
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// The areas, so that help lists them.
fn areas() -> impl TypedValueParser<Value = Area> {
    PossibleValuesParser::new(Area::ALL.iter().map(|area| area.as_str())).try_map(|word| word.parse::<Area>())
}

/// The kinds, so that help lists them.
fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.iter().map(|kind| kind.as_str())).try_map(|word| word.parse::<Kind>())
}

/// The word that is typed for a value.
#[must_use]
pub fn word<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn vocabulary_words_are_parsed_in_any_case() {
        let cli =
            Cli::try_parse_from(["assay", "verify", "--game", "yr", "--tier", "verified", "--root", "x"])
                .unwrap();
        let Command::Verify(verify) = cli.command else { panic!("not verify") };
        assert_eq!((verify.game, verify.tier), (vec![Game::Yr], Some(Tier::Verified)));
        assert!(Cli::try_parse_from(["assay", "verify", "--game", "RA3"]).is_err());
        assert!(Cli::try_parse_from(["assay", "verify", "--jobs", "0"]).is_err());
        assert!(Cli::try_parse_from(["assay", "find"]).is_err());
        for wrong in [&["--shard", "0/4"][..], &["--shard", "1/2", "--receipt", "r"], &["--costs", "c"]] {
            let words = ["assay", "verify"].iter().chain(wrong);
            assert!(Cli::try_parse_from(words).is_err(), "{wrong:?}");
        }
    }
}
