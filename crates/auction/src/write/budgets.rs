//! Writes the data of a catalog for the pacer: budgets, SSPs, rates.

use base::hash::hash_of;
use base::json::{Object, hex_string, objects, string};
use catalog::{Catalog, Parts, Spender};
use pacing::part::Part;

/// Appends `{"budgets":[…],"ssps":[…],"rates":{…}}`.
///
/// An object of `ssps` has `key`, 16 hex digits; `id`; `invoice_ratio` in millionths, if it is not 1; and `low_prices`,
/// if true. `rates` has the worth of a unit of each currency in US dollars, in billionths.
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
/// A member that is 0, false or empty is left out, and so is a missing end of a flight. Of the budgets of other pacers, there
/// are only `key` and `members`.
pub fn budgets(out: &mut String, catalog: &Catalog<'_>, part: Part) {
    let parts = catalog.parts();
    let mut whole = Object::begin(out);
    let all = parts.budgets();
    let known = all.iter().filter_map(|budget| Some((budget, parts.spender(&budget)?)));
    whole.raw("budgets", |out| {
        objects(out, known, |object, (budget, spender)| {
            let key = |out: &mut String| hex_string(out, budget.key());
            if !part.has(budget.key()) {
                object.raw("key", key);
                members(object, &parts, spender);
                return;
            }
            let (flights, is_paused) = name(object, &parts, spender);
            object.raw("key", key);
            limits(object, budget.daily(), budget.total());
            object.objects("flights", &flights, flight);
            object.numbers("curve", &budget.curve().iter().map(i64::from).collect::<Vec<_>>());
            let changes = budget.changes().iter().flat_map(|(from, minutes)| [from, minutes]);
            object.numbers("changes", &changes.collect::<Vec<_>>());
            object.flag("asap", budget.is_asap());
            object.flag("paused", is_paused);
        });
    });
    whole.raw("ssps", |out| {
        objects(out, parts.ssps().iter(), |object, ssp| {
            object.raw("key", |out| hex_string(out, hash_of(ssp.id())));
            object.string("id", ssp.id());
            object.maybe("invoice_ratio", Some(ssp.invoice_ratio().into()).filter(|ratio| *ratio != 1_000_000));
            object.flag("low_prices", ssp.low_prices());
        });
    });
    whole.object("rates", |rates| parts.rates().iter().for_each(|(cur, worth)| rates.number(cur.as_str(), worth)));
    whole.end();
}

/// Start, end, and the budgets for a day and in all.
type Flight = (i64, i64, u64, u64);

/// Writes the owner of the budget. Returns when it may be spent, and whether it is paused.
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
            members(object, parts, spender);
            object.string("cur", order.cur().as_str());
            object.text("zone", order.zone());
            (order.flights().iter().map(|(start, end)| (start, end, 0, 0)).collect(), order.is_paused())
        }
    }
}

/// Writes the campaigns of an order.
fn members(object: &mut Object<'_>, parts: &Parts<'_>, spender: Spender<'_>) {
    if let Spender::Order(order) = spender {
        let members: Vec<u32> = order.campaigns().iter().collect();
        let campaigns = parts.campaigns();
        let cid = |position: u32| campaigns.get(position as usize).map_or("", |campaign| campaign.cid());
        object.list("members", &members, |out, position| string(out, cid(*position)));
    }
}

fn flight(object: &mut Object<'_>, (start, end, daily, total): &Flight) {
    object.maybe("start", Some(*start).filter(|start| *start != i64::MIN));
    object.maybe("end", Some(*end).filter(|end| *end != i64::MAX));
    limits(object, *daily, *total);
}

fn limits(object: &mut Object<'_>, daily: u64, total: u64) {
    for (key, limit) in [("daily", daily), ("total", total)] {
        object.maybe(key, (limit != 0).then(|| i64::try_from(limit).unwrap_or(i64::MAX)));
    }
}
