//! All cells: they learn from what notices tell, forget it slowly, and become curves for the isolates.
//!
//! A notice counts for its spot and for all wider spots. If there are too many spots, those with the fewest notices
//! are forgotten.

use std::collections::BTreeMap;
use std::fmt::Write;

use base64ct::{Base64Unpadded, Encoding};

use crate::cell::Cell;
use crate::curve::{Curve, SIZE};
use crate::fit::{FEWEST, Rivals, deciles, fit};
use crate::spot::{key, wider};
use crate::told::Told;

/// The most cells that are kept.
pub(crate) const MAX_CELLS: usize = 4096;
/// The time in which the weight of a notice falls by half, in milliseconds.
const HALF_LIFE_MS: i64 = 6 * 3_600_000;
/// How often the notices lose weight, in milliseconds.
const DECAY_MS: i64 = 600_000;
/// The least time between two fits of one cell, in milliseconds.
const FIT_MS: i64 = 60_000;
/// The most fits in one tick: one takes up to two milliseconds.
const MAX_FITS: usize = 64;
/// The most cells that a restart remembers, because the state is written every few seconds.
const MAX_SAVED: usize = 512;

/// The line of a saved text that says that the curves stay as they are.
const FROZEN: &str = "cells frozen";
/// The begin of the line with the time of the last loss of weight, in milliseconds since the epoch.
const DECAYED: &str = "cells decayed ";

/// The hash of an SSP, and a spot there: see [`mod@crate::spot`].
type SspSpot = (u64, u32);

/// What is known about one spot.
#[derive(Debug, Clone, Default)]
struct Held {
    cell: Cell,
    /// From the last fit. A restart forgets it.
    rivals: Option<Rivals>,
    curve: Option<Curve>,
    /// When the curve was fitted last, in milliseconds since the epoch.
    fitted_ms: i64,
}

/// The cells of all SSPs.
#[derive(Debug, Clone, Default)]
pub struct Cells {
    held: BTreeMap<SspSpot, Held>,
    decayed_ms: i64,
    /// Whether the curves stay as they are. Notices are still counted.
    pub is_frozen: bool,
}

/// What is known about one spot, for the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// The hash of the SSP.
    pub ssp: u64,
    /// The spot there: see [`crate::spot()`].
    pub spot: u32,
    /// How many notices are held, without what is forgotten.
    pub notices: u64,
    /// `None` before there are enough notices.
    pub curve: Option<Curve>,
}

impl Cells {
    /// Learns from `count` notices that told the same about a spot.
    pub fn observe(&mut self, (ssp, spot, told): (u64, u32, Told), count: u64) {
        for spot in wider(spot) {
            // The next tick forgets the cells that are too many.
            if self.held.len() < 2 * MAX_CELLS || self.held.contains_key(&(ssp, spot)) {
                self.held.entry((ssp, spot)).or_default().cell.learn(told, count);
            }
        }
    }

    /// Forgets what is old, and fits the curves whose turn it is. Call it every few seconds.
    pub fn tick(&mut self, now_ms: i64) {
        self.forget(now_ms);
        if self.is_frozen {
            return;
        }
        let lateness = |held: &Held| if held.curve.is_none() { FIT_MS } else { (now_ms - held.fitted_ms).abs() };
        let due = self.held.iter().map(|(at, held)| (lateness(held), held.cell.samples(), *at));
        let mut due: Vec<(i64, u64, SspSpot)> =
            due.filter(|(late, notices, _)| *late >= FIT_MS && *notices >= FEWEST).collect();
        due.sort_unstable_by(|a, b| b.cmp(a));
        for (_, _, (ssp, spot)) in due.into_iter().take(MAX_FITS) {
            let wider = || wider(spot).filter_map(|spot| self.held.get(&(ssp, spot)));
            let prior = wider().skip(1).find_map(|held| held.rivals.as_ref());
            // A spot goes on from what it bids by now.
            let previous = wider().find_map(|held| held.curve);
            let Some(held) = self.held.get(&(ssp, spot)) else { continue };
            let Some((rivals, curve)) = fit(&held.cell, prior, held.rivals.as_ref(), previous.as_ref()) else {
                continue;
            };
            if let Some(held) = self.held.get_mut(&(ssp, spot)) {
                (held.rivals, held.curve, held.fitted_ms) = (Some(rivals), Some(curve), now_ms);
            }
        }
    }

