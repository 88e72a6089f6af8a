//! Notes on parts of a document that are valid but probably mistakes: rules that cannot all hold, regions without a
//! country, and SSPs that never get a bid.

use std::collections::HashSet;

use super::dimensions::{name_of, segment};
use super::iso;
use crate::drafts::Drafts;
use base::domain::and_parents;
use catalog::{BoundsDraft, CampaignDraft, DataRuleDraft, RuleDraft, Side};
use document::check::At;
use document::decode::Rule;
use document::{CampaignEntry, CreativeEntry, Document};
use openrtb::data::OBJECTS;
use openrtb::read::spec;
use reasons::kind::{CHANNELS, Dimension, Kind, kind_of};
use reasons::no_bid::NoBidReason;

pub(crate) fn check(drafts: &Drafts<'_>, at: &At<'_>) {
    for (at, entry, campaign) in drafts.campaigns().filter(|(_, entry, _)| entry.target.is_some()) {
        let (target, rules) = (at.attribute("target"), Rules(campaign));
        both_sides(&rules, &target);
        regions(&rules, &target);
        channels(&rules, &target);
        media(entry, &rules, drafts, &target);
        campaign.bounds.iter().for_each(|bounds| versions(bounds, &target));
    }
    unserved(drafts.document, at);
}

/// Notes that the attribute `name` alone keeps the campaign from bidding.
fn never_bids(at: &At<'_>, name: &str, why: &str, expected: &str) {
    at.attribute(name).report(Rule::NoBids, format!("{why}, so the campaign never bids; expected {expected}"));
}

/// The rules of a campaign.
pub(super) struct Rules<'d>(pub(super) &'d CampaignDraft);

impl<'d> Rules<'d> {
    pub(super) fn all(&self) -> impl Iterator<Item = &'d RuleDraft> {
        let CampaignDraft { request_rules, imp_rules, spot_rules, .. } = self.0;
        request_rules.iter().chain(imp_rules).chain(spot_rules)
    }

    fn get(&self, reason: NoBidReason, side: Side) -> Option<&'d RuleDraft> {
        self.all().find(|rule| rule.reason() == reason && rule.side() == side)
    }

    fn values(&self, reason: NoBidReason, side: Side) -> Vec<&'d str> {
        self.get(reason, side).into_iter().flat_map(RuleDraft::values).map(|(value, _)| value).collect()
    }

    fn has_lists(&self, reason: NoBidReason, side: Side) -> bool {
        self.get(reason, side).is_some_and(|rule| rule.lists().next().is_some())
    }
}

/// Notes values that are both included and excluded.
fn both_sides(rules: &Rules<'_>, at: &At<'_>) {
    for rule in rules.all().filter(|rule| rule.side() == Side::Include) {
        let Some(excluded) = rules.get(rule.reason(), Side::Exclude) else { continue };
        let name = name_of(rule.reason());
        if kind_of(rule.reason()) == Some(Kind::Address) {
            if rule.values().all(|list| excluded.values().any(|other| other == list)) {
                never_bids(at, name, "every included list is also excluded", "different lists");
            }
            continue;
        }
        let text = |(first, second)| match kind_of(rule.reason()) {
            Some(Kind::Segment) => segment(first, second),
            _ => String::from(first),
        };
        overlap(name, rule.values().map(text), excluded.values().map(text), at);
        let is_excluded = |(list, _)| excluded.lists().any(|(other, _)| other == list);
        if rule.values().next().is_none() && rule.lists().all(is_excluded) {
            never_bids(at, name, "every included list is also excluded", "different lists");
        }
    }
    for bounds in &rules.0.bounds {
        let texts = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().into_iter();
        overlap("mm", texts(&bounds.mm.0), texts(&bounds.mm.1), at);
        overlap("eids", bounds.eids.0.iter().cloned(), bounds.eids.1.iter().cloned(), at);
        let is_void = |DataRuleDraft { values: (include, exclude), .. }: &DataRuleDraft| {
            let is_excluded = |one: &String| exclude.iter().any(|other| one.eq_ignore_ascii_case(other));
            !include.is_empty() && include.iter().all(is_excluded)
        };
        if bounds.data.iter().any(is_void) {
            never_bids(at, "data", "every included value is also excluded", "different values");
        }
    }
}

