//! Every fixture, encoded as protobuf, gets the same answer and the same reasons as in JSON, and the answer in protobuf
//! says what the JSON says.

use std::collections::{BTreeMap, BTreeSet};

use auction::context::Context;
use auction::recorder::Recorder;
use auction::{Outcome, Scratch, bid, write};
use bumpalo::Bump;
use catalog::Campaign;
use compiler::compile;
use openrtb::read::{Body, Format};
use openrtb::request::{Deal, Imp};
use reasons::no_bid::NoBidReason;
use serde_json::Value;

use super::convert::{Style, decode, encode, known};
use super::fixture_table::{Fixture, fixtures};
use super::schema::schema;

/// Fixtures that get another answer in protobuf, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("bid/dsa-required-and-shown-by-the-publisher", NO_REGS_DSA),
    ("bid/first-party-category-of-the-content-beside-the-rest", NO_PREBID),
    ("bid/first-party-data-for-everyone", NO_PREBID),
    ("bid/factor-for-first-party-data", NO_PREBID),
    ("bid/first-party-data-of-the-impression", NO_PREBID),
    ("bid/first-party-data-of-the-person", NO_PREBID),
    ("bid/first-party-data-of-the-person-from-the-server", NO_PREBID),
    ("bid/first-party-data-of-the-screen", NO_PREBID),
    ("bid/first-party-data-of-two-paths", NO_PREBID),
    ("bid/first-party-name-with-an-escape", NO_PREBID),
    ("bid/first-party-number-and-truth-by-their-json", NO_PREBID),
    ("bid/first-party-section-of-the-app", NO_PREBID),
    ("bid/first-party-section-that-is-targeted", NO_PREBID),
    ("bid/first-party-section-that-the-server-replaces", NO_PREBID),
    ("bid/first-party-value-in-a-list", NO_PREBID),
    ("bid/first-party-keywords-addressed-to-us", NO_PREBID),
    ("bid/first-party-keywords-where-the-request-has-no-user", NO_PREBID),
    ("bid/first-party-keywords-where-the-user-is-null", NO_PREBID),
    ("bid/first-party-segment-where-the-request-has-no-user", NO_PREBID),
    ("no-bid/ids-unused-where-gpp-sid-in-ext-lists-a-section", "the messages have no regs.ext.gpp_sid"),
    ("bid/native-request-as-object", "openrtb.proto has no message around the native request"),
    ("bid/targeted-gpid-as-pbadslot", NO_PREBID),
    ("bid/targeted-rewarded-as-prebid-names-it", NO_PREBID),
    ("no-bid/deal-without-floor-takes-one-that-is-no-number", NO_BAD_FLOOR),
    ("no-bid/dsa-required-by-a-platform-and-not-told", NO_REGS_DSA),
    ("no-bid/empty-user-agent-does-not-hide-the-one-in-ext", "the messages have no device.ext.sua"),
    ("no-bid/excluded-gpid-as-pbadslot", NO_PREBID),
    ("no-bid/first-party-null-removes-a-category", NO_PREBID),
    ("no-bid/first-party-section-that-is-excluded", NO_PREBID),
    ("no-bid/floor-beyond-all-numbers", "serde_json reads no number that is so large"),
    ("no-bid/floor-in-a-currency-that-is-a-list", NO_BAD_FLOOR),
    ("no-bid/floor-of-the-deal-that-is-no-number", NO_BAD_FLOOR),
    ("no-bid/floor-of-the-duration-that-is-no-number", NO_BAD_FLOOR),
    ("no-bid/floor-per-second-that-is-no-number", NO_BAD_FLOOR),
    ("no-bid/floor-that-is-a-list", NO_BAD_FLOOR),
    ("no-bid/floor-that-is-no-number", NO_BAD_FLOOR),
    ("no-bid/ids-unused-under-global-privacy-control", "openrtb.proto has gpc only in regs.ext"),
    ("no-bid/ids-unused-where-coppa-is-a-word", NO_BAD_SIGNAL),
    ("no-bid/ids-unused-where-dnt-is-33", NO_BAD_SIGNAL),
    ("no-bid/ids-unused-where-the-status-of-tracking-is-a-word", NO_ODD_FORM),
    ("no-bid/ids-unused-where-us-privacy-is-a-list", NO_BAD_SIGNAL),
    ("no-bid/insecure-markup-where-secure-is-a-word", NO_BAD_SIGNAL),
    ("no-bid/no-bid-where-gdpr-is-a-list", NO_BAD_SIGNAL),
    ("no-bid/multiplier-that-cannot-be-read", NO_BAD_FLOOR),
    ("no-bid/private-auction-in-a-word", NO_BAD_SIGNAL),
    ("no-bid/unwanted-rewarded-as-prebid-names-it", NO_PREBID),
    ("bid/allowed-seats-in-one-text", NO_ODD_FORM),
    ("bid/restrictions-that-say-nothing", NO_ODD_FORM),
    ("no-bid/allowed-seats-as-a-numbered-object", NO_ODD_FORM),
    ("no-bid/blocked-advertisers-as-a-numbered-object", NO_ODD_FORM),
    ("no-bid/blocked-advertisers-as-objects-that-nobody-can-read", NO_ODD_FORM),
    ("no-bid/blocked-attributes-in-one-text", NO_ODD_FORM),
    ("no-bid/impressions-of-a-showing-in-a-list", NO_ODD_FORM),
    ("no-bid/longest-duration-in-words", NO_ODD_FORM),
    ("no-bid/private-auction-in-a-list", NO_ODD_FORM),
    ("no-bid/required-durations-in-one-text", NO_ODD_FORM),
    ("no-bid/sizes-in-words", NO_ODD_FORM),
    ("no-bid/taxonomy-of-blocked-categories-in-words", NO_ODD_FORM),
    ("bid/targeted-firstbroadcast", NO_LIVE_EVENTS),
    ("bid/targeted-realtime", NO_LIVE_EVENTS),
    ("no-bid/width-that-is-an-empty-object", NO_ODD_FORM),
    ("no-bid/other-kind-of-the-devices-id", "openrtb.proto has ifa_type only in device.ext"),
    ("no-bid/venue-of-a-taxonomy-that-cannot-be-read-where-it-must-be-told", NO_ODD_FORM),
    ("bid/segment-of-the-content-in-the-second-of-two-channels", NO_CIDS),
    ("bid/targeted-cid-of-the-provider", NO_CIDS),
    ("no-bid/excluded-cid", NO_CIDS),
    ("bid/targeted-segment-by-the-providers-name-in-the-taxonomy", NO_SEGTAX),
    ("bid/targeted-segment-in-a-taxonomy-as-text", NO_SEGTAX),
    ("bid/targeted-segment-in-the-taxonomy", NO_SEGTAX),
    ("bid/targeted-segment-of-any-provider-in-the-taxonomy", NO_SEGTAX),
    ("bid/targeted-segment-of-the-content-in-the-taxonomy", NO_SEGTAX),
    ("bid/taxonomy-alone-tells-a-segment-where-it-must-be-told", NO_SEGTAX),
    ("no-bid/excluded-segment-in-the-taxonomy", NO_SEGTAX),
];

