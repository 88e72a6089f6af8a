//! Who comes first among equals: campaigns that would pay the same, and the creatives of a campaign. Drawn by the request's
//! id, so that each of them serves its share and the same request is always decided alike.
//!
//! The draw is bounded: equals of one block of the index are drawn against each other, and a run of equals over several blocks
//! begins with the block of a place that is drawn. So a catalog of equals costs about as much as any other.

use core::ops::Range;

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::catalog::index::{BLOCK, Bits};
use crate::flat::List;
use crate::ranked::{self, ranked};
use crate::work::{self, Meter};

/// The lots of one impression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw(u32);

impl Draw {
    /// For the impression at a place of those that can be bid on.
    #[must_use]
    pub fn new(request_id: &str, imp: usize) -> Draw {
        // FNV-1a.
        let hash =
            request_id.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Draw(mixed(hash ^ low(imp)))
    }

    /// The lot of what has this number among its equals. The lowest comes first; equal lots in the order of numbers.
    #[must_use]
    pub fn lot(self, number: usize) -> u32 {
        mixed(self.0 ^ low(number).wrapping_mul(0x9e37_79b1))
    }
}

/// The finalizer of `MurmurHash3`: every bit of what comes out depends on every bit of what goes in.
fn mixed(hash: u32) -> u32 {
    let hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[allow(clippy::cast_possible_truncation, reason = "the low bits of a number tell it apart from its neighbours")]
fn low(number: usize) -> u32 {
    number as u32
}

/// Campaigns of one block, by their places in the order of worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) block: usize,
    pub(crate) places: Range<usize>,
}

/// All campaigns in the order in which they are looked at: by worth, a stretch at a time.
pub(crate) struct Order<'s> {
    worth: List<'s, i64>,
    draw: Draw,
    /// The first place that is not in a stretch yet, nor in the run.
    at: usize,
    /// Equals over several blocks, of which some stretches are still to come.
    run: Option<Run>,
}

/// Campaigns of one worth over several blocks.
struct Run {
    places: Range<usize>,
    /// The block that comes first, and how many came.
    first: usize,
    taken: usize,
}

impl<'s> Order<'s> {
    /// Of campaigns with this worth, falling.
    pub(crate) fn new(worth: List<'s, i64>, draw: Draw) -> Order<'s> {
        Order { worth, draw, at: 0, run: None }
    }

    /// The next stretch; those of blocks that are `empty` may be left out, which changes nothing about the others.
    #[inline]
    pub(crate) fn next(&mut self, is_empty: impl Fn(usize) -> bool) -> Option<Stretch> {
        loop {
            if self.run.is_some() {
                return self.next_of_run();
            }
            let block = self.at / BLOCK;
            let end = self.worth.len().min((block + 1) * BLOCK);
            if self.at >= end {
                return None;
            }
            if !is_empty(block) {
                return self.next_from(self.at, end);
            }
            self.at = end;
        }
    }

    /// The stretch that begins at a place in the block that ends before `end`, or the first of a run that it is in.
    fn next_from(&mut self, at: usize, end: usize) -> Option<Stretch> {
        let block = at / BLOCK;
        // What came before in its run is in blocks that were left out.
        let is_within = at > 0 && self.worth.get(at - 1) == self.worth.get(at);
        if !is_within && (end == self.worth.len() || self.worth.get(end - 1) != self.worth.get(end)) {
            self.at = end;
            return Some(Stretch { block, places: at..end });
        }
        let places = self.equals(if is_within { at } else { end });
        if places.start > at {
            self.at = places.start;
            return Some(Stretch { block, places: at..places.start });
        }
        let drawn = self.draw.lot(places.start / BLOCK) as usize % places.len();
        let first = (places.start + drawn) / BLOCK;
        self.run = Some(Run { places, first, taken: 0 });
        self.next_of_run()
    }

    /// The places of all that are worth as much as the one at `place`, found by steps that double.
    fn equals(&self, place: usize) -> Range<usize> {
        let (worth, count) = (self.worth.get(place), self.worth.len());
        let is_equal = |other: usize| self.worth.get(other) == worth;
        // How many in one direction are equal, of so many that there are.
        let reach = |most: usize, is_equal: &dyn Fn(usize) -> bool| {
            let mut step = 1;
            while step < most && is_equal(step) {
                step *= 2;
            }
            let (mut known, mut past) = (step / 2, step.min(most + 1));
            while known + 1 < past {
                let middle = usize::midpoint(known, past);
                if is_equal(middle) { known = middle } else { past = middle }
            }
            if past == most && past > 0 && is_equal(past) { past } else { known }
        };
        let before = reach(place, &|step| is_equal(place - step));
        let behind = reach(count - 1 - place, &|step| is_equal(place + step));
        place - before..place + behind + 1
    }

    fn next_of_run(&mut self) -> Option<Stretch> {
        let Run { places, first, taken } = self.run.as_mut()?;
        let (begin, end) = (places.start / BLOCK, places.end.div_ceil(BLOCK));
        let block = begin + (*first - begin + *taken) % (end - begin);
        *taken += 1;
        let own = places.start.max(block * BLOCK)..places.end.min((block + 1) * BLOCK);
        if *taken == end - begin {
            self.at = places.end;
            self.run = None;
        }
        Some(Stretch { block, places: own })
    }
}

/// The campaigns of a stretch that are left, by worth, equals as they are drawn.
pub(crate) struct Drawn<'a> {
    bits: Bits,
    /// The place of the first bit.
    first: usize,
    worth: List<'a, i64>,
    draw: Draw,
    meter: &'a Meter,
    /// Equals that are still to come, by lot, the last one first once they are sorted.
    equals: ArenaVec<'a, u64>,
    is_sorted: bool,
}

