//! The counts of bids equal the bids in the answers.

use std::collections::BTreeMap;

use auction::Scratch;
use base::hash::hash_of;
use base::limits::MAX_TALLY;
use serde_json::Value;

use super::bidding;
use crate::{NOW_MS, bids, notices, text};

const QUARTER_MS: i64 = 900_000;

/// Quarter, cid, crid.
type Counts = BTreeMap<(i64, String, String), i64>;

#[test]
fn the_tally_equals_the_bids_in_the_answers() {
    let (mut tests, mut several) = (0, 0);
    for fixture in bidding() {
        let snapshot = fixture.snapshot("openrtb", None).unwrap();
        let (catalog, notices) = (snapshot.catalog(), notices());
        let (mut scratch, mut expected) = (Scratch::default(), Counts::new());
        for now_ms in [NOW_MS, NOW_MS + QUARTER_MS - 1, NOW_MS + QUARTER_MS, NOW_MS - 1] {
            let answer = fixture.decide(&mut scratch, &catalog, Some(&notices), now_ms);
            let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
            for bid in bids(&answer) {
                if text(bid, "id").starts_with("test-") {
                    tests += 1;
                    continue;
                }
                let key = (now_ms / QUARTER_MS, text(bid, "cid").to_owned(), text(bid, "crid").to_owned());
                *expected.entry(key).or_default() += 1;
            }
            fixture.decide(&mut scratch, &catalog, None, now_ms);
        }
        several += usize::from(expected.values().any(|count| *count > 2));
        let (counts, uncounted) = taken(&mut scratch);
        assert_eq!((counts, uncounted), (expected, 0), "{}", fixture.name);
        assert_eq!(taken(&mut scratch), (Counts::new(), 0), "{}: counted twice", fixture.name);
    }
    assert!(tests >= 12 && several > 10, "{tests} bids in tests, {several} with several bids of a creative");
}

#[test]
fn bids_that_find_no_room_are_only_numbered() {
    let fixture = bidding().into_iter().find(|fixture| fixture.name == "banner-type-accepted").unwrap();
    let snapshot = fixture.snapshot("openrtb", None).unwrap();
    let (catalog, notices) = (snapshot.catalog(), notices());
    let mut scratch = Scratch::default();
    let mut at = |quarter: usize| {
        let now_ms = NOW_MS - i64::try_from(quarter).unwrap() * QUARTER_MS;
        fixture.decide(&mut scratch, &catalog, Some(&notices), now_ms);
    };
    // One bid in each quarter, three quarters too many; and another bid in the first one, which has its position.
    (0..MAX_TALLY + 3).for_each(&mut at);
    at(0);
    let (counts, uncounted) = taken(&mut scratch);
    assert_eq!((counts.len(), uncounted), (MAX_TALLY, 3));
    assert_eq!(counts.values().sum::<i64>(), i64::try_from(MAX_TALLY).unwrap() + 1);
    assert_eq!(counts[&(NOW_MS / QUARTER_MS, "acme".to_owned(), "acme-300x250".to_owned())], 2);
}

fn taken(scratch: &mut Scratch) -> (Counts, i64) {
    let mut out = String::new();
    scratch.tally.take(&mut out);
    let taken: Value = serde_json::from_str(&out).unwrap();
    let mut counts = Counts::new();
    for row in taken["bids"].as_array().into_iter().flatten() {
        let named = [("campaign", "cid"), ("creative", "crid"), ("ssp", "sspId")];
        for (hash, name) in named {
            assert_eq!(text(row, hash), format!("{:016x}", hash_of(text(row, name))), "{row}");
        }
        assert_eq!(text(row, "sspId"), "demo");
        let key = (row["quarter"].as_i64().unwrap(), text(row, "cid").to_owned(), text(row, "crid").to_owned());
        assert_eq!(counts.insert(key, row["count"].as_i64().unwrap()), None, "{row} comes twice");
    }
    (counts, taken["uncounted"].as_i64().unwrap())
}
