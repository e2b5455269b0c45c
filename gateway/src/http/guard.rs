//! Who may call at all: the names that the server answers for, and the web pages that may use it.
//!
//! A page on a foreign site can point a name of its own at this machine (DNS rebinding); its requests then carry that
//! name as Host, and its address as Origin. Both are refused on every route.

use super::problem::{Kind, Problem};
use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Uri};
use std::net::{IpAddr, SocketAddr};

/// The names and origins that are let in.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
    /// Reachable by more addresses than the loopback ones, so a Host may be any literal address: only names can be
    /// rebound.
    public: bool,
}

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Guard {
    /// A guard for a server at `address`, with further host names and origins.
    ///
    /// # Errors
    /// An entry is no host name, or no origin; a fragment that fits after "failed to".
    pub fn new(address: SocketAddr, hosts: &[String], origins: &[String]) -> Result<Self, String> {
        let mut known: Vec<String> = LOOPBACK.iter().map(|name| (*name).to_owned()).collect();
        for host in hosts {
            let parsed = host.parse::<Authority>().ok().filter(|authority| !authority.as_str().contains('@'));
            let parsed = parsed.ok_or_else(|| format!("allow the host `{host}`: it is no host name"))?;
            known.push(parsed.as_str().to_ascii_lowercase());
        }
        let mut pages = Vec::new();
        for origin in origins {
            split_origin(origin)
                .ok_or_else(|| format!("allow the origin `{origin}`: it is not scheme://host[:port]"))?;
            pages.push(origin.to_ascii_lowercase());
        }
        Ok(Self { hosts: known, origins: pages, public: !address.ip().is_loopback() })
    }

    /// Whether a request may go on.
    ///
    /// # Errors
    /// Its Host is missing or foreign, or its Origin is foreign.
    pub fn admits(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let host = host(uri, headers)?;
        if !self.answers_for(&host) {
            return Err(Problem::new(Kind::ForbiddenHost, "the Host is none of the names of this server"));
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => Ok(()),
            (Some(origin), None) if self.lets_in(origin, Some(&host)) => Ok(()),
            _ => Err(Problem::new(Kind::ForbiddenOrigin, "the Origin is none of those that may call")),
        }
    }

    fn answers_for(&self, host: &Authority) -> bool {
        let name = host.host().to_ascii_lowercase();
        let whole = host.as_str().to_ascii_lowercase();
        self.hosts.iter().any(|known| *known == name || *known == whole)
            || self.public && name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
    }

    /// Whether pages of an origin may call: those of this machine, those of the server itself, and those on the list.
    #[must_use]
    pub fn lets_in(&self, origin: &HeaderValue, host: Option<&Authority>) -> bool {
        let Some((scheme, authority)) = origin.to_str().ok().and_then(split_origin) else { return false };
        let web = scheme == "http" || scheme == "https";
        let here = LOOPBACK.contains(&authority.host().to_ascii_lowercase().as_str());
        let own = host.is_some_and(|host| authority.as_str().eq_ignore_ascii_case(host.as_str()));
        web && (here || own)
            || self.origins.iter().any(|known| origin.as_bytes().eq_ignore_ascii_case(known.as_bytes()))
    }
}

fn host(uri: &Uri, headers: &HeaderMap) -> Result<Authority, Problem> {
    if let Some(authority) = uri.authority() {
        return Ok(authority.clone());
    }
    let mut given = headers.get_all(HOST).iter();
    let one = if let (Some(host), None) = (given.next(), given.next()) { host.to_str().ok() } else { None };
    one.and_then(|host| host.parse().ok())
        .ok_or_else(|| Problem::new(Kind::MalformedRequest, "one Host header with a host name is needed"))
}

