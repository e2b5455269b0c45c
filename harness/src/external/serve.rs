//! The other side of the protocol: ports of this process, served on a pair of streams.
//!
//! A port that is written in Rust needs nothing else; for every other language it is a second reading of the reference.

use super::message::{
    Answer, Hello, HelloReply, Introduction, Offer, PROTOCOL, Refused, Run, line as written,
};
use crate::panics;
use assay_model::{Errno, Output, Port};
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read, Write};

/// Who serves.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// Name of the port.
    pub name: &'a str,
    /// Version of the port.
    pub version: &'a str,
}

/// Answers questions until `bye`, or until the input ends. Answers are flushed when no question is waiting.
///
/// A panic of a port ends nothing: the question is answered with `EIO`.
///
/// # Errors
/// The streams', a greeting in another version of the protocol, and lines that are no questions (`InvalidData`).
pub fn serve(
    identity: Identity,
    ports: &[&dyn Port],
    input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    let by_name: BTreeMap<&str, &dyn Port> = ports.iter().map(|port| (port.meta().name, *port)).collect();
    let mut input = BufReader::with_capacity(64 << 10, input);
    let (mut line, mut run, mut greeted) = (Vec::new(), Output::default(), false);
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        if !greeted {
            greet(&line)?;
            output.write_all(&introduction(identity, ports))?;
            greeted = true;
        } else if line.starts_with(b"{\"bye\"") {
            return output.flush();
        } else {
            answer(&line, &by_name, &mut run, &mut output)?;
        }
        // Half a line in the buffer is no reason to wait: the harness ends what it began without being answered.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

fn greet(line: &[u8]) -> io::Result<()> {
    let Hello { hello } = serde_json::from_slice(line).map_err(invalid)?;
    if hello.protocol == PROTOCOL {
        return Ok(());
    }
    Err(invalid(format!("the harness speaks protocol {}, and this port {PROTOCOL}", hello.protocol)))
}

fn introduction(identity: Identity, ports: &[&dyn Port]) -> Vec<u8> {
    let offer = |port: &&dyn Port| Offer {
        name: port.meta().name.to_owned(),
        games: Some(port.meta().games.to_vec()),
    };
    written(&HelloReply {
        hello: Introduction {
            protocol: PROTOCOL,
            name: identity.name.to_owned(),
            language: "Rust".to_owned(),
            version: identity.version.to_owned(),
            capabilities: ports.iter().map(offer).collect(),
            window: None,
        },
    })
}

/// Answers one question.
fn answer(
    line: &[u8],
    ports: &BTreeMap<&str, &dyn Port>,
    run: &mut Output,
    output: &mut impl Write,
) -> io::Result<()> {
    let read;
    let (id, capability, input) = match parts(line) {
        Some(parts) => parts,
        None => {
            let Run { run: question } = serde_json::from_slice(line).map_err(invalid)?;
            read = (question.capability, question.input.to_json());
            (question.id, read.0.as_str(), read.1.as_slice())
        }
    };
    let nothing = Answer { id, ok: None, error: None, skip: None };
    let Some(port) = ports.get(capability) else {
        let skip = Some(format!("`{capability}` is not offered"));
        return output.write_all(&written(&Answer { skip, ..nothing }));
    };
    match panics::catch(|| port.run(input, run)) {
        Ok(Ok(())) => {
            write!(output, "{{\"id\":{id},\"ok\":")?;
            output.write_all(&run.json)?;
            output.write_all(b"}\n")
        }
        Ok(Err(error)) => output.write_all(&written(&Answer { error: Some(error.into()), ..nothing })),
        Err(panic) => {
            let message = format!("panicked at {}: {}", panic.place, panic.message);
            let error = Some(Refused { errno: Errno::Eio, field: String::new(), message });
            output.write_all(&written(&Answer { error, ..nothing }))
        }
    }
}

/// The parts of a question that is written as the harness writes it; the input is not looked into.
fn parts(line: &[u8]) -> Option<(u64, &str, &[u8])> {
    let rest = line.strip_suffix(b"}}\n")?.strip_prefix(b"{\"run\":{\"id\":")?;
    let comma = rest.iter().position(|byte| *byte == b',')?;
    let id = std::str::from_utf8(rest.get(..comma)?).ok()?.parse().ok()?;
    let rest = rest.get(comma..)?.strip_prefix(b",\"capability\":\"")?;
    let quote = rest.iter().position(|byte| *byte == b'"')?;
    let capability = std::str::from_utf8(rest.get(..quote)?).ok()?;
    let input = rest.get(quote..)?.strip_prefix(b"\",\"input\":")?;
    (!capability.contains('\\')).then_some((id, capability, input))
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::message;

    #[test]
    fn a_question_is_cut_or_read_and_both_ways_agree() {
        let line = [message::head(7).as_bytes(), &message::tail("compute_x", br#"{"a":"}}"}"#)].concat();
        assert_eq!(parts(&line), Some((7, "compute_x", br#"{"a":"}}"}"#.as_slice())));
        for spaced in ["{\"run\": {\"id\":7,\"capability\":\"x\",\"input\":{}}}\n", "{\"bye\":{}}\n", ""] {
            assert_eq!(parts(spaced.as_bytes()), None, "{spaced}");
        }
    }

    fn spoken(lines: &str) -> io::Result<String> {
        let mut output = Vec::new();
        serve(Identity { name: "n", version: "v" }, &[], lines.as_bytes(), &mut output)?;
        Ok(String::from_utf8(output).unwrap())
    }

    #[test]
    fn it_greets_skips_what_it_has_not_and_leaves() {
        let hello = r#"{"hello":{"protocol":1,"window":64,"line":16777216}}"#;
        let run = r#"{"run":{"capability":"compute_x", "id":3, "input":{}}}"#;
        let said = spoken(&format!("{hello}\n{run}\n{{\"bye\":{{}}}}\nnever read\n")).unwrap();
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines[0].starts_with(r#"{"hello":{"protocol":1,"name":"n","language":"Rust""#), "{said}");
        assert_eq!(lines[1], r#"{"id":3,"skip":"`compute_x` is not offered"}"#);
        assert_eq!(lines.len(), 2);
        assert!(spoken(&hello.replace(":1,", ":2,")).is_err());
        assert!(spoken(&format!("{hello}\nwhat?\n")).is_err());
    }
}
