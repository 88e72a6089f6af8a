//! Checks orders, budgets that campaigns share, and makes them ready to serve.

use std::collections::{BTreeMap, HashMap};

use bidder_wasm::catalog::{BudgetDraft, CampaignDraft, OrderDraft, order_key};
use bidder_wasm::money::Rates;
use bidder_wasm::notices::hash_of;

use super::budget::{Limits, Way};
use super::prices::currency;
use crate::compile::check::{out_of_range, suggestion, unique_ids};
use crate::compile::document::{CampaignEntry, Document, OrderEntry};
use crate::compile::scalars::Amount;
use crate::compile::targets::hours::Zone;
use crate::decode::{Finding, Rule};

/// An order that has campaigns. Their positions are not known yet.
pub(crate) struct Compiled {
    pub(crate) budget: BudgetDraft,
    draft: OrderDraft,
    /// The hashes of its campaigns.
    members: Vec<u64>,
}

/// The orders of the document that have campaigns. `campaigns` are in the order of the document.
pub(crate) fn compile(
    document: &Document,
    campaigns: &[CampaignDraft],
    rates: &Rates,
    zones: &[Zone],
    findings: &mut Vec<Finding>,
) -> Vec<Compiled> {
    let ids = || document.orders.iter().map(|entry| entry.id.as_deref().unwrap_or_default());
    unique_ids("orders", "id", ids(), findings);
    let of_orders = members(document, findings);
    let cids: HashMap<&str, usize> =
        document.campaigns.iter().enumerate().filter_map(|(i, entry)| Some((entry.cid.as_deref()?, i))).collect();
    let mut compiled = Vec::new();
    for (i, entry) in document.orders.iter().enumerate() {
        let (path, id) = (format!("orders[{i}]"), entry.id.as_deref().unwrap_or_default());
        if let Some(at) = cids.get(id) {
            let message = format!("{id:?} is the cid of campaigns[{at}]; expected an id that no campaign has");
            out_of_range(&format!("{path}.id"), message, findings);
        }
        let places = of_orders.get(id).map(Vec::as_slice).unwrap_or_default();
        let member = |place: &usize| Some((document.campaigns.get(*place)?, campaigns.get(*place)?));
        let members: Vec<_> = places.iter().filter_map(member).collect();
        let order = order(entry, &members, rates, zones, &path, findings);
        if members.is_empty() {
            let message = format!("no campaign has budget_of {id:?}; expected at least one");
            findings.push(Finding::new(path, Rule::NoBids, message));
        } else {
            compiled.push(order);
        }
    }
    compiled
}

/// The orders as the snapshot holds them. `campaigns` are in the order of the snapshot.
pub(crate) fn drafts(orders: Vec<Compiled>, campaigns: &[CampaignDraft]) -> Vec<OrderDraft> {
    if orders.is_empty() {
        return Vec::new();
    }
    let positions: BTreeMap<u64, u32> =
        campaigns.iter().zip(0..).map(|(campaign, position)| (hash_of(&campaign.cid), position)).collect();
    let draft = |Compiled { draft, members, .. }: Compiled| {
        let mut campaigns: Vec<u32> = members.iter().filter_map(|member| positions.get(member).copied()).collect();
        campaigns.sort_unstable();
        OrderDraft { campaigns, ..draft }
    };
    orders.into_iter().map(draft).collect()
}

/// The places of the campaigns of each order, by the order's id.
fn members<'d>(document: &'d Document, findings: &mut Vec<Finding>) -> HashMap<&'d str, Vec<usize>> {
    let orders: HashMap<&str, &OrderEntry> =
        document.orders.iter().filter_map(|order| Some((order.id.as_deref()?, order))).collect();
    let mut members: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let Some(id) = campaign.budget_of.as_deref() else { continue };
        let path = format!("campaigns[{i}].budget_of");
        let Some(order) = orders.get(id) else {
            let ids = document.orders.iter().filter_map(|order| order.id.as_deref());
            let message = suggestion(id, ids, "an id in orders", findings);
            findings.push(Finding::new(path, Rule::Unknown, format!("{id:?} does not exist; {message}")));
            continue;
        };
        members.entry(id).or_default().push(i);
        let [own, shared] = [&campaign.cur, &order.cur].map(|cur| cur.as_deref().unwrap_or("USD"));
        if own != shared {
            let message = format!("the order {id:?} is in {shared}, the campaign in {own}; expected one currency");
            out_of_range(&path, message, findings);
        }
    }
    members
}