    fn forget(&mut self, now_ms: i64) {
        let elapsed = now_ms - self.decayed_ms;
        if self.decayed_ms == 0 || elapsed < 0 {
            self.decayed_ms = now_ms;
        } else if elapsed >= DECAY_MS {
            self.decayed_ms = now_ms;
            for held in self.held.values_mut() {
                held.cell.decay(elapsed.unsigned_abs(), HALF_LIFE_MS.unsigned_abs());
                // Half as many as it takes to begin, so that no spot changes between its own bids and the wider spot's.
                if !self.is_frozen && held.cell.samples() < FEWEST / 2 {
                    (held.rivals, held.curve) = (None, None);
                }
            }
            if !self.is_frozen {
                self.held.retain(|_, held| !held.cell.is_empty());
            }
        }
        while self.held.len() > MAX_CELLS {
            self.forget_at_largest();
        }
    }

    /// Forgets the placements with the fewest notices at the SSP that has the most spots, as many as are too many, but at
    /// most half of them. So an SSP with many placements costs others nothing.
    fn forget_at_largest(&mut self) {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        self.held.keys().for_each(|(ssp, _)| *counts.entry(*ssp).or_default() += 1);
        let Some((&largest, &count)) = counts.iter().max_by_key(|(_, count)| **count) else { return };
        let own = self.held.iter().filter(|((ssp, _), _)| *ssp == largest);
        // The whole SSP, its media and devices have the most notices, so they stay.
        let mut own: Vec<(u64, SspSpot)> = own.map(|(at, held)| (held.cell.samples(), *at)).collect();
        own.sort_unstable();
        let over = (self.held.len() - MAX_CELLS).min(count.div_ceil(2));
        for (_, at) in own.into_iter().take(over) {
            self.held.remove(&at);
        }
    }

    /// Appends the line `curves SALT BASE64` of all curves: see [`key`] and [`row`]. Nothing without curves.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any bits of the time are a salt")]
    pub fn write_curves(&self, now_ms: i64, out: &mut String) {
        let salt = now_ms as u32;
        let mut rows: Vec<(u32, Curve)> =
            self.held.iter().filter_map(|((ssp, spot), held)| Some((key(*ssp, *spot, salt), held.curve?))).collect();
        if rows.is_empty() {
            return;
        }
        rows.sort_unstable_by_key(|(key, _)| *key);
        let bytes: Vec<u8> =
            rows.into_iter().flat_map(|(key, curve)| key.to_be_bytes().into_iter().chain(curve.encode())).collect();
        let _ = writeln!(out, "curves {salt:08x} {}", Base64Unpadded::encode_string(&bytes));
    }

    /// Forgets everything that was learned.
    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// The spots with the most notices, at most this many.
    #[must_use]
    pub fn busiest(&self, most: usize) -> Vec<Known> {
        let known = |(&(ssp, spot), held): (&SspSpot, &Held)| Known {
            ssp,
            spot,
            notices: held.cell.samples(),
            curve: held.curve,
        };
        let mut all: Vec<Known> = self.held.iter().map(known).collect();
        all.sort_by_key(|known| core::cmp::Reverse(known.notices));
        all.truncate(most);
        all
    }

    /// The prices that win 10, 20, … 90 of 100 auctions at a spot, in micros per mille; `None` without enough notices.
    #[must_use]
    pub fn deciles(&self, known: &Known) -> Option<[i64; 9]> {
        deciles(&self.held.get(&(known.ssp, known.spot))?.cell)
    }

    /// Appends lines for [`Cells::restore`].
    pub fn save(&self, out: &mut String) {
        if self.is_frozen {
            let _ = writeln!(out, "{FROZEN}");
        }
        let _ = writeln!(out, "{DECAYED}{}", self.decayed_ms);
        for Known { ssp, spot, .. } in self.busiest(MAX_SAVED) {
            let Some(Held { cell, curve, .. }) = self.held.get(&(ssp, spot)) else { continue };
            let cell = Base64Unpadded::encode_string(&cell.encode());
            let curve = curve.as_ref().map(|curve| Base64Unpadded::encode_string(&curve.encode())).unwrap_or_default();
            let _ = writeln!(out, "cell {ssp:016x} {spot:08x} {cell} {curve}");
        }
    }

    /// The cells of a text of [`Cells::save`]. Other lines are ignored.
    #[must_use]
    pub fn restore(text: &str) -> Cells {
        let mut cells = Cells::default();
        cells.read(text);
        cells
    }

