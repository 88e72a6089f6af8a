//! The worlds, and how they differ from the usual one. bench/README.md lists them.

use crate::scale::{FIRST_DAY, HOUR_S, MEMBERS};

const DAY_S: i64 = 86_400;

/// When an SSP sends its bills.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bills {
    /// Within a minute; one SSP sends a fifth an hour late.
    Prompt,
    /// This many seconds after the bid, and up to a minute more.
    Late(i64),
    /// A second after the bid, long before the counts.
    First,
    /// All bills so far, in batches.
    Batches(Batches),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Batches {
    /// A batch begins each time this many seconds have passed, this long after a midnight in UTC.
    pub(crate) every_s: i64,
    pub(crate) at_s: i64,
    /// How long it takes to arrive.
    pub(crate) within_s: i64,
    /// The part of the bills that waits for a batch; the others come within a minute.
    pub(crate) part: f64,
}

impl Batches {
    /// When the next batch begins.
    pub(crate) fn next(&self, time_s: i64) -> i64 {
        ((time_s - self.at_s).div_euclid(self.every_s) + 1) * self.every_s + self.at_s
    }
}

/// The form of bills.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Prices {
    Right,
    /// Signed, but their price cannot be used.
    Refused,
    /// For one impression, not for a thousand.
    PerImpression,
}

/// How the requests of all campaigns differ from the usual ones.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Requests {
    Usual,
    /// This many times the requests, from noon of the first day to noon of the second, and from noon of the third.
    Jump(f64),
    /// This many times the requests, until noon of the first day.
    Narrowed(f64),
    /// All in five minutes at 10:00 and at 19:00.
    Windows,
}

/// What an operator pushes at noon of the first and of the third day, and takes back at noon of the second.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Push {
    Nothing,
    /// This many times the budgets.
    Daily(f64),
    /// Four campaigns have an order together; two of them leave the catalog.
    Leave,
    /// Two campaigns of an order join two others.
    Join,
    /// Two campaigns of an order change with two of another.
    Move,
}

impl Push {
    /// Whether orders have the budgets.
    pub(crate) fn has_orders(self) -> bool {
        matches!(self, Push::Leave | Push::Join | Push::Move)
    }

    /// The zone of a campaign with an order: two orders between which campaigns move have the same.
    pub(crate) fn zone_of(self, at: usize) -> Option<usize> {
        self.has_orders().then_some(at / (2 * MEMBERS) % 3)
    }
}

#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a world of its own")]
pub(crate) struct Kind {
    pub(crate) bills: Bills,
    pub(crate) prices: Prices,
    pub(crate) requests: Requests,
    pub(crate) push: Push,
    /// Impressions of one bid.
    pub(crate) multiplier: u64,
    /// At the times of [`Requests::Jump`]: ten times the price.
    pub(crate) is_dearer: bool,
    /// All wins are 1 %, and 30 % when bids are dearer.
    pub(crate) wins_more: bool,
    /// No relay answers on the third day; isolates read the shares in KV.
    pub(crate) has_no_relays: bool,
    /// From noon of the first day, one object of the ledger in 32 does not answer, for any day.
    pub(crate) misses_shard: bool,
    /// The pacer's clock is an hour late for ten minutes from noon of the first and the third day.
    pub(crate) is_set_back: bool,
}

const USUAL: Kind = Kind {
    bills: Bills::Prompt,
    prices: Prices::Right,
    requests: Requests::Usual,
    push: Push::Nothing,
    multiplier: 1,
    is_dearer: false,
    wins_more: false,
    has_no_relays: false,
    misses_shard: false,
    is_set_back: false,
};

const fn billed(bills: Bills) -> Kind {
    Kind { bills, ..USUAL }
}

/// All bills come in batches.
const fn batches(every_s: i64, at_s: i64, minutes: i64) -> Kind {
    billed(Bills::Batches(Batches { every_s, at_s, within_s: 60 * minutes, part: 1.0 }))
}

const MIXED: Batches = Batches { every_s: 3 * HOUR_S, at_s: 0, within_s: 120, part: 0.7 };

const fn asked(requests: Requests) -> Kind {
    Kind { requests, ..USUAL }
}

const fn pushed(push: Push) -> Kind {
    Kind { push, ..USUAL }
}

