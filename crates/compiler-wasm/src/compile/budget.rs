//! Checks budgets, and how they are spent, and makes those of campaigns ready to serve.

use std::collections::BTreeMap;

use bidder_wasm::catalog::{BudgetDraft, CampaignDraft};
use bidder_wasm::limits::{MAX_BUDGET, MAX_CURVE_WEIGHT};
use bidder_wasm::money::Micros;
use bidder_wasm::notices::hash_of;

use super::check::{out_of_range, suggestion};
use super::document::{BudgetEntry, CampaignEntry, Document};
use super::hours::Zone;
use super::orders::Compiled;
use super::scalars::Amount;
use crate::decode::{Finding, Rule};

const HOURS_PER_DAY: usize = 24;
const MOST: Micros = Micros(MAX_BUDGET);

/// The ways to spend a budget.
pub(super) const PACINGS: [&str; 2] = ["even", "asap"];

/// The budgets of the document's campaigns, by their hashes. Their positions are still 0.
pub(super) fn compile(document: &Document, zones: &[Zone], findings: &mut Vec<Finding>) -> BTreeMap<u64, BudgetDraft> {
    let mut budgets = BTreeMap::new();
    for (i, entry) in document.campaigns.iter().enumerate() {
        if let Some(budget) = of_campaign(entry, zones, &format!("campaigns[{i}]"), findings) {
            budgets.insert(budget.key, budget);
        }
    }
    budgets
}

/// All budgets as the snapshot holds them. `campaigns` are in the order of the snapshot.
pub(super) fn sorted(
    mut budgets: BTreeMap<u64, BudgetDraft>,
    orders: &[Compiled],
    campaigns: &[CampaignDraft],
) -> Vec<BudgetDraft> {
    if !budgets.is_empty() {
        for (position, campaign) in (0..).zip(campaigns) {
            if let Some(budget) = budgets.get_mut(&hash_of(&campaign.cid)) {
                budget.position = position;
            }
        }
    }
    let first = u32::try_from(campaigns.len()).unwrap_or(u32::MAX);
    for (position, Compiled { budget, .. }) in (first..).zip(orders) {
        budgets.insert(budget.key, BudgetDraft { position, ..budget.clone() });
    }
    budgets.into_values().collect()
}

/// The attribute that gives the campaign a budget.
pub(super) fn attribute(entry: &CampaignEntry) -> Option<&'static str> {
    let of_flights = entry.flights.iter().any(|flight| flight.budget.is_some());
    let all = [("budget", entry.budget.is_some()), ("flights", of_flights), ("budget_of", entry.budget_of.is_some())];
    all.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
}

/// `None` if the campaign has no budget of its own.
fn of_campaign(entry: &CampaignEntry, zones: &[Zone], path: &str, findings: &mut Vec<Finding>) -> Option<BudgetDraft> {
    if entry.budget.is_some() && entry.budget_of.is_some() {
        let message = "beside budget; expected only one of budget, budgets of flights, and budget_of".to_owned();
        out_of_range(&format!("{path}.budget_of"), message, findings);
    }
    let by = attribute(entry).filter(|name| *name != "budget_of");
    if by.is_none() {
        for (name, is_given) in [("pacing", entry.pacing.is_some()), ("curve", !entry.curve.is_empty())] {
            if is_given {
                let expected = if entry.budget_of.is_some() { "it in the order" } else { "a budget" };
                let message = format!("no effect without a budget; expected {expected}");
                out_of_range(&format!("{path}.{name}"), message, findings);
            }
        }
    }
    by?;
    let way = Way::compile(entry.pacing.as_deref(), &entry.curve, path, findings);
    let ends = entry.end.is_some() || entry.flights.last().is_some_and(|last| last.end.is_some());
    let limits = entry.budget.as_ref().map(|budget| {
        let limits = Limits {
            budget,
            is_asap: way.is_asap,
            cur: entry.cur.as_deref().unwrap_or("USD"),
            max_cpm: entry.max_cpm,
            endless: (!ends).then_some("the campaign has"),
        };
        limits.compile(&format!("{path}.budget"), findings)
    });
    let zone = entry.target.as_ref().and_then(|target| target.zone.as_deref());
    Some(way.budget(hash_of(entry.cid.as_deref().unwrap_or_default()), limits.unwrap_or_default(), zone, zones))
}

