//! One dimension of one request: which campaigns fit it, a block at a time.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::catalog::index::{BLOCK, BLOCK_WORDS, Bits, Dimension, Set, Value, Words};
use crate::flat::List;
use crate::no_bid::NoBidReason;

/// The campaigns that fit a dimension: those of `base` or of an included set, and of no excluded one.
pub(super) struct Term<'a> {
    /// Why the others stay out.
    pub(super) reason: NoBidReason,
    /// How many fit at most, when none is excluded.
    pub(super) most: usize,
    base: Base<'a>,
    include: Union<'a>,
    exclude: Union<'a>,
}

/// Who fits whatever the request says.
pub(super) enum Base<'a> {
    Nobody,
    Everybody,
    /// These, so many of them.
    These(Words<'a>, usize),
}

impl<'a> Term<'a> {
    pub(super) fn new(reason: NoBidReason, base: Base<'a>, arena: &'a Bump) -> Term<'a> {
        let most = match base {
            Base::Nobody => 0,
            Base::Everybody => usize::MAX,
            Base::These(_, count) => count,
        };
        Term { reason, most, base, include: Union::new(arena), exclude: Union::new(arena) }
    }

    /// Nobody who asks for anything in the dimension fits yet.
    pub(super) fn of(dimension: &Dimension<'a>, campaigns: usize, arena: &'a Bump) -> Term<'a> {
        let count = dimension.count() as usize;
        let base = if count == campaigns { Base::Everybody } else { Base::These(dimension.indifferent(), count) };
        Term::new(dimension.reason(), base, arena)
    }

    /// Lets those in that include a value of the request, and keeps those out that exclude it; `None` is a value that
    /// nobody asks for.
    #[inline]
    pub(super) fn take(&mut self, value: Option<Value<'a>>, campaigns: usize) {
        let Some(value) = value else { return };
        self.include(value.include(), campaigns);
        self.exclude(value.exclude(), campaigns);
    }

    /// Lets these in.
    #[inline]
    pub(super) fn include(&mut self, set: Set<'a>, campaigns: usize) {
        self.most = self.most.saturating_add(set.count());
        self.include.add(set, campaigns);
    }

    /// Keeps these out.
    #[inline]
    pub(super) fn exclude(&mut self, set: Set<'a>, campaigns: usize) {
        self.exclude.add(set, campaigns);
    }

    /// Whether everybody fits.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.base, Base::Everybody) && self.exclude.is_empty()
    }

    /// Takes those of the block out of `fitting` that do not fit; false when nobody is left.
    #[inline]
    pub(super) fn narrow(&mut self, fitting: &mut Bits, block: usize) -> bool {
        let mut own = [if let Base::Everybody = self.base { u64::MAX } else { 0 }; BLOCK_WORDS];
        if let Base::These(words, _) = self.base {
            add(&mut own, words.block(block));
        }
        self.include.add_to(&mut own, block);
        if !self.exclude.is_empty() {
            let mut out = [0; BLOCK_WORDS];
            self.exclude.add_to(&mut out, block);
            own.iter_mut().zip(&out).for_each(|(own, out)| *own &= !out);
        }
        let mut left = 0;
        for (fitting, own) in fitting.iter_mut().zip(&own) {
            *fitting &= own;
            left |= *fitting;
        }
        left != 0
    }
}

/// Adds the bits of words.
#[inline]
fn add(bits: &mut Bits, words: &[[u8; 8]]) {
    bits.iter_mut().zip(words).for_each(|(own, word)| *own |= u64::from_le_bytes(*word));
}

/// Sets, taken together.
struct Union<'a> {
    many: Vec<'a, Words<'a>>,
    /// Small sets, of which a block at a time is looked at: most decisions end in an early one.
    few: Vec<'a, Cursor<'a>>,
    /// The small sets beyond [`MAX_CURSORS`] as bits; empty as long as there is none.
    rest: Vec<'a, Bits>,
}

/// Most small sets that are looked at a block at a time: each costs something in every block.
const MAX_CURSORS: usize = 8;

/// A place in a small set.
struct Cursor<'a> {
    members: List<'a, u32>,
    /// The first member that is not in a block before the one that was looked at last.
    next: usize,
    /// The block that was looked at last.
    block: usize,
}

impl<'a> Union<'a> {
    fn new(arena: &'a Bump) -> Union<'a> {
        Union { many: Vec::new_in(arena), few: Vec::new_in(arena), rest: Vec::new_in(arena) }
    }

    fn is_empty(&self) -> bool {
        self.many.is_empty() && self.few.is_empty() && self.rest.is_empty()
    }

    #[inline]
    fn add(&mut self, set: Set<'a>, campaigns: usize) {
        match set {
            Set::Many(words, _) => {
                if !self.many.iter().any(|own| own.is(words)) {
                    self.many.push(words);
                }
            }
            Set::Few(members) if members.is_empty() => {}
            Set::Few(members) if self.few.len() < MAX_CURSORS => self.few.push(Cursor { members, next: 0, block: 0 }),
            Set::Few(members) => {
                if self.rest.is_empty() {
                    self.rest.resize(campaigns.div_ceil(BLOCK), [0; BLOCK_WORDS]);
                }
                for member in members.iter() {
                    if let Some(bits) = self.rest.get_mut(member as usize / BLOCK) {
                        set_bit(bits, member);
                    }
                }
            }
        }
    }

    /// Adds the bits of a block.
    #[inline]
    fn add_to(&mut self, bits: &mut Bits, block: usize) {
        self.many.iter().for_each(|words| add(bits, words.block(block)));
        self.few.iter_mut().for_each(|cursor| cursor.add_to(bits, block));
        if let Some(rest) = self.rest.get(block) {
            bits.iter_mut().zip(rest).for_each(|(own, rest)| *own |= rest);
        }
    }
}

impl Cursor<'_> {
    /// Adds the members in a block.
    #[inline]
    fn add_to(&mut self, bits: &mut Bits, block: usize) {
        if block < self.block {
            self.next = 0;
        }
        self.block = block;
        let mut place = self.next;
        while let Some(member) = self.members.get(place) {
            let own = member as usize / BLOCK;
            if own > block {
                break;
            }
            place += 1;
            if own == block {
                set_bit(bits, member);
            } else {
                self.next = place;
            }
        }
    }
}

#[inline]
fn set_bit(bits: &mut Bits, member: u32) {
    if let Some(word) = bits.get_mut(member as usize % BLOCK / 64) {
        *word |= 1 << (member % 64);
    }
}
