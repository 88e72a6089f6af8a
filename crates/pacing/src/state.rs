//! The state as text, for a restart, which also needs the ledger and the catalog.
//!
//! Lines of words, each line beginning with its kind. Unknown kinds and broken lines are ignored, so a newer pacer
//! reads an older text; missing values are learned again.

use std::fmt::{Display, Write};
use std::str::FromStr;

use crate::curve::Curve;
use crate::delay::RANGES;
use crate::exposure::{Row, Ssp};
use crate::orders::Orders;
use crate::pacer::Pacer;
use crate::rates::Rates;
use crate::slots::add_at;
use crate::slots::{Slot, Slots};
use crate::terms::{Cur, cur_of};

impl Pacer {
    /// Appends the state.
    pub fn save(&self, out: &mut String) {
        self.save_time(out);
        self.save_budgets(0, usize::MAX, out);
    }

    /// Appends the orders of all pacers: their campaigns of all times, and when the catalog last had each.
    pub fn save_orders(&self, out: &mut String) {
        for (campaign, spans) in &self.orders.spans {
            for (order, span) in spans {
                let _ = writeln!(out, "member {campaign:016x} {order:016x} {} {}", span.start, span.end);
            }
        }
        for (order, seen_ms) in &self.orders.seen {
            let _ = writeln!(out, "order {order:016x} {seen_ms}");
        }
    }

    /// Replaces what is known of orders by what another pacer has saved of them. Call it before [`Pacer::plan`].
    pub fn restore_orders(&mut self, text: &str) {
        self.orders = Orders::default();
        self.read(text);
    }

    /// Appends what is not of one budget: orders, slots of time, SSPs.
    pub fn save_time(&self, out: &mut String) {
        self.save_orders(out);
        let _ = writeln!(
            out,
            "pacer {} {} {} {} {} {}",
            self.last_ms, self.counted_ms, self.loop_ms, self.lag_ms, self.matched, self.calls
        );
        for (budget, left_ms) in self.others.iter().filter(|(_, left_ms)| **left_ms < i64::MAX) {
            let _ = writeln!(out, "other {budget:016x} {left_ms}");
        }
        let (most, day) = self.shards.most();
        let _ = writeln!(out, "shards {most} {day}");
        for Slot { from_ms, to_ms, bid_ms, is_assumed } in &self.slots.0 {
            let _ = writeln!(out, "slot {from_ms} {to_ms} {bid_ms} {}", u8::from(*is_assumed));
        }
        for (name, ssp) in &self.ssps {
            line(out, &format!("bids {name:016x}"), ssp.bids.iter().copied());
            let (news, learned) = (&ssp.news, ssp.booked.learned);
            let _ = writeln!(out, "news {name:016x} {} {} {} {learned}", news.newest_ms, news.until_ms, ssp.since_ms);
            line(out, &format!("heard {name:016x}"), ssp.news.heard.iter().flat_map(|(at, newest)| [*at, *newest]));
            line(out, &format!("waits {name:016x}"), sparse(ssp.news.waits.iter().copied()));
            line(out, &format!("open {name:016x}"), sparse(ssp.billed.iter().copied()));
            line(out, &format!("late {name:016x}"), ssp.delays.billed.iter().copied());
            line(out, &format!("told {name:016x}"), ssp.delays.passed.iter().copied());
        }
    }

    /// Appends budgets from a key on, until the text has so many bytes. Returns the key of the next one, if any is left.
    pub fn save_budgets(&self, from: u64, bytes: usize, out: &mut String) -> Option<u64> {
        for (campaign, held) in self.held.range(from..) {
            if out.len() >= bytes {
                return Some(*campaign);
            }
            let (rates, curve) = (&held.rates, &held.curve);
            if held.cur != Cur::default() {
                let _ = writeln!(out, "cur {campaign:016x} {}", String::from_utf8_lossy(&held.cur));
            }
            if rates.known_s > 0.0 {
                let Rates {
                    slow, fast, highest, known_s, passed, bids, priced, nanos, bidding, dearest, shares, ..
                } = rates;
                let _ = writeln!(
                    out,
                    "rates {campaign:016x} {slow} {fast} {highest} {known_s} {passed} {bids} {priced} {nanos} {bidding} {dearest}"
                );
                for (made_ms, share) in shares {
                    let _ = writeln!(out, "share {campaign:016x} {made_ms} {share}");
                }
                line(
                    out,
                    &format!("today {campaign:016x} {} {}", curve.day, u8::from(curve.is_whole)),
                    curve.today.iter().copied(),
                );
                line(out, &format!("yesterday {campaign:016x}"), curve.yesterday.iter().copied());
            }
            // A row without bids from which nothing was learned says no more than none.
            for (ssp, row) in held.rows.iter().filter(|(_, row)| row.bid() > 0 || row.passed > 0) {
                line(out, &format!("bid {campaign:016x} {ssp:016x} {} {}", row.billed, row.passed), row.nanos.all());
                line(out, &format!("paid {campaign:016x} {ssp:016x}"), sparse(row.paid.all()));
            }
        }
        None
    }

