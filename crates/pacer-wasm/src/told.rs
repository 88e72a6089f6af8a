//! Writes what is known of the budgets and what is wrong with SSPs as JSON.

use std::collections::BTreeSet;

use bidder_wasm::write;
use pacing::alarms::Alarm;
use pacing::told::Told;
use serde::Serialize;

/// One budget. Money is decimal integers of nanos in strings, because JavaScript's numbers end at 2^53.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cid: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    members: &'a [String],
    cur: &'a str,
    day: i64,
    daily: String,
    total: String,
    asap: bool,
    spent_today: String,
    spent: String,
    exposed: String,
    left: String,
    share: u32,
    requests: u64,
    forecast: String,
    why: &'a str,
}

/// A campaign, and the first local day whose bills count for a total of it.
#[derive(Serialize)]
struct Asked {
    campaign: String,
    day: i64,
}

/// One alarm. Money as in [`Row`].
#[derive(Serialize)]
struct AlarmRow<'a> {
    ssp: &'a str,
    what: &'a str,
    count: u64,
    nanos: String,
    cur: &'a str,
}

/// Appends the list.
pub(crate) fn write(output: &mut String, told: &[Told]) {
    list(output, &told.iter().map(row).collect::<Vec<_>>());
}

/// Appends the list of the campaigns that [`asked`](pacing::budget::asked) names.
pub(crate) fn write_asked(output: &mut String, asked: &BTreeSet<(u64, i64)>) {
    let row = |(campaign, day): &(u64, i64)| Asked { campaign: format!("{campaign:016x}"), day: *day };
    list(output, &asked.iter().map(row).collect::<Vec<_>>());
}

/// Appends the list of alarms.
pub(crate) fn write_alarms(output: &mut String, alarms: &[Alarm]) {
    list(output, &alarms.iter().map(alarm).collect::<Vec<_>>());
}

fn alarm(alarm: &Alarm) -> AlarmRow<'_> {
    let Alarm { ssp, what, count, nanos, cur } = alarm;
    AlarmRow { ssp, what, count: *count, nanos: nanos.to_string(), cur }
}

fn list(output: &mut String, rows: &[impl Serialize]) {
    match serde_json_wasm::to_string(rows) {
        Ok(text) => output.push_str(&text),
        Err(bad) => error(output, &bad.to_string()),
    }
}

/// Appends `{"error":…}`.
pub(crate) fn error(output: &mut String, error: &str) {
    write::error(output, error);
}

fn row(told: &Told) -> Row<'_> {
    Row {
        cid: told.members.is_empty().then_some(&told.id),
        order: (!told.members.is_empty()).then_some(&told.id),
        members: &told.members,
        cur: &told.cur,
        day: told.day,
        daily: told.daily.to_string(),
        total: told.total.to_string(),
        asap: told.is_asap,
        spent_today: told.spent_today.to_string(),
        spent: told.spent.to_string(),
        exposed: told.exposed.to_string(),
        left: told.left.to_string(),
        share: told.share,
        requests: told.requests,
        forecast: told.forecast.to_string(),
        why: told.why,
    }
}
