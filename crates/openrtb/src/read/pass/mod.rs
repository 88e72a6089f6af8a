//! One pass over a text: checks that it is JSON and stores the positions of needed values in slots.
//!
//! - One loop reads every kind of object. The loop finds a name's row in the table ([`super::dispatch`]) and writes the
//!   value's position into the object's block ([`super::slot`]). [`super::values`] converts values later.
//! - Values without a row go through [`skip`], which checks the same grammar and keeps nothing.
//! - Loads need no bounds check: see [`cursor`].
//! - A function takes a position and returns the position after what it read. If the text is not JSON, it returns
//!   `None` and stores the offset in `error_at`.

#![allow(clippy::inline_always, reason = "small steps of the loop over each object or list")]

mod cursor;
#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))))]
mod lane_portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lane_wasm;
#[cfg(target_arch = "x86_64")]
mod lane_x86;
mod list;
mod skip;
#[cfg(test)]
mod tests;
mod token;

use cursor::Cursor;
pub(crate) use cursor::PADDING;
pub(super) use cursor::{Key, Padded, Text};

use super::dispatch::Dispatch;
use super::rows::{Action, Attribute, Kind};
use super::size_limit::SizeLimit;
use super::slot::{SKIPPED, Slot, Slots};
use super::text;
use bumpalo::Bump;

/// A checked text and its top-level object.
pub(super) struct Checked<'a> {
    pub(super) text: Text<'a>,
    /// The block of the object; `None` if the text is not an object.
    pub(super) root: Option<usize>,
}

/// The state of a pass over one text.
struct Pass<'r, 'a> {
    text: &'r Padded<'a>,
    dispatch: &'r Dispatch,
    slots: &'r mut Slots,
    size_limit: &'r SizeLimit,
    /// Holds decoded names.
    arena: &'a Bump,
    /// Whether [`Pass::rest_of_string`] has found an escape since the last reset.
    has_escapes: bool,
    /// Offset of the first byte that cannot be part of JSON.
    error_at: usize,
}

/// Checks a text. If it is an object, stores its attributes in `slots` as an object of kind `kind`. `Err` holds the
/// offset of the first byte that cannot be part of a JSON text, or the text's length if it ends too early.
pub(super) fn pass<'a>(
    text: &Padded<'a>,
    kind: u8,
    dispatch: &Dispatch,
    slots: &mut Slots,
    size_limit: &SizeLimit,
    arena: &'a Bump,
) -> Result<Checked<'a>, usize> {
    let mut pass = Pass { text, dispatch, slots, size_limit, arena, has_escapes: false, error_at: 0 };
    let mut root = None;
    match pass.document(kind, &mut root).and_then(|end| text.checked_text(end)) {
        Some(text) => Ok(Checked { text, root }),
        None => Err(pass.error_at),
    }
}