fn overlap(name: &str, include: impl Iterator<Item = String>, exclude: impl Iterator<Item = String>, at: &At<'_>) {
    let include: Vec<String> = include.collect();
    let excluded: HashSet<String> = exclude.map(|text| text.to_ascii_lowercase()).collect();
    let is_excluded = |text: &str| {
        let text = text.to_ascii_lowercase();
        excluded.contains(&text) || name == "domain" && and_parents(&text).any(|parent| excluded.contains(parent))
    };
    let both: Vec<(usize, &String)> = include.iter().enumerate().filter(|(_, text)| is_excluded(text)).collect();
    if !both.is_empty() && both.len() == include.len() {
        return never_bids(at, name, "every included value is also excluded", "different values");
    }
    for (i, text) in both {
        let message =
            format!("{text:?} is also excluded, and exclude counts; expected it in only one of include and exclude");
        at.attribute(name).item("include", i).report(Rule::Contradiction, message);
    }
}

/// Notes regions without their country: many countries have the same codes.
fn regions(rules: &Rules<'_>, at: &At<'_>) {
    use NoBidReason::{Country, Region};
    let [included, excluded] = [Side::Include, Side::Exclude].map(|side| rules.values(Region, side));
    let [countries, not_in] = [Side::Include, Side::Exclude].map(|side| rules.values(Country, side));
    let country_of = |region: &str| region.split_once('-').and_then(|(alpha_2, _)| iso::alpha_3(alpha_2));
    // Nobody knows which countries a list has.
    let has_list = rules.has_lists(Country, Side::Include);
    let unclear = included.iter().chain(&excluded).find(|region| country_of(region).is_none());
    if let Some(unclear) = unclear.filter(|_| countries.is_empty() && !has_list) {
        let message = format!(
            "{unclear:?} may be a region of several countries; expected the region's country in target.country.include"
        );
        at.attribute("region").report(Rule::Ambiguous, message);
    }
    let is = |list: &[&str], code: &str| list.iter().any(|one| one.eq_ignore_ascii_case(code));
    let is_out = |code: &str| is(&not_in, code) || !countries.is_empty() && !has_list && !is(&countries, code);
    let are_out = included.iter().all(|region| country_of(region).is_some_and(is_out));
    if !included.is_empty() && !rules.has_lists(Region, Side::Include) && are_out {
        never_bids(at, "region", "no included region is in a country of target.country", "at least one");
    }
}

/// Notes attributes that requests from the targeted channels never have.
fn channels(rules: &Rules<'_>, at: &At<'_>) {
    let sums = rules.values(NoBidReason::Channel, Side::Include);
    let is_taken = |bit: i64| sums.iter().any(|sum| *sum == bit.to_string());
    let taken: Vec<&str> = CHANNELS.iter().filter(|(_, bit)| is_taken(*bit)).map(|(name, _)| *name).collect();
    if taken.is_empty() {
        return;
    }
    let has = |path: &str| match path.split_once('.') {
        Some(("channel", rest)) => taken.iter().any(|channel| spec::has(&format!("{channel}.{rest}"))),
        Some(("person" | "user", _) | ("device", "ip" | "ipv6")) => taken != ["dooh"],
        _ => true,
    };
    let of_dimensions = needed(&rules.0.request_rules).filter(|dimension| {
        let mut paths = dimension.paths.iter().flat_map(|path| path.split('|'));
        !paths.any(has)
    });
    let has_yob = rules.0.bounds.iter().any(|bounds| bounds.yob.is_some());
    let yob = (has_yob && taken == ["dooh"]).then_some("yob");
    let of_data = rules.0.bounds.iter().flat_map(|bounds| &bounds.data);
    let of_data = of_data.filter(|rule| !rule.values.0.is_empty() || rule.is_needed);
    let is_untold = |rule: &DataRuleDraft| match OBJECTS.get(usize::from(rule.object)) {
        Some(&"imp") | None => false,
        Some(&"user") => taken == ["dooh"],
        Some(channel) => !taken.contains(channel),
    };
    let data = of_data.into_iter().any(is_untold).then_some("data");
    for name in of_dimensions.map(|dimension| dimension.name).chain(yob).chain(data) {
        let why = format!("requests with {} never have it", taken.join(" or "));
        never_bids(at, name, &why, "another channel in target.channel");
    }
}

