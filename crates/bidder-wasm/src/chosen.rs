//! What is bid on one impression one way, under deals or without: the best bid, and on a dynamic pod the best ones that can
//! be shown in it together (OpenRTB 2.6 §7.6).
//!
//! Ranks bids and fits them together. It does not say who may bid.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::decide::Bid;
use crate::limits::{MAX_BIDS, MAX_POD_BIDS};
use crate::money::Micros;
use crate::request::Imp;
use crate::rules::pod::{self, Dynamic};
use crate::work;

/// The bids that are chosen, of those added so far.
pub(crate) enum Chosen<'a> {
    /// One ad will be shown.
    One(Option<Bid<'a>>),
    /// As many as the pod takes.
    Pod(Filling<'a>),
}

impl<'a> Chosen<'a> {
    /// None yet, on one of so many impressions; no ad takes less than the shortest one, in seconds.
    pub(crate) fn none(imp: &Imp<'a>, imps: usize, shortest: i64, arena: &'a Bump) -> Chosen<'a> {
        if imp.linear().all(|offer| offer.poddur <= 0) {
            return Chosen::One(None);
        }
        // Two ways on each impression.
        let most = MAX_POD_BIDS.min(MAX_BIDS / (2 * imps.max(1)));
        Chosen::Pod(Filling {
            most,
            shortest,
            beside: Vec::new_in(arena),
            left: None,
            next: 0,
            ranked: Vec::new_in(arena),
        })
    }

    /// Whether it may take more than one creative of a campaign into account: the first may be too long for what is left.
    pub(crate) fn is_pod(&self) -> bool {
        matches!(self, Chosen::Pod(_))
    }

    /// What adding one more costs, in units of [`crate::work`].
    pub(crate) fn work(&self) -> usize {
        match self {
            Chosen::One(_) => 0,
            // It is ranked among the others, and later held against each ad of the pod.
            Chosen::Pod(filling) => work::of_ranking(filling.ranked.len() - filling.next, filling.beside.len()),
        }
    }

    /// Takes a bid into account. Of equal ones the first stays ahead.
    #[inline]
    pub(crate) fn add(&mut self, bid: Bid<'a>) {
        match self {
            Chosen::One(held) => {
                if held.is_none_or(|held| is_better(&bid, &held)) {
                    *held = Some(bid);
                }
            }
            Chosen::Pod(filling) => filling.rank(bid),
        }
    }

    /// Whether no bid of at most this price changes what is chosen, as long as none is under a deal.
    #[inline]
    pub(crate) fn is_settled(&mut self, most: Micros) -> bool {
        match self {
            Chosen::One(held) => held.is_some_and(|held| held.price.bid >= most),
            Chosen::Pod(filling) => {
                filling.fill(|bid| bid.price.bid >= most);
                filling.is_full()
            }
        }
    }

    /// Appends what is chosen, the best first.
    pub(crate) fn add_to(self, bids: &mut Vec<'a, Bid<'a>>) {
        match self {
            Chosen::One(held) => bids.extend(held),
            Chosen::Pod(mut filling) => {
                filling.fill(|_| true);
                bids.extend_from_slice(&filling.beside);
            }
        }
    }
}

/// A dynamic pod as it fills: the best bid, then always the best of those that can be shown beside the ones before.
pub(crate) struct Filling<'a> {
    /// How many there may be.
    most: usize,
    /// Seconds that every ad takes.
    shortest: i64,
    /// The ones that are in.
    beside: Vec<'a, Bid<'a>>,
    /// Seconds that are left of the pod of the first, and how many more there may be; nothing where that is no pod.
    left: Option<(i64, usize)>,
    /// All bids, the best first; those before `next` are in or out already.
    ranked: Vec<'a, Bid<'a>>,
    next: usize,
}

impl<'a> Filling<'a> {
    fn rank(&mut self, bid: Bid<'a>) {
        // They come about in order.
        let left = self.ranked.get(self.next..).unwrap_or_default();
        let ahead = left.iter().rposition(|held| !is_better(&bid, held)).map_or(0, |last| last + 1);
        self.ranked.insert(self.next + ahead, bid);
    }

    /// Goes through the best ones for as long as they are `due`.
    fn fill(&mut self, due: impl Fn(&Bid<'a>) -> bool) {
        while let Some(bid) = self.ranked.get(self.next).filter(|bid| due(bid)) {
            if self.takes(bid) {
                let own = pod::dynamic(bid);
                let all = || own.as_ref().map(|pod| (pod.offer.poddur, self.room(pod)));
                let before = if self.beside.is_empty() { all() } else { self.left };
                self.left = before.zip(own).map(|((seconds, room), own)| (seconds - own.dur, room.saturating_sub(1)));
                self.beside.push(*bid);
            }
            self.next += 1;
        }
    }

    fn is_full(&self) -> bool {
        !self.beside.is_empty() && self.left.is_none_or(|(seconds, room)| seconds < self.shortest.max(1) || room == 0)
    }

    /// Whether the bid can be shown beside those that are in. Each campaign is there once, as is each slot that is asked for.
    fn takes(&self, bid: &Bid<'a>) -> bool {
        let Some(first) = self.beside.first() else { return true };
        let (Some(pod), Some(own)) = (pod::dynamic(first), pod::dynamic(bid)) else { return false };
        core::ptr::eq(pod.offer, own.offer)
            && self.left.is_some_and(|(seconds, room)| room > 0 && own.dur <= seconds)
            && self.beside.iter().all(|other| {
                let slot = pod::slot(bid);
                bid.campaign.cid() != other.campaign.cid()
                    && (slot.is_none() || slot != pod::slot(other))
                    && !pod::alike(bid, other, pod.offer.poddedupe)
            })
    }

    /// How many there may be in a pod.
    fn room(&self, pod: &Dynamic<'_>) -> usize {
        usize::try_from(pod.offer.maxseq).ok().filter(|maxseq| *maxseq > 0).unwrap_or(self.most).min(self.most)
    }
}

/// A guaranteed deal obliges to bid, so it goes before any other; then the price counts.
fn is_better(bid: &Bid<'_>, held: &Bid<'_>) -> bool {
    let rank = |bid: &Bid<'_>| (bid.deal.is_some_and(|deal| deal.guar), bid.price.bid);
    rank(bid) > rank(held)
}
