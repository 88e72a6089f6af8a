//! What is bid on one impression one way, under deals or without: the best bid, and on a dynamic pod the best ones that can
//! be shown in it together (OpenRTB 2.6 §7.6). Each deal that has no bid among those gets its best one too: a guaranteed deal
//! obliges to bid (§3.2.12), and deals do not compete on price (§7.3).
//!
//! Ranks bids and fits them together. It does not say who may bid.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::bid::Bid;
use crate::limits::{MAX_BIDS, MAX_POD_BIDS};
use crate::money::Micros;
use crate::request::{Deal, Imp};
use crate::rules::pod::{self, Dynamic};
use crate::work;

/// The best bids on one impression so far.
pub(crate) struct Best<'a> {
    /// Under deals; `None` where the exchange takes one bid per impression: then all compete.
    deals: Option<Chosen<'a>>,
    /// Without one.
    open: Chosen<'a>,
}

impl<'a> Best<'a> {
    /// None yet, on one of so many impressions; no ad takes less than the shortest one, in seconds. `one` says that the
    /// exchange takes one bid per impression.
    pub(crate) fn none(imp: &Imp<'a>, imps: usize, shortest: i64, one: bool, arena: &'a Bump) -> Best<'a> {
        // Two ways on each impression.
        let most = MAX_BIDS / (2 * imps.max(1));
        let together = || Together::none(imp, most, shortest, arena);
        let each = || Each { most, ranked: Vec::new_in(arena) };
        let deals = (!one && !imp.deals.is_empty()).then(|| Chosen { together: together(), each: Some(each()) });
        Best { deals, open: Chosen { together: together(), each: None } }
    }

    /// What a bid under this deal, or without one, competes with.
    #[inline]
    pub(crate) fn of(&mut self, deal: Option<&Deal<'_>>) -> &mut Chosen<'a> {
        self.deals.as_mut().filter(|_| deal.is_some()).unwrap_or(&mut self.open)
    }

    /// Appends what is chosen, the guaranteed deals first, then the best first, and what has no deal last.
    pub(crate) fn add_to(self, bids: &mut Vec<'a, Bid<'a>>) {
        if let Some(deals) = self.deals {
            deals.add_to(bids);
        }
        self.open.add_to(bids);
    }
}

/// The bids that are chosen one way, of those added so far.
pub(crate) struct Chosen<'a> {
    together: Together<'a>,
    /// The best bid under each deal, where these are bid beside what is shown together.
    each: Option<Each<'a>>,
}

impl<'a> Chosen<'a> {
    /// Whether it may take more than one creative of a campaign into account: the first may be too long for what is left.
    pub(crate) fn is_pod(&self) -> bool {
        matches!(self.together, Together::Pod(_))
    }

    /// What adding one more costs, in units of [`crate::work`].
    pub(crate) fn work(&self, imp: &Imp<'_>) -> usize {
        let deals = self.each.as_ref().map_or(0, |each| each.ranked.len());
        match &self.together {
            Together::One(_) => work::of_ranking(deals, 0, 0),
            // It is ranked among the others, and later held against each ad of the pod.
            Together::Pod(filling) => {
                let settings = imp.linear().map(|offer| offer.poddedupe.len()).max().unwrap_or_default();
                work::of_ranking(deals + filling.ranked.len() - filling.next, filling.beside.len(), settings)
            }
        }
    }

    /// Takes a bid into account. Of equal ones the first stays ahead.
    #[inline]
    pub(crate) fn add(&mut self, bid: Bid<'a>) {
        if let Some(each) = &mut self.each {
            each.add(bid);
        }
        match &mut self.together {
            Together::One(held) => {
                if held.is_none_or(|held| is_better(&bid, &held)) {
                    *held = Some(bid);
                }
            }
            Together::Pod(filling) => filling.rank(bid),
        }
    }

    /// Whether no bid without a deal of at most this price changes what is chosen.
    #[inline]
    pub(crate) fn is_settled(&mut self, most: Micros) -> bool {
        let is_ahead = |held: &Bid<'a>| rank(held) >= (false, most, false);
        match &mut self.together {
            Together::One(held) => held.as_ref().is_some_and(is_ahead),
            Together::Pod(filling) => {
                filling.fill(is_ahead);
                filling.is_full()
            }
        }
    }

