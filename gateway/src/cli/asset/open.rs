//! Opening files and entries, and running a decoder over them.

use crate::assets::sniff::{Decoder, Origin};
use crate::assets::{OpenFile, Window, enter};
use assay_model::bytes::with_host;
use assay_model::{Attachment, Errno, Host, Output, Place, Port, PortError, ReadAt, Source, Tree};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// Bytes that are read by position.
pub(super) type Reader = Arc<dyn ReadAt>;

/// A file that the user named.
pub(super) fn file(path: &Path) -> Result<Reader, String> {
    Ok(Arc::new(OpenFile::ambient(path)?))
}

/// A file that the user named, or an entry of it: names or ids with `/` between.
pub(super) fn entry(path: &Path, entry: Option<&str>) -> Result<Reader, String> {
    let names = entry.into_iter().flat_map(|entry| entry.split('/'));
    names.map(str::trim).try_fold(file(path)?, |archive, name| {
        enter(archive, name).map_err(|why| format!("find `{name}` in {}: {}", path.display(), why.message))
    })
}

/// All bytes, up to a limit.
pub(super) fn whole(reader: &dyn ReadAt, limit: u64) -> Result<Vec<u8>, String> {
    let length = reader.length();
    if length > limit {
        return Err(format!("{length} bytes are above {limit}"));
    }
    let mut bytes = vec![0; usize::try_from(length).map_err(|error| error.to_string())?];
    reader.read_at(0, &mut bytes).map_err(|why| why.message)?;
    Ok(bytes)
}

/// What a decoder gave.
pub(super) struct Decoded {
    pub breakdown: Tree,
    pub attachments: Vec<Attachment>,
}

/// The port of a name, if this build has it.
pub(super) fn port(capability: &str) -> Option<&'static dyn Port> {
    assay_ports::ALL.iter().copied().find(|port| port.meta().name == capability)
}

/// Opens what stands at a number, and nothing else.
struct Given(Vec<Reader>);

impl Host for Given {
    fn open(&self, source: &Source) -> Result<Reader, PortError> {
        let number = match &source.place {
            Place::Path(number) => number.parse::<usize>().ok(),
            Place::Upload(_) => None,
        };
        let missing = || PortError::invalid("", "no such source");
        number.and_then(|number| self.0.get(number)).cloned().ok_or_else(missing)
    }
}

/// Bytes that the parts of one file may give together.
const MAX_PARTS: usize = 256 << 20;

/// Runs a decoder over a file; `beside` gives the files that stand next to it, by extension. Where one run gives one part,
/// all of them are run, and their bytes joined. A port that breaks is an error of it.
pub(super) fn decode(
    port: &dyn Port,
    decoder: &Decoder,
    reader: &Reader,
    beside: impl Fn(&str) -> Option<Reader>,
) -> Result<Decoded, PortError> {
    let (mut members, mut readers) = (Vec::new(), Vec::new());
    for (argument, from) in decoder.arguments {
        let given = match from {
            Origin::File(0) => Arc::clone(reader),
            Origin::File(start) => after(reader, *start),
            Origin::Beside(extension) => beside(extension).ok_or_else(|| PortError {
                errno: Errno::Enoent,
                field: (*argument).to_owned(),
                message: format!("no .{extension} stands beside it"),
            })?,
        };
        members.push(((*argument).to_owned(), Tree::Text(format!("host:{}", readers.len()))));
        readers.push(given);
    }
    let host: Arc<dyn Host> = Arc::new(Given(readers));
    let Some(each) = decoder.each else { return run(port, members, &host) };
    let mut all: Option<Decoded> = None;
    for number in 0.. {
        let mut members = members.clone();
        members.push((each.to_owned(), Tree::Int(number)));
        match (run(port, members, &host), &mut all) {
            (Err(why), Some(_)) if why.errno == Errno::Enoent && why.field == each => break,
            (Ok(first), None) => all = Some(first),
            (Ok(next), Some(all)) => join(all, next)?,
            (Err(why), _) => return Err(why),
        }
    }
    all.ok_or_else(|| PortError::invalid("", "it has no parts"))
}

/// The file without its beginning; nothing, when it is shorter.
fn after(reader: &Reader, start: u64) -> Reader {
    let start = start.min(reader.length());
    let rest = Window::new(Arc::clone(reader), start, reader.length() - start);
    rest.map_or_else(|| Arc::clone(reader), |window| Arc::new(window) as Reader)
}

/// Puts the bytes of the next part behind those of the parts before.
fn join(all: &mut Decoded, next: Decoded) -> Result<(), PortError> {
    for (whole, part) in all.attachments.iter_mut().zip(next.attachments) {
        if whole.bytes.len() + part.bytes.len() > MAX_PARTS {
            let message = format!("its parts give more than {MAX_PARTS} bytes together");
            return Err(PortError { errno: Errno::Efbig, field: String::new(), message });
        }
        whole.bytes.extend(part.bytes);
    }
    Ok(())
}

fn run(port: &dyn Port, members: Vec<(String, Tree)>, host: &Arc<dyn Host>) -> Result<Decoded, PortError> {
    let (input, mut output) = (Tree::Map(members).to_json(), Output::default());
    let run = || with_host(Some(Arc::clone(host)), || port.run(&input, &mut output));
    let broken = |what: &str| PortError {
        errno: Errno::Eio,
        field: String::new(),
        message: format!("{} {what}", port.meta().name),
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(broken("panicked")))?;
    let breakdown = Tree::from_json(&output.json).map_err(|_| broken("gave no JSON"))?;
    Ok(Decoded { breakdown, attachments: output.attachments })
}