const NO_ODD_FORM: &str = "a field has one type: a list is a list, a number is a number, an object is an object";
const NO_REGS_DSA: &str = "openrtb.proto has dsa only in regs.ext";
const NO_CIDS: &str = "openrtb.proto has cids only in data.ext";
const NO_SEGTAX: &str = "openrtb.proto has no segtax of data";
const NO_LIVE_EVENTS: &str = "openrtb.proto of 2.6-202606 has no live events";
const NO_PREBID: &str = "openrtb.proto has nothing of Prebid";
const NO_BAD_SIGNAL: &str = "a bool is always readable, and a text is never a list";
const NO_BAD_FLOOR: &str = "a double is always a number, and a text is never a list";

#[test]
fn fixtures_get_the_same_answer() {
    let schema = schema();
    let packed = Style::default();
    let mut wrong = Vec::new();
    let different: BTreeMap<&str, &str> = DIFFERENT.iter().copied().collect();
    let (mut seen, mut compared) = (BTreeSet::new(), 0);
    for fixture in fixtures().iter().filter(|fixture| fixture.kind != "malformed") {
        let name = format!("{}/{}", fixture.kind, fixture.name);
        let Ok(request) = serde_json::from_slice::<Value>(&fixture.request) else {
            if !different.contains_key(name.as_str()) {
                wrong.push(format!("{name}: not JSON for serde_json"));
            }
            seen.insert(name);
            continue;
        };
        let expected = decide(fixture, &fixture.request, Format::Json);
        for style in [packed, Style { is_unpacked: true, has_native_messages: true }] {
            let mut lost = Vec::new();
            let message = encode(&schema, "BidRequest", &request, style, &mut lost);
            let actual = decide(fixture, &message, Format::Protobuf);
            if (actual.0, value(&actual.1), &actual.2) == (expected.0, value(&expected.1), &expected.2) {
                compared += 1;
            } else {
                if !different.contains_key(name.as_str()) {
                    wrong.push(format!("{name}: {:?}, not {:?}; lost {lost:?}", actual.0, expected.0));
                }
                seen.insert(name.clone());
            }
        }
    }
    let stale: Vec<_> = different.keys().filter(|name| !seen.contains(**name)).collect();
    assert!(wrong.is_empty() && stale.is_empty(), "{}\nnot different: {stale:?}", wrong.join("\n"));
    assert!(compared > 1200, "{compared}");
}

