//! A checkout that changes while it is served: only what can be trusted is published, and no reply mixes two states.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::snapshot::{Gateway, News, Watcher};
use assay_gateway::surface::Tool;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::{bend_vector, call_on, checkout, edit, lock, locked_checkout, vectors};

/// Generous: what is tested is that it comes, not when.
const LIMIT: Duration = Duration::from_secs(120);

/// A gateway over a checkout of its own, and what became of each change.
struct Served {
    folder: tempfile::TempDir,
    gateway: Arc<Gateway>,
    news: Receiver<News>,
    watcher: Option<Watcher>,
}

impl Served {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        locked_checkout(folder.path());
        Self::over(folder)
    }

    fn over(folder: tempfile::TempDir) -> Self {
        let gateway = Arc::new(Gateway::new(Some(folder.path().to_owned())));
        let (sender, news) = channel();
        let watcher = gateway.watch(move |news| drop(sender.send(news.clone())), |note| panic!("{note}"));
        let watcher = Some(watcher.unwrap());
        assert_eq!(gateway.snapshot().unwrap().sequence(), 1);
        Self { folder, gateway, news, watcher }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The next news; what a burst of saves makes of the lock on the way is passed over.
    fn until(&self, wanted: impl Fn(&News) -> bool) -> News {
        loop {
            let news = self.news.recv_timeout(LIMIT).unwrap();
            if wanted(&news) {
                return news;
            }
        }
    }

    fn kept_for(&self, part: &str) {
        let news = self.until(|news| news.line().contains(part));
        let News::Kept { sequence, problems } = &news else { panic!("{news:?}") };
        assert_eq!((*sequence, problems.is_empty()), (self.gateway.snapshot().unwrap().sequence(), false));
        assert_eq!(self.gateway.kept().unwrap().problems, *problems);
    }

    fn published(&self, number: u64) -> &'static str {
        let news = self.until(|news| matches!(news, News::Published { .. }));
        let News::Published { sequence, verdict, changed } = &news else { panic!("{news:?}") };
        assert_eq!(*sequence, number, "{news:?}");
        // What was changed, and the lock that goes with it.
        assert!(changed.len() == 2 && changed.contains(&"golden/index.lock".to_owned()), "{news:?}");
        assert_eq!(self.gateway.snapshot().unwrap().sequence(), number);
        assert!(self.gateway.kept().is_none());
        verdict
    }

    fn restored(&self, number: u64) {
        let news = self.until(|news| !matches!(news, News::Kept { .. }));
        assert_eq!(news, News::Restored { sequence: number });
        assert!(self.gateway.kept().is_none());
    }
}

/// Asks over and over until told to stop; whatever one snapshot says of itself must never change.
fn hammer(
    gateway: &Gateway,
    name: &str,
    path: &str,
    stop: &AtomicBool,
    seen: &Mutex<BTreeMap<u64, String>>,
) -> usize {
    let describe = json!({ "name": name });
    let batch = json!({ "name": "execute_batch", "arguments": { "runs": [{ "name": name, "arguments": example(gateway, name) },
        { "name": name, "arguments": example(gateway, name) }] } });
    let mut asked = 0;
    while !stop.load(Ordering::Relaxed) {
        let described = call_on(gateway, Tool::Describe, &describe);
        note(&described, &described["data"]["corpus_digest"], &described["data"]["status"], seen);
        let ran = call_on(gateway, Tool::Run, &batch);
        let results = ran["data"]["breakdown"]["results"].as_array().unwrap();
        for result in results {
            note(&ran, &result["data"]["trust"]["corpus_digest"], &described_status(&ran, seen), seen);
        }
        let verified = call_on(gateway, Tool::Verify, &json!({ "selection": path }));
        let verdict = &verified["data"]["verdict"];
        assert!(*verdict == json!("pass") || *verdict == json!("fail"), "{verified}");
        note(&verified, &verified["data"]["corpus_digest"], &described_status(&verified, seen), seen);
        asked += 3;
    }
    asked
}

