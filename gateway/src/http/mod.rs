//! The gateway over HTTP: MCP on `/mcp`, REST under `/api/v1`, on one listener with one set of guards.
//!
//! A request passes, from the outside: `observe` (id, log, figures, panics), `guard` (Host and Origin), CORS for the
//! pages that may call, then the gate: `auth`, `limits`, and the time limit. Dispatch is the same as everywhere else.

pub mod auth;
mod documents;
mod front;
pub mod guard;
mod limits;
mod listen;
pub mod log;
mod message;
mod metrics;
mod observe;
mod openapi;
mod problem;
mod rest;
mod session;
mod settings;
mod tied;

pub use auth::Token;
pub use front::Handler;
pub use openapi::document;
pub use settings::{BODY_LIMIT, Settings};

use crate::documents::{Document, PATHS};
use crate::mcp::Server;
use crate::pool::Pool;
use crate::snapshot::Gateway;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use guard::Guard;
use limits::Limits;
use metrics::Metrics;
use observe::Peer;
use problem::{Kind, Problem};
use session::Sessions;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tied::Tied;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// What all handlers share.
struct App {
    gateway: Arc<Gateway>,
    pool: Pool,
    settings: Settings,
    guard: Guard,
    limits: Limits,
    metrics: Metrics,
    sessions: Arc<Sessions>,
    /// Ends the streams of replies at the shutdown deadline.
    cancel: CancellationToken,
    /// When the server started; ids of requests begin with it, so that those of two runs differ.
    started: u32,
    openapi: Document,
}

/// Serves on a runtime of its own until `stop`; `bound` gets the address as soon as requests can come.
///
/// # Errors
/// The address needs a token, an entry of a list cannot be read, or the system refuses; a fragment that fits after
/// "failed to".
pub fn serve(
    gateway: Arc<Gateway>,
    settings: Settings,
    bound: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), String> {
    serve_with(gateway, settings, |server| server, bound, stop)
}

/// The same with something around the handler of `/mcp`. Everything else stays what it is.
///
/// # Errors
/// As [`serve`].
pub fn serve_with<H: Handler>(
    gateway: Arc<Gateway>,
    settings: Settings,
    handler: impl Fn(Server) -> H,
    bound: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), String> {
    if settings.token.is_none() && !settings.address.ip().is_loopback() {
        return Err(format!(
            "listen on {}: an address beyond this machine needs a bearer token (--token-file, or {})",
            settings.address,
            auth::VARIABLE
        ));
    }
    let warming = Arc::clone(&gateway);
    std::thread::spawn(move || warming.warm());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("start the runtime: {error}"))?;
    let outcome = runtime.block_on(async {
        let failed = |error| format!("listen on {}: {error}", settings.address);
        let listener = TcpListener::bind(settings.address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let app = Arc::new(App::new(gateway, settings)?);
        let router = routes(&app, handler);
        bound(address);
        listen::serve(listener, router, &app, stop).await;
        Ok(())
    });
    // A call that runs on has nobody left to answer.
    runtime.shutdown_background();
    outcome
}

impl App {
    fn new(gateway: Arc<Gateway>, mut settings: Settings) -> Result<Self, String> {
        if let Some(url) = &settings.public_url {
            // A proxy may pass on the name that it was called by, or not.
            let (origin, host) = guard::reached_at(url)?;
            settings.hosts.push(host);
            settings.origins.push(origin.clone());
            settings.public_url = Some(origin);
        }
        let pool = Pool::default();
        let metrics = Metrics::new(&pool).map_err(|error| format!("count requests: {error}"))?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self {
            guard: Guard::new(settings.address, &settings.hosts, &settings.origins)?,
            limits: Limits::new(settings.rate, settings.requests, settings.body, settings.bodies),
            sessions: Sessions::new(settings.sessions, settings.session_idle),
            cancel: CancellationToken::new(),
            started: since.as_secs() as u32,
            openapi: Document::json(document(settings.toolset, settings.token.is_some()).to_string()),
            gateway,
            pool,
            metrics,
            settings,
        })
    }
}

