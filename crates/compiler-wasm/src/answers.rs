//! Writes findings and time zones as JSON for the host.

use bidder_wasm::write::Object;

use crate::decode::Finding;

/// Appends `{"findings":[{"path","rule","of","message","severity"}]}`, without `of` if it is empty. `severity` is
/// `error`, or `note` for a finding that does not refuse a catalog.
pub(crate) fn findings(out: &mut String, findings: &[Finding]) {
    let mut object = Object::begin(out);
    object.list("findings", findings, |out, finding| {
        let mut entry = Object::begin(out);
        entry.string("path", &finding.path);
        entry.string("rule", &finding.rule.to_string());
        entry.text("of", &finding.of);
        entry.string("message", &finding.message);
        entry.string("severity", if finding.rule.is_note() { "note" } else { "error" });
        entry.end();
    });
    object.end();
}

/// Appends `{"zones":[…]}`.
pub(crate) fn zones(out: &mut String, names: &[String]) {
    let mut object = Object::begin(out);
    object.texts("zones", names);
    object.end();
}
