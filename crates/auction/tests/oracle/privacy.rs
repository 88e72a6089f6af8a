//! The privacy signals of a request, and what they let a bid know about the person.

use serde_json::Value;

use super::json::{at, has, int, signal, text, text_of};

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
    // Of Apple's statuses of tracking, only 3 allows it.
    let is_untracked = signal(request, "device/ext/atts").is_some() && int(request, "device/ext/atts") != Some(3);
    let limits = is_untracked || limiting.iter().any(|path| signal(request, path) == Some(true));
    // Position 3 of the string says an opt-out of sale. A malformed string counts as a refusal.
    let refuses = |us: &str| !us.is_empty() && !matches!(us, "1YNN" | "1YNY" | "1---");
    let opted_out = ["regs/us_privacy", "regs/ext/us_privacy"].iter().any(|path| refuses(text_of(request, &[path])));
    let mut verdict = if screen || limits || opted_out { Verdict::Contextual } else { Verdict::Free };
    if gdpr_applies(request, settings) {
        let texts = ["user/consent", "user/ext/consent"].map(|path| text(request, path));
        let said = texts.into_iter().filter(|text| !text.is_empty());
        let allowed = said.map(|text| allowed_by(text, settings)).min();
        verdict = verdict.min(allowed.unwrap_or_else(|| allowed_by("", settings)));
    }
    verdict
}

/// What a generated string allows vendor 42. All were written by `@iabtechlabtcf/core`, with all purposes granted.
fn allowed_by(text: &str, settings: &Value) -> Verdict {
    let fallback = |key| if at(settings, key).as_bool() == Some(true) { Verdict::Contextual } else { Verdict::NoBid };
    match text.split_once('.').unwrap_or((text, "")) {
        _ if !has(settings, "vendor_id") => fallback("bid_unregistered"),
        // The segment discloses vendors 2, 7 and 42, or 2 and 7.
        (core::LATER, "IAVEIAAAAAQA") | (core::EARLIER, "" | "IAVEIAAAAAQA") => Verdict::Free,
        (core::LATER | core::EARLIER, "IADkIAAA") => Verdict::NoBid,
        // Without the segment, or with one that is broken.
        _ => fallback("bid_without_string"),
    }
}

/// The core segments of the valid strings, created on 2026-06-01 and on 2026-02-28.
mod core {
    pub(super) const LATER: &str = "CQlH_MAQlH_MAAfABBENB4FoAPAAAEIAAAYgCWQAgAVAEsACoAAAAAACAAAA";
    pub(super) const EARLIER: &str = "CQgVeAAQgVeAAAfABBENB4FoAPAAAEIAAAYgCWQAgAVAEsACoAAAAAACAAAA";
}

fn gdpr_applies(request: &Value, settings: &Value) -> bool {
    match gdpr(request) {
        Some(gdpr) => gdpr,
        None => !text_of(request, &["user/consent", "user/ext/consent"]).is_empty() || is_assumed(settings),
    }
}

/// The stricter of both positions.
pub fn gdpr(request: &Value) -> Option<bool> {
    ["regs/gdpr", "regs/ext/gdpr"].iter().filter_map(|path| signal(request, path)).max()
}

fn is_assumed(settings: &Value) -> bool {
    at(settings, "assume_gdpr").as_bool().unwrap_or(false)
}
