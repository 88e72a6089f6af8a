//! Limits on the length of an answer. The expected answer comes from the crate without a limit, for a catalog in
//! which the creatives that make too long an answer are never shown.

use bidder_wasm::Outcome;
use bidder_wasm::no_bid::NoBidReason as Reason;
use serde_json::{Value, json};

use super::budget;
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

pub fn agree(pair: &Pair, counts: &mut Counts) -> Result<(), String> {
    several_bids(pair, counts)?;
    let pair = with_one_bid(pair);
    let full = unlimited(&pair)?;
    if full.body.is_empty() {
        return Ok(());
    }
    let limit = full.body.len();
    if limited(&pair, limit)?.is_some_and(|answer| answer.body != full.body) {
        return Err(format!("the limit {limit}, the length of the answer, changes the answer: {pair:?}"));
    }
    let Some(short) = limited(&pair, limit - 1)? else {
        counts.refused += 1;
        return Ok(());
    };
    let expected = unlimited(&without_longer_than(&pair, limit - 1)?)?.body;
    if short.body != expected {
        return Err(format!("{}\nexpected with {} bytes: {expected}\n{pair:?}", short.body, limit - 1));
    }
    if expected.is_empty() {
        counts.no_bid += 1;
        let has_reason = short.outcome == Outcome::NoBid(Reason::ResponseBytes);
        return if has_reason {
            Ok(())
        } else {
            Err(format!("{:?}, expected response-bytes\n{pair:?}", short.outcome))
        };
    }
    counts.other_bid += 1;
    Ok(())
}

/// With any impressions and deals, a limited answer is valid and within its limit, and it is complete if it fits.
fn several_bids(pair: &Pair, counts: &mut Counts) -> Result<(), String> {
    let full = unlimited(pair)?;
    if full.body.is_empty() {
        return Ok(());
    }
    let length = full.body.len();
    if limited(pair, length)?.is_some_and(|answer| answer.body != full.body) {
        return Err(format!("the limit {length}, the length of the answer, changes the answer: {pair:?}"));
    }
    let most = length - 1;
    let Some(short) = limited(pair, most)? else { return Ok(()) };
    let errors = if short.body.is_empty() { vec![] } else { judge::judge(&pair.request.to_string(), &short.body) };
    if short.body.len() > most || !errors.is_empty() {
        return Err(format!("{} bytes, {most} are allowed; {errors:?}: {}\n{pair:?}", short.body.len(), short.body));
    }
    counts.shortened += usize::from(bids(&full.body).1.len() > 1 && !short.body.is_empty());
    Ok(())
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

fn unlimited(pair: &Pair) -> Result<Answer, String> {
    Ok(answer(pair, &load(&pair.catalog)?.catalog()))
}

/// The answer with a limit; `None` if the catalog does not compile because one of its bids can never fit.
fn limited(pair: &Pair, bytes: usize) -> Result<Option<Answer>, String> {
    let mut pair = pair.clone();
    for ssp in pair.catalog["ssps"].as_array_mut().unwrap() {
        ssp["max_response_bytes"] = json!(bytes);
    }
    match load(&pair.catalog) {
        Ok(snapshot) => Ok(Some(answer(&pair, &snapshot.catalog()))),
        Err(refusal) if refusal.lines().all(|line| line.contains("bytes in a response")) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// The pair with a creative that is never shown in place of each one that makes too long an answer by itself. The draw
/// among equals depends on places, so campaigns and creatives keep theirs.
fn without_longer_than(pair: &Pair, bytes: usize) -> Result<Pair, String> {
    let mut left = pair.clone();
    for place in 0..CRIDS.len() {
        // No generated request offers this ratio.
        let banner = json!({"wratio": 97, "hratio": 1, "wmin": 1, "adm": "-"});
        let never = json!({"crid": format!("never{place}"), "banner": banner});
        left.catalog["creatives"].as_array_mut().unwrap().push(never);
    }
    for (at, campaign) in list(&pair.catalog, "campaigns").iter().enumerate() {
        for (place, crid) in list(campaign, "creatives").iter().enumerate() {
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
                let shown = &mut left.catalog["campaigns"][at]["creatives"][place];
                let crid = if shown.is_object() { &mut shown["crid"] } else { shown };
                *crid = format!("never{place}").into();
            }
        }
    }
    Ok(left)
}
