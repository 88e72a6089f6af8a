//! What was wanted and what was found, and what each privacy signal means.

use super::{NOW_MS, asked, catalog, explained, request, rows, with};
use crate::Only;
use auction::context::Context;
use auction::stop::Stop;
use base::limits::{MAX_TEXT_BYTES, MAX_VALUES};
use serde_json::{Value, json};

/// A TCF string that grants vendor 42 nothing.
const REFUSAL: &str = "CPzHq4APzHq4AAMABBENAUEgAAAAAAAAAAAAAAAAAAAA";
/// A TCF string that grants vendor 42 purpose 2 by consent, and no other purpose.
const BASIC_ADS: &str = "CPzHq4APzHq4AAMABBENAUEgAEAAAAAAAAAAAVAAAAAAAQAAAAA";

const NO_GRANT: &str = "a TCF string that does not grant that";

#[test]
fn a_refused_request_says_why() {
    let consent = json!({"user": {"consent": REFUSAL}});
    let bases = json!([{"purpose": 1}, {"purpose": 2, "basis": "legitimate-interest"}]);
    let long = json!({"badv": ["x".repeat(MAX_TEXT_BYTES + 1)]});
    let too_long =
        format!("at most {MAX_VALUES} values in all lists and objects, and texts of at most {MAX_TEXT_BYTES} bytes");
    for (privacy, more, outcome, wanted, found) in [
        (
            json!({"vendor_id": 42}),
            json!({"regs": {"gdpr": 0, "gpp": "garbage", "gpp_sid": [2]}}),
            "privacy",
            "a TCF string, or bid_without_string true",
            "gpp_sid 2, a GPP string that cannot be read",
        ),
        (
            json!({"vendor_id": 42}),
            consent.clone(),
            "privacy",
            "purpose 2 by consent or legitimate interest for vendor 42",
            &format!("gdpr unknown, {NO_GRANT}"),
        ),
        (
            json!({"vendor_id": 7, "contextual": bases}),
            with(consent, &json!({"regs": {"gdpr": 1}})),
            "privacy",
            "purpose 1 by consent, purpose 2 by legitimate interest for vendor 7",
            &format!("GDPR applies, {NO_GRANT}"),
        ),
        (
            json!({"vendor_id": 42}),
            json!({"user": {"consent": format!("{REFUSAL}.IADkIAAA")}}),
            "privacy",
            "vendor 42 in the segment Disclosed Vendors",
            "gdpr unknown, a TCF string that does not disclose vendor 42",
        ),
        (
            json!({"vendor_id": 42}),
            json!({"regs": {"gpp": format!("DBABMA~{REFUSAL}."), "ext": {"gpp_sid": [2]}}}),
            "privacy",
            "a valid TCF string, or bid_without_string true",
            "gpp_sid 2, a TCF string that has a segment that is cut off, unknown or there twice",
        ),
        (json!({}), long, "list-length", &too_long, "more"),
    ] {
        let report = explained(&catalog(&json!({ "privacy": privacy }), &[json!({})]), &request(&json!({}), &more));
        assert_eq!(["outcome", "wanted", "found"].map(|name| &report[name]), [outcome, wanted, found]);
    }
    let empty = explained(&catalog(&json!({}), &[]), &request(&json!({}), &json!({})));
    assert_eq!([&empty["outcome"], &empty["wanted"]], ["no-campaign", "a campaign in the catalog"]);
}

#[test]
fn values_that_the_decision_does_not_read_are_not_too_many() {
    let segments: Vec<Value> = (0..16_001).map(|id| json!({"id": id.to_string()})).collect();
    let more = json!({"user": {"data": [{"id": "d", "segment": segments}]}});
    let report = explained(&catalog(&json!({}), &[json!({})]), &request(&json!({}), &more));
    assert_eq!(report["outcome"], "bid", "{report}");
}

