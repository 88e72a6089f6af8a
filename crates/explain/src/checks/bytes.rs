//! The length of an answer with the campaign's bid, and the limit of the SSP, in words.

use super::super::comparison::Comparison;
use super::super::prices;
use super::super::rejection::{Case, Rejection};
use super::super::words::distinct_list;
use auction::bid::Bid;
use auction::context::Context;
use auction::price;
use auction::write::{self, Envelope};
use catalog::Creative;

/// The length of an answer with the campaign's bid alone, for each creative that passes all other checks, and the SSP's
/// limit.
pub(super) fn comparison(rejection: &Rejection<'_, '_>) -> Comparison {
    let most = rejection.facts.ssp.most_bytes();
    let lengths: Vec<(usize, String)> = rejection
        .catalog
        .parts()
        .creatives_of(rejection.campaign)
        .filter_map(|creative| Some((length(rejection, creative)?, creative.crid().to_owned())))
        .collect();
    let others =
        if lengths.iter().any(|(bytes, _)| *bytes <= most) { ", and other bids already fill the answer" } else { "" };
    let wanted = distinct_list(lengths.into_iter().map(|(bytes, crid)| format!("{bytes} bytes with {crid}")));
    (format!("an answer of {wanted}"), format!("the SSP takes at most {most} bytes (max_response_bytes){others}"))
}

fn length(rejection: &Rejection<'_, '_>, creative: Creative<'_>) -> Option<usize> {
    let Rejection { case: &Case { ref facts, catalog, cur, .. }, campaign, deal, .. } = *rejection;
    let imp = rejection.imp?;
    // Any context will do: the values of a context have the same length in every answer.
    let context = Context::default();
    let envelope = Envelope::new(facts, cur, catalog, &context);
    rules::creative::check(facts, imp, campaign, &creative).ok()?;
    let own = prices::offers(facts, imp, deal, campaign, catalog).with(&creative.media());
    let price = price::price(&catalog.rates, facts, imp, deal, (&own, &creative), cur).ok()?;
    let seat = facts.ssp.name_of(campaign.seat());
    let bid = Bid {
        imp,
        deal,
        campaign: *campaign,
        budget: None,
        creative,
        price,
        seat,
        marks: &[],
        bytes: 0,
        seat_bytes: 0,
    };
    let mut answer = String::new();
    write::bids(&mut answer, &envelope, &[bid]);
    Some(answer.len())
}
