//! Checks budgets, and how they are spent, and makes those of campaigns ready to serve.

use std::collections::HashMap;

use base::hash::hash_of;
use base::limits::MAX_BUDGET;
use base::money::Micros;
use catalog::BudgetDraft;

use crate::drafts::Drafts;
use crate::targets::hours::Zone;
use document::check::At;
use document::choices::Pacing;
use document::decode::Rule;
use document::scalars::Amount;
use document::{BudgetEntry, CampaignEntry};

const HOURS_PER_DAY: usize = 24;
const MOST: Micros = Micros(MAX_BUDGET);
/// A campaign without a budget gets a note if it is one of so many, or fewer.
const ONE_IN: usize = 3;

/// The budgets of the document's campaigns. Their positions are still 0.
pub(crate) fn compile(drafts: &Drafts<'_>, zones: &[Zone]) -> Vec<BudgetDraft> {
    drafts.campaigns().filter_map(|(at, entry, _)| of_campaign(entry, zones, &at)).collect()
}

/// Notes the few campaigns without a budget in a catalog where most have one.
pub(crate) fn note_unlimited(drafts: &Drafts<'_>) {
    let all: Vec<_> = drafts.campaigns().filter(|(_, entry, _)| !entry.paused).collect();
    let is_unlimited = |entry: &CampaignEntry| attribute(entry).is_none();
    let unlimited = all.iter().filter(|(_, entry, _)| is_unlimited(entry)).count();
    if unlimited * ONE_IN > all.len() {
        return;
    }
    for (at, ..) in all.iter().filter(|(_, entry, _)| is_unlimited(entry)) {
        let message =
            format!("no budget, so its spend has no limit; expected one, as {} campaigns have", all.len() - unlimited);
        at.report(Rule::Ambiguous, message);
    }
}

/// Notes campaigns with a budget of their own that differ from an earlier one only in `cid` and `name`: perhaps a copy that
/// nobody has changed yet, which spends the budget again.
pub(crate) fn note_copies(drafts: &Drafts<'_>) {
    let mut last: HashMap<_, (usize, &CampaignEntry)> = HashMap::new();
    for (i, (at, entry, _)) in drafts.campaigns().enumerate().filter(|(_, (_, entry, _))| !entry.paused) {
        if attribute(entry).is_none_or(|name| name == "budget_of") {
            continue;
        }
        let key = (&entry.seat, entry.max_cpm.0, entry.creatives.iter().map(|shown| &shown.crid).collect::<Vec<_>>());
        // Comparing with all earlier ones would take too long.
        let other = last.insert(key, (i, entry)).filter(|(_, other)| entry.target == other.target);
        let Some((first, other)) = other else { continue };
        let named =
            CampaignEntry { cid: other.cid.clone(), name: other.name.clone(), given: other.given, ..entry.clone() };
        if named == *other {
            let message = format!(
                "the same as campaigns[{first}] but for its cid, so its budget is spent again; expected a difference"
            );
            at.report(Rule::Repeated, message);
        }
    }
}

/// The attribute that gives the campaign a budget.
pub(crate) fn attribute(entry: &CampaignEntry) -> Option<&'static str> {
    let of_flights = entry.flights.iter().any(|flight| flight.budget.is_some());
    let all = [("budget", entry.budget.is_some()), ("flights", of_flights), ("budget_of", entry.budget_of.is_some())];
    all.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
}

/// `None` if the campaign has no budget of its own.
fn of_campaign(entry: &CampaignEntry, zones: &[Zone], at: &At<'_>) -> Option<BudgetDraft> {
    if entry.budget.is_some() && entry.budget_of.is_some() {
        let message = "beside budget; expected only one of budget, budgets of flights, and budget_of";
        at.attribute("budget_of").error(message);
    }
    if attribute(entry).is_none_or(|name| name == "budget_of") {
        let expected = if entry.budget_of.is_some() { "it in the order" } else { "a budget" };
        let message = format!("no effect without a budget; expected {expected}");
        at.refuse(&[("pacing", entry.pacing.is_some()), ("curve", !entry.curve.is_empty())], &message);
        return None;
    }
    let ends = entry.end.is_some() || entry.flights.last().is_some_and(|last| last.end.is_some());
    let spending = Spending { endless: (!ends).then_some("the campaign has"), ..Spending::of_campaign(entry) };
    Some(spending.budget(hash_of(&entry.cid), entry.budget.as_ref(), &entry.curve, zones, at))
}

/// How a campaign or an order spends, and what its amounts are checked against.
pub(crate) struct Spending<'a> {
    pub(crate) pacing: Option<Pacing>,
    pub(crate) cur: &'a str,
    /// The highest price that it may have to pay.
    pub(crate) max_cpm: Amount,
    /// The zone of its days.
    pub(crate) zone: Option<&'a str>,
    /// What has no end, in words, with its verb.
    pub(crate) endless: Option<&'a str>,
}

