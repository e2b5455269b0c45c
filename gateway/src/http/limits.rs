//! How much a server takes on: requests a second from one address, requests at a time, bytes of bodies.

use super::problem::{Kind, Problem};
use axum::body::Body;
use axum::http::{HeaderMap, header};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bodies are accounted for in pieces of this many bytes.
const PIECE: usize = 4096;
/// Addresses that have been quiet are forgotten each time so many requests were counted.
const SWEEP: u32 = 4096;

/// The limits of a server and what is in use of them.
pub struct Limits {
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
    counted: AtomicU32,
    requests: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
    body: usize,
}

/// Something taken that is given back when this is dropped.
pub type Held = OwnedSemaphorePermit;

impl Limits {
    /// Limits: requests a second for each address, requests at a time, bytes of one body and of all together.
    #[must_use]
    pub fn new(rate: Option<NonZeroU32>, requests: usize, body: usize, bodies: usize) -> Self {
        let quota = |rate: NonZeroU32| Quota::per_second(rate).allow_burst(rate.saturating_mul(TWO));
        Self {
            rate: rate.map(|rate| RateLimiter::keyed(quota(rate))),
            counted: AtomicU32::new(0),
            requests: Arc::new(Semaphore::new(requests)),
            bodies: Arc::new(Semaphore::new(bodies.max(body).div_ceil(PIECE))),
            body,
        }
    }

    /// Counts a request of an address.
    ///
    /// # Errors
    /// The address has sent too many; when to come again.
    pub fn count(&self, peer: IpAddr) -> Result<(), Problem> {
        let Some(rate) = &self.rate else { return Ok(()) };
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP == SWEEP - 1 {
            rate.retain_recent();
        }
        rate.check_key(&neighbourhood(peer)).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            Problem::new(Kind::TooManyRequests, "this address sends too many requests")
                .retry_after(wait.as_secs() + 1)
        })
    }

    /// A place among the requests under way.
    ///
    /// # Errors
    /// There is none left.
    pub fn enter(&self) -> Result<Held, Problem> {
        let place = Arc::clone(&self.requests).try_acquire_owned();
        place.map_err(|_| overloaded("as many requests are under way as the server takes"))
    }

    /// Reads a body. What it occupies is held along with it.
    ///
    /// # Errors
    /// It is too large, the bodies under way fill their memory, or the connection broke.
    pub async fn read(&self, headers: &HeaderMap, body: Body) -> Result<(Vec<u8>, Held), Problem> {
        let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        // A body of unknown length may take all that one body can.
        let length = declared.and_then(|length| length.parse().ok()).unwrap_or(self.body);
        if length > self.body {
            return Err(self.too_large());
        }
        let pieces = u32::try_from(length.div_ceil(PIECE)).unwrap_or(u32::MAX);
        let held = Arc::clone(&self.bodies).try_acquire_many_owned(pieces);
        let held = held.map_err(|_| overloaded("the bodies under way fill the memory for them"))?;
        match Limited::new(body, self.body).collect().await {
            Ok(collected) => Ok((collected.to_bytes().into(), held)),
            Err(error) if error.is::<LengthLimitError>() => Err(self.too_large()),
            Err(_) => Err(Problem::new(Kind::MalformedRequest, "the body ended before its end")),
        }
    }

    fn too_large(&self) -> Problem {
        Problem::new(Kind::TooLarge, format!("a body has at most {} bytes", self.body))
    }
}

const TWO: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

fn overloaded(detail: &str) -> Problem {
    Problem::new(Kind::Overloaded, detail).retry_after(1)
}

/// What counts as one address: one host has a whole /64 of version 6.
fn neighbourhood(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => {
            let prefix = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(prefix))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_neighbourhood_has_its_own_rate() {
        let limits = Limits::new(NonZeroU32::new(1), 1, 1, 1);
        let ask = |peer: &str| limits.count(peer.parse().unwrap()).is_ok();
        assert!(ask("192.0.2.1") && ask("192.0.2.1"), "a burst of two");
        assert!(!ask("192.0.2.1") && !ask("::ffff:192.0.2.1"));
        assert!(ask("192.0.2.2") && ask("2001:db8::1") && ask("2001:db8::2"));
        assert!(!ask("2001:db8::3") && ask("2001:db8:0:1::3"));
    }

    #[test]
    fn places_are_given_back() {
        let limits = Limits::new(None, 1, 1, 1);
        let held = limits.enter().unwrap();
        assert_eq!(limits.enter().unwrap_err().kind(), Kind::Overloaded);
        drop(held);
        assert!(limits.enter().is_ok());
    }

    #[tokio::test]
    async fn bodies_are_bounded_alone_and_together() {
        let limits = Limits::new(None, 1, 2 * PIECE, 2 * PIECE);
        let long = |length: usize| Body::from(vec![b' '; length]);
        let none = HeaderMap::new();
        assert_eq!(limits.read(&none, long(2 * PIECE + 1)).await.unwrap_err().kind(), Kind::TooLarge);
        let mut declared = HeaderMap::new();
        declared.insert(header::CONTENT_LENGTH, (PIECE + 1).into());
        let (body, held) = limits.read(&declared, long(PIECE + 1)).await.unwrap();
        assert_eq!(body.len(), PIECE + 1);
        assert_eq!(limits.read(&none, long(1)).await.unwrap_err().kind(), Kind::Overloaded);
        drop(held);
        assert!(limits.read(&none, long(1)).await.is_ok());
    }
}
