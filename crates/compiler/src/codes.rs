//! Notes numbers that are not in their list, such as an `attr` of 99. `targets/values.rs` notes those of the dimensions.

use super::meanings::{
    API_FRAMEWORKS, CATEGORY_TAXONOMIES, CREATIVE_ATTRIBUTES, CREATIVE_SUBTYPES, DELIVERY_METHODS,
    EXPANDABLE_DIRECTIONS, ID_MATCH_METHODS, Meanings, NATIVE_DATA_TYPES, NATIVE_IMAGE_TYPES, VENUE_TAXONOMIES,
};
use document::check::At;
use document::decode::Rule;
use document::{CampaignEntry, CreativeEntry, Document, LinearEntry, TargetEntry};

pub(super) fn check(document: &Document, at: &At<'_>) {
    for (i, campaign) in document.campaigns.iter().enumerate() {
        of_campaign(campaign, &at.item("campaigns", i));
    }
    for (i, creative) in document.creatives.iter().enumerate() {
        of_creative(creative, &at.item("creatives", i));
    }
}

fn of_campaign(entry: &CampaignEntry, at: &At<'_>) {
    one(entry.cattax, &CATEGORY_TAXONOMIES, &at.attribute("cattax"));
    let conditions = entry.bids.iter().enumerate();
    let conditions = conditions.filter_map(|(i, bid)| Some((at.item("bids", i).attribute("when"), bid.when.as_ref()?)));
    let own = entry.target.as_ref().map(|target| (at.attribute("target"), target));
    own.into_iter().chain(conditions).for_each(|(at, target)| self::of(target, &at));
}

fn of(target: &TargetEntry, at: &At<'_>) {
    one(target.cattax, &CATEGORY_TAXONOMIES, &at.attribute("cattax"));
    one(target.venuetypetax, &VENUE_TAXONOMIES, &at.attribute("venuetypetax"));
    let TargetEntry { segment, content_segment, cids, .. } = target;
    for (name, rule) in [("segment", segment), ("content_segment", content_segment), ("cids", cids)] {
        let sides = rule.iter().flat_map(|rule| [("include", &rule.include), ("exclude", &rule.exclude)]);
        let entries = sides.flat_map(|(side, list)| list.iter().enumerate().map(move |(i, entry)| (side, i, entry)));
        entries.for_each(|(side, i, entry)| {
            one(entry.segtax, &CATEGORY_TAXONOMIES, &at.attribute(name).item(side, i).attribute("segtax"));
        });
    }
    if let Some(mm) = &target.mm {
        let at = at.attribute("mm");
        all(&mm.include, &ID_MATCH_METHODS, &at.attribute("include"));
        all(&mm.exclude, &ID_MATCH_METHODS, &at.attribute("exclude"));
    }
}

fn of_creative(entry: &CreativeEntry, at: &At<'_>) {
    one(entry.cattax, &CATEGORY_TAXONOMIES, &at.attribute("cattax"));
    all(&entry.attr, &CREATIVE_ATTRIBUTES, &at.attribute("attr"));
    all(&entry.api, &API_FRAMEWORKS, &at.attribute("api"));
    if let Some(ad) = &entry.banner {
        all(&ad.expdir, &EXPANDABLE_DIRECTIONS, &at.attribute("banner").attribute("expdir"));
    }
    for (name, ad) in [("video", &entry.video), ("audio", &entry.audio)] {
        if let Some(ad) = ad {
            linear(ad, &at.attribute(name));
        }
    }
    let (Some(ad), at) = (&entry.native, at.attribute("native")) else { return };
    for (i, image) in ad.img.iter().enumerate() {
        one(Some(image.kind), &NATIVE_IMAGE_TYPES, &at.item("img", i).attribute("type"));
    }
    for (i, text) in ad.data.iter().enumerate() {
        one(Some(text.kind), &NATIVE_DATA_TYPES, &at.item("data", i).attribute("type"));
    }
    if let Some(video) = &ad.video {
        linear(video, &at.attribute("video"));
    }
}

fn linear(ad: &LinearEntry, at: &At<'_>) {
    // A document that is written from `media` has an error for another protocol.
    one(ad.protocol.filter(|_| ad.adm.is_some()), &CREATIVE_SUBTYPES, &at.attribute("protocol"));
    for (i, file) in ad.media.iter().enumerate() {
        one(file.delivery, &DELIVERY_METHODS, &at.item("media", i).attribute("delivery"));
    }
    for (i, banner) in ad.companions.iter().enumerate() {
        let at = at.item("companions", i);
        all(&banner.attr, &CREATIVE_ATTRIBUTES, &at.attribute("attr"));
        all(&banner.api, &API_FRAMEWORKS, &at.attribute("api"));
    }
}

fn all(numbers: &[i64], list: &Meanings, at: &At<'_>) {
    for (i, number) in numbers.iter().enumerate() {
        one(Some(*number), list, &at.entry(i));
    }
}

fn one(number: Option<i64>, list: &Meanings, at: &At<'_>) {
    if let Some(message) = number.and_then(|number| list.unlisted(number)) {
        at.report(Rule::Ambiguous, message);
    }
}
