//! The fast reader: one pass over the body, and no heap allocation after the first requests.
//!
//! [`super::pass`] checks the JSON and notes the positions of the values that [`super::table`] and the catalog need, or
//! [`super::protobuf`] does it for protobuf.
//! [`super::values`] then converts them into a [`Request`]. Tests compare the fast reader, with all needs, with the
//! plain reader in `tests/readers/plain`.

use core::cell::RefCell;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use super::dispatch::Dispatch;
use super::objects::{BidRequest, Imp};
use super::pass::{Checked, Padded, Text, pass};
use super::protobuf::{self, Fields, Message, Texts};
use super::size_limit::SizeLimit;
use super::slot::{JsonType, Slot, Slots};
use super::values::Values;
use super::{BadRequest, Body, Format, Needs, Wants, first_party, refusal};
use crate::request::{self, Request};
use base::limits::{MAX_IMPS, MAX_REQUEST_BYTES};

/// Reads bodies one after the other. Keeps its working memory and the index for the last needs. New needs cost as much
/// as reading a few requests, because the index is built again.
#[derive(Debug, Default)]
pub struct Reader {
    /// The index for the last needs; empty before the first body.
    dispatch: Dispatch,
    /// The same for protobuf; empty before the first body in protobuf.
    fields: Fields,
    /// The positions of the values of the body: see [`super::slot`].
    slots: Slots,
    /// The positions of the values of the JSON text in `native.request`, for one impression at a time.
    native_slots: RefCell<Slots>,
}

impl Reader {
    /// Reads a body. Strings borrow from the body or from `arena`, lists and objects live in `arena`. Unwanted values
    /// are only checked to be JSON and may be missing in the result.
    pub fn read<'a>(
        &mut self,
        body: impl Into<Body<'a>>,
        wants: &Wants<'_>,
        arena: &'a Bump,
    ) -> Result<Request<'a>, BadRequest> {
        self.read_unless(body.into(), wants, arena, &mut |_| false)
    }

    /// Like [`Reader::read`], but asks `refuses` as soon as `regs`, `user`, `device` and `dooh` are read. If it refuses
    /// the request, the result may have only these, the ids, `test` and `tmax`.
    pub fn read_unless<'a>(
        &mut self,
        body: Body<'a>,
        wants: &Wants<'_>,
        arena: &'a Bump,
        refuses: &mut dyn FnMut(&Request<'a>) -> bool,
    ) -> Result<Request<'a>, BadRequest> {
        let bytes = body.len();
        if bytes > MAX_REQUEST_BYTES {
            return Err(BadRequest::TooLarge);
        }
        if !self.dispatch.is_for(&wants.needs) {
            self.dispatch = Dispatch::new(&wants.needs);
        }
        let size_limit = &SizeLimit::default();
        let format = body.format;
        let (text, root) = match format {
            Format::Json => {
                let body = body.padded(arena);
                let Checked { text, root } = self
                    .pass(&body, size_limit, arena)
                    .map_err(|at| BadRequest::NotJson { at: self.first_bad_byte(body.bytes(), at, arena) })?;
                let root = root.ok_or(BadRequest::NotAnObject)?;
                self.merge_first_party(text, root, wants.prebid_code, size_limit, arena);
                (text, root)
            }
            Format::Protobuf => {
                let body = body.padded(arena);
                self.protobuf_pass(&body, &wants.needs, size_limit, arena).ok_or(BadRequest::NotProtobuf)?
            }
        };
        let is_unescaped = format == Format::Protobuf;
        let values = Values { is_unescaped, ..self.values(text, size_limit, arena) };
        let mut request = Request::default();
        BidRequest::fill_rows::<{ refusal::SIGNALS }>(&values, root, &mut request);
        if refuses(&request) && values.is_small(bytes) {
            values.refused(root, &mut request)
        } else {
            BidRequest::fill_rows::<{ refusal::OTHERS }>(&values, root, &mut request)
        }
        .ok_or(BadRequest::MissingId)?;
        request.has_too_much = size_limit.is_exceeded();
        if request.has_too_much {
            // Above the size limit, the reader may have left out the impressions.
            return Ok(request);
        }
        let imps = values.slots.get(root + BidRequest::imp);
        // An object instead of the list needs an `id`.
        let is_missing = imps.json_type() != JsonType::List && request.imp.is_empty();
        if is_missing || values.slots.blocks(imps).next().is_none() {
            return Err(BadRequest::MissingImp);
        }
        request.more_imps = request.imp.len() == MAX_IMPS && values.has_more_imps(imps);
        Ok(request)
    }

    fn pass<'a>(&mut self, body: &Padded<'a>, size_limit: &SizeLimit, arena: &'a Bump) -> Result<Checked<'a>, usize> {
        self.slots.clear();
        pass(body, BidRequest::KIND, &self.dispatch, &mut self.slots, size_limit, arena)
    }

    /// Reads a message. Returns its texts and its block; `None` if it is malformed.
    #[inline(never)]
    fn protobuf_pass<'a>(
        &mut self,
        body: &Padded<'_>,
        needs: &Needs,
        size_limit: &SizeLimit,
        arena: &'a Bump,
    ) -> Option<(Text<'a>, usize)> {
        if !self.fields.is_for(needs) {
            self.fields = Fields::new(needs);
        }
        self.slots.clear();
        let root = self.slots.add_block(BidRequest::SLOTS);
        let message = Message::whole(body);
        let texts = Texts::new(message.len(), arena);
        let mut pass = protobuf::Pass { fields: &self.fields, slots: &mut self.slots, texts, size_limit };
        pass.message(message, BidRequest::KIND, root)?;
        Some((pass.texts.checked()?, root))
    }

    fn values<'r, 'a>(&'r self, text: Text<'a>, size_limit: &'r SizeLimit, arena: &'a Bump) -> Values<'r, 'a> {
        Values {
            text,
            is_unescaped: false,
            slots: &self.slots,
            arena,
            dispatch: &self.dispatch,
            native_slots: &self.native_slots,
            size_limit,
        }
    }

    /// Offset of the first byte that is not UTF-8 or not JSON, for a body that the pass refused at `at`. In a body that
    /// is not UTF-8, the pass refuses the first byte beyond ASCII, which may be too early.
    #[cold]
    fn first_bad_byte(&mut self, body: &[u8], at: usize, arena: &Bump) -> usize {
        let Err(error) = core::str::from_utf8(body) else { return at };
        let text = body.get(..error.valid_up_to()).unwrap_or_default();
        self.pass(&Padded::copied(text, arena), &SizeLimit::default(), arena).err().unwrap_or(text.len())
    }

    /// Merges the first-party data for the bidder `code` or for all bidders.
    #[inline(never)]
    fn merge_first_party(&mut self, text: Text<'_>, root: usize, code: &str, size_limit: &SizeLimit, arena: &Bump) {
        if self.slots.get(root + BidRequest::ext).block().is_none() {
            return;
        }
        let values = self.values(text, size_limit, arena);
        let mut patches = Vec::new_in(arena);
        patches.extend(first_party::patches(&values, root, code));
        for patch in patches {
            first_party::merge_patch(&mut self.slots, root, patch);
        }
    }
}

