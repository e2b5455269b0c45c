//! The four tools over MCP, and resources, prompts and completions beside them: all five protocol revisions, on standard
//! input and output.
//!
//! Every type of the protocol library stays in this file and the folder beside it. Listing tools and shaking hands never
//! wait for the corpus; it is read and verified on a thread of its own meanwhile.

mod content;

use crate::control::Control;
use crate::envelope::{Reply, abridged, value};
use crate::http::BODY_LIMIT;
use crate::pool::Pool;
use crate::snapshot::Gateway;
use crate::surface::{INSTRUCTIONS, Tool};
use crate::toolset::Toolset;
use assay_model::Tree;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, DiscoverResult, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, Tool as McpTool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, ServerHandler, ServiceExt as _};
use serde_json::Value;
use std::convert::Infallible;
use std::future::{Future, pending};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::sync::watch;

/// How long a client may keep the tool list and the identity: they are constants of the binary.
const TTL_MS: u64 = 3_600_000;

/// Progress is told no more often than this.
const PROGRESS_PERIOD: Duration = Duration::from_millis(100);

/// Methods that exist here, so that misshapen parameters are told from an unknown method. Handshake methods are missing
/// on purpose: today's protocol wants them unknown.
const METHODS: [&str; 9] = [
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "server/discover",
];

/// The handler of one connection.
#[derive(Clone)]
pub struct Server {
    gateway: Arc<Gateway>,
    pool: Pool,
    toolset: Toolset,
}

impl Server {
    /// A handler over a gateway, with every tool.
    #[must_use]
    pub fn new(gateway: Arc<Gateway>) -> Self {
        Self::with(gateway, Pool::default(), Toolset::ALL)
    }

    /// A handler that offers some tools, on a pool that others may use too.
    #[must_use]
    pub const fn with(gateway: Arc<Gateway>, pool: Pool, toolset: Toolset) -> Self {
        Self { gateway, pool, toolset }
    }

    fn tool(&self, name: &str) -> Option<Tool> {
        Tool::named(name).filter(|tool| self.toolset.holds(*tool))
    }

    /// Does work that may wait for the first snapshot away from the threads that serve the connection.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Gateway) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let gateway = Arc::clone(&self.gateway);
        let done = self.pool.aside(move || work(&gateway)).await;
        done.unwrap_or_else(|broken| Err(ErrorData::internal_error(broken, None)))
    }
}

/// Serves standard input and output until the input ends.
///
/// # Errors
/// The runtime does not start, or the first message opens no session; a fragment that fits after "failed to".
pub fn serve_stdio(gateway: Arc<Gateway>, toolset: Toolset) -> Result<(), String> {
    let warming = Arc::clone(&gateway);
    std::thread::spawn(move || warming.warm());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| format!("start the runtime: {error}"))?;
    let outcome = runtime.block_on(async {
        let (input, output) = rmcp::transport::io::stdio_pipes();
        // What arrives over HTTP arrives here as well. A longer line is dropped with a line in the log.
        let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(BODY_LIMIT);
        let session = Server::with(gateway, Pool::default(), toolset).serve(transport).await;
        let session = match session {
            Ok(session) => session,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
                return Err(
                    "open a session: the first message is neither initialize nor a request of the current \
                     protocol"
                        .to_owned(),
                );
            }
            Err(error) => return Err(format!("open a session: {error}")),
        };
        session.waiting().await.map(drop).map_err(|error| format!("keep the session: {error}"))
    });
    // A blocking read of the input may still be pending; the process ends anyway.
    runtime.shutdown_background();
    outcome
}

/// Made once, because the protocol library asks for a tool with each call of it.
static TOOLS: LazyLock<Vec<McpTool>> = LazyLock::new(|| Tool::ALL.iter().map(|tool| listed(*tool)).collect());

/// The protocol revisions that are served, oldest first.
#[must_use]
pub fn versions() -> Vec<&'static str> {
    ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).collect()
}

/// The tools as the protocol lists them.
#[must_use]
pub fn tools() -> Vec<McpTool> {
    offered(Toolset::ALL)
}

/// The tools of a set as the protocol lists them.
#[must_use]
pub fn offered(toolset: Toolset) -> Vec<McpTool> {
    let all = TOOLS.iter().zip(Tool::ALL);
    all.filter(|(_, tool)| toolset.holds(**tool)).map(|(listed, _)| listed.clone()).collect()
}

fn listed(tool: Tool) -> McpTool {
    let object = |schema: Value| match schema {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    };
    let annotations =
        ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    McpTool::new(tool.name(), tool.description(), object(tool.input_schema()))
        .with_title(tool.title())
        .with_raw_output_schema(object(tool.output_schema()))
        .with_annotations(annotations)
}

/// The envelope as a tool result. Clients from before structured content get the whole text, however long.
fn result(reply: &Reply, structured: bool) -> CallToolResult {
    let envelope = reply.envelope();
    let text = if structured { abridged(&envelope) } else { envelope.to_string() };
    let mut content = vec![ContentBlock::text(text)];
    content.extend(reply.data().into_iter().flat_map(shown));
    let mut result =
        if reply.ok() { CallToolResult::success(content) } else { CallToolResult::error(content) };
    result.structured_content = structured.then(|| value(&envelope));
    result
}

