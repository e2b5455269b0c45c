//! Watching a call and stopping it, without any transport.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::control::Control;
use assay_gateway::surface::Tool;
use assay_harness::{Monitor, Options, Selection, Session, verify};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use support::{call, gateway};

const SELECTION: &str = "math";

fn verified(control: &Control) -> Value {
    let reply = gateway().call_with(Tool::Verify, &json!({ "selection": SELECTION }), control);
    serde_json::from_str(&reply.envelope().to_string()).unwrap()
}

#[test]
fn every_piece_is_told_once_and_nothing_else_changes() {
    let told = Arc::new(Mutex::new((BTreeSet::new(), BTreeSet::new())));
    let heard = Arc::clone(&told);
    let control = Control::listening(move |done, total| {
        let mut heard = heard.lock().unwrap();
        assert!(heard.0.insert(done), "{done} was told twice");
        heard.1.insert(total);
    });
    let watched = verified(&control);
    let (done, totals) = &*told.lock().unwrap();
    let total = *totals.first().unwrap();
    assert_eq!((totals.len(), done.len(), done.last()), (1, total, Some(&total)));
    assert_eq!(watched["data"], call(Tool::Verify, &json!({ "selection": SELECTION }))["data"]);
}

#[test]
fn a_stopped_call_judges_nothing_and_runs_no_more() {
    let control = Control::default();
    control.stop();
    let stopped = verified(&control);
    assert_eq!((&stopped["ok"], &stopped["errno"]), (&json!(false), &json!("ETIMEDOUT")), "{stopped}");
    assert_eq!((&stopped["retryable"], &stopped["data"]), (&json!(true), &Value::Null));
}

/// Stops after a number of pieces.
struct Impatient {
    most: usize,
    ran: AtomicUsize,
}

impl Monitor for Impatient {
    fn ran(&self, _: usize, _: usize) {
        self.ran.fetch_add(1, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.ran.load(Ordering::Relaxed) >= self.most
    }
}

#[test]
fn what_a_stopped_round_left_out_runs_in_the_next() {
    let snapshot = gateway().snapshot().unwrap();
    let selection: Selection = SELECTION.parse().unwrap();
    let whole = verify(snapshot.registry(), &selection, &snapshot.options());
    let impatient = Arc::new(Impatient { most: 5, ran: AtomicUsize::new(0) });
    let options = Options { jobs: Some(1), monitor: Some(impatient.clone()), ..snapshot.options() };
    let mut session = Session::new(selection);
    let cut = session.verify(snapshot.registry(), &options).report;
    assert_eq!((impatient.ran.load(Ordering::Relaxed), cut.results.len()), (5, 5));
    let next = session.verify(snapshot.registry(), &snapshot.options()).report;
    assert!(next.results.len() > 5);
    assert_eq!(next.result_digest, whole.result_digest);
}
