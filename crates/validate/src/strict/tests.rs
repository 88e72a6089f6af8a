//! Findings on whole requests, and that the table has all attributes of the specification.

use std::collections::BTreeMap;

use super::{sentence, validate};
use document::decode::Rule;
use openrtb::read::BadRequest;
use openrtb::read::spec::{self, Type};

/// The number of attributes of each kind that a request may have.
pub(super) fn kinds() -> BTreeMap<&'static str, usize> {
    let (mut kinds, mut todo) = (BTreeMap::new(), vec!["BidRequest"]);
    while let Some(kind) = todo.pop() {
        kinds.insert(kind, spec::all(kind).count());
        todo.extend(spec::all(kind).filter_map(|known| match known.of {
            Type::Object(kind) => Some(kind),
            Type::Native => Some("NativeWrapped"),
            _ => None,
        }));
    }
    kinds
}

/// The numbers are those of the specification, with four more: `protocol` of a video was removed in 2.6; `gpc` and
/// `dsa` of `Regs` are community extensions; `ifa_type` of `Device` is only in the guide to implementing OpenRTB.
#[test]
fn every_object_has_all_its_attributes() {
    let found: Vec<String> = kinds().iter().map(|(kind, attributes)| format!("{kind} {attributes}")).collect();
    let expected = "App 18, Asset 7, AssetData 3, AssetVideo 5, Audio 26, Banner 13, BidRequest 24, Brand 3, Content 34, \
                    ContentChannel 4, Data 5, Deal 10, Device 34, Dooh 9, Dsa 5, DsaTransparency 3, DurFloor 4, Eid 6, \
                    EventTracker 3, Format 6, Geo 14, Img 7, Imp 23, Metric 4, Native 5, NativeWrapped 12, Network 4, \
                    Node 7, Pmp 3, Producer 6, Publisher 6, Qty 4, RefSettings 3, Refresh 3, Regs 8, Segment 4, Site 18, \
                    Source 5, SupplyChain 4, Title 2, Uid 3, User 12, UserAgent 8, Video 37";
    assert_eq!(found.join(", "), expected);
}

#[test]
fn validate_finds_deviations() {
    let rules = |body: &str| {
        let findings = validate(body.as_bytes()).unwrap();
        findings.into_iter().map(|finding| (finding.path, finding.rule)).collect::<Vec<_>>()
    };
    assert_eq!(rules(r#"{"id":"1","imp":[{"id":"1","banner":{},"ext":{"anything":[1.5]}}]}"#), []);
    let at = |path: &str, rule| (path.to_string(), rule);
    assert_eq!(
        rules(
            r#"{"imp":[5,{"id":1,"banner":{"wmin":1},"native":{"request":"{\"assets\":[{\"title\":{\"len\":1}}]}"}}],"at":9,"Xid":1}"#
        ),
        [
            at("imp[0]", Rule::Unreadable),
            at("imp[1].id", Rule::WrongType),
            at("imp[1].banner.wmin", Rule::UnknownAttribute),
            at("imp[1].native.request.assets[0].id", Rule::Missing),
            at("at", Rule::OutOfRange),
            at("Xid", Rule::UnknownAttribute),
            at("id", Rule::Missing),
        ]
    );
    assert_eq!(validate(b"[]"), Err(BadRequest::NotAnObject));
    assert_eq!(validate(b"{"), Err(BadRequest::NotJson { at: 1 }));
}

#[test]
fn a_body_that_is_not_json_gets_a_specific_message() {
    for (body, message) in [
        (&b""[..], "empty; expected a bid request as JSON"),
        (br#"{"id":"r","imp":[{"id""#, "byte 22: not JSON: the text ends here"),
        (b"{]", "byte 1: not JSON"),
        (b"\x1f\x8b\x08\0", "the body is gzip; expected it with Content-Encoding: gzip"),
    ] {
        assert_eq!(validate(body).map_err(|bad| sentence(bad, body)), Err(message.to_owned()));
    }
}

#[test]
fn a_native_request_is_checked_in_every_form() {
    let wrong = |path: &str| (format!("imp[0].native.{path}"), Rule::WrongType);
    for (request, expected) in [
        (r#""{\"assets\":[{\"id\":1}]}""#, vec![]),
        (r#""{\"native\":{\"assets\":[{\"id\":1}]}}""#, vec![]),
        (r#"{"assets":[{"id":1}]}"#, vec![wrong("request")]),
        (
            r#""{\"native\":{\"assets\":{\"id\":\"1\"}}}""#,
            vec![wrong("request.native.assets"), wrong("request.native.assets.id")],
        ),
        (
            r#""{\"native\":7,\"assets\":[{\"id\":1}]}""#,
            vec![("imp[0].native.request.native".to_owned(), Rule::UnknownAttribute)],
        ),
        (r#""json string""#, vec![("imp[0].native.request".to_owned(), Rule::NotJson)]),
        (r#""[]""#, vec![("imp[0].native.request".to_owned(), Rule::Unreadable)]),
        ("5", vec![("imp[0].native.request".to_owned(), Rule::Unreadable)]),
    ] {
        let body = format!(r#"{{"id":"1","imp":[{{"id":"1","native":{{"request":{request}}}}}]}}"#);
        let findings = validate(body.as_bytes()).unwrap().into_iter().map(|finding| (finding.path, finding.rule));
        let relations = |(_, rule): &(String, Rule)| *rule != Rule::OutOfRange;
        assert_eq!(findings.filter(relations).collect::<Vec<_>>(), expected, "{request}");
    }
}

#[test]
fn keywords_may_be_a_list() {
    let body = br#"{"id":"1","imp":[{"id":"1","banner":{}}],"user":{"keywords":["a",5,{}]}}"#;
    let rules: Vec<Rule> = validate(body).unwrap().into_iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, [Rule::WrongType, Rule::WrongType, Rule::Unreadable]);
}
