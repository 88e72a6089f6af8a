//! Isolates and relays. A class simulates many isolates, which exchange with a relay at the same times and have the
//! same shares.

use std::collections::VecDeque;

use pacing::counts::{Count, Counts};
use pacing::shares::{Shares, aged};

use crate::bound::{Debts, ISOLATES};
use crate::random::Random;
use crate::scale::{CLASSES, RELAYS, TICK_S};

/// Counts by row, as one class or relay holds them.
#[derive(Clone)]
pub(crate) struct Held {
    pub(crate) matched: Vec<u64>,
    pub(crate) bids: Vec<u64>,
    /// 0: nothing is counted.
    since_s: i64,
    made_ms: i64,
    /// Calls of isolates.
    calls: u64,
}

impl Held {
    fn new(rows: usize) -> Held {
        Held { matched: vec![0; rows], bids: vec![0; rows], since_s: 0, made_ms: 0, calls: 0 }
    }

    fn add(&mut self, other: &mut Held) {
        for (mine, more) in [(&mut self.matched, &mut other.matched), (&mut self.bids, &mut other.bids)] {
            for (mine, more) in mine.iter_mut().zip(more) {
                *mine += std::mem::take(more);
            }
        }
        let earliest = |a: i64, b: i64| if a == 0 || b == 0 { a.max(b) } else { a.min(b) };
        self.since_s = earliest(self.since_s, std::mem::take(&mut other.since_s));
        self.made_ms = earliest(self.made_ms, std::mem::take(&mut other.made_ms));
        self.calls += std::mem::take(&mut other.calls);
    }

    fn clear(&mut self) {
        *self = Held::new(self.matched.len());
    }
}

/// A relay, or a class of isolates.
#[derive(Clone)]
struct Holder {
    held: Held,
    shares: Shares,
    /// When it exchanges next.
    next_s: i64,
    /// Until then it answers nothing.
    dead_until: i64,
}

/// The time until the next exchange of a class of isolates.
pub(crate) struct Interval<'a> {
    pub(crate) class: usize,
    pub(crate) from_s: i64,
    pub(crate) to_s: i64,
    pub(crate) shares: &'a Shares,
    pub(crate) held: &'a mut Held,
    debts: &'a mut Debts,
}

impl Interval<'_> {
    /// The share of the budget at this position.
    pub(crate) fn share(&self, budget: usize) -> u32 {
        let share = self.shares.rows.get(budget).map_or(0, |(_, share)| *share);
        aged(share, self.from_s * 1000 - self.shares.made_ms)
    }

    /// How many of these bids of a budget its isolates make, each of `price` nanos.
    pub(crate) fn bound(&mut self, budget: usize, price: u64, bids: u64, random: &mut Random) -> u64 {
        let (key, _) = self.shares.rows[budget];
        let most = self.shares.most.get(&key);
        most.map_or(bids, |most| self.debts.let_through(budget, *most, price, bids, random))
    }
}

pub(crate) struct Isolates {
    /// A class exchanges with the relay of its number, of which there are [`RELAYS`].
    classes: Vec<Holder>,
    /// By class.
    debts: Vec<Debts>,
    relays: Vec<Holder>,
    /// The shares in KV, each with when they can be read.
    stored: VecDeque<(i64, Shares)>,
    /// The counts that each relay reported since the last tick of the pacer.
    reported: Vec<Held>,
    /// Seconds that shares of each age were in use.
    pub(crate) ages: Vec<u64>,
}

impl Isolates {
    pub(crate) fn new(budgets: usize, rows: usize) -> Isolates {
        let holder = Holder { held: Held::new(rows), shares: Shares::default(), next_s: 0, dead_until: 0 };
        Isolates {
            classes: vec![holder.clone(); CLASSES],
            debts: vec![Debts::new(budgets); CLASSES],
            relays: vec![holder; RELAYS],
            stored: VecDeque::new(),
            reported: vec![Held::new(rows); RELAYS],
            ages: vec![0; 200],
        }
    }

    /// Starts all classes and relays at a time.
    pub(crate) fn start(&mut self, from_s: i64) {
        for (at, class) in self.classes.iter_mut().enumerate() {
            class.next_s = from_s + (at % 8) as i64;
        }
        for (at, relay) in self.relays.iter_mut().enumerate() {
            relay.next_s = from_s + (at as i64 % TICK_S);
        }
    }