/// How a budget is spent.
pub(super) struct Way {
    pub(super) is_asap: bool,
    curve: Vec<u32>,
}

impl Way {
    pub(super) fn compile(pacing: Option<&str>, weights: &[i64], path: &str, findings: &mut Vec<Finding>) -> Way {
        let is_asap = is_asap(pacing, &format!("{path}.pacing"), findings);
        Way { is_asap, curve: curve(weights, &format!("{path}.curve"), findings) }
    }

    /// The budget with these nanos for a day and in all. Its position is still 0.
    pub(super) fn budget(
        self,
        key: u64,
        (daily, total): (u64, u64),
        zone: Option<&str>,
        zones: &[Zone],
    ) -> BudgetDraft {
        let zone = zones.iter().find(|known| Some(known.name.as_str()) == zone);
        let changes = zone.map(|zone| zone.changes.clone()).unwrap_or_default();
        BudgetDraft { key, position: 0, daily, total, is_asap: self.is_asap, curve: self.curve, changes }
    }
}

/// The amounts of a budget, and what they are checked against.
pub(super) struct Limits<'a> {
    pub(super) budget: &'a BudgetEntry,
    pub(super) is_asap: bool,
    pub(super) cur: &'a str,
    /// The highest price that it may have to pay.
    pub(super) max_cpm: Option<Amount>,
    /// What has no end, in words, with its verb.
    pub(super) endless: Option<&'a str>,
}

impl Limits<'_> {
    /// The nanos for a day and in all; 0: no limit.
    pub(super) fn compile(&self, path: &str, findings: &mut Vec<Finding>) -> (u64, u64) {
        let Limits { budget, is_asap, cur, max_cpm, endless } = *self;
        for (name, amount) in [("daily", budget.daily), ("total", budget.total)] {
            let Some(Amount(amount)) = amount else { continue };
            let path = format!("{path}.{name}");
            if amount > MOST {
                out_of_range(&path, format!("{amount} {cur}; expected at most {MOST}"), findings);
            } else if let Some(Amount(max_cpm)) =
                max_cpm.filter(|Amount(max_cpm)| is_below_a_thousand(amount, *max_cpm))
            {
                let message = format!(
                    "{amount} {cur} is less than a thousand impressions cost with max_cpm {max_cpm}; expected a decimal string of units such as \"50\", or an integer of micros such as 50000000"
                );
                findings.push(Finding::new(path, Rule::Ambiguous, message));
            }
        }
        match (budget.daily, budget.total, endless) {
            (None, None, _) => out_of_range(path, "empty; expected daily, total, or both".to_owned(), findings),
            (Some(Amount(daily)), Some(Amount(total)), _) if total < daily => {
                let message = format!("{total} is under daily, {daily}; expected at least daily");
                out_of_range(&format!("{path}.total"), message, findings);
            }
            (None, Some(_), Some(endless)) if !is_asap => {
                let message = format!(
                    "without daily, the total is spread evenly until end, and {endless} no end; expected end, daily, or \"pacing\": \"asap\""
                );
                out_of_range(path, message, findings);
            }
            _ => {}
        }
        (nanos(budget.daily), nanos(budget.total))
    }
}

fn is_asap(pacing: Option<&str>, path: &str, findings: &mut Vec<Finding>) -> bool {
    let name = pacing.unwrap_or("even");
    if !PACINGS.contains(&name) {
        let suggestion = suggestion(name, PACINGS.into_iter(), "even or asap", findings);
        findings.push(Finding::new(path.to_owned(), Rule::Unknown, format!("{name:?} is unknown; {suggestion}")));
    }
    name == "asap"
}

