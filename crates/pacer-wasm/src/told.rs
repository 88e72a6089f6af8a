//! Writes what is known of the budgets and what is wrong with SSPs as JSON.
//!
//! Money is decimal integers of nanos in strings, because JavaScript's numbers end at 2^53.

use std::collections::BTreeSet;

use bidder_wasm::write::{self, Object};
use pacing::alarms::Alarm;
use pacing::told::Told;

pub(crate) fn write(output: &mut String, told: &[Told]) {
    write::objects(output, told, |object, told| {
        let money = |object: &mut Object<'_>, name, nanos: u64| object.string(name, &nanos.to_string());
        object.string(if told.members.is_empty() { "cid" } else { "order" }, &told.id);
        object.texts("members", &told.members);
        object.string("cur", &told.cur);
        object.number("day", told.day);
        money(object, "daily", told.daily);
        money(object, "total", told.total);
        object.truth("asap", told.is_asap);
        money(object, "spent_today", told.spent_today);
        money(object, "spent", told.spent);
        money(object, "exposed", told.exposed);
        money(object, "left", told.left);
        object.number("share", told.share.into());
        object.number("requests", count(told.requests));
        money(object, "forecast", told.forecast);
        object.string("why", told.why);
    });
}

/// Each campaign, and the first local day whose bills count for a total of it.
pub(crate) fn write_asked(output: &mut String, asked: &BTreeSet<(u64, i64)>) {
    write::objects(output, asked, |object, (campaign, day)| {
        object.raw("campaign", |out| write::hex_string(out, *campaign));
        object.number("day", *day);
    });
}

pub(crate) fn write_alarms(output: &mut String, alarms: &[Alarm]) {
    write::objects(output, alarms, |object, alarm| {
        object.string("ssp", &alarm.ssp);
        object.string("what", alarm.what);
        object.number("count", count(alarm.count));
        object.string("nanos", &alarm.nanos.to_string());
        object.string("cur", &alarm.cur);
    });
}

pub(crate) fn error(output: &mut String, error: &str) {
    write::error(output, error);
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