impl<'a> Spending<'a> {
    /// A campaign, without its end.
    pub(crate) fn of_campaign(entry: &'a CampaignEntry) -> Spending<'a> {
        Spending {
            pacing: entry.pacing,
            cur: entry.cur.as_deref().unwrap_or("USD"),
            max_cpm: entry.max_cpm,
            zone: entry.target.as_ref().and_then(|target| target.zone.as_deref()),
            endless: None,
        }
    }

    /// The budget of the campaign or order at this position. Its position is still 0.
    pub(crate) fn budget(
        &self,
        key: u64,
        budget: Option<&BudgetEntry>,
        weights: &[i64],
        zones: &[Zone],
        at: &At<'_>,
    ) -> BudgetDraft {
        let curve = curve(weights, &at.attribute("curve"));
        let (daily, total) = budget.map(|budget| self.amounts(budget, &at.attribute("budget"))).unwrap_or_default();
        let is_asap = self.pacing == Some(Pacing::Asap);
        BudgetDraft { key, position: 0, daily, total, is_asap, curve, changes: self.changes(zones) }
    }

    /// The changes of the zone's offset from UTC.
    pub(crate) fn changes(&self, zones: &[Zone]) -> Vec<(i64, i64)> {
        let zone = zones.iter().find(|known| Some(known.name.as_str()) == self.zone);
        zone.map(|zone| zone.changes.clone()).unwrap_or_default()
    }

    /// The nanos for a day and in all; 0: no limit.
    pub(crate) fn amounts(&self, budget: &BudgetEntry, at: &At<'_>) -> (u64, u64) {
        let Spending { pacing, cur, max_cpm: Amount(max_cpm), endless, .. } = *self;
        for (name, amount) in [("daily", budget.daily), ("total", budget.total)] {
            let (at, Some(Amount(amount))) = (at.attribute(name), amount) else { continue };
            if amount > MOST {
                at.error(format!("{amount} {cur}; expected at most {MOST}"));
            } else if amount < max_cpm {
                let message = format!(
                    "{amount} {cur} is less than a thousand impressions cost with max_cpm {max_cpm}; expected a decimal string of units such as \"50\", or an integer of micros such as 50000000"
                );
                at.report(Rule::Ambiguous, message);
            }
        }
        match (budget.daily, budget.total, endless) {
            (None, None, _) => at.error("empty; expected daily, total, or both"),
            (Some(Amount(daily)), Some(Amount(total)), _) if total < daily => {
                at.attribute("total").error(format!("{total} is under daily, {daily}; expected at least daily"));
            }
            (None, Some(_), Some(endless)) if pacing != Some(Pacing::Asap) => {
                let message = format!(
                    "without daily, the total is spread evenly until end, and {endless} no end; expected end, daily, or \"pacing\": \"asap\""
                );
                at.error(message);
            }
            _ => {}
        }
        (nanos(budget.daily), nanos(budget.total))
    }
}

fn curve(weights: &[i64], at: &At<'_>) -> Vec<u32> {
    if !matches!(weights.len(), 0 | HOURS_PER_DAY) {
        at.error(format!("{} entries; expected {HOURS_PER_DAY}, one for each hour of the day", weights.len()));
    } else if !weights.is_empty() && weights.iter().all(|weight| *weight == 0) {
        at.error("only zeros; expected at least one hour above 0");
    }
    weights.iter().filter_map(|weight| u32::try_from(*weight).ok()).collect()
}

/// An amount in billionths of a unit; 0 without an amount.
fn nanos(amount: Option<Amount>) -> u64 {
    amount.map_or(0, |Amount(Micros(micros))| micros.unsigned_abs().saturating_mul(1000))
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, with};
    use crate::zones_of;
    use serde_json::json;

    #[test]
    fn budgets_are_stored_with_the_campaign_and_its_zone() {
        let mut document = with([(
            "campaigns",
            json!({
                "budget": { "daily": "50.000001", "total": 70_000_000 }, "pacing": "asap",
                "target": { "zone": "Asia/Kolkata" },
            }),
        )]);
        let mut dear = with([])["campaigns"][0].take();
        (dear["cid"], dear["max_cpm"]) = (json!("dear"), json!("9"));
        document["campaigns"].as_array_mut().unwrap().push(dear);
        assert_eq!(zones_of(document.to_string().as_bytes()), ["Asia/Kolkata"]);
        let snapshot = compiled(&document).unwrap().snapshot;
        let catalog = snapshot.catalog();
        let budgets = catalog.parts().budgets();
        let budget = budgets.get(0).unwrap();
        assert_eq!((budgets.len(), budget.position()), (1, 1));
        assert_eq!((budget.daily(), budget.total(), budget.is_asap()), (50_000_001_000, 70_000_000_000, true));
        assert_eq!(budget.changes().iter().collect::<Vec<_>>(), [(0, 330)]);
        assert!(budget.curve().is_empty());
        assert_eq!([0, 1, 2].map(|campaign| catalog.budgets.number(campaign)), [None, Some(0), None]);
    }
}
