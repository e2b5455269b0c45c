//! Writing to the terminal: colour only where it is wanted, and a closed pipe is no failure.

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use std::borrow::Cow;
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

/// Text out of a file as it can be shown: control characters are escaped, so that it moves no cursor and forges no line.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
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
    // A message may quote a file. Its own lines stay.
    let lines: Vec<_> = message.lines().map(plain).collect();
    // With standard error gone there is nobody left to tell.
    let _ = writeln!(stream, "{}: {}", paint(style, word), lines.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_is_only_text() {
        assert_eq!(plain("Größe 选择"), "Größe 选择");
        assert_eq!(plain("a\u{1b}[2J\n\t\u{7f}\u{9b}"), "a\\u{1b}[2J\\n\\t\\u{7f}\\u{9b}");
    }
}
