//! Writes the budgets of a catalog, for the pacer.

use super::json::string;
use super::{Object, hex_string};
use crate::catalog::{Catalog, Parts, Spender};

/// Appends a list with an object for each budget:
///
/// - `cid` of the campaign; or `order`, its id, and `members`, the `cid` of each of its campaigns,
/// - `key`: 16 hex digits,
/// - `cur`, and `zone`: the IANA name,
/// - `daily`, `total`: in nanos of `cur`,
/// - `asap`: whether it is spent as soon as possible,
/// - `curve`: the weights of the 24 hours of a day,
/// - `flights`: when it is spent: `start` and `end` in milliseconds since the epoch, `daily` and `total`,
/// - `changes`: the offsets of the zone: instant in milliseconds since the epoch, minutes ahead of UTC, and so on,
/// - `paused`.
///
/// A member that is 0, false or empty is left out, and so is a missing end of a flight.
pub fn budgets(out: &mut String, catalog: &Catalog<'_>) {
    let parts = catalog.parts();
    out.push('[');
    let all = parts.budgets();
    let known = all.iter().filter_map(|budget| Some((budget, parts.spender(&budget)?)));
    for (number, (budget, spender)) in known.enumerate() {
        if number > 0 {
            out.push(',');
        }
        let mut object = Object::begin(out);
        let (flights, is_paused) = name(&mut object, &parts, spender);
        object.raw("key", |out| hex_string(out, budget.key()));
        limits(&mut object, budget.daily(), budget.total());
        object.list("flights", &flights, flight);
        let curve: Vec<i64> = budget.curve().iter().map(i64::from).collect();
        let changes: Vec<i64> = budget.changes().iter().flat_map(|(from, minutes)| [from, minutes]).collect();
        for (key, numbers) in [("curve", curve), ("changes", changes)] {
            object.numbers(key, &numbers);
        }
        for (key, is_so) in [("asap", budget.is_asap()), ("paused", is_paused)] {
            if is_so {
                object.raw(key, |out| out.push_str("true"));
            }
        }
        object.end();
    }
    out.push(']');
}

/// Start, end, and what may be spent for a day and in all.
type Flight = (i64, i64, u64, u64);

/// Writes whose budget it is. Returns when it is spent, and whether it is paused.
fn name(object: &mut Object<'_>, parts: &Parts<'_>, spender: Spender<'_>) -> (Vec<Flight>, bool) {
    match spender {
        Spender::Campaign(campaign) => {
            object.string("cid", campaign.cid());
            object.string("cur", campaign.cur().as_str());
            object.text("zone", campaign.zone());
            let Some(bounds) = campaign.bounds().get(0) else { return (Vec::new(), false) };
            let limits = bounds.flight_budgets();
            let flights = bounds.flights().iter().enumerate().map(|(at, (start, end))| {
                let (daily, total) = limits.get(at).unwrap_or_default();
                (start, end, daily, total)
            });
            (flights.collect(), bounds.paused())
        }
        Spender::Order(order) => {
            object.string("order", order.id());
            let members: Vec<u32> = order.campaigns().iter().collect();
            let campaigns = parts.campaigns();
            let cid = |position: u32| campaigns.get(position as usize).map_or("", |campaign| campaign.cid());
            object.list("members", &members, |out, position| string(out, cid(*position)));
            object.string("cur", order.cur().as_str());
            object.text("zone", order.zone());
            (order.flights().iter().map(|(start, end)| (start, end, 0, 0)).collect(), order.is_paused())
        }
    }
}

fn flight(out: &mut String, (start, end, daily, total): &Flight) {
    let mut object = Object::begin(out);
    for (key, value, none) in [("start", *start, i64::MIN), ("end", *end, i64::MAX)] {
        if value != none {
            object.number(key, value);
        }
    }
    limits(&mut object, *daily, *total);
    object.end();
}

fn limits(object: &mut Object<'_>, daily: u64, total: u64) {
    for (key, limit) in [("daily", daily), ("total", total)] {
        if limit != 0 {
            object.number(key, i64::try_from(limit).unwrap_or(i64::MAX));
        }
    }
}
