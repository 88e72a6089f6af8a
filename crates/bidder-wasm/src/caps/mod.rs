//! Frequency caps: decides what to ask about a person, and what to send if the answer comes too late.
//!
//! The module does not know how often a person has seen a campaign: an object of the Worker does. So a request whose
//! best bids have caps is decided in two calls. The first finds up to [`MAX_CAPPED_WINNERS`] best bids with caps, and
//! keeps an answer without any campaign that has caps. The Worker asks the object about them. The second call decides
//! again, with those that the object allows and without all other campaigns that have caps. If the object is late, the
//! kept answer goes.
//!
//! A request whose best bids have no caps costs nothing more.

mod ask;
mod person;

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

pub(crate) use ask::Kept;
pub use ask::{Allowed, Ask, write_sent};
pub use person::{Kind, Person};

use crate::bid::Bid;
use crate::catalog::Per;
use crate::decide::{Decision, Effort};
use crate::flat::List;
use crate::frequency::{Frequency, Subject};
use crate::limits::MAX_CAPPED_WINNERS;
use crate::notices::Notices;

/// A subject and its caps.
pub type Limited<'a> = (Subject, List<'a, (Per, u32)>);

/// Decides in passes. `pass` decides with these campaigns and creatives, and at most this much work; `None` for the
/// catalog's `max_work`. Without an [`Ask`], the decision is final. With one, the decision is the kept answer.
///
/// Without `notices` there are no keys, so nothing can be counted. A campaign with caps then bids only for an unknown
/// person. All passes after the first together may take half of `max_work`, and so may the second call.
pub(crate) fn decide<'a>(
    max_work: usize,
    notices: Option<&Notices>,
    arena: &'a Bump,
    mut pass: impl FnMut(Frequency<'a>, Option<usize>) -> (Decision<'a>, Effort),
) -> (Decision<'a>, Effort, Option<Ask<'a>>) {
    let (decision, mut effort) = pass(Frequency::Open, None);
    let mut found = Found { limited: ArenaVec::new_in(arena), winners: 0 };
    let person = match &decision {
        Decision::Bids { envelope, bids } if found.add(bids) => Person::of(envelope.facts),
        _ => None,
    };
    let Some(person) = person else { return (decision, effort, None) };
    let mut left = max_work / 2;
    loop {
        let is_last = notices.is_none() || found.winners >= MAX_CAPPED_WINNERS;
        let frequency = if is_last { Frequency::Only(&[]) } else { Frequency::Except(found.subjects(arena)) };
        let (decision, taken) = pass(frequency, Some(if is_last { left } else { left / 2 }));
        left = left.saturating_sub(taken.work);
        effort = Effort { examined: effort.examined + taken.examined, work: effort.work + taken.work, ..taken };
        let is_open = match &decision {
            Decision::Bids { bids, .. } => !is_last && found.add(bids),
            Decision::NoBid(_) => false,
        };
        if !is_open {
            let ask = notices.map(|_| Ask { person, limited: found.limited.into_bump_slice() });
            return (decision, effort, ask);
        }
    }
}

/// The subjects of the best bids so far.
struct Found<'a> {
    limited: ArenaVec<'a, Limited<'a>>,
    winners: usize,
}

impl<'a> Found<'a> {
    /// Adds the subjects of these bids, as long as there is room. True if a bid has caps.
    fn add(&mut self, bids: &[Bid<'a>]) -> bool {
        let before = self.winners;
        for bid in bids.iter().filter(|bid| bid.has_caps()) {
            if self.winners >= MAX_CAPPED_WINNERS {
                break;
            }
            self.winners += 1;
            let own = [
                (Subject::of_campaign(&bid.campaign), bid.campaign.caps()),
                (Subject::of_creative(&bid.creative), bid.creative.caps()),
            ];
            for (subject, caps) in own {
                if !caps.is_empty() && !self.limited.iter().any(|(known, _)| *known == subject) {
                    self.limited.push((subject, caps));
                }
            }
        }
        self.winners > before
    }

    fn subjects(&self, arena: &'a Bump) -> &'a [Subject] {
        arena.alloc_slice_fill_iter(self.limited.iter().map(|(subject, _)| *subject))
    }
}
