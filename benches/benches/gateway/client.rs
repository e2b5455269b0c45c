//! A client that does no more than it must, so that what is measured is the server: requests are bytes made before, and
//! replies are read to their end but only looked at once.

use crate::server::Pipes;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The revision that other servers know too.
const REVISION: &str = "2025-06-18";

/// Where calls go.
#[derive(Clone)]
pub enum Target {
    /// The pipes of a process.
    Stdio(Arc<Mutex<Pipes>>),
    /// MCP at `/mcp`.
    Mcp(SocketAddr),
    /// `POST /api/v1/tools/<name>`.
    Rest(SocketAddr),
}

/// One connection.
pub enum Client<'a> {
    /// On pipes.
    Stdio(MutexGuard<'a, Pipes>),
    /// Over HTTP, with the session if it is MCP.
    Http {
        /// The connection.
        stream: BufReader<TcpStream>,
        /// The session's header; nothing for REST.
        session: Option<String>,
    },
}

impl<'a> Client<'a> {
    /// Connects and shakes hands.
    pub fn to(target: &'a Target) -> Self {
        let hello = message(
            0,
            "initialize",
            &json!({ "protocolVersion": REVISION, "capabilities": {}, "clientInfo": { "name": "bench", "version": "0" } }),
        );
        let done = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        match target {
            Target::Stdio(pipes) => {
                let mut pipes = pipes.lock().unwrap_or_else(PoisonError::into_inner);
                let open = std::mem::replace(&mut pipes.open, true);
                let mut client = Self::Stdio(pipes);
                if !open {
                    client.send(format!("{hello}\n").as_bytes());
                    client.receive();
                    client.send(format!("{done}\n").as_bytes());
                }
                client
            }
            Target::Rest(address) => Self::Http { stream: connect(*address), session: None },
            Target::Mcp(address) => {
                let mut client = Self::Http { stream: connect(*address), session: Some(String::new()) };
                client.send(&client.framed(&hello));
                let (head, _) = client.reply();
                let session = head.lines().find_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
                });
                let Self::Http { session: slot, .. } = &mut client else { unreachable!("it is HTTP") };
                *slot = Some(session.map_or_else(String::new, |id| format!("mcp-session-id: {id}\r\n")));
                client.send(&client.framed(done));
                client.receive();
                client
            }
        }
    }

    /// The bytes of a call. No two that are under way on one connection may have the same id.
    pub fn request(&self, id: usize, tool: &str, arguments: &Value) -> Vec<u8> {
        let called = || message(id, "tools/call", &json!({ "name": tool, "arguments": arguments }));
        match self {
            Self::Stdio(_) => format!("{}\n", called()).into_bytes(),
            Self::Http { session: Some(_), .. } => self.framed(&called()),
            Self::Http { session: None, .. } => {
                http(&format!("/api/v1/tools/{tool}"), "", &arguments.to_string())
            }
        }
    }

    /// The bytes of a request of MCP.
    pub fn framed(&self, message: &str) -> Vec<u8> {
        match self {
            Self::Stdio(_) => format!("{message}\n").into_bytes(),
            Self::Http { session, .. } => {
                let session = session.as_deref().unwrap_or_default();
                http("/mcp", &format!("{session}mcp-protocol-version: {REVISION}\r\n"), message)
            }
        }
    }

    /// Sends bytes.
    pub fn send(&mut self, request: &[u8]) {
        match self {
            Self::Stdio(pipes) => pipes.input.write_all(request),
            Self::Http { stream, .. } => stream.get_mut().write_all(request),
        }
        .expect("the server reads");
    }

    /// Reads one reply and gives its body.
    pub fn receive(&mut self) -> Vec<u8> {
        match self {
            Self::Stdio(pipes) => {
                let mut line = Vec::new();
                pipes.output.read_until(b'\n', &mut line).expect("the server answers");
                assert!(!line.is_empty(), "the server ended");
                line
            }
            Self::Http { .. } => self.reply().1,
        }
    }

    /// One call that must succeed.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Vec<u8> {
        let request = self.request(1, tool, arguments);
        self.send(&request);
        let reply = self.receive();
        let text = String::from_utf8_lossy(&reply);
        assert!(!text.contains("\"isError\":true") && !text.contains("\"error\":{"), "{text}");
        reply
    }

    /// Head and body.
    fn reply(&mut self) -> (String, Vec<u8>) {
        let Self::Http { stream, .. } = self else { unreachable!("only HTTP has heads") };
        let (mut head, mut length, mut chunked) = (String::new(), 0, false);
        loop {
            let from = head.len();
            stream.read_line(&mut head).expect("the server answers");
            let line = head[from..].trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            chunked |= line.starts_with("transfer-encoding:") && line.ends_with("chunked");
        }
        assert!(head.starts_with("HTTP/1.1 20"), "{head}");
        let mut body = vec![0; length];
        stream.read_exact(&mut body).expect("a whole body");
        while chunked {
            let mut line = String::new();
            stream.read_line(&mut line).expect("a chunk");
            let size = usize::from_str_radix(line.trim(), 16).expect("the size of a chunk");
            let from = body.len();
            body.resize(from + size + 2, 0);
            stream.read_exact(&mut body[from..]).expect("a whole chunk");
            body.truncate(from + size);
            chunked = size > 0;
        }
        (head, body)
    }
}

fn connect(address: SocketAddr) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_nodelay(true).expect("a socket");
    BufReader::with_capacity(1 << 16, stream)
}

/// A request of JSON-RPC.
pub fn message(id: usize, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn http(path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