fn order(
    entry: &OrderEntry,
    members: &[(&CampaignEntry, &CampaignDraft)],
    rates: &Rates,
    zones: &[Zone],
    path: &str,
    findings: &mut Vec<Finding>,
) -> Compiled {
    let (id, name) = (entry.id.as_deref().unwrap_or_default(), entry.cur.as_deref().unwrap_or("USD"));
    let cur = currency(name, rates, &format!("{path}.cur"), findings);
    let zone = entry.zone.as_deref();
    if let Some(name) = zone.filter(|name| !zones.iter().any(|known| known.name == *name)) {
        let message = format!("{name:?} is not a known time zone; expected an IANA name such as Europe/Berlin");
        out_of_range(&format!("{path}.zone"), message, findings);
    }
    let flights = union(members.iter().map(|(_, draft)| *draft));
    let way = Way::compile(entry.pacing, &entry.curve, path, findings);
    let is_endless = |draft: &CampaignDraft| {
        let last = draft.bounds.first().and_then(|bounds| bounds.flights.last());
        last.is_none_or(|(_, end)| *end == i64::MAX)
    };
    let limits = entry.budget.as_ref().map(|budget| {
        let limits = Limits {
            budget,
            is_asap: way.is_asap,
            cur: name,
            max_cpm: members.iter().filter_map(|(member, _)| member.max_cpm).max_by_key(|Amount(most)| *most),
            endless: members.iter().any(|(_, draft)| is_endless(draft)).then_some("a campaign of the order has"),
        };
        limits.compile(&format!("{path}.budget"), findings)
    });
    Compiled {
        budget: way.budget(order_key(id), limits.unwrap_or_default(), zone, zones),
        draft: OrderDraft {
            id: id.to_owned(),
            cur,
            zone: zone.unwrap_or_default().to_owned(),
            flights,
            is_paused: members.iter().all(|(_, draft)| is_paused(draft)),
            campaigns: Vec::new(),
        },
        members: members.iter().map(|(_, draft)| hash_of(&draft.cid)).collect(),
    }
}

fn is_paused(campaign: &CampaignDraft) -> bool {
    campaign.bounds.iter().any(|bounds| bounds.paused)
}

/// When at least one of these campaigns runs. Empty if one always runs, or if all are paused.
fn union<'d>(campaigns: impl Iterator<Item = &'d CampaignDraft>) -> Vec<(i64, i64)> {
    const ALWAYS: (i64, i64) = (i64::MIN, i64::MAX);
    let mut spans: Vec<(i64, i64)> = Vec::new();
    for campaign in campaigns.filter(|campaign| !is_paused(campaign)) {
        let own = campaign.bounds.first().map(|bounds| &bounds.flights[..]).unwrap_or_default();
        spans.extend_from_slice(if own.is_empty() { &[ALWAYS] } else { own });
    }
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
    use crate::compile::{Zone, compile, zones_of};
    use bidder_wasm::write::budgets;

    fn document(orders: &str, campaigns: &[&str]) -> String {
        let campaigns = campaigns.iter().enumerate().map(|(i, more)| {
            format!(
                r#"{{"cid":"c{i}","seat":"s","adomain":["a.example"],"max_cpm":"{}","creatives":["c"]{more}}}"#,
                i + 1
            )
        });
        format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"rates":[{{"cur":"EUR","usd":"1.1"}}],"ssps":[{{"id":"s"}}],
            "creatives":[{{"crid":"c","banner":{{"w":1,"h":1,"adm":"a"}}}}],"orders":[{orders}],"campaigns":[{}]}}"#,
            campaigns.collect::<Vec<_>>().join(",")
        )
    }

    #[test]
    fn campaigns_of_an_order_have_one_budget() {
        let order = r#"{"id":"io","budget":{"total":"50"},"cur":"EUR","zone":"Europe/Berlin","pacing":"asap","curve":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]}"#;
        let text = document(
            order,
            &[
                r#","budget_of":"io","cur":"EUR","start":"1970-01-02T00:00Z","end":"1970-01-04T00:00Z""#,
                r#","budget":{"daily":"5"}"#,
                r#","budget_of":"io","cur":"EUR","flights":[{"start":"1970-01-01T00:00Z","end":"1970-01-03T00:00Z"},{"start":"1970-01-05T00:00Z"}]"#,
                r#","budget_of":"io","cur":"EUR","paused":true"#,
                "",
            ],
        );
        assert_eq!(zones_of(text.as_bytes()), ["Europe/Berlin"]);
        let berlin = Zone { name: "Europe/Berlin".to_owned(), changes: vec![(0, 60)] };
        let snapshot = compile(text.as_bytes(), &[berlin]).unwrap().snapshot;
        let catalog = snapshot.catalog();
        let mut list = String::new();
        budgets(&mut list, &catalog);
        let order = r#"{"order":"io","members":["c3","c2","c0"],"cur":"EUR","zone":"Europe/Berlin","key":"KEY","total":50000000000,"flights":[{"start":0,"end":259200000},{"start":345600000}],"curve":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2],"changes":[0,60],"asap":true}"#;
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