fn curve(weights: &[i64], path: &str, findings: &mut Vec<Finding>) -> Vec<u32> {
    let weight = |weight: &i64| u32::try_from(*weight).ok().filter(|weight| *weight <= MAX_CURVE_WEIGHT);
    let curve: Vec<u32> = weights.iter().filter_map(weight).collect();
    if curve.len() != weights.len() || !matches!(weights.len(), 0 | HOURS_PER_DAY) {
        let message = format!(
            "{} entries; expected {HOURS_PER_DAY} integers from 0 to {MAX_CURVE_WEIGHT}, one for each hour of the day",
            weights.len()
        );
        out_of_range(path, message, findings);
    } else if !curve.is_empty() && curve.iter().all(|weight| *weight == 0) {
        out_of_range(path, "only zeros; expected at least one hour above 0".to_owned(), findings);
    }
    curve
}

/// An amount in billionths of a unit; 0 without an amount.
fn nanos(amount: Option<Amount>) -> u64 {
    amount.map_or(0, |Amount(Micros(micros))| micros.unsigned_abs().saturating_mul(1000))
}

/// Whether an amount is less than the price of a thousand impressions.
fn is_below_a_thousand(amount: Micros, max_cpm: Micros) -> bool {
    amount < max_cpm
}

#[cfg(test)]
mod tests {
    use bidder_wasm::catalog::Catalog;

    use super::super::{Zone, compile, zones_of};

    const ZEROS: &str = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";

