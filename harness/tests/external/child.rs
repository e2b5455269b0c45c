//! The other process: the made-up port, right or wrong in one way.

use crate::support::{RIGHT, ToyPort, right};
use assay_harness::external::{Identity, Run, serve};
use assay_model::{FnPort, Output, Port as _};
use std::io::{self, BufRead as _, Write as _};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

const IDENTITY: Identity = Identity { name: "toy", version: "7" };

static WRONG: ToyPort = FnPort::new(&crate::support::META, |input| {
    let mut toy = right(input)?;
    toy.kernel.draws[1] += 1;
    Ok(toy)
});

/// What to do with a question, or instead of answering it.
type Answering = fn(&Asked) -> Vec<String>;

/// A question with the right answer at hand.
struct Asked {
    id: u64,
    /// Questions before it in this process.
    before: u64,
    distance: i64,
    /// `"ok":{…}` or `"error":{…}`.
    answer: String,
}

impl Asked {
    fn right(&self) -> String {
        self.with(&self.answer)
    }

    fn with(&self, answer: &str) -> String {
        format!("{{\"id\":{},{answer}}}", self.id)
    }
}

/// Behaves as it is told to.
pub fn main(behaviour: &str) {
    if !peculiar(behaviour) {
        let Some(answering) = at_128(behaviour).or_else(|| always(behaviour)) else {
            eprintln!("no behaviour is called `{behaviour}`");
            exit(2);
        };
        talk(behaviour, answering);
    }
    match behaviour {
        "stays" => sleep(Duration::from_secs(60)),
        "last-word" => say("{\"id\":0,\"ok\":{}}"),
        "leaves-with-7" => exit(7),
        _ => {}
    }
}

/// What does not answer one question after the other; false if it is something else.
fn peculiar(behaviour: &str) -> bool {
    match behaviour {
        "right" => serve(IDENTITY, &[&RIGHT], io::stdin(), io::stdout()).unwrap(),
        "wrong" => serve(IDENTITY, &[&WRONG], io::stdin(), io::stdout()).unwrap(),
        "dies-at-once" => {
            eprintln!("no such map");
            exit(3);
        }
        "says-no-hello" => {
            say("Toy 7.0 ready.");
            sleep(Duration::from_secs(60));
        }
        "never-says-hello" => sleep(Duration::from_secs(60)),
        "chats-after-hello" => {
            say(&format!("{}\nready", hello("toy", "")));
            sleep(Duration::from_secs(60));
        }
        "other-protocol" => say(&hello("toy", "").replace("\"protocol\":1", "\"protocol\":9")),
        "deaf" => close_input(&hello("deaf", "")),
        "deaf-when-asked" => deaf_when_asked(),
        "backwards" => backwards(),
        _ => return false,
    }
    true
}

/// What is wrong with one question alone: the one with a distance of 128.
fn at_128(behaviour: &str) -> Option<Answering> {
    Some(match behaviour {
        "silent-at-128" => |asked| otherwise(asked, Vec::new),
        "twice-at-128" => |asked| otherwise(asked, || vec![asked.right(); 2]),
        "garbage-at-128" => |asked| otherwise(asked, || vec!["\u{1b}[31moh\u{1b}[0m".to_owned()]),
        "malformed-at-128" => |asked| otherwise(asked, || vec![asked.with("\"result\":75")]),
        "skips-at-128" => |asked| otherwise(asked, || vec![asked.with("\"skip\":\"no cell there\"")]),
        "huge-line-at-128" => |asked| {
            otherwise(asked, || vec![asked.right().replacen('{', &format!("{{{}", " ".repeat(17 << 20)), 1)])
        },
        "dies-at-128" => |asked| {
            otherwise(asked, || {
                eprintln!("index 128 out of bounds");
                exit(41)
            })
        },
        "aborts-at-128" => |asked| otherwise(asked, || std::process::abort()),
        "heir-at-128" => |asked| {
            otherwise(asked, || {
                heir();
                exit(0)
            })
        },
        _ => return None,
    })
}

/// The right answer, but for a distance of 128.
fn otherwise(asked: &Asked, wrong: impl FnOnce() -> Vec<String>) -> Vec<String> {
    if asked.distance == 128 { wrong() } else { vec![asked.right()] }
}

/// What is wrong with every question, or with none.
fn always(behaviour: &str) -> Option<Answering> {
    Some(match behaviour {
        "never-answers" => |_| Vec::new(),
        "answers-twice" => |asked| vec![asked.right(), asked.right()],
        "wrong-id" => |asked| vec![asked.right().replacen(&asked.id.to_string(), "4000000", 1)],
        "garbage" => |_| vec!["Traceback (most recent call last):".to_owned()],
        "floods-output" => |_| loop {
            say("{\"id\":0,\"ok\":{}}");
        },
        "floods-a-line" => |_| flood(io::stdout()),
        "floods-errors" => |asked| {
            for _ in 0..64 {
                eprintln!("{} {}", "noise ".repeat(100), asked.id);
            }
            vec![asked.right()]
        },
        "dies-after-ten" => |asked| if asked.before == 10 { exit(9) } else { vec![asked.right()] },
        "dies-always" => |_| exit(5),
        "skips" => |asked| vec![asked.with("\"skip\":\"not done\"")],
        "stays" | "last-word" | "leaves-with-7" | "one-game" | "stranger" | "offers-nothing"
        | "one-at-a-time" => |asked| vec![asked.right()],
        _ => return None,
    })
}

