//! The privacy signals of a request, and what they let a bid know about the person.

use serde_json::Value;

use super::json::{at, has, int, signal, text_of};

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
    let limiting = ["regs/gpc", "regs/ext/gpc", "regs/coppa", "device/lmt", "device/dnt"];
    let limits = limiting.iter().any(|path| signal(request, path) == Some(true));
    // Position 3 of the string says an opt-out of sale. A malformed string counts as a refusal.
    let refuses = |us: &str| !us.is_empty() && !matches!(us, "1YNN" | "1YNY" | "1---");
    let opted_out = ["regs/us_privacy", "regs/ext/us_privacy"].iter().any(|path| refuses(text_of(request, &[path])));
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
    match gdpr(request) {
        Some(gdpr) => gdpr,
        None => !text_of(request, &["user/consent", "user/ext/consent"]).is_empty() || is_assumed(settings),
    }
}

/// The stricter of both places.
pub fn gdpr(request: &Value) -> Option<bool> {
    ["regs/gdpr", "regs/ext/gdpr"].iter().filter_map(|path| signal(request, path)).max()
}

fn is_assumed(settings: &Value) -> bool {
    at(settings, "assume_gdpr").as_bool().unwrap_or(false)
}

/// The location of the device, or of the person if the request does not tell that of the device.
pub fn geo(request: &Value) -> &Value {
    let (device, user) = (at(request, "device/geo"), at(request, "user/geo"));
    if device.is_object() { device } else { user }
}