fn example(gateway: &Gateway, name: &str) -> Value {
    let snapshot = gateway.snapshot().unwrap();
    serde_json::from_str(snapshot.registry().get(name).unwrap().port.meta().example).unwrap()
}

/// The status that a snapshot was seen with, for replies that do not carry it.
fn described_status(reply: &Value, seen: &Mutex<BTreeMap<u64, String>>) -> Value {
    let known = seen.lock().unwrap().get(&reply["snapshot_sequence"].as_u64().unwrap()).cloned();
    known.map_or(Value::Null, |known| json!(known.split(' ').nth(1).unwrap()))
}

/// One sequence number, one corpus, one status.
fn note(reply: &Value, digest: &Value, status: &Value, seen: &Mutex<BTreeMap<u64, String>>) {
    let sequence = reply["snapshot_sequence"].as_u64().unwrap();
    let (Some(digest), Some(status)) = (digest.as_str(), status.as_str()) else {
        assert!(status.is_null(), "{reply}");
        return;
    };
    let state = format!("{digest} {status}");
    let known = seen.lock().unwrap().entry(sequence).or_insert_with(|| state.clone()).clone();
    assert_eq!(known, state, "snapshot {sequence}");
}

/// Everything that can go wrong with files, while two threads ask.
#[test]
fn broken_files_never_get_out_and_drift_does() {
    let served = Served::start();
    let (root, path) = (served.root(), vectors());
    let capability = path.split('/').nth(2).unwrap();
    let suite = path.splitn(4, '/').take(3).skip(1).collect::<Vec<_>>().join("/");
    let before =
        call_on(&served.gateway, Tool::Describe, &json!({ "name": capability }))["data"]["status"].clone();
    let started = Instant::now();
    let (stop, seen, asked) = (AtomicBool::new(false), Mutex::new(BTreeMap::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let count = hammer(&served.gateway, capability, &suite, &stop, &seen);
                asked.fetch_add(count, Ordering::Relaxed);
            });
        }
        let finished = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            break_and_mend(&served, &path);
            drift_and_mend(&served, root, &path, capability);
            let asked_of_the_last = || seen.lock().unwrap().contains_key(&3);
            while !asked_of_the_last() && started.elapsed() < LIMIT {
                std::thread::sleep(Duration::from_millis(5));
            }
        }));
        stop.store(true, Ordering::Relaxed);
        finished.unwrap();
    });
    let seen = seen.into_inner().unwrap();
    println!("{} calls over snapshots {:?}", asked.load(Ordering::Relaxed), seen.keys().collect::<Vec<_>>());
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), [1, 2, 3], "{seen:?}");
    let after = call_on(&served.gateway, Tool::Describe, &json!({ "name": capability }));
    assert_eq!((&after["data"]["status"], &after["snapshot_sequence"]), (&before, &json!(3)));
}

fn break_and_mend(served: &Served, path: &str) {
    let root = served.root();
    let good = std::fs::read_to_string(root.join(path)).unwrap();
    let write = |bytes: &[u8]| std::fs::write(root.join(path), bytes).unwrap();
    // Half of a line, whole lines too few (which only the lock can tell), no text at all, nothing.
    write(&good.as_bytes()[..good.len() - 7]);
    served.kept_for(path);
    let lines: Vec<&str> = good.lines().collect();
    write((lines[..lines.len() - 1].join("\n") + "\n").as_bytes());
    served.kept_for("index.lock");
    write(b"\xff\xfe");
    served.kept_for("not UTF-8");
    std::fs::remove_file(root.join(path)).unwrap();
    served.kept_for("index.lock");
    write(good.as_bytes());
    served.restored(1);
    // The same for a suite and for the sources that all of them rest on.
    for (file, what) in [("oracles/sources.toml", "sources.toml"), ("golden/index.lock", "index.lock")] {
        let good = std::fs::read_to_string(root.join(file)).unwrap();
        std::fs::write(root.join(file), &good[..good.len() / 3]).unwrap();
        served.kept_for(what);
        std::fs::write(root.join(file), good).unwrap();
        served.restored(1);
    }
}

