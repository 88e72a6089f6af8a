//! Checks orders, budgets that campaigns share, and makes them and all budgets ready to serve.

use std::collections::HashMap;

use base::hash::hash_of;
use catalog::{BudgetDraft, CampaignDraft, OrderDraft, order_key};

use super::budget::Spending;
use super::prices::currency;
use crate::drafts::Drafts;
use crate::targets::hours::{Zone, check_zone};
use document::check::{At, Names};
use document::decode::Rule;
use document::scalars::Amount;
use document::{CampaignEntry, OrderEntry};

/// An order that has campaigns. Their positions, and that of the budget, are not known yet.
pub(crate) struct Order {
    budget: BudgetDraft,
    draft: OrderDraft,
    /// The hashes of its campaigns.
    members: Vec<u64>,
}

/// The campaigns of an order.
type Members<'d> = Vec<(&'d CampaignEntry, &'d CampaignDraft)>;

/// The orders of the document that have campaigns.
pub(crate) fn compile(drafts: &Drafts<'_>, zones: &[Zone], at: &At<'_>) -> Vec<Order> {
    let document = drafts.document;
    let of_orders = members(drafts);
    let cids = Names::of(&document.campaigns, |entry| &entry.cid, "a cid in campaigns");
    let mut compiled = Vec::new();
    for (i, entry) in document.orders.iter().enumerate() {
        let at = at.item("orders", i);
        if let Some(other) = cids.get(&entry.id) {
            let message =
                format!("{:?} is the cid of campaigns[{other}]; expected an id that no campaign has", entry.id);
            at.attribute("id").error(message);
        }
        let members = of_orders.get(&i).map(Vec::as_slice).unwrap_or_default();
        let order = order(entry, members, drafts, zones, &at);
        if members.is_empty() {
            at.report(Rule::NoBids, format!("no campaign has budget_of {:?}; expected at least one", entry.id));
        } else {
            compiled.push(order);
        }
    }
    compiled
}

/// The campaigns of each order, by its position.
fn members<'d>(drafts: &'d Drafts<'_>) -> HashMap<usize, Members<'d>> {
    let orders = &drafts.document.orders;
    let ids = Names::of(orders, |order| &order.id, "an id in orders");
    let mut members: HashMap<usize, Members<'_>> = HashMap::new();
    for (at, campaign, draft) in drafts.campaigns() {
        let (at, Some(id)) = (at.attribute("budget_of"), campaign.budget_of.as_deref()) else { continue };
        let Some(position) = ids.position(id, &at).map(|position| position as usize) else { continue };
        members.entry(position).or_default().push((campaign, draft));
        let shared = orders.get(position).and_then(|order| order.cur.as_deref()).unwrap_or("USD");
        let own = campaign.cur.as_deref().unwrap_or("USD");
        if own != shared {
            at.error(format!("the order {id:?} is in {shared}, the campaign in {own}; expected one currency"));
        }
    }
    members
}

fn order(
    entry: &OrderEntry,
    members: &[(&CampaignEntry, &CampaignDraft)],
    drafts: &Drafts<'_>,
    zones: &[Zone],
    at: &At<'_>,
) -> Order {
    let zone = entry.zone.as_deref();
    check_zone(zone, zones, at);
    let is_endless = |draft: &CampaignDraft| flights(draft).last().is_none_or(|(_, end)| *end == i64::MAX);
    let spending = Spending {
        pacing: entry.pacing,
        cur: entry.cur.as_deref().unwrap_or("USD"),
        max_cpm: Amount(members.iter().map(|(member, _)| member.max_cpm.0).max().unwrap_or_default()),
        zone,
        endless: members.iter().any(|(_, draft)| is_endless(draft)).then_some("a campaign of the order has"),
    };
    Order {
        budget: spending.budget(order_key(&entry.id), entry.budget.as_ref(), &entry.curve, zones, at),
        draft: OrderDraft {
            id: entry.id.clone(),
            cur: currency(spending.cur, drafts.references.rates, &at.attribute("cur")),
            zone: zone.unwrap_or_default().to_owned(),
            flights: union(members.iter().map(|(_, draft)| *draft)),
            is_paused: members.iter().all(|(_, draft)| is_paused(draft)),
            campaigns: Vec::new(),
        },
        members: members.iter().map(|(_, draft)| hash_of(&draft.cid)).collect(),
    }
}

/// The budgets and the orders as the snapshot holds them. `campaigns` are in the order of the snapshot.
pub(crate) fn placed(
    budgets: Vec<BudgetDraft>,
    orders: Vec<Order>,
    campaigns: &[CampaignDraft],
) -> (Vec<BudgetDraft>, Vec<OrderDraft>) {
    let positions: HashMap<u64, u32> = campaigns.iter().map(|campaign| hash_of(&campaign.cid)).zip(0..).collect();
    let position = |key: &u64| positions.get(key).copied();
    let own =
        budgets.into_iter().map(|budget| BudgetDraft { position: position(&budget.key).unwrap_or_default(), ..budget });
    let mut budgets: Vec<BudgetDraft> = own.collect();
    let first = u32::try_from(campaigns.len()).unwrap_or(u32::MAX);
    let mut drafts = Vec::new();
    for (Order { budget, draft, members }, position_of_budget) in orders.into_iter().zip(first..) {
        let mut campaigns: Vec<u32> = members.iter().filter_map(position).collect();
        campaigns.sort_unstable();
        budgets.push(BudgetDraft { position: position_of_budget, ..budget });
        drafts.push(OrderDraft { campaigns, ..draft });
    }
    budgets.sort_unstable_by_key(|budget| budget.key);
    (budgets, drafts)
}

