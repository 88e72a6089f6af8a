//! The order in which campaigns are searched: by worth (the most that a campaign pays), highest first, and in a random
//! order among campaigns of equal worth. And the order in which a campaign's creatives are tried: in sequence, or drawn for
//! each impression, evenly or by weight.
//!
//! The random order is a hash of the request's id, so each campaign gets its share and the same request always gets the
//! same response.
//!
//! Campaigns of equal worth are put in random order only within a block of the index, because blocks are matched one at
//! a time. If such campaigns span several blocks (a *run*), the search of the run starts at a random block. So a
//! catalog of equal campaigns takes about as long to search as any other.
//!
//! The first creative that passes all checks is shown. So if one does not fit, the others keep their ratios.

use core::ops::Range;

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use base::hash::fnv;
use base::ranked::{self, ranked};
use catalog::Campaign;
use catalog::index::{BLOCK, Bits, Runs, below};
use flat::List;
use rules::work::{self, Meter};

/// The random order of one impression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw(u32);

impl Draw {
    /// The draw of one impression; `imp` is its position among the impressions that can be bid on.
    pub fn new(request_id: &str, imp: usize) -> Draw {
        // The hash function FNV-1a.
        let hash =
            request_id.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Draw(mixed(hash ^ low(imp)))
    }

    /// An independent draw for the owner with this hash.
    #[must_use]
    pub fn of(self, hash: u64) -> Draw {
        // The high bits of the hash are the random ones.
        Draw(mixed(self.0 ^ low((hash >> 32) as usize)))
    }

    /// A pseudo-random number for the campaign or creative `number`. The lowest result comes first; if two results are
    /// equal, the lower `number` comes first.
    pub fn lot(self, number: usize) -> u32 {
        mixed(self.0 ^ low(number).wrapping_mul(0x9e37_79b1))
    }
}

/// The finalizer of `MurmurHash3`: every bit of the result depends on every bit of `hash`.
fn mixed(hash: u32) -> u32 {
    let hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[allow(clippy::cast_possible_truncation, reason = "numbers below 2^32 stay different")]
fn low(number: usize) -> u32 {
    number as u32
}

/// Consecutive campaigns of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) block: usize,
    /// The positions of these campaigns in the order of worth.
    pub(crate) positions: Range<usize>,
}

/// The order in which all campaigns are searched, chunk by chunk.
pub(crate) struct Order<'c> {
    runs: &'c Runs,
    campaigns: usize,
    draw: Draw,
    /// The first position after all chunks so far and after the run.
    at: usize,
    /// The current run, if some of its chunks are still to come.
    run: Option<Run>,
}

/// Campaigns of equal worth that span several blocks.
struct Run {
    positions: Range<usize>,
    /// The block to start with. After the run's last block comes its first one.
    start: usize,
    /// How many blocks were taken.
    taken: usize,
}

impl<'c> Order<'c> {
    /// The search order of this many campaigns.
    pub(crate) fn new(runs: &'c Runs, campaigns: usize, draw: Draw) -> Order<'c> {
        Order { runs, campaigns, draw, at: 0, run: None }
    }

    /// The next chunk. Chunks of empty blocks may be skipped; this does not change the order of the others.
    pub(crate) fn next(&mut self, is_empty: impl Fn(usize) -> bool) -> Option<Chunk> {
        loop {
            if self.run.is_some() {
                return self.next_of_run();
            }
            let block = self.at / BLOCK;
            let end = self.campaigns.min((block + 1) * BLOCK);
            if self.at >= end {
                return None;
            }
            if !is_empty(block) {
                return self.next_from(self.at, end);
            }
            self.at = end;
        }
    }

    /// The chunk that begins at `at`, or the first chunk of the run that begins there or before. `end` is the end of
    /// the block.
    fn next_from(&mut self, at: usize, end: usize) -> Option<Chunk> {
        let block = at / BLOCK;
        // Has the position only if the blocks before were skipped: the earlier part of the run is in those blocks.
        let before = self.runs.before(block);
        let positions = if before.contains(&at) { before } else { self.runs.before(block + 1) };
        if positions.is_empty() {
            self.at = end;
            return Some(Chunk { block, positions: at..end });
        }
        if positions.start > at {
            self.at = positions.start;
            return Some(Chunk { block, positions: at..positions.start });
        }
        let drawn = self.draw.lot(positions.start / BLOCK) as usize % positions.len();
        let start = (positions.start + drawn) / BLOCK;
        self.run = Some(Run { positions, start, taken: 0 });
        self.next_of_run()
    }

    fn next_of_run(&mut self) -> Option<Chunk> {
        let Run { positions, start, taken } = self.run.as_mut()?;
        let (begin, end) = (positions.start / BLOCK, positions.end.div_ceil(BLOCK));
        let block = begin + (*start - begin + *taken) % (end - begin);
        *taken += 1;
        let own = positions.start.max(block * BLOCK)..positions.end.min((block + 1) * BLOCK);
        if *taken == end - begin {
            self.at = positions.end;
            self.run = None;
        }
        Some(Chunk { block, positions: own })
    }
}

/// Yields the positions of a chunk's candidates, by worth. Candidates of equal worth come in random order.
pub(crate) struct Shuffled<'a> {
    bits: Bits,
    /// The position of the first bit.
    first: usize,
    worth: List<'a, i64>,
    /// A hash of each campaign's id.
    ids: List<'a, u32>,
    draw: Draw,
    meter: &'a Meter,
    /// Candidates of equal worth that are still to come. Once sorted, the next one is the last entry.
    equals: ArenaVec<'a, u64>,
    is_sorted: bool,
}

