//! The one pass over a text: checks that all of it is JSON, and notes where the values stand that are asked for.
//!
//! One loop reads every kind of object: it looks a name up ([`super::dispatch`]) and puts the value's place into the object's
//! block of slots ([`super::slot`]). Nothing is converted here. What has no row goes through [`skip`], which checks the same
//! grammar and keeps nothing. The loads need no end to be checked: see [`cursor`].
//!
//! The functions take a place and yield the place behind what they read; `None` once the text is found to be no JSON, with
//! the offset in `fault`.

#![allow(clippy::inline_always, reason = "small steps of the loop over each object or list")]

mod cursor;
#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))))]
mod lane_portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lane_wasm;
#[cfg(target_arch = "x86_64")]
mod lane_x86;
mod list;
#[cfg(test)]
mod plain;
mod skip;
#[cfg(test)]
mod tests;
mod token;

use cursor::Cursor;
pub(crate) use cursor::PADDING;
pub(super) use cursor::{Key, Padded, Text};

use super::dispatch::Dispatch;
use super::left::Left;
use super::rows::{Action, Kind, Row};
use super::slot::{Slot, Slots};
use super::text;
use bumpalo::Bump;

/// The place of the block of the object that a text is.
pub(super) struct Passed<'a> {
    /// The text.
    pub(super) text: Text<'a>,
    /// The block; `None` when the text is no object.
    pub(super) root: Option<usize>,
}

/// A pass over one text.
struct Pass<'r, 'a> {
    text: &'r Padded<'a>,
    dispatch: &'r Dispatch,
    slots: &'r mut Slots,
    left: &'r Left,
    /// For names with escapes.
    arena: &'a Bump,
    /// Whether the last string had escapes that is not short.
    has_escapes: bool,
    /// Offset of the first byte that cannot be part of JSON.
    fault: usize,
}

/// Passes over a text that may be an object of that kind, and leaves its attributes in `slots`. `Err` holds the offset of the
/// first byte that cannot be part of a JSON text, or the text's length when it ends too early.
pub(super) fn pass<'a>(
    text: &Padded<'a>,
    kind: u8,
    dispatch: &Dispatch,
    slots: &mut Slots,
    left: &Left,
    arena: &'a Bump,
) -> Result<Passed<'a>, usize> {
    let mut pass = Pass { text, dispatch, slots, left, arena, has_escapes: false, fault: 0 };
    let mut root = None;
    match pass.whole(kind, &mut root).and_then(|end| text.passed_over(end)) {
        Some(text) => Ok(Passed { text, root }),
        None => Err(pass.fault),
    }
}