/// The dimensions in which a request without a value does not match.
fn needed(rules: &[RuleDraft]) -> impl Iterator<Item = &'static Dimension> {
    let mut reasons: Vec<_> = rules.iter().filter(|rule| rule.side() != Side::Exclude).map(RuleDraft::reason).collect();
    reasons.dedup();
    reasons.into_iter().filter_map(Dimension::of)
}

/// Notes version ranges with `min` above `max`. Only the parts that both versions have are compared.
fn versions(BoundsDraft { osv: (min, max), .. }: &BoundsDraft, at: &At<'_>) {
    let parts = |text: &str| text.split('.').map_while(|part| part.parse().ok()).collect::<Vec<u64>>();
    let (lowest, highest) = (parts(min), parts(max));
    let differ = lowest.iter().zip(&highest).find(|(low, high)| low != high);
    if differ.is_some_and(|(low, high)| low > high) {
        never_bids(at, "osv", &format!("min {min:?} is above max {max:?}"), "min not above max");
    }
}

/// Notes rules on ad objects, e.g. `video`, for which the campaign has no creative.
fn media(campaign: &CampaignEntry, rules: &Rules<'_>, drafts: &Drafts<'_>, at: &At<'_>) {
    let entry = |crid: &str| drafts.document.creatives.get(drafts.references.crids.get(crid)?);
    let shown: Option<Vec<&CreativeEntry>> = campaign.creatives.iter().map(|shown| entry(&shown.crid)).collect();
    // An unknown creative has its own finding.
    let Some(shown) = shown.filter(|shown| !shown.is_empty()) else { return };
    let has = |media: &str| {
        shown.iter().any(|creative| match media {
            "banner" => creative.banner.is_some(),
            "video" => creative.video.is_some(),
            _ => creative.audio.is_some(),
        })
    };
    for Dimension { name, paths, .. } in needed(&rules.0.spot_rules) {
        let is_sent = |media: &&str| paths.iter().any(|path| spec::has(&path.replace("spot", &format!("imp.{media}"))));
        let media: Vec<&str> = ["banner", "video", "audio"].into_iter().filter(is_sent).collect();
        if !media.iter().any(|media| has(media)) {
            never_bids(at, name, &format!("no creative of the campaign is {}", media.join(" or ")), "such a creative");
        }
    }
}

/// Notes SSPs that no campaign buys from.
fn unserved(document: &Document, at: &At<'_>) {
    // An error may hide a campaign that buys from the SSP.
    if !at.findings().iter().all(|finding| finding.rule.is_note()) {
        return;
    }
    if document.campaigns.is_empty() {
        let message = "empty, so there is never a bid; expected at least one campaign";
        return at.attribute("campaigns").report(Rule::NoBids, message);
    }
    for (i, ssp) in document.ssps.iter().enumerate() {
        if !document.campaigns.iter().any(|campaign| campaign.buys_from(&ssp.id)) {
            let message =
                "no campaign buys from this SSP, so it never gets a bid; expected its id in the ssps of a campaign";
            at.item("ssps", i).report(Rule::NoBids, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, with};
    use document::TargetEntry;
    use document::decode::Object;
    use serde_json::json;

    #[test]
    fn every_list_of_a_target_is_checked() {
        let audio =
            json!({ "dur": 5, "protocol": 3, "media": [{ "url": "https://c.example/1", "mime": "audio/mp4" }] });
        let mut checked = 0;
        for attribute in TargetEntry::ATTRIBUTES {
            for value in [json!("de"), json!("deu"), json!(1)] {
                let target = json!({ attribute.wire: { "include": [value], "exclude": [value] } });
                let mut document = with([("campaigns", json!({ "creatives": ["c", "audio"], "target": target }))]);
                document["creatives"].as_array_mut().unwrap().push(json!({ "crid": "audio", "audio": audio }));
                let Ok(compiled) = compiled(&document) else { continue };
                let mut notes = compiled.notes.iter();
                assert!(
                    notes.any(|note| note.message.starts_with("every included value is also excluded")),
                    "{target}"
                );
                checked += 1;
            }
        }
        assert!(checked >= 24 + 9, "{checked}");
    }
}
