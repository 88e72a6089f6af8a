//! Notes on parts of a document that are valid but probably mistakes: rules that cannot all hold, regions without a
//! country, and SSPs that never get a bid.

use std::collections::{HashMap, HashSet};

use super::dimensions::{Rules, name_of, rules};
use super::iso;
use crate::compile::document::{CampaignEntry, CreativeEntry, Document, TargetEntry};
use crate::decode::{Finding, Rule};
use bidder_wasm::domain::and_parents;
use bidder_wasm::kind::{CHANNELS, Dimension};
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::read::spec;

pub(crate) fn check(document: &Document, findings: &mut Vec<Finding>) {
    let creatives = document.creatives.iter().map(|entry| (entry.crid.as_str(), entry));
    let creatives: HashMap<&str, &CreativeEntry> = creatives.collect();
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let Some(target) = &campaign.target else { continue };
        let mut notes = Notes { path: format!("campaigns[{i}].target"), findings };
        let rules = rules(target);
        both_sides(target, &rules, &mut notes);
        regions(&rules, &mut notes);
        channels(target, &rules, &mut notes);
        versions(target, &mut notes);
        media(campaign, &rules, &creatives, &mut notes);
    }
    unserved(document, findings);
}

/// Adds notes on one target.
struct Notes<'f> {
    path: String,
    findings: &'f mut Vec<Finding>,
}

impl Notes<'_> {
    fn add(&mut self, rule: Rule, name: &str, message: String) {
        self.findings.push(Finding::new(format!("{}.{name}", self.path), rule, message));
    }
}

/// Notes values that are both included and excluded.
fn both_sides(target: &TargetEntry, rules: &Rules, notes: &mut Notes<'_>) {
    for rule in rules.all() {
        let text = |(first, second): &(String, String)| match rule.reason {
            NoBidReason::Segment => format!("{first}/{second}"),
            _ => first.clone(),
        };
        let texts = |list: &[(String, String)]| list.iter().map(text).collect::<Vec<_>>();
        overlap(name_of(rule.reason), &texts(&rule.include), &texts(&rule.exclude), notes);
        let is_excluded = |list: &String| rule.exclude_lists.contains(list);
        if rule.include.is_empty() && !rule.include_lists.is_empty() && rule.include_lists.iter().all(is_excluded) {
            let message = "every included list is also excluded, so the campaign never bids; expected different lists";
            notes.add(Rule::NoBids, name_of(rule.reason), message.to_owned());
        }
    }
    if let Some(mm) = &target.mm {
        let texts = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>();
        overlap("mm", &texts(&mm.include), &texts(&mm.exclude), notes);
    }
}

fn overlap(name: &str, include: &[String], exclude: &[String], notes: &mut Notes<'_>) {
    if include.is_empty() || exclude.is_empty() {
        return;
    }
    let is_domain = name == "domain";
    let excluded: HashSet<String> = exclude.iter().map(|text| text.to_ascii_lowercase()).collect();
    let is_excluded = |text: &str| {
        let text = text.to_ascii_lowercase();
        excluded.contains(&text) || is_domain && and_parents(&text).any(|parent| excluded.contains(parent))
    };
    let both: Vec<(usize, &String)> = include.iter().enumerate().filter(|(_, text)| is_excluded(text)).collect();
    if both.len() == include.len() {
        let message = "every included value is also excluded, so the campaign never bids; expected different values";
        notes.add(Rule::NoBids, name, message.to_owned());
        return;
    }
    for (i, text) in both {
        let message =
            format!("{text:?} is also excluded, and exclude counts; expected it in only one of include and exclude");
        notes.add(Rule::Contradiction, &format!("{name}.include[{i}]"), message);
    }
}

