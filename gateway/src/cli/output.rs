//! Writing to the terminal: colour only where it is wanted, and a closed pipe is no failure.

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write as _};

/// Names and headings.
pub const STRONG: Style = Style::new().bold();
/// What went well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What did not.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What deserves a look.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// What may be skipped.
pub const FAINT: Style = Style::new().dimmed();

/// Text in a style.
#[must_use]
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes a result to standard output. Colours fall away where nobody sees them; a reader that left is not told of.
///
/// # Errors
/// The stream cannot be written for any other reason.
pub fn result(text: &str) -> Result<(), String> {
    let mut stream = AutoStream::auto(io::stdout().lock());
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = stream.write_all(text.as_bytes()).and_then(|()| stream.write_all(end.as_bytes()));
    match written.and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("failed to write the result: {error}"))
        }
        _ => Ok(()),
    }
}

/// A failure, on standard error.
pub fn error(message: &str) {
    say(BAD, "error", message);
}

/// A remark, on standard error.
pub fn note(message: &str) {
    say(WARN, "note", message);
}

fn say(style: Style, word: &str, message: &str) {
    let mut stream = AutoStream::auto(io::stderr().lock());
    // With standard error gone there is nobody left to tell.
    let _ = writeln!(stream, "{}: {message}", paint(style, word));
}
