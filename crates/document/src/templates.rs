//! Templates: attributes that several campaigns share.
//!
//! [`apply`] completes the campaigns before anything is compiled, so no other part knows templates. [`relocate`] then
//! moves the findings on inherited attributes to the template, which has the text.

use std::collections::{HashMap, HashSet};

use crate::allowed::NAME;
use crate::check::{At, Names};
use crate::decode::{
    Attribute, AttributeName, Context, Finding, Inherits, Json, Object, Rule, Slot, position_of, read_object,
};
use crate::{CampaignEntry, Document, TemplateEntry};
use base::limits::MAX_CATALOG_BYTES;

impl Attribute for TemplateEntry {
    const EXPECTED: &'static str = CampaignEntry::EXPECTED;
    const EXPECTED_LIST: &'static str = CampaignEntry::EXPECTED_LIST;
    const MOST: usize = CampaignEntry::MOST;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        let bytes = value.bytes();
        let (mut id, mut attributes) = (String::new(), CampaignEntry::default());
        let id_slot = Slot::new(AttributeName { wire: "id", required: true }, &mut id).limited(NAME.unique());
        let (mut id_slot, slots) = (Some(id_slot), attributes.slots().into_iter());
        // `id` stands instead of `cid`, so that every other attribute keeps its position.
        let slots =
            slots.map(|slot| if slot.name() == "cid" { id_slot.take().unwrap_or(slot) } else { slot.optional() });
        let given = read_object(value, &mut slots.collect::<Vec<_>>(), cx)?;
        attributes.given = position_of::<CampaignEntry>("cid").map_or(given, |position| given.without(position));
        Some(TemplateEntry { id, attributes, bytes })
    }
}

/// Completes the campaigns that have a template. A short document could become endless by that, so there is a limit.
pub fn apply(document: &mut Document, at: &At<'_>) {
    let Document { templates, campaigns, .. } = document;
    for (i, _) in templates.iter().enumerate().filter(|(_, entry)| entry.attributes.template.is_some()) {
        let message = "a template in a template; expected the template only in campaigns";
        at.item("templates", i).attribute("template").error(message);
    }
    let (names, mut used, mut taken) = (names(templates), HashSet::new(), 0_usize);
    for (i, campaign) in campaigns.iter_mut().enumerate() {
        let (at, Some(name)) = (at.item("campaigns", i), campaign.template.as_deref()) else { continue };
        let position = names.position(name, &at.attribute("template"));
        let Some(template) = position.and_then(|position| templates.get(position as usize)) else { continue };
        used.insert(&template.id);
        taken = taken.saturating_add(template.bytes);
        if taken > MAX_CATALOG_BYTES {
            let message = format!(
                "up to here, campaigns have taken more than {} MB from templates; expected less, such as a list instead of many values",
                MAX_CATALOG_BYTES >> 20
            );
            return at.attribute("template").error(message);
        }
        if let (Some(own), Some(base)) = (&mut campaign.target, &template.attributes.target) {
            own.inherit(base);
        }
        campaign.inherit(&template.attributes);
        for (name, expected) in campaign.missing() {
            let message = format!("missing, also in the template; expected {expected}");
            at.attribute(name).report(Rule::Missing, message);
        }
    }
    // An error may hide a campaign that has the template.
    if !at.findings().iter().all(|finding| finding.rule.is_note()) {
        return;
    }
    for (i, _) in templates.iter().enumerate().filter(|(_, entry)| !used.contains(&entry.id)) {
        let message = "no campaign has this template; expected its id as the template of a campaign";
        at.item("templates", i).report(Rule::NoBids, message);
    }
}

fn names(templates: &[TemplateEntry]) -> Names<'_> {
    Names::of(templates, |entry| &entry.id, "an id in templates")
}

/// Some findings are about attributes that a campaign inherits. This moves them to the template. If several campaigns
/// inherit the same text, their findings become one, which says how many campaigns it is about.
pub fn relocate(document: &Document, findings: &mut Vec<Finding>) {
    if document.templates.is_empty() {
        return;
    }
    let templates = names(&document.templates);
    let mut first: HashMap<(String, String), (usize, usize)> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings.drain(..) {
        let Some((path, cid)) = inherited(document, &templates, &finding.path) else {
            kept.push(finding);
            continue;
        };
        let (_, more) = first.entry((path.clone(), finding.message.clone())).or_insert_with(|| {
            kept.push(Finding { path, of: cid.to_owned(), ..finding });
            (kept.len() - 1, 0)
        });
        *more += 1;
    }
    for (position, campaigns) in first.into_values() {
        let Some(finding) = kept.get_mut(position) else { continue };
        let others = if campaigns > 1 { format!(" and {} more", campaigns - 1) } else { String::new() };
        finding.message = format!("{} (in campaign {}{others})", finding.message, finding.of);
        finding.of.clear();
    }
    *findings = kept;
}

/// The path in the template, and the `cid`, if the attribute at `path` was inherited.
fn inherited<'d>(document: &'d Document, templates: &Names<'_>, path: &str) -> Option<(String, &'d str)> {
    let (position, rest) = path.strip_prefix("campaigns[")?.split_once("].")?;
    let campaign = document.campaigns.get(position.parse::<usize>().ok()?)?;
    let template = templates.get(campaign.template.as_deref()?)?;
    let base = &document.templates.get(template)?.attributes;
    let is_inherited = match (rest.strip_prefix("target."), &campaign.target, &base.target) {
        (Some(rest), Some(own), Some(base)) if campaign.names("target") => {
            !own.names(first_name(rest)) && base.names(first_name(rest))
        }
        _ => !campaign.names(first_name(rest)) && base.names(first_name(rest)),
    };
    is_inherited.then(|| (format!("templates[{template}].{rest}"), campaign.cid.as_str()))
}

/// The attribute that a path starts with.
fn first_name(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or_default()
}