impl<'a> Drawn<'a> {
    /// Of the bits of the stretch's block, those of the stretch.
    pub(crate) fn new(
        mut bits: Bits,
        stretch: &Stretch,
        worth: List<'a, i64>,
        draw: Draw,
        meter: &'a Meter,
        arena: &'a Bump,
    ) -> Drawn<'a> {
        let first = stretch.block * BLOCK;
        if stretch.places.len() < BLOCK {
            for (word, bits) in bits.iter_mut().enumerate() {
                let from = first + word * 64;
                *bits &= below(stretch.places.end, from) & !below(stretch.places.start, from);
            }
        }
        Drawn { bits, first, worth, draw, meter, equals: ArenaVec::new_in(arena), is_sorted: true }
    }

    fn lowest(&self) -> Option<usize> {
        let word = self.bits.iter().position(|word| *word != 0)?;
        Some(word * 64 + self.bits.get(word)?.trailing_zeros() as usize)
    }

    fn take_lowest(&mut self) -> Option<usize> {
        let lowest = self.lowest()?;
        if let Some(word) = self.bits.get_mut(lowest / 64) {
            *word &= *word - 1;
        }
        Some(self.first + lowest)
    }

    /// The one of `place` and its equals that comes first; the others come next.
    #[inline(never)]
    fn drawn(&mut self, place: usize) -> usize {
        let worth = self.worth.get(place);
        let draw = self.draw;
        let drawn = |place| ranked(draw.lot(place) as usize, place);
        let mut best = drawn(place);
        while let Some(next) = self.lowest().map(|next| self.first + next) {
            if self.worth.get(next) != worth {
                break;
            }
            self.take_lowest();
            let other = drawn(next);
            self.equals.push(best.max(other));
            best = best.min(other);
        }
        self.meter.charge(work::of_draw(self.equals.len()));
        self.is_sorted = self.equals.len() < 2;
        ranked::number(best)
    }
}

impl Iterator for Drawn<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if !self.equals.is_empty() {
            if !self.is_sorted {
                ranked::sort(&mut self.equals);
                self.equals.reverse();
                self.is_sorted = true;
            }
            return self.equals.pop().map(ranked::number);
        }
        let place = self.take_lowest()?;
        let next = self.lowest().and_then(|next| self.worth.get(self.first + next));
        Some(if next.is_some() && next == self.worth.get(place) { self.drawn(place) } else { place })
    }
}

/// The bits of the places below `end` in a word whose first bit is the place `from`.
fn below(end: usize, from: usize) -> u64 {
    match end.saturating_sub(from) {
        0 => 0,
        some @ 1..64 => (1 << some) - 1,
        _ => u64::MAX,
    }
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
