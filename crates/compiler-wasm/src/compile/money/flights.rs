//! Reads when a campaign runs: `start` and `end`, or `flights`.

use crate::compile::check::out_of_range;
use crate::compile::document::CampaignEntry;
use crate::compile::scalars::Instant;
use crate::decode::Finding;

/// The milliseconds since the epoch at which each flight starts and ends. Empty if the campaign always runs.
pub(crate) fn compile(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Vec<(i64, i64)> {
    let own = span(entry.start, entry.end, path, findings);
    if entry.flights.is_empty() {
        return own.into_iter().collect();
    }
    for (name, is_given) in [("start", entry.start.is_some()), ("end", entry.end.is_some())] {
        if is_given {
            let message = "beside flights; expected start and end in flights only".to_owned();
            out_of_range(&format!("{path}.{name}"), message, findings);
        }
    }
    let mut flights: Vec<(i64, i64)> = Vec::new();
    for (i, flight) in entry.flights.iter().enumerate() {
        let path = format!("{path}.flights[{i}]");
        let (start, end) = span(flight.start, flight.end, &path, findings).unwrap_or_default();
        if flights.last().is_some_and(|(_, before)| *before != i64::MAX && start < *before) {
            let message =
                format!("before the end of flights[{}]; expected flights in their order, without overlaps", i - 1);
            out_of_range(&format!("{path}.start"), message, findings);
        }
        if flight.end.is_none() && i + 1 < entry.flights.len() {
            let message = "missing, but another flight follows; expected the time at which this one ends".to_owned();
            out_of_range(&format!("{path}.end"), message, findings);
        }
        flights.push((start, end));
    }
    flights
}

/// A flight; `None` if it has neither end.
fn span(start: Option<Instant>, end: Option<Instant>, path: &str, findings: &mut Vec<Finding>) -> Option<(i64, i64)> {
    if let (Some(Instant(start)), Some(Instant(end))) = (start, end)
        && end <= start
    {
        let message = "not after start, so the campaign never bids; expected a later time".to_owned();
        out_of_range(&format!("{path}.end"), message, findings);
    }
    let at = |instant: Option<Instant>, absent| instant.map_or(absent, |instant| instant.0);
    (start.is_some() || end.is_some()).then(|| (at(start, i64::MIN), at(end, i64::MAX)))
}