fn flights(campaign: &CampaignDraft) -> &[(i64, i64)] {
    campaign.bounds.first().map(|bounds| bounds.flights.as_slice()).unwrap_or_default()
}

fn is_paused(campaign: &CampaignDraft) -> bool {
    campaign.bounds.iter().any(|bounds| bounds.paused)
}

/// When at least one of these campaigns runs. Empty if one always runs, or if all are paused.
fn union<'d>(campaigns: impl Iterator<Item = &'d CampaignDraft>) -> Vec<(i64, i64)> {
    const ALWAYS: (i64, i64) = (i64::MIN, i64::MAX);
    let own = |campaign: &'d CampaignDraft| if flights(campaign).is_empty() { &[ALWAYS] } else { flights(campaign) };
    let mut spans: Vec<(i64, i64)> = campaigns.filter(|one| !is_paused(one)).flat_map(own).copied().collect();
    spans.sort_unstable();
    let mut union: Vec<(i64, i64)> = Vec::new();
    for (start, end) in spans {
        match union.last_mut().filter(|(_, before)| start <= *before) {
            Some((_, before)) => *before = end.max(*before),
            None => union.push((start, end)),
        }
    }
    if union == [ALWAYS] { Vec::new() } else { union }
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, right};
    use crate::zones_of;
    use auction::write::budgets;
    use serde_json::{Value, json};

    #[test]
    fn campaigns_of_an_order_have_one_budget() {
        let curve: Vec<i32> = (0..24).map(|hour| if hour < 23 { 1 } else { 2 }).collect();
        let mut document = right();
        document["orders"] = json!([{"id": "io", "budget": {"total": "50"}, "cur": "EUR", "zone": "Europe/Berlin",
            "pacing": "asap", "curve": curve}]);
        let flights =
            json!([{"start": "1970-01-01T00:00Z", "end": "1970-01-03T00:00Z"}, {"start": "1970-01-05T00:00Z"}]);
        let campaigns = [
            json!({"budget_of": "io", "cur": "EUR", "start": "1970-01-02T00:00Z", "end": "1970-01-04T00:00Z"}),
            json!({"budget": {"daily": "5"}}),
            json!({"budget_of": "io", "cur": "EUR", "flights": flights}),
            json!({"budget_of": "io", "cur": "EUR", "paused": true}),
            json!({}),
        ];
        let campaign = |(position, more): (usize, &Value)| {
            let mut campaign = right()["campaigns"][0].take();
            campaign.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            (campaign["cid"], campaign["max_cpm"]) = (format!("c{position}").into(), (position + 1).to_string().into());
            campaign
        };
        document["campaigns"] = campaigns.iter().enumerate().map(campaign).collect();
        assert_eq!(zones_of(document.to_string().as_bytes()), ["Europe/Berlin"]);
        let snapshot = compiled(&document).unwrap().snapshot;
        let catalog = snapshot.catalog();
        let mut list = String::new();
        budgets(&mut list, &catalog, pacing::part::Part::WHOLE);
        let order = r#"{"order":"io","members":["c3","c2","c0"],"cur":"EUR","zone":"Europe/Berlin","key":"KEY","total":50000000000,"flights":[{"start":0,"end":259200000},{"start":345600000}],"curve":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2],"changes":[0,120,1792890000000,60],"asap":true}"#;
        let order = order.replace("KEY", &format!("{:016x}", super::order_key("io")));
        let own = r#"{"cid":"c1","cur":"USD","key":"KEY","daily":5000000000}"#;
        let own = own.replace("KEY", &format!("{:016x}", super::hash_of("c1")));
        let starts = |expected: &str| list.starts_with(&format!(r#"{{"budgets":[{expected}],"ssps":"#));
        assert!(starts(&format!("{own},{order}")) || starts(&format!("{order},{own}")), "{list}");
        let numbers: Vec<_> = (0..6).map(|position| catalog.budgets.number(position)).collect();
        // By worth: c4, c3, c2, c0 (euros), c1.
        let cids: Vec<&str> = catalog.parts().campaigns().iter().map(|campaign| campaign.cid()).collect();
        let of = |cid: &str| numbers[cids.iter().position(|one| *one == cid).unwrap()];
        assert!(of("c0").is_some() && of("c0") == of("c2") && of("c2") == of("c3"), "{numbers:?}");
        assert!(of("c1").is_some() && of("c1") != of("c0") && of("c4").is_none(), "{numbers:?}");
        assert_eq!(catalog.parts().budget_key("c2"), super::order_key("io"));
    }
}
