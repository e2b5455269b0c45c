//! Trivial handlers on the same stack: what a call costs before anything is done.

use assay_gateway::corpus::Corpus;
use assay_gateway::http::{Settings, serve_with};
use assay_gateway::snapshot::{Gateway, Snapshot};
use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Map, Value};
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::runtime::Builder;

/// A server with one tool that says what it was told.
#[derive(Clone)]
struct Echo;

impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut schema = Map::new();
        schema.insert("type".to_owned(), Value::from("object"));
        Ok(ListToolsResult::with_all_items(vec![Tool::new("echo", "Says it again.", Arc::new(schema))]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let said = Value::Object(request.arguments.unwrap_or_default()).to_string();
        Ok(CallToolResult::success(vec![ContentBlock::text(said)]).into())
    }
}

/// The tool over the protocol library on standard input and output.
pub fn stdio() {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let session = Echo.serve(rmcp::transport::io::stdio_pipes()).await.expect("a session");
        let _ = session.waiting().await;
    });
    runtime.shutdown_background();
}

/// The tool behind everything that a request to the product's `/mcp` passes.
pub fn mcp() {
    let gateway = Arc::new(Gateway::over(Snapshot::new(&[], &Corpus::default(), 1)));
    serve_with(gateway, Settings::default(), |_| Echo, tell, std::future::pending()).expect("a server");
}

/// The web framework alone.
pub fn http() {
    let runtime = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let router = Router::new().route("/api/v1/tools/echo", post(async |body: Bytes| body));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        tell(listener.local_addr().expect("an address"));
        axum::serve(listener, router).await.expect("a server");
    });
}

fn tell(address: SocketAddr) {
    let _ = writeln!(std::io::stderr(), "{address}");
}
