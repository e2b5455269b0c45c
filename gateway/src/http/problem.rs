//! Problem Details (RFC 9457): what went wrong before a call could be made. What a call itself says is in its envelope.

use super::text;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Media type of a problem.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// Which sort of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A path, query or header that cannot be read.
    MalformedRequest,
    /// A body that is no JSON.
    MalformedJson,
    /// No bearer token, or a wrong one.
    Unauthorized,
    /// A Host that this server does not answer for.
    ForbiddenHost,
    /// An Origin that may not call.
    ForbiddenOrigin,
    /// No such path, or no such tool.
    NotFound,
    /// The path exists, the method does not.
    MethodNotAllowed,
    /// No media type that the caller accepts.
    NotAcceptable,
    /// A body above the limit.
    TooLarge,
    /// A body that is not declared as JSON.
    UnsupportedMediaType,
    /// More requests than the caller may send.
    TooManyRequests,
    /// Something broke inside.
    Internal,
    /// More requests at a time than the server takes.
    Overloaded,
    /// The request took too long.
    TimedOut,
}

impl Kind {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::MalformedRequest,
        Self::MalformedJson,
        Self::Unauthorized,
        Self::ForbiddenHost,
        Self::ForbiddenOrigin,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::TooLarge,
        Self::UnsupportedMediaType,
        Self::TooManyRequests,
        Self::Internal,
        Self::Overloaded,
        Self::TimedOut,
    ];

    /// Its status, the last part of its `type`, its title, and what a caller should do.
    #[must_use]
    pub const fn facts(self) -> Facts {
        FACTS[self as usize]
    }
}

/// Status, last part of the `type`, title, advice.
type Facts = (StatusCode, &'static str, &'static str, &'static str);

/// In the order of [`Kind`].
const FACTS: [Facts; Kind::ALL.len()] = [
    (
        StatusCode::BAD_REQUEST,
        "malformed-request",
        "The request cannot be read",
        "Mend the part of the path, query or headers that the detail names.",
    ),
    (
        StatusCode::BAD_REQUEST,
        "malformed-json",
        "The body is not JSON",
        "Send one JSON object in UTF-8, with no key twice.",
    ),
    (
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        "A bearer token is needed",
        "Send `Authorization: Bearer …` with the token that the server was started with.",
    ),
    (
        StatusCode::FORBIDDEN,
        "forbidden-host",
        "This server does not answer for that Host",
        "Call it by a name that it knows; `assay serve --allow-host` adds one.",
    ),
    (
        StatusCode::FORBIDDEN,
        "forbidden-origin",
        "Pages of that Origin may not call",
        "`assay serve --allow-origin` lets pages of one more origin call.",
    ),
    (StatusCode::NOT_FOUND, "not-found", "There is no such path", "GET /api/v1/openapi.json lists them."),
    (
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        "The path does not take that method",
        "The Allow header names the methods that it takes.",
    ),
    (
        StatusCode::NOT_ACCEPTABLE,
        "not-acceptable",
        "Replies are JSON",
        "Accept application/json, or leave the Accept header out.",
    ),
    (
        StatusCode::PAYLOAD_TOO_LARGE,
        "too-large",
        "The body is too large",
        "Stay below the limit that the detail names.",
    ),
    (
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported-media-type",
        "The body is not declared as JSON",
        "Send `Content-Type: application/json`.",
    ),
    (
        StatusCode::TOO_MANY_REQUESTS,
        "too-many-requests",
        "Too many requests",
        "Wait as long as Retry-After says.",
    ),
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal",
        "Unexpected failure",
        "It is a defect of the server; X-Request-Id finds it in the log.",
    ),
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "overloaded",
        "Too many requests at a time",
        "Wait as long as Retry-After says.",
    ),
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "timed-out",
        "The request took too long",
        "Ask for less, such as a narrower selection, or try again later.",
    ),
];

/// One problem, ready to be sent.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: Kind,
    detail: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem and what exactly is wrong.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), headers: Vec::new() }
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same with the seconds after which to try again.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Self {
        self.with(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)))
    }

    /// Its sort.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// What exactly is wrong.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, slug, title, _) = self.kind.facts();
        let mut body = json!({
            "type": format!("/problems/{slug}"), "title": title, "status": status.as_u16(), "detail": self.detail,
        });
        if self.kind == Kind::Internal {
            body["errno"] = json!("EIO");
        }
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(self.headers);
        response
    }
}

/// `GET /problems/{slug}`: what a `type` means.
pub async fn explained(Path(slug): Path<String>) -> Response {
    match Kind::ALL.iter().map(|kind| kind.facts()).find(|(_, known, ..)| *known == slug) {
        Some((status, _, title, advice)) => text(format!("{title} ({}).\n{advice}\n", status.as_u16())),
        None => Problem::new(Kind::NotFound, "no problem is called so").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_sort_has_its_own_name_and_an_error_status() {
        let names: BTreeSet<&str> = Kind::ALL.iter().map(|kind| kind.facts().1).collect();
        assert_eq!(names.len(), Kind::ALL.len());
        for kind in Kind::ALL {
            let (status, slug, ..) = kind.facts();
            assert!(status.is_client_error() || status.is_server_error(), "{slug}");
            assert!(slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{slug}");
        }
    }
}
