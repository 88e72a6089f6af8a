//! The model has as many attributes as the specification.

use super::*;
use crate::decode::{Json, JsonObject, Object, Rule, from_json};

fn row<T: Object>() -> (&'static str, usize, String) {
    let required: Vec<&str> = T::ATTRIBUTES.iter().filter(|name| name.required).map(|name| name.wire).collect();
    (T::NAME, T::ATTRIBUTES.len(), required.join(" "))
}

#[test]
fn every_object_has_all_its_attributes() {
    let table = [
        (row::<BidRequest>(), 24, "id imp"),
        (row::<Source>(), 5, ""),
        // `gpc` and `dsa` are community extensions.
        (row::<Regs>(), 6 + 2, ""),
        (row::<Imp>(), 23, "id"),
        (row::<Metric>(), 4, "type value"),
        (row::<Banner>(), 13, ""),
        // `protocol` is removed in 2.6.
        (row::<Video>(), 36 + 1, "mimes"),
        (row::<Audio>(), 26, "mimes"),
        (row::<Native>(), 5, "request"),
        (row::<Format>(), 6, ""),
        (row::<Pmp>(), 3, ""),
        (row::<Deal>(), 10, "id"),
        (row::<Site>(), 18, ""),
        (row::<App>(), 18, ""),
        (row::<Publisher>(), 6, ""),
        (row::<Content>(), 34, ""),
        (row::<Producer>(), 6, ""),
        (row::<Device>(), 33, ""),
        (row::<Geo>(), 14, ""),
        (row::<User>(), 12, ""),
        (row::<Data>(), 5, ""),
        (row::<Segment>(), 4, ""),
        (row::<Network>(), 4, ""),
        (row::<Channel>(), 4, ""),
        (row::<SupplyChain>(), 4, "complete nodes ver"),
        (row::<SupplyChainNode>(), 7, "asi sid"),
        (row::<Eid>(), 6, ""),
        (row::<Uid>(), 3, ""),
        (row::<UserAgent>(), 8, ""),
        (row::<BrandVersion>(), 3, "brand"),
        // `vendor` is required only if `sourcetype` is 1.
        (row::<Qty>(), 4, "multiplier"),
        (row::<Dooh>(), 9, ""),
        (row::<Refresh>(), 3, ""),
        (row::<RefSettings>(), 3, ""),
        (row::<DurFloors>(), 4, ""),
        (row::<BidResponse>(), 7, "id"),
        (row::<SeatBid>(), 4, "bid"),
        (row::<Bid>(), 33, "id impid price"),
    ];
    assert_eq!(table.len(), 38);
    assert_eq!(table.iter().map(|(_, count, _)| count).sum::<usize>(), 417 + 3);
    for ((name, count, required), expected_count, expected_required) in table {
        assert_eq!((count, required.as_str()), (expected_count, expected_required), "{name}");
    }
}

fn native(request: &str) -> (Option<native::Payload>, Vec<(String, Rule)>) {
    let text = format!(r#"{{"request":{request}}}"#);
    let decoded = from_json::<Native>(text.as_bytes()).unwrap();
    let findings = decoded.findings.into_iter().map(|finding| (finding.path, finding.rule)).collect();
    (decoded.value.unwrap().request, findings)
}

#[test]
fn a_native_request_is_read_in_every_form() {
    let at = |path: &str, rule| (path.to_string(), rule);
    for (request, wrapped, findings) in [
        (r#""{\"assets\":[{\"id\":1}]}""#, false, vec![]),
        (r#""{\"native\":{\"assets\":[{\"id\":1}]}}""#, true, vec![]),
        (r#"{"assets":[{"id":1}]}"#, false, vec![at("request", Rule::WrongType)]),
        (r#"{"native":{"assets":[{"id":1}]}}"#, true, vec![at("request", Rule::WrongType)]),
        (
            r#""{\"native\":{\"assets\":{\"id\":\"1\"}}}""#,
            true,
            vec![at("request.native.assets", Rule::WrongType), at("request.native.assets.id", Rule::WrongType)],
        ),
        (r#""{\"native\":7,\"assets\":[{\"id\":1}]}""#, false, vec![at("request.native", Rule::UnknownAttribute)]),
    ] {
        let (payload, found) = native(request);
        let payload = payload.unwrap();
        assert_eq!((payload.wrapped, found), (wrapped, findings), "{request}");
        assert_eq!(payload.request.assets[0].id, Some(1), "{request}");
    }
}

#[test]
fn a_native_request_without_an_object_is_ignored() {
    for (request, rule) in [
        (r#""json string""#, Rule::NotJson),
        (r#""""#, Rule::NotJson),
        (r#""{\"assets\":[]}}""#, Rule::NotJson),
        (r#""[]""#, Rule::Unreadable),
        (r#""5""#, Rule::Unreadable),
        (r#""null""#, Rule::Unreadable),
        ("5", Rule::Unreadable),
        ("[]", Rule::Unreadable),
    ] {
        assert_eq!(native(request), (None, vec![("request".to_string(), rule)]), "{request}");
    }
    let deep = format!(r#""{}{}""#, "[".repeat(65), "]".repeat(65));
    assert_eq!(native(&deep).0, None);
}

#[test]
fn ext_keeps_all_values() {
    let text = br#"{"id":"1","imp":[{"id":"1","ext":{"a":{"b":[1.50]}}}]}"#;
    let decoded = from_json::<BidRequest>(text).unwrap();
    assert_eq!(decoded.findings, []);
    let ext = decoded.value.unwrap().imp[0].ext.clone().unwrap();
    let list = Json::Array(vec![Json::Decimal("1.50".into())]);
    assert_eq!(ext.get("a"), Some(&Json::Object(JsonObject(vec![("b".into(), list)]))));
}
