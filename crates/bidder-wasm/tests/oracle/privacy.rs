//! What the signals of a request let a bid know about the person.

use serde_json::Value;

use super::json::{at, flag, has, int, text, text_of};

/// The lesser is the stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    NoBid,
    Contextual,
    Free,
}

/// Every signal may only make it stricter.
pub fn verdict(request: &Value, settings: &Value) -> Verdict {
    let screen = has(request, "dooh") || int(request, "device/devicetype") == Some(8);
    let gpc = ["regs/gpc", "regs/ext/gpc"].iter().any(|path| flag(request, path) || text(request, path) == "1");
    let limits = gpc || ["regs/coppa", "device/lmt", "device/dnt"].iter().any(|path| flag(request, path));
    let us = text_of(request, &["regs/us_privacy", "regs/ext/us_privacy"]);
    // Position 3 of the string: opted out of sale. A string that is none counts as a refusal.
    let opted_out = !us.is_empty() && !matches!(us, "1YNN" | "1YNY" | "1---");
    let mut verdict = if screen || limits || opted_out { Verdict::Contextual } else { Verdict::Free };
    if gdpr_applies(request, settings) {
        // No generated string is readable, so none gives more than no string does.
        let (key, default) =
            if has(settings, "vendor_id") { ("bid_without_string", false) } else { ("bid_unregistered", false) };
        let bids = at(settings, key).as_bool().unwrap_or(default);
        verdict = verdict.min(if bids { Verdict::Contextual } else { Verdict::NoBid });
    }
    verdict
}

fn gdpr_applies(request: &Value, settings: &Value) -> bool {
    match int(request, "regs/gdpr").or_else(|| int(request, "regs/ext/gdpr")) {
        Some(told) => told == 1,
        None => !text_of(request, &["user/consent", "user/ext/consent"]).is_empty() || assumed(settings),
    }
}

fn assumed(settings: &Value) -> bool {
    at(settings, "assume_gdpr").as_bool().unwrap_or(false)
}

/// The place of the device, or of the person where the device's country is not told.
pub fn geo(request: &Value) -> &Value {
    let (device, user) = (at(request, "device/geo"), at(request, "user/geo"));
    if text(device, "country").is_empty() && !user.is_null() { user } else { device }
}
