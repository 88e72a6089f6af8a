//! Frequency caps, which come with the context: a campaign at its cap does not bid.

#![cfg(test)]

use bidder_wasm::context::{Context, Standing};
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::{Outcome, Scratch, bid};
use compiler_wasm::compile::compile;

const CATALOG: &str = r#"{"format":1,"ssps":[{"id":"demo"}],
  "creatives":[{"crid":"b","banner":{"w":300,"h":250,"adm":"<p>"}}],
  "campaigns":[{"cid":"c","seat":"s","adomain":["a.example"],"max_cpm":"1","deals":["d"],"creatives":["b"]}]}"#;

fn outcome(request: &str, standing: Standing) -> Outcome {
    let snapshot = compile(CATALOG.as_bytes(), &[]).unwrap().snapshot;
    let catalog = snapshot.catalog();
    let context = Context { standings: &[standing], ..Context::default() };
    bid(&mut Scratch::default(), request.as_bytes(), 0, &catalog, &context, &mut (), &mut String::new())
}

fn request(id: usize, deal: &str) -> String {
    format!(
        r#"{{"id":"r{id}","imp":[{{"id":"1","banner":{{"w":300,"h":250}},"pmp":{{"private_auction":1,"deals":[{deal}]}}}}]}}"#
    )
}

#[test]
fn a_capped_campaign_does_not_bid_even_under_a_guaranteed_deal() {
    let capped = Standing { capped: true };
    assert_eq!(outcome(&request(0, r#"{"id":"d","guar":1}"#), capped), Outcome::NoBid(NoBidReason::Frequency));
}

#[test]
fn an_unknown_person_has_no_frequency_cap() {
    let capped = Standing { capped: true };
    let contextual = request(0, r#"{"id":"d"}"#).replacen('{', r#"{"device":{"lmt":1},"#, 1);
    assert_eq!(outcome(&contextual, capped), Outcome::Bid);
}
