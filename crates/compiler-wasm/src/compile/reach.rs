//! Campaigns and exchanges against each other: deals that nobody has agreed on, creatives that no exchange of the campaign
//! would take, and notes on those that some would not.

use std::collections::HashMap;

use super::campaign::{meant, out_of_range};
use super::document::Document;
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::CampaignDraft;
use bidder_wasm::catalog::{CreativeDraft, MediaDraft};
use bidder_wasm::catalog::{PRICE_MACRO, SspDraft};
use bidder_wasm::write::FILLED;

/// Findings for the campaigns, which are `campaigns` once compiled.
pub(super) fn check(
    document: &Document,
    ssps: &[SspDraft],
    creatives: &[Option<CreativeDraft>],
    campaigns: &[CampaignDraft],
    findings: &mut Vec<Finding>,
) {
    let listed = document.ssps.iter().any(|entry| !entry.deals.is_empty());
    let limited = ssps.iter().any(|ssp| ssp.max_response_bytes > 0);
    if !listed && !limited {
        return;
    }
    let shown = creatives.iter().flatten().map(|one| (one.crid.as_str(), Least::of(&parts_of(one))));
    let shown: HashMap<&str, Least> = shown.collect();
    for (i, (campaign, draft)) in document.campaigns.iter().zip(campaigns).enumerate() {
        let buys = |id: &str| campaign.ssps.is_empty() || campaign.ssps.iter().any(|own| own == id);
        let entries = || document.ssps.iter().filter(|entry| buys(entry.id.as_deref().unwrap_or_default()));
        for (j, deal) in campaign.deals.iter().enumerate().filter(|_| listed) {
            if !entries().any(|entry| entry.deals.contains(deal)) {
                let known = entries().flat_map(|entry| &entry.deals).map(String::as_str);
                let meant = meant(deal, known, "a deal of an SSP that the campaign buys from", findings);
                let message = format!("{deal:?} is in no ssps[].deals; {meant}");
                findings.push(Finding::new(format!("campaigns[{i}].deals[{j}]"), Rule::Unknown, message));
            }
        }
        if !limited {
            continue;
        }
        let own = Least::of(&[&draft.notices, &draft.advertised, &draft.categories, &draft.cid]);
        let from: Vec<&SspDraft> = ssps.iter().filter(|ssp| buys(&ssp.id)).collect();
        for (j, crid) in campaign.creatives.iter().enumerate() {
            let Some(creative) = shown.get(crid.as_str()) else { continue };
            let too_long =
                |ssp: &SspDraft, bytes: usize| ssp.max_response_bytes > 0 && bytes > ssp.max_response_bytes as usize;
            let path = format!("campaigns[{i}].creatives[{j}]");
            if !from.is_empty() && from.iter().all(|ssp| too_long(ssp, creative.bytes(ssp))) {
                let most = from.iter().map(|ssp| ssp.max_response_bytes).max().unwrap_or_default();
                let bytes = from.iter().map(|ssp| creative.bytes(ssp)).min().unwrap_or_default();
                let message = format!(
                    "{crid:?} takes at least {bytes} bytes of an answer; expected at most the {most} that the campaign's SSPs take"
                );
                out_of_range(&path, message, findings);
                continue;
            }
            let bytes = |ssp: &SspDraft| FRAME_BYTES + own.bytes(ssp) + creative.bytes(ssp);
            for ssp in from.iter().filter(|ssp| too_long(ssp, bytes(ssp))) {
                let message = format!(
                    "a bid with {crid:?} takes at least {} bytes, so there is none at {:?}; expected at most the {} that it takes",
                    bytes(ssp),
                    ssp.id,
                    ssp.max_response_bytes
                );
                findings.push(Finding::new(path.clone(), Rule::TooLong, message));
            }
        }
    }
}

/// Bytes that an answer with one bid has at least besides what campaign and creative are in it.
const FRAME_BYTES: usize = r#"{"id":"","cur":"USD","seatbid":[{"bid":[{"id":"0123456789abcdef01","impid":"","price":1,"cid":"","crid":"","adm":"","mtype":1,"exp":1}],"seat":""}]}"#.len();

/// How long something is in an answer.
struct Least {
    bytes: usize,
    /// Times that it has [`PRICE_MACRO`] in it, which may be shorter for an exchange.
    macros: usize,
    /// Bytes of all macros that are filled for some exchanges, maybe with nothing.
    filled: usize,
}

