//! Every placeholder instead of every kind of id: nobody is counted under it, and no target takes it for an id.

use auction::Outcome;
use base::placeholder::is_placeholder;
use bumpalo::Bump;
use openrtb::read::{Body, Format, Reader, Wants};
use openrtb::request::Request;
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{campaign, catalog, decide, request, snapshot, with};
use crate::notices;

/// Texts that name nobody.
#[rustfmt::skip]
const PLACEHOLDERS: &[&str] = &[
    "", " ", "-", "--", "?", "0", "00", "0-0", "0.0", "-1", "null", "NULL", "(null)", "null,null", "nil", "None",
    "undefined", "UNKNOWN", "unknown ", "n/a", "N.A.", "NaN", "false", "not set", "not-available", "No_User_Id",
    "OPTOUT", "opt-out", "opt_out", "OptedOut", "anonymous", "string", "[object Object]", "uid", "buyeruid", "IFA",
    "$UID", "${UID}", "$!{uid}", "{UID}", "{{IFA}}", "{{user.id}}", "{device_id_sha1}", "[UID]",
    "[GOOGLE_ADVERTISING_ID]", "<uid>", "%%UID%%", "%UID%", "__IDFA__", "##UID##", "@uid@", "*|UID|*", "uid=${UID}",
    "prefix-of-an-exchange-{{IFA}}", "%7B%7BIFA%7D%7D", "%24%7BUID%7D", "%5bUID%5d",
    "00000000-0000-0000-0000-000000000000", "00000000000000000000000000000000",
    "{00000000-0000-0000-0000-000000000000}", "ffffffff-ffff-ffff-ffff-ffffffffffff", "FFFFFFFFFFFFFFFF",
    "11111111-1111-1111-1111-111111111111", "xxxxxxxx", "********", "D41D8CD98F00B204E9800998ECF8427E",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
];

/// Ids that look a little like placeholders.
#[rustfmt::skip]
const IDS: &[&str] = &[
    "1", "x", "p1", "aa", "0f3b", "u-1", "1111111", "é", "ID5-f46-K18ECHZ2Vup",
    "ID5*mGx-bL_tNcnnNTAdDkZSNvvhHYyjDdBn", "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "aaaaaaaa-0000-4000-8000-000000000001",
    "00000000-0000-0000-0000-000000000001", "AAAAAAAAAAAAAAAAAAAAAQ", "-_mKpQrStUvWxYzAbCdEg_", "_ab12_",
    "y-pVZ1X.tE2uI8LQ~A", "CAESEKAbCdEfGh==", "100%", "a%20b", "nullify", "optouter",
    "XY1005wXyWPB1SgpMUKIpzA0I3UaLEz-2lg0wFAr1PWK7FMhs", "d41d8cd98f00b204e9800998ecf8427f",
];

/// A kind of id: its name, the members of a request, and a target that needs it, if there is one, with its reason.
type Kind = (&'static str, Value, Option<(Value, NoBidReason)>);

fn kinds(id: &str) -> [Kind; 6] {
    let eids = json!([{"source": "a.example", "uids": [{"id": id}]}]);
    let wants_eids = || Some((json!({"eids": {"include": ["a.example"]}}), NoBidReason::Eids));
    [
        ("buyeruid", json!({"user": {"buyeruid": id}}), Some((json!({"buyeruid": true}), NoBidReason::Buyeruid))),
        ("ifa", json!({"device": {"ifa": id}}), None),
        ("eids", json!({"user": {"eids": eids}}), wants_eids()),
        ("eids in ext", json!({"user": {"ext": {"eids": eids}}}), wants_eids()),
        (
            "eids of two sources",
            json!({"user": {"eids": [{"source": "b.example", "uids": [{"id": id}, {"id": id}]}]}}),
            Some((json!({"eids": {"include": ["b.example"]}}), NoBidReason::Eids)),
        ),
        ("user.id", json!({"user": {"id": id}}), None),
    ]
}

/// The outcome of a campaign with a cap and a target on a request with these members, and whether it asks about a person.
fn outcome(members: &Value, target: &Value) -> (Outcome, bool) {
    let mut campaign = campaign("capped", "3", &json!([{"n": 1, "per": "day"}]));
    campaign["target"] = target.clone();
    let request = with(request(&json!({})), members);
    let answer = decide(&snapshot(&catalog(&[campaign])), &request, Some(&notices()), None);
    (answer.outcome, answer.asked["keys"].is_array())
}

#[test]
fn a_placeholder_of_any_kind_is_nobody() {
    for id in PLACEHOLDERS {
        assert!(is_placeholder(id), "{id}");
        for (kind, members, target) in kinds(id) {
            assert_eq!(outcome(&members, &json!({})), (Outcome::Bid, false), "{id} as {kind}");
            if let Some((target, reason)) = target {
                assert_eq!(outcome(&members, &target), (Outcome::NoBid(reason), false), "{id} as {kind}");
            }
        }
    }
}

#[test]
fn an_id_of_any_kind_is_a_person() {
    for id in IDS {
        assert!(!is_placeholder(id), "{id}");
        for (kind, members, target) in kinds(id) {
            let target = target.map_or(json!({}), |(target, _)| target);
            let (_, asks) = outcome(&members, &target);
            assert!(asks, "{id} as {kind}");
        }
    }
}

#[test]
fn three_people_who_share_a_placeholder_are_counted_apart() {
    let campaigns = [campaign("capped", "3", &json!([{"n": 1, "per": "day"}]))];
    let keys = |ifa: &str| {
        let members = json!({"user": {"buyeruid": "0"}, "device": {"ifa": ifa}});
        let answer =
            decide(&snapshot(&catalog(&campaigns)), &with(request(&json!({})), &members), Some(&notices()), None);
        answer.asked["keys"].clone()
    };
    let [one, two, three] = ["1", "2", "3"].map(|end| keys(&format!("aaaaaaaa-0000-4000-8000-00000000000{end}")));
    assert!(one.is_array() && one != two && two != three && one != three);
}

#[test]
fn a_placeholder_in_protobuf_is_absent_too() {
    let length = |id: &str| u8::try_from(id.len()).unwrap();
    // id, imp[0].id, and user.buyeruid of `openrtb.proto`.
    let body =
        |id: &str| [b"\x0a\x01r\x12\x03\x0a\x011\x32", &[length(id) + 2, 0x12, length(id)][..], id.as_bytes()].concat();
    for (ids, is_absent) in [(PLACEHOLDERS, true), (IDS, false)] {
        for id in ids {
            let (arena, body) = (Bump::new(), body(id));
            let body = Body::from(body.as_slice()).encoded_as(Format::Protobuf);
            let Request { user, .. } = Reader::default().read(body, &Wants::everything(""), &arena).unwrap();
            assert_eq!(user.buyeruid.is_empty(), is_absent, "{id}");
        }
    }
}
