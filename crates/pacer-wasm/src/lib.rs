//! The module of pacer and relays. An instance is used as one or the other.
//!
//! The host writes bytes into [`reserve`](base::buffers::reserve), calls a function with their number, and reads
//! the output. Inputs are UTF-8; other inputs count as empty.

mod plan;
mod status;

use std::cell::{Cell, RefCell};
use std::fmt::Write;

use base::buffers::{self, Buffers};
use base::json;
use pacing::counts::Counts;
use pacing::day::utc_day;
use pacing::pacer::{Booked, Pacer};
use pacing::part::Part;
use pacing::shares::Shares;
use pacing::terms::cur_of;
use shading::Cells;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// The relay's counts for each pacer since the last [`take`].
    static COUNTS: RefCell<Vec<Counts>> = RefCell::default();
    static PACER: RefCell<Pacer> = RefCell::default();
    static CELLS: RefCell<Cells> = RefCell::default();
    /// The key of the first budget of the next part of [`save`].
    static SAVED: Cell<Option<u64>> = Cell::default();
}

/// The bytes of a part of [`save`], which is seldom over `SAVED_ROW` of `shared/limits.ts` with its last budget.
const SAVED_BYTES: usize = 950_000;

/// Relay: adds a text of counts of an isolate, the first `len` bytes of input, to those for each of `of` pacers; without
/// counts, only its call. Returns how many notices are lost since the last [`take`], because they told too many different
/// things.
#[wasm_bindgen]
#[allow(clippy::cast_precision_loss, reason = "a count for people")]
pub fn merge(len: usize, of: u32) -> f64 {
    let mut dropped = 0;
    with(len, |text, _| {
        COUNTS.with_borrow_mut(|held| {
            let mut news = vec![Counts { calls: 1, ..Counts::read(text) }];
            if held.len() != of as usize {
                news.append(held);
                held.resize_with(of as usize, Counts::default);
            }
            for (number, held) in (0..of).zip(held.iter_mut()) {
                for counts in &news {
                    held.merge(counts, Part { number, of });
                }
            }
            dropped = held.first().map_or(0, |counts| counts.dropped);
        });
    });
    dropped as f64
}

/// Relay: the output is the text of the counts for a pacer since the last call; empty if there were only calls.
#[wasm_bindgen]
pub fn take(number: usize) {
    with(0, |_, output| {
        let counts = COUNTS.with_borrow_mut(|held| held.get_mut(number).map(std::mem::take));
        if let Some(counts) = counts.filter(|counts| !counts.rows.is_empty() || !counts.told.is_empty()) {
            counts.write(output);
        }
    });
}

/// Relay: the output is the rows of the texts of several pacers, the first `len` bytes of input: see [`Shares::join`].
#[wasm_bindgen]
pub fn join(len: usize) {
    with(len, Shares::join);
}

/// Pacer: from now on, it has the budgets of one of `of` pacers. Call it before everything else.
#[wasm_bindgen]
pub fn part(number: u32, of: u32) {
    PACER.with_borrow_mut(|pacer| pacer.part = Part { number, of });
}

/// Pacer: for an input of [`plan`], the output is a JSON list of the campaigns whose bills count, as 16 hex digits: see
/// [`Pacer::campaigns`]. The pacer is not changed. If the input is not such a text, the output is `{"error"}`.
#[wasm_bindgen]
pub fn campaigns(len: usize) {
    with(len, |text, output| match plan::read(text) {
        Ok((budgets, _)) => {
            let all = PACER.with_borrow(|pacer| pacer.campaigns(&budgets));
            let names: Vec<String> = all.into_iter().map(|campaign| format!("{campaign:016x}")).collect();
            let _ = write!(output, "{names:?}");
        }
        Err(error) => json::error(output, &error),
    });
}

