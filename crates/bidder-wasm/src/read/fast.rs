//! The reader of the hot path: two stages, no allocation once warm.
//!
//! [`super::index`] judges the whole body and finds its structural characters; [`super::walk`]
//! then touches only what [`Request`] has an attribute for and the catalog a need. Agrees with
//! [`super::strict`] on every text where everything is wanted.

use core::cell::Cell;

use bumpalo::Bump;

use super::index::Index;
use super::objects::request;
use super::walk::{Document, Left};
use super::{BadRequest, Wants};
use crate::limits::MAX_REQUEST_BYTES;
use crate::request::Request;

/// Reads bodies, one after the other. Keeps its working memory between them.
#[derive(Debug, Default)]
pub struct Reader {
    /// Of the body.
    body: Index,
    /// Of the JSON text in `native.request`, of one impression at a time.
    native: Index,
}

impl Reader {
    /// Reads a body. Strings borrow from it, or from `arena` where they had escapes; lists are in
    /// `arena`. What is not wanted is checked to be JSON and may be left out.
    pub fn read<'a>(&mut self, body: &'a [u8], wants: &Wants<'_>, arena: &'a Bump) -> Result<Request<'a>, BadRequest> {
        if body.len() > MAX_REQUEST_BYTES {
            return Err(BadRequest::TooLarge);
        }
        let text =
            simdutf8::basic::from_utf8(body).map_err(|_| BadRequest::NotJson { at: self.first_bad_byte(body) })?;
        self.body.build(body).map_err(|at| BadRequest::NotJson { at })?;
        let left = arena.alloc(Cell::new(Left::default()));
        let natives = &mut Natives { index: &mut self.native, left, arena };
        request::read(Document::new(text, &self.body, left, arena).root(), wants, natives)
    }

    /// For a body that is not UTF-8, and may not be JSON even before that.
    #[cold]
    fn first_bad_byte(&mut self, body: &[u8]) -> usize {
        let encoding = core::str::from_utf8(body).map_or_else(|error| error.valid_up_to(), |_| body.len());
        self.body.build(body).err().map_or(encoding, |grammar| grammar.min(encoding))
    }

    /// Stage 1 alone, for measuring it: whether the body is JSON.
    #[doc(hidden)]
    pub fn index(&mut self, body: &[u8]) -> bool {
        self.body.build(body).is_ok()
    }
}

/// What reading the JSON text in `native.request` takes.
pub(super) struct Natives<'r, 'a> {
    pub(super) index: &'r mut Index,
    pub(super) left: &'a Cell<Left>,
    pub(super) arena: &'a Bump,
}
