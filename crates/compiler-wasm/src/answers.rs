//! The module's answers to the host that are no reports: findings, zones, an error.

use bidder_wasm::write::Object;

use crate::decode::Finding;

/// Appends `{"findings":[{"path","rule","of","message","severity"}]}`: `severity` is `note` for what refuses no catalog, else
/// `error`; `of` is left out where it is empty.
pub(crate) fn findings(out: &mut String, findings: &[Finding]) {
    let mut object = Object::begin(out);
    object.list("findings", findings, |out, finding| {
        let mut entry = Object::begin(out);
        entry.string("path", &finding.path);
        entry.string("rule", finding.rule.as_str());
        entry.text("of", &finding.of);
        entry.string("message", &finding.message);
        entry.string("severity", if finding.rule.is_note() { "note" } else { "error" });
        entry.end();
    });
    object.end();
}

/// Appends `{"zones"}`.
pub(crate) fn zones(out: &mut String, names: &[String]) {
    let mut object = Object::begin(out);
    object.texts("zones", names);
    object.end();
}
