//! Checks the length of bids against `max_response_bytes` of the SSPs.

use std::collections::HashMap;

use super::profiles;
use crate::drafts::Drafts;
use crate::macros::mark_bytes;
use catalog::macros::FILLED;
use catalog::{CampaignDraft, CreativeDraft, MediaDraft, PRICE_MACRO, SspDraft};
use document::check::At;
use document::decode::Rule;

/// Refuses creatives that are too long for all SSPs of a campaign, and notes bids that are too long for some of them.
pub(crate) fn check(drafts: &Drafts<'_>) {
    if drafts.ssps.iter().all(|ssp| ssp.max_response_bytes == 0) {
        return;
    }
    // Many campaigns may show one creative.
    let mut lengths: HashMap<&str, Length> = HashMap::new();
    for (at, entry, campaign) in drafts.campaigns() {
        let ssps: Vec<&SspDraft> = drafts.ssps_of(campaign).collect();
        for (at, creative) in drafts.shown(entry, &at) {
            let length = lengths.entry(&creative.crid).or_insert_with(|| Length::of(&parts_of(creative)));
            check_shown((creative, length), campaign, &ssps, drafts, &at);
        }
    }
}

/// Checks a creative of a campaign, which buys from these SSPs.
fn check_shown(
    (creative, length): (&CreativeDraft, &Length),
    campaign: &CampaignDraft,
    ssps: &[&SspDraft],
    drafts: &Drafts<'_>,
    at: &At<'_>,
) {
    let origin = |ssp: &SspDraft| {
        let entry = drafts.document.ssps.iter().find(|entry| entry.id == ssp.id);
        entry.map_or_else(String::new, |entry| profiles::origin(entry, "max_response_bytes"))
    };
    let is_too_long = |ssp: &SspDraft, bytes: usize| {
        ssp.max_response_bytes > 0 && bytes > usize::try_from(ssp.max_response_bytes).unwrap_or(usize::MAX)
    };
    let crid = &creative.crid;
    if let Some(highest) = ssps.iter().max_by_key(|ssp| ssp.max_response_bytes)
        && ssps.iter().all(|ssp| is_too_long(ssp, length.bytes(ssp)))
    {
        let bytes = ssps.iter().map(|ssp| length.bytes(ssp)).min().unwrap_or_default();
        return at.error(format!(
            "{crid:?} has at least {bytes} bytes in a response; expected at most {}, the highest max_response_bytes of the campaign's SSPs{}",
            highest.max_response_bytes,
            origin(highest)
        ));
    }
    for ssp in ssps {
        let of_campaign = Length::of(&parts_of_campaign(campaign, creative, ssp));
        let bytes = FRAME_BYTES + of_campaign.bytes(ssp) + length.bytes(ssp) + ext_bytes(ssp);
        if is_too_long(ssp, bytes) {
            let message = format!(
                "a bid with {crid:?} has at least {bytes} bytes, so {:?} never gets it; expected at most {}, the SSP's max_response_bytes{}",
                ssp.id,
                ssp.max_response_bytes,
                origin(ssp)
            );
            at.report(Rule::TooLong, message);
        }
    }
}

/// The least bytes of a response with one bid, without the parts of campaign and creative.
const FRAME_BYTES: usize = r#"{"id":"","bidid":"0123456789abcdef","cur":"USD","seatbid":[{"bid":[{"id":"0123456789abcdef01","impid":"","price":1,"cid":"","crid":"","adm":"","mtype":1,"exp":1}],"seat":""}]}"#.len();

