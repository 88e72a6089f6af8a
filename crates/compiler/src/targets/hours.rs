//! Checks `hours` and `zone` of a target and makes them ready to serve.
//!
//! The host supplies the time zones as lists of changes, so no module contains a time-zone database.

use catalog::HoursDraft;

use document::HoursEntry;
use document::check::At;
use document::decode::Rule;
use document::object;

object! {
    /// A zone in the JSON of the host.
    struct ZoneEntry {
        name: Option<String> = required,
        changes: Vec<i64> = required,
    }
}

object! {
    /// The JSON of the host.
    struct ZonesEntry {
        zones: Vec<ZoneEntry>,
    }
}

/// A named time zone, for the years that the host supplied.
#[derive(Debug, Clone)]
pub struct Zone {
    /// IANA name, e.g. `Europe/Berlin`.
    pub name: String,
    /// Changes of the offset from UTC, ascending: the instant in milliseconds since the epoch, and the new offset in
    /// minutes. There is at least one change. The first offset also applies before the first instant.
    pub changes: Vec<(i64, i64)>,
}

const HOURS: u8 = 7 * 24;

impl Zone {
    /// Reads `{"zones":[{"name","changes":[ms, minutes, …]}]}`. An unreadable zone is left out; a campaign that names
    /// it is then refused.
    #[must_use]
    pub fn from_json(text: &[u8]) -> Vec<Zone> {
        let read =
            document::decode::from_json::<ZonesEntry>(text).ok().and_then(|decoded| decoded.value).unwrap_or_default();
        let zone = |entry: ZoneEntry| {
            let changes = entry.changes.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
            let changes: Vec<(i64, i64)> = changes.collect();
            Some(Zone { name: entry.name.filter(|_| !changes.is_empty())?, changes })
        };
        read.zones.into_iter().filter_map(zone).collect()
    }
}

/// Whether the hours are in the person's local time, so the request must say the offset from UTC.
pub(crate) fn are_local(hours: &HoursDraft) -> bool {
    !hours.week.is_empty() && hours.zone.is_empty()
}

/// Reports a zone that the host does not know. `at` is the place of the object with the attribute `zone`.
pub(crate) fn check_zone(zone: Option<&str>, zones: &[Zone], at: &At<'_>) {
    if let Some(name) = zone.filter(|name| !zones.iter().any(|known| known.name == *name)) {
        let message = format!("{name:?} is not a known time zone; expected an IANA name such as Europe/Berlin");
        at.attribute("zone").error(message);
    } else if let Some(name) = zone.filter(|name| is_fixed(name)) {
        let message = format!(
            "{name:?} is the same time in summer and in winter; expected a place, such as America/New_York, or \"UTC\""
        );
        at.attribute("zone").report(Rule::Ambiguous, message);
    }
}

/// Whether a zone is a plain offset from UTC, which hosts also know by names.
fn is_fixed(name: &str) -> bool {
    let offset = name.strip_prefix("Etc/").unwrap_or(name);
    let offset = offset.strip_prefix("GMT").or_else(|| offset.strip_prefix("UTC")).unwrap_or(offset);
    offset.starts_with(['+', '-']) || ["EST", "MST", "HST"].contains(&name)
}

pub(crate) fn compile(entries: &[HoursEntry], zone: Option<&str>, zones: &[Zone], at: &At<'_>) -> HoursDraft {
    let found = zone.and_then(|name| zones.iter().find(|zone| zone.name == name));
    check_zone(zone, zones, at);
    if entries.is_empty() {
        return HoursDraft::default();
    }
    let mut week = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let (from, to) = (entry.from.unwrap_or_default(), entry.to.unwrap_or_default());
        if from >= to {
            let expected = if 0 < to && to < from && from < 24 {
                format!("two entries: from {from} to 24, and from 0 to {to} on the next days")
            } else {
                "0 to 24 within one day".to_owned()
            };
            at.item("hours", i).error(format!("from {from} to {to}; expected {expected}"));
        }
        for hour in 0..HOURS {
            let listed = entry.days.is_empty() || entry.days.contains(&i64::from(hour / 24 + 1));
            if listed && (from..to).contains(&i64::from(hour % 24)) {
                week.push(hour);
            }
        }
    }
    week.sort_unstable();
    week.dedup();
    let (zone, changes) = found.map(|zone| (zone.name.clone(), zone.changes.clone())).unwrap_or_default();
    HoursDraft { week, zone, changes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flat::Laid;
    use std::cell::RefCell;

    fn hours(days: &[i64], from: i64, to: i64, zone: Option<&str>) -> Laid<HoursDraft> {
        let berlin = Zone {
            name: "Europe/Berlin".to_owned(),
            // Summer time of 2026: 29 March to 25 October, at 1:00 UTC.
            changes: vec![(1_767_222_000_000, 60), (1_774_746_000_000, 120), (1_792_890_000_000, 60)],
        };
        let entry = HoursEntry { days: days.to_vec(), from: Some(from), to: Some(to) };
        let found = RefCell::default();
        let draft = compile(&[entry], zone, &[berlin], &At::document(&found));
        assert_eq!(found.take(), []);
        Laid::out(&draft)
    }

    #[test]
    fn hours_start_and_end_on_the_minute() {
        const MS_PER_MINUTE: i64 = 60_000;
        const MONDAY_8_UTC: i64 = 1_767_600_000_000; // 2026-01-05T08:00:00Z
        let minute = MS_PER_MINUTE;
        let own = hours(&[1], 8, 10, None);
        for (at, offset, inside) in [
            (MONDAY_8_UTC, Some(0), true),
            (MONDAY_8_UTC - 1, Some(0), false),
            (MONDAY_8_UTC + 120 * minute - 1, Some(0), true),
            (MONDAY_8_UTC + 120 * minute, Some(0), false),
            (MONDAY_8_UTC + 24 * 60 * minute, Some(0), false),
            (MONDAY_8_UTC, Some(-300), false),
            (MONDAY_8_UTC + 300 * minute, Some(-300), true),
            (MONDAY_8_UTC - 330 * minute, Some(330), true),
            (MONDAY_8_UTC, None, false),
            (MONDAY_8_UTC, Some(99_999), false),
        ] {
            assert_eq!(own.view().include(at, offset), inside, "{at} {offset:?}");
        }
    }

    #[test]
    fn daylight_saving_moves_the_hours() {
        let berlin = hours(&[], 8, 9, Some("Europe/Berlin"));
        for (at, inside) in [
            (1_774_684_800_000, false), // 2026-03-28T08:00Z is 9:00 in Berlin
            (1_774_681_200_000, true),  // 2026-03-28T07:00Z is 8:00
            (1_774_764_000_000, true),  // 2026-03-29T06:00Z is 8:00, summer time
            (1_774_767_600_000, false), // 2026-03-29T07:00Z is 9:00
        ] {
            assert_eq!(berlin.view().include(at, None), inside, "{at}");
        }
    }

    #[test]
    fn without_hours_a_campaign_always_bids() {
        assert!(Laid::out(&HoursDraft::default()).view().include(0, None));
    }
}
