//! What is measured, and how it is told.

use crate::client::{Client, Target, message};
use crate::server::{Clock, Process};
use serde_json::{Value, json};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How long each figure is measured.
const PERIOD: Duration = Duration::from_secs(3);
/// Calls that do not count, before those that do: so many, or as many as fit into a period.
const WARM: usize = 300;
/// Calls under way at a time where throughput is measured.
const AT_ONCE: usize = 8;
/// Starts of a server.
const STARTS: usize = 11;

fn say(line: &str) {
    // Whoever reads it may be gone.
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// What the columns of [`row`] are.
pub fn header() {
    say("| what | transport | bytes | p50 µs | p99 µs | processor µs | calls/s, one | calls/s, eight |");
    say("|---|---|---|---|---|---|---|---|");
}

/// Measures one call and tells its figures: the processor time of the server is for one call, too.
pub fn row(what: &str, transport: &str, process: &Process, target: &Target, tool: &str, arguments: &Value) {
    let clock = process.clock();
    let (bytes, mut times, busy) = alone(clock, target, tool, arguments);
    times.sort_unstable();
    let total: Duration = times.iter().sum();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6;
    let one = times.len() as f64 / total.as_secs_f64();
    let eight = together(target, tool, arguments);
    say(&format!(
        "| {what} | {transport} | {bytes} | {:.0} | {:.0} | {busy} | {one:.0} | {eight:.0} |",
        at(0.5),
        at(0.99)
    ));
}

/// One call after another: the size of a reply, each time, and the processor time of one in microseconds.
fn alone(clock: Clock, target: &Target, tool: &str, arguments: &Value) -> (usize, Vec<Duration>, String) {
    let mut client = Client::to(target);
    let bytes = client.call(tool, arguments).len();
    let request = client.request(1, tool, arguments);
    let mut times = Vec::new();
    let begun = Instant::now();
    for _ in (0..WARM).take_while(|_| begun.elapsed() < PERIOD) {
        client.send(&request);
        client.receive();
    }
    let (before, end) = (clock.seconds(), Instant::now() + PERIOD);
    while Instant::now() < end {
        let started = Instant::now();
        client.send(&request);
        client.receive();
        times.push(started.elapsed());
    }
    let busy = before.zip(clock.seconds()).map(|(before, after)| (after - before) * 1e6 / times.len() as f64);
    (bytes, times, busy.map_or_else(|| "?".to_owned(), |busy| format!("{busy:.0}")))
}

/// Calls a second with several under way: on connections of their own over HTTP, on one pipe otherwise.
fn together(target: &Target, tool: &str, arguments: &Value) -> f64 {
    let (clients, ahead) = if matches!(target, Target::Stdio(_)) { (1, AT_ONCE) } else { (AT_ONCE, 1) };
    let worker = || {
        let mut client = Client::to(target);
        let (started, mut done) = (Instant::now(), 0);
        for id in 0..ahead {
            client.send(&client.request(id, tool, arguments));
        }
        while started.elapsed() < PERIOD {
            client.receive();
            client.send(&client.request(done + ahead, tool, arguments));
            done += 1;
        }
        let took = started.elapsed();
        (0..ahead).for_each(|_| drop(client.receive()));
        done as f64 / took.as_secs_f64()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..clients).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker that counts")).sum()
    })
}

/// The time from the start of a process until its tools are listed: the median of several, and the slowest.
pub fn start(transport: &str, begin: &dyn Fn() -> Process, target: &dyn Fn(&Process) -> Target) {
    let mut times: Vec<f64> = (0..STARTS)
        .map(|_| {
            let started = Instant::now();
            let process = begin();
            let target = target(&process);
            let mut client = Client::to(&target);
            client.send(&client.framed(&message(1, "tools/list", &json!({}))));
            assert!(!client.receive().is_empty());
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    say(&format!(
        "start to tools/list, {transport}: {:.1} ms, at most {:.1} ms",
        times[STARTS / 2],
        times[STARTS - 1]
    ));
}

/// Memory before and after many calls, taken in turn.
pub fn soak(transport: &str, process: &Process, target: &Target, calls: &[(&str, Value)], count: usize) {
    let mut client = Client::to(target);
    let requests: Vec<Vec<u8>> =
        calls.iter().map(|(tool, arguments)| client.request(1, tool, arguments)).collect();
    let memory = || process.memory().map_or_else(|| "?".to_owned(), |memory| format!("{memory:.1}"));
    let (before, started) = (memory(), Instant::now());
    let mut half = String::new();
    for (n, request) in requests.iter().cycle().take(count).enumerate() {
        if n == count / 2 {
            half = memory();
        }
        client.send(request);
        client.receive();
    }
    let after = memory();
    let took = started.elapsed();
    say(&format!(
        "memory over {count} calls, {transport}: {before} MiB before, {half} halfway, {after} after ({took:.0?})"
    ));
}