    /// Reads a state. Call [`Pacer::plan`] after it, and book all shards as a whole.
    #[must_use]
    pub fn restore(text: &str) -> Pacer {
        let mut pacer = Pacer::default();
        pacer.read(text);
        pacer
    }

    /// Reads a part of a state: whole lines.
    pub fn read(&mut self, text: &str) {
        for line in text.lines() {
            let _ = self.read_line(line);
        }
    }

    fn read_line(&mut self, text: &str) -> Option<()> {
        let mut words = text.split(' ');
        let kind = words.next()?;
        match kind {
            "pacer" => {
                (self.last_ms, self.counted_ms) = (next(&mut words)?, next(&mut words)?);
                (self.loop_ms, self.lag_ms, self.matched) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                self.calls = next(&mut words)?;
                return Some(());
            }
            "shards" => {
                self.shards.most = (next(&mut words)?, next(&mut words)?);
                return Some(());
            }
            "slot" => {
                let (from_ms, to_ms, bid_ms) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                let slot = Slot { from_ms, to_ms, bid_ms, is_assumed: next::<u8>(&mut words) == Some(1) };
                let Slots(slots) = &mut self.slots;
                slots.push(slot);
                return Some(());
            }
            _ => {}
        }
        let name = u64::from_str_radix(words.next()?, 16).ok()?;
        match kind {
            "member" => {
                let order = u64::from_str_radix(words.next()?, 16).ok()?;
                self.orders.add(name, order, next(&mut words)?..next(&mut words)?);
            }
            "other" => {
                self.others.insert(name, next(&mut words)?);
            }
            "order" => {
                self.orders.seen.insert(name, next(&mut words)?);
            }
            "bids" => self.ssps.entry(name).or_default().bids = rest(&mut words),
            "news" => {
                let (newest_ms, until_ms) = (next(&mut words)?, next(&mut words)?);
                let ssp = self.ssps.entry(name).or_default();
                (ssp.news.newest_ms, ssp.news.until_ms) = (newest_ms, until_ms);
                (ssp.since_ms, ssp.booked.learned) = (next(&mut words)?, next(&mut words)?);
            }
            "heard" => {
                let times: Vec<i64> = rest(&mut words);
                let (pairs, _) = times.as_chunks();
                self.ssps.entry(name).or_default().news.heard =
                    pairs.iter().map(|[at, newest]| (*at, *newest)).collect();
            }
            "waits" => {
                let held = &mut self.ssps.entry(name).or_default().news.waits;
                held.iter_mut().zip(full(&mut words)).for_each(|(held, bills)| *held = bills);
            }
            "open" => self.ssps.entry(name).or_default().billed = full(&mut words),
            "late" => settle(self.ssps.entry(name).or_default(), |ssp| &mut ssp.delays.billed, &rest(&mut words)),
            "told" => settle(self.ssps.entry(name).or_default(), |ssp| &mut ssp.delays.passed, &rest(&mut words)),
            "rates" => {
                let held = &mut self.hold(name).rates;
                (held.slow, held.fast, held.highest) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                (held.known_s, held.passed, held.bids) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                (held.priced, held.nanos, held.bidding) = (next(&mut words)?, next(&mut words)?, next(&mut words)?);
                held.dearest = next(&mut words)?;
            }
            "cur" => self.hold(name).cur = cur_of(words.next()?),
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
            "bid" => {
                let ssp = u64::from_str_radix(words.next()?, 16).ok()?;
                let (billed, passed) = (next(&mut words)?, next(&mut words)?);
                self.hold(name).rows.insert(
                    ssp,
                    Row { nanos: rest(&mut words).into_iter().enumerate().collect(), billed, passed, ..Row::default() },
                );
            }
            "paid" => {
                let ssp = u64::from_str_radix(words.next()?, 16).ok()?;
                self.hold(name).rows.entry(ssp).or_default().paid = full(&mut words).into_iter().enumerate().collect();
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

fn line(out: &mut String, head: &str, values: impl Iterator<Item = impl Display>) {
    out.push_str(head);
    for value in values {
        let _ = write!(out, " {value}");
    }
    out.push('\n');
}

/// The values of a list that are not zero, each after its position.
fn sparse<T: Default + PartialEq + Display>(values: impl Iterator<Item = T>) -> impl Iterator<Item = String> {
    let known = values.enumerate().filter(|(_, value)| *value != T::default());
    known.map(|(at, value)| format!("{at} {value}"))
}

/// The list of [`sparse`].
fn full<T: Copy + Default + FromStr>(words: &mut std::str::Split<'_, char>) -> Vec<T> {
    let mut values = Vec::new();
    while let (Some(at), Some(value)) = (next::<usize>(words), next(words)) {
        // No list is longer; a broken text must not take all memory.
        if at < 10_000 {
            add_at(&mut values, at, value, |_, value| value);
        }
    }
    values
}

fn next<T: FromStr>(words: &mut std::str::Split<'_, char>) -> Option<T> {
    words.next()?.parse().ok()
}

fn rest<T: FromStr>(words: &mut std::str::Split<'_, char>) -> Vec<T> {
    words.filter_map(|word| word.parse().ok()).collect()
}
