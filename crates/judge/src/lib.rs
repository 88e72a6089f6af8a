//! Checks a bid response and the request that it answers with the OpenRTB 2.6-202606 rules of `rtblint-core`.
//!
//! Only tests use this crate: the Rust tests call [`judge`], the tests inside workerd and the conformance run call the
//! same code compiled to WebAssembly.
//!
//! It reports no warnings. It reports no errors of the request, because a bidder must answer everything that an SSP
//! sends. For the rules on pairs of a request and a response, it first normalises the request. If that fails, it checks
//! the response alone.

use std::collections::HashSet;

use rtblint_core::{
    Issue, OpenRtbVersion, Severity, validate_bid_response_against_request, validate_bid_response_for_version,
};
use serde_json::Value;

const VERSION: OpenRtbVersion = OpenRtbVersion::V2_6_202606;

/// The errors of `response`, alone or as the answer to `request`, each as "rule-id path message".
pub fn judge(request: &str, response: &str) -> Vec<String> {
    let result = match normalise(request) {
        Some(request) => validate_bid_response_against_request(VERSION, &request, response),
        None => validate_bid_response_for_version(VERSION, response),
    };
    result.issues.iter().filter(|issue| issue.severity == Severity::Error).map(finding).collect()
}

fn finding(issue: &Issue) -> String {
    let path = issue.path.as_deref().unwrap_or("-");
    format!("{} {path} {}", issue.id, issue.message)
}

/// Normalises the request for the rules on pairs of a request and a response: numeric ids become strings,
/// `native.request` becomes a string, and of several impressions with the same id only the first is kept. `None` if the
/// request is not a JSON object.
fn normalise(request: &str) -> Option<String> {
    let mut request: Value = serde_json::from_str(request).ok()?;
    stringify_id(&mut request);
    let imps = request.as_object_mut()?.get_mut("imp");
    if let Some(imps) = imps.and_then(Value::as_array_mut) {
        imps.iter_mut().for_each(normalise_imp);
        let mut seen = HashSet::new();
        imps.retain(|imp| imp.get("id").is_none_or(|id| seen.insert(id.to_string())));
    }
    Some(request.to_string())
}

fn normalise_imp(imp: &mut Value) {
    stringify_id(imp);
    if let Some(native) = imp.pointer_mut("/native/request")
        && native.is_object()
    {
        *native = Value::String(native.to_string());
    }
    let deals = imp.pointer_mut("/pmp/deals");
    deals.and_then(Value::as_array_mut).into_iter().flatten().for_each(stringify_id);
}

fn stringify_id(object: &mut Value) {
    if let Some(id) = object.get_mut("id")
        && id.is_number()
    {
        *id = Value::String(id.to_string());
    }
}

/// [`judge`] for JavaScript: the errors as a JSON array of strings.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(js_name = judge)]
pub fn judge_to_json(request: &str, response: &str) -> String {
    Value::from(judge(request, response)).to_string()
}

#[cfg(test)]
mod tests {
    use super::judge;

    const REQUEST: &str = r#"{"id":"r1","imp":[{"id":"i1","banner":{"w":300,"h":250}}],"cur":["USD"]}"#;

    fn rules(request: &str, bid: &str) -> Vec<String> {
        let response = format!(r#"{{"id":"r1","cur":"USD","seatbid":[{{"bid":[{bid}]}}]}}"#);
        judge(request, &response).iter().map(|finding| finding.split(' ').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_valid_response_has_no_errors() {
        assert!(rules(REQUEST, r#"{"id":"b","impid":"i1","price":1.5,"mtype":1}"#).is_empty());
    }

    #[test]
    fn errors_of_the_response_and_of_the_pair_are_reported() {
        let cases = [
            (r#"{"id":"b","impid":"i1"}"#, "openrtb.field.required"),
            (r#"{"id":"b","impid":"i2","price":1}"#, "openrtb.bid.impid_unknown"),
            (r#"{"id":"b","impid":"i1","price":1,"mtype":2}"#, "openrtb.bid.mtype_not_offered"),
        ];
        for (bid, rule) in cases {
            assert_eq!(rules(REQUEST, bid), [rule], "{bid}");
        }
        assert_eq!(judge(REQUEST, "nonsense").len(), 1);
    }

    #[test]
    fn an_error_names_rule_path_and_reason() {
        let response = r#"{"id":"other","seatbid":[]}"#;
        let findings = judge(REQUEST, response);
        assert!(
            findings.iter().any(|f| f.starts_with("openrtb.response.request_id_mismatch id Response id")),
            "{findings:?}"
        );
    }

    #[test]
    fn errors_of_the_request_are_not_reported() {
        let bid = r#"{"id":"b","impid":"1","price":1.5,"mtype":1}"#;
        for request in [
            r#"{"id":"r1","imp":[{"id":1,"banner":{"w":"300"},"nonsense":true}]}"#,
            r#"{"id":"r1","imp":[{"id":"1","banner":{}},{"id":"1","video":{}}]}"#,
            "nonsense",
            "[]",
        ] {
            assert!(rules(request, bid).is_empty(), "{request}");
        }
    }
}
