//! Generates pairs of a catalog and a request, with the context of a decision.

mod catalog;
mod imp;
mod request;
pub mod strategies;
mod target;
pub mod words;

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use strategies::{Any, maybe, number, object, truth, word};
use words::{CIDS, SSPS};

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
    let pair = (catalog::catalog(), request::request(), context(), 0..12_u8);
    pair.prop_map(|(mut catalog, mut request, context, odd)| {
        // Sometimes remove restrictions, so that many campaigns bid on one impression.
        if odd >= 9 {
            let remove = |of: &mut Value, keys: &[&str]| {
                of.as_object_mut().unwrap().retain(|key, _| !keys.contains(&key.as_str()));
            };
            remove(&mut request, &["wseat", "bseat", "bcat", "acat", "badv", "wlang", "wlangb"]);
            for campaign in catalog["campaigns"].as_array_mut().unwrap() {
                remove(campaign, &["target", "ssps", "skadn", "flights", "start", "end"]);
            }
        }
        Pair { catalog, request, context }
    })
}

/// All requests, as a share.
const WHOLE: i64 = 0xffff_ffff;

fn context() -> Any {
    // Instants before and after summer time begins, in a summer night, in the year's last hour, and after summer time
    // ends.
    let instants = select(
        &[1_774_744_200_000_i64, 1_774_747_800_000, 1_784_154_600_000, 1_798_759_800_000, 1_792_891_800_000][..],
    );
    let standing = || {
        object(vec![
            ("share", maybe(0.9, number(&[WHOLE, WHOLE, WHOLE / 2, WHOLE / 4 * 3, 1, 0]))),
            ("capped", maybe(0.1, truth())),
            ("stopped", maybe(0.05, truth())),
        ])
    };
    let standings = object(CIDS.iter().map(|cid| (*cid, standing())).collect());
    let age = prop_oneof![
        5 => select(&[-5, 0, 59_999][..]).prop_map(Value::from),
        2 => select(&[60_000, 119_999, 120_000][..]).prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    let whole = (instants, word(SSPS), standings, age, 0..100_u8);
    let context = |(now_ms, ssp, standings, age, odd)| json!({"now_ms": now_ms, "ssp": ssp, "standings": standings, "shares_age_ms": age, "all_stopped": odd == 99});
    whole.prop_map(context).boxed()
}
