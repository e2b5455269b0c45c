//! Opening files and entries, and running a decoder over them.

use crate::assets::sniff::{self, Decoder, Format, Origin};
use crate::assets::{OpenFile, Window, enter};
use assay_model::bytes::with_host;
use assay_model::{Attachment, Errno, Host, Output, Place, Port, PortError, ReadAt, Source, Tree};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
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

/// A file or an entry, and a part of it where it holds several that are shown one by one.
pub(super) struct Chosen {
    /// Its bytes.
    pub reader: Reader,
    /// What it is called.
    pub name: String,
    /// What it is, if anybody knows.
    pub format: Option<&'static Format>,
    /// Name or number of the part.
    pub part: Option<String>,
    /// The archive that it is in.
    within: Option<Reader>,
    path: PathBuf,
}

impl Chosen {
    /// A file that the user named, an entry of it, or a part of either: names, ids or numbers with `/` between.
    pub fn find(path: &Path, entry: Option<&str>) -> Result<Self, String> {
        let (reader, name) = (file(path)?, path.display().to_string());
        let format = sniff::format(&reader, &name);
        let mut chosen = Self { reader, name, format, part: None, within: None, path: path.to_owned() };
        let mut left = entry.into_iter().flat_map(|entry| entry.split('/')).map(str::trim);
        while let Some(next) = left.next() {
            if chosen.decoders().iter().any(|decoder| decoder.each.is_some()) {
                let rest: Vec<&str> = std::iter::once(next).chain(left).collect();
                chosen.part = Some(rest.join("/"));
                break;
            }
            let inside = enter(Arc::clone(&chosen.reader), next)
                .map_err(|why| format!("find `{next}` in {}: {}", chosen.name, why.message))?;
            chosen.within = Some(std::mem::replace(&mut chosen.reader, inside));
            next.clone_into(&mut chosen.name);
            chosen.format = sniff::format(&chosen.reader, next);
        }
        Ok(chosen)
    }

    /// What decodes it.
    pub fn decoders(&self) -> &'static [Decoder] {
        self.format.map_or(&[], |format| format.decoders)
    }

    /// What stands beside it under the same name with another extension.
    pub fn beside(&self, extension: &str) -> Option<Reader> {
        match &self.within {
            None => file(&self.path.with_extension(extension)).ok(),
            Some(archive) => {
                let stem = self.name.rsplit_once('.')?.0;
                enter(Arc::clone(archive), &format!("{stem}.{extension}")).ok()
            }
        }
    }
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

/// Arguments by name.
type Members = Vec<(String, Tree)>;

/// The arguments of a decoder over a file, and what opens the bytes in them; `beside` gives the files that stand next to it,
/// by extension.
fn given(
    decoder: &Decoder,
    reader: &Reader,
    beside: impl Fn(&str) -> Option<Reader>,
) -> Result<(Members, Arc<dyn Host>), PortError> {
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
    Ok((members, Arc::new(Given(readers))))
}

/// Runs a decoder over one part of what is chosen: the one of this name, else of this number.
pub(super) fn decode_part(
    port: &dyn Port,
    decoder: &Decoder,
    chosen: &Chosen,
    part: &str,
) -> Result<Decoded, PortError> {
    let (members, host) = given(decoder, &chosen.reader, |extension| chosen.beside(extension))?;
    let one = |argument: &str, value: Tree| {
        let mut members = members.clone();
        members.push((argument.to_owned(), value));
        run(port, members, &host)
    };
    match (one("name", Tree::Text(part.to_owned())), decoder.each, part.parse()) {
        (Err(_), Some(each), Ok(number)) => one(each, Tree::Int(number)),
        (named, _, _) => named,
    }
}

/// Runs a decoder over a file; `beside` gives the files that stand next to it, by extension. Where one run gives one part,
/// all of them are run, and their bytes joined. A port that breaks is an error of it.
pub(super) fn decode(
    port: &dyn Port,
    decoder: &Decoder,
    reader: &Reader,
    beside: impl Fn(&str) -> Option<Reader>,
) -> Result<Decoded, PortError> {
    let (members, host) = given(decoder, reader, beside)?;
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

fn run(port: &dyn Port, members: Members, host: &Arc<dyn Host>) -> Result<Decoded, PortError> {
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
