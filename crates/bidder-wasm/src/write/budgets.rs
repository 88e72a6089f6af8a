//! Writes the budgets of a catalog, for the pacer.

use super::{Object, hex_string};
use crate::catalog::Catalog;

/// Appends a list with an object for each campaign with a budget:
///
/// - `cid`, and `campaign`: its hash, 16 hex digits,
/// - `cur`, and `zone`: the IANA name,
/// - `daily`, `total`: in nanos of `cur`,
/// - `asap`: whether it is spent as soon as possible,
/// - `curve`: the weights of the 24 hours of a day,
/// - `start`, `end`: when the campaign bids, in milliseconds since the epoch,
/// - `changes`: the offsets of the zone: instant in milliseconds since the epoch, minutes ahead of UTC, and so on,
/// - `paused`.
///
/// A member that is 0, false or empty is left out.
pub fn budgets(out: &mut String, catalog: &Catalog<'_>) {
    let parts = catalog.parts();
    out.push('[');
    for (number, budget) in parts.budgets().iter().enumerate() {
        let Some(campaign) = parts.campaigns().get(budget.position() as usize) else { continue };
        if number > 0 {
            out.push(',');
        }
        let mut object = Object::begin(out);
        object.string("cid", campaign.cid());
        object.raw("campaign", |out| hex_string(out, budget.campaign()));
        object.string("cur", campaign.cur().as_str());
        object.text("zone", campaign.zone());
        let bounds = campaign.bounds().get(0);
        let (start, end) = bounds.and_then(|bounds| bounds.flights().get(0)).unwrap_or((i64::MIN, i64::MAX));
        for (key, value, none) in [
            ("daily", i64::try_from(budget.daily()).unwrap_or(i64::MAX), 0),
            ("total", i64::try_from(budget.total()).unwrap_or(i64::MAX), 0),
            ("start", start, i64::MIN),
            ("end", end, i64::MAX),
        ] {
            if value != none {
                object.number(key, value);
            }
        }
        let curve: Vec<i64> = budget.curve().iter().map(i64::from).collect();
        let changes: Vec<i64> = budget.changes().iter().flat_map(|(from, minutes)| [from, minutes]).collect();
        for (key, numbers) in [("curve", curve), ("changes", changes)] {
            if !numbers.is_empty() {
                object.numbers(key, &numbers);
            }
        }
        for (key, is_so) in [("asap", budget.is_asap()), ("paused", bounds.is_some_and(|bounds| bounds.paused()))] {
            if is_so {
                object.raw(key, |out| out.push_str("true"));
            }
        }
        object.end();
    }
    out.push(']');
}
