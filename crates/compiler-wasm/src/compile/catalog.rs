//! Compiles a whole document: calls the checks of all parts and puts the parts of the snapshot together.

use super::campaigns::campaign::References;
use super::check::{out_of_range, unique_ids};
use super::document::Document;
use super::macros::Marked;
use super::targets::hours::Zone;
use super::{
    campaigns::{deals, showing, skadn},
    index,
    media::creative,
    money::{bids, budget, orders, prices, unbilled},
    needs,
    ssps::{response_bytes, settings, ssp},
    targets::{contradiction, iso, lists},
};
use crate::decode::Finding;
use bidder_wasm::catalog::{CampaignDraft, CreativeDraft, PartsDraft};
use bidder_wasm::flat::Wide;
use bidder_wasm::money::{Currency, Rounding};

/// The version of the document format that this crate reads.
const FORMAT: i64 = 1;

/// The parts of a snapshot. `marked` says where the document has macros. They are usable only if no finding is an error.
pub(super) fn compile(document: &Document, marked: &Marked, zones: &[Zone], findings: &mut Vec<Finding>) -> PartsDraft {
    if let Some(format) = document.format.filter(|format| *format != FORMAT) {
        out_of_range("format", format!("version {format} is unknown; expected {FORMAT}"), findings);
    }
    let rates = prices::rates(&document.rates, findings);
    let ssps = ssp::compile(document, &rates, findings);

    let creative_ids = document.creatives.iter().map(|entry| entry.crid.as_deref().unwrap_or_default());
    unique_ids("creatives", "crid", creative_ids, findings);
    // A creative with an error keeps its place, because campaigns refer to creatives by place.
    let creatives: Vec<Option<CreativeDraft>> = document
        .creatives
        .iter()
        .zip(&marked.creatives)
        .enumerate()
        .map(|(i, (entry, has_macros))| creative::compile(entry, *has_macros, &format!("creatives[{i}]"), findings))
        .collect();

    let campaign_ids = document.campaigns.iter().map(|entry| entry.cid.as_deref().unwrap_or_default());
    unique_ids("campaigns", "cid", campaign_ids, findings);
    let references = References::of(document, &rates, zones);
    let mut campaigns: Vec<CampaignDraft> = document
        .campaigns
        .iter()
        .zip(&marked.campaigns)
        .enumerate()
        .map(|(i, (entry, has_macros))| references.campaign(entry, *has_macros, &format!("campaigns[{i}]"), findings))
        .collect();
    mark_advertisers(&mut campaigns, &creatives);
    skadn::check_creatives(&campaigns, &creatives, findings);
    settings::note_unregistered(document, findings);
    prices::check(document, &campaigns, &rates, findings);
    let conditions = bids::compile(document, &references.lists, zones, &rates, &mut campaigns, findings);
    deals::check(document, findings);
    response_bytes::check(document, &ssps, &creatives, &campaigns, findings);
    iso::check(document, findings);
    contradiction::check(document, findings);
    lists::check(document, findings);
    let budgets = budget::compile(document, zones, findings);
    let orders = orders::compile(document, &campaigns, &rates, zones, findings);
    unbilled::note(document, &ssps, &creatives, &campaigns, findings);

    let worth = |campaign: &CampaignDraft| {
        let most = bids::most(campaign, &conditions);
        rates.convert(most, campaign.cur, Currency::USD, Rounding::Down).unwrap_or_default().0
    };
    let mut priced: Vec<(i64, CampaignDraft)> = campaigns.into_iter().map(|one| (worth(&one), one)).collect();
    priced.sort_by_key(|(worth, _)| core::cmp::Reverse(*worth));
    let (worth, campaigns): (Vec<i64>, Vec<CampaignDraft>) = priced.into_iter().unzip();
    let creatives: Vec<CreativeDraft> = creatives.into_iter().flatten().collect();
    let (index, lists) = index::build(&campaigns, &creatives, worth, (&document.lists, &conditions));
    PartsDraft {
        rates: rates.iter().collect(),
        prebid_code: document.prebid_code.clone().unwrap_or_default(),
        version_in_bids: document.version_in_bids.unwrap_or(false),
        privacy: settings::privacy(document.privacy.as_ref()),
        ssps,
        has_caps: showing::has_caps(&campaigns, &creatives),
        needs: needs::of(&campaigns, &conditions, &creatives, marked.needs),
        creatives: Wide(creatives),
        budgets: Wide(budget::sorted(budgets, &orders, &campaigns)),
        orders: Wide(orders::drafts(orders, &campaigns)),
        campaigns: Wide(campaigns),
        conditions: Wide(conditions),
        lists,
        index,
    }
}

/// Marks the campaigns that have a creative with an advertiser of its own.
fn mark_advertisers(campaigns: &mut [CampaignDraft], creatives: &[Option<CreativeDraft>]) {
    let has_own = |place: &u32| {
        creatives.get(*place as usize).and_then(Option::as_ref).is_some_and(|own| !own.advertiser.is_empty())
    };
    if !creatives.iter().flatten().any(|creative| !creative.advertiser.is_empty()) {
        return;
    }
    for campaign in campaigns.iter_mut().filter(|campaign| campaign.creatives.iter().any(has_own)) {
        campaign.change_bounds(|bounds| bounds.has_advertisers = true);
    }
}
