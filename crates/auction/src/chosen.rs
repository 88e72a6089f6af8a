//! Chooses the bids on one impression: the best one, or for a dynamic pod the best ones that fit into it together
//! (OpenRTB 2.6 §7.6).
//!
//! Bids under deals and bids without one are chosen separately. Each further deal gets its best bid too: a guaranteed
//! deal requires a bid (§3.2.12), and deals do not compete on price (§7.3). The caller checks the rules.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::bid::Bid;
use crate::pod::{self, Dynamic};
use crate::recorder::Unfit;
use base::limits::{MAX_BIDS, MAX_POD_BIDS};
use base::money::Micros;
use openrtb::request::{Deal, Imp};
use rules::work::{self, Meter};

/// The best bids found so far on one impression.
pub(crate) struct Best<'a> {
    /// The bids under deals. `None` if the impression has no deals or the SSP takes one bid per impression; then all
    /// bids compete in `open`.
    deals: Option<Chosen<'a>>,
    /// The bids without a deal.
    open: Chosen<'a>,
}

impl<'a> Best<'a> {
    /// No bids yet. `imps` is the number of impressions that share the limit on bids, `shortest` the seconds of the
    /// shortest ad in the catalog, `one` whether the SSP takes only one bid per impression.
    pub(crate) fn none(
        imp: &Imp<'a>,
        imps: usize,
        shortest: i64,
        one: bool,
        meter: &'a Meter,
        arena: &'a Bump,
    ) -> Best<'a> {
        // Each impression has bids under deals and bids without.
        let max_bids = MAX_BIDS / (2 * imps.max(1));
        let chosen =
            |per_deal| Chosen { winners: Winners::empty(imp, max_bids, shortest, meter, arena), max_bids, per_deal };
        let deals = (!one && !imp.deals.is_empty()).then(|| chosen(Some(Vec::new_in(arena))));
        Best { deals, open: chosen(None) }
    }

    /// The bids that a bid under this deal, or without one, competes with.
    pub(crate) fn of(&mut self, deal: Option<&Deal<'_>>) -> &mut Chosen<'a> {
        self.deals.as_mut().filter(|_| deal.is_some()).unwrap_or(&mut self.open)
    }

    /// Appends the chosen bids, those of guaranteed deals first and those without a deal last.
    pub(crate) fn add_to(self, bids: &mut Vec<'a, Bid<'a>>) {
        if let Some(deals) = self.deals {
            deals.add_to(bids);
        }
        self.open.add_to(bids);
    }
}

/// The chosen bids under deals, or those without one.
pub(crate) struct Chosen<'a> {
    winners: Winners<'a>,
    /// How many bids there may be.
    max_bids: usize,
    /// The best bid under each deal, the best first; only for bids under deals.
    per_deal: Option<Vec<'a, Bid<'a>>>,
}

impl<'a> Chosen<'a> {
    /// Whether the bids are chosen for a dynamic pod, where a campaign should offer each of its creatives: a shorter
    /// one may still fit.
    pub(crate) fn is_pod(&self) -> bool {
        matches!(self.winners, Winners::Pod(_))
    }

    /// The work of [`Chosen::add`], in units of [`rules::work`].
    pub(crate) fn work(&self) -> usize {
        let deals = self.per_deal.as_ref().map_or(0, Vec::len);
        match &self.winners {
            Winners::One(_) => work::of_ranking(deals, 0),
            // The bid is ranked now, and later compared with each bid in the pod.
            Winners::Pod(pod) => work::of_ranking(deals + pod.ranked.len() - pod.next, pod.bids.len()),
        }
    }

    /// Adds a bid. Of equal bids, the earlier one is better.
    pub(crate) fn add(&mut self, bid: Bid<'a>) {
        if let Some(ranked) = &mut self.per_deal {
            let known = ranked.iter().position(|held| is_same(held.deal, bid.deal));
            let held = known.and_then(|at| ranked.get(at));
            if held.is_none_or(|held| is_better(&bid, held)) {
                if let Some(at) = known {
                    ranked.remove(at);
                }
                insert(ranked, 0, bid);
                ranked.truncate(self.max_bids);
            }
        }
        match &mut self.winners {
            Winners::One(held) => {
                if held.is_none_or(|held| is_better(&bid, &held)) {
                    *held = Some(bid);
                }
            }
            Winners::Pod(pod) => pod.rank(bid),
        }
    }

