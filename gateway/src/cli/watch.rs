//! `assay watch`: verifies again what every saved edit touches, and shows how everything stands.

use super::arguments::Watch as Arguments;
use super::{PASS, lock, output, screen};
use crate::eyes::{Eyes, Heard, gather, relative};
use crate::snapshot::Gateway;
use assay_harness::{Options, Selection, watch::Watch};
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::channel;

pub(super) fn command(gateway: &Gateway, arguments: &Arguments) -> Result<u8, String> {
    let selection: Selection = (arguments.selection.join(" ").parse())
        .map_err(|message| format!("failed to read the selection: {message}"))?;
    let root = lock::checkout(gateway)?;
    let root = root.canonicalize().map_err(|error| format!("failed to find {}: {error}", root.display()))?;
    let (sender, receiver) = channel();
    let stop = sender.clone();
    ctrlc::set_handler(move || drop(stop.send(Heard::Stop)))
        .map_err(|error| format!("failed to listen for Ctrl-C: {error}"))?;
    // Watched before anything is read, so that no save falls between the two.
    let mut eyes = Eyes::open(&root, &sender, output::note);
    let opened = Watch::open(assay_ports::ALL, &root, selection, &Options::dated());
    let (mut watch, first) = opened.map_err(|problem| format!("failed to read the checkout: {problem}"))?;
    let mut going = draw(&screen::text(&first, None))?;
    while going {
        let Some((paths, since)) = gather(&receiver, &eyes) else { break };
        eyes.follow(&paths);
        let paths = relative(&root, &paths);
        if let Some(now) = watch.apply(&paths, &Options::dated()) {
            going = draw(&screen::text(&now, Some(since.elapsed())))?;
        }
    }
    Ok(PASS)
}

/// Shows a state: on a terminal in place of the one before, elsewhere below it. False when nobody reads any more.
fn draw(text: &str) -> Result<bool, String> {
    const CLEAR: &[u8] = b"\x1b[H\x1b[2J\x1b[3J";
    let mut stream = io::stdout().lock();
    let cleared = if stream.is_terminal() { stream.write_all(CLEAR) } else { Ok(()) };
    let mut stream = anstream::AutoStream::auto(stream);
    match cleared.and_then(|()| stream.write_all(text.as_bytes())).and_then(|()| stream.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(format!("failed to draw: {error}")),
    }
}
