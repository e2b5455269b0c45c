//! The four tools over MCP, and resources, prompts and completions beside them: all five protocol revisions, on standard
//! input and output.
//!
//! Every type of the protocol library stays in this file and the folder beside it. Listing tools and shaking hands never wait for the corpus; it
//! is read and verified on a thread of its own meanwhile.

mod content;

use crate::envelope::{Reply, abridged, value};
use crate::snapshot::Gateway;
use crate::surface::{INSTRUCTIONS, Tool};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, DiscoverResult, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, Tool as McpTool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError};
use rmcp::{ErrorData, ServerHandler, ServiceExt as _};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

/// How long a client may keep the tool list and the identity: they are constants of the binary.
const TTL_MS: u64 = 3_600_000;

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
}

impl Server {
    /// A handler over a gateway.
    #[must_use]
    pub const fn new(gateway: Arc<Gateway>) -> Self {
        Self { gateway }
    }

    /// Does work that may wait for the first snapshot away from the threads that serve the connection.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Gateway) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let gateway = Arc::clone(&self.gateway);
        let done = tokio::task::spawn_blocking(move || work(&gateway)).await;
        done.unwrap_or_else(|_| Err(ErrorData::internal_error("unexpected failure", None)))
    }
}

/// Serves standard input and output until the input ends.
///
/// # Errors
/// The runtime does not start, or the first message opens no session; a fragment that fits after "failed to".
pub fn serve_stdio(gateway: Arc<Gateway>) -> Result<(), String> {
    let warming = Arc::clone(&gateway);
    std::thread::spawn(move || warming.warm());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| format!("start the runtime: {error}"))?;
    let outcome = runtime.block_on(async {
        let session = Server::new(gateway).serve(rmcp::transport::io::stdio_pipes()).await;
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

/// The protocol revisions that are served, oldest first.
#[must_use]
pub fn versions() -> Vec<&'static str> {
    ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).collect()
}

/// The tools as the protocol lists them.
#[must_use]
pub fn tools() -> Vec<McpTool> {
    static TOOLS: LazyLock<Vec<McpTool>> =
        LazyLock::new(|| Tool::ALL.iter().map(|tool| listed(*tool)).collect());
    TOOLS.clone()
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
    let content = vec![ContentBlock::text(text)];
    let mut result =
        if reply.ok() { CallToolResult::success(content) } else { CallToolResult::error(content) };
    result.structured_content = structured.then(|| value(&envelope));
    result
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
        Ok(ListToolsResult::with_all_items(tools()).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<McpTool> {
        Tool::named(name).map(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::named(&request.name) else {
            let names: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
            let message = format!("unknown tool `{}`; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let structured = context
            .protocol_version()
            .is_none_or(|version| version.as_str() >= ProtocolVersion::V_2025_06_18.as_str());
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        // Finding and describing may still wait for the first snapshot, running and verifying are work.
        self.aside(move |gateway| Ok(result(&gateway.call(tool, &arguments), structured).into())).await
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
