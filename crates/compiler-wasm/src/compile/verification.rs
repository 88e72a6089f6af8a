//! Scripts that measure a video or audio ad with Open Measurement (OMID): VAST `AdVerifications`.

use super::document::{LinearEntry, VerificationEntry};
use super::xml::{cdata, element, escape};

/// The element, or nothing. VAST before 4.1 has it in an extension (OM SDK, "VAST 4.0 and earlier"), because the
/// `AdVerifications` of VAST 4.0 have no parameters.
pub(super) fn render(ad: &LinearEntry, version: &str) -> String {
    if ad.verification.is_empty() {
        return String::new();
    }
    let scripts: String = ad.verification.iter().map(script).collect();
    let scripts = format!("<AdVerifications>{scripts}</AdVerifications>");
    if version > "4.0" {
        return scripts;
    }
    format!(r#"<Extensions><Extension type="AdVerifications">{scripts}</Extension></Extensions>"#)
}

fn script(entry: &VerificationEntry) -> String {
    let mut script = String::from(r#"<Verification vendor=""#);
    escape(&mut script, entry.vendor.as_deref().unwrap_or_default());
    // OMID scripts run in a bare JavaScript engine too, as players in apps have it.
    script.push_str(r#""><JavaScriptResource apiFramework="omid" browserOptional="true">"#);
    cdata(&mut script, entry.url.as_deref().unwrap_or_default());
    script.push_str("</JavaScriptResource>");
    if let Some(url) = &entry.not_executed {
        script.push_str(r#"<TrackingEvents><Tracking event="verificationNotExecuted">"#);
        cdata(&mut script, url);
        script.push_str("</Tracking></TrackingEvents>");
    }
    if let Some(params) = &entry.params {
        element(&mut script, "VerificationParameters", params);
    }
    script.push_str("</Verification>");
    script
}