    /// A relay dies: its counts are lost, and its isolates reach no relay until it is back.
    pub(crate) fn kill(&mut self, relay: usize, until_s: i64) {
        self.relays[relay].dead_until = until_s;
        self.relays[relay].held.clear();
        self.relays[relay].shares = Shares::default();
    }

    /// Each relay that is due hands its counts to the pacer and takes the newest shares, if the pacer answers.
    pub(crate) fn relay(&mut self, now_s: i64, newest: Option<&Shares>) {
        let relays = self.relays.iter_mut().zip(&mut self.reported);
        for (relay, reported) in relays.filter(|(relay, _)| relay.next_s <= now_s) {
            relay.next_s = now_s + TICK_S;
            if let (Some(newest), true) = (newest, relay.dead_until <= now_s) {
                reported.add(&mut relay.held);
                relay.shares.clone_from(newest);
            }
        }
    }

    /// Writes the shares to KV each 20 s, where they can be read 30 s later. `is_read`: isolates read them.
    pub(crate) fn store(&mut self, now_s: i64, newest: &Shares, is_read: bool) {
        if is_read && now_s % 20 == 0 {
            self.stored.push_back((now_s + 30, newest.clone()));
        }
        while self.stored.get(1).is_some_and(|(from_s, _)| *from_s <= now_s) {
            self.stored.pop_front();
        }
    }

    /// Each class that is due exchanges with its relay, then `each` counts its requests and bids until the next
    /// exchange.
    pub(crate) fn exchange(
        &mut self,
        now_s: i64,
        is_lost: bool,
        random: &mut Random,
        mut each: impl FnMut(&mut Interval<'_>, &mut Random),
    ) {
        let classes = self.classes.iter_mut().zip(&mut self.debts).enumerate();
        for (at, (class, debts)) in classes.filter(|(_, (class, _))| class.next_s <= now_s) {
            let before_ms = class.shares.made_ms;
            let relay = &mut self.relays[at % RELAYS];
            if is_lost {
                class.held.clear();
                if let Some((_, shares)) = self.stored.front().filter(|(from_s, _)| *from_s <= now_s) {
                    class.shares.clone_from(shares);
                }
            } else if relay.dead_until <= now_s {
                relay.held.add(&mut class.held);
                relay.held.calls += ISOLATES as u64;
                // The newest ones, also if the pacer's clock was set back.
                if relay.shares.made_ms > 0 {
                    class.shares.clone_from(&relay.shares);
                }
            }
            if class.shares.made_ms > before_ms {
                debts.pay(&class.shares);
            }
            let from_s = now_s;
            class.next_s = now_s + 5 + random.below(6) as i64;
            if class.held.since_s == 0 {
                class.held.since_s = from_s;
            }
            if class.held.made_ms == 0 {
                class.held.made_ms = class.shares.made_ms;
            }
            if class.shares.made_ms > 0 {
                for second in from_s..class.next_s {
                    let age = usize::try_from(second - class.shares.made_ms / 1000).unwrap_or_default();
                    self.ages[age.min(199)] += 1;
                }
            }
            let Holder { held, shares, next_s, .. } = class;
            each(&mut Interval { class: at, from_s, to_s: *next_s, shares, held, debts }, random);
        }
    }

    /// The counts that each relay reported since the last call, as the pacer reads them.
    pub(crate) fn take(&mut self, name: impl Fn(usize) -> (u64, u64, u64)) -> Vec<Counts> {
        let reported = self.reported.iter_mut().filter(|held| held.since_s != 0);
        reported.map(|held| counts(std::mem::replace(held, Held::new(held.bids.len())), &name)).collect()
    }
}

fn counts(held: Held, name: impl Fn(usize) -> (u64, u64, u64)) -> Counts {
    let Held { matched, bids, since_s, made_ms, calls } = held;
    let mut counts = Counts { since_ms: since_s * 1000, made_ms, calls, ..Counts::default() };
    for (row, (matched, bids)) in matched.into_iter().zip(bids).enumerate().filter(|(_, (matched, _))| *matched > 0) {
        let (campaign, ssp, price) = name(row);
        counts.rows.insert((campaign, ssp), Count { matched, bids, guaranteed: 0, nanos: bids * price });
    }
    counts
}
