//! Writes what is known of the budgets as JSON.

use bidder_wasm::write;
use pacing::told::Told;
use serde::Serialize;

/// One budget. Money is decimal integers of nanos in strings, because JavaScript's numbers end at 2^53.
#[derive(Serialize)]
struct Row<'a> {
    cid: &'a str,
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

/// Appends the list.
pub(crate) fn write(output: &mut String, told: &[Told]) {
    let rows: Vec<Row<'_>> = told.iter().map(row).collect();
    match serde_json_wasm::to_string(&rows) {
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
        cid: &told.cid,
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
