//! `assay serve` and `assay mcp`: the registry for agents, pages and scripts.

use super::arguments::Serve;
use super::{PASS, output};
use crate::corpus::is_checkout;
use crate::http::{Settings, Token, log, serve};
use crate::mcp::serve_stdio;
use crate::snapshot::{Gateway, News};
use crate::toolset::Toolset;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal;

/// Requests a second from one address beyond this machine, unless told otherwise.
const RATE: NonZeroU32 = NonZeroU32::MIN.saturating_add(99);

pub(super) fn command(gateway: Gateway, arguments: &Serve) -> Result<u8, String> {
    let Some(address) = &arguments.http else { return stdio(gateway, arguments.toolsets, arguments.watch) };
    checked(&gateway)?;
    let settings = settings(address, arguments).map_err(|error| format!("failed to {error}"))?;
    log::start(arguments.log, log::USUAL).map_err(|error| format!("failed to {error}"))?;
    let bound = |address: SocketAddr| {
        tracing::info!(address = %address, mcp = %format!("http://{address}/mcp"), "listening");
    };
    let gateway = Arc::new(gateway);
    let tell = |news: &News| match news {
        News::Published { .. } | News::Restored { .. } => tracing::info!(news = %news.line(), "watch"),
        News::Kept { .. } | News::Blind(_) => tracing::warn!(news = %news.line(), "watch"),
    };
    let watch = || gateway.watch(tell, |note| tracing::warn!(note, "watch"));
    let _watcher = arguments.watch.then(watch).transpose().map_err(|error| format!("failed to {error}"))?;
    let served = serve(Arc::clone(&gateway), settings, bound, stopped());
    served.map(|()| PASS).map_err(|error| format!("failed to {error}"))
}

/// Serves standard input and output.
pub(super) fn stdio(gateway: Gateway, toolset: Toolset, watch: bool) -> Result<u8, String> {
    checked(&gateway)?;
    let gateway = Arc::new(gateway);
    let failed = |error: String| format!("failed to {error}");
    // The client shows standard error to nobody, or to somebody whom only failures concern.
    log::start(log::Format::Text, "error").map_err(failed)?;
    let start = || gateway.watch(|news| output::note(&news.line()), output::note);
    let _watcher = watch.then(start).transpose().map_err(failed)?;
    serve_stdio(Arc::clone(&gateway), toolset).map(|()| PASS).map_err(failed)
}

/// Better now than in the first answer.
fn checked(gateway: &Gateway) -> Result<(), String> {
    match gateway.root().filter(|root| !is_checkout(root)) {
        Some(root) => Err(format!("failed to serve {}: it is no checkout", root.display())),
        None => Ok(()),
    }
}

fn settings(address: &str, arguments: &Serve) -> Result<Settings, String> {
    let resolved = address.to_socket_addrs().map_err(|error| format!("listen on {address}: {error}"))?;
    let address =
        resolved.into_iter().next().ok_or_else(|| format!("listen on {address}: it is no address"))?;
    let seconds = |seconds: u16| Duration::from_secs(seconds.into());
    Ok(Settings {
        address,
        token: Token::find(arguments.token_file.as_deref())?,
        toolset: arguments.toolsets,
        hosts: arguments.allow_host.clone(),
        origins: arguments.allow_origin.clone(),
        public_url: arguments.public_url.clone(),
        rate: arguments.rate.or_else(|| (!address.ip().is_loopback()).then_some(RATE)),
        requests: arguments.requests.into(),
        connections: arguments.connections.into(),
        request_timeout: seconds(arguments.timeout),
        shutdown: seconds(arguments.grace),
        ..Settings::default()
    })
}

/// Ends with the first signal that asks the process to end.
async fn stopped() {
    let interrupted = async {
        if signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match signal::unix::signal(signal::unix::SignalKind::terminate()) {
            Ok(mut signals) => drop(signals.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