impl Least {
    fn of(parts: &[&str]) -> Least {
        Least {
            bytes: parts.iter().map(|part| part.len()).sum(),
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

/// What every bid with it has in it.
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
    use crate::compile::compile;
    use crate::decode::Finding;

    /// What is found in a catalog of these SSPs and a campaign with a creative that has so many bytes of markup; and whether
    /// it is refused.
    fn found(ssps: &str, campaign: &str, markup: usize) -> (Vec<String>, bool) {
        let adm = format!("<b>{}", "x".repeat(markup - 3));
        let document = format!(
            r#"{{"format":1,"privacy":{{"bid_unregistered":false}},"ssps":[{ssps}],"creatives":[{{"crid":"banner","banner":{{"w":1,"h":1,"adm":"{adm}"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["banner"]{campaign}}}]}}"#
        );
        let (findings, refused) = match compile(document.as_bytes(), &[]) {
            Ok(compiled) => (compiled.notes, false),
            Err(findings) => (findings, true),
        };
        let findings = findings.iter().filter(|finding| finding.path.starts_with("campaigns"));
        (findings.map(|Finding { path, rule, .. }| format!("{path} {}", rule.as_str())).collect(), refused)
    }

    #[test]
    fn creatives_are_held_to_what_each_ssp_takes() {
        let creative = "campaigns[0].creatives[0]";
        let (short, long) =
            (r#"{"id":"short","max_response_bytes":120}"#, r#"{"id":"long","max_response_bytes":80000}"#);
        let (any, only) = (r#"{"id":"any"}"#, r#","ssps":["short"]"#);
        for (ssps, campaign, markup, rule, refused) in [
            (format!("{short},{any}"), "", 70_032, "too-long", false),
            (format!("{short},{long}"), "", 70_032, "too-long", false),
            (format!("{short},{long}"), "", 90_032, "out-of-range", true),
            (short.to_owned(), "", 70_032, "out-of-range", true),
            (format!("{short},{any}"), only, 70_032, "out-of-range", true),
            (format!("{short},{any}"), r#","ssps":["any"]"#, 70_032, "", false),
            (format!("{long},{any}"), "", 70_032, "", false),
            // With what stands around it a short one is too long as well.
            (short.to_owned(), "", 20, "too-long", false),
            (any.to_owned(), "", 70_032, "", false),
        ] {
            let expected = if rule.is_empty() { vec![] } else { vec![format!("{creative} {rule}")] };
            assert_eq!(found(&ssps, campaign, markup), (expected, refused), "{ssps} {campaign} {markup}");
        }
    }

    /// A bid whose own bytes are counted one by one, so that a change of what is written shows.
    #[test]
    fn the_limit_is_that_of_the_shortest_bid() {
        let shortest = (200..600).find(|most| {
            let (findings, _) = found(&format!(r#"{{"id":"a","max_response_bytes":{most}}}"#), "", 150);
            findings.is_empty()
        });
        let document = format!(
            r#"{{"format":1,"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"banner","banner":{{"w":1,"h":1,"adm":"<b>{}"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["banner"]}}]}}"#,
            "x".repeat(147)
        );
        let compiled = compile(document.as_bytes(), &[]).unwrap();
        let request = br#"{"id":"r","at":1,"imp":[{"id":"i","banner":{"format":[{"w":1,"h":1}]}}]}"#;
        let mut answer = String::new();
        let (catalog, context) = (compiled.snapshot.catalog(), bidder_wasm::context::Context::default());
        bidder_wasm::bid(&mut bidder_wasm::Scratch::default(), request, 0, &catalog, &context, &mut (), &mut answer);
        let shortest = shortest.unwrap();
        assert!(shortest <= answer.len() && answer.len() < shortest + 60, "{shortest} of {}: {answer}", answer.len());
    }

    #[test]
    fn a_macro_counts_as_the_ssp_spells_it() {
        let limited = |spelling: &str| format!(r#"{{"id":"a","max_response_bytes":100,"price_macro":"{spelling}"}}"#);
        let nurl = format!(r#","nurl":"https://x.example/?{}""#, "${AUCTION_PRICE}".repeat(40));
        let at_most = |most: usize, spelling: &str| {
            let ssp = limited(spelling).replace("100", &most.to_string());
            found(&ssp, &nurl, 10).0.is_empty()
        };
        assert_eq!(
            (at_most(700, "$P"), at_most(700, "${AUCTION_PRICE}"), at_most(1200, "${AUCTION_PRICE}")),
            (true, false, true)
        );
    }

    #[test]
    fn a_macro_that_is_filled_counts_as_nothing() {
        let at_most = |more: &str| {
            let ssp = format!(r#"{{"id":"a","max_response_bytes":700{more}}}"#);
            found(&ssp, &format!(r#","nurl":"https://x.example/?{}""#, "${AUCTION_SEAT_ID}".repeat(40)), 10)
                .0
                .is_empty()
        };
        assert_eq!((at_most(r#","fill_macros":true"#), at_most("")), (true, false));
    }

    #[test]
    fn deals_are_known_at_an_ssp_that_the_campaign_buys_from() {
        let (one, other) = (r#"{"id":"one","deals":["d-1","d-2"]}"#, r#"{"id":"other","deals":["d-3"]}"#);
        let silent = r#"{"id":"silent"}"#;
        let at = |places: &[usize]| -> Vec<String> {
            places.iter().map(|place| format!("campaigns[0].deals[{place}] unknown")).collect()
        };
        for (ssps, campaign, unknown) in [
            (format!("{one},{other}"), r#","deals":["d-1","d-3"]"#, &[][..]),
            (format!("{one},{other}"), r#","deals":["d-1","d-3","d-4"]"#, &[2]),
            (format!("{one},{other}"), r#","deals":["d-1","d-3"],"ssps":["one"]"#, &[1]),
            (format!("{one},{silent}"), r#","deals":["d-1"],"ssps":["silent"]"#, &[0]),
            // Where no SSP lists any, nothing is known of deals.
            (silent.to_owned(), r#","deals":["d-1"]"#, &[]),
        ] {
            assert_eq!(found(&ssps, campaign, 10), (at(unknown), !unknown.is_empty()), "{ssps} {campaign}");
        }
    }
}