/// Writes a line. When nobody reads any more it was ended.
fn say(line: &str) {
    let mut stdout = io::stdout().lock();
    // In one piece, so that several lines arrive together.
    if stdout.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdout.flush()).is_err() {
        exit(0);
    }
}

fn hello(name: &str, more: &str) -> String {
    let offers = match name {
        "one-game" => r#"{"name":"compute_toy","games":["YR"]}"#,
        "stranger" => r#"{"name":"compute_toy"},{"name":"compute_tey"},{"name":"xyzzy"}"#,
        "offers-nothing" => "",
        _ => r#"{"name":"compute_toy"}"#,
    };
    let window = if name == "one-at-a-time" { ",\"window\":1" } else { more };
    format!(
        r#"{{"hello":{{"protocol":1,"name":"{name}","language":"Rust","version":"7","capabilities":[{offers}]{window}}}}}"#
    )
}

/// Reads questions and writes what `answering` says, until good-bye.
fn talk(name: &str, answering: Answering) {
    let (mut output, mut before) = (Output::default(), 0);
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        if line.starts_with("{\"hello\"") {
            say(&hello(name, ""));
        } else if line.starts_with("{\"bye\"") {
            return;
        } else {
            let Run { run } = serde_json::from_str(&line).unwrap();
            let distance = run.input.get("distance").map(|value| value.to_string().parse().unwrap());
            let answer = match RIGHT.run(&run.input.to_json(), &mut output) {
                Ok(()) => format!("\"ok\":{}", String::from_utf8_lossy(&output.json)),
                Err(error) => format!("\"error\":{}", serde_json::to_string(&error).unwrap()),
            };
            let asked = Asked { id: run.id, before, distance: distance.unwrap_or(0), answer };
            before += 1;
            answering(&asked).iter().for_each(|line| say(line));
        }
    }
}

/// Writes without an end of line until nobody reads.
fn flood(mut stream: impl io::Write) -> ! {
    loop {
        if stream.write_all(&[b'x'; 1 << 16]).is_err() {
            exit(0);
        }
    }
}

/// Leaves somebody behind who holds the pipes open.
fn heir() {
    let own = std::env::current_exe().unwrap();
    let mut command = Command::new(own);
    command.args(["child", "never-says-hello"]).stdin(Stdio::inherit());
    let heir = command.spawn().unwrap();
    eprintln!("heir {}", heir.id());
    drop(heir);
}

/// Closes its input after the hello, and lives on.
/// Takes a question, so that writing it succeeds, and closes its input then.
fn deaf_when_asked() {
    let mut lines = io::stdin().lines();
    lines.next().unwrap().unwrap();
    say(&hello("deaf-when-asked", ",\"window\":1"));
    lines.next().unwrap().unwrap();
    close_input("");
}

/// Closes standard input, then says `word`, then stays. There is no way in std to do that.
fn close_input(word: &str) {
    // A shell that takes the place of this process is the same to who is outside.
    let script = "exec 0<&-; [ -z \"$1\" ] || printf '%s\\n' \"$1\"; sleep 60";
    let error = replace(Command::new("sh").args(["-c", script, "sh", word]));
    eprintln!("no shell: {error}");
    exit(4);
}

#[cfg(unix)]
fn replace(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn replace(_: &mut Command) -> io::Error {
    io::ErrorKind::Unsupported.into()
}

/// Reads what there is before it answers, last question first.
fn backwards() {
    let (send, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let _ = send.send(line.unwrap());
        }
    });
    let mut output = Output::default();
    while let Ok(first) = lines.recv() {
        if first.starts_with("{\"hello\"") {
            say(&hello("backwards", ""));
            continue;
        }
        let mut waiting = vec![first];
        while let Ok(next) = lines.recv_timeout(Duration::from_millis(5)) {
            waiting.push(next);
        }
        for line in waiting.iter().rev().filter(|line| line.starts_with("{\"run\"")) {
            let Run { run } = serde_json::from_str(line).unwrap();
            match RIGHT.run(&run.input.to_json(), &mut output) {
                // Another order of keys, spaces, and floats without a point where there is none.
                Ok(()) => {
                    let value: serde_json::Value = serde_json::from_slice(&output.json).unwrap();
                    let text = serde_json::to_string(&value).unwrap().replace(".0,", ",").replace(':', ": ");
                    say(&format!("{{ \"ok\": {text}, \"id\": {} }}", run.id));
                }
                Err(error) => {
                    let error = serde_json::to_string(&error).unwrap();
                    say(&format!("{{\"error\":{error},\"id\":{}}}", run.id));
                }
            }
        }
        if waiting.iter().any(|line| line.starts_with("{\"bye\"")) {
            return;
        }
    }
}
