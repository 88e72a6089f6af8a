//! What SSPs have decided about creatives: stored with each SSP that needs approved creatives, and notes campaigns and
//! creatives that cannot be bid there.

use std::collections::{BTreeMap, HashMap};

use crate::drafts::Drafts;
use document::check::{At, Names};
use document::choices::Approval;
use document::decode::Rule;
use document::{ApprovalEntry, Document, SspEntry};

/// The decisions of an SSP about creatives of the catalog: see [`SspDraft::approvals`](catalog::SspDraft).
pub(super) fn of(ssp: &SspEntry, document: &Document) -> Vec<(String, String)> {
    if !ssp.needs_approval {
        return Vec::new();
    }
    let own = document.approvals.iter().filter(|entry| entry.ssp == ssp.id);
    let mut decided: Vec<(String, String)> = own.map(|entry| (entry.crid.clone(), words(entry))).collect();
    decided.sort_unstable();
    decided
}

/// Reports decisions of unknown SSPs, and two about one creative. Notes campaigns that have no approved creative at an SSP
/// that needs one, and creatives that are not bid at an SSP where others of their campaigns are.
pub(crate) fn check(drafts: &Drafts<'_>, at: &At<'_>) {
    let ssps = Names::of(&drafts.document.ssps, |entry| &entry.id, "an id in ssps");
    let mut first = HashMap::new();
    for (i, entry) in drafts.document.approvals.iter().enumerate() {
        let at = at.item("approvals", i);
        ssps.position(&entry.ssp, &at.attribute("ssp"));
        if let Some(earlier) = first.insert((&entry.ssp, &entry.crid), i) {
            let message =
                format!("{:?} of {:?} is in approvals[{earlier}] too; expected it once", entry.crid, entry.ssp);
            at.attribute("crid").error(message);
        }
    }
    // The SSPs where a creative is not bid, and what they have decided.
    let mut waiting: HashMap<&str, BTreeMap<&str, &str>> = HashMap::new();
    for (at, entry, campaign) in drafts.campaigns() {
        for ssp in drafts.ssps_of(campaign).filter(|ssp| ssp.needs_approval) {
            let position = |crid: &String| ssp.approvals.binary_search_by(|(of, _)| of.cmp(crid)).ok();
            let state =
                |crid| position(crid).and_then(|at| ssp.approvals.get(at)).map_or("unknown", |(_, words)| words);
            let states = entry.creatives.iter().map(|shown| (&shown.crid, state(&shown.crid)));
            if states.clone().any(|(_, words)| words.is_empty()) {
                for (crid, words) in states.filter(|(_, words)| !words.is_empty()) {
                    waiting.entry(crid).or_default().insert(&ssp.id, words);
                }
                continue;
            }
            let states: Vec<String> = states.map(|(crid, words)| format!("{crid:?} is {words}")).collect();
            let message = format!(
                "the campaign never bids at {:?}, which needs approved creatives: {}; expected an approved one in approvals",
                ssp.id,
                states.join(", ")
            );
            at.attribute("creatives").report(Rule::NoBids, message);
        }
    }
    for (i, creative) in drafts.document.creatives.iter().enumerate() {
        let Some(ssps) = waiting.get(creative.crid.as_str()) else { continue };
        let states: Vec<String> = ssps.iter().map(|(ssp, words)| format!("{words} at {ssp:?}")).collect();
        let message = format!(
            "not bid where the SSP needs approved creatives: {}; other creatives of its campaigns are bid there",
            states.join(", ")
        );
        at.item("creatives", i).report(Rule::NoBids, message);
    }
}

/// `disapproved since 2026-11-20 (Alcohol)`; empty if approved.
fn words(ApprovalEntry { state, reason, date, .. }: &ApprovalEntry) -> String {
    let state = match state {
        Some(Approval::Approved) => return String::new(),
        Some(Approval::Disapproved) => "disapproved",
        Some(Approval::Pending) | None => "pending",
    };
    let date = if date.is_empty() { String::new() } else { format!(" since {date}") };
    let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
    format!("{state}{date}{reason}")
}
