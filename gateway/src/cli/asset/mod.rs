//! `assay asset`: files of the games on the command line. The decoders are the ports; what is here finds files, hands them
//! over by position, and prints.

mod cat;
mod check;
mod digest;
mod expected;
mod ls;
mod open;
mod report;
mod show;

use super::arguments::DocumentFormat;
use crate::assets::{Assets, Limits};
use crate::snapshot::Gateway;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// Files that arguments may name.
#[derive(Debug, Default, Args)]
pub struct Folders {
    /// Let arguments name files below this folder, as {"path": "rel/file.mix", "entry": "name"}; repeat for several
    #[arg(long = "assets", value_name = "DIR")]
    pub assets: Vec<PathBuf>,
}

/// How much callers may send with `upload_asset`.
#[derive(Debug, Args)]
pub struct Uploads {
    /// MiB of one uploaded file
    #[arg(long = "upload-file", value_name = "MIB", default_value_t = 64)]
    pub file: u16,
    /// MiB of all uploads together
    #[arg(long = "upload-store", value_name = "MIB", default_value_t = 256)]
    pub store: u16,
    /// Seconds after which an upload goes that nobody uses
    #[arg(long = "upload-idle", value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u32).range(1..))]
    pub idle: u32,
}

/// `assay asset`.
#[derive(Debug, Subcommand)]
pub enum Asset {
    /// List a MIX archive, with names where they are known
    Ls(Ls),
    /// Take a file out of a MIX archive
    Cat(Cat),
    /// Show a file as a picture (a sheet of all its frames), or a sound as WAV
    Show(Show),
    /// Decode everything below a folder, archives included, and say what does not decode and why
    Check(Check),
}

/// `assay asset ls`.
#[derive(Debug, Args)]
pub struct Ls {
    /// The archive
    pub file: PathBuf,
    /// An archive inside it: name or 0x id, several with / between
    #[arg(value_name = "NAME/NAME")]
    pub entry: Option<String>,
    /// More names: XCC's database, local or global, or a list, one a line; repeat for several
    #[arg(long, value_name = "FILE")]
    pub names: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

/// `assay asset cat`.
#[derive(Debug, Args)]
pub struct Cat {
    /// The archive
    pub file: PathBuf,
    /// The file in it: name or 0x id, several with / between for an archive in an archive
    #[arg(value_name = "NAME/NAME")]
    pub entry: String,
    /// Where to write it [default: - for standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `assay asset show`.
#[derive(Debug, Args)]
pub struct Show {
    /// The file, or the archive that it is in
    pub file: PathBuf,
    /// The file in that archive: name or 0x id, several with / between; behind an IDX, the name or number of a sound
    #[arg(value_name = "NAME/NAME")]
    pub entry: Option<String>,
    /// Colours for indexes: a palette of 768 bytes [default: greys]
    #[arg(long, value_name = "FILE.pal")]
    pub pal: Option<PathBuf>,
    /// Where to write it; - for standard output
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// `assay asset check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The folder
    pub folder: PathBuf,
    /// Compare with digests: a table of file, capability, summary and SHA-1, with tabs between and a first row of headings.
    /// Default: the `EXPECTED.tsv` of the folder, if it has one
    #[arg(long, value_name = "FILE")]
    pub expected: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

/// Does what the command says.
pub(super) fn command(asset: &Asset) -> Result<u8, String> {
    match asset {
        Asset::Ls(arguments) => ls::command(arguments),
        Asset::Cat(arguments) => cat::command(arguments),
        Asset::Show(arguments) => show::command(arguments),
        Asset::Check(arguments) => check::command(arguments),
    }
    // Writing a result says so already.
    .map_err(|why| format!("failed to {}", why.strip_prefix("failed to ").unwrap_or(&why)))
}

/// The gateway with what its calls may open.
pub(super) fn opening(
    gateway: Gateway,
    folders: &Folders,
    uploads: Option<&Uploads>,
) -> Result<Gateway, String> {
    let limits = uploads.map_or_else(Limits::default, |uploads| Limits {
        file: u64::from(uploads.file) << 20,
        store: u64::from(uploads.store) << 20,
        idle: Duration::from_secs(uploads.idle.into()),
        ..Limits::default()
    });
    let assets = Assets::new(&folders.assets, limits).map_err(|why| format!("failed to {why}"))?;
    Ok(gateway.opening(assets))
}
