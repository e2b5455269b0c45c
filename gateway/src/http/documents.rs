//! The discovery documents over HTTP, with tags by which a reader that has one already is told so.

use super::App;
use super::problem::{Kind, Problem};
use crate::documents::{Document, Site, document};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `GET` of any of the paths.
pub async fn show(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let (gateway, token) = (Arc::clone(&app.gateway), app.settings.token.is_some());
    let origin = app.settings.public_url.clone().unwrap_or_else(|| origin(&request));
    let path = request.uri().path().to_owned();
    let made = move || {
        let snapshot = gateway.snapshot().ok()?;
        document(&path, &snapshot, Site { origin: &origin, token })
    };
    let made = app.pool.aside(made).await.map_err(|broken| Problem::new(Kind::Internal, broken))?;
    let document = made.ok_or_else(|| Problem::new(Kind::Internal, "the corpus cannot be read"))?;
    Ok(reply(document, request.headers()))
}

/// Where the caller reached us, as it said itself; the guard has looked at it already.
fn origin(request: &Request) -> String {
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = request.uri().authority().map(Authority::as_str);
    format!("http://{}", named.or(authority).unwrap_or("localhost"))
}

/// A document, or only that it is still the one the caller has.
pub fn reply(document: Document, asked: &HeaderMap) -> Response {
    let tag = document.etag();
    let known = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    let mut known = known.flat_map(|tags| tags.split(',')).map(str::trim);
    let unchanged = known.any(|known| known == "*" || known.trim_start_matches("W/") == tag);
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kind = HeaderValue::from_static(document.media_type);
        ([(header::CONTENT_TYPE, kind)], document.text).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(document.cache_control));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}