    /// True if bids without a deal at `most` or less cannot change the chosen bids.
    pub(crate) fn is_settled(&mut self, most: Micros) -> bool {
        let is_ahead = |held: &Bid<'a>| rank(held) >= (false, most, false);
        match &mut self.winners {
            Winners::One(held) => held.as_ref().is_some_and(is_ahead),
            Winners::Pod(pod) => {
                pod.fill(is_ahead);
                pod.is_full()
            }
        }
    }

    /// Why `bid` has no place in the dynamic pod of the chosen bids, although the pod has room for another one.
    pub(crate) fn unfit(&mut self, bid: &Bid<'a>) -> Option<Unfit<'a>> {
        let Winners::Pod(pod) = &mut self.winners else { return None };
        pod.fill(|_| true);
        let (own, first) = (pod::dynamic(bid)?, pod::dynamic(pod.bids.first()?)?);
        let (left, _) = pod.left.filter(|(seconds, bids)| *seconds > 0 && *bids > 0)?;
        if !core::ptr::eq(own.offer, first.offer) {
            return None;
        }
        if own.dur > left {
            return Some(Unfit::Seconds { dur: own.dur, left });
        }
        let twin = pod.bids.iter().find(|other| pod::alike(bid, other, own.offer.poddedupe, pod.meter));
        twin.copied().map(Unfit::Duplicate)
    }

    fn add_to(self, bids: &mut Vec<'a, Bid<'a>>) {
        let before = bids.len();
        match self.winners {
            Winners::One(held) => bids.extend(held),
            Winners::Pod(mut pod) => {
                pod.fill(|_| true);
                bids.extend_from_slice(&pod.bids);
            }
        }
        let Some(per_deal) = self.per_deal else { return };
        let mut end = bids.len();
        for bid in per_deal {
            let winners = bids.get(before..end).unwrap_or_default();
            if !winners.iter().any(|held| is_same(held.deal, bid.deal)) {
                // A guaranteed deal goes first, because the last bids may not fit into the response.
                let own = bids.get(before..).unwrap_or_default();
                let at = own.iter().position(|held| !is_guaranteed(held)).filter(|_| is_guaranteed(&bid));
                bids.insert(before + at.unwrap_or(own.len()), bid);
                end += usize::from(at.is_some());
            }
        }
        bids.truncate(before + self.max_bids);
    }
}

/// The bids that can win the impression together.
enum Winners<'a> {
    /// One ad: the best bid.
    One(Option<Bid<'a>>),
    /// A dynamic pod.
    Pod(PodBids<'a>),
}

impl<'a> Winners<'a> {
    fn empty(imp: &Imp<'a>, max_bids: usize, shortest: i64, meter: &'a Meter, arena: &'a Bump) -> Winners<'a> {
        if imp.linear().all(|offer| offer.poddur <= 0) {
            return Winners::One(None);
        }
        Winners::Pod(PodBids {
            max_bids: MAX_POD_BIDS.min(max_bids),
            shortest,
            meter,
            bids: Vec::new_in(arena),
            left: None,
            next: 0,
            ranked: Vec::new_in(arena),
        })
    }
}

/// The bids in a dynamic pod: the best bid, then repeatedly the best one that fits beside the bids already chosen.
pub(crate) struct PodBids<'a> {
    /// How many bids there may be.
    max_bids: usize,
    /// Seconds of the shortest ad in the catalog.
    shortest: i64,
    meter: &'a Meter,
    /// The bids in the pod.
    bids: Vec<'a, Bid<'a>>,
    /// Seconds and bids that are left in the pod; `None` if the pod is empty, or if its first bid is not for a dynamic
    /// pod.
    left: Option<(i64, usize)>,
    /// All added bids, the best first. Those before `next` are decided: in the pod or not.
    ranked: Vec<'a, Bid<'a>>,
    next: usize,
}

impl<'a> PodBids<'a> {
    fn rank(&mut self, bid: Bid<'a>) {
        insert(&mut self.ranked, self.next, bid);
    }

    /// Decides on the next best bids as long as they are `due`. With an empty meter, decides only on the first bid.
    fn fill(&mut self, due: impl Fn(&Bid<'a>) -> bool) {
        while let Some(bid) = self.ranked.get(self.next).filter(|bid| due(bid)) {
            if self.meter.is_empty() && !self.bids.is_empty() {
                return;
            }
            if self.fits(bid) {
                let own = pod::dynamic(bid);
                let all = || own.as_ref().map(|pod| (pod.offer.poddur, self.capacity(pod)));
                let before = if self.bids.is_empty() { all() } else { self.left };
                self.left = before.zip(own).map(|((seconds, bids), own)| (seconds - own.dur, bids.saturating_sub(1)));
                self.bids.push(*bid);
            }
            self.next += 1;
        }
    }

    fn is_full(&self) -> bool {
        !self.bids.is_empty() && self.left.is_none_or(|(seconds, bids)| seconds < self.shortest.max(1) || bids == 0)
    }

    /// Whether a bid fits beside the bids in the pod. The pod takes each campaign once, and each value of `slotinpod`
    /// once.
    fn fits(&self, bid: &Bid<'a>) -> bool {
        let Some(first) = self.bids.first() else { return true };
        let (Some(pod), Some(own)) = (pod::dynamic(first), pod::dynamic(bid)) else { return false };
        core::ptr::eq(pod.offer, own.offer)
            && self.left.is_some_and(|(seconds, bids)| bids > 0 && own.dur <= seconds)
            && self.bids.iter().all(|other| {
                let slot = pod::slot(bid);
                bid.campaign.cid() != other.campaign.cid()
                    && (slot.is_none() || slot != pod::slot(other))
                    && !pod::alike(bid, other, pod.offer.poddedupe, self.meter)
            })
    }

    /// How many bids may be in a pod.
    fn capacity(&self, pod: &Dynamic<'_>) -> usize {
        usize::try_from(pod.offer.maxseq).ok().filter(|maxseq| *maxseq > 0).unwrap_or(self.max_bids).min(self.max_bids)
    }
}

/// Inserts a bid into ranked bids, after equally good ones, at position `from` or later.
fn insert<'a>(ranked: &mut Vec<'a, Bid<'a>>, from: usize, bid: Bid<'a>) {
    // Bids are added roughly in order, so the search starts at the end.
    let left = ranked.get(from..).unwrap_or_default();
    let ahead = left.iter().rposition(|held| !is_better(&bid, held)).map_or(0, |last| last + 1);
    ranked.insert(from + ahead, bid);
}

/// Keeps the better of a bid and the bid at position `from`; if both are equally good, the latter.
pub(crate) fn keep_better<'a>(bids: &mut Vec<'a, Bid<'a>>, from: usize, bid: Bid<'a>) {
    if bids.get(from).is_none_or(|held| is_better(&bid, held)) {
        bids.truncate(from);
        bids.push(bid);
    }
}

/// The chosen bid that outbid `bid`. `None` if a bid of the same campaign was chosen under the same deal, or if both have
/// no deal.
///
/// The search looks at the chosen bids that are at least as good as `bid`. It takes the last one under the same deal. If
/// there is none, it takes the last one of the same kind (with or without a deal), then the last of all. If no chosen bid is
/// that good, it returns the first chosen bid.
pub(crate) fn winner_over<'c, 'a>(bid: &Bid<'a>, chosen: &'c [Bid<'a>]) -> Option<&'c Bid<'a>> {
    let is_same_kind = |other: &&Bid<'a>| bid.deal.is_some() == other.deal.is_some();
    let same = |other: &&Bid<'a>| bid.deal.is_none() && other.deal.is_none() || is_same(bid.deal, other.deal);
    if chosen.iter().filter(same).any(|own| own.campaign.cid() == bid.campaign.cid()) {
        return None;
    }
    let last = |among: &dyn Fn(&&'c Bid<'a>) -> bool| {
        chosen.iter().rev().filter(|other| among(other)).find(|other| !is_better(bid, other))
    };
    last(&same).or_else(|| last(&is_same_kind)).or_else(|| last(&|_| true)).or(chosen.first())
}

fn is_better(bid: &Bid<'_>, held: &Bid<'_>) -> bool {
    rank(bid) > rank(held)
}

/// A guaranteed deal requires a bid, so it comes first; then the price counts, then whether there is a deal.
fn rank(bid: &Bid<'_>) -> (bool, Micros, bool) {
    (is_guaranteed(bid), bid.price.bid, bid.deal.is_some())
}

fn is_guaranteed(bid: &Bid<'_>) -> bool {
    bid.deal.is_some_and(|deal| deal.guar)
}

/// Whether `a` and `b` are the same deal. An impression may offer a deal twice, and it is still one deal.
fn is_same(a: Option<&Deal<'_>>, b: Option<&Deal<'_>>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.id.value == b.id.value)
}
