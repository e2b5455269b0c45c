//! What `/metrics` shows, in Prometheus' text format.

use super::App;
use crate::pool::Pool;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use prometheus::{
    Encoder as _, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};
use std::sync::Arc;
use std::time::Duration;

/// Upper bounds of the duration buckets, in seconds.
const BUCKETS: [f64; 9] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 1.0, 10.0];

/// The figures of a server.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    /// Requests under way.
    pub under_way: IntGauge,
    /// Connections that are open.
    pub connections: IntGauge,
    sessions: IntGauge,
    snapshot: IntGauge,
}

impl Metrics {
    /// Figures that start at zero, and those of a pool.
    ///
    /// # Errors
    /// What the library says of a name, which a test rules out.
    pub fn new(pool: &Pool) -> Result<Self, prometheus::Error> {
        let metrics = Self {
            registry: Registry::new(),
            requests: IntCounterVec::new(
                Opts::new("assay_http_requests_total", "Requests answered, by route, method and status."),
                &["route", "method", "status"],
            )?,
            durations: HistogramVec::new(
                HistogramOpts::new(
                    "assay_http_request_duration_seconds",
                    "Time to the head of the reply, by route.",
                )
                .buckets(BUCKETS.to_vec()),
                &["route"],
            )?,
            under_way: IntGauge::new("assay_http_requests_in_flight", "Requests under way.")?,
            connections: IntGauge::new("assay_http_connections", "Open connections.")?,
            sessions: IntGauge::new("assay_mcp_sessions", "Sessions of clients that shook hands.")?,
            snapshot: IntGauge::new("assay_snapshot_sequence", "Sequence number of the current snapshot.")?,
        };
        metrics.registry.register(Box::new(metrics.requests.clone()))?;
        metrics.registry.register(Box::new(metrics.durations.clone()))?;
        for gauge in [&metrics.under_way, &metrics.connections, &metrics.sessions, &metrics.snapshot] {
            metrics.registry.register(Box::new(gauge.clone()))?;
        }
        if let Some(calls) = pool.calls() {
            metrics.registry.register(Box::new(calls.clone()))?;
        }
        Ok(metrics)
    }

    /// Notes one answered request. `route` and `method` come from closed sets, so their number stays small.
    pub fn answered(&self, route: &str, method: &str, status: u16, took: Duration) {
        self.requests.with_label_values(&[route, method, &status.to_string()]).inc();
        self.durations.with_label_values(&[route]).observe(took.as_secs_f64());
    }
}

/// `GET /metrics`.
pub async fn show(State(app): State<Arc<App>>) -> Response {
    let metrics = &app.metrics;
    metrics.sessions.set(i64::try_from(app.sessions.count()).unwrap_or(i64::MAX));
    if let Some(Ok(snapshot)) = app.gateway.ready() {
        metrics.snapshot.set(i64::try_from(snapshot.sequence()).unwrap_or(i64::MAX));
    }
    let encoder = TextEncoder::new();
    let mut text = Vec::new();
    if let Err(error) = encoder.encode(&metrics.registry.gather(), &mut text) {
        tracing::error!(%error, "the metrics cannot be written");
    }
    let kind = HeaderValue::from_static(prometheus::TEXT_FORMAT);
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
