//! Ports in other processes, well-behaved and hostile. The other process is this program itself, called with `child` and a
//! way to behave, so that nothing has to be installed for it.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which clippy does not count as tests")]

mod checking;
mod child;
mod hostile;
mod kind;
mod listed;
mod rig;
#[expect(dead_code, reason = "the corpus of the other tests, of which less is needed here")]
#[path = "../selftest/support.rs"]
mod support;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("child") {
        child::main(&words.next().unwrap_or_default());
        return;
    }
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> = [kind::TRIALS, hostile::TRIALS, listed::TRIALS, checking::TRIALS]
        .concat()
        .into_iter()
        .map(|(name, body)| {
            Trial::test(name, move || {
                body();
                Ok(())
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}
