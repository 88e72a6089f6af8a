//! Limits on the length of an answer. The expected answer comes from the crate without a limit, for a catalog in
//! which the creatives that make too long an answer are never shown.

use auction::Outcome;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use reasons::no_bid::NoBidReason as Reason;
use serde_json::{Value, json};

use super::budget;
use super::compare::Check;
use super::crate_under_test::{Answer, answer, bids, load};
use super::generate::Pair;
use super::generate::words::CRIDS;
use super::json::{list, text};

/// How often each effect of a limit came up.
#[derive(Debug, Default)]
pub struct Counts {
    other_bid: usize,
    no_bid: usize,
    /// Catalogs that do not compile because one of their bids can never fit.
    refused: usize,
    shortened: usize,
}

impl Counts {
    /// Every effect has to come up often enough.
    #[allow(clippy::print_stdout)]
    pub fn check(&self) {
        println!("{self:?}");
        let Counts { other_bid, no_bid, refused, shortened } = *self;
        assert!(other_bid.min(no_bid).min(shortened) >= 20, "{self:?}");
        assert!(refused < other_bid + no_bid, "{self:?}");
    }
}

pub fn agree(pair: &Pair, counts: &mut Counts) -> Check {
    several_bids(pair, counts)?;
    let pair = with_one_bid(pair);
    let Some((full, short)) = shortened(&pair)? else { return Ok(()) };
    let Some(short) = short else {
        counts.refused += 1;
        return Ok(());
    };
    let most = full.body.len() - 1;
    let expected = unlimited(&without_longer_than(&pair, most)?)?.body;
    prop_assert_eq!(&short.body, &expected, "with at most {} bytes", most);
    if !expected.is_empty() {
        counts.other_bid += 1;
        return Ok(());
    }
    counts.no_bid += 1;
    prop_assert_eq!(short.outcome, Outcome::NoBid(Reason::ResponseBytes));
    Ok(())
}

/// With any impressions and deals, a limited answer is valid and within its limit.
fn several_bids(pair: &Pair, counts: &mut Counts) -> Check {
    let Some((full, Some(short))) = shortened(pair)? else { return Ok(()) };
    prop_assert!(short.body.len() < full.body.len(), "{} is over the limit", short.body);
    let errors = if short.body.is_empty() { vec![] } else { judge::judge(&pair.request.to_string(), &short.body) };
    prop_assert!(errors.is_empty(), "{:?}: {}", errors, short.body);
    counts.shortened += usize::from(bids(&full.body).1.len() > 1 && !short.body.is_empty());
    Ok(())
}

/// The answer without a limit and the answer that may have one byte less, if there are bids. A limit of exactly its
/// length changes nothing.
fn shortened(pair: &Pair) -> Result<Option<(Answer, Option<Answer>)>, TestCaseError> {
    let full = unlimited(pair)?;
    if full.body.is_empty() {
        return Ok(None);
    }
    let length = full.body.len();
    let exact = limited(pair, length)?.map(|answer| answer.body);
    prop_assert!(exact.is_none_or(|body| body == full.body), "the length of the answer as its limit changes it");
    Ok(Some((full, limited(pair, length - 1)?)))
}

/// The pair with its first impression only, without deals and dynamic pods: at most one bid is possible.
fn with_one_bid(pair: &Pair) -> Pair {
    let mut pair = pair.clone();
    if let Some(imps) = pair.request["imp"].as_array_mut() {
        imps.truncate(1);
        imps.iter_mut().filter_map(Value::as_object_mut).for_each(|imp| {
            imp.remove("pmp");
            for medium in ["video", "audio"] {
                imp.get_mut(medium).and_then(Value::as_object_mut).map(|offer| offer.remove("poddur"));
            }
        });
    }
    pair
}

fn unlimited(pair: &Pair) -> Result<Answer, TestCaseError> {
    Ok(answer(pair, &load(&pair.catalog).map_err(TestCaseError::fail)?.catalog()))
}

/// The answer with a limit; `None` if the catalog does not compile because one of its bids can never fit.
fn limited(pair: &Pair, bytes: usize) -> Result<Option<Answer>, TestCaseError> {
    let mut pair = pair.clone();
    for ssp in pair.catalog["ssps"].as_array_mut().unwrap() {
        ssp["max_response_bytes"] = json!(bytes);
    }
    match load(&pair.catalog) {
        Ok(snapshot) => Ok(Some(answer(&pair, &snapshot.catalog()))),
        Err(refusal) if refusal.lines().all(|line| line.contains("bytes in a response")) => Ok(None),
        Err(refusal) => Err(TestCaseError::fail(refusal)),
    }
}

/// The pair with a creative that is never shown instead of each one that makes too long an answer by itself. The draw
/// among equals depends on positions, so campaigns and creatives keep theirs.
fn without_longer_than(pair: &Pair, bytes: usize) -> Result<Pair, TestCaseError> {
    let mut left = pair.clone();
    for position in 0..CRIDS.len() {
        // No generated request offers this ratio.
        let banner = json!({"wratio": 97, "hratio": 1, "wmin": 1, "adm": "-"});
        let never = json!({"crid": format!("never{position}"), "banner": banner});
        left.catalog["creatives"].as_array_mut().unwrap().push(never);
    }
    for (at, campaign) in list(&pair.catalog, "campaigns").iter().enumerate() {
        for (position, crid) in list(campaign, "creatives").iter().enumerate() {
            let mut alone = pair.clone();
            let mut own = campaign.clone();
            own["creatives"] = json!([crid]);
            alone.catalog["campaigns"] = json!([own]);
            // An order has the share of its first campaign, which may be another one.
            if let Some(budget) = budget::of(&pair.catalog, campaign) {
                let share = pair.context["standings"][budget.cids[0]]["share"].clone();
                alone.context["standings"][text(campaign, "cid")]["share"] = share;
            }
            if unlimited(&alone)?.body.len() > bytes {
                let shown = &mut left.catalog["campaigns"][at]["creatives"][position];
                let crid = if shown.is_object() { &mut shown["crid"] } else { shown };
                *crid = format!("never{position}").into();
            }
        }
    }
    Ok(left)
}
