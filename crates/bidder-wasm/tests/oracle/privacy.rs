//! The privacy signals of a request, and what they let a bid know about the person.

use serde_json::Value;

use super::json::{at, flag, has, int, text, text_of};

/// Verdicts, from the strictest to the freest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    NoBid,
    Contextual,
    Free,
}

/// The strictest signal counts.
pub fn verdict(request: &Value, settings: &Value) -> Verdict {
    let screen = has(request, "dooh") || int(request, "device/devicetype") == Some(8);
    let gpc = ["regs/gpc", "regs/ext/gpc"].iter().any(|path| flag(request, path) || text(request, path) == "1");
    let limits = gpc || ["regs/coppa", "device/lmt", "device/dnt"].iter().any(|path| flag(request, path));
    let us = text_of(request, &["regs/us_privacy", "regs/ext/us_privacy"]);
    // Position 3 of the string says an opt-out of sale. A malformed string counts as a refusal.
    let opted_out = !us.is_empty() && !matches!(us, "1YNN" | "1YNY" | "1---");
    let mut verdict = if screen || limits || opted_out { Verdict::Contextual } else { Verdict::Free };
    if gdpr_applies(request, settings) {
        // No generated string is readable, so a string never allows more than no string.
        let (key, default) =
            if has(settings, "vendor_id") { ("bid_without_string", false) } else { ("bid_unregistered", false) };
        let bids = at(settings, key).as_bool().unwrap_or(default);
        verdict = verdict.min(if bids { Verdict::Contextual } else { Verdict::NoBid });
    }
    verdict
}

fn gdpr_applies(request: &Value, settings: &Value) -> bool {
    match int(request, "regs/gdpr").or_else(|| int(request, "regs/ext/gdpr")) {
        Some(gdpr) => gdpr == 1,
        None => !text_of(request, &["user/consent", "user/ext/consent"]).is_empty() || is_assumed(settings),
    }
}

fn is_assumed(settings: &Value) -> bool {
    at(settings, "assume_gdpr").as_bool().unwrap_or(false)
}

/// The location of the device, or of the person if the device's country is unknown.
pub fn geo(request: &Value) -> &Value {
    let (device, user) = (at(request, "device/geo"), at(request, "user/geo"));
    if text(device, "country").is_empty() && !user.is_null() { user } else { device }
}
