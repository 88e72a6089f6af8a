//! An adversary who knows the algorithm, and lies in one of twenty notices.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "a model"
)]

use shading::{Cells, Outcome, sent, told};

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Nearly normal.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// The auctions: what an impression may be worth, and whether the exchange tells prices to win.
#[derive(Clone, Copy)]
struct Exchange<'v> {
    values: &'v [f64],
    tells: bool,
}

const VALUES: [f64; 8] = [0.5, 0.8, 1.2, 1.9, 2.9, 4.4, 6.6, 10.0];
const BIDS: usize = 40_000;
const MINUTE: usize = 40;

/// What is paid for an impression, in micros, where the median rival bids one unit. `lie` is the price to win that the
/// adversary claims for a bid, or no price for a mere loss; `None`: the truth.
fn paid(exchange: Exchange<'_>, lie: impl Fn(i64) -> Option<Option<i64>>) -> f64 {
    let mut random = Random(3);
    let mut cells = Cells::default();
    let mut curve = None;
    let (mut wins, mut spend) = (0.0, 0.0);
    for at in 0..BIDS {
        let value = exchange.values[(random.unit() * exchange.values.len() as f64) as usize];
        let value = (value * 1e6) as i64;
        let rival = ((0.6 * random.normal()).exp() * 1e6) as i64;
        let (is_control, is_poisoned) = (random.unit() < 0.02, random.unit() < 0.05);
        let bid = curve.filter(|_| !is_control).map_or(value, |curve: shading::Curve| curve.bid(value, 0));
        let has_won = bid > rival;
        let lie = lie(bid).filter(|_| is_poisoned);
        if has_won && at >= BIDS / 2 {
            wins += 1.0;
            spend += bid as f64;
        }
        let truth = (!has_won && exchange.tells && lie.is_none()).then(|| told(Outcome::Lost, bid, Some(rival)));
        // The adversary wants the money, too.
        let bill = has_won.then(|| told(Outcome::Won, bid, None));
        let forged = lie.map(|price| told(Outcome::Lost, bid, price));
        let notices = [truth, bill, forged].into_iter().flatten().flatten();
        notices.chain(sent(bid)).for_each(|told| cells.observe((7, 0, told), 1));
        if at % MINUTE == 0 {
            cells.tick(1_790_000_000_000 + (at / MINUTE) as i64 * 60_000);
            curve = cells.busiest(1).first().and_then(|known| known.curve);
        }
    }
    spend / wins
}

/// How much more is paid at most if the adversary claims one price, or a multiple of our bid, or only that we lost.
fn worst(exchange: Exchange<'_>) -> f64 {
    let price = paid(exchange, |_| None);
    let fixed = (0..16).map(|at| paid(exchange, move |_| Some(Some((0.4e6 * 1.22_f64.powi(at)) as i64))));
    let times =
        (0..6).map(|at| paid(exchange, move |bid| Some(Some((bid as f64 * (1.0 + 0.03 * 1.6_f64.powi(at))) as i64))));
    let lost = [paid(exchange, |_| Some(None))];
    fixed.chain(times).chain(lost).map(|poisoned| poisoned / price).fold(0.0, f64::max)
}

#[test]
fn lies_in_one_notice_of_twenty_raise_the_price_by_at_most_four_percent() {
    for (name, values, tells) in [
        ("told", &VALUES[..], true),
        ("told, one value", &[2.0], true),
        ("untold", &VALUES, false),
        ("untold, one value", &[2.0], false),
    ] {
        let worst = worst(Exchange { values, tells });
        println!("{name}: {worst:.3}");
        assert!(worst <= 1.04, "{name}: {worst:.3}");
    }
}
