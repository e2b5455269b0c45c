//! The protocol over a pipe in memory.

use assay_gateway::mcp::Server;
use assay_gateway::snapshot::Gateway;
use rmcp::ServiceExt as _;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

/// Sends requests to a server over a gateway, in memory, and gives the raw answers, one a line.
pub fn ask(gateway: Arc<Gateway>, requests: &[Value]) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, server) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(server);
        let serving = tokio::spawn(async move {
            let session = Server::new(gateway).serve((read, write)).await.unwrap();
            session.waiting().await.unwrap();
        });
        let (read, mut write) = tokio::io::split(client);
        let mut lines = BufReader::new(read).lines();
        let mut answers = Vec::new();
        for request in requests {
            write.write_all(format!("{request}\n").as_bytes()).await.unwrap();
            if request.get("id").is_some() {
                answers.push(lines.next_line().await.unwrap().unwrap());
            }
        }
        write.shutdown().await.unwrap();
        drop((write, lines));
        serving.await.unwrap();
        answers
    })
}

/// What opens a session of an old client.
pub fn handshake(version: &str) -> [Value; 2] {
    let client = json!({ "name": "test", "version": "0" });
    [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": { "protocolVersion": version, "capabilities": {}, "clientInfo": client } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ]
}
