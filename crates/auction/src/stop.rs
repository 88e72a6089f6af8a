//! The campaigns that an operator has stopped. They bid on nothing, not even under a guaranteed deal.
//!
//! The search removes them from each block of the index before matching, so they cost no work. The other campaigns bid
//! as if the catalog had no stopped campaigns.

use base::hash::hash_of;
use base::ranked::{self, rank_of, ranked};
use catalog::Catalog;
use catalog::index::{BLOCK, Bits, has_bit, set_campaign};

/// What is stopped of one catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Everything: no request gets a bid.
    All,
    /// At least one campaign: the bits of all blocks of the catalog.
    Campaigns(Vec<Bits>),
}

impl Stop {
    /// Stops the campaigns with these ids, each followed by a line break, or everything if `all` is true. Also returns
    /// how many of the ids the catalog has; the others are ignored. `None` stops nothing.
    pub fn read(lines: &str, all: bool, catalog: &Catalog<'_>) -> (Option<Stop>, usize) {
        // Sorted by hash, not by text: a second sort function would take several kilobytes.
        let mut cids: Vec<u64> = Vec::new();
        let mut begin = 0;
        for cid in lines.split_terminator('\n') {
            cids.push(ranked(rank_of(hash_of(cid)), begin));
            begin += cid.len() + 1;
        }
        ranked::sort(&mut cids);
        let is_listed = |cid: &str| {
            ranked::of_rank(&cids, rank_of(hash_of(cid))).any(|begin| {
                let rest = lines.get(begin..).unwrap_or_default();
                rest.strip_prefix(cid).is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
            })
        };
        let campaigns = catalog.parts().campaigns();
        let mut blocks = vec![Bits::default(); campaigns.len().div_ceil(BLOCK)];
        let mut known = 0;
        for (position, campaign) in (0..).zip(campaigns.iter()) {
            if is_listed(campaign.cid()) {
                set_campaign(&mut blocks, position);
                known += 1;
            }
        }
        let stop = if all { Some(Stop::All) } else { (known > 0).then_some(Stop::Campaigns(blocks)) };
        (stop, known)
    }

    /// The stopped campaigns of a block.
    pub(crate) fn in_block(&self, block: usize) -> Bits {
        match self {
            Stop::All => [u64::MAX; _],
            Stop::Campaigns(blocks) => blocks.get(block).copied().unwrap_or_default(),
        }
    }

    /// Whether the campaign at this position is stopped.
    pub(crate) fn has(&self, position: usize) -> bool {
        has_bit(&self.in_block(position / BLOCK), position)
    }
}