/// How a server is reached from outside: the origin, without a slash at its end, and the host in it.
///
/// # Errors
/// It is no such address; a fragment that fits after "failed to".
pub fn reached_at(url: &str) -> Result<(String, String), String> {
    let origin = url.strip_suffix('/').unwrap_or(url).to_ascii_lowercase();
    match split_origin(&origin) {
        Some((scheme, authority)) if scheme == "http" || scheme == "https" => {
            let host = authority.host().to_owned();
            Ok((origin, host))
        }
        _ => Err(format!("be reached at `{url}`: it is not http(s)://host[:port]")),
    }
}

fn split_origin(origin: &str) -> Option<(String, Authority)> {
    let (scheme, rest) = origin.split_once("://")?;
    let authority: Authority = rest.parse().ok()?;
    (!scheme.is_empty() && !rest.contains('@')).then(|| (scheme.to_ascii_lowercase(), authority))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        let (hosts, origins) = (["Assay.example".to_owned()], ["https://app.example".to_owned()]);
        Guard::new(address.parse().unwrap(), &hosts, &origins).unwrap()
    }

    fn asked(guard: &Guard, host: &str, origin: Option<&str>) -> Option<Kind> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        guard.admits(&"/mcp".parse().unwrap(), &headers).err().map(|problem| problem.kind())
    }

    #[test]
    fn only_own_names_are_answered_for() {
        let local = guard("127.0.0.1:80");
        for right in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:9", "assay.example:443"] {
            assert_eq!(asked(&local, right, None), None, "{right}");
        }
        for wrong in ["evil.example", "localhost.evil.example", "192.0.2.1", "127.0.0.1.evil.example:80"] {
            assert_eq!(asked(&local, wrong, None), Some(Kind::ForbiddenHost), "{wrong}");
        }
        assert_eq!(asked(&local, "a b", None), Some(Kind::MalformedRequest));
        let public = guard("0.0.0.0:80");
        assert_eq!(asked(&public, "192.0.2.1:80", None), None);
        assert_eq!(asked(&public, "[2001:db8::1]:80", None), None);
        assert_eq!(asked(&public, "evil.example", None), Some(Kind::ForbiddenHost));
    }

    #[test]
    fn only_pages_of_this_machine_of_the_server_and_of_the_list_are_let_in() {
        let local = guard("127.0.0.1:80");
        for right in
            ["http://localhost:3000", "https://[::1]", "https://app.example", "http://assay.example:80"]
        {
            assert_eq!(asked(&local, "assay.example:80", Some(right)), None, "{right}");
        }
        for wrong in [
            "null",
            "",
            "http://evil.example",
            "http://app.example",
            "https://app.example:8443",
            "file://localhost",
            "http://localhost.evil.example",
            "http://localhost@evil.example",
        ] {
            assert_eq!(asked(&local, "localhost", Some(wrong)), Some(Kind::ForbiddenOrigin), "{wrong}");
        }
    }

    #[test]
    fn an_absolute_target_names_the_host_and_entries_must_be_names() {
        let local = guard("127.0.0.1:80");
        let target: Uri = "http://evil.example/mcp".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(HOST, "localhost".parse().unwrap());
        assert!(local.admits(&target, &headers).is_err());
        let address = "127.0.0.1:80".parse().unwrap();
        assert!(Guard::new(address, &["a b".to_owned()], &[]).is_err());
        assert!(Guard::new(address, &[], &["app.example".to_owned()]).is_err());
    }

    #[test]
    fn a_server_is_reached_at_an_origin() {
        let right = |url: &str, origin: &str, host: &str| {
            assert_eq!(reached_at(url), Ok((origin.to_owned(), host.to_owned())), "{url}");
        };
        right("https://Assay.example.com/", "https://assay.example.com", "assay.example.com");
        right("http://[::1]:8080", "http://[::1]:8080", "[::1]");
        for wrong in [
            "assay.example.com",
            "ftp://a.example",
            "https://a.example/path",
            "https://u@a.example",
            "https://",
        ] {
            assert!(reached_at(wrong).is_err(), "{wrong}");
        }
    }
}