#[test]
fn a_stop_is_explained() {
    let snapshot = catalog(&json!({}), &[json!({}), json!({})]);
    let explained = |cids: &str, all: bool| {
        let (stop, _) = Stop::read(cids, all, &snapshot.catalog());
        let context = Context { stop: stop.as_ref(), ..Context::default() };
        asked(&snapshot, &request(&json!({}), &json!({})), &context, Only::default()).unwrap()
    };
    let everything = explained("", true);
    assert_eq!([&everything["outcome"], &everything["found"]], ["stopped", "stopped by edgebid stop"]);
    let one = explained("c1\n", false);
    assert_eq!(one["outcome"], "bid");
    assert_eq!([&one["rejected"][0]["cid"], &one["rejected"][0]["reason"]], ["c1", "stopped"]);
}

#[test]
fn a_rejection_names_the_value_wanted_and_the_value_found() {
    let media = json!([{"url": "https://c.example/1", "mime": "video/mp4"}]);
    let video = json!({"dur": 30, "protocol": 3, "w": 640, "h": 360, "media": media});
    let creatives: Vec<Value> = (1..=40)
        .map(|w| json!({"crid": w.to_string(), "banner": {"w": w, "h": 9, "adm": "<img src='http://x.example/'>"}}))
        .chain([
            json!({"crid": "video", "video": video}),
            json!({"crid": "b", "banner": {"w": 1, "h": 1, "adm": "<b>"}}),
        ])
        .chain([json!({"crid": "audio", "audio": {"dur": 30, "protocol": 3, "media": media}})])
        .collect();
    let crids: Vec<String> = (1..=40).map(|w: i64| w.to_string()).collect();
    let many: Vec<String> =
        (0..40).map(|number| format!("b{number}.example")).chain(["x.example".to_owned()]).collect();
    let linear = |target: Value| json!({"creatives": ["video", "audio"], "target": target});
    let days = json!([{"days": [1, 2, 4, 5], "from": 8, "to": 18}, {"days": [2], "from": 20, "to": 21}]);
    for (campaign, imp, more, expected) in [
        (json!({}), json!({}), json!({"badv": many}), ["badv", "x.example not blocked", "badv x.example"]),
        (
            json!({"creatives": crids}),
            json!({}),
            json!({}),
            ["size", "1x9, 2x9, 3x9, 4x9, 5x9, 6x9, 7x9, 8x9 and 32 more", "1x1"],
        ),
        (
            json!({"creatives": ["1"], "nurl": "http://n.example/1"}),
            json!({"secure": 1, "banner": {"w": 1, "h": 9}}),
            json!({}),
            ["secure", "the notice http://n.example/1, plain http in 1", "https only (secure 1)"],
        ),
        (
            json!({"deals": ["d"], "open": false}),
            json!({"pmp": {"deals": [{"id": "d", "bidfloor": 0.5, "bidfloorcur": "GBP"}]}}),
            json!({}),
            ["rate", "a rate for the floor's GBP", "rates for USD, EUR"],
        ),
        (
            json!({}),
            json!({"bidfloor": 80, "bidfloorcur": "EUR"}),
            json!({}),
            ["floor", "at most 1 USD", "at least 80 EUR = 100 USD"],
        ),
        (
            json!({"cur": "EUR"}),
            json!({"bidfloor": 100}),
            json!({}),
            ["floor", "at most 1 EUR = 1.25 USD", "at least 100 USD"],
        ),
        (
            linear(json!({})),
            json!({"video": {"maxduration": 15}, "audio": {"maxduration": 20}}),
            json!({}),
            ["duration", "30 s", "video 0 to 15, audio 0 to 20"],
        ),
        (
            linear(json!({"startdelay": {"include": [-1]}})),
            json!({"video": {"startdelay": 0}, "audio": {"startdelay": 15}}),
            json!({}),
            ["startdelay", "-1", "video 0, audio 15"],
        ),
        (
            json!({"target": {"hours": days, "zone": "Europe/Berlin"}}),
            json!({}),
            json!({}),
            [
                "hours",
                "Mon 08:00-18:00, Tue 08:00-18:00 20:00-21:00, Thu-Fri 08:00-18:00 (Europe/Berlin)",
                "Wed 2026-11-18 13:00 (UTC+01:00)",
            ],
        ),
        (
            json!({"target": {"hours": [{"from": 0, "to": 6}, {"from": 22, "to": 24}]}}),
            json!({"dt": NOW_MS + 12 * 3_600_000}),
            json!({}),
            [
                "hours",
                "Mon-Sun 00:00-06:00 22:00-24:00 (the person's own time)",
                "Thu 2026-11-19 00:00 UTC, utcoffset unknown; hours with a zone do not need it",
            ],
        ),
    ] {
        let report = explained(&catalog(&json!({ "creatives": creatives }), &[campaign]), &request(&imp, &more));
        let row = rows(&report["imps"][0]["rejected"]).iter().chain(rows(&report["rejected"])).next();
        let row = row.unwrap_or_else(|| panic!("{report}"));
        assert_eq!(["reason", "wanted", "found"].map(|name| &row[name]), expected);
    }
}