impl<'a> Shuffled<'a> {
    /// The candidates of a chunk; `bits` are those of its whole block.
    pub(crate) fn new(
        mut bits: Bits,
        chunk: &Chunk,
        (worth, ids): (List<'a, i64>, List<'a, u32>),
        draw: Draw,
        meter: &'a Meter,
        arena: &'a Bump,
    ) -> Shuffled<'a> {
        let first = chunk.block * BLOCK;
        if chunk.positions.len() < BLOCK {
            for (word, bits) in bits.iter_mut().enumerate() {
                let from = first + word * 64;
                *bits &= below(chunk.positions.end, from) & !below(chunk.positions.start, from);
            }
        }
        Shuffled { bits, first, worth, ids, draw, meter, equals: ArenaVec::new_in(arena), is_sorted: true }
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

    /// Returns the first in random order of the candidate at `position` and the candidates of equal worth. Keeps the
    /// others in `equals`.
    #[inline(never)]
    fn drawn(&mut self, position: usize) -> usize {
        let worth = self.worth.get(position);
        let (draw, ids) = (self.draw, self.ids);
        let id = |position| ids.get(position).map_or(position, |id| id as usize);
        let drawn = |position| ranked(draw.lot(id(position)) as usize, position);
        let mut best = drawn(position);
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

impl Iterator for Shuffled<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if !self.equals.is_empty() {
            if !self.is_sorted {
                ranked::sort(&mut self.equals);
                self.equals.reverse();
                self.is_sorted = true;
            }
            return self.equals.pop().map(ranked::number);
        }
        let position = self.take_lowest()?;
        let next = self.lowest().and_then(|next| self.worth.get(self.first + next));
        Some(if next.is_some() && next == self.worth.get(position) { self.drawn(position) } else { position })
    }
}

/// Yields the places of a campaign's creatives in the campaign's list.
#[derive(Debug)]
pub enum Rotation<'a> {
    /// In the order of the document.
    Sequence(Range<usize>),
    /// In random order. The next place is the last entry.
    Even(ArenaVec<'a, u64>),
    /// Drawn by weight.
    Weighted(Weighted<'a>),
}

impl<'a> Rotation<'a> {
    /// The order on the impression with this draw.
    pub fn new(campaign: &Campaign<'_>, draw: Draw, meter: &'a Meter, arena: &'a Bump) -> Rotation<'a> {
        let count = campaign.creatives().len();
        let bounds = campaign.bounds().get(0);
        if count < 2 || bounds.is_some_and(|bounds| bounds.in_sequence()) {
            return Rotation::Sequence(0..count);
        }
        // Campaigns of equal worth are drawn too. With the same draw, such a campaign would often show the same creative.
        let draw = draw.of(fnv(campaign.cid().bytes()));
        let weights = bounds.map(|bounds| bounds.weights()).unwrap_or_default();
        if weights.is_empty() {
            meter.charge(work::of_draw(count));
            let mut places =
                ArenaVec::from_iter_in((0..count).map(|place| ranked(draw.lot(place) as usize, place)), arena);
            ranked::sort(&mut places);
            places.reverse();
            return Rotation::Even(places);
        }
        let left = ArenaVec::from_iter_in((0..count).zip(weights.iter()), arena);
        Rotation::Weighted(Weighted { left, draw, drawn: 0, meter })
    }
}

impl Iterator for Rotation<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Rotation::Sequence(places) => places.next(),
            Rotation::Even(places) => places.pop().map(ranked::number),
            Rotation::Weighted(weighted) => weighted.next(),
        }
    }
}

/// Draws places by weight, each one once.
#[derive(Debug)]
pub struct Weighted<'a> {
    /// The places that were not drawn yet, with their weights.
    left: ArenaVec<'a, (usize, u32)>,
    draw: Draw,
    /// How many places were drawn.
    drawn: usize,
    meter: &'a Meter,
}

impl Weighted<'_> {
    fn next(&mut self) -> Option<usize> {
        self.meter.charge(work::of_draw(self.left.len()));
        let total: u64 = self.left.iter().map(|(_, weight)| u64::from(*weight)).sum();
        // A lot is below 2^32, so this is below `total`.
        let mut rest = u64::from(self.draw.lot(self.drawn)).saturating_mul(total) >> 32;
        let at = self.left.iter().position(|(_, weight)| {
            let is_drawn = rest < u64::from(*weight);
            rest = rest.saturating_sub(u64::from(*weight));
            is_drawn
        })?;
        self.drawn += 1;
        Some(self.left.remove(at).0)
    }
}

#[cfg(test)]
mod tests;