fn drift_and_mend(served: &Served, root: &Path, path: &str, capability: &str) {
    let good = std::fs::read_to_string(root.join(path)).unwrap();
    let id = bend_vector(root, path);
    served.kept_for("index.lock");
    lock(served.root());
    assert_eq!(served.published(2), "fail");
    let described = call_on(&served.gateway, Tool::Describe, &json!({ "name": capability }));
    assert_eq!(described["data"]["status"], json!("partial"), "{described}");
    let missing = described["data"]["missing"].to_string();
    assert!(missing.contains(&id), "{missing}");
    let verified = call_on(&served.gateway, Tool::Verify, &json!({ "selection": capability }));
    assert_eq!(
        (&verified["data"]["verdict"], &verified["data"]["failures"][0]["id"]),
        (&json!("fail"), &json!(id))
    );
    std::fs::write(root.join(path), good).unwrap();
    served.kept_for("index.lock");
    lock(served.root());
    assert_eq!(served.published(3), "pass");
}

#[test]
fn a_snapshot_that_is_held_stays_what_it_was() {
    let served = Served::start();
    let held = served.gateway.snapshot().unwrap();
    let (digest, path) = (held.registry().corpus_digest().to_owned(), vectors());
    let cases = path.replace(path.split_once("/vectors").unwrap().1, "");
    let cases = cases.replace("/vectors", "/cases.toml");
    edit(served.root(), &cases, |text| text.replacen("title = \"", "title = \"Still: ", 1));
    served.kept_for("index.lock");
    lock(served.root());
    assert_eq!(served.published(2), "pass");
    let now = served.gateway.snapshot().unwrap();
    assert_eq!((held.sequence(), held.registry().corpus_digest()), (1, digest.as_str()));
    assert_ne!(now.registry().corpus_digest(), digest);
    assert!(now.ut() >= held.ut());
}

/// There is nothing older to keep, so it is served and called broken; the first sound state takes its place.
#[test]
fn a_checkout_that_is_broken_from_the_start_is_served_until_it_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    locked_checkout(folder.path());
    let lock_file = folder.path().join("golden/index.lock");
    let good = std::fs::read_to_string(&lock_file).unwrap();
    let (short, _) = good.trim_end().rsplit_once('\n').unwrap();
    std::fs::write(&lock_file, format!("{short}\n")).unwrap();
    let served = Served::over(folder);
    let verdict = || {
        let reply = call_on(&served.gateway, Tool::Verify, &json!({}));
        (reply["snapshot_sequence"].clone(), reply["data"]["verdict"].clone())
    };
    assert_eq!(verdict(), (json!(1), json!("broken")));
    std::fs::write(&lock_file, good).unwrap();
    let news = served.until(|news| matches!(news, News::Published { .. }));
    let changed = vec!["golden/index.lock".to_owned()];
    assert_eq!(news, News::Published { sequence: 2, verdict: "pass", changed });
    assert_eq!(verdict(), (json!(2), json!("pass")));
}

#[test]
fn it_watches_only_a_checkout_and_only_from_the_start() {
    let quiet = |_: &News| {};
    let watch = |gateway: Gateway| Arc::new(gateway).watch(quiet, |_| ()).map(drop).unwrap_err();
    assert!(watch(Gateway::new(None)).contains("--root"));
    assert!(watch(Gateway::new(Some("/no/such/folder".into()))).starts_with("find "));
    let folder = tempfile::tempdir().unwrap();
    checkout(folder.path());
    let gateway = Gateway::new(Some(folder.path().to_owned()));
    assert_eq!(gateway.snapshot().unwrap().sequence(), 1);
    assert!(watch(gateway).contains("stands already"));
}

#[test]
fn it_ends_when_it_is_dropped() {
    let mut served = Served::start();
    drop(served.watcher.take());
    bend_vector(served.root(), &vectors());
    assert!(served.news.recv_timeout(Duration::from_millis(400)).is_err(), "nobody watches any more");
}
