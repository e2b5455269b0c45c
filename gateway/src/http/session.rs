//! Sessions of clients that shake hands: which revision each agreed on, and which of its requests are under way.
//!
//! The sessions hold nothing else; a reply never depends on them. Clients of the current revision have none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// All sessions of a server.
pub struct Sessions {
    most: usize,
    idle: Duration,
    table: Mutex<HashMap<String, Session>>,
}

struct Session {
    version: String,
    seen: Instant,
    running: HashMap<String, (u64, CancellationToken)>,
    next: u64,
}

impl Session {
    fn expired(&self, idle: Duration) -> bool {
        self.running.is_empty() && self.seen.elapsed() >= idle
    }
}

impl Sessions {
    /// No session yet; at most `most` at a time, each forgotten after `idle` without a request.
    #[must_use]
    pub fn new(most: usize, idle: Duration) -> Arc<Self> {
        Arc::new(Self { most, idle, table: Mutex::default() })
    }

    fn table(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        // Nothing that holds the lock can panic half-way through a change.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.table().len()
    }

    /// Opens a session; `None` when there are too many already.
    #[must_use]
    pub fn open(&self, version: &str) -> Option<String> {
        let mut table = self.table();
        if table.len() >= self.most {
            table.retain(|_, session| !session.expired(self.idle));
        }
        if table.len() >= self.most {
            return None;
        }
        let id = Uuid::new_v4().to_string();
        let session =
            Session { version: version.to_owned(), seen: Instant::now(), running: HashMap::new(), next: 0 };
        table.insert(id.clone(), session);
        Some(id)
    }

    /// The revision of a session, which has then been seen now.
    #[must_use]
    pub fn version(&self, id: &str) -> Option<String> {
        let mut table = self.table();
        if table.get(id)?.expired(self.idle) {
            table.remove(id);
            return None;
        }
        let session = table.get_mut(id)?;
        session.seen = Instant::now();
        Some(session.version.clone())
    }

    /// Ends a session and stops what runs in it. Whether there was one.
    #[must_use]
    pub fn close(&self, id: &str) -> bool {
        let Some(session) = self.table().remove(id) else { return false };
        session.running.values().for_each(|(_, stop)| stop.cancel());
        !session.expired(self.idle)
    }

    /// Notes that a request is under way, until the result is dropped.
    #[must_use]
    pub fn start(self: &Arc<Self>, session: &str, request: String) -> Running {
        let stop = CancellationToken::new();
        let mut number = 0;
        if let Some(session) = self.table().get_mut(session) {
            number = session.next;
            session.next += 1;
            session.running.insert(request.clone(), (number, stop.clone()));
        }
        Running { sessions: Arc::clone(self), session: session.to_owned(), request, number, stop }
    }

    /// Stops a request of a session, if it is under way.
    pub fn cancel(&self, session: &str, request: &str) {
        if let Some((_, stop)) = self.table().get(session).and_then(|session| session.running.get(request)) {
            stop.cancel();
        }
    }
}

/// A request under way.
pub struct Running {
    sessions: Arc<Sessions>,
    session: String,
    request: String,
    number: u64,
    stop: CancellationToken,
}

impl Running {
    /// Fires when the client cancels the request or ends the session.
    #[must_use]
    pub const fn stop(&self) -> &CancellationToken {
        &self.stop
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut table = self.sessions.table();
        let Some(session) = table.get_mut(&self.session) else { return };
        session.seen = Instant::now();
        // A client that uses an id twice has replaced the entry, which is then not this one.
        if session.running.get(&self.request).is_some_and(|(number, _)| *number == self.number) {
            session.running.remove(&self.request);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn a_session_lives_until_it_is_closed() {
        let sessions = Sessions::new(2, LONG);
        let id = sessions.open("2025-06-18").unwrap();
        assert_eq!(sessions.version(&id).as_deref(), Some("2025-06-18"));
        assert_eq!((sessions.close(&id), sessions.close(&id)), (true, false));
        assert_eq!(sessions.version(&id), None);
    }

    #[test]
    fn there_are_no_more_than_the_limit_and_idle_ones_make_room() {
        let sessions = Sessions::new(2, Duration::from_millis(30));
        let (first, second) = (sessions.open("a").unwrap(), sessions.open("b").unwrap());
        assert_eq!(sessions.open("c"), None);
        let busy = sessions.start(&second, "1".to_owned());
        std::thread::sleep(Duration::from_millis(40));
        assert!(sessions.open("c").is_some(), "the idle one made room");
        assert_eq!(sessions.version(&first), None);
        assert_eq!(sessions.version(&second).as_deref(), Some("b"), "a busy one is not idle");
        drop(busy);
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(sessions.version(&second), None);
    }

    #[test]
    fn cancelling_stops_that_request_alone_and_closing_stops_all() {
        let sessions = Sessions::new(1, LONG);
        let id = sessions.open("a").unwrap();
        let (one, two) = (sessions.start(&id, "1".to_owned()), sessions.start(&id, "2".to_owned()));
        sessions.cancel(&id, "1");
        sessions.cancel(&id, "3");
        assert_eq!((one.stop().is_cancelled(), two.stop().is_cancelled()), (true, false));
        let again = sessions.start(&id, "1".to_owned());
        drop(one);
        sessions.cancel(&id, "1");
        assert!(again.stop().is_cancelled(), "the end of the first left the second one in place");
        assert!(sessions.close(&id) && two.stop().is_cancelled());
    }
}
