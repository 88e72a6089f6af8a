//! Reads when a campaign runs, `start` and `end`, or `flights`, and what it may spend in its flights.
//!
//! A bill belongs to a flight by the local day of its bid, so a flight with a budget starts and ends at midnight.

use super::budget::Spending;
use crate::targets::hours::Zone;
use document::CampaignEntry;
use document::check::At;
use document::instant;
use document::scalars::Instant;
use pacing::day;

/// The milliseconds since the epoch at which each flight starts and ends. Empty if the campaign always runs.
pub(crate) fn compile(entry: &CampaignEntry, at: &At<'_>) -> Vec<(i64, i64)> {
    let own = span(entry.start, entry.end, at);
    if entry.flights.is_empty() {
        return own.into_iter().collect();
    }
    let given = [("start", entry.start.is_some()), ("end", entry.end.is_some())];
    at.refuse(&given, "beside flights; expected start and end in flights only");
    let mut flights: Vec<(i64, i64)> = Vec::new();
    for (i, flight) in entry.flights.iter().enumerate() {
        let at = at.item("flights", i);
        let (start, end) = span(flight.start, flight.end, &at).unwrap_or_default();
        if flights.last().is_some_and(|(_, before)| *before != i64::MAX && start < *before) {
            let before = i - 1;
            at.attribute("start").error(format!(
                "before the end of flights[{before}]; expected flights in their order, without overlaps"
            ));
        }
        if flight.end.is_none() && i + 1 < entry.flights.len() {
            at.attribute("end").error("missing, but another flight follows; expected the time at which this one ends");
        }
        flights.push((start, end));
    }
    flights
}

/// A flight; `None` if it has neither end.
fn span(start: Option<Instant>, end: Option<Instant>, at: &At<'_>) -> Option<(i64, i64)> {
    if let (Some(Instant(start)), Some(Instant(end))) = (start, end)
        && end <= start
    {
        at.attribute("end").error("not after start, so the campaign never bids; expected a later time");
    }
    let ms = |instant: Option<Instant>, absent| instant.map_or(absent, |instant| instant.0);
    (start.is_some() || end.is_some()).then(|| (ms(start, i64::MIN), ms(end, i64::MAX)))
}

/// The nanos of each flight for a day and in all; 0: no limit. Empty if the flights have no budgets.
pub(crate) fn budgets(entry: &CampaignEntry, zones: &[Zone], at: &At<'_>) -> Vec<(u64, u64)> {
    if entry.flights.iter().all(|flight| flight.budget.is_none()) {
        return Vec::new();
    }
    let given = [("budget", entry.budget.is_some()), ("budget_of", entry.budget_of.is_some())];
    at.refuse(&given, "beside budgets of flights; expected only one of budget, budgets of flights, and budget_of");
    let spending = Spending::of_campaign(entry);
    let zone = day::Zone(spending.changes(zones));
    let mut budgets = Vec::new();
    for (i, flight) in entry.flights.iter().enumerate() {
        let at = at.item("flights", i);
        for (name, instant) in [("start", flight.start), ("end", flight.end)] {
            if let Some(Instant(ms)) = instant {
                check_midnight(ms, &zone, spending.zone, &at.attribute(name));
            }
        }
        let at = at.attribute("budget");
        let Some(budget) = &flight.budget else {
            at.error("missing, but another flight has a budget; expected budgets in all flights or in none");
            continue;
        };
        let endless = flight.end.is_none().then_some("the flight has");
        budgets.push(Spending { endless, ..Spending::of_campaign(entry) }.amounts(budget, &at));
    }
    budgets
}

fn check_midnight(ms: i64, zone: &day::Zone, name: Option<&str>, at: &At<'_>) {
    let day = zone.day(ms);
    let (before, after) = (zone.start(day), zone.start(day + 1));
    if ms == before {
        return;
    }
    let nearest = if ms - before <= after - ms { before } else { after };
    let (named, other) = match name {
        Some(name) => (name, ""),
        None => ("UTC", ", or the zone of the campaign's days in target.zone"),
    };
    let midnight = instant::write(nearest, zone.minutes(nearest));
    at.error(format!("no midnight in {named}, and the flight has a budget; expected {midnight:?}{other}"));
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, with};
    use auction::write::budgets;
    use serde_json::json;

    #[test]
    fn each_flight_has_its_budget() {
        let of_flights = json!({"target": {"zone": "Europe/Berlin"}, "flights": [
            {"start": "2026-10-24T00:00+02:00", "end": "2026-10-26T00:00+01:00", "budget": {"daily": "5", "total": "9"}},
            {"start": "2026-10-26T00:00+01:00", "budget": {"daily": "7"}}]});
        let of_campaign = json!({"budget": {"total": "5"},
            "flights": [{"start": "2026-10-24T07:30Z", "end": "2026-10-26T00:00Z"}]});
        for (attributes, expected) in [
            (
                of_flights,
                r#"{"budgets":[{"cid":"c","cur":"USD","zone":"Europe/Berlin","key":"af63de4c8601eff2","flights":[{"start":1792792800000,"end":1792969200000,"daily":5000000000,"total":9000000000},{"start":1792969200000,"daily":7000000000}],"changes":[0,120,1792890000000,60]}],"#,
            ),
            (
                of_campaign,
                r#"{"budgets":[{"cid":"c","cur":"USD","key":"af63de4c8601eff2","total":5000000000,"flights":[{"start":1792827000000,"end":1792972800000}]}],"#,
            ),
        ] {
            let compiled = compiled(&with([("campaigns", attributes)])).unwrap();
            assert_eq!(compiled.notes, []);
            let mut text = String::new();
            budgets(&mut text, &compiled.snapshot.catalog(), pacing::part::Part::WHOLE);
            assert!(text.starts_with(expected), "{text}");
        }
    }
}