/// The bytes of `bid.ext` that every bid for the SSP has.
fn ext_bytes(ssp: &SspDraft) -> usize {
    // The first member has no comma in front.
    if ssp.bid_ext.is_empty() { 0 } else { r#","ext":{}"#.len() + ssp.bid_ext.len() - 1 }
}

/// The lengths from which `bytes` computes the least length of texts in a response.
struct Length {
    bytes: usize,
    /// How often [`PRICE_MACRO`] occurs. Needed because an SSP's own spelling (`price_macro`) has another length.
    macros: usize,
    /// Bytes of all macros that edgebid fills for some SSPs. The text instead of a macro may be empty.
    filled: usize,
}

impl Length {
    fn of(parts: &[&str]) -> Length {
        Length {
            // The value of a macro of ours may be empty.
            bytes: parts.iter().map(|part| part.len() - mark_bytes(part)).sum(),
            macros: parts.iter().map(|part| part.matches(PRICE_MACRO).count()).sum(),
            filled: parts.iter().flat_map(|part| FILLED.map(|name| part.matches(name).count() * name.len())).sum(),
        }
    }

    fn bytes(&self, ssp: &SspDraft) -> usize {
        if ssp.fill_macros {
            return self.bytes - self.filled;
        }
        let spelling = if ssp.price_macro.is_empty() { PRICE_MACRO } else { &ssp.price_macro };
        self.bytes - self.macros * PRICE_MACRO.len() + self.macros * spelling.len()
    }
}

/// The parts of a campaign that every bid for the SSP with this creative contains.
fn parts_of_campaign<'d>(campaign: &'d CampaignDraft, creative: &'d CreativeDraft, ssp: &SspDraft) -> Vec<&'d str> {
    let own = campaign.notices.iter();
    let notices = own.flat_map(|own| [(&own.nurl, ssp.no_nurl), (&own.burl, false), (&own.lurl, ssp.no_lurl)]);
    let notices = notices.filter(|(_, is_out)| !is_out).map(|(url, _)| url);
    let advertiser = creative.advertiser.first().unwrap_or(&campaign.advertiser);
    let parts = notices.chain([&advertiser.advertised, &advertiser.categories, &campaign.cid]);
    parts.map(String::as_str).collect()
}

/// The parts of a creative that every bid with it contains.
fn parts_of(creative: &CreativeDraft) -> Vec<&str> {
    let markup = match &creative.media {
        MediaDraft::Banner(ad) => vec![ad.adm.as_str()],
        MediaDraft::Video(ad) | MediaDraft::Audio(ad) => {
            let shortest = ad.vast.files.iter().map(|file| file.element.as_str()).min_by_key(|element| element.len());
            vec![&ad.vast.head, shortest.unwrap_or_default(), &ad.vast.tail, &ad.vast.end]
        }
        MediaDraft::Native(ad) => vec![ad.link.as_str()],
    };
    [vec![creative.preview.as_str(), &creative.crid, &creative.traits], markup].concat()
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, with};
    use auction::context::Context;
    use serde_json::{Value, json};

    /// Fails if a response becomes longer or shorter and `FRAME_BYTES` does not.
    #[test]
    fn the_limit_is_close_to_the_length_of_the_shortest_response() {
        let banner = json!({ "banner": { "w": 1, "h": 1, "adm": "x".repeat(150) }, "attr": [], "api": [] });
        let catalog_with = |ssp: Value| compiled(&with([("ssps", ssp), ("creatives", banner.clone())]));
        let is_enough = |most: &usize| {
            catalog_with(json!({ "max_response_bytes": most })).is_ok_and(|compiled| compiled.notes.is_empty())
        };
        let shortest = (200..600).find(is_enough).unwrap();
        let compiled = catalog_with(json!({})).unwrap();
        let request = br#"{"id":"r","at":1,"imp":[{"id":"i","banner":{"format":[{"w":1,"h":1}]}}]}"#;
        let (catalog, context, mut answer) = (compiled.snapshot.catalog(), Context::default(), String::new());
        auction::bid(&mut auction::Scratch::default(), request, 0, &catalog, &context, &mut (), &mut answer);
        assert!(shortest <= answer.len() && answer.len() < shortest + 60, "{shortest} of {}: {answer}", answer.len());
    }
}
