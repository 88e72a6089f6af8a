//! Checks budgets, and how they are spent, and makes those of campaigns ready to serve.

use std::collections::BTreeMap;

use bidder_wasm::catalog::{BudgetDraft, CampaignDraft};
use bidder_wasm::limits::MAX_BUDGET;
use bidder_wasm::money::Micros;
use bidder_wasm::notices::hash_of;

use super::orders::Compiled;
use crate::compile::check::out_of_range;
use crate::compile::choices::Pacing;
use crate::compile::document::{BudgetEntry, CampaignEntry, Document};
use crate::compile::scalars::Amount;
use crate::compile::targets::hours::Zone;
use crate::decode::{Finding, Rule};

const HOURS_PER_DAY: usize = 24;
const MOST: Micros = Micros(MAX_BUDGET);

/// The budgets of the document's campaigns, by their hashes. Their positions are still 0.
pub(crate) fn compile(document: &Document, zones: &[Zone], findings: &mut Vec<Finding>) -> BTreeMap<u64, BudgetDraft> {
    let mut budgets = BTreeMap::new();
    for (i, entry) in document.campaigns.iter().enumerate() {
        if let Some(budget) = of_campaign(entry, zones, &format!("campaigns[{i}]"), findings) {
            budgets.insert(budget.key, budget);
        }
    }
    budgets
}

/// All budgets as the snapshot holds them. `campaigns` are in the order of the snapshot.
pub(crate) fn sorted(
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
pub(crate) fn attribute(entry: &CampaignEntry) -> Option<&'static str> {
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
    let way = Way::compile(entry.pacing, &entry.curve, path, findings);
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
pub(crate) struct Way {
    pub(crate) is_asap: bool,
    curve: Vec<u32>,
}

impl Way {
    pub(crate) fn compile(pacing: Option<Pacing>, weights: &[i64], path: &str, findings: &mut Vec<Finding>) -> Way {
        Way { is_asap: pacing == Some(Pacing::Asap), curve: curve(weights, &format!("{path}.curve"), findings) }
    }

    /// The budget with these nanos for a day and in all. Its position is still 0.
    pub(crate) fn budget(
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
pub(crate) struct Limits<'a> {
    pub(crate) budget: &'a BudgetEntry,
    pub(crate) is_asap: bool,
    pub(crate) cur: &'a str,
    /// The highest price that it may have to pay.
    pub(crate) max_cpm: Option<Amount>,
    /// What has no end, in words, with its verb.
    pub(crate) endless: Option<&'a str>,
}

impl Limits<'_> {
    /// The nanos for a day and in all; 0: no limit.
    pub(crate) fn compile(&self, path: &str, findings: &mut Vec<Finding>) -> (u64, u64) {
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

fn curve(weights: &[i64], path: &str, findings: &mut Vec<Finding>) -> Vec<u32> {
    if !matches!(weights.len(), 0 | HOURS_PER_DAY) {
        let message = format!("{} entries; expected {HOURS_PER_DAY}, one for each hour of the day", weights.len());
        out_of_range(path, message, findings);
    } else if !weights.is_empty() && weights.iter().all(|weight| *weight == 0) {
        out_of_range(path, "only zeros; expected at least one hour above 0".to_owned(), findings);
    }
    weights.iter().filter_map(|weight| u32::try_from(*weight).ok()).collect()
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

    use crate::compile::{Zone, compile, zones_of};

    fn document(attributes: &str) -> String {
        format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"rates":[{{"cur":"EUR","usd":"1.1"}}],"ssps":[{{"id":"s"}}],
            "creatives":[{{"crid":"c","banner":{{"w":1,"h":1,"adm":"a"}}}}],
            "campaigns":[{{"cid":"dear","seat":"s","adomain":["a.example"],"max_cpm":"9","creatives":["c"]}},
            {{"cid":"c","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["c"]{attributes}}}]}}"#
        )
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
}
