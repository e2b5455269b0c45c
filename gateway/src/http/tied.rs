//! A body that holds something until its end, and that can be ended early.

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio_util::sync::WaitForCancellationFutureOwned;

/// A body and what is given back when it has been sent, or when nobody reads it any more.
pub struct Tied<B, T> {
    /// Gone once the body was ended early.
    inner: Option<B>,
    stop: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    /// Only ever dropped.
    _held: T,
}

impl<B, T> Tied<B, T> {
    /// A body that holds `held`.
    pub const fn new(inner: B, held: T) -> Self {
        Self { inner: Some(inner), stop: None, _held: held }
    }

    /// The same, ended as soon as `stop` fires.
    #[must_use]
    pub fn until(mut self, stop: WaitForCancellationFutureOwned) -> Self {
        self.stop = Some(Box::pin(stop));
        self
    }
}

impl<B: Body<Data = Bytes> + Unpin, T: Unpin> Body for Tied<B, T> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let stopped = self.stop.as_mut().is_some_and(|stop| stop.as_mut().poll(cx).is_ready());
        if stopped {
            self.inner = None;
            self.stop = None;
        }
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_frame(cx),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.inner {
            // One that may end early promises no length.
            Some(inner) if self.stop.is_none() => inner.size_hint(),
            Some(_) => SizeHint::default(),
            None => SizeHint::with_exact(0),
        }
    }
}
