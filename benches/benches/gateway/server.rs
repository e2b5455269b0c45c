//! A server that is measured: a process that ends with the measurement.

use crate::client::Target;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Both ends of a server on standard input and output.
pub struct Pipes {
    pub input: ChildStdin,
    pub output: BufReader<ChildStdout>,
    /// Whether the session is open.
    pub open: bool,
}

/// A running server.
pub struct Process {
    child: Child,
    pipes: Option<Arc<Mutex<Pipes>>>,
    address: Option<SocketAddr>,
}

/// The command that starts this binary again.
pub fn again(arguments: &[&str]) -> Vec<String> {
    let own = std::env::current_exe().expect("this binary");
    let own = own.to_str().expect("a path in UTF-8").to_owned();
    std::iter::once(own).chain(arguments.iter().map(|argument| (*argument).to_owned())).collect()
}

fn command(words: &[String]) -> Command {
    let (program, arguments) = words.split_first().expect("a command");
    let mut command = Command::new(program);
    // Away from any checkout, and without the token of whoever measures.
    command.args(arguments).current_dir(std::env::temp_dir()).env_remove("ASSAY_TOKEN");
    command
}

impl Process {
    /// On standard input and output.
    pub fn piped(words: &[String]) -> Self {
        let mut command = command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let pipes = Arc::new(Mutex::new(Pipes { input, output, open: false }));
        Self { child, pipes: Some(pipes), address: None }
    }

    /// On the address that it tells on standard error.
    pub fn listening(words: &[String]) -> Self {
        let mut command = command(words);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
        let address = lines.find_map(|line| {
            let (_, rest) = line.split_once("127.0.0.1:")?;
            let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
            port.parse().ok().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        });
        // Its log goes on, and a full pipe would stop it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, pipes: None, address: Some(address.expect("an address")) }
    }

    /// On a port that is known before.
    pub fn on_port(words: &[String], port: u16) -> Self {
        let mut command = command(words);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("the server starts");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        while TcpStream::connect(address).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { child, pipes: None, address: Some(address) }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address.expect("a server that listens")
    }

    /// Its pipes.
    pub fn stdio(&self) -> Target {
        Target::Stdio(Arc::clone(self.pipes.as_ref().expect("a server on pipes")))
    }

    /// Its processor time.
    pub fn clock(&self) -> Clock {
        Clock(self.child.id())
    }

    /// Memory in use, in MiB; nothing where the system does not say it so.
    pub fn memory(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().trim_end_matches(" kB").parse::<f64>().ok()? / 1024.0)
    }
}

/// What tells the processor time of a process apart from that of everything else on a busy machine.
#[derive(Clone, Copy)]
pub struct Clock(u32);

impl Clock {
    /// Seconds of processor time so far; nothing where the system does not say it so.
    pub fn seconds(self) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0)).ok()?;
        // The name in parentheses may hold anything; user and system time are the 12th and 13th field after it.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_whitespace().skip(11).map(str::parse::<f64>);
        let (user, system) = (fields.next()?.ok()?, fields.next()?.ok()?);
        // A tick is a hundredth of a second on every Linux that matters.
        Some((user + system) / 100.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
