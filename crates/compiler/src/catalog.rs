//! Compiles a whole document: calls the checks of all parts and puts the parts of the snapshot together.

use std::cell::RefCell;

use super::drafts::Drafts;
use super::macros::Marked;
use super::own_values::Values;
use super::references::References;
use super::targets::hours::Zone;
use super::{
    campaigns::{campaign, deals, links, showing, skadn},
    codes, index,
    media::{self, creative},
    money::{bids, budget, orders, prices, unbilled},
    needs, repeats,
    ssps::{approvals, response_bytes, settings, ssp},
    targets::{self, addresses, contradiction, iso, lists, supply},
    taxonomy,
};
use base::money::{Currency, Rounding};
use catalog::{CampaignDraft, CreativeDraft, PartsDraft};
use document::Document;
use document::check::At;
use document::choices::CapPerson;
use document::decode::Finding;
use flat::Wide;

/// The version of the document format that this crate reads.
const FORMAT: i64 = 1;

/// The parts of a snapshot. `marked` says where the document has macros. They are usable only if no finding is an error.
pub(super) fn compile(
    document: &Document,
    marked: &Marked,
    zones: &[Zone],
    findings: &RefCell<Vec<Finding>>,
) -> PartsDraft {
    let at = At::document(findings);
    if let Some(format) = document.format.filter(|format| *format != FORMAT) {
        at.attribute("format").error(format!("version {format} is unknown; expected {FORMAT}"));
    }
    let rates = prices::rates(&document.rates, &at);
    let mut drafts = drafts(document, marked, References::of(document, &rates, zones), at.clone());
    skadn::check_creatives(&drafts);
    settings::note_unregistered(document, &at);
    ssp::note_tests(document, &at);
    approvals::check(&drafts, &at);
    prices::check(&drafts);
    let conditions = bids::compile(document, &drafts.references, &mut drafts.campaigns, &at);
    deals::check(document, &at);
    repeats::check(document, &at);
    codes::check(document, &at);
    response_bytes::check(&drafts);
    iso::check_creatives(document, &at);
    contradiction::check(&drafts, &at);
    targets::doubts::check(&drafts);
    media::doubts::check(document, &at);
    showing::check_caps(document, &at);
    links::check(&drafts);
    let of_campaigns = drafts.campaigns.iter().flat_map(|one| [&one.request_rules, &one.imp_rules, &one.spot_rules]);
    let of_factors = conditions.iter().flat_map(|one| [&one.request_rules, &one.imp_rules, &one.spot_rules]);
    let rules = of_campaigns.chain(of_factors).flatten();
    let of_addresses = addresses::named(rules.clone());
    let addresses = addresses::compile(document, &of_addresses, &at);
    let lists = lists::check(document, rules, &of_addresses, &at);
    let budgets = budget::compile(&drafts, zones);
    let orders = orders::compile(&drafts, zones, &at);
    unbilled::note(&drafts);
    budget::note_unlimited(&drafts);
    budget::note_copies(&drafts);

    let Drafts { ssps, creatives, campaigns, references, .. } = drafts;
    let worth = |campaign: &CampaignDraft| {
        let most = bids::most(campaign, &conditions);
        rates.convert(most, campaign.cur, Currency::USD, Rounding::Down).unwrap_or_default().0
    };
    let mut priced: Vec<(i64, CampaignDraft)> = campaigns.into_iter().map(|one| (worth(&one), one)).collect();
    priced.sort_by_key(|(worth, _)| core::cmp::Reverse(*worth));
    let (worth, campaigns): (Vec<i64>, Vec<CampaignDraft>) = priced.into_iter().unzip();
    let creatives: Vec<CreativeDraft> = creatives.into_iter().flatten().collect();
    let values = Values::of(&campaigns, &creatives);
    let (index, lists) = index::build(&campaigns, (&creatives, &values), worth, (lists, &conditions));
    let (budgets, orders) = orders::placed(budgets, orders, &campaigns);
    PartsDraft {
        rates: rates.iter().collect(),
        prebid_code: document.prebid_code.clone(),
        version_in_bids: document.version_in_bids,
        privacy: settings::privacy(&document.privacy),
        ssps,
        has_caps: showing::has_caps(&campaigns, &creatives),
        caps_households: document.cap_person == CapPerson::Household,
        supply: supply::compile(document, &campaigns, &conditions, &at).into_iter().collect(),
        addresses,
        below: taxonomy::below_targets(&campaigns, &conditions, &document.lists),
        learns: document.campaigns.iter().any(|campaign| campaign.learn_shading),
        needs: needs::of(
            &campaigns,
            &conditions,
            (&creatives, &values),
            &references.paths,
            (document.cap_person, marked.needs),
        ),
        creatives: Wide(creatives),
        paths: references.paths.iter().map(ToString::to_string).collect(),
        budgets: Wide(budgets),
        orders: Wide(orders),
        campaigns: Wide(campaigns),
        conditions: Wide(conditions),
        lists,
        index,
    }
}

/// Compiles each entry by itself.
fn drafts<'d>(document: &'d Document, marked: &Marked, references: References<'d>, at: At<'d>) -> Drafts<'d> {
    let ssps = document.ssps.iter().enumerate();
    let ssps = ssps.map(|(i, entry)| ssp::compile(entry, document, references.rates, &at.item("ssps", i)));
    let ssps = ssps.collect();
    let creatives = document.creatives.iter().enumerate().map(|(i, entry)| {
        let at = at.item("creatives", i);
        creative::compile(entry, marked.entries.contains(at.path()), &at)
    });
    let creatives: Vec<Option<CreativeDraft>> = creatives.collect();
    let is_own = |own: Option<&CreativeDraft>| own.is_some_and(|own| !own.advertiser.is_empty());
    let campaigns = document.campaigns.iter().enumerate().map(|(i, entry)| {
        let at = at.item("campaigns", i);
        let mut campaign = campaign::compile(entry, &references, marked.entries.contains(at.path()), &at);
        if campaign.creatives.iter().any(|position| is_own(creatives.get(*position as usize).and_then(Option::as_ref)))
        {
            campaign.change_bounds(|bounds| bounds.has_advertisers = true);
        }
        campaign
    });
    Drafts { document, campaigns: campaigns.collect(), ssps, creatives, references, at }
}