fn routes<H: Handler>(app: &Arc<App>, handler: impl Fn(Server) -> H) -> Router {
    let (gateway, pool) = (Arc::clone(&app.gateway), app.pool.clone());
    let server = |toolset| handler(Server::with(Arc::clone(&gateway), pool.clone(), toolset));
    let front = front::Front::new(app, server);
    let mcp = Router::new().route("/mcp", any(front::handle::<H>)).with_state(Arc::new(front));
    let rest = Router::new()
        .route("/api/v1/health", get(rest::health))
        .route("/api/v1/openapi.json", get(rest::openapi))
        .route("/api/v1/tools", get(rest::tools))
        .route("/api/v1/tools/{name}", post(rest::call))
        .route("/api/v1/capabilities", get(rest::find))
        .route("/api/v1/capabilities/{name}", get(rest::describe).post(rest::run))
        .route("/metrics", get(metrics::show))
        .with_state(Arc::clone(app));
    let router = mcp.merge(rest).merge(documents(app)).route("/problems/{slug}", get(problem::explained));
    guarded(router, app)
}

/// What a machine reads before it connects, generated from the current snapshot.
fn documents(app: &Arc<App>) -> Router {
    let routes = PATHS.iter().fold(Router::new(), |router, path| router.route(path, get(documents::show)));
    routes.with_state(Arc::clone(app))
}

/// Puts everything around the routes that they share.
fn guarded(router: Router, app: &Arc<App>) -> Router {
    let lets_in = Arc::clone(app);
    let origins = AllowOrigin::predicate(move |origin: &HeaderValue, parts| {
        let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok()?.parse().ok());
        lets_in.guard.lets_in(origin, host.as_ref())
    });
    let cors = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([front::SESSION, observe::REQUEST_ID, header::RETRY_AFTER, header::ETAG])
        .max_age(Duration::from_secs(3600));
    router
        .fallback(async || Problem::new(Kind::NotFound, "nothing is there"))
        .method_not_allowed_fallback(async || Problem::new(Kind::MethodNotAllowed, "see the Allow header"))
        .layer(from_fn_with_state(Arc::clone(app), gate))
        .layer(cors)
        .layer(from_fn_with_state(Arc::clone(app), names))
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(from_fn_with_state(Arc::clone(app), observe::observe))
}

/// Host and Origin, before anything else is looked at.
async fn names(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match app.guard.admits(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Token, rate, place, time.
async fn gate(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let place = match admit(&app, &request) {
        Ok(place) => place,
        Err(problem) => return problem.into_response(),
    };
    // From here on nobody needs the token, and what nobody has nobody can log.
    request.headers_mut().remove(header::AUTHORIZATION);
    let Ok(response) = tokio::time::timeout(app.settings.request_timeout, next.run(request)).await else {
        let detail = format!("there was no answer within {:?}", app.settings.request_timeout);
        return Problem::new(Kind::TimedOut, detail).retry_after(1).into_response();
    };
    // A reply that streams keeps its place until its end.
    response.map(|body| Body::new(Tied::new(body, place)))
}

fn admit(app: &App, request: &Request) -> Result<limits::Held, Problem> {
    // Whether a server lives is no secret, nor who it is; whoever asks has no token yet.
    let path = request.uri().path();
    let open = path == "/api/v1/health" || crate::documents::is_public(path);
    if let Some(token) = app.settings.token.as_ref().filter(|_| !open) {
        token.admits(request.headers())?;
    }
    if let Some(Peer(peer)) = request.extensions().get() {
        app.limits.count(peer.ip())?;
    }
    app.limits.enter()
}

/// A reply in plain text.
fn text(body: String) -> Response {
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

/// A reply in JSON.
fn json(body: String) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

#[cfg(test)]
mod tests;
