//! Hours of the week and points in time, in words.

use super::words::{join, number_or_unknown};
use catalog::Hours;
use document::instant::date;
use flat::List;
use pacing::day::Zone;

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: i64 = 24 * 60;

/// The hours of a campaign, e.g. `Mon-Fri 08:00-18:00, Sat 10:00-12:00 (Europe/Berlin)`.
pub(super) fn hours(hours: &Hours<'_>) -> String {
    let week: Vec<u8> = hours.week().iter().collect();
    let mut parts: Vec<(usize, usize, String)> = Vec::new();
    for day in 0..DAYS.len() {
        let is_on_day = |hour: &u8| usize::from(*hour) / 24 == day;
        let spans = spans(week.iter().filter(|hour| is_on_day(hour)).map(|hour| hour % 24));
        match parts.last_mut().filter(|(_, last, other)| last + 1 == day && *other == spans) {
            Some((_, last, _)) => *last = day,
            None => parts.push((day, day, spans)),
        }
    }
    let name = |day: usize| DAYS.get(day).copied().unwrap_or_default();
    let days = parts.iter().filter(|(.., spans)| !spans.is_empty()).map(|(from, to, spans)| {
        if from == to { format!("{} {spans}", name(*from)) } else { format!("{}-{} {spans}", name(*from), name(*to)) }
    });
    let zone = if hours.zone().is_empty() { "the person's own time" } else { hours.zone() };
    format!("{} ({zone})", join(days, ", "))
}

/// Hours of a day as spans, e.g. `08:00-10:00 12:00-13:00`.
fn spans(hours: impl Iterator<Item = u8>) -> String {
    let mut spans: Vec<(u8, u8)> = Vec::new();
    for hour in hours {
        match spans.last_mut().filter(|(_, to)| *to == hour) {
            Some((_, to)) => *to = hour + 1,
            None => spans.push((hour, hour + 1)),
        }
    }
    join(spans.iter().map(|(from, to)| format!("{from:02}:00-{to:02}:00")), " ")
}

/// The time of the ad in the campaign's zone or the person's, e.g. `Wed 2026-11-18 13:00 (UTC+01:00)`.
pub(super) fn moment(at_ms: i64, hours: &Hours<'_>, utcoffset: Option<i64>) -> String {
    if let Some(offset) = hours.offset(at_ms, utcoffset) {
        let sign = if offset < 0 { '-' } else { '+' };
        return format!("{} (UTC{sign}{:02}:{:02})", text(at_ms, offset), offset.abs() / 60, offset.abs() % 60);
    }
    let utcoffset = number_or_unknown(utcoffset);
    format!("{} UTC, utcoffset {utcoffset}; hours with a zone do not need it", text(at_ms, 0))
}

/// When a campaign runs, e.g. `from Tue 2026-12-01 00:00:00 UTC until Thu 2026-12-24 00:00:00 UTC`. Of several flights
/// it names the one that is next, or the last one.
pub(super) fn flights(flights: List<'_, (i64, i64)>, now_ms: i64) -> String {
    let next = flights.iter().find(|(_, end)| now_ms < *end);
    let one = flight(next.or(flights.iter().last()).unwrap_or((i64::MIN, i64::MAX)));
    match (flights.len(), next) {
        (0 | 1, _) => one,
        (count, Some(_)) => format!("one of {count} flights, the next one {one}"),
        (count, None) => format!("one of {count} flights, the last one {one}"),
    }
}

/// One flight, e.g. `from Tue 2026-12-01 00:00:00 UTC`.
pub(super) fn flight(flight: (i64, i64)) -> String {
    ends(flight, utc)
}

/// One flight in local time, e.g. `from Tue 2026-12-01 01:00:00`.
pub(super) fn local_flight(flight: (i64, i64), zone: &Zone) -> String {
    ends(flight, |at_ms| seconds(at_ms, zone.minutes(at_ms)))
}

/// The ends that a flight has.
fn ends((start, end): (i64, i64), text: impl Fn(i64) -> String) -> String {
    let from = (start != i64::MIN).then(|| format!("from {}", text(start)));
    let until = (end != i64::MAX).then(|| format!("until {}", text(end)));
    join(from.into_iter().chain(until), " ")
}

/// A point in time to the second, e.g. `Wed 2026-11-18 12:00:00 UTC`.
pub(super) fn utc(at_ms: i64) -> String {
    format!("{} UTC", seconds(at_ms, 0))
}

fn seconds(at_ms: i64, offset: i64) -> String {
    format!("{}:{:02}", text(at_ms, offset), at_ms.div_euclid(1000).rem_euclid(60))
}

fn text(at_ms: i64, offset: i64) -> String {
    let minutes = at_ms.div_euclid(MS_PER_MINUTE).saturating_add(offset);
    let (days, minute) = (minutes.div_euclid(MINUTES_PER_DAY), minutes.rem_euclid(MINUTES_PER_DAY));
    // The epoch was a Thursday.
    let weekday = usize::try_from((days + 3).rem_euclid(7)).ok().and_then(|day| DAYS.get(day)).unwrap_or(&"");
    let (year, month, day) = date(days);
    format!("{weekday} {year}-{month:02}-{day:02} {:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::BoundsDraft;
    use flat::Laid;

    #[test]
    fn flights_name_the_ends_that_they_have() {
        let (start, end, later) = (1_795_003_201_000, 1_795_003_260_000, 1_795_003_320_000);
        let [from, until] = ["from Wed 2026-11-18 12:00:01 UTC", "until Wed 2026-11-18 12:01:00 UTC"];
        let second = "from Wed 2026-11-18 12:02:00 UTC";
        for (given, now_ms, expected) in [
            (vec![(start, end)], start, format!("{from} {until}")),
            (vec![(start, i64::MAX)], 0, from.to_owned()),
            (vec![(i64::MIN, end)], end, until.to_owned()),
            (vec![(start, end), (later, i64::MAX)], 0, format!("one of 2 flights, the next one {from} {until}")),
            (vec![(start, end), (later, i64::MAX)], end, format!("one of 2 flights, the next one {second}")),
            (vec![(0, 1), (start, end)], end, format!("one of 2 flights, the last one {from} {until}")),
        ] {
            let bounds = Laid::out(&BoundsDraft { flights: given, ..BoundsDraft::default() });
            assert_eq!(flights(bounds.view().flights(), now_ms), expected);
        }
    }

    #[test]
    fn dates_match_the_calendar() {
        for (seconds, expected) in [
            (0, "Thu 1970-01-01 00:00"),
            (951_782_400, "Tue 2000-02-29 00:00"),
            (1_709_164_799, "Wed 2024-02-28 23:59"),
            (1_709_164_800, "Thu 2024-02-29 00:00"),
            (1_795_003_200, "Wed 2026-11-18 12:00"),
            (4_107_542_400, "Mon 2100-03-01 00:00"),
            (-1, "Wed 1969-12-31 23:59"),
        ] {
            assert_eq!(text(seconds * 1000, 0), expected);
        }
        assert_eq!(text(1_795_003_200_000, -13 * 60), "Tue 2026-11-17 23:00");
    }
}