#[test]
fn answers_say_the_same_in_protobuf() {
    let (schema, mut count) = (schema(), 0);
    for fixture in fixtures().iter().filter(|fixture| fixture.kind != "malformed") {
        let (_, answer, _) = decide(fixture, &fixture.request, Format::Json);
        if answer.is_empty() {
            continue;
        }
        let mut encoded = Vec::new();
        write::encoded(&answer, &Bump::new(), &mut encoded).unwrap();
        assert!(encoded.len() < answer.len(), "{}", fixture.name);
        let json = serde_json::from_str(&answer).unwrap();
        let decoded = decode(&schema, "BidResponse", &encoded);
        assert_eq!(decoded, known(&schema, "BidResponse", &json), "{}", fixture.name);
        count += 1;
    }
    assert!(count > 300, "{count}");
}

/// The value of an answer. Its text may escape the same id in several ways.
fn value(answer: &str) -> Value {
    serde_json::from_str(answer).unwrap_or_default()
}

/// The outcome, the answer, and for each campaign the last check that failed.
fn decide(fixture: &Fixture, body: &[u8], format: Format) -> (Outcome, String, BTreeMap<String, NoBidReason>) {
    let snapshot = compile(&fixture.catalog, &[]).unwrap().snapshot;
    let catalog = snapshot.catalog();
    let demo = catalog.parts().ssps().iter().position(|ssp| ssp.id() == "demo").unwrap();
    let context = Context { now_ms: 1_795_003_200_000, seed: 7, version: 8, ..Context::default() };
    let (mut reasons, mut answer) = (Reasons::default(), String::new());
    let body = Body::from(body).encoded_as(format);
    let outcome = bid(&mut Scratch::default(), body, demo, &catalog, &context, &mut reasons, &mut answer);
    (outcome, answer, reasons.0)
}

#[derive(Default)]
struct Reasons(BTreeMap<String, NoBidReason>);

impl Recorder for Reasons {
    fn rejected(&mut self, campaign: &Campaign<'_>, _: Option<&Imp<'_>>, _: Option<&Deal<'_>>, reason: NoBidReason) {
        let closest = self.0.entry(campaign.cid().to_owned()).or_insert(reason);
        *closest = reason.max(*closest);
    }
}
