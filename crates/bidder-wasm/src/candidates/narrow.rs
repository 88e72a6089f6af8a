//! Who fits all dimensions, a block at a time, and how far those come who do not.

use super::NOBODY;
use super::part::{Members, Part};
use super::term::{Base, Term, Terms};
use crate::catalog::index::{BLOCK_WORDS, Bits, bits};
use crate::no_bid::NoBidReason;
use crate::ranked;
use crate::work::{self, Meter};

/// So many sets of a term are put together from the block on that most searches do not come to.
const SEVERAL: usize = 4;
/// See [`SEVERAL`].
const EARLY_BLOCKS: usize = 8;

impl Terms<'_> {
    /// Takes those of a block out that do not fit. Where nobody is left, `closest` rises to the reason of the one who came
    /// furthest.
    pub(super) fn narrow(&mut self, fitting: &mut Bits, block: usize, closest: &mut NoBidReason) {
        let before = *fitting;
        if block >= EARLY_BLOCKS && !self.is_merged {
            self.merge();
        }
        if self.fewest_first.is_empty() {
            let Terms { all, parts, meter, .. } = self;
            let last = all.iter().find(|term| !term.narrow(parts, meter, fitting, block));
            *closest = last.map_or(*closest, |term| term.reason.max(*closest));
            return;
        }
        let mut furthest = NoBidReason::NoCampaign;
        for at in 0..self.fewest_first.len() {
            let place = self.fewest_first.get(at).copied().map_or(0, ranked::number);
            furthest = furthest.max(self.all.get(place).map_or(furthest, |term| term.reason));
            if self.narrow_by(place, fitting, block).is_err() {
                // Nobody came further than the dimensions that were looked at.
                if furthest > *closest {
                    self.explain(before, block, closest);
                }
                return;
            }
        }
    }

    /// Puts the sets of a term together where they are several: a search that comes this far mostly goes through all blocks.
    fn merge(&mut self) {
        self.is_merged = true;
        for term in &mut self.all {
            let own = self.parts.get_mut(term.begin..term.end).unwrap_or_default();
            for excluded in [false, true] {
                if own.iter().filter(|part| part.excluded == excluded).count() < SEVERAL {
                    continue;
                }
                self.meter.charge(work::of_merging(self.blocks, own.len()));
                let all = self.arena.alloc_slice_fill_copy(self.blocks, [0; BLOCK_WORDS]);
                let mut merged = None;
                for part in own.iter_mut().filter(|part| part.excluded == excluded) {
                    core::mem::replace(&mut part.members, Members::Rest(&mut [])).add_all_to(all);
                    merged = Some(part);
                }
                if excluded {
                    let count: u32 = all.as_flattened().iter().map(|word| word.count_ones()).sum();
                    term.most = term.most.min(self.campaigns.saturating_sub(count as usize));
                }
                if let Some(merged) = merged {
                    merged.members = Members::Rest(all);
                }
            }
        }
        self.find_ceiling();
    }

    /// In the order of the checks, the one that leaves nobody is where the last one fails. It is looked for only where somebody
    /// comes further than `closest`.
    fn explain(&mut self, mut fitting: Bits, block: usize, closest: &mut NoBidReason) {
        for at in 0..self.fewest_first.len() {
            let place = self.fewest_first.get(at).copied().map_or(0, ranked::number);
            if self.is_up_to(place, *closest) && self.narrow_by(place, &mut fitting, block).is_err() {
                return;
            }
        }
        // From the one itself on: not all up to it have an order.
        let from = self.all.iter().position(|term| term.reason >= *closest).unwrap_or_default();
        let last = (from..self.all.len()).find_map(|place| self.narrow_by(place, &mut fitting, block).err());
        *closest = last.map_or(*closest, |reason| reason.max(*closest));
    }

    /// Takes those out that do not fit the dimension at a place; its reason where nobody is left.
    fn narrow_by(&mut self, place: usize, fitting: &mut Bits, block: usize) -> Result<(), NoBidReason> {
        match self.all.get(place) {
            Some(term) if !term.narrow(&mut self.parts, self.meter, fitting, block) => Err(term.reason),
            _ => Ok(()),
        }
    }

    /// Whether the term at a place comes no later in the order of the checks than this.
    #[inline]
    fn is_up_to(&self, place: usize, reason: NoBidReason) -> bool {
        self.all.get(place).is_some_and(|term| term.reason <= reason)
    }

    /// Takes those out of a block that do not fit one of the dimensions whose reason is no more than this.
    pub(super) fn narrow_up_to(&mut self, fitting: &mut Bits, block: usize, reason: NoBidReason) {
        for place in 0..self.all.len() {
            if self.is_up_to(place, reason) && self.narrow_by(place, fitting, block).is_err() {
                return;
            }
        }
    }
}

impl<'a> Term<'a> {
    /// Removes the campaigns of a block that do not fit. True if any are left.
    #[inline]
    fn narrow(&self, parts: &mut [Part<'a>], meter: &Meter, fitting: &mut Bits, block: usize) -> bool {
        meter.charge(work::of_sets(self.end - self.begin));
        // What most requests say in most dimensions: nothing.
        if self.begin == self.end {
            return keep(fitting, &self.base.block(block));
        }
        self.narrow_by_sets(parts.get_mut(self.begin..self.end).unwrap_or_default(), fitting, block)
    }

    #[inline(never)]
    fn narrow_by_sets(&self, parts: &mut [Part<'a>], fitting: &mut Bits, block: usize) -> bool {
        let (mut own, mut out) = (self.base.block(block), NOBODY);
        for part in parts {
            part.members.add_to(if part.excluded { &mut out } else { &mut own }, block);
        }
        own.iter_mut().zip(&out).for_each(|(own, out)| *own &= !out);
        keep(fitting, &own)
    }
}

impl Base<'_> {
    #[inline]
    fn block(&self, block: usize) -> Bits {
        match self {
            Base::Nobody => NOBODY,
            Base::Everybody => [u64::MAX; BLOCK_WORDS],
            Base::These(all, _) => all.blocks().get(block).map_or(NOBODY, bits),
        }
    }
}

/// Keeps only the campaigns in `own`. True if any are left.
#[inline]
fn keep(fitting: &mut Bits, own: &Bits) -> bool {
    let mut left = 0;
    for (fitting, own) in fitting.iter_mut().zip(own) {
        *fitting &= own;
        left |= *fitting;
    }
    left != 0
}
