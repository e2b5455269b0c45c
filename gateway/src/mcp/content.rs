//! Resources, prompts and completions in the types of the protocol.

use super::TTL_MS;
use crate::guides::{self, Guide};
use crate::resources::{self, Content, Family, Listed, Of, PAGE, Page, TEMPLATES, Unreadable, page};
use crate::snapshot::{Gateway, Snapshot};
use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, CompleteRequestParams, CompleteResult, CompletionInfo, ContentBlock, EmbeddedResource,
    GetPromptRequestParams, GetPromptResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, MetaObject, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage,
    ReadResourceResult, Reference, Resource, ResourceContents, ResourceTemplate, Role,
};
use serde_json::{Value, json};
use std::sync::Arc;

type Cursor = Option<String>;

/// The cursor of a list request.
pub fn cursor(request: Option<PaginatedRequestParams>) -> Cursor {
    request.and_then(|request| request.cursor)
}

/// `resources/list`.
pub fn list(gateway: &Gateway, cursor: &Cursor) -> Result<ListResourcesResult, ErrorData> {
    let snapshot = current(gateway)?;
    let Page { items, next_cursor } = resources::list(&snapshot, cursor.as_deref(), PAGE)
        .map_err(|why| ErrorData::invalid_params(why, None))?;
    let mut result = ListResourcesResult::with_all_items(items.into_iter().map(listed).collect());
    result.next_cursor = next_cursor;
    result.meta = Some(stamp(&snapshot));
    Ok(result)
}

fn listed(resource: Listed) -> Resource {
    let template = resource.template;
    Resource::new(resource.uri, resource.name)
        .with_title(template.title)
        .with_description(resource.description)
        .with_mime_type(template.media_type)
}

/// `resources/templates/list`: a constant of the binary.
pub fn templates(cursor: &Cursor) -> Result<ListResourceTemplatesResult, ErrorData> {
    let shown = constant("templates", TEMPLATES, |template| template.uri, cursor)?;
    let templates = shown.items.into_iter().map(|template| {
        ResourceTemplate::new(template.uri, template.name)
            .with_title(template.title)
            .with_description(template.description)
            .with_mime_type(template.media_type)
    });
    let mut result = ListResourceTemplatesResult::with_all_items(templates.collect());
    result.next_cursor = shown.next_cursor;
    Ok(result.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
}

/// `prompts/list`: a constant of the binary.
pub fn prompts(cursor: &Cursor) -> Result<ListPromptsResult, ErrorData> {
    let shown = constant("prompts", guides::all(), |guide| guide.name, cursor)?;
    let mut result = ListPromptsResult::with_all_items(shown.items.into_iter().map(prompt).collect());
    result.next_cursor = shown.next_cursor;
    Ok(result.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
}

fn prompt(guide: &Guide) -> Prompt {
    let capability = || {
        PromptArgument::new("capability")
            .with_description("A capability to do it with; its description is added.")
            .with_required(false)
    };
    Prompt::new(guide.name, Some(guide.description), guide.about_one.then(|| vec![capability()]))
}

/// Pages of a list that the binary holds, in the order of its keys.
fn constant<T: Copy>(
    list: &str,
    items: impl IntoIterator<Item = T>,
    key: impl Fn(T) -> &'static str,
    cursor: &Cursor,
) -> Result<Page<T>, ErrorData> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_by_key(|item| key(*item));
    page(list, items, |item| key(*item).to_owned(), cursor.as_deref(), PAGE)
        .map_err(|why| ErrorData::invalid_params(why, None))
}

/// `resources/read`.
pub fn read(gateway: &Gateway, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let snapshot = current(gateway)?;
    let content =
        resources::read(&snapshot, gateway.kept().as_deref(), uri).map_err(|why| refused(why, uri))?;
    Ok(ReadResourceResult::new(vec![contents(&snapshot, content, uri)]))
}

fn contents(snapshot: &Snapshot, content: Content, uri: &str) -> ResourceContents {
    ResourceContents::text(content.text, uri).with_mime_type(content.media_type).with_meta(stamp(snapshot))
}

/// `prompts/get`: the guide, and the capability that it is to be done with.
pub fn get_prompt(gateway: &Gateway, request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let guide = guides::named(&request.name).ok_or_else(|| {
        let names: Vec<&str> = guides::all().iter().map(|guide| guide.name).collect();
        wrong(format!("no prompt is called `{}`; there are {}", request.name, names.join(", ")))
    })?;
    let mut messages = vec![PromptMessage::new_text(Role::User, guide.body())];
    for (name, given) in request.arguments.iter().flatten() {
        let capability = given.as_str().filter(|_| name == "capability" && guide.about_one);
        let capability =
            capability.ok_or_else(|| wrong(format!("`{name}` is no argument of {}", guide.name)))?;
        let snapshot = current(gateway)?;
        let uri = Family::Capability.uri(&[capability]);
        let content = resources::read(&snapshot, None, &uri).map_err(|why| match refused(why, &uri) {
            // The prompt is there; what is wrong is its argument.
            error if error.code == rmcp::model::ErrorCode::RESOURCE_NOT_FOUND => {
                ErrorData::invalid_params(error.message, error.data)
            }
            error => error,
        })?;
        let resource = EmbeddedResource::new(contents(&snapshot, content, &uri));
        messages.push(PromptMessage::new(Role::User, ContentBlock::Resource(resource)));
    }
    Ok(GetPromptResult::new(messages).with_description(guide.description))
}

/// `completion/complete`.
pub fn complete(gateway: &Gateway, request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
    let snapshot = current(gateway)?;
    let of = match &request.r#ref {
        Reference::Resource(template) => Of::Template(&template.uri),
        Reference::Prompt(prompt) => Of::Prompt(&prompt.name),
        _ => return Err(wrong("this sort of reference cannot be completed".to_owned())),
    };
    let settled = |name: &str| request.context.as_ref()?.get_argument(name).map(String::as_str);
    let found = resources::complete(&snapshot, of, &request.argument.name, &request.argument.value, settled);
    let found = found.map_err(wrong)?;
    let more = found.total > found.values.len();
    let info = CompletionInfo::with_pagination(found.values, u32::try_from(found.total).ok(), more);
    info.map(CompleteResult::new).map_err(|why| ErrorData::internal_error(why, None))
}

fn current(gateway: &Gateway) -> Result<Arc<Snapshot>, ErrorData> {
    let failed = |problem| ErrorData::internal_error(format!("the corpus cannot be read: {problem}"), None);
    gateway.snapshot().map_err(failed)
}

/// Which snapshot it comes from.
fn stamp(snapshot: &Snapshot) -> MetaObject {
    let members = [("snapshot_sequence", snapshot.sequence()), ("ut", snapshot.ut())];
    MetaObject(members.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect())
}

fn wrong(message: String) -> ErrorData {
    ErrorData::invalid_params(message, None)
}

fn refused(why: Unreadable, uri: &str) -> ErrorData {
    match why {
        Unreadable::Missing { message, nearest } => {
            let data: Value = json!({ "uri": uri, "nearest": nearest });
            ErrorData::resource_not_found(message, Some(data))
        }
        Unreadable::Wrong(message) => wrong(message),
        Unreadable::Failed(message) => ErrorData::internal_error(message, None),
    }
}