/// The pictures and sounds among the attachments, as a client shows them. They are in the structured content too, which is
/// the same on every transport.
fn shown(data: &Tree) -> Vec<ContentBlock> {
    let Some(Tree::List(attachments)) = data.get("attachments") else { return Vec::new() };
    let block = |attachment: &Tree| {
        let word = |key: &str| attachment.get(key).and_then(Tree::as_str).map(str::to_owned);
        let (kind, bytes) = (word("media_type")?, word("base64")?);
        match kind.split_once('/')?.0 {
            "image" => Some(ContentBlock::image(bytes, kind)),
            "audio" => Some(ContentBlock::audio(bytes, kind)),
            _ => None,
        }
    };
    attachments.iter().filter_map(block).collect()
}

/// The newest `(done, total)` of a call.
type Progress = watch::Receiver<(usize, usize)>;

/// The control of a call, and where its progress arrives if the caller wants it.
fn progress(context: &RequestContext<RoleServer>) -> (Control, Option<(ProgressToken, Progress)>) {
    let Some(token) = context.meta.get_progress_token() else { return (Control::default(), None) };
    let (sender, receiver) = watch::channel((0, 0));
    let listener = move |done, total| {
        // Threads report out of order, and progress only rises.
        sender.send_if_modified(|newest| {
            let risen = done > newest.0;
            if risen {
                *newest = (done, total);
            }
            risen
        });
    };
    (Control::listening(listener), Some((token, receiver)))
}

/// Waits for a call, passing on its progress at most every [`PROGRESS_PERIOD`] and stopping it when it is cancelled.
async fn watched<T>(
    call: impl Future<Output = T>,
    context: &RequestContext<RoleServer>,
    control: &Control,
    progress: Option<(ProgressToken, Progress)>,
) -> T {
    let report = async {
        let Some((token, mut newest)) = progress else { return pending::<Infallible>().await };
        while newest.changed().await.is_ok() {
            let (done, total) = *newest.borrow_and_update();
            let said = ProgressNotificationParam::new(token.clone(), done as f64).with_total(total as f64);
            // A client that does not listen any more will be noticed by the transport.
            let _ = context.peer.notify_progress(said).await;
            tokio::time::sleep(PROGRESS_PERIOD).await;
        }
        pending::<Infallible>().await
    };
    let cancelled = async {
        context.ct.cancelled().await;
        control.stop();
        pending::<Infallible>().await
    };
    tokio::select! {
        outcome = call => outcome,
        never = report => match never {},
        never = cancelled => match never {},
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let identity = Implementation::new("assay", env!("CARGO_PKG_VERSION")).with_title("Assay");
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities).with_server_info(identity).with_instructions(INSTRUCTIONS)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut discovered = DiscoverResult::from_server_info(versions, self.get_info());
        discovered.ttl_ms = TTL_MS;
        discovered.cache_scope = CacheScope::Public;
        Ok(discovered)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "the tool list is one page; no cursor belongs to it",
                None,
            ));
        }
        let tools = offered(self.toolset);
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<McpTool> {
        self.tool(name)?;
        TOOLS.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tool(&request.name) else {
            let names: Vec<&str> = self.toolset.tools().map(Tool::name).collect();
            let message = format!("unknown tool `{}`; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let structured = context
            .protocol_version()
            .is_none_or(|version| version.as_str() >= ProtocolVersion::V_2025_06_18.as_str());
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let (control, progress) = progress(&context);
        let call = self.pool.call(&self.gateway, tool, arguments, control.clone());
        let reply = watched(call, &context, &control, progress).await;
        reply
            .map(|reply| result(&reply, structured).into())
            .map_err(|broken| ErrorData::internal_error(broken, None))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = content::cursor(request);
        self.aside(move |gateway| content::list(gateway, &cursor)).await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        content::templates(&content::cursor(request))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.aside(move |gateway| content::read(gateway, &request.uri).map(Into::into)).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        content::prompts(&content::cursor(request))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.aside(move |gateway| content::get_prompt(gateway, &request).map(Into::into)).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.aside(move |gateway| content::complete(gateway, &request)).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if METHODS.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(
                format!("malformed parameters of {}", request.method),
                None,
            ));
        }
        Err(ErrorData::new(rmcp::model::ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pictures_and_sounds_are_content_and_bytes_are_not() {
        let data = r#"{"attachments":[
            {"media_type":"application/octet-stream","base64":"AA=="},
            {"media_type":"image/png","base64":"iVBO"},
            {"media_type":"audio/wav","base64":"UklG"},
            {"media_type":"image/png","base64":null}]}"#;
        let blocks = json!(shown(&Tree::from_json(data.as_bytes()).unwrap()));
        assert_eq!(
            blocks,
            json!([
                { "type": "image", "data": "iVBO", "mimeType": "image/png" },
                { "type": "audio", "data": "UklG", "mimeType": "audio/wav" },
            ])
        );
        assert!(shown(&Tree::Map(Vec::new())).is_empty());
    }
}