pub(crate) const WORLDS: [(&str, Kind); 37] = [
    ("usual", USUAL),
    ("late-150s", billed(Bills::Late(150))),
    ("late-15m", billed(Bills::Late(900))),
    ("late-5h", billed(Bills::Late(5 * HOUR_S))),
    ("batch-1h", batches(HOUR_S, 0, 2)),
    ("batch-1h-in-5m", batches(HOUR_S, 0, 5)),
    ("batch-3h", batches(3 * HOUR_S, 0, 2)),
    ("batch-3h-in-15m", batches(3 * HOUR_S, 0, 15)),
    ("batch-3h-in-60m", batches(3 * HOUR_S, 0, 60)),
    ("batch-6h", batches(6 * HOUR_S, 0, 2)),
    ("batch-day", batches(DAY_S, 0, 2)),
    ("batch-day-in-4m", batches(DAY_S, 0, 4)),
    ("batch-day-in-10m", batches(DAY_S, 0, 10)),
    ("batch-day-in-30m", batches(DAY_S, 0, 30)),
    ("batch-2am", batches(DAY_S, 2 * HOUR_S, 2)),
    ("batch-2am-in-4m", batches(DAY_S, 2 * HOUR_S, 4)),
    ("batch-2am-in-10m", batches(DAY_S, 2 * HOUR_S, 10)),
    ("batch-2am-in-30m", batches(DAY_S, 2 * HOUR_S, 30)),
    ("mixed", billed(Bills::Batches(MIXED))),
    ("refused", Kind { prices: Prices::Refused, ..USUAL }),
    ("per-impression", Kind { prices: Prices::PerImpression, ..USUAL }),
    ("multiplier-40", Kind { multiplier: 40, ..USUAL }),
    ("jump-price", Kind { is_dearer: true, wins_more: true, ..USUAL }),
    ("jump-price-only", Kind { is_dearer: true, ..USUAL }),
    ("jump-requests-100", asked(Requests::Jump(100.0))),
    ("jump-requests-10000", asked(Requests::Jump(10_000.0))),
    ("narrowed", asked(Requests::Narrowed(10_000.0))),
    ("windows", asked(Requests::Windows)),
    ("windows-bills-first", Kind { bills: Bills::First, ..asked(Requests::Windows) }),
    ("no-relays", Kind { has_no_relays: true, ..USUAL }),
    ("shard-missing", Kind { misses_shard: true, ..USUAL }),
    ("clock-back", Kind { is_set_back: true, ..USUAL }),
    ("budgets-raised", pushed(Push::Daily(3.0))),
    ("budgets-lowered", pushed(Push::Daily(0.7))),
    ("orders-leave", pushed(Push::Leave)),
    ("orders-join", pushed(Push::Join)),
    ("orders-move", pushed(Push::Move)),
];

impl Kind {
    pub(crate) fn named(name: &str) -> Option<Kind> {
        WORLDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// The factor of the requests in a second.
    pub(crate) fn factor(&self, time_s: i64) -> f64 {
        match self.requests {
            Requests::Jump(factor) if has_jumped(time_s) => factor,
            Requests::Narrowed(factor) if time_s < noon(0) => factor,
            Requests::Usual | Requests::Jump(_) | Requests::Narrowed(_) => 1.0,
            Requests::Windows => {
                let second = time_s.rem_euclid(DAY_S);
                let is_open = [10, 19].iter().any(|hour| (hour * HOUR_S..hour * HOUR_S + 300).contains(&second));
                if is_open { 144.0 } else { 0.0 }
            }
        }
    }

    /// The price of bids at a time, as a multiple of the usual one.
    pub(crate) fn times(&self, time_s: i64) -> u64 {
        if self.is_dear(time_s) { 10 } else { 1 }
    }

    /// Whether bids are dear at a time.
    fn is_dear(&self, time_s: i64) -> bool {
        self.is_dearer && has_jumped(time_s)
    }

    /// The part of the bids that wins at a time.
    pub(crate) fn wins(&self, usual: f64, time_s: i64) -> f64 {
        if self.wins_more && self.is_dear(time_s) { 0.3 } else { usual }
    }

    pub(crate) fn is_without_relays(&self, time_s: i64) -> bool {
        self.has_no_relays && (noon(2) - DAY_S / 2..noon(2) + DAY_S / 2).contains(&time_s)
    }

    pub(crate) fn hides(&self, shard: usize, time_s: i64) -> bool {
        self.misses_shard && shard == 2 && time_s >= noon(0)
    }

    /// Whether a catalog that is known this many seconds after its push is the one pushed at a noon.
    pub(crate) fn is_pushed(&self, now_s: i64, known_s: i64) -> bool {
        self.push != Push::Nothing && has_jumped(now_s - known_s)
    }

    /// Whether an operator pushes in this second.
    pub(crate) fn pushes(&self, now_s: i64) -> bool {
        self.is_pushed(now_s, 0) != self.is_pushed(now_s, 1)
    }

    /// The time by the pacer's clock.
    pub(crate) fn clock(&self, now_s: i64) -> i64 {
        let is_late = [0, 2].iter().any(|day| (noon(*day)..noon(*day) + 600).contains(&now_s));
        if self.is_set_back && is_late { now_s - HOUR_S } else { now_s }
    }
}

/// Noon in UTC.
pub(crate) const fn noon(day: i64) -> i64 {
    (FIRST_DAY + day) * DAY_S + DAY_S / 2
}

fn has_jumped(time_s: i64) -> bool {
    (noon(0)..noon(1)).contains(&time_s) || time_s >= noon(2)
}
