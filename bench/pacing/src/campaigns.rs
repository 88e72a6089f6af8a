//! The campaigns and SSPs of the simulation.

use pacing::budget::{Budget, Flight};

use crate::random::Random;
use crate::scale::{DOLLAR, FIRST_DAY};
use crate::traffic::Traffic;
use crate::worlds::Kind;

/// How an SSP sends its bills.
pub(crate) struct Ssp {
    /// The larger this is, the more of its notices come in the first seconds of the minute.
    pub(crate) haste: f64,
    /// The part of its bills that comes an hour late.
    pub(crate) late: f64,
}

pub(crate) fn ssps() -> Vec<Ssp> {
    (0..8).map(|at| Ssp { haste: 1.0 + f64::from(at) / 2.0, late: if at == 3 { 0.2 } else { 0.0 } }).collect()
}

pub(crate) struct Campaign {
    pub(crate) budget: Budget,
    /// The sum of its rows' costs on a day of usual traffic, divided by its budget: how many times its budget it could
    /// spend.
    pub(crate) reach: f64,
    /// Nanos of a bill.
    pub(crate) bill: u64,
}

/// A campaign at one SSP.
pub(crate) struct Row {
    pub(crate) campaign: usize,
    pub(crate) ssp: usize,
    pub(crate) zone: usize,
    /// Requests per second at the mean of the day.
    pub(crate) requests: f64,
    /// Bids for each request in the share, and the part of them that wins.
    pub(crate) bids: f64,
    pub(crate) wins: f64,
    /// Nanos of a bid, and of a bill.
    pub(crate) bid: u64,
    pub(crate) bill: u64,
    /// The times in which the campaign runs, in seconds.
    pub(crate) flight: (i64, i64),
}

impl Row {
    /// The mean nanos of a request in the share.
    pub(crate) fn cost(&self) -> f64 {
        self.bids * self.wins * (1.0 - crate::scale::LOST) * self.bill as f64
    }
}

/// `count` campaigns from $5 to $50,000 a day, and their rows in the same order. The first ten have $5 and match each
/// of 400,000 requests per second.
pub(crate) fn campaigns(
    count: usize,
    traffic: &Traffic,
    days: i64,
    kind: &Kind,
    random: &mut Random,
) -> (Vec<Campaign>, Vec<Row>) {
    let mut rows = Vec::new();
    let campaigns = (0..count).map(|at| campaign(at, count, traffic, days, kind, random, &mut rows)).collect();
    (campaigns, rows)
}

fn campaign(
    at: usize,
    count: usize,
    traffic: &Traffic,
    days: i64,
    kind: &Kind,
    random: &mut Random,
    rows: &mut Vec<Row>,
) -> Campaign {
    let is_flood = at < 10;
    // Every fortieth has the least budget, the others lie between it and the largest.
    let dollars = if is_flood || at % 40 == 10 { 5.0 } else { 5.0 * 10_000_f64.powf(at as f64 / (count - 1) as f64) };
    let daily = (dollars * 100.0).round() as u64 * (DOLLAR / 100);
    let bid = (random.log_between(0.5, 20.0) * 1e6) as u64;
    let bill = (bid as f64 * random.between(0.7, 1.0)) as u64;
    let bids = random.between(0.3, 1.0);
    let wins = random.log_between(0.02, 0.4);
    let wins = if kind.wins_more { 0.01 } else { wins };
    let reach = if is_flood { 0.0 } else { [0.7, 1.1, 1.3, 2.0, 3.0, 10.0, 30.0][random.below(7) as usize] };
    let has_curve = at % 10 == 7 && reach >= 3.0;
    let drawn = random.below(3) as usize;
    let zone = kind.push.zone_of(at).unwrap_or(drawn);
    let first = random.below(8) as usize;
    let ssps = 1 + random.below(10) as usize / 6 + usize::from(at.is_multiple_of(8));
    let requests = if is_flood {
        400_000.0
    } else {
        // The mean of the hours' weights is 0.97.
        let one = wins * bids * bill as f64 * (1.0 - crate::scale::LOST) * 86_400.0 * 0.97;
        (daily as f64 * reach / one).min(400_000.0)
    };
    let (start_ms, end_ms) = (traffic.zones[zone].start(FIRST_DAY), traffic.zones[zone].start(FIRST_DAY + days));
    let (bid, bill) = (bid * kind.multiplier, bill * kind.multiplier);
    let row = |nth: usize| Row {
        campaign: at,
        ssp: (first + nth * 3) % 8,
        zone,
        requests: requests / ssps as f64,
        bids,
        wins: wins * if ssps == 1 { 1.0 } else { 0.8 + 0.4 * nth as f64 / (ssps - 1) as f64 },
        bid,
        bill,
        flight: (start_ms / 1000, end_ms / 1000),
    };
    let own: Vec<Row> = (0..ssps).map(row).collect();
    rows.extend(own);
    let budget = Budget {
        id: format!("c{at}"),
        key: 1 + at as u64,
        cur: "USD".into(),
        daily,
        is_asap: at % 10 < 3,
        curve: if has_curve {
            (0..24).map(|hour| if (8..22).contains(&hour) { 1 + hour % 3 } else { 0 }).collect()
        } else {
            Vec::new()
        },
        flights: vec![Flight { start_ms, end_ms, ..Flight::ALWAYS }],
        zone: traffic.zones[zone].clone(),
        ..Budget::default()
    };
    Campaign { budget, reach, bill }
}
