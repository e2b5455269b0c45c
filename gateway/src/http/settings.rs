//! How a server serves: where, for whom, and how much.

use super::auth::Token;
use crate::toolset::Toolset;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

/// Bytes of one body at most: the largest input that a capability takes, as base64 and with room around it.
pub const BODY_LIMIT: usize = 24 << 20;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// The bearer token that every request must carry, if there is one.
    pub token: Option<Token>,
    /// The tools to offer.
    pub toolset: Toolset,
    /// Further names that the server answers for.
    pub hosts: Vec<String>,
    /// Origins whose pages may call.
    pub origins: Vec<String>,
    /// How it is reached from outside, where that is not how requests arrive: what a proxy with TLS in front is called.
    pub public_url: Option<String>,
    /// Requests a second from one address; twice as many at once.
    pub rate: Option<NonZeroU32>,
    /// Requests at a time.
    pub requests: usize,
    /// Connections at a time.
    pub connections: usize,
    /// Bytes of one body.
    pub body: usize,
    /// Bytes of all bodies under way.
    pub bodies: usize,
    /// For the head of a request, and between two requests.
    pub header_timeout: Duration,
    /// From the head of a request to the head of its reply.
    pub request_timeout: Duration,
    /// For a caller that does not read.
    pub write_timeout: Duration,
    /// For what is under way when the server is told to stop.
    pub shutdown: Duration,
    /// Sessions at a time.
    pub sessions: usize,
    /// How long a session may be quiet.
    pub session_idle: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            token: None,
            toolset: Toolset::ALL,
            hosts: Vec::new(),
            origins: Vec::new(),
            public_url: None,
            rate: None,
            requests: 256,
            connections: 1024,
            body: BODY_LIMIT,
            bodies: 8 * BODY_LIMIT,
            header_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(30),
            shutdown: Duration::from_secs(10),
            sessions: 1024,
            session_idle: Duration::from_secs(30 * 60),
        }
    }
}