/// Pacer: replaces all budgets, SSPs and rates by those of the first `len` bytes of input, the JSON that the serving
/// module's `budgets` writes. Spend and learned rates are kept.
///
/// The output is `{}`, or `{"again":true}` if a campaign's days begin at other times than before: then all shards must
/// be booked as a whole again. If the input is not such a text, the output is `{"error"}`, and nothing changes.
#[wasm_bindgen]
#[allow(clippy::cast_possible_truncation, reason = "milliseconds since the epoch are far below 2^53")]
pub fn plan(len: usize, now_ms: f64) {
    with(len, |text, output| match plan::read(text) {
        Ok((budgets, terms)) => {
            let is_moved = PACER.with_borrow_mut(|pacer| pacer.plan(budgets, terms, now_ms as i64));
            output.push_str(if is_moved { r#"{"again":true}"# } else { "{}" });
        }
        Err(error) => json::error(output, &error),
    });
}

/// Pacer: the output is a JSON list of the times within a UTC day at which local days begin or orders change: see
/// [`Pacer::midnights`]. The first `len` bytes of input are the UTC day, such as `2026-11-22`. Empty if the input is no day.
#[wasm_bindgen]
pub fn midnights(len: usize) {
    with(len, |day, output| {
        let times = utc_day(day).map(|day| PACER.with_borrow(|pacer| pacer.midnights(day))).unwrap_or_default();
        let _ = write!(output, "{:?}", times.into_iter().collect::<Vec<_>>());
    });
}

/// Pacer: adds a text of counts, the first `len` bytes of input.
#[wasm_bindgen]
pub fn report(len: usize) {
    with(len, |text, _| {
        let counts = Counts::read(text);
        PACER.with_borrow_mut(|pacer| pacer.report(&counts));
        CELLS.with_borrow_mut(|cells| counts.told.iter().for_each(|(told, count)| cells.observe(*told, *count)));
    });
}

/// Pacer: books bills. The first line of the first `len` bytes of input names the shard of the ledger, such as
/// `2026-11-22/07`; then follow lines `CAMPAIGN SSP ISSUED_S COUNT NANOS BID HELD CUR`, see [`Booked`]. The last three
/// words may be missing: then the bids cost as much as the bills, in the budget's currency. `NANOS` is negative if earlier
/// bills have become cheaper. Other lines are ignored.
///
/// `is_whole`: these are all bills of the shard; otherwise those since the last call. Call it at each answer of a
/// shard, also without new bills: a shard that does not answer hides bills.
#[wasm_bindgen]
pub fn booked(len: usize, is_whole: bool) {
    with(len, |text, _| {
        let (shard, lines) = text.split_once('\n').unwrap_or((text, ""));
        PACER.with_borrow_mut(|pacer| pacer.booked(shard, is_whole, lines.lines().filter_map(bill)));
    });
}

/// Pacer: assumes the mean of the other shards of its day for a shard that does not answer; its name is the first `len`
/// bytes of input. See [`Pacer::missing`].
#[wasm_bindgen]
pub fn missing(len: usize) {
    with(len, |shard, _| PACER.with_borrow_mut(|pacer| pacer.missing(shard)));
}

/// Pacer: forgets a shard that takes no more bills; its name is the first `len` bytes of input. From now on, its bills
/// come with [`past`].
#[wasm_bindgen]
pub fn closed(len: usize) {
    with(len, |shard, _| PACER.with_borrow_mut(|pacer| pacer.closed(shard)));
}

/// Pacer: for an input of [`plan`], the output is a JSON list of `{"campaign","day"}`, the campaigns whose spend on past
/// days counts, and the first local day to tell, in days since the first of January 1970: see [`Pacer::asked`]. The
/// pacer is not changed. If the input is not such a text, the output is `{"error"}`.
#[wasm_bindgen]
#[allow(clippy::cast_possible_truncation, reason = "milliseconds since the epoch are far below 2^53")]
pub fn past_needed(len: usize, now_ms: f64) {
    with(len, |text, output| match plan::read(text) {
        Ok((budgets, _)) => {
            status::write_asked(output, &PACER.with_borrow(|pacer| pacer.asked(&budgets, now_ms as i64)));
        }
        Err(error) => json::error(output, &error),
    });
}

/// Pacer: replaces the spend of all campaigns in shards that have handed over their totals: lines `CAMPAIGN DAY SSP
/// NANOS BID HELD CUR`, the first `len` bytes of input. A line counts the days from `DAY` on, see [`past_needed`] and
/// [`Pacer::past`]. A line without bills ends after `DAY`.
#[wasm_bindgen]
pub fn past(len: usize) {
    with(len, |text, _| PACER.with_borrow_mut(|pacer| pacer.past(text.lines().filter_map(spent))));
}

fn spent(line: &str) -> Option<(i64, Booked)> {
    let mut words = line.split(' ');
    let campaign = u64::from_str_radix(words.next()?, 16).ok()?;
    let since = words.next()?.parse().ok()?;
    let none = Booked { campaign, ..Booked::default() };
    let Some(ssp) = words.next() else { return Some((since, none)) };
    let ssp = u64::from_str_radix(ssp, 16).ok()?;
    let mut number = || words.next()?.parse().ok();
    let (nanos, bid) = (number()?, number()?);
    let held = words.next()?.parse().ok()?;
    Some((since, Booked { ssp, nanos, bid, held, cur: cur_of(words.next()?), ..none }))
}

/// Pacer: learns from the counts and bills since the last call. The output is the text of the new shares, and a line
/// with the curves of learned shading, see [`Cells::write_curves`]. The time is in milliseconds since the epoch.
#[wasm_bindgen]
#[allow(clippy::cast_possible_truncation, reason = "milliseconds since the epoch are far below 2^53")]
pub fn tick(now_ms: f64) {
    with(0, |_, output| {
        PACER.with_borrow_mut(|pacer| pacer.tick(now_ms as i64).write(output));
        CELLS.with_borrow_mut(|cells| {
            cells.tick(now_ms as i64);
            cells.write_curves(now_ms as i64, output);
        });
    });
}

/// Pacer: the output is a JSON list with the state of each budget, see [`pacing::pacer::Status`]. Money is decimal
/// integers of nanos in strings.
#[wasm_bindgen]
#[allow(clippy::cast_possible_truncation, reason = "milliseconds since the epoch are far below 2^53")]
pub fn told(now_ms: f64) {
    with(0, |_, output| PACER.with_borrow(|pacer| status::write(output, pacer.statuses(now_ms as i64))));
}

/// Pacer: the output is a JSON list of alarms about the bills of SSPs, see [`pacing::alarms::Alarm`]; empty if there
/// are none.
#[wasm_bindgen]
#[allow(clippy::cast_possible_truncation, reason = "milliseconds since the epoch are far below 2^53")]
pub fn alarms(now_ms: f64) {
    with(0, |_, output| status::write_alarms(output, &PACER.with_borrow(|pacer| pacer.alarms(now_ms as i64))));
}

/// Pacer: the output is JSON about learned shading: `{"frozen","places":[{"ssp","place","notices","bids":[{"value",
/// "bid"}],"wins"}]}`, the busiest spots first. `wins`: the prices that win 10, 20, … 90 of 100 auctions, for an SSP
/// and its media types with enough notices. `ssp` is the id in the catalog, else 16 hex digits; `place` has 8 hex digits,
/// see [`shading::spot`]; money is micros of a dollar per thousand impressions.
#[wasm_bindgen]
pub fn learned() {
    with(0, |_, output| {
        CELLS.with_borrow(|cells| PACER.with_borrow(|pacer| status::write_learned(output, cells, pacer)));
    });
}

/// Pacer: the curves of learned shading stay as they are, or learn again.
#[wasm_bindgen]
pub fn freeze(is_frozen: bool) {
    CELLS.with_borrow_mut(|cells| cells.is_frozen = is_frozen);
}

/// Pacer: forgets what learned shading knows. If it is frozen, it stays so.
#[wasm_bindgen]
pub fn unlearn() {
    CELLS.with_borrow_mut(Cells::clear);
}

/// Pacer: the output is the first or the next part of a text for [`restore`]. It has neither budgets nor bills. Returns
/// whether more follows. Nothing else may be called between two parts.
#[wasm_bindgen]
pub fn save(is_first: bool) -> bool {
    let mut next = if is_first { None } else { SAVED.take() };
    with(0, |_, output| {
        PACER.with_borrow(|pacer| {
            if is_first {
                CELLS.with_borrow(|cells| cells.save(output));
                pacer.save_time(output);
            }
            next = pacer.save_budgets(next.unwrap_or_default(), SAVED_BYTES, output);
        });
    });
    SAVED.set(next);
    next.is_some()
}

/// Pacer: adds a part of a text of [`save`] to a new instance, the first `len` bytes of input: whole lines. Call
/// [`plan`] after all parts, and book all shards as a whole.
#[wasm_bindgen]
pub fn restore(len: usize) {
    with(len, |text, _| {
        PACER.with_borrow_mut(|pacer| pacer.read(text));
        CELLS.with_borrow_mut(|cells| cells.read(text));
    });
}

/// Pacer: the output is what it knows of the orders of all pacers, for [`restore_orders`] of another one.
#[wasm_bindgen]
pub fn orders() {
    with(0, |_, output| PACER.with_borrow(|pacer| pacer.save_orders(output)));
}

/// Pacer: knows of orders what the first `len` bytes of input say, and nothing else. Call it before [`plan`].
#[wasm_bindgen]
pub fn restore_orders(len: usize) {
    with(len, |text, _| PACER.with_borrow_mut(|pacer| pacer.restore_orders(text)));
}

/// Calls `run` with the first `len` bytes of input and with the output, which is empty.
fn with(len: usize, run: impl FnOnce(&str, &mut String)) {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let text = core::str::from_utf8(input.get(..len).unwrap_or_default());
        run(text.unwrap_or_default(), output);
    });
}

