//! Reads the list of budgets that the serving module writes.

use pacing::budget::Budget;
use pacing::day::Zone;
use serde::Deserialize;

/// One budget. What is absent is 0, none or empty.
#[derive(Deserialize)]
struct Row {
    cid: String,
    /// 16 hex digits.
    campaign: String,
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
    start: Option<i64>,
    end: Option<i64>,
    /// Times in ms and minutes ahead of UTC, in turn.
    #[serde(default)]
    changes: Vec<i64>,
    #[serde(default)]
    paused: bool,
}

/// The budgets of a JSON list; an error for people if it is none.
pub(crate) fn read(text: &str) -> Result<Vec<Budget>, String> {
    let rows: Vec<Row> = serde_json_wasm::from_str(text).map_err(|error| error.to_string())?;
    rows.into_iter().map(budget).collect()
}

fn budget(row: Row) -> Result<Budget, String> {
    let campaign = u64::from_str_radix(&row.campaign, 16);
    let campaign = campaign.map_err(|_| format!("the campaign of {} is no hash: {}", row.cid, row.campaign))?;
    let (changes, _) = row.changes.as_chunks();
    Ok(Budget {
        cid: row.cid,
        campaign,
        cur: row.cur,
        daily: row.daily,
        total: row.total,
        is_asap: row.asap,
        curve: row.curve,
        start_ms: row.start.unwrap_or(i64::MIN),
        end_ms: row.end.unwrap_or(i64::MAX),
        zone: Zone(changes.iter().map(|[ms, minutes]| (*ms, *minutes)).collect()),
        is_paused: row.paused,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read() {
        let text = r#"[{"cid":"shoes","campaign":"00000000000000ff","cur":"EUR","zone":"Europe/Berlin","daily":5000000000,
            "asap":true,"curve":[1,2],"start":-5,"end":1790000000000,"changes":[0,60,1774746000000,120],"paused":true},
            {"cid":"hats","campaign":"1"}]"#;
        let [shoes, hats] = &read(text).unwrap()[..] else { panic!() };
        assert_eq!((shoes.campaign, shoes.daily, shoes.total), (255, 5_000_000_000, 0));
        assert_eq!((shoes.start_ms, shoes.end_ms, shoes.is_asap, shoes.is_paused), (-5, 1_790_000_000_000, true, true));
        assert_eq!(shoes.zone.0, [(0, 60), (1_774_746_000_000, 120)]);
        assert_eq!(shoes.curve, [1, 2]);
        assert_eq!(hats, &Budget { cid: "hats".into(), campaign: 1, ..Budget::default() });
    }

    #[test]
    fn what_is_no_list_of_budgets_is_an_error() {
        for bad in ["", "{}", r#"[{"cid":"a"}]"#, r#"[{"cid":"a","campaign":"shoes"}]"#] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