    fn add_to(self, bids: &mut Vec<'a, Bid<'a>>) {
        let before = bids.len();
        match self.together {
            Together::One(held) => bids.extend(held),
            Together::Pod(mut filling) => {
                filling.fill(|_| true);
                bids.extend_from_slice(&filling.beside);
            }
        }
        let Some(each) = self.each else { return };
        let mut together = bids.len();
        for bid in each.ranked {
            let shown = bids.get(before..together).unwrap_or_default();
            if !shown.iter().any(|shown| is_same(shown.deal, bid.deal)) {
                // A guaranteed deal goes before what is shown together without one: the last ones may not have room.
                let own = bids.get(before..).unwrap_or_default();
                let place = own.iter().position(|held| !is_guaranteed(held)).filter(|_| is_guaranteed(&bid));
                bids.insert(before + place.unwrap_or(own.len()), bid);
                together += usize::from(place.is_some());
            }
        }
        bids.truncate(before + each.most);
    }
}

/// The best bid under each deal.
struct Each<'a> {
    /// How many there may be.
    most: usize,
    /// The best first.
    ranked: Vec<'a, Bid<'a>>,
}

impl<'a> Each<'a> {
    fn add(&mut self, bid: Bid<'a>) {
        if let Some(place) = self.ranked.iter().position(|held| is_same(held.deal, bid.deal)) {
            if self.ranked.get(place).is_some_and(|held| !is_better(&bid, held)) {
                return;
            }
            self.ranked.remove(place);
        }
        insert(&mut self.ranked, 0, bid);
        self.ranked.truncate(self.most);
    }
}

/// What can be shown together on the impression.
enum Together<'a> {
    /// One ad.
    One(Option<Bid<'a>>),
    /// As many as the pod takes.
    Pod(Filling<'a>),
}

impl<'a> Together<'a> {
    fn none(imp: &Imp<'a>, most: usize, shortest: i64, arena: &'a Bump) -> Together<'a> {
        if imp.linear().all(|offer| offer.poddur <= 0) {
            return Together::One(None);
        }
        Together::Pod(Filling {
            most: MAX_POD_BIDS.min(most),
            shortest,
            beside: Vec::new_in(arena),
            left: None,
            next: 0,
            ranked: Vec::new_in(arena),
        })
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
        insert(&mut self.ranked, self.next, bid);
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

/// Takes a bid into ranked ones, behind those that are as good, and not before the place `from`.
fn insert<'a>(ranked: &mut Vec<'a, Bid<'a>>, from: usize, bid: Bid<'a>) {
    // They come about in order.
    let left = ranked.get(from..).unwrap_or_default();
    let ahead = left.iter().rposition(|held| !is_better(&bid, held)).map_or(0, |last| last + 1);
    ranked.insert(from + ahead, bid);
}

/// Puts a bid behind the place `from`, where there is none that is as good.
pub(crate) fn keep_better<'a>(bids: &mut Vec<'a, Bid<'a>>, from: usize, bid: Bid<'a>) {
    if bids.get(from).is_none_or(|held| is_better(&bid, held)) {
        bids.truncate(from);
        bids.push(bid);
    }
}

/// The chosen bid that another one gave way to; `None` where its campaign has its bid. Of several, the one that it would
/// have to beat: under the same deal, else the last one that is as good.
pub(crate) fn winner_over<'c, 'a>(bid: &Bid<'a>, chosen: &'c [Bid<'a>]) -> Option<&'c Bid<'a>> {
    let is_alike = |other: &&Bid<'a>| bid.deal.is_some() == other.deal.is_some();
    let same = |other: &&Bid<'a>| bid.deal.is_none() && other.deal.is_none() || is_same(bid.deal, other.deal);
    if chosen.iter().filter(same).any(|own| own.campaign.cid() == bid.campaign.cid()) {
        return None;
    }
    let last = |among: &dyn Fn(&&'c Bid<'a>) -> bool| {
        chosen.iter().rev().filter(|other| among(other)).find(|other| !is_better(bid, other))
    };
    last(&same).or_else(|| last(&is_alike)).or_else(|| last(&|_| true)).or(chosen.first())
}

fn is_better(bid: &Bid<'_>, held: &Bid<'_>) -> bool {
    rank(bid) > rank(held)
}

/// A guaranteed deal obliges to bid, so it goes before any other; then the price counts, then whether there is a deal.
fn rank(bid: &Bid<'_>) -> (bool, Micros, bool) {
    (is_guaranteed(bid), bid.price.bid, bid.deal.is_some())
}

fn is_guaranteed(bid: &Bid<'_>) -> bool {
    bid.deal.is_some_and(|deal| deal.guar)
}

/// Whether both are the same deal of the impression.
fn is_same(a: Option<&Deal<'_>>, b: Option<&Deal<'_>>) -> bool {
    a.zip(b).is_some_and(|(a, b)| core::ptr::eq(a, b))
}
