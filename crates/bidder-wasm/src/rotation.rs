//! The order in which a campaign's creatives are tried: in sequence, or drawn for each impression, evenly or by weight.
//!
//! The first creative that passes all checks is shown. So if one does not fit, the others keep their ratios.

use core::ops::Range;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::catalog::Campaign;
use crate::draw::Draw;
use crate::hash::fnv;
use crate::ranked::{self, ranked};
use crate::work::{self, Meter};

/// Yields the places of a campaign's creatives in the campaign's list.
#[derive(Debug)]
pub enum Rotation<'a> {
    /// In the order of the document.
    Sequence(Range<usize>),
    /// In random order. The next place is the last entry.
    Even(Vec<'a, u64>),
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
            let mut places = Vec::from_iter_in((0..count).map(|place| ranked(draw.lot(place) as usize, place)), arena);
            ranked::sort(&mut places);
            places.reverse();
            return Rotation::Even(places);
        }
        let left = Vec::from_iter_in((0..count).zip(weights.iter()), arena);
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
    left: Vec<'a, (usize, u32)>,
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
