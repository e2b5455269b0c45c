//! The four tools over stdio, MCP over HTTP and REST, each beside a trivial handler on the same stack: the time of a call
//! (median and 99th percentile), calls a second, the time from the start of the process to its tool list, and memory.
//!
//! Every server is a process of its own: this binary again, as `assay` or as a floor. A server of another make is measured
//! by the same client, after `cargo bench -p assay-benches --bench gateway --`:
//! `stdio TOOL ARGUMENTS COMMAND…` or `http TOOL ARGUMENTS PORT COMMAND…`, where the command listens on that port.
//! `soak CALLS` makes so many calls of each tool in turn over stdio and over HTTP and tells the memory before and after.

mod client;
mod floor;
mod load;
mod server;

use client::{Client, Target};
use load::{header, row, soak, start};
use serde_json::{Value, json};
use server::{Process, again};
use std::process::ExitCode;

/// What is called, by tool.
fn calls() -> [(&'static str, Value); 4] {
    [
        ("find_capabilities", json!({ "query": "how much does a shell hurt a tank" })),
        ("describe_capability", json!({ "name": "compute_damage" })),
        (
            "run_capability",
            json!({ "name": "compute_damage", "arguments":
                { "weapon_damage": 100, "verses": 0.75, "cell_spread": 2.0, "distance": 128 } }),
        ),
        ("verify_spec", json!({ "selection": "combat/compute_damage" })),
    ]
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("serve") => return assay_gateway::cli::main(),
        Some("floor-stdio") => floor::stdio(),
        Some("floor-mcp") => floor::mcp(),
        Some("floor-http") => floor::http(),
        _ => {
            // Cargo says so.
            arguments.retain(|argument| argument != "--bench");
            measure(&arguments);
        }
    }
    ExitCode::SUCCESS
}

fn measure(arguments: &[String]) {
    let parsed = |text: &str| serde_json::from_str(text).expect("arguments of the tool, in JSON");
    match arguments {
        [] => all(),
        [kind, count] if kind == "soak" => soak_both(count.parse().expect("a number of calls")),
        [kind, tool, arguments, command @ ..] if kind == "stdio" && !command.is_empty() => {
            let target = |process: &Process| process.stdio();
            header();
            let process = Process::piped(command);
            row("beside", "stdio", &process, &target(&process), tool, &parsed(arguments));
            start("stdio", &|| Process::piped(command), &target);
            soak("stdio", &process, &target(&process), &[(tool, parsed(arguments))], 100_000);
        }
        [kind, tool, arguments, port, command @ ..] if kind == "http" && !command.is_empty() => {
            let port: u16 = port.parse().expect("a port");
            let target = |_: &Process| Target::Mcp(([127, 0, 0, 1], port).into());
            header();
            let process = Process::on_port(command, port);
            row("beside", "http", &process, &target(&process), tool, &parsed(arguments));
            soak("http", &process, &target(&process), &[(tool, parsed(arguments))], 100_000);
        }
        _ => panic!(
            "no arguments, or: soak CALLS; stdio TOOL ARGUMENTS COMMAND…; http TOOL ARGUMENTS PORT COMMAND…"
        ),
    }
}

/// Everything of Assay and its floors.
fn all() {
    header();
    let echo = json!({ "text": "damage" });
    let bare = Process::listening(&again(&["floor-http"]));
    row("floor: axum alone", "http", &bare, &Target::Rest(bare.address()), "echo", &echo);
    let trivial = Process::piped(&again(&["floor-stdio"]));
    row("floor: trivial tool", "stdio", &trivial, &trivial.stdio(), "echo", &echo);
    let trivial = Process::listening(&again(&["floor-mcp"]));
    row("floor: trivial tool", "mcp", &trivial, &Target::Mcp(trivial.address()), "echo", &echo);
    let piped = Process::piped(&again(&["serve"]));
    let http = Process::listening(&again(&["serve", "--http", "127.0.0.1:0"]));
    let targets = [
        ("stdio", &piped, piped.stdio()),
        ("mcp", &http, Target::Mcp(http.address())),
        ("rest", &http, Target::Rest(http.address())),
    ];
    warm(&piped, &http);
    for (transport, process, target) in &targets {
        for (tool, arguments) in calls() {
            row(tool, transport, process, target, tool, &arguments);
        }
    }
    drop((bare, trivial, piped, http));
    start("stdio", &|| Process::piped(&again(&["serve"])), &Process::stdio);
    let listening = || Process::listening(&again(&["serve", "--http", "127.0.0.1:0"]));
    start("mcp", &listening, &|process| Target::Mcp(process.address()));
}

/// The first snapshot is verified once, and not in the middle of what is measured.
fn warm(piped: &Process, http: &Process) {
    for target in [piped.stdio(), Target::Mcp(http.address())] {
        let verified = json!({ "status": "verified" });
        let reply = Client::to(&target).call("find_capabilities", &verified);
        assert!(String::from_utf8_lossy(&reply).contains("snapshot_sequence"));
    }
}

/// The calls in turn, a verification after thirty-three of each other: it takes a hundred times as long as they do.
fn many() -> Vec<(&'static str, Value)> {
    let [find, describe, run, verify] = calls();
    let quick = [find, describe, run].into_iter().cycle().take(99);
    quick.chain([verify]).collect()
}

fn soak_both(count: usize) {
    let piped = Process::piped(&again(&["serve"]));
    let http = Process::listening(&again(&["serve", "--http", "127.0.0.1:0"]));
    warm(&piped, &http);
    let calls = many();
    soak("stdio", &piped, &piped.stdio(), &calls, count);
    soak("mcp", &http, &Target::Mcp(http.address()), &calls, count);
    soak("rest", &http, &Target::Rest(http.address()), &calls, count);
}