impl<'a> Pass<'_, 'a> {
    /// The whole text, with whitespace around the value.
    fn document(&mut self, kind: u8, root: &mut Option<usize>) -> Option<Cursor<'a>> {
        let start = self.text.start().skip_whitespace();
        let end = match Kind::of(kind) {
            Some(kind) if start.byte() == b'{' => {
                let block = self.slots.add_block(kind.slots());
                *root = Some(block);
                self.object(start, kind, block, 1)?
            }
            _ => self.skip_value(start, 0)?,
        };
        let end = end.skip_whitespace();
        if self.text.offset(end) == self.text.bytes().len() { Some(end) } else { self.fail(end) }
    }

    /// Notes that the text is not JSON at `at`.
    #[cold]
    #[inline(never)]
    fn fail<T>(&mut self, at: Cursor<'a>) -> Option<T> {
        self.error_at = self.text.offset(at);
        None
    }

    /// An object; `open` is its opening bracket. `depth` containers are open inside it, including the object.
    fn object(&mut self, open: Cursor<'a>, kind: &Kind, block: usize, depth: usize) -> Option<Cursor<'a>> {
        let mut at = match open.after(*b"{\"") {
            Some(name) => name,
            None => match self.first_member(open.next())? {
                end if end.byte() == b'}' => return Some(end.next()),
                quote => quote.next(),
            },
        };
        loop {
            let (row, value) = match at.key() {
                Some((key, end)) => (self.dispatch.find(kind, key), end),
                None => self.rare_key(at, kind)?,
            };
            let mut value = value;
            let mut first = value.byte();
            if first <= b' ' {
                value = value.skip_whitespace();
                first = value.byte();
            }
            let end = match first {
                b'"' => {
                    let text_end = value.next().special_in_lane();
                    if let Some(next) = text_end.after_three(*b"\",\"") {
                        self.set_scalar(row, block, first, value, text_end.next());
                        at = next;
                        continue;
                    }
                    let end = self.string_end_marking_escapes(text_end, &mut first)?;
                    self.set_scalar(row, block, first, value, end);
                    end
                }
                b'{' | b'[' => match row {
                    Some(row) => self.container(value, row, block, depth)?,
                    None => self.skip(value, depth)?,
                },
                _ => {
                    let end = self.scalar(value, first)?;
                    self.set_scalar(row, block, first, value, end);
                    end
                }
            };
            at = match end.after(*b",\"") {
                Some(next) => next,
                None if end.byte() == b'}' => return Some(end.next()),
                None => match self.next_member(end)? {
                    end if end.byte() == b'}' => return Some(end.next()),
                    quote => quote.next(),
                },
            };
        }
    }

    /// Stores a scalar if it has a row.
    #[inline(always)]
    fn set_scalar(&mut self, row: Option<&Attribute>, block: usize, first: u8, start: Cursor<'a>, end: Cursor<'a>) {
        if let Some(row) = row {
            let slot = self.scalar_slot(first, start, end);
            self.slots.set(block + usize::from(row.slot), slot);
        }
    }

    /// The slot of a scalar.
    #[inline(always)]
    fn scalar_slot(&self, first: u8, start: Cursor<'a>, end: Cursor<'a>) -> Slot {
        Slot::scalar(first, self.text.offset(start), self.text.offset(end))
    }

    /// An object or list with a row. It is skipped if its type does not fit the row.
    #[inline(never)]
    fn container(&mut self, open: Cursor<'a>, row: &Attribute, block: usize, depth: usize) -> Option<Cursor<'a>> {
        let index = block + usize::from(row.slot);
        match (row.action, open.byte(), Kind::of(row.kind)) {
            (Action::Objects, b'{', _) if is_numbered(open) => self.odd(open, index, depth),
            (Action::Object | Action::Objects | Action::Whole, b'{', Some(kind))
                if self.size_limit.try_take(kind.weight) =>
            {
                let inner = self.slots.add_block(kind.slots());
                self.slots.set(index, Slot::object(inner));
                let end = self.object(open, kind, inner, depth + 1)?;
                if row.action == Action::Whole {
                    self.slots.set(inner, self.scalar_slot(SKIPPED, open, end));
                }
                Some(end)
            }
            (Action::Objects, b'[', Some(kind)) => self.object_list(open, kind, index, depth + 1),
            (Action::Values, b'[', _) => self.scalar_list(open, index, depth + 1),
            _ => self.odd(open, index, depth),
        }
    }

    /// An object or list that the attribute does not take. The slot at `index` gets its position.
    #[cold]
    fn odd(&mut self, open: Cursor<'a>, index: usize, depth: usize) -> Option<Cursor<'a>> {
        let end = self.skip(open, depth)?;
        self.slots.set(index, self.scalar_slot(SKIPPED, open, end));
        self.slots.note_odd();
        Some(end)
    }

    /// The row of a name that is not a [`Key`], and the position after its colon: the name is long, has escapes or
    /// bytes beyond ASCII, or whitespace follows.
    #[cold]
    #[inline(never)]
    fn rare_key(&mut self, at: Cursor<'a>, kind: &Kind) -> Option<(Option<&'static Attribute>, Cursor<'a>)> {
        let end = self.rest_of_string(at)?;
        let (from, to) = (self.text.offset(at), self.text.offset(end));
        let name = self.text.bytes().get(from..to - 1).unwrap_or_default();
        let name = if name.contains(&b'\\') {
            core::str::from_utf8(name).map_or(name, |literal| text::decode(literal, self.arena).as_bytes())
        } else {
            name
        };
        let row = Key::of(name).map_or_else(|| kind.long_attribute(name), |key| self.dispatch.find(kind, key));
        Some((row, self.after_colon(end)?))
    }

    /// The position after the colon and the whitespace around it.
    fn after_colon(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let colon = at.skip_whitespace();
        if colon.byte() == b':' { Some(colon.next().skip_whitespace()) } else { self.fail(colon) }
    }

    /// The quote of an object's first name, or its closing bracket. `at` is after the opening bracket.
    #[inline(never)]
    fn first_member(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let next = at.skip_whitespace();
        if matches!(next.byte(), b'"' | b'}') { Some(next) } else { self.fail(next) }
    }

    /// The quote of an object's next name, or its closing bracket. `at` is after a value.
    #[inline(never)]
    fn next_member(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let end = at.skip_whitespace();
        match end.byte() {
            b'}' => Some(end),
            b',' => {
                let next = end.next().skip_whitespace();
                if next.byte() == b'"' { Some(next) } else { self.fail(next) }
            }
            _ => self.fail(end),
        }
    }

    /// The comma or closing bracket after an item of a list.
    #[inline(always)]
    fn next_item(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let end = at.skip_whitespace();
        if matches!(end.byte(), b',' | b']') { Some(end) } else { self.fail(end) }
    }
}

/// Whether an object's first name begins with a digit. Some encoders write a list as such an object.
fn is_numbered(open: Cursor<'_>) -> bool {
    open.next().skip_whitespace().next().byte().is_ascii_digit()
}
