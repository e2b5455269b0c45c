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
        format!("{{\"id\":{},{}}}", self.id, self.answer)
    }
}

/// Behaves as it is told to.
pub fn main(behaviour: &str) {
    let answering: Answering = match behaviour {
        "right" => return serve(IDENTITY, &[&RIGHT], io::stdin(), io::stdout()).unwrap(),
        "wrong" => return serve(IDENTITY, &[&WRONG], io::stdin(), io::stdout()).unwrap(),
        "dies-at-once" => {
            eprintln!("no such map");
            exit(3);
        }
        "says-no-hello" => {
            println!("Toy 7.0 ready.");
            sleep(Duration::from_secs(60));
            return;
        }
        "never-says-hello" => return sleep(Duration::from_secs(60)),
        "chats-after-hello" => {
            println!("{}\nready", hello("toy", ""));
            return sleep(Duration::from_secs(60));
        }
        "other-protocol" => {
            return println!("{}", hello("toy", "").replace("\"protocol\":1", "\"protocol\":9"));
        }
        "never-answers" => |_| Vec::new(),
        "silent-at-128" => |asked| if asked.distance == 128 { Vec::new() } else { vec![asked.right()] },
        "answers-twice" => |asked| vec![asked.right(), asked.right()],
        "twice-at-128" => |asked| vec![asked.right(); if asked.distance == 128 { 2 } else { 1 }],
        "wrong-id" => |asked| vec![asked.right().replacen(&asked.id.to_string(), "4000000", 1)],
        "garbage" => |_| vec!["Traceback (most recent call last):".to_owned()],
        "garbage-at-128" => |asked| {
            if asked.distance == 128 { vec!["\u{1b}[31moh\u{1b}[0m".to_owned()] } else { vec![asked.right()] }
        },
        "malformed-at-128" => |asked| {
            let answer = if asked.distance == 128 { "\"result\":75" } else { &asked.answer };
            vec![format!("{{\"id\":{},{answer}}}", asked.id)]
        },
        "floods-output" => |_| loop {
            println!("{{\"id\":0,\"ok\":{{}}}}");
        },
        "floods-a-line" => |_| flood(io::stdout()),
        "huge-line-at-128" => |asked| {
            let size = if asked.distance == 128 { 17 << 20 } else { 0 };
            vec![asked.right().replace("\"id\"", &format!("{}\"id\"", " ".repeat(size)))]
        },
        "floods-errors" => |asked| {
            for _ in 0..64 {
                eprintln!("{} {}", "noise ".repeat(100), asked.id);
            }
            vec![asked.right()]
        },
        "dies-at-128" => |asked| {
            if asked.distance == 128 {
                eprintln!("index 128 out of bounds");
                exit(41);
            }
            vec![asked.right()]
        },
        "aborts-at-128" => |asked| {
            if asked.distance == 128 {
                std::process::abort();
            }
            vec![asked.right()]
        },
        "dies-after-ten" => |asked| {
            if asked.before == 10 {
                exit(9);
            }
            vec![asked.right()]
        },
        "dies-always" => |_| exit(5),
        "heir-at-128" => |asked| {
            if asked.distance == 128 {
                heir();
                exit(0);
            }
            vec![asked.right()]
        },
        "skips" => |asked| vec![format!("{{\"id\":{},\"skip\":\"not done\"}}", asked.id)],
        "skips-at-128" => |asked| {
            let skip = "\"skip\":\"no cell there\"".to_owned();
            vec![format!(
                "{{\"id\":{},{}}}",
                asked.id,
                if asked.distance == 128 { &skip } else { &asked.answer }
            )]
        },
        "deaf" => return deaf(),
        "backwards" => return backwards(),
        "stays" | "last-word" | "leaves-with-7" => |asked| vec![asked.right()],
        "one-game" | "stranger" | "offers-nothing" | "one-at-a-time" => |asked| vec![asked.right()],
        other => {
            eprintln!("no behaviour is called `{other}`");
            exit(2);
        }
    };
    talk(behaviour, answering);
    match behaviour {
        "stays" => sleep(Duration::from_secs(60)),
        "last-word" => println!("{{\"id\":0,\"ok\":{{}}}}"),
        "leaves-with-7" => exit(7),
        _ => {}
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
            println!("{}", hello(name, ""));
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
            // Nobody reads any more: it was ended.
            let mut stdout = io::stdout().lock();
            for line in answering(&asked) {
                if writeln!(stdout, "{line}").and_then(|()| stdout.flush()).is_err() {
                    exit(0);
                }
            }
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
fn deaf() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    println!("{}", hello("deaf", ""));
    close_input();
    sleep(Duration::from_secs(60));
}

/// There is no way in std to close standard input; another process can take it along and leave.
fn close_input() {
    // `exec` of a shell that closes it and sleeps is the same to who is outside.
    let error = replace(Command::new("sh").args(["-c", "exec 0<&-; sleep 60"]));
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
            println!("{}", hello("backwards", ""));
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
                    println!("{{ \"ok\": {text}, \"id\": {} }}", run.id);
                }
                Err(error) => {
                    println!("{{\"error\":{},\"id\":{}}}", serde_json::to_string(&error).unwrap(), run.id);
                }
            }
        }
        if waiting.iter().any(|line| line.starts_with("{\"bye\"")) {
            return;
        }
    }
}