/// Notes regions without their country: many countries have the same codes.
fn regions(rules: &Rules, notes: &mut Notes<'_>) {
    let (country, region) = (rules.of(NoBidReason::Country), rules.of(NoBidReason::Region));
    let of = |region: &str| region.split_once('-').and_then(|(alpha_2, _)| iso::alpha_3(alpha_2));
    let unclear = region.include.iter().chain(&region.exclude).find(|(region, _)| of(region).is_none());
    if let Some((unclear, _)) = unclear.filter(|_| country.include.is_empty() && country.include_lists.is_empty()) {
        let message = format!(
            "{unclear:?} may be a region of several countries; expected the region's country in target.country.include"
        );
        notes.add(Rule::Ambiguous, "region", message);
    }
    let is = |list: &[(String, String)], code: &str| list.iter().any(|(one, _)| one.eq_ignore_ascii_case(code));
    // Nobody knows which countries a list has.
    let is_listed = !country.include.is_empty() && country.include_lists.is_empty();
    let is_out = |code: &str| is(&country.exclude, code) || is_listed && !is(&country.include, code);
    if !region.include.is_empty()
        && region.include_lists.is_empty()
        && region.include.iter().all(|(region, _)| of(region).is_some_and(is_out))
    {
        let message =
            "no included region is in a country of target.country, so the campaign never bids; expected at least one";
        notes.add(Rule::NoBids, "region", message.to_owned());
    }
}

/// Notes attributes that requests from the targeted channels never have.
fn channels(target: &TargetEntry, rules: &Rules, notes: &mut Notes<'_>) {
    let sums = rules.of(NoBidReason::Channel).include;
    let is_taken = |bit: i64| sums.iter().any(|(sum, _)| *sum == bit.to_string());
    let taken: Vec<&str> = CHANNELS.iter().filter(|(_, bit)| is_taken(*bit)).map(|(name, _)| *name).collect();
    if taken.is_empty() {
        return;
    }
    for rule in rules.request.iter().filter(|rule| rule.needs_value()) {
        let paths = || Dimension::of(rule.reason).into_iter().flat_map(|dimension| dimension.paths);
        let has = |path: &&str| match path.split_once('.') {
            Some(("channel", rest)) => taken.iter().any(|channel| spec::has(&format!("{channel}.{rest}"))),
            Some(("person" | "user", _)) => taken != ["dooh"],
            _ => true,
        };
        if !paths().flat_map(|path| path.split('|')).any(|path| has(&path)) {
            not_sent(name_of(rule.reason), &taken, notes);
        }
    }
    if target.yob.is_some() && taken == ["dooh"] {
        not_sent("yob", &taken, notes);
    }
}

fn not_sent(name: &str, channels: &[&str], notes: &mut Notes<'_>) {
    let message = format!(
        "requests with {} never have it, so the campaign never bids; expected another channel in target.channel",
        channels.join(" or ")
    );
    notes.add(Rule::NoBids, name, message);
}

/// Notes version ranges with `min` above `max`. Only the parts that both versions have are compared.
fn versions(target: &TargetEntry, notes: &mut Notes<'_>) {
    let Some((min, max)) = target.osv.as_ref().and_then(|osv| osv.min.as_ref().zip(osv.max.as_ref())) else { return };
    let parts = |text: &str| text.split('.').map_while(|part| part.parse().ok()).collect::<Vec<u64>>();
    let (lowest, highest) = (parts(min), parts(max));
    let differ = lowest.iter().zip(&highest).find(|(low, high)| low != high);
    if differ.is_some_and(|(low, high)| low > high) {
        let message =
            format!("min {min:?} is above max {max:?}, so the campaign never bids; expected min not above max");
        notes.add(Rule::NoBids, "osv", message);
    }
}

/// Notes rules on ad objects, e.g. `video`, for which the campaign has no creative.
fn media(campaign: &CampaignEntry, rules: &Rules, creatives: &HashMap<&str, &CreativeEntry>, notes: &mut Notes<'_>) {
    let shown: Option<Vec<&CreativeEntry>> =
        campaign.creatives.iter().map(|shown| creatives.get(shown.crid.as_str()).copied()).collect();
    // An unknown creative has its own finding.
    let Some(shown) = shown.filter(|shown| !shown.is_empty()) else { return };
    let has = |media: &str| {
        shown.iter().any(|creative| match media {
            "banner" => creative.banner.is_some(),
            "video" => creative.video.is_some(),
            _ => creative.audio.is_some(),
        })
    };
    for rule in rules.spot.iter().filter(|rule| rule.needs_value()) {
        let paths = || Dimension::of(rule.reason).into_iter().flat_map(|dimension| dimension.paths);
        let is_sent = |media: &&str| paths().any(|path| spec::has(&path.replace("spot", &format!("imp.{media}"))));
        let media: Vec<&str> = ["banner", "video", "audio"].into_iter().filter(is_sent).collect();
        if !media.iter().any(|media| has(media)) {
            let message = format!(
                "no creative of the campaign is {}, so the campaign never bids; expected such a creative",
                media.join(" or ")
            );
            notes.add(Rule::NoBids, name_of(rule.reason), message);
        }
    }
}

