//! Writes what the pacer needs of a catalog: budgets, SSPs, rates.

use super::json::string;
use super::{Object, hex_string};
use crate::catalog::{Catalog, Parts, Spender, Ssp};
use crate::notices::hash_of;

/// Appends `{"budgets":[…],"ssps":[…],"rates":{…}}`.
///
/// An object of `ssps` has `key`, 16 hex digits; `id`; `invoice_ratio` in millionths, if it is not 1; and `low_prices`, if
/// true. `rates` has the worth of a unit of each currency in US dollars, in billionths.
///
/// An object of `budgets` has:
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
    out.push_str(r#"{"budgets":["#);
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
    out.push_str(r#"],"ssps":["#);
    for (number, one) in parts.ssps().iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        ssp(out, one);
    }
    out.push_str(r#"],"rates":"#);
    let mut rates = Object::begin(out);
    for (cur, worth) in parts.rates().iter() {
        rates.number(cur.as_str(), worth);
    }
    rates.end();
    out.push('}');
}

fn ssp(out: &mut String, ssp: Ssp<'_>) {
    let mut object = Object::begin(out);
    object.raw("key", |out| hex_string(out, hash_of(ssp.id())));
    object.string("id", ssp.id());
    if ssp.invoice_ratio() != 1_000_000 {
        object.number("invoice_ratio", ssp.invoice_ratio().into());
    }
    if ssp.low_prices() {
        object.raw("low_prices", |out| out.push_str("true"));
    }
    object.end();
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
