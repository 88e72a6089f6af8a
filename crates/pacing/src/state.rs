//! The state as text: what a restart needs besides the ledger and the catalog.
//!
//! Lines of words, each line beginning with its kind. Unknown kinds and broken lines are ignored, so a newer pacer reads
//! an older text; what is missing is learned again.

use std::fmt::{Display, Write};
use std::str::FromStr;

use crate::curve::Curve;
use crate::delay::RANGES;
use crate::exposure::{Row, Ssp};
use crate::pacer::Pacer;
use crate::rates::Rates;
use crate::slots::{Slot, Slots};

impl Pacer {
    /// Appends the state.
    pub fn save(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "pacer {} {} {} {} {}",
            self.last_ms, self.counted_ms, self.loop_ms, self.lag_ms, self.matched
        );
        for Slot { from_ms, to_ms, bid_ms } in &self.slots.0 {
            let _ = writeln!(out, "slot {from_ms} {to_ms} {bid_ms}");
        }
        for (name, ssp) in &self.ssps {
            line(out, &format!("bids {name:016x}"), &ssp.bids);
            line(out, &format!("billed {name:016x}"), &ssp.delays.billed);
            line(out, &format!("passed {name:016x}"), &ssp.delays.passed);
        }
        for (campaign, held) in &self.held {
            let (rates, curve) = (&held.rates, &held.curve);
            if rates.known_s > 0.0 {
                let Rates { slow, fast, highest, known_s, passed, bids, priced, nanos, bidding, shares } = rates;
                let _ = writeln!(
                    out,
                    "rates {campaign:016x} {slow} {fast} {highest} {known_s} {passed} {bids} {priced} {nanos} {bidding}"
                );
                for (made_ms, share) in shares {
                    let _ = writeln!(out, "share {campaign:016x} {made_ms} {share}");
                }
                line(out, &format!("today {campaign:016x} {} {}", curve.day, u8::from(curve.is_whole)), &curve.today);
                line(out, &format!("yesterday {campaign:016x}"), &curve.yesterday);
            }
            for (ssp, row) in &held.rows {
                line(out, &format!("row {campaign:016x} {ssp:016x} {} {}", row.billed, row.expected), &row.nanos);
            }
        }
    }

    /// Reads a state. Call [`Pacer::plan`] after it, and book all places as a whole.
    #[must_use]
    pub fn restore(text: &str) -> Pacer {
        let mut pacer = Pacer::default();
        for text in text.lines() {
            let _ = pacer.read(text);
        }
        pacer
    }

    fn read(&mut self, text: &str) -> Option<()> {
        let mut words = text.split(' ');
        let kind = words.next()?;
        match kind {
            "pacer" => {
                (self.last_ms, self.counted_ms) = (next(&mut words)?, next(&mut words)?);
                (self.loop_ms, self.lag_ms, self.matched) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                return Some(());
            }
            "slot" => {
                let slot = Slot { from_ms: next(&mut words)?, to_ms: next(&mut words)?, bid_ms: next(&mut words)? };
                let Slots(slots) = &mut self.slots;
                slots.push(slot);
                return Some(());
            }
            _ => {}
        }
        let name = u64::from_str_radix(words.next()?, 16).ok()?;
        match kind {
            "bids" => self.ssps.entry(name).or_default().bids = rest(&mut words),
            "billed" => settle(self.ssps.entry(name).or_default(), |ssp| &mut ssp.delays.billed, &rest(&mut words)),
            "passed" => settle(self.ssps.entry(name).or_default(), |ssp| &mut ssp.delays.passed, &rest(&mut words)),
            "rates" => {
                let held = &mut self.hold(name).rates;
                (held.slow, held.fast, held.highest) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                (held.known_s, held.passed, held.bids) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                (held.priced, held.nanos, held.bidding) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
            }
            "share" => {
                let (made_ms, share) = (next(&mut words)?, next(&mut words)?);
                self.hold(name).rates.share(made_ms, share);
            }
            "today" => {
                let (day, is_whole) = (next(&mut words)?, next::<u8>(&mut words)? == 1);
                let curve = &mut self.hold(name).curve;
                *curve = Curve { day, is_whole, today: rest(&mut words), yesterday: Vec::new() };
            }
            "yesterday" => self.hold(name).curve.yesterday = rest(&mut words),
            "row" => {
                let ssp = u64::from_str_radix(words.next()?, 16).ok()?;
                let (billed, expected) = (next(&mut words)?, next(&mut words)?);
                self.hold(name).rows.insert(ssp, Row { nanos: rest(&mut words), billed, expected, ..Row::default() });
            }
            _ => {}
        }
        Some(())
    }
}

fn settle(ssp: &mut Ssp, list: impl Fn(&mut Ssp) -> &mut [f64; RANGES], values: &[f64]) {
    for (held, value) in list(ssp).iter_mut().zip(values) {
        *held = *value;
    }
    ssp.delays.settle(1.0);
}

fn line<T: Display>(out: &mut String, head: &str, values: &[T]) {
    out.push_str(head);
    for value in values {
        let _ = write!(out, " {value}");
    }
    out.push('\n');
}

fn next<T: FromStr>(words: &mut std::str::Split<'_, char>) -> Option<T> {
    words.next()?.parse().ok()
}

fn rest<T: FromStr>(words: &mut std::str::Split<'_, char>) -> Vec<T> {
    words.filter_map(|word| word.parse().ok()).collect()
}
