//! Limits to the length of a response. How long one gets is what the crate writes where there is no limit; which bid
//! is left is decided anew, with a catalog that never had what is too long.

use bidder_wasm::Outcome;
use bidder_wasm::no_bid::NoBidReason as Why;
use serde_json::{Value, json};

use super::crate_under_test::{Answer, answer, bids, load};
use super::generate::Pair;
use super::json::list;

/// What came of the pairs.
#[derive(Debug, Default)]
pub struct Counts {
    other_bid: usize,
    no_bid: usize,
    refused: usize,
    shortened: usize,
}

impl Counts {
    /// Every way to obey a limit came up.
    #[allow(clippy::print_stdout)]
    pub fn check(&self) {
        println!("{self:?}");
        let Counts { other_bid, no_bid, refused, shortened } = *self;
        assert!(other_bid.min(no_bid).min(shortened) >= 20, "{self:?}");
        assert!(refused < other_bid + no_bid, "{self:?}");
    }
}

pub fn agree(pair: &Pair, counts: &mut Counts) -> Result<(), String> {
    whole(pair, counts)?;
    let pair = single(pair);
    let free = unlimited(&pair)?;
    if free.body.is_empty() {
        return Ok(());
    }
    let limit = free.body.len();
    if limited(&pair, limit)?.is_some_and(|answer| answer.body != free.body) {
        return Err(format!("another answer with a limit of its own {limit} bytes: {pair:?}"));
    }
    let Some(short) = limited(&pair, limit - 1)? else {
        counts.refused += 1;
        return Ok(());
    };
    let expected = match without_longer_than(&pair, limit - 1)? {
        Some(shorter) => unlimited(&shorter)?.body,
        None => String::new(),
    };
    if short.body != expected {
        return Err(format!("{}\nexpected with {} bytes: {expected}\n{pair:?}", short.body, limit - 1));
    }
    if expected.is_empty() {
        counts.no_bid += 1;
        let told = short.outcome == Outcome::NoBid(Why::ResponseBytes);
        return if told { Ok(()) } else { Err(format!("{:?}, expected response-bytes\n{pair:?}", short.outcome)) };
    }
    counts.other_bid += 1;
    Ok(())
}

/// Whatever the impressions and deals: no longer than the limit, nothing but what is sound, and everything where it fits.
fn whole(pair: &Pair, counts: &mut Counts) -> Result<(), String> {
    let free = unlimited(pair)?;
    if free.body.is_empty() {
        return Ok(());
    }
    if limited(pair, free.body.len())?.is_some_and(|answer| answer.body != free.body) {
        return Err(format!("another answer with a limit of its own length: {pair:?}"));
    }
    let most = free.body.len() - 1;
    let Some(short) = limited(pair, most)? else { return Ok(()) };
    let errors = if short.body.is_empty() { vec![] } else { judge::judge(&pair.request.to_string(), &short.body) };
    if short.body.len() > most || !errors.is_empty() {
        return Err(format!("{} bytes, {most} are allowed; {errors:?}: {}\n{pair:?}", short.body.len(), short.body));
    }
    counts.shortened += usize::from(bids(&free.body).1.len() > 1 && !short.body.is_empty());
    Ok(())
}

/// The first impression alone, no deals, and no dynamic pod: there is one bid at most.
fn single(pair: &Pair) -> Pair {
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
    Ok(answer(pair, &load(&pair.catalog)?.catalog(), |_| None))
}

/// `None` where the catalog holds what can never be sent, and is refused.
fn limited(pair: &Pair, bytes: usize) -> Result<Option<Answer>, String> {
    let mut pair = pair.clone();
    for ssp in pair.catalog["ssps"].as_array_mut().unwrap() {
        ssp["max_response_bytes"] = json!(bytes);
    }
    match load(&pair.catalog) {
        Ok(snapshot) => Ok(Some(answer(&pair, &snapshot.catalog(), |_| None))),
        Err(refusal) if refusal.lines().all(|line| line.contains("bytes of an answer")) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// The pair without the creatives with which a campaign's bid alone is longer than that; `None` where no campaign is left.
fn without_longer_than(pair: &Pair, bytes: usize) -> Result<Option<Pair>, String> {
    let mut left = vec![];
    for campaign in list(&pair.catalog, "campaigns") {
        let mut crids = vec![];
        for crid in list(campaign, "creatives") {
            let mut alone = pair.clone();
            let mut own = campaign.clone();
            own["creatives"] = json!([crid]);
            alone.catalog["campaigns"] = json!([own]);
            if unlimited(&alone)?.body.len() <= bytes {
                crids.push(crid.clone());
            }
        }
        if !crids.is_empty() {
            let mut own = campaign.clone();
            own["creatives"] = crids.into();
            left.push(own);
        }
    }
    let mut pair = pair.clone();
    pair.catalog["campaigns"] = left.into();
    Ok((!list(&pair.catalog, "campaigns").is_empty()).then_some(pair))
}