#[test]
fn privacy_signals_are_named_with_what_they_mean() {
    const CONTEXTUAL: &str = "forbids ids, segments and the precise location";
    let of_tcf =
        |means: &str| format!("user.consent {BASIC_ADS}: the TCF string does not grant {means} @ user.ext.consent");
    let (garbage, consent) = (json!({"gpp": "garbage", "gpp_sid": [7, 8]}), json!({"ext": {"consent": BASIC_ADS}}));
    let of_gpp = |said: &str| format!("{said}: the sections in gpp_sid: {CONTEXTUAL}, or cannot be read");
    for (vendor, more, by, told) in [
        (
            42,
            json!({"device": {"devicetype": 8, "lmt": null, "dnt": 1}}),
            "device.dnt, device.devicetype 8",
            vec![
                format!("device.dnt 1: {CONTEXTUAL} @ device.dnt"),
                format!("device.devicetype 8: a screen that many people see: {CONTEXTUAL} @ device.devicetype"),
            ],
        ),
        (
            42,
            json!({ "regs": garbage }),
            "regs.gpp with gpp_sid 7, 8",
            vec![
                format!("{} @ regs.gpp", of_gpp("regs.gpp garbage")),
                format!("{} @ regs.gpp_sid", of_gpp("regs.gpp_sid 7, 8")),
            ],
        ),
        (
            42,
            json!({"regs": {"gpp_sid": [-1], "ext": {"gpp_sid": [7]}}}),
            "regs.gpp with gpp_sid -1, 7",
            vec![format!("{} @ regs.gpp_sid regs.ext.gpp_sid", of_gpp("regs.gpp_sid -1 and 7"))],
        ),
        (
            42,
            json!({"device": {"ext": {"atts": 1}}, "regs": {"ext": {"gpp_sid": [7]}}}),
            "device.ext.atts, regs.gpp with gpp_sid 7",
            vec![
                format!("device.ext.atts 1: {CONTEXTUAL} @ device.ext.atts"),
                format!("{} @ regs.ext.gpp_sid", of_gpp("regs.gpp_sid 7")),
            ],
        ),
        (
            42,
            json!({"regs": {"gdpr": 0, "gpp_sid": [2]}}),
            "",
            vec![
                "regs.gpp_sid 2: section 1 or 2 says that GDPR applies; the other sections in gpp_sid: forbids nothing \
                 @ regs.gpp_sid"
                    .to_owned(),
                "regs.gdpr 0: GDPR applies by another signal; no TCF string: forbids every bid @ regs.gdpr".to_owned(),
            ],
        ),
        (
            42,
            json!({ "user": consent }),
            "GDPR: the TCF string grants no more",
            vec![of_tcf(&format!("everything: {CONTEXTUAL}"))],
        ),
        (41, json!({ "user": consent }), "", vec![of_tcf("what a bid needs: forbids every bid")]),
    ] {
        let snapshot = catalog(&json!({"privacy": {"vendor_id": vendor}}), &[json!({})]);
        let report = explained(&snapshot, &request(&json!({}), &more));
        assert_eq!(report["privacy_by"].as_str().unwrap_or_default(), by, "{report}");
        let text = |one: &Value| {
            let [signal, said, means] = ["signal", "said", "means"].map(|name| one[name].as_str().unwrap());
            let at: Vec<&str> = rows(&one["at"]).iter().filter_map(Value::as_str).collect();
            format!("{signal} {said}: {means} @ {}", at.join(" "))
        };
        assert_eq!(rows(&report["signals"]).iter().map(text).collect::<Vec<_>>(), told);
    }
}
