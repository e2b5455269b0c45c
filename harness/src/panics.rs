//! Runs a port so that a panic becomes a value, without a word on stderr.
//!
//! The panic hook is process-wide, so it is wrapped once: on a thread that is inside [`catch`] it keeps the message for
//! the verdict, on any other thread the hook that was there before runs.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    static MUTED: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// What a panic said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Panic {
    /// Its message: the part that digests cover.
    pub message: String,
    /// `file:line:column`, for people.
    pub place: String,
}

/// Runs `body`; a panic inside comes back as an error.
pub(crate) fn catch<R>(body: impl FnOnce() -> R) -> Result<R, Panic> {
    struct Unmute(bool);
    impl Drop for Unmute {
        fn drop(&mut self) {
            MUTED.set(self.0);
        }
    }
    install();
    let _unmute = Unmute(MUTED.replace(true));
    // The caller clears what the body was writing to before it uses it again.
    panic::catch_unwind(AssertUnwindSafe(body)).map_err(|_| LAST.take().unwrap_or_default())
}

fn install() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| if MUTED.get() { keep(info) } else { previous(info) }));
    });
}

fn keep(info: &PanicHookInfo) {
    let payload = info.payload();
    let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a panic without a message".to_owned(),
    };
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    LAST.set(Some(Panic { message, place }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_value_with_message_and_place() {
        let panic = catch(|| panic!("lepton {}", 7)).unwrap_err();
        assert_eq!(panic.message, "lepton 7");
        assert!(panic.place.contains("panics.rs:"), "{}", panic.place);
        assert_eq!(catch(|| 5), Ok(5));
        assert!(!MUTED.get());
    }

    #[test]
    fn nested_catches_keep_the_mute_of_the_outer_one() {
        let outer = catch(|| {
            assert!(catch(|| panic!("inner")).is_err());
            assert!(MUTED.get());
        });
        assert_eq!(outer, Ok(()));
    }
}
