//! Connections: accepting them, the time each may take, and their end.

use super::App;
use super::observe::Peer;
use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::Service as _;

/// Bytes of the head of a request at most.
const HEAD: usize = 64 * 1024;
/// Pause after the system refuses a connection, for lack of files most likely.
const PAUSE: Duration = Duration::from_millis(50);
/// For replies that were cut short at the deadline to reach their callers.
const LAST: Duration = Duration::from_millis(500);

/// Serves until `stop`, then lets what is under way finish until the deadline.
pub async fn serve(listener: TcpListener, router: Router, app: &Arc<App>, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(app.settings.connections));
    let open = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            accepted = accept(&listener, &places) => match accepted {
                Ok((stream, peer, place)) => connection(stream, peer, place, router.clone(), app, &open),
                Err(error) => {
                    tracing::warn!(%error, "no connection accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            },
            () = &mut stop => break,
        }
    }
    drop(listener);
    tracing::info!(connections = open.count(), "shutting down");
    let finished = open.shutdown();
    let mut finished = std::pin::pin!(finished);
    if tokio::time::timeout(app.settings.shutdown, &mut finished).await.is_err() {
        tracing::warn!("the deadline passed; what is under way ends now");
        app.cancel.cancel();
        // Whatever still is not done then is cut off by the end of the process.
        let _ = tokio::time::timeout(LAST, finished).await;
    }
}

/// Waits for a place first: a connection beyond the limit stays with the system until there is one.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // Small replies must not wait for an acknowledgement.
    stream.set_nodelay(true)?;
    Ok((stream, peer, place))
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    place: OwnedSemaphorePermit,
    router: Router,
    app: &Arc<App>,
    open: &GracefulShutdown,
) {
    let mut stream = TimeoutStream::new(stream);
    // Reading has its own limits: the one of the head, and the one of the whole request.
    stream.set_write_timeout(Some(app.settings.write_timeout));
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        router.clone().call(request.map(Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // Runs from the end of the reply before, so it is the idle limit as well.
        .header_read_timeout(app.settings.header_timeout)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    let connection = open.watch(connection);
    let gauge = app.metrics.connections.clone();
    gauge.inc();
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%peer, %error, "connection");
        }
        gauge.dec();
        drop(place);
    });
}
