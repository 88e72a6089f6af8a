//! The reader of the hot path: one pass over the body, no allocation once warm.
//!
//! [`super::pass`] judges the body and notes where the values stand that [`super::table`] and the catalog ask for;
//! [`super::values`] then says what they mean, in [`Request`]. Agrees with [`super::strict`] on every text where everything is
//! wanted.

use core::cell::RefCell;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use super::dispatch::Dispatch;
use super::left::Left;
use super::pass::{Padded, Passed, Text, pass};
use super::slot::{Slot, Slots, Sort};
use super::table::{BidRequest, Imp};
use super::values::Values;
use super::{BadRequest, Body, Wants, first_party};
use crate::limits::{MAX_IMPS, MAX_REQUEST_BYTES};
use crate::request::{self, Request};

/// Reads bodies, one after the other. Keeps its working memory between them, and what it prepared for the needs of the last
/// one: other needs cost as much as reading a few requests.
#[derive(Debug, Default)]
pub struct Reader {
    /// The table as it was needed last, nothing of it before the first body.
    dispatch: Dispatch,
    /// Of the body.
    slots: Slots,
    /// Of the JSON text in `native.request`, of one impression at a time.
    native: RefCell<Slots>,
}

impl Reader {
    /// Reads a body. Strings borrow from it, or live in `arena` like all else that is read. What is not wanted is checked to be
    /// JSON and may be left out.
    pub fn read<'a>(
        &mut self,
        body: impl Into<Body<'a>>,
        wants: &Wants<'_>,
        arena: &'a Bump,
    ) -> Result<Request<'a>, BadRequest> {
        let body = body.into();
        if body.len() > MAX_REQUEST_BYTES {
            return Err(BadRequest::TooLarge);
        }
        if !self.dispatch.is_for(&wants.needs) {
            self.dispatch = Dispatch::new(&wants.needs);
        }
        let body = body.padded(arena);
        let left = &Left::default();
        let Passed { text, root } = self
            .pass(&body, left, arena)
            .map_err(|at| BadRequest::NotJson { at: self.first_bad_byte(body.bytes(), at, arena) })?;
        let root = root.ok_or(BadRequest::NotAnObject)?;
        self.merge_first_party(text, root, wants.prebid_code, left, arena);
        let values = self.values(text, left, arena);
        let mut request = Request::default();
        BidRequest::fill(&values, root, &mut request).ok_or(BadRequest::MissingId)?;
        request.has_too_much = left.is_over();
        if request.has_too_much {
            // The impressions may be what was left out.
            return Ok(request);
        }
        let imps = values.slots.get(root + BidRequest::imp);
        // An object in place of the list has to be an impression.
        let is_missing = imps.sort() != Sort::List && request.imp.is_empty();
        if is_missing || values.slots.blocks(imps).next().is_none() {
            return Err(BadRequest::MissingImp);
        }
        request.more_imps = request.imp.len() == MAX_IMPS && values.has_more_imps(imps);
        Ok(request)
    }

    fn pass<'a>(&mut self, body: &Padded<'a>, left: &Left, arena: &'a Bump) -> Result<Passed<'a>, usize> {
        self.slots.clear();
        pass(body, BidRequest::KIND, &self.dispatch, &mut self.slots, left, arena)
    }

    fn values<'r, 'a>(&'r self, text: Text<'a>, left: &'r Left, arena: &'a Bump) -> Values<'r, 'a> {
        Values { text, slots: &self.slots, arena, dispatch: &self.dispatch, inner: &self.native, left }
    }

    /// Whether something of it may be no text, where the pass went wrong at `at`: then what comes first is to blame, what is
    /// not text or what is not JSON.
    #[cold]
    fn first_bad_byte(&mut self, body: &[u8], at: usize, arena: &Bump) -> usize {
        let Err(error) = core::str::from_utf8(body) else { return at };
        let text = body.get(..error.valid_up_to()).unwrap_or_default();
        self.pass(&Padded::copied(text, arena), &Left::default(), arena).err().unwrap_or(text.len())
    }

    /// Merges what is addressed to `code`, or to everyone.
    #[inline(never)]
    fn merge_first_party(&mut self, text: Text<'_>, root: usize, code: &str, left: &Left, arena: &Bump) {
        if self.slots.get(root + BidRequest::ext).block().is_none() {
            return;
        }
        let values = self.values(text, left, arena);
        let mut patches = Vec::new_in(arena);
        patches.extend(first_party::configurations(&values, root, code));
        for patch in patches {
            first_party::merge(&mut self.slots, root, patch);
        }
    }
}

impl<'a> Values<'_, 'a> {
    /// The first [`MAX_IMPS`] impressions that have an id.
    pub(super) fn imps(&self, slot: Slot) -> Option<&'a [request::Imp<'a>]> {
        let most = if slot.sort() == Sort::List { slot.end().min(MAX_IMPS) } else { 1 };
        let mut list = Vec::with_capacity_in(most, self.arena);
        for block in self.slots.blocks(slot) {
            if list.len() == MAX_IMPS {
                break;
            }
            list.push(request::Imp::default());
            if Imp::fill(self, block, list.last_mut()?).is_none() {
                list.pop();
            }
        }
        Some(list.into_bump_slice())
    }

    /// Whether an object follows the first [`MAX_IMPS`] impressions that have an id.
    #[cold]
    fn has_more_imps(&self, slot: Slot) -> bool {
        let mut blocks = self.slots.blocks(slot);
        let with_id = blocks.by_ref().filter(|block| self.literal(self.slots.get(block + Imp::id)).is_some());
        with_id.take(MAX_IMPS).count() == MAX_IMPS && blocks.next().is_some()
    }
}
