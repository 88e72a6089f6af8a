//! Points in time as authors write them: with a zone, so that no reader has to guess one.

const MS_PER_SECOND: i64 = 1000;
const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// The milliseconds since the epoch of an ISO 8601 text such as `2026-12-01T00:00:00.000+01:00`. Seconds and
/// milliseconds may be left out; the zone may be `Z`.
pub fn read(text: &str) -> Option<i64> {
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

/// The milliseconds since the epoch of the beginning of a day such as `2026-12-01`, in UTC.
pub fn day(text: &str) -> Option<i64> {
    read(&format!("{text}T00:00Z"))
}

/// An instant as [`read`] reads it, to the minute, on clocks that are `minutes` ahead of UTC.
pub fn write(ms: i64, minutes: i64) -> String {
    let at = ms.div_euclid(60 * MS_PER_SECOND).saturating_add(minutes);
    let (days, minute) = (at.div_euclid(24 * 60), at.rem_euclid(24 * 60));
    let (year, month, day) = date(days);
    let sign = if minutes < 0 { '-' } else { '+' };
    let zone = if minutes == 0 {
        "Z".to_owned()
    } else {
        format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
    };
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}{zone}", minute / 60, minute % 60)
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

/// Year, month and day of a day since 1970-01-01. Years begin in March here, as in `days_before`.
pub fn date(days: i64) -> (i64, i64, i64) {
    const DAYS_OF_400_YEARS: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(DAYS_OF_400_YEARS), days.rem_euclid(DAYS_OF_400_YEARS));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
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
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "2026-11-18",
            "2026-11-18T12:00",
            "2026-11-18 12:00Z",
            "2026-11-18T12:00:00.0Z",
            "2026-11-18T12:00+0100",
            "2026-11-18T12:00+15:00",
            "2026-11-18T12:00+01:60",
            "2026-11-18T12:00Z ",
            "2026-11-18T24:00Z",
            "2026-11-31T12:00Z",
            "2026-02-29T12:00Z",
            "1900-02-29T12:00Z",
            "2026-00-01T12:00Z",
            "2026-13-01T12:00Z",
            "2026-11-00T12:00Z",
            "2026-11-18T12:60Z",
            "2026-11-18t12:00z",
            "+026-11-18T12:00Z",
            "2026-11-18T12:00Europe/Berlin",
            "20é6-11-18T12:00Z",
        ] {
            assert_eq!(read(text), None, "{text}");
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
            prop_assert_eq!(read(&text), Some(days * SECONDS_PER_DAY * MS_PER_SECOND), "{}", text);
        }

        #[test]
        fn a_written_instant_is_read_back(minute in 0..90_000_000_i64, minutes in -840..840_i64) {
            prop_assert_eq!(read(&write(minute * 60_000, minutes)), Some(minute * 60_000));
        }

        #[test]
        fn any_text_is_read_or_refused(text in prop_oneof![any::<String>(), "[0-9TZ:+. -]{0,32}"]) {
            let _ = read(&text);
        }
    }
}
