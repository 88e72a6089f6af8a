//! Checks the budgets of a campaign's flights. A bill belongs to a flight by the local day of its bid, so such a flight
//! starts and ends at midnight.

use super::budget::Limits;
use crate::compile::check::out_of_range;
use crate::compile::choices::Pacing;
use crate::compile::document::CampaignEntry;
use crate::compile::instant;
use crate::compile::scalars::Instant;
use crate::compile::targets::hours::Zone;
use crate::decode::Finding;
use pacing::day;

/// The nanos of each flight for a day and in all; 0: no limit. Empty if the flights have no budgets.
pub(crate) fn compile(
    entry: &CampaignEntry,
    zones: &[Zone],
    path: &str,
    findings: &mut Vec<Finding>,
) -> Vec<(u64, u64)> {
    if entry.flights.iter().all(|flight| flight.budget.is_none()) {
        return Vec::new();
    }
    for (name, is_given) in [("budget", entry.budget.is_some()), ("budget_of", entry.budget_of.is_some())] {
        if is_given {
            let message = "beside budgets of flights; expected only one of budget, budgets of flights, and budget_of";
            out_of_range(&format!("{path}.{name}"), message.to_owned(), findings);
        }
    }
    let name = entry.target.as_ref().and_then(|target| target.zone.as_deref());
    let changes = zones.iter().find(|zone| Some(zone.name.as_str()) == name).map(|zone| zone.changes.clone());
    let zone = day::Zone(changes.unwrap_or_default());
    let mut budgets = Vec::new();
    for (i, flight) in entry.flights.iter().enumerate() {
        let path = format!("{path}.flights[{i}]");
        for (attribute, instant) in [("start", flight.start), ("end", flight.end)] {
            if let Some(Instant(ms)) = instant {
                check_midnight(ms, &zone, name, &format!("{path}.{attribute}"), findings);
            }
        }
        let path = format!("{path}.budget");
        let Some(budget) = &flight.budget else {
            let message = "missing, but another flight has a budget; expected budgets in all flights or in none";
            out_of_range(&path, message.to_owned(), findings);
            continue;
        };
        let limits = Limits {
            budget,
            is_asap: entry.pacing == Some(Pacing::Asap),
            cur: entry.cur.as_deref().unwrap_or("USD"),
            max_cpm: entry.max_cpm,
            endless: flight.end.is_none().then_some("the flight has"),
        };
        budgets.push(limits.compile(&path, findings));
    }
    budgets
}

fn check_midnight(ms: i64, zone: &day::Zone, name: Option<&str>, path: &str, findings: &mut Vec<Finding>) {
    let day = zone.day(ms);
    let (before, after) = (zone.start(day), zone.start(day + 1));
    if ms == before {
        return;
    }
    let nearest = if ms - before <= after - ms { before } else { after };
    let (place, other) = match name {
        Some(name) => (name, ""),
        None => ("UTC", ", or the zone of the campaign's days in target.zone"),
    };
    let message = format!(
        "no midnight in {place}, and the flight has a budget; expected {:?}{other}",
        instant::write(nearest, zone.minutes(nearest))
    );
    out_of_range(path, message, findings);
}

#[cfg(test)]
mod tests {
    use crate::compile::{Zone, compile};
    use bidder_wasm::write::budgets;

    /// The budgets of a document whose campaign has these attributes, or its findings.
    fn compiled(attributes: &str) -> Result<String, Vec<String>> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"s"}}],
            "creatives":[{{"crid":"c","banner":{{"w":1,"h":1,"adm":"a"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["c"],{attributes}}}]}}"#
        );
        // Summer time ends on 2026-10-25 at 1:00 UTC.
        let changes = vec![(0, 120), (1_792_890_000_000, 60)];
        let berlin = Zone { name: "Europe/Berlin".to_owned(), changes };
        let texts = |found: Vec<crate::decode::Finding>| found.iter().map(ToString::to_string).collect::<Vec<_>>();
        let compiled = compile(document.as_bytes(), &[berlin]).map_err(texts)?;
        if !compiled.notes.is_empty() {
            return Err(texts(compiled.notes));
        }
        let mut text = String::new();
        budgets(&mut text, &compiled.snapshot.catalog());
        Ok(text.split(r#","ssps":"#).next().unwrap_or_default().replacen(r#"{"budgets":"#, "", 1))
    }

    #[test]
    fn each_flight_has_its_budget() {
        let text = compiled(
            r#""target":{"zone":"Europe/Berlin"},"flights":[
            {"start":"2026-10-24T00:00+02:00","end":"2026-10-26T00:00+01:00","budget":{"daily":"5","total":"9"}},
            {"start":"2026-10-26T00:00+01:00","budget":{"daily":"7"}}]"#,
        );
        let expected = r#"[{"cid":"c","cur":"USD","zone":"Europe/Berlin","key":"af63de4c8601eff2","flights":[{"start":1792792800000,"end":1792969200000,"daily":5000000000,"total":9000000000},{"start":1792969200000,"daily":7000000000}],"changes":[0,120,1792890000000,60]}]"#;
        assert_eq!(text.as_deref(), Ok(expected));
        let without =
            compiled(r#""budget":{"total":"5"},"flights":[{"start":"2026-10-24T07:30Z","end":"2026-10-26T00:00Z"}]"#);
        assert_eq!(
            without.as_deref(),
            Ok(
                r#"[{"cid":"c","cur":"USD","key":"af63de4c8601eff2","total":5000000000,"flights":[{"start":1792827000000,"end":1792972800000}]}]"#
            )
        );
    }
}
