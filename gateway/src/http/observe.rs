//! Around every request: an id, a line in the log, the figures, and an end to panics.
//!
//! The log has neither queries, headers nor bodies: those may hold what nobody else should read.

use super::App;
use super::problem::{Kind, Problem};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The header with the id of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The other end of the connection that a request came on.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// A request under way, also when its caller goes away.
struct UnderWay<'a>(&'a prometheus::IntGauge);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The middleware.
pub async fn observe(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let id = format!("{:08x}-{}", app.started, NEXT.fetch_add(1, Ordering::Relaxed));
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or("none", MatchedPath::as_str);
    let method = known(request.method());
    let path: String = request.uri().path().chars().take(200).collect();
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0.to_string()).unwrap_or_default();
    let started = Instant::now();
    app.metrics.under_way.inc();
    let under_way = UnderWay(&app.metrics.under_way);
    let mut response = next.run(request).await;
    drop(under_way);
    let (took, status) = (started.elapsed(), response.status().as_u16());
    app.metrics.answered(route, method, status, took);
    let micros = took.as_micros() as u64;
    if status >= 500 {
        tracing::warn!(id, peer, method, path, status, micros, "request");
    } else {
        tracing::info!(id, peer, method, path, status, micros, "request");
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// The method, or one word for all that are made up.
fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "DELETE" => "DELETE",
        "HEAD" => "HEAD",
        "OPTIONS" => "OPTIONS",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        _ => "other",
    }
}

/// What a panic becomes: a failure with nothing of the inside in it.
pub fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a handler panicked");
    Problem::new(Kind::Internal, "unexpected failure").into_response()
}