    /// Reads a part of a text of [`Cells::save`]: whole lines.
    pub fn read(&mut self, text: &str) {
        for line in text.lines() {
            self.is_frozen |= line == FROZEN;
            if let Some(decayed_ms) = line.strip_prefix(DECAYED).and_then(|ms| ms.parse().ok()) {
                self.decayed_ms = decayed_ms;
            }
            self.held.extend(saved(line));
        }
    }
}

fn saved(line: &str) -> Option<(SspSpot, Held)> {
    let mut words = line.strip_prefix("cell ")?.split(' ');
    let ssp = u64::from_str_radix(words.next()?, 16).ok()?;
    let spot = u32::from_str_radix(words.next()?, 16).ok()?;
    let mut bytes = || Base64Unpadded::decode_vec(words.next().unwrap_or_default()).ok();
    let cell = Cell::decode(&bytes()?)?;
    let curve = bytes().and_then(|bytes| bytes.try_into().ok()).map(Curve::decode);
    Some(((ssp, spot), Held { cell, rivals: None, curve, fitted_ms: 0 }))
}

/// The key of a spot and its curve, from the bytes of [`Cells::write_curves`].
#[must_use]
pub fn row(bytes: [u8; 4 + SIZE]) -> (u32, Curve) {
    let [a, b, c, d, curve @ ..] = bytes;
    (u32::from_be_bytes([a, b, c, d]), Curve::decode(curve))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::told::{Outcome, sent, told};

    const SSP: u64 = 7;
    const START_MS: i64 = 1_790_000_000_000;

    /// Bids of 1.80 dollars that win, and some that lose against 2.00.
    fn cells(spot: u32, won: u64, lost: u64) -> Cells {
        let mut cells = Cells::default();
        cells.observe((SSP, spot, sent(1_800_000).unwrap()), won + lost);
        cells.observe((SSP, spot, told(Outcome::Won, 1_800_000, None).unwrap()), won);
        cells.observe((SSP, spot, told(Outcome::Lost, 1_800_000, Some(2_000_000)).unwrap()), lost);
        cells
    }

    fn curves(cells: &Cells) -> BTreeMap<u32, Curve> {
        let mut text = String::new();
        cells.write_curves(7, &mut text);
        let line = text.trim_end().strip_prefix("curves 00000007 ").unwrap_or_default();
        Base64Unpadded::decode_vec(line).unwrap().as_chunks().0.iter().map(|bytes| row(*bytes)).collect()
    }

    #[test]
    fn a_place_and_all_wider_ones_learn() {
        let spot = crate::spot::spot(9, 4, 1);
        let mut cells = cells(spot, 200, 60);
        assert_eq!(curves(&cells), BTreeMap::new());
        cells.tick(START_MS);
        let curves = curves(&cells);
        for spot in wider(spot) {
            let bid = curves[&key(SSP, spot, 7)].bid(1_800_000, 0);
            assert!((1_450_000..1_800_000).contains(&bid), "one step is at most a tenth of the nearest node: {bid}");
        }
    }

    #[test]
    fn deciles_are_the_prices_that_win_so_often() {
        let mut cells = Cells::default();
        for price in 1..=1_000 {
            cells.observe((SSP, 1, told(Outcome::Lost, 900_000, Some(1_000_000 + price * 1_000)).unwrap()), 1);
        }
        let all = cells.busiest(9);
        let whole = all.iter().find(|known| known.spot == 0).unwrap();
        for (tenths, price) in (1..).zip(cells.deciles(whole).unwrap()) {
            let exact = 1_000_000 + tenths * 100_000;
            assert!((price - exact).abs() < exact / 12, "{price} instead of {exact}");
        }
        assert_eq!(super::deciles(&Cell::default()), None);
    }

    #[test]
    fn a_restart_knows_the_same() {
        let mut cells = cells(crate::spot::spot(9, 4, 1), 200, 60);
        cells.tick(START_MS);
        let mut text = String::new();
        cells.save(&mut text);
        let mut again = Cells::restore(&text);
        assert_eq!(curves(&again), curves(&cells));
        again.tick(START_MS + FIT_MS);
        assert_ne!(curves(&again), curves(&cells), "it goes on learning");
    }

    #[test]
    fn a_place_with_few_notices_bids_as_the_wider_one_and_goes_on_from_there() {
        let other = crate::spot::spot(8, 4, 1);
        let mut cells = cells(crate::spot::spot(9, 4, 1), 500, 150);
        (0..30).for_each(|minute| cells.tick(START_MS + minute * FIT_MS));
        cells.observe((SSP, other, told(Outcome::Won, 1_800_000, None).unwrap()), 1);
        cells.tick(START_MS + 30 * FIT_MS);
        assert!(!curves(&cells).contains_key(&key(SSP, other, 7)));
        let wide = curves(&cells)[&key(SSP, 4 << 3 | 1, 7)].bid(1_800_000, 0);
        cells.observe((SSP, other, told(Outcome::Lost, wide, Some(2_000_000)).unwrap()), 300);
        cells.tick(START_MS + 31 * FIT_MS);
        let own = curves(&cells)[&key(SSP, other, 7)].bid(1_800_000, 0);
        // One step, and the distance of two nodes.
        assert!(own * 10 <= wide * 14, "from {wide} to {own}");
    }

    #[test]
    fn a_place_without_new_bids_bids_as_the_wider_one_at_last() {
        let (quiet, busy) = (crate::spot::spot(9, 4, 1), crate::spot::spot(8, 4, 1));
        let mut cells = cells(quiet, 200, 60);
        for hour in 0..72 {
            cells.observe((SSP, busy, sent(900_000).unwrap()), 500);
            cells.tick(START_MS + hour * 60 * FIT_MS);
            let own = curves(&cells).contains_key(&key(SSP, quiet, 7));
            // 260 bids are 50 after 2.4 half-lives of 6 hours.
            assert_eq!(own, hour < 15, "{hour}");
        }
    }

    #[test]
    fn a_place_whose_bids_never_win_learns_to_bid_more() {
        let (cheap, dear) = (crate::spot::spot(9, 4, 1), crate::spot::spot(8, 4, 1));
        let mut cells = cells(cheap, 4_000, 0);
        for minute in 0..60 {
            // Rivals bid less than 0.05 dollars in one spot, and more than ours in the other.
            cells.observe((SSP, cheap, sent(50_000).unwrap()), 2_000);
            cells.observe((SSP, cheap, told(Outcome::Won, 50_000, None).unwrap()), 2_000);
            cells.tick(START_MS + minute * FIT_MS);
        }
        let curve = |cells: &Cells, spot| curves(cells).get(&key(SSP, spot, 7)).copied();
        let bid = |cells: &Cells, spot| wider(spot).find_map(|spot| curve(cells, spot)).unwrap().bid(1_800_000, 0);
        let before = bid(&cells, 4 << 3 | 1);
        for minute in 60..90 {
            let own = bid(&cells, dear);
            cells.observe((SSP, dear, sent(own).unwrap()), 200);
            // The control group wins.
            cells.observe((SSP, dear, sent(1_800_000).unwrap()), 2);
            cells.observe((SSP, dear, told(Outcome::Won, 1_800_000, None).unwrap()), 2);
            cells.tick(START_MS + minute * FIT_MS);
        }
        assert!(bid(&cells, dear) > 3 * before, "{} {before}", bid(&cells, dear));
    }

    #[test]
    fn an_ssp_with_many_placements_costs_others_nothing() {
        let mut cells = cells(crate::spot::spot(9, 4, 1), 10, 10);
        let told = told(Outcome::Lost, 1_000_000, Some(1_500_000)).unwrap();
        (0..6_000).for_each(|spot| cells.observe((99, 1 << 20 | spot << 7 | 1, told), 50));
        cells.tick(START_MS);
        assert!(cells.held.len() <= MAX_CELLS);
        assert_eq!(cells.held.keys().filter(|(ssp, _)| *ssp == SSP).count(), 4);
        assert!(cells.held.contains_key(&(99, 0)) && cells.held.contains_key(&(99, 1)));
    }

    #[test]
    fn the_busiest_places_are_kept() {
        let mut cells = Cells::default();
        for spot in 0..6_000 {
            let told = told(Outcome::Lost, 1_000_000, Some(1_500_000)).unwrap();
            cells.observe((SSP, 1 << 20 | spot << 7 | 1, told), 1 + u64::from(spot % 7));
        }
        cells.tick(START_MS);
        assert!(cells.held.len() <= MAX_CELLS);
        assert!(cells.held.values().filter(|held| held.cell.samples() == 1).count() < 10);
    }
}