fn bill(line: &str) -> Option<Booked> {
    let mut words = line.split(' ');
    let mut hash = || u64::from_str_radix(words.next()?, 16).ok();
    let (campaign, ssp) = (hash()?, hash()?);
    let issued_s = words.next()?.parse().ok()?;
    let count = words.next()?.parse().ok()?;
    let change: i64 = words.next()?.parse().ok()?;
    let (nanos, fall) = (u64::try_from(change).unwrap_or_default(), change.min(0).unsigned_abs());
    let own = Booked { campaign, ssp, issued_s, count, nanos, fall, bid: nanos, ..Booked::default() };
    let Some(bid) = words.next() else { return Some(own) };
    let (bid, held) = (bid.parse().ok()?, words.next()?.parse().ok()?);
    Some(Booked { bid, held, cur: cur_of(words.next()?), ..own })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_bill() {
        let read = bill("000000000000000a 000000000000000b 1790000000 2 5000000");
        let old = Booked {
            campaign: 10,
            ssp: 11,
            issued_s: 1_790_000_000,
            count: 2,
            nanos: 5_000_000,
            bid: 5_000_000,
            ..Booked::default()
        };
        assert_eq!(read, Some(old));
        let read = bill("000000000000000a 000000000000000b 1790000000 2 5000000 6000000 -7 EUR");
        assert_eq!(read, Some(Booked { bid: 6_000_000, held: -7, cur: *b"EUR", ..old }));
        let fallen = bill("000000000000000a 000000000000000b 1790000000 0 -2000000 0 0 EUR");
        assert_eq!(fallen, Some(Booked { count: 0, nanos: 0, fall: 2_000_000, bid: 0, cur: *b"EUR", ..old }));
        for bad in ["", "a b", "a b 1 2", "x b 1 2 3", "a b 1 2 3 4", "a b 1 2 3 4 x EUR"] {
            assert_eq!(bill(bad), None, "{bad}");
        }
    }
}
