//! Reads when a campaign runs: `start` and `end`, or `flights`.

use super::check::out_of_range;
use super::document::CampaignEntry;
use super::instant;
use crate::decode::Finding;
use bidder_wasm::limits::MAX_FLIGHTS;

/// The milliseconds since the epoch at which each flight starts and ends. Empty if the campaign always runs.
pub(super) fn compile(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Vec<(i64, i64)> {
    let own = span(entry.start.as_deref(), entry.end.as_deref(), path, findings);
    if entry.flights.is_empty() {
        return own.into_iter().collect();
    }
    for (name, is_given) in [("start", entry.start.is_some()), ("end", entry.end.is_some())] {
        if is_given {
            let message = "beside flights; expected start and end in flights only".to_owned();
            out_of_range(&format!("{path}.{name}"), message, findings);
        }
    }
    if entry.flights.len() > MAX_FLIGHTS {
        let message = format!("{} entries; expected at most {MAX_FLIGHTS}", entry.flights.len());
        out_of_range(&format!("{path}.flights"), message, findings);
    }
    let mut flights: Vec<(i64, i64)> = Vec::new();
    for (i, flight) in entry.flights.iter().enumerate() {
        let path = format!("{path}.flights[{i}]");
        let (start, end) = span(flight.start.as_deref(), flight.end.as_deref(), &path, findings).unwrap_or_default();
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
fn span(start: Option<&str>, end: Option<&str>, path: &str, findings: &mut Vec<Finding>) -> Option<(i64, i64)> {
    let mut read = |name: &str, text: Option<&str>| {
        let text = text?;
        let instant = instant::read(text);
        if instant.is_none() {
            let expected = "expected a time with its zone, such as \"2026-12-01T00:00+01:00\" or \"2026-11-30T23:00Z\"";
            out_of_range(&format!("{path}.{name}"), format!("{text:?}; {expected}"), findings);
        }
        instant
    };
    let (start, end) = (read("start", start), read("end", end));
    if let (Some(start), Some(end)) = (start, end)
        && end <= start
    {
        let message = "not after start, so the campaign never bids; expected a later time".to_owned();
        out_of_range(&format!("{path}.end"), message, findings);
    }
    (start.is_some() || end.is_some()).then(|| (start.unwrap_or(i64::MIN), end.unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::super::document::FlightEntry;
    use super::*;

    #[test]
    fn an_end_that_is_not_after_the_start_is_refused() {
        for (start, end, expected, wrong) in [
            (None, None, &[][..], ""),
            (Some("1970-01-01T00:00:01Z"), None, &[(1000, i64::MAX)][..], ""),
            (None, Some("1970-01-01T00:00:01Z"), &[(i64::MIN, 1000)], ""),
            (Some("1970-01-01T00:00Z"), Some("1970-01-01T00:00:00.001Z"), &[(0, 1)], ""),
            (Some("1970-01-01T00:00Z"), Some("1970-01-01T00:00Z"), &[(0, 0)], "c.end"),
            (Some("1970-01-01T00:00Z"), Some("1970-01-01T00:30+01:00"), &[(0, -1_800_000)], "c.end"),
            (Some("1970-01-01"), Some("1970-01-01T00:00Z"), &[(i64::MIN, 0)], "c.start"),
            (None, Some("soon"), &[], "c.end"),
        ] {
            let [start, end] = [start, end].map(|text| text.map(str::to_owned));
            let (entry, mut findings) = (CampaignEntry { start, end, ..CampaignEntry::default() }, Vec::new());
            assert_eq!(compile(&entry, "c", &mut findings), expected, "{entry:?}");
            let paths: Vec<&str> = findings.iter().map(|finding| finding.path.as_str()).collect();
            assert_eq!(paths.concat(), wrong, "{findings:?}");
        }
    }

    #[test]
    fn flights_stand_in_their_order_without_overlaps() {
        let at = |second: i64| format!("1970-01-01T00:00:0{second}Z");
        let compiled = |flights: &[(i64, Option<i64>)], start: Option<String>| {
            let flight = |(start, end): &(i64, Option<i64>)| FlightEntry {
                start: Some(at(*start)),
                end: end.map(at),
                budget: None,
            };
            let flights = flights.iter().map(flight).collect();
            let (entry, mut findings) = (CampaignEntry { start, flights, ..CampaignEntry::default() }, Vec::new());
            let compiled = compile(&entry, "c", &mut findings);
            (compiled, findings.iter().map(|finding| finding.path.as_str()).collect::<Vec<_>>().join(" "))
        };
        let all = |ms: &[(i64, i64)], wrong: &str| (ms.to_vec(), wrong.to_owned());
        assert_eq!(
            compiled(&[(1, Some(2)), (2, Some(4)), (5, None)], None),
            all(&[(1000, 2000), (2000, 4000), (5000, i64::MAX)], "")
        );
        assert_eq!(compiled(&[(1, Some(3)), (2, Some(4))], None).1, "c.flights[1].start");
        assert_eq!(compiled(&[(3, Some(4)), (1, Some(2))], None).1, "c.flights[1].start");
        assert_eq!(compiled(&[(1, None), (2, Some(4))], None).1, "c.flights[0].end");
        assert_eq!(compiled(&[(2, Some(1))], None).1, "c.flights[0].end");
        assert_eq!(compiled(&[(1, Some(2))], Some(at(1))).1, "c.start");
        let many: Vec<(i64, Option<i64>)> = vec![(1, Some(2)); MAX_FLIGHTS + 1];
        assert!(compiled(&many, None).1.starts_with("c.flights c.flights[1].start"));
    }
}
