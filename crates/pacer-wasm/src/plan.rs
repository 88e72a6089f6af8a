//! Reads the budgets, SSPs and rates that the serving module writes.

use base::hash::hash_of;
use pacing::budget::{Budget, Flight};
use pacing::day::Zone;
use pacing::terms::{SspTerms, Terms, cur_of};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The text that the serving module writes for a catalog.
#[derive(Deserialize)]
struct List {
    budgets: Vec<Row>,
    #[serde(default)]
    ssps: Vec<SspRow>,
    /// Billionths.
    #[serde(default)]
    rates: BTreeMap<String, u64>,
}

/// One SSP.
#[derive(Deserialize)]
struct SspRow {
    /// 16 hex digits.
    key: String,
    id: String,
    /// Millionths.
    #[serde(default)]
    invoice_ratio: u32,
    #[serde(default)]
    low_prices: bool,
}

/// One budget. Absent members are 0, none or empty.
#[derive(Deserialize)]
struct Row {
    /// The campaign's id, or the order's.
    #[serde(default)]
    cid: String,
    #[serde(default)]
    order: String,
    /// 16 hex digits.
    key: String,
    /// The ids of the order's campaigns.
    #[serde(default)]
    members: Vec<String>,
    #[serde(default)]
    cur: String,
    #[serde(default)]
    daily: u64,
    #[serde(default)]
    total: u64,
    #[serde(default)]
    asap: bool,
    #[serde(default)]
    curve: Vec<u32>,
    #[serde(default)]
    flights: Vec<Span>,
    /// Times in ms and minutes ahead of UTC, in turn.
    #[serde(default)]
    changes: Vec<i64>,
    #[serde(default)]
    paused: bool,
}

/// One flight.
#[derive(Deserialize)]
struct Span {
    start: Option<i64>,
    end: Option<i64>,
    #[serde(default)]
    daily: u64,
    #[serde(default)]
    total: u64,
}

/// The budgets and terms in a text; an error for people if it has another form.
pub(crate) fn read(text: &str) -> Result<(Vec<Budget>, Terms), String> {
    let List { budgets, ssps, rates } = serde_json_wasm::from_str(text).map_err(|error| error.to_string())?;
    let terms = Terms {
        ssps: ssps.into_iter().map(ssp).collect::<Result<_, _>>()?,
        rates: rates.into_iter().map(|(cur, worth)| (cur_of(&cur), worth)).collect(),
    };
    Ok((budgets.into_iter().map(budget).collect::<Result<_, _>>()?, terms))
}

fn ssp(SspRow { key, id, invoice_ratio, low_prices }: SspRow) -> Result<(u64, SspTerms), String> {
    let key = hash(&key, &id)?;
    Ok((key, SspTerms { id, invoice_ratio, has_low_prices: low_prices }))
}

fn hash(key: &str, id: &str) -> Result<u64, String> {
    u64::from_str_radix(key, 16).map_err(|_| format!("the key of {id} is no hash: {key}"))
}

fn budget(row: Row) -> Result<Budget, String> {
    let id = if row.order.is_empty() { row.cid } else { row.order };
    let key = hash(&row.key, &id)?;
    let (changes, _) = row.changes.as_chunks();
    Ok(Budget {
        id,
        key,
        members: row.members.into_iter().map(|cid| (hash_of(&cid), cid)).collect(),
        cur: row.cur,
        daily: row.daily,
        total: row.total,
        is_asap: row.asap,
        curve: row.curve,
        flights: row.flights.iter().map(flight).collect(),
        zone: Zone(changes.iter().map(|[ms, minutes]| (*ms, *minutes)).collect()),
        is_paused: row.paused,
    })
}

fn flight(span: &Span) -> Flight {
    let (start_ms, end_ms) = (span.start.unwrap_or(i64::MIN), span.end.unwrap_or(i64::MAX));
    Flight { start_ms, end_ms, daily: span.daily, total: span.total }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read() {
        let text = r#"{"budgets":[{"cid":"shoes","key":"00000000000000ff","cur":"EUR","zone":"Europe/Berlin","daily":5000000000,
            "asap":true,"curve":[1,2],"flights":[{"start":-5,"end":7,"total":3},{"start":1790000000000}],
            "changes":[0,60,1774746000000,120],"paused":true},
            {"order":"io-1","key":"1","members":["hats","caps"]}],
            "ssps":[{"key":"0a","id":"demo","invoice_ratio":1020000,"low_prices":true}],"rates":{"EUR":1083700000}}"#;
        let (budgets, terms) = read(text).unwrap();
        let [shoes, order] = &budgets[..] else { panic!() };
        let demo = SspTerms { id: "demo".into(), invoice_ratio: 1_020_000, has_low_prices: true };
        assert_eq!(terms, Terms { ssps: [(10, demo)].into(), rates: [(*b"EUR", 1_083_700_000)].into() });
        assert_eq!((shoes.key, shoes.daily, shoes.total), (255, 5_000_000_000, 0));
        assert_eq!((shoes.is_asap, shoes.is_paused), (true, true));
        let first = Flight { start_ms: -5, end_ms: 7, daily: 0, total: 3 };
        assert_eq!(shoes.flights, [first, Flight { start_ms: 1_790_000_000_000, ..Flight::ALWAYS }]);
        assert_eq!(shoes.zone.0, [(0, 60), (1_774_746_000_000, 120)]);
        assert_eq!(shoes.curve, [1, 2]);
        let members = ["hats", "caps"].map(|cid| (hash_of(cid), cid.to_owned()));
        assert_eq!(order, &Budget { id: "io-1".into(), key: 1, members: members.into(), ..Budget::default() });
    }

    #[test]
    fn what_is_no_list_of_budgets_is_an_error() {
        for bad in ["", "{}", "[]", r#"{"budgets":[{"cid":"a"}]}"#, r#"{"budgets":[{"cid":"a","key":"shoes"}]}"#] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