    fn document(attributes: &str) -> String {
        format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"rates":[{{"cur":"EUR","usd":"1.1"}}],"ssps":[{{"id":"s"}}],
            "creatives":[{{"crid":"c","banner":{{"w":1,"h":1,"adm":"a"}}}}],
            "campaigns":[{{"cid":"dear","seat":"s","adomain":["a.example"],"max_cpm":"9","creatives":["c"]}},
            {{"cid":"c","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["c"]{attributes}}}]}}"#
        )
    }

    /// What is found in a document whose second campaign has these attributes: errors, or notes.
    fn found(attributes: &str) -> Vec<String> {
        let berlin = Zone { name: "Europe/Berlin".to_owned(), changes: vec![(0, 60)] };
        let compiled = compile(document(attributes).as_bytes(), &[berlin]);
        compiled.map_or_else(|found| found, |compiled| compiled.notes).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn budgets_are_stored_with_the_campaign_and_its_zone() {
        let attributes =
            r#","budget":{"daily":"50.000001","total":70000000},"pacing":"asap","target":{"zone":"Asia/Kolkata"}"#;
        let text = document(attributes);
        assert_eq!(zones_of(text.as_bytes()), ["Asia/Kolkata"]);
        let zone = Zone { name: "Asia/Kolkata".to_owned(), changes: vec![(0, 330)] };
        let snapshot = compile(text.as_bytes(), &[zone]).unwrap().snapshot;
        let catalog: Catalog<'_> = snapshot.catalog();
        let budgets = catalog.parts().budgets();
        let budget = budgets.get(0).unwrap();
        assert_eq!((budgets.len(), budget.position()), (1, 1));
        assert_eq!((budget.daily(), budget.total(), budget.is_asap()), (50_000_001_000, 70_000_000_000, true));
        assert_eq!(budget.changes().iter().collect::<Vec<_>>(), [(0, 330)]);
        assert!(budget.curve().is_empty());
        assert_eq!(
            (catalog.budgets.number(0), catalog.budgets.number(1), catalog.budgets.number(2)),
            (None, Some(0), None)
        );
    }

    #[test]
    fn good_budgets_have_no_findings() {
        let curve = format!(r#","budget":{{"daily":"5"}},"curve":[{ZEROS},7]"#);
        for attributes in [
            "",
            r#","budget":{"daily":"5"}"#,
            r#","budget":{"daily":"1"}"#,
            r#","budget":{"daily":"5","total":"5"},"pacing":"even""#,
            r#","budget":{"total":"9000000000"},"pacing":"asap","cur":"EUR""#,
            r#","budget":{"total":"5"},"end":"2027-01-01T00:00Z""#,
            r#","budget":{"daily":"5"},"target":{"zone":"Europe/Berlin"}"#,
            &curve,
        ] {
            assert_eq!(found(attributes), Vec::<String>::new(), "{attributes}");
        }
    }

    #[test]
    fn mistakes_are_refused() {
        let curve = |weights: &str| format!(r#""budget":{{"daily":"5"}},"curve":[{weights}]"#);
        let (zeros, short, high) = (format!("{ZEROS},0"), ZEROS.to_owned(), format!("{ZEROS},1000001"));
        let weights = "expected 24 integers from 0 to 1000000, one for each hour of the day";
        let many = format!("24 entries; {weights}");
        for (attributes, path, message) in [
            (r#""budget":{}"#.to_owned(), "budget", "empty; expected daily, total, or both"),
            (
                r#""budget":{"daily":0,"total":"5"},"pacing":"asap""#.to_owned(),
                "budget.daily",
                "the number 0; expected a decimal string such as \"2.50\", or integer micros such as 2500000, at least 0.001",
            ),
            (
                r#""budget":{"daily":"9000000000.000001"}"#.to_owned(),
                "budget.daily",
                "9000000000.000001 USD; expected at most 9000000000",
            ),
            (
                r#""budget":{"daily":"5","total":"4"}"#.to_owned(),
                "budget.total",
                "4 is under daily, 5; expected at least daily",
            ),
            (
                r#""budget":{"total":"4"}"#.to_owned(),
                "budget",
                "without daily, the total is spread evenly until end, and the campaign has no end; expected end, daily, or \"pacing\": \"asap\"",
            ),
            (
                r#""budget":{"daily":"4"},"pacing":"evn""#.to_owned(),
                "pacing",
                "\"evn\" is unknown; did you mean \"even\"?",
            ),
            (
                r#""budget":{"daily":"4"},"pacing":"smooth""#.to_owned(),
                "pacing",
                "\"smooth\" is unknown; expected even or asap",
            ),
            (r#""pacing":"asap""#.to_owned(), "pacing", "no effect without a budget; expected a budget"),
            (format!(r#""curve":[{ZEROS},1]"#), "curve", "no effect without a budget; expected a budget"),
            (curve(&zeros), "curve", "only zeros; expected at least one hour above 0"),
            (curve(&short), "curve", &format!("23 entries; {weights}")),
            (curve(&high), "curve", &many),
            (curve(&format!("{ZEROS},-1")), "curve", &many),
            (
                r#""budget":{"daily":"4"},"target":{"zone":"Europe/Berlni"}"#.to_owned(),
                "target.zone",
                "\"Europe/Berlni\" is not a known time zone; expected an IANA name such as Europe/Berlin",
            ),
        ] {
            assert_eq!(found(&format!(",{attributes}")), [format!("campaigns[1].{path}: {message}")], "{attributes}");
        }
        let hinted = found(r#","daily_budget":"5""#).concat();
        assert!(hinted.contains("expected what it may spend in budget"), "{hinted}");
    }

    #[test]
    fn a_budget_below_a_thousand_impressions_is_noted() {
        let expected =
            "campaigns[1].budget.daily: 0.999999 USD is less than a thousand impressions cost with max_cpm 1; ";
        assert_eq!(found(r#","budget":{"daily":1000000}"#), Vec::<String>::new());
        let notes = found(r#","budget":{"daily":999999}"#);
        assert!(notes.len() == 1 && notes[0].starts_with(expected), "{notes:?}");
    }
}
