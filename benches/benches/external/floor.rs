//! The floor: the same questions to the same child in a bare loop, whose answers are read and not looked at.

use assay_harness::Registry;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Every question of the registry as the rest of its line behind the id.
pub fn questions(registry: &Registry) -> Vec<String> {
    let suites = registry.entries().iter().filter_map(|entry| Some((entry, entry.suite.as_ref()?)));
    let tail = |name: &str, input: &[u8]| {
        format!(",\"capability\":\"{name}\",\"input\":{}}}}}\n", String::from_utf8_lossy(input))
    };
    suites
        .flat_map(|(entry, suite)| {
            let vectors = suite.vectors.iter().flat_map(|file| &file.lines);
            vectors.map(move |vector| tail(entry.name(), &vector.input))
        })
        .collect()
}

/// A child, and nothing around it.
pub struct Bare {
    child: Child,
    to: BufWriter<ChildStdin>,
    from: BufReader<ChildStdout>,
    id: u64,
}

impl Bare {
    /// Starts a child and greets it.
    pub fn start(command: &str) -> Self {
        let mut words = command.split(' ').map(|word| word.trim_matches('\''));
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child that starts");
        let to = BufWriter::with_capacity(1 << 16, child.stdin.take().expect("a pipe"));
        let from = BufReader::with_capacity(1 << 16, child.stdout.take().expect("a pipe"));
        let mut bare = Self { child, to, from, id: 0 };
        let hello = "{\"hello\":{\"protocol\":1,\"window\":64,\"line\":16777216}}\n";
        bare.to.write_all(hello.as_bytes()).expect("a child that reads");
        bare.to.flush().expect("a child that reads");
        bare.read();
        bare
    }

    fn read(&mut self) {
        let mut line = String::new();
        assert!(self.from.read_line(&mut line).expect("a child that writes") > 0, "the child has gone");
    }

    /// Asks everything once, with at most `window` questions open.
    pub fn round(&mut self, questions: &[String], window: usize) {
        let mut open = 0;
        for question in questions {
            if open == window {
                self.to.flush().expect("a child that reads");
                // Half a window at a time, so that questions go in company.
                for _ in 0..window.div_ceil(2) {
                    self.read();
                    open -= 1;
                }
            }
            write!(self.to, "{{\"run\":{{\"id\":{}{question}", self.id).expect("a child that reads");
            self.id += 1;
            open += 1;
        }
        self.to.flush().expect("a child that reads");
        for _ in 0..open {
            self.read();
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // It leaves by itself when its input ends; killing it is quicker.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