/// Checks that a text of any length is JSON (RFC 8259), nested at most [`MAX_DEPTH`](base::limits::MAX_DEPTH) deep. `Err`
/// holds the offset of the first byte that cannot be part of it; the length of the text if it ends too early.
pub fn check_json(text: &[u8]) -> Result<(), usize> {
    /// Objects of no kind have no attributes, so the pass keeps nothing.
    const NO_KIND: u8 = u8::MAX;
    let valid = core::str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
    let arena = Bump::new();
    let padded = Padded::copied(text.get(..valid).unwrap_or_default(), &arena);
    let (dispatch, mut slots, limit) = (Dispatch::default(), Slots::default(), SizeLimit::default());
    pass(&padded, NO_KIND, &dispatch, &mut slots, &limit, &arena)?;
    if valid == text.len() { Ok(()) } else { Err(valid) }
}

impl<'a> Values<'_, 'a> {
    /// The first [`MAX_IMPS`] impressions with an `id`.
    pub(super) fn imps(&self, slot: Slot) -> Option<&'a [request::Imp<'a>]> {
        self.imps_by(slot, Imp::fill)
    }

    /// The first [`MAX_IMPS`] impressions that `fill` fills.
    pub(super) fn imps_by(
        &self,
        slot: Slot,
        fill: impl Fn(&Self, usize, &mut request::Imp<'a>) -> Option<()>,
    ) -> Option<&'a [request::Imp<'a>]> {
        let capacity = if slot.json_type() == JsonType::List { slot.end_or_len().min(MAX_IMPS) } else { 1 };
        let mut list = Vec::with_capacity_in(capacity, self.arena);
        for block in self.slots.blocks(slot) {
            if list.len() == MAX_IMPS {
                break;
            }
            list.push(request::Imp::default());
            if fill(self, block, list.last_mut()?).is_none() {
                list.pop();
            }
        }
        Some(list.into_bump_slice())
    }

    /// Whether the list has another object after the first [`MAX_IMPS`] impressions with an `id`.
    #[cold]
    fn has_more_imps(&self, slot: Slot) -> bool {
        let mut blocks = self.slots.blocks(slot);
        let with_id = blocks.by_ref().filter(|block| self.literal(self.slots.get(block + Imp::id)).is_some());
        with_id.take(MAX_IMPS).count() == MAX_IMPS && blocks.next().is_some()
    }
}
