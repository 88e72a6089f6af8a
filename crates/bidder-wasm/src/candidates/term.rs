//! The dimensions of one request: which campaigns fit each and all of them, a block at a time.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use super::part::{Members, Part, set_bits};
use crate::catalog::index::{BLOCK, BLOCK_WORDS, Dimension, Postings, Set, Words};
use crate::no_bid::NoBidReason;
use crate::ranked::{self, ranked};
use crate::work::{self, Meter};

/// Dimensions that all have to fit, in the order of the checks.
pub(super) struct Terms<'a> {
    pub(super) meter: &'a Meter,
    pub(super) arena: &'a Bump,
    pub(super) campaigns: usize,
    /// How many blocks they take.
    pub(super) blocks: usize,
    pub(super) all: Vec<'a, Term<'a>>,
    /// The sets of all terms, one term's behind the other's.
    pub(super) parts: Vec<'a, Part<'a>>,
    /// Whether sets were put together.
    pub(super) is_merged: bool,
    /// The places of the terms, ranked, the one that the fewest fit first; empty where there are few blocks.
    pub(super) fewest_first: Vec<'a, u64>,
    /// The reason of the first dimension that nobody fits at all: how far anybody can come.
    pub(super) ceiling: Option<NoBidReason>,
}

/// The campaigns that fit a dimension: those of `base` or of an included set, and of no excluded one.
pub(super) struct Term<'a> {
    /// Why the others stay out.
    pub(super) reason: NoBidReason,
    /// How many fit at most.
    pub(super) most: usize,
    /// How many will fit, about.
    likely: usize,
    pub(super) base: Base<'a>,
    /// Where its parts begin and end among all.
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// Who fits whatever the request says.
#[derive(Clone, Copy)]
pub(super) enum Base<'a> {
    Nobody,
    Everybody,
    /// These, so many of them.
    These(Words<'a>, usize),
}

/// Where there are many blocks, a term reads at most this many small sets of a kind block by block: each costs something in every
/// block.
const MAX_CURSORS: usize = 8;

/// Where there are no more blocks than this, neither an order nor a second cursor pays for itself.
const FEW_BLOCKS: usize = 4;

impl<'a> Base<'a> {
    /// Who asks for nothing in the dimension.
    #[inline]
    pub(super) fn of(dimension: &Dimension<'a>) -> Base<'a> {
        dimension.indifferent.map_or(Base::Everybody, |words| Base::These(words, dimension.count))
    }
}

impl<'a> Terms<'a> {
    /// None yet; `room` is how many there will be, about.
    pub(super) fn new(campaigns: usize, room: usize, meter: &'a Meter, arena: &'a Bump) -> Terms<'a> {
        let blocks = campaigns.div_ceil(BLOCK);
        let (all, parts) = (Vec::with_capacity_in(room, arena), Vec::with_capacity_in(room, arena));
        Terms {
            meter,
            arena,
            campaigns,
            blocks,
            all,
            parts,
            is_merged: false,
            fewest_first: Vec::new_in(arena),
            ceiling: None,
        }
    }

    /// Takes the dimension back that was begun last.
    pub(super) fn take_back(&mut self) {
        if let Some(term) = self.all.pop() {
            self.parts.truncate(term.begin);
        }
    }

    /// Adds a dimension in which no campaign asks for the request's value.
    #[inline]
    pub(super) fn untold(&mut self, dimension: &Dimension<'a>) {
        if let Some(words) = dimension.indifferent {
            self.begin(dimension.reason, Base::These(words, dimension.count));
        }
    }

    /// Begins a dimension.
    #[inline]
    pub(super) fn begin(&mut self, reason: NoBidReason, base: Base<'a>) {
        let most = match base {
            Base::Nobody => 0,
            Base::Everybody => self.campaigns,
            Base::These(_, count) => count,
        };
        let at = self.parts.len();
        self.all.push(Term { reason, most, likely: most, base, begin: at, end: at });
    }

    /// Lets those into the dimension that include a value of the request, and keeps those out that exclude it.
    #[inline]
    pub(super) fn take(&mut self, value: Postings<'a>) {
        self.include(value.include());
        self.exclude(value.exclude());
    }

    /// Lets these in.
    #[inline]
    pub(super) fn include(&mut self, set: Set<'a>) {
        self.add(set, false);
    }

    /// Keeps these out.
    #[inline]
    pub(super) fn exclude(&mut self, set: Set<'a>) {
        self.add(set, true);
    }

    #[inline]
    fn add(&mut self, set: Set<'a>, excluded: bool) {
        let count = set.count();
        if count > 0 {
            self.add_some(set, count, excluded);
        }
    }

    fn add_some(&mut self, set: Set<'a>, count: usize, excluded: bool) {
        let Some(term) = self.all.last_mut() else { return };
        if excluded {
            term.likely = term.likely.saturating_sub(count);
            term.most = term.most.min(self.campaigns.saturating_sub(count));
        } else {
            term.likely = term.likely.saturating_add(count);
            term.most = term.most.saturating_add(count);
        }
        let own = self.parts.get_mut(term.begin..).unwrap_or_default();
        self.meter.charge(work::of_set(own.len()));
        let mut alike = own.iter_mut().filter(|part| part.excluded == excluded);
        let members = match set {
            Set::Many(words, _) => {
                if alike.any(|part| matches!(part.members, Members::Many(own) if own.is(words))) {
                    return;
                }
                Members::Many(words)
            }
            Set::Few(members) => {
                let members = members.records().as_chunks().0;
                let cursors = alike.filter(|part| matches!(part.members, Members::Few(_))).count();
                let most = if self.blocks > FEW_BLOCKS { MAX_CURSORS } else { 1 };
                if cursors < most { Members::few(members) } else { return self.add_to_rest(members, excluded) }
            }
        };
        self.parts.push(Part { excluded, members });
        term.end = self.parts.len();
    }

    /// Merges a small set into others of the last dimension.
    #[inline(never)]
    fn add_to_rest(&mut self, members: &[[u8; 4]], excluded: bool) {
        let Some(term) = self.all.last_mut() else { return };
        self.meter.charge(work::of_members(members.len()));
        let rest = self.parts.iter_mut().skip(term.begin).find_map(|part| match &mut part.members {
            Members::Rest(rest) if part.excluded == excluded => Some(rest),
            _ => None,
        });
        if let Some(rest) = rest {
            set_bits(rest, members);
            return;
        }
        self.meter.charge(work::of_members(self.blocks));
        let rest = self.arena.alloc_slice_fill_copy(self.blocks, [0; BLOCK_WORDS]);
        set_bits(rest, members);
        self.parts.push(Part { excluded, members: Members::Rest(rest) });
        term.end = self.parts.len();
    }

    /// Ends a dimension; one that everybody fits is left out.
    pub(super) fn end(&mut self) {
        if self.all.last().is_some_and(|term| matches!(term.base, Base::Everybody) && term.begin == term.end) {
            self.all.pop();
        }
    }

    /// Ends the last dimension: what now comes is asked block by block.
    pub(super) fn order(&mut self) {
        self.find_ceiling();
        if self.blocks > FEW_BLOCKS {
            // Whoever has a size on offer has the media type too.
            let all = self.all.iter().enumerate().filter(|(_, term)| term.reason != NoBidReason::MediaType);
            self.fewest_first.extend(all.map(|(place, term)| ranked(term.likely, place)));
            ranked::sort(&mut self.fewest_first);
        }
    }

    pub(super) fn find_ceiling(&mut self) {
        self.ceiling = self.all.iter().find(|term| term.most == 0).map(|term| term.reason);
    }
}
