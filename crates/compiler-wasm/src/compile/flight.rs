//! Reads `start` and `end` of a campaign: instants with a zone, so that no reader has to guess one.

use super::check::out_of_range;
use super::document::CampaignEntry;
use crate::decode::Finding;

const MS_PER_SECOND: i64 = 1000;
const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// The milliseconds since the epoch at which the campaign starts and ends. `None` if it always runs.
pub(super) fn compile(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Option<(i64, i64)> {
    let mut read = |name: &str, text: &Option<String>| {
        let text = text.as_deref()?;
        let instant = instant(text);
        if instant.is_none() {
            let expected = "expected a time with its zone, such as \"2026-12-01T00:00+01:00\" or \"2026-11-30T23:00Z\"";
            out_of_range(&format!("{path}.{name}"), format!("{text:?}; {expected}"), findings);
        }
        instant
    };
    let (start, end) = (read("start", &entry.start), read("end", &entry.end));
    if let (Some(start), Some(end)) = (start, end)
        && end <= start
    {
        let message = "not after start, so the campaign never bids; expected a later time".to_owned();
        out_of_range(&format!("{path}.end"), message, findings);
    }
    (start.is_some() || end.is_some()).then(|| (start.unwrap_or(i64::MIN), end.unwrap_or(i64::MAX)))
}

/// The milliseconds since the epoch of an ISO 8601 text such as `2026-12-01T00:00:00.000+01:00`. Seconds and
/// milliseconds may be left out; the zone may be `Z`.
fn instant(text: &str) -> Option<i64> {
    let mut rest = text;
    let mut take = |mark: &str, digits: usize| {
        let (number, after) = rest.strip_prefix(mark)?.split_at_checked(digits)?;
        let number = number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse::<i64>().ok())?;
        rest = after;
        number
    };
    let (year, month, day) = (take("", 4)?, take("-", 2)?, take("-", 2)?);
    let (hour, minute) = (take("T", 2)?, take(":", 2)?);
    let second = take(":", 2);
    let ms = second.and_then(|_| take(".", 3)).unwrap_or_default();
    let second = second.unwrap_or_default();
    let (east, west) = (take("+", 2), take("-", 2));
    let (sign, hours) = (if west.is_some() { -1 } else { 1 }, east.or(west));
    let zone_minutes = if hours.is_some() { take(":", 2)? } else { 0 };
    let rest = if hours.is_some() { rest } else { rest.strip_prefix('Z')? };
    let offset = hours.unwrap_or_default() * 60 + zone_minutes;
    let is_real = (1..=12).contains(&month)
        && (1..=days_of(year, month)).contains(&day)
        && (0..24).contains(&hour)
        && [minute, second, zone_minutes].iter().all(|part| (0..60).contains(part))
        && offset <= 14 * 60;
    let seconds =
        days_before(year, month, day) * SECONDS_PER_DAY + hour * 3600 + (minute - sign * offset) * 60 + second;
    (rest.is_empty() && is_real).then_some(seconds * MS_PER_SECOND + ms)
}

fn days_of(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from 1970-01-01 to a date. Years begin in March here, so a leap day is the last day of its year.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    const DAYS_TO_EPOCH: i64 = 719_468;
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - DAYS_TO_EPOCH
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn instants_need_a_zone() {
        const NOON: i64 = 1_795_003_200_000; // 2026-11-18T12:00:00Z
        for (text, expected) in [
            ("2026-11-18T12:00Z", NOON),
            ("2026-11-18T12:00:00Z", NOON),
            ("2026-11-18T12:00:01.250Z", NOON + 1250),
            ("2026-11-18T13:00+01:00", NOON),
            ("2026-11-18T17:30+05:30", NOON),
            ("2026-11-18T04:00:00-08:00", NOON),
            ("2026-11-19T01:00+13:00", NOON),
            ("1970-01-01T00:00+00:00", 0),
            ("2000-02-29T00:00Z", 951_782_400_000),
        ] {
            assert_eq!(instant(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "2026-11-18",
            "2026-11-18T12:00",
            "2026-11-18T12Z",
            "2026-11-18 12:00Z",
            "2026-11-18t12:00z",
            "2026-11-18T12:00:00",
            "2026-11-18T12:00.000Z",
            "2026-11-18T12:00:00.0Z",
            "2026-11-18T12:00+0100",
            "2026-11-18T12:00+01",
            "2026-11-18T12:00+15:00",
            "2026-11-18T12:00+01:60",
            "2026-11-18T12:00Z ",
            "2026-11-18T12:00ZZ",
            "2026-11-18T24:00Z",
            "2026-11-18T12:60Z",
            "2026-11-31T12:00Z",
            "2026-02-29T12:00Z",
            "1900-02-29T12:00Z",
            "2026-00-01T12:00Z",
            "2026-13-01T12:00Z",
            "2026-11-00T12:00Z",
            "+026-11-18T12:00Z",
            "2026-11-18T12:00Europe/Berlin",
            "20é6-11-18T12:00Z",
            "1795003200000",
        ] {
            assert_eq!(instant(text), None, "{text}");
        }
    }

    #[test]
    fn an_end_that_is_not_after_the_start_is_refused() {
        for (start, end, expected, wrong) in [
            (None, None, None, ""),
            (Some("1970-01-01T00:00:01Z"), None, Some((1000, i64::MAX)), ""),
            (None, Some("1970-01-01T00:00:01Z"), Some((i64::MIN, 1000)), ""),
            (Some("1970-01-01T00:00Z"), Some("1970-01-01T00:00:00.001Z"), Some((0, 1)), ""),
            (Some("1970-01-01T00:00Z"), Some("1970-01-01T00:00Z"), Some((0, 0)), "c.end"),
            (Some("1970-01-01T00:00Z"), Some("1970-01-01T00:30+01:00"), Some((0, -1_800_000)), "c.end"),
            (Some("1970-01-01"), Some("1970-01-01T00:00Z"), Some((i64::MIN, 0)), "c.start"),
            (None, Some("soon"), None, "c.end"),
        ] {
            let [start, end] = [start, end].map(|text| text.map(str::to_owned));
            let (entry, mut findings) = (CampaignEntry { start, end, ..CampaignEntry::default() }, Vec::new());
            assert_eq!(compile(&entry, "c", &mut findings), expected, "{entry:?}");
            let paths: Vec<&str> = findings.iter().map(|finding| finding.path.as_str()).collect();
            assert_eq!(paths.concat(), wrong, "{findings:?}");
        }
    }

    proptest! {
        #[test]
        fn dates_equal_a_count_of_days(days in 0..60_000_i64) {
            let (mut year, mut month, mut rest) = (1970, 1, days);
            while rest >= days_of(year, month) {
                rest -= days_of(year, month);
                (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            }
            let text = format!("{year:04}-{month:02}-{:02}T00:00Z", rest + 1);
            prop_assert_eq!(instant(&text), Some(days * SECONDS_PER_DAY * MS_PER_SECOND), "{}", text);
        }

        #[test]
        fn any_text_is_read_or_refused(text in prop_oneof![any::<String>(), "[0-9TZ:+. -]{0,32}"]) {
            let _ = instant(&text);
        }
    }
}
