//! Writes the states of budgets and the alarms about SSPs as JSON.
//!
//! Money is decimal integers of nanos in strings, because JavaScript's numbers end at 2^53.

use base::json;
use std::collections::BTreeSet;

use base::json::Object;
use pacing::alarms::Alarm;
use pacing::pacer::{Pacer, Status};
use shading::{Cells, Curve};

pub(crate) fn write<'p>(output: &mut String, statuses: impl Iterator<Item = Status<'p>>) {
    json::objects(output, statuses, |object, status| {
        let Status { budget, allocation, day, daily, total, planned, requests, forecast } = status;
        let money = |object: &mut Object<'_>, name, nanos: u64| object.string(name, &nanos.to_string());
        object.string(if budget.members.is_empty() { "cid" } else { "order" }, &budget.id);
        object.texts("members", &budget.members.iter().map(|(_, cid)| cid.as_str()).collect::<Vec<_>>());
        object.string("cur", &budget.cur);
        object.number("day", day);
        money(object, "daily", daily);
        money(object, "total", total);
        money(object, "planned", planned);
        object.truth("asap", budget.is_asap);
        money(object, "spent_today", allocation.spent_today);
        money(object, "spent", allocation.spent);
        money(object, "exposed", allocation.exposed);
        money(object, "left", allocation.left);
        object.number("share", allocation.share.into());
        object.number("requests", count(requests));
        money(object, "forecast", forecast);
        object.string("why", allocation.why.as_str());
    });
}

/// Writes each campaign, and the first local day whose bills count for its total.
pub(crate) fn write_asked(output: &mut String, asked: &BTreeSet<(u64, i64)>) {
    json::objects(output, asked, |object, (campaign, day)| {
        object.raw("campaign", |out| json::hex_string(out, *campaign));
        object.number("day", *day);
    });
}

pub(crate) fn write_alarms(output: &mut String, alarms: &[Alarm]) {
    json::objects(output, alarms, |object, alarm| {
        object.string("ssp", &alarm.ssp);
        object.string("what", alarm.what);
        object.number("count", count(alarm.count));
        object.string("nanos", &alarm.nanos.to_string());
        object.string("cur", &alarm.cur);
    });
}

/// The highest spot that is a whole SSP, or a media type there.
const KINDS: u32 = 7;
/// The most spots that the operator gets.
const MAX_SPOTS: usize = 500;

pub(crate) fn write_learned(output: &mut String, cells: &Cells, pacer: &Pacer) {
    let mut all = Object::begin(output);
    all.truth("frozen", cells.is_frozen);
    all.objects("places", &cells.busiest(MAX_SPOTS), |object, known| {
        match pacer.ssp(known.ssp) {
            Some(id) => object.string("ssp", id),
            None => object.raw("ssp", |out| json::hex_string(out, known.ssp)),
        }
        object.string("place", &format!("{:08x}", known.spot));
        object.number("notices", count(known.notices));
        let points: Vec<(i64, i64)> = known.curve.into_iter().flat_map(Curve::points).collect();
        object.objects("bids", &points, |object, (value, bid)| {
            object.number("value", *value);
            object.number("bid", *bid);
        });
        // Each takes up to two milliseconds, so only whole SSPs and their media have it.
        let wins = (known.spot <= KINDS).then(|| cells.deciles(known)).flatten();
        object.numbers("wins", wins.as_ref().map_or(&[], |prices| prices));
    });
    all.end();
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
