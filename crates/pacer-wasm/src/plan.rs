//! Reads the list of budgets that the serving module writes.

use bidder_wasm::notices::hash_of;
use pacing::budget::{Budget, Flight};
use pacing::day::Zone;
use serde::Deserialize;

/// One budget. What is absent is 0, none or empty.
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

/// The budgets of a JSON list; an error for people if it is none.
pub(crate) fn read(text: &str) -> Result<Vec<Budget>, String> {
    let rows: Vec<Row> = serde_json_wasm::from_str(text).map_err(|error| error.to_string())?;
    rows.into_iter().map(budget).collect()
}

fn budget(row: Row) -> Result<Budget, String> {
    let id = if row.order.is_empty() { row.cid } else { row.order };
    let key = u64::from_str_radix(&row.key, 16);
    let key = key.map_err(|_| format!("the key of {id} is no hash: {}", row.key))?;
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
        let text = r#"[{"cid":"shoes","key":"00000000000000ff","cur":"EUR","zone":"Europe/Berlin","daily":5000000000,
            "asap":true,"curve":[1,2],"flights":[{"start":-5,"end":7,"total":3},{"start":1790000000000}],
            "changes":[0,60,1774746000000,120],"paused":true},
            {"order":"io-1","key":"1","members":["hats","caps"]}]"#;
        let [shoes, order] = &read(text).unwrap()[..] else { panic!() };
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
        for bad in ["", "{}", r#"[{"cid":"a"}]"#, r#"[{"cid":"a","key":"shoes"}]"#] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