/// Notes SSPs that no campaign buys from.
fn unserved(document: &Document, findings: &mut Vec<Finding>) {
    // An error may hide a campaign that buys from the SSP.
    if !findings.iter().all(|finding| finding.rule.is_note()) {
        return;
    }
    let campaigns = &document.campaigns;
    if campaigns.is_empty() {
        let message = "empty, so there is never a bid; expected at least one campaign".to_owned();
        findings.push(Finding::new("campaigns".to_owned(), Rule::NoBids, message));
        return;
    }
    if campaigns.iter().any(|campaign| campaign.ssps.is_empty()) {
        return;
    }
    let served: HashSet<&str> = campaigns.iter().flat_map(|campaign| &campaign.ssps).map(String::as_str).collect();
    for (i, ssp) in document.ssps.iter().enumerate() {
        if !served.contains(ssp.id.as_str()) {
            let message =
                "no campaign buys from this SSP, so it never gets a bid; expected its id in the ssps of a campaign";
            findings.push(Finding::new(format!("ssps[{i}]"), Rule::NoBids, message.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;
    use crate::compile::document::TargetEntry;
    use crate::decode::{Finding, Object};

    const CREATIVES: &str = r#"{"crid":"banner","banner":{"w":1,"h":1,"adm":"<b>"}},{"crid":"audio","audio":{"dur":5,"protocol":3,"media":[{"url":"https://c.example/1","mime":"audio/mp4"}]}}"#;

    /// `path rule` of each note on a catalog with these SSPs and campaigns.
    fn noted(ssps: &str, campaigns: &str) -> Vec<String> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{ssps}],"creatives":[{CREATIVES}],"campaigns":[{campaigns}]}}"#
        );
        let compiled = compile(document.as_bytes(), &[]).unwrap_or_else(|findings| panic!("{document}: {findings:?}"));
        compiled.notes.iter().map(|Finding { path, rule, .. }| format!("{path} {rule}")).collect()
    }

    fn campaign(more: &str) -> String {
        format!(
            r#"{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["banner","audio"],{more}}}"#
        )
    }

    #[test]
    fn every_list_of_a_target_is_checked() {
        let mut checked = 0;
        for attribute in TargetEntry::ATTRIBUTES {
            let name = attribute.wire;
            for value in [r#""de""#, r#""deu""#, "1"] {
                let target = format!(r#""{name}":{{"include":[{value}],"exclude":[{value}]}}"#);
                let document = format!(
                    r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[],"creatives":[{CREATIVES}],"campaigns":[{}]}}"#,
                    campaign(&format!(r#""target":{{{target}}}"#))
                );
                let Ok(compiled) = compile(document.as_bytes(), &[]) else { continue };
                let is_noted = |finding: &Finding| finding.message.starts_with("every included value is also excluded");
                assert!(compiled.notes.iter().any(is_noted), "{target}");
                checked += 1;
            }
        }
        assert!(checked >= 24 + 9, "{checked}");
    }

    #[test]
    fn empty_catalogs_and_ssps_without_campaigns_are_noted() {
        let (both, one) = (r#"{"id":"a"},{"id":"b"}"#, campaign(r#""ssps":["b"]"#));
        assert_eq!(noted(both, ""), ["campaigns no-bids"]);
        assert_eq!(noted(both, &one), ["ssps[0] no-bids"]);
        let all = one.replace(r#""ssps":["b"]"#, r#""ssps":[]"#).replace(r#""cid":"c""#, r#""cid":"d""#);
        assert_eq!(noted(both, &format!("{one},{all}")), [""; 0]);
    }
}
