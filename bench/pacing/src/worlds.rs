//! The worlds, and how they differ from the usual one. bench/README.md lists them.

use crate::{FIRST_DAY, HOUR_S};

const DAY_S: i64 = 86_400;

/// When an SSP sends its bills.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bills {
    /// Within a minute; one SSP sends a fifth an hour late.
    Prompt,
    /// This many seconds after the bid, and up to a minute more.
    Late(i64),
    /// All bills so far, each time this many seconds of UTC have passed; within two minutes.
    Batches(i64),
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

#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a world of its own")]
pub(crate) struct Kind {
    pub(crate) bills: Bills,
    pub(crate) prices: Prices,
    pub(crate) requests: Requests,
    /// Impressions of one bid.
    pub(crate) multiplier: u64,
    /// At the times of [`Requests::Jump`]: ten times the price, and wins of 30 % in place of 1 %.
    pub(crate) is_dearer: bool,
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
    multiplier: 1,
    is_dearer: false,
    has_no_relays: false,
    misses_shard: false,
    is_set_back: false,
};

const fn billed(bills: Bills) -> Kind {
    Kind { bills, ..USUAL }
}

const fn asked(requests: Requests) -> Kind {
    Kind { requests, ..USUAL }
}

pub(crate) const WORLDS: [(&str, Kind); 19] = [
    ("usual", USUAL),
    ("late-150s", billed(Bills::Late(150))),
    ("late-15m", billed(Bills::Late(900))),
    ("late-5h", billed(Bills::Late(5 * HOUR_S))),
    ("batch-1h", billed(Bills::Batches(HOUR_S))),
    ("batch-3h", billed(Bills::Batches(3 * HOUR_S))),
    ("batch-6h", billed(Bills::Batches(6 * HOUR_S))),
    ("batch-day", billed(Bills::Batches(DAY_S))),
    ("refused", Kind { prices: Prices::Refused, ..USUAL }),
    ("per-impression", Kind { prices: Prices::PerImpression, ..USUAL }),
    ("multiplier-40", Kind { multiplier: 40, ..USUAL }),
    ("jump-price", Kind { is_dearer: true, ..USUAL }),
    ("jump-requests-100", asked(Requests::Jump(100.0))),
    ("jump-requests-10000", asked(Requests::Jump(10_000.0))),
    ("narrowed", asked(Requests::Narrowed(10_000.0))),
    ("windows", asked(Requests::Windows)),
    ("no-relays", Kind { has_no_relays: true, ..USUAL }),
    ("shard-missing", Kind { misses_shard: true, ..USUAL }),
    ("clock-back", Kind { is_set_back: true, ..USUAL }),
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
    pub(crate) fn is_dear(&self, time_s: i64) -> bool {
        self.is_dearer && has_jumped(time_s)
    }

    pub(crate) fn is_without_relays(&self, time_s: i64) -> bool {
        self.has_no_relays && (noon(2) - DAY_S / 2..noon(2) + DAY_S / 2).contains(&time_s)
    }

    pub(crate) fn hides(&self, place: usize, time_s: i64) -> bool {
        self.misses_shard && place == 2 && time_s >= noon(0)
    }

    /// The time by the pacer's clock.
    pub(crate) fn clock(&self, now_s: i64) -> i64 {
        let is_late = [0, 2].iter().any(|day| (noon(*day)..noon(*day) + 600).contains(&now_s));
        if self.is_set_back && is_late { now_s - HOUR_S } else { now_s }
    }
}

/// Noon in UTC.
fn noon(day: i64) -> i64 {
    (FIRST_DAY + day) * DAY_S + DAY_S / 2
}

fn has_jumped(time_s: i64) -> bool {
    (noon(0)..noon(1)).contains(&time_s) || time_s >= noon(2)
}
