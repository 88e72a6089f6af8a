//! Notes entries that a list has twice, creatives that no campaign shows, and attributes that are given and say nothing:
//! they limit nothing, which is hardly meant.

use std::collections::{HashMap, HashSet};

use document::check::At;
use document::decode::{Inherits, Rule};
use document::{CampaignEntry, Document, SspEntry};

pub(super) fn check(document: &Document, at: &At<'_>) {
    for (i, ssp) in document.ssps.iter().enumerate() {
        let at = at.item("ssps", i);
        twice(ssp.deals.iter(), &at.attribute("deals"));
        of_ssp(ssp, &at);
    }
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let at = at.item("campaigns", i);
        twice(campaign.ssps.iter(), &at.attribute("ssps"));
        twice(campaign.adomain.iter(), &at.attribute("adomain"));
        if campaign.deals.iter().all(|deal| deal.max_cpm.is_none()) {
            twice(campaign.deals.iter().map(|deal| &deal.id), &at.attribute("deals"));
        }
        of_campaign(campaign, &at);
    }
    unshown(document, at);
}

/// Notes the entries of a list that it has already.
fn twice<'t>(texts: impl Iterator<Item = &'t String>, at: &At<'_>) {
    let mut positions: HashMap<&String, usize> = HashMap::new();
    for (i, text) in texts.enumerate().filter(|(_, text)| !text.is_empty()) {
        let first = *positions.entry(text).or_insert(i);
        if first != i {
            let message = format!("{text:?} is in this list already, at [{first}]; expected it once");
            at.entry(i).report(Rule::Repeated, message);
        }
    }
}

/// In an entry without a template, an empty attribute replaces nothing.
fn of_campaign(entry: &CampaignEntry, at: &At<'_>) {
    if entry.template.is_some() {
        return;
    }
    let empty = [
        ("budget", entry.budget.is_none(), "its spend has no limit"),
        ("target", entry.target.is_none(), "it bids everywhere"),
        ("caps", entry.caps.is_empty(), "a person may see it without limit"),
        ("ssps", entry.ssps.is_empty(), "it buys from all SSPs"),
        ("deals", entry.deals.is_empty() && entry.open != Some(false), "it bids without a deal"),
        ("flights", entry.flights.is_empty(), "it bids at any time"),
        ("start", entry.start.is_none(), "it bids at once"),
        ("end", entry.end.is_none(), "it never ends"),
    ];
    note_empty(entry, &empty, at);
    let Some(target) = &entry.target else { return };
    let empty = [
        ("channel", target.channel.is_empty(), "it bids in all channels"),
        ("hours", target.hours.is_empty(), "it bids at all hours"),
        ("data", target.data.is_empty(), "it takes any first-party data"),
        ("metric", target.metric.is_empty(), "it takes any measurement"),
    ];
    note_empty(target, &empty, &at.attribute("target"));
}

fn of_ssp(entry: &SspEntry, at: &At<'_>) {
    if entry.profile.is_none() {
        note_empty(entry, &[("credentials", entry.credentials.is_empty(), "anybody may send its requests")], at);
    }
}

/// Notes the attributes that the text names, and that have no value. An unreadable value has its own finding.
fn note_empty<T: Inherits>(entry: &T, attributes: &[(&str, bool, &str)], at: &At<'_>) {
    for (name, _, so) in attributes.iter().filter(|(name, is_empty, _)| *is_empty && entry.names(name)) {
        let at = at.attribute(name);
        if !at.is_found() {
            at.report(Rule::Ambiguous, format!("empty, so {so}; expected a value, or no {name} at all"));
        }
    }
}

/// Notes the creatives that no campaign shows, all in one note: a catalog may hold many in reserve.
fn unshown(document: &Document, at: &At<'_>) {
    // An error may hide a campaign or one of its creatives.
    if document.campaigns.is_empty() || !at.findings().iter().all(|finding| finding.rule.is_note()) {
        return;
    }
    let all = document.campaigns.iter().flat_map(|campaign| &campaign.creatives);
    let shown: HashSet<&str> = all.map(|shown| shown.crid.as_str()).collect();
    let mut unshown =
        document.creatives.iter().enumerate().filter(|(_, creative)| !shown.contains(creative.crid.as_str()));
    let Some((first, _)) = unshown.next() else { return };
    let others: Vec<&str> = unshown.map(|(_, creative)| creative.crid.as_str()).collect();
    let named = others.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = match others.len() {
        0 => String::new(),
        one @ 1..=MOST_NAMED => format!(", nor {one} more ({named})"),
        many => format!(", nor {many} more ({named} and others)"),
    };
    let message = format!("no campaign shows it{more}; expected its crid in creatives of a campaign");
    at.item("creatives", first).report(Rule::NoBids, message);
}

/// The most creatives that one note names.
const MOST_NAMED: usize = 5;
