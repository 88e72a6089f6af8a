//! An adversary who knows the algorithm chooses 5 % of the notices.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "a model"
)]

use shading::{Cell, Curve, Outcome, Rivals, fit};

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

const VALUES: [f64; 8] = [0.5, 0.8, 1.2, 1.9, 2.9, 4.4, 6.6, 10.0];

/// The mean price of an impression, in micros, where the median rival bids one unit.
fn paid(lie: impl Fn(i64) -> Option<Option<i64>>) -> f64 {
    let mut random = Random(3);
    let (mut cell, mut fitted) = (Cell::default(), None);
    let (mut wins, mut spend) = (0.0, 0.0);
    for at in 0..60_000 {
        let value = (VALUES[(random.unit() * 8.0) as usize] * 1e6) as i64;
        let rival = ((0.6 * random.normal()).exp() * 1e6) as i64;
        let bid = fitted.as_ref().map_or(value, |(_, curve): &(Rivals, Curve)| curve.bid(value, 0));
        let (is_control, is_poisoned) = (random.unit() < 0.02, random.unit() < 0.05);
        let bid = if is_control { value } else { bid };
        let outcome = if bid > rival { Outcome::Won } else { Outcome::Lost };
        if bid > rival && at >= 30_000 {
            wins += 1.0;
            spend += bid as f64;
        }
        let _ = match lie(bid).filter(|_| is_poisoned) {
            Some(price) => cell.observe(Outcome::Lost, bid, price),
            None => cell.observe(outcome, bid, Some(rival)),
        };
        if at % 300 == 0 {
            cell.decay(300, 15_000);
            let before = fitted.as_ref();
            fitted = fit(&cell, None, before.map(|(rivals, _)| rivals), before.map(|(_, curve)| curve));
        }
    }
    spend / wins
}

/// The adversary claims one price, or a multiple of our bid, or only that we lost. With more than 5 % of the notices, or
/// where all bids have one value, this holds no longer.
#[test]
fn lies_in_one_notice_of_twenty_raise_the_price_by_at_most_four_percent() {
    let price = paid(|_| None);
    let fixed = (0..16).map(|at| paid(|_| Some(Some((0.4e6 * 1.22_f64.powi(at)) as i64))));
    let times = (0..6).map(|at| paid(|bid| Some(Some((bid as f64 * (1.0 + 0.03 * 1.6_f64.powi(at))) as i64))));
    let lost = [paid(|_| Some(None))];
    let worst = fixed.chain(times).chain(lost).map(|poisoned| poisoned / price).fold(0.0, f64::max);
    assert!(worst <= 1.04, "{worst}");
}
