//! The product's own server with what the conformance suite asks for by name around its handler: tools, resources and
//! prompts that mean nothing else. Router, front, guards and dispatch are those that ship.
//!
//! Takes one argument, the address to listen on; the address it got is the first line of standard output.

#![expect(deprecated, reason = "the older revisions have logging, and the suite asks for it")]

mod fixture;
mod rounds;

use assay_gateway::http::{Settings, serve_with};
use assay_gateway::mcp::Server;
use assay_gateway::snapshot::Gateway;
use fixture::{complete, named, parsed};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, DiscoverResult,
    ErrorData, GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, LoggingMessageNotificationParam, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, Tool, UnsubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

type Context = RequestContext<RoleServer>;

const STEP: Duration = Duration::from_millis(50);

fn main() -> ExitCode {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let Ok(address) = address.parse() else { return ExitCode::from(2) };
    let bound = |address| {
        // The script that reads it may be gone.
        let _ = writeln!(std::io::stdout(), "{address}");
    };
    let settings = Settings { address, ..Settings::default() };
    let gateway = Arc::new(Gateway::new(None));
    let served = serve_with(gateway, settings, Fixture, bound, std::future::pending());
    ExitCode::from(u8::from(served.is_err()))
}

/// The product's handler with the fixture around it.
#[derive(Clone)]
struct Fixture(Server);

impl Fixture {
    /// The three tools that say something while they work.
    async fn talking(name: &str, context: &Context) -> Option<Value> {
        match name {
            "test_tool_with_logging" => {
                for said in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
                    let message = json!({ "level": "info", "data": said });
                    let _ = context
                        .peer
                        .notify_logging_message(parsed::<LoggingMessageNotificationParam>(message))
                        .await;
                    tokio::time::sleep(STEP).await;
                }
            }
            "test_tool_with_progress" => {
                for progress in [0.0, 50.0, 100.0] {
                    if let Some(token) = context.meta.get_progress_token() {
                        let said = ProgressNotificationParam::new(token, progress).with_total(100.0);
                        let _ = context.peer.notify_progress(said).await;
                    }
                    tokio::time::sleep(STEP).await;
                }
            }
            _ => return None,
        }
        Some(json!({ "content": [{ "type": "text", "text": "done" }] }))
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.0.get_info();
        info.capabilities = parsed(json!({
            "tools": {}, "prompts": {}, "resources": { "subscribe": true }, "completions": {}, "logging": {},
        }));
        info
    }

    async fn discover(&self, context: Context) -> Result<DiscoverResult, ErrorData> {
        let mut discovered = self.0.discover(context).await?;
        // The newest revision subscribes by a request of its own, which neither the product nor the fixture has.
        discovered.capabilities =
            parsed(json!({ "tools": {}, "prompts": {}, "resources": {}, "completions": {} }));
        Ok(discovered)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.0.list_tools(request, context).await?;
        listed.tools.extend(fixture::tools());
        Ok(listed)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        fixture::tools().into_iter().find(|tool| tool.name == name).or_else(|| self.0.get_tool(name))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.to_string();
        if let Some(result) = Self::talking(&name, &context).await {
            return Ok(CallToolResponse::Complete(complete(result)));
        }
        if let Some(rounds) = rounds::of_tool(&name, context.client_capabilities().as_ref()) {
            let answered = request.input_responses.as_ref();
            return match rounds::next(&name, &rounds, answered, request.request_state.as_deref())? {
                Some(more) => Ok(CallToolResponse::InputRequired(parsed(more))),
                None => {
                    let text = format!("state-ok: {}", json!(answered));
                    Ok(CallToolResponse::Complete(complete(
                        json!({ "content": [{ "type": "text", "text": text }] }),
                    )))
                }
            };
        }
        if name == "test_missing_capability" {
            let declared = context.client_capabilities().is_some_and(|declared| declared.sampling.is_some());
            if !declared {
                let required = parsed(json!({ "sampling": {} }));
                return Err(ErrorData::missing_required_client_capability(required));
            }
        }
        match named(fixture::results(), &name) {
            Some(result) => Ok(CallToolResponse::Complete(complete(result))),
            None => self.0.call_tool(request, context).await,
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(complete(fixture::resources()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(complete(fixture::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let missing =
            || ErrorData::resource_not_found("resource not found", Some(json!({ "uri": request.uri })));
        fixture::contents(&request.uri)
            .map(|read| ReadResourceResponse::Complete(complete(read)))
            .ok_or_else(missing)
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn complete(&self, _: CompleteRequestParams, _: Context) -> Result<CompleteResult, ErrorData> {
        Ok(complete(json!({ "completion": { "values": ["paris", "park"], "total": 2, "hasMore": false } })))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(complete(fixture::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        if let Some(rounds) = rounds::of_prompt(&request.name) {
            let (answered, state) = (request.input_responses.as_ref(), request.request_state.as_deref());
            if let Some(more) = rounds::next(&request.name, &rounds, answered, state)? {
                return Ok(GetPromptResponse::InputRequired(parsed(more)));
            }
        }
        let arguments = json!(request.arguments);
        let unknown = || ErrorData::invalid_params("no such prompt", None);
        let messages = fixture::messages(&request.name, &arguments).ok_or_else(unknown)?;
        Ok(GetPromptResponse::Complete(complete(json!({ "messages": messages }))))
    }
}
