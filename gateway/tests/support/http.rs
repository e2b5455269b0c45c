//! The real server on a free port of this machine, and a client that hides nothing of what goes over the wire.

use assay_gateway::http::{Settings, serve};
use assay_gateway::snapshot::Gateway;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

pub const ALL_REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// A running server; it ends with the test.
pub struct Server {
    pub address: SocketAddr,
    stop: CancellationToken,
    thread: Option<JoinHandle<Result<(), String>>>,
}

impl Server {
    /// Over the embedded corpus.
    pub fn start() -> Self {
        Self::over(Arc::new(Gateway::new(None)), Settings::default())
    }

    pub fn over(gateway: Arc<Gateway>, settings: Settings) -> Self {
        let stop = CancellationToken::new();
        let (sender, receiver) = mpsc::channel();
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let bound = move |address| sender.send(address).unwrap();
            serve(gateway, settings, bound, async move { stopped.cancelled().await })
        });
        Self { address: receiver.recv().unwrap(), stop, thread: Some(thread) }
    }

    /// Tells it to stop without waiting.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits for its end, after [`Server::stop`].
    pub fn join(&mut self) {
        self.thread.take().unwrap().join().unwrap().unwrap();
    }

    pub fn connect(&self) -> Connection {
        Connection::to(self.address)
    }

    /// One request on a connection of its own.
    pub fn send(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        self.connect().send(method, target, headers, body)
    }

    pub fn get(&self, target: &str) -> Response {
        self.send("GET", target, &[], b"")
    }

    pub fn post(&self, target: &str, body: &Value) -> Response {
        self.send("POST", target, &[JSON], body.to_string().as_bytes())
    }

    /// A message to `/mcp` with the headers that every client sends, and more.
    pub fn mcp(&self, headers: &[(&str, &str)], message: &Value) -> Response {
        let mut all = vec![JSON, ACCEPT];
        all.extend_from_slice(headers);
        self.send("POST", "/mcp", &all, message.to_string().as_bytes())
    }

    /// Shakes hands and gives the headers of the session.
    pub fn session(&self, version: &str) -> Session<'_> {
        let hello = self.mcp(&[], &initialize(version));
        assert_eq!(hello.status, 200, "{hello:?}");
        assert_eq!(hello.json()["result"]["protocolVersion"], json!(version));
        let id = hello.header("mcp-session-id").unwrap().to_owned();
        let session = Session { server: self, id, version: version.to_owned() };
        let ready = session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert_eq!((ready.status, ready.body.len()), (202, 0));
        session
    }

    /// A request of the current revision.
    pub fn modern(&self, method: &str, params: Value) -> Response {
        let name = params["name"].as_str().or_else(|| params["uri"].as_str()).map(str::to_owned);
        let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
        headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
        self.mcp(&headers, &request(7, method, modern(params)))
    }

    /// Waits until the metrics have that line.
    pub fn eventually(&self, line: &str) {
        let started = Instant::now();
        loop {
            let metrics = self.get("/metrics");
            if metrics.text().lines().any(|known| known == line) {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "never {line} in\n{}", metrics.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(std::thread::panicking() || matches!(ended, Ok(Ok(()))), "{ended:?}");
        }
    }
}

/// A session of a client that shook hands.
pub struct Session<'a> {
    server: &'a Server,
    pub id: String,
    pub version: String,
}

impl Session<'_> {
    pub fn send(&self, message: &Value) -> Response {
        self.server.mcp(&[("mcp-session-id", &self.id), ("mcp-protocol-version", &self.version)], message)
    }

    pub fn ask(&self, method: &str, params: Value) -> Response {
        self.send(&request(7, method, params))
    }
}

pub const JSON: (&str, &str) = ("content-type", "application/json");
pub const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");

pub fn request(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub fn initialize(version: &str) -> Value {
    let client = json!({ "name": "test", "version": "0" });
    request(0, "initialize", json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }))
}

/// Parameters as the current revision wants them.
pub fn modern(mut params: Value) -> Value {
    let own = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "0" },
    });
    let meta = params["_meta"].as_object().cloned().unwrap_or_default();
    params["_meta"] = own;
    params["_meta"].as_object_mut().unwrap().extend(meta);
    params
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The messages of an event stream.
    pub fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"), "{self:?}");
        let data = self.text().lines().filter_map(|line| line.strip_prefix("data:"));
        data.filter(|data| !data.trim().is_empty()).map(|data| serde_json::from_str(data).unwrap()).collect()
    }

    /// A problem of this status and kind.
    pub fn problem(&self, status: u16, kind: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let body = self.json();
        assert_eq!(body["type"], json!(format!("/problems/{kind}")), "{body}");
        assert_eq!(body["status"], json!(status));
        assert!(body["title"].is_string() && body["detail"].is_string(), "{body}");
    }

    /// A JSON-RPC error of this status and code, for this id.
    pub fn refused(&self, status: u16, code: i32, id: &Value) {
        assert_eq!(self.status, status, "{self:?}");
        let body = self.json();
        assert_eq!((&body["error"]["code"], &body["id"]), (&json!(code), id), "{body}");
        assert_eq!(body["jsonrpc"], json!("2.0"));
    }
}

/// One connection.
pub struct Connection {
    pub stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        Self { stream, buffer: Vec::new() }
    }

    /// Writes a request with the length of its body; a Host is added unless one is given.
    pub fn write(&mut self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) {
        let mut head = format!("{method} {target} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head += "host: localhost\r\n";
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("content-length: {}\r\n\r\n", body.len());
        // A server that refuses early may close before it has read all of it.
        let _ = self.stream.write_all(&[head.as_bytes(), body].concat());
    }

    pub fn send(&mut self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        self.write(method, target, headers, body);
        let mut response = self.head().unwrap();
        if method != "HEAD" {
            self.body(&mut response);
        }
        response
    }

    /// One more piece of what the other end sends; false at the end.
    fn more(&mut self) -> bool {
        let mut piece = [0; 8192];
        match self.stream.read(&mut piece) {
            Ok(0) | Err(_) => false,
            Ok(length) => {
                self.buffer.extend_from_slice(&piece[..length]);
                true
            }
        }
    }

    fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let line = self.buffer.drain(..end + 2).collect::<Vec<u8>>();
                return Some(String::from_utf8(line[..end].to_vec()).unwrap());
            }
            if !self.more() {
                return None;
            }
        }
    }

    fn exactly(&mut self, length: usize) -> Vec<u8> {
        while self.buffer.len() < length {
            assert!(self.more(), "the body ended early");
        }
        self.buffer.drain(..length).collect()
    }

    /// Status and headers; `None` when the connection ends instead.
    pub fn head(&mut self) -> Option<Response> {
        let status = self.line()?.split(' ').nth(1)?.parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Some(Response { status, headers, body: Vec::new() })
    }

    /// The body after a head.
    pub fn body(&mut self, response: &mut Response) {
        if let Some(length) = response.header("content-length") {
            response.body = self.exactly(length.parse().unwrap());
        } else if response.header("transfer-encoding") == Some("chunked") {
            loop {
                let length = usize::from_str_radix(&self.line().unwrap(), 16).unwrap();
                let piece = self.exactly(length);
                self.line();
                if length == 0 {
                    break;
                }
                response.body.extend(piece);
            }
        }
    }
}
