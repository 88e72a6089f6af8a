//! Which campaigns spend the budget of an order, and since when. A campaign may leave its order or join another one; what
//! it has spent stays with the order that it belonged to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::budget::{Budget, FIRST_DAY};
use crate::day::Zone;
use crate::limits::{LEFT_MS, MOVE_MS, ORDER_MS, QUARTER_MS};

/// A time in ms in which a campaign spends a budget. `i64::MIN`: it did so before anything is known; `i64::MAX`: it does.
pub(crate) type Span = Range<i64>;

/// All time.
#[allow(clippy::single_range_in_vec_init, reason = "one span is meant")]
pub(crate) const ALWAYS: &[Span] = &[i64::MIN..i64::MAX];

/// The campaigns of orders, also of those that left the catalog.
#[derive(Debug, Clone, Default)]
pub(crate) struct Orders {
    /// By the hash of the campaign: the keys of its orders, and when it belonged to each, oldest first.
    pub(crate) spans: BTreeMap<u64, Vec<(u64, Span)>>,
    /// When the catalog last had an order, in ms.
    pub(crate) seen: BTreeMap<u64, i64>,
    /// By the key of the order: its campaigns of all times.
    payees: BTreeMap<u64, BTreeMap<u64, Vec<Span>>>,
}

impl Orders {
    /// Takes the orders of a new catalog. If an order is not in it, its campaigns stay until they have another budget. A
    /// campaign without a budget leaves its order [`LEFT_MS`] later.
    /// `has_own`: whether a campaign had a budget of its own lately. Then the order does not count what was spent of that.
    /// `since`: the time in ms between the last tick and now, in which they have changed.
    pub(crate) fn plan(&mut self, budgets: &[Budget], since: &Span, has_own: impl Fn(u64) -> bool) {
        let orders: BTreeSet<u64> = budgets.iter().filter(|one| !one.members.is_empty()).map(|one| one.key).collect();
        let pairs: BTreeSet<(u64, u64)> =
            budgets.iter().flat_map(|one| one.campaigns().map(|campaign| (campaign, one.key))).collect();
        for (campaign, spans) in &mut self.spans {
            let is_paid = pairs.range((*campaign, 0)..=(*campaign, u64::MAX)).next().is_some();
            let end = if is_paid { since.end } else { since.end.saturating_add(LEFT_MS) };
            for (order, span) in spans.iter_mut().filter(|(_, span)| span.end == i64::MAX) {
                if (is_paid || orders.contains(order)) && !pairs.contains(&(*campaign, *order)) {
                    span.end = end;
                }
            }
        }
        for (campaign, order) in pairs.into_iter().filter(|(_, key)| orders.contains(key)) {
            let spans = self.spans.entry(campaign).or_default();
            if !spans.iter().any(|(of, span)| *of == order && span.end == i64::MAX) {
                let is_first = spans.is_empty() && !has_own(campaign);
                spans.push((order, if is_first { i64::MIN } else { since.start }..i64::MAX));
            }
        }
        self.see(budgets, since.end);
        self.payees.clear();
        for (campaign, spans) in std::mem::take(&mut self.spans) {
            for (order, span) in spans {
                self.add(campaign, order, span);
            }
        }
    }

    /// Notes that a campaign belonged to an order.
    pub(crate) fn add(&mut self, campaign: u64, order: u64, span: Span) {
        self.payees.entry(order).or_default().entry(campaign).or_default().push(span.clone());
        self.spans.entry(campaign).or_default().push((order, span));
    }

    /// The campaigns that spend a budget or have spent it, and when.
    pub(crate) fn payees(&self, budget: &Budget) -> impl Iterator<Item = (u64, &[Span])> {
        let own = budget.members.is_empty().then_some((budget.key, ALWAYS));
        let all = self.payees.get(&budget.key).filter(|_| own.is_none()).into_iter().flatten();
        own.into_iter().chain(all.map(|(campaign, spans)| (*campaign, spans.as_slice())))
    }

    /// The order of a campaign at a time in ms. `now`: the budget that pays it at present.
    pub(crate) fn payer(&self, campaign: u64, ms: i64, now: Option<u64>) -> Option<u64> {
        let spans = self.spans.get(&campaign)?;
        let then = spans.iter().rfind(|(_, span)| span.contains(&ms));
        then.or_else(|| spans.last().filter(|_| now.is_none())).map(|(order, _)| *order)
    }

    /// The times in ms between which the orders of a campaign do not change.
    pub(crate) fn cuts(&self, campaign: u64) -> BTreeSet<i64> {
        let spans = self.spans.get(&campaign).into_iter().flatten().map(|(_, span)| counted(span));
        spans.flat_map(|span| [span.start, span.end]).filter(|ms| ![i64::MIN, i64::MAX].contains(ms)).collect()
    }

    /// Notes that the catalog has these orders.
    pub(crate) fn see(&mut self, budgets: &[Budget], now_ms: i64) {
        self.seen.extend(budgets.iter().filter(|one| !one.members.is_empty()).map(|one| (one.key, now_ms)));
    }

    /// Forgets orders that left the catalog [`ORDER_MS`] ago. `others`: budgets of other pacers that are in the catalog.
    pub(crate) fn forget(&mut self, budgets: &[Budget], others: impl Iterator<Item = u64>, now_ms: i64) {
        self.see(budgets, now_ms);
        for order in others {
            self.seen.entry(order).and_modify(|seen_ms| *seen_ms = now_ms);
        }
        self.seen.retain(|_, seen_ms| now_ms.saturating_sub(*seen_ms) <= ORDER_MS);
        self.spans.retain(|_, spans| {
            spans.retain(|(order, _)| self.seen.contains_key(order));
            !spans.is_empty()
        });
    }
}

/// The bids of these times count. Isolates get a catalog earlier or later than the pacer, and the ledger tells old bills
/// by quarters of an hour: so what is in doubt counts for both orders.
pub(crate) fn counted(span: &Span) -> Span {
    let quarter = |ms: i64| ms.div_euclid(QUARTER_MS).saturating_mul(QUARTER_MS);
    let start = if span.start == i64::MIN { i64::MIN } else { quarter(span.start - MOVE_MS) };
    let end = if span.end == i64::MAX { i64::MAX } else { quarter(span.end + MOVE_MS - 1) + QUARTER_MS };
    start..end
}

/// The local days since `since` with a part in some of the spans, as ranges that do not meet. The end is the first day
/// after a range.
pub(crate) fn days(spans: &[Span], zone: &Zone, since: i64) -> Vec<Range<i64>> {
    let mut all: Vec<Range<i64>> = Vec::new();
    for span in spans.iter().map(counted) {
        let start = if span.start == i64::MIN { FIRST_DAY } else { zone.day(span.start) }.max(since);
        let end = if span.end == i64::MAX { i64::MAX } else { zone.day(span.end - 1) + 1 };
        match all.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ if start < end => all.push(start..end),
            _ => {}
        }
    }
    all
}