impl<'a> Pass<'_, 'a> {
    /// The text, to its end.
    fn whole(&mut self, kind: u8, root: &mut Option<usize>) -> Option<Cursor<'a>> {
        let start = self.text.start().past_blanks();
        let end = match Kind::of(kind) {
            Some(kind) if start.byte() == b'{' => {
                let block = self.slots.block(kind.slots);
                *root = Some(block);
                self.object(start, kind, block, 1)?
            }
            _ => self.value(start, 0)?,
        };
        let end = end.past_blanks();
        if self.text.offset(end) == self.text.bytes().len() { Some(end) } else { self.refuse(end) }
    }

    #[cold]
    #[inline(never)]
    fn refuse<T>(&mut self, at: Cursor<'a>) -> Option<T> {
        self.fault = self.text.offset(at);
        None
    }

    /// An object: `open` is its bracket. `depth` containers are open inside of it, itself included.
    fn object(&mut self, open: Cursor<'a>, kind: &Kind, block: usize, depth: usize) -> Option<Cursor<'a>> {
        let mut at = match open.behind(*b"{\"") {
            Some(name) => name,
            None => match self.first_member(open.next())? {
                end if end.byte() == b'}' => return Some(end.next()),
                quote => quote.next(),
            },
        };
        loop {
            let (row, value) = match at.key() {
                Some((key, end)) => (self.dispatch.find(kind, key), end),
                None => self.odd_key(at, kind)?,
            };
            let mut value = value;
            let mut first = value.byte();
            if first <= b' ' {
                value = value.past_blanks();
                first = value.byte();
            }
            let end = match first {
                b'"' => {
                    let text_end = value.next().near_special();
                    if let Some(next) = text_end.behind_three(*b"\",\"") {
                        self.keep(row, block, first, value, text_end.next());
                        at = next;
                        continue;
                    }
                    let end = self.kept_string_end(text_end, &mut first)?;
                    self.keep(row, block, first, value, end);
                    end
                }
                b'{' | b'[' => match row {
                    Some(row) => self.container(value, row, block, depth)?,
                    None => self.skip(value, depth)?,
                },
                _ => {
                    let end = self.scalar(value, first)?;
                    self.keep(row, block, first, value, end);
                    end
                }
            };
            at = match end.behind(*b",\"") {
                Some(next) => next,
                None if end.byte() == b'}' => return Some(end.next()),
                None => match self.next_member(end)? {
                    end if end.byte() == b'}' => return Some(end.next()),
                    quote => quote.next(),
                },
            };
        }
    }

    /// Keeps a scalar, if it is asked for.
    #[inline(always)]
    fn keep(&mut self, row: Option<&Row>, block: usize, first: u8, start: Cursor<'a>, end: Cursor<'a>) {
        if let Some(row) = row {
            let slot = self.kept(first, start, end);
            self.slots.set(block + usize::from(row.slot), slot);
        }
    }

    /// The slot of a scalar.
    #[inline(always)]
    fn kept(&self, first: u8, start: Cursor<'a>, end: Cursor<'a>) -> Slot {
        Slot::scalar(first, self.text.offset(start), self.text.offset(end))
    }

    /// A container that is asked for, though perhaps not as what it is.
    #[inline(never)]
    fn container(&mut self, open: Cursor<'a>, row: &Row, block: usize, depth: usize) -> Option<Cursor<'a>> {
        let place = block + usize::from(row.slot);
        match (row.action, open.byte(), Kind::of(row.kind)) {
            (Action::Object | Action::Objects, b'{', Some(kind)) if self.left.takes(kind.weight) => {
                let inner = self.slots.block(kind.slots);
                self.slots.set(place, Slot::object(inner));
                self.object(open, kind, inner, depth + 1)
            }
            (Action::Objects, b'[', Some(kind)) => self.objects(open, kind, place, depth + 1),
            (Action::Values, b'[', _) => self.values(open, place, depth + 1),
            _ => {
                self.slots.set(place, Slot::OPAQUE);
                self.skip(open, depth)
            }
        }
    }

    /// A name that is no usual one, and the place behind its colon.
    #[cold]
    #[inline(never)]
    fn odd_key(&mut self, at: Cursor<'a>, kind: &Kind) -> Option<(Option<&'static Row>, Cursor<'a>)> {
        let end = self.rest_of_string(at)?;
        let (from, to) = (self.text.offset(at), self.text.offset(end));
        let name = self.text.bytes().get(from..to - 1).unwrap_or_default();
        let name = if name.contains(&b'\\') {
            core::str::from_utf8(name).map_or(name, |literal| text::decode(literal, self.arena).as_bytes())
        } else {
            name
        };
        let row = Key::of(name).map_or_else(|| kind.long_row(name), |key| self.dispatch.find(kind, key));
        Some((row, self.behind_colon(end)?))
    }

    /// Behind the colon and the white space around it.
    fn behind_colon(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let colon = at.past_blanks();
        if colon.byte() == b':' { Some(colon.next().past_blanks()) } else { self.refuse(colon) }
    }

    /// The quote of an object's first name, or the bracket that ends the object. `at` is behind the opening bracket.
    #[inline(never)]
    fn first_member(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let next = at.past_blanks();
        if matches!(next.byte(), b'"' | b'}') { Some(next) } else { self.refuse(next) }
    }

    /// The quote of an object's next name, or the bracket that ends the object. `at` is behind a value.
    #[inline(never)]
    fn next_member(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let end = at.past_blanks();
        match end.byte() {
            b'}' => Some(end),
            b',' => {
                let next = end.next().past_blanks();
                if next.byte() == b'"' { Some(next) } else { self.refuse(next) }
            }
            _ => self.refuse(end),
        }
    }

    /// The comma or bracket behind an item of a list.
    #[inline(always)]
    fn next_item(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let end = at.past_blanks();
        if matches!(end.byte(), b',' | b']') { Some(end) } else { self.refuse(end) }
    }
}
