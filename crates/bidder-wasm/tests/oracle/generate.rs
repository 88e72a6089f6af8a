//! Pairs of a catalog and a request, with what the host knows besides.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::strategies::{Any, maybe, number, object, truth, word};
use super::words::{CIDS, SSPS};
use super::{demand, supply};

/// What a decision is made of.
#[derive(Clone)]
pub struct Pair {
    pub catalog: Value,
    pub request: Value,
    pub context: Value,
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\ncatalog: {}\nrequest: {}\ncontext: {}\n", self.catalog, self.request, self.context)
    }
}

pub fn pair() -> impl Strategy<Value = Pair> {
    let pair = (demand::catalog(), supply::request(), context(), 0..12_u8);
    pair.prop_map(|(mut catalog, mut request, context, odd)| {
        // Now and then nobody asks for much, so that many bids stand beside each other.
        if odd == 11 {
            let take = |of: &mut Value, keys: &[&str]| {
                of.as_object_mut().unwrap().retain(|key, _| !keys.contains(&key.as_str()));
            };
            take(&mut request, &["wseat", "bseat", "bcat", "acat", "badv", "wlang", "wlangb"]);
            for campaign in catalog["campaigns"].as_array_mut().unwrap() {
                take(campaign, &["target", "ssps"]);
            }
        }
        Pair { catalog, request, context }
    })
}

fn context() -> Any {
    // Before and after the clocks change, a summer night, and the last hour of the year.
    let instants = select(
        &[1_774_744_200_000_i64, 1_774_747_800_000, 1_784_154_600_000, 1_798_759_800_000, 1_792_891_800_000][..],
    );
    let standing = || object(vec![("share", maybe(0.1, number(&[0]))), ("capped", maybe(0.1, truth()))]);
    let standings = object(CIDS.iter().map(|cid| (*cid, standing())).collect());
    let whole = (instants, word(SSPS), standings);
    whole.prop_map(|(now_ms, ssp, standings)| json!({"now_ms": now_ms, "ssp": ssp, "standings": standings})).boxed()
}
