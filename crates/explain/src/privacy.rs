//! The privacy verdict in words, and the signals of the request that led to it.

use super::comparison::Comparison;
use super::words::{distinct_list, join, list, number_or_unknown};
use consent::{self, Fault, Lacking, Settings, Signal, Verdict};
use openrtb::request::Request;

pub(super) fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::None => "none",
        Verdict::Contextual => "contextual",
        Verdict::Personal { precise_geo: false } => "personal, no precise location",
        Verdict::Personal { precise_geo: true } => "personal",
    }
}

/// The text in place of a value that the verdict hides.
pub(super) fn hidden(verdict: Verdict) -> String {
    format!("hidden: privacy is {}", name(verdict))
}

/// The signals that led to the verdict. Empty if everything is allowed, or if no bid is allowed: then see [`comparison`].
pub(super) fn signals(request: &Request<'_>, settings: &Settings, verdict: Verdict) -> String {
    if verdict.allows_precise_geo() || !verdict.allows_bid() {
        return String::new();
    }
    let strictest = consent::signals(request, settings).into_iter().filter(|(_, allowed)| *allowed == verdict);
    join(strictest.map(|(signal, _)| text(signal, request, settings)), ", ")
}

fn text(signal: Signal, request: &Request<'_>, settings: &Settings) -> String {
    let regs = &request.regs;
    match signal {
        Signal::Coppa => "regs.coppa".into(),
        Signal::Gpc => "regs.gpc".into(),
        Signal::Lmt => "device.lmt".into(),
        Signal::Atts => "device.ext.atts".into(),
        Signal::Dnt => "device.dnt".into(),
        Signal::Screen if request.dooh.is_some() => "dooh".into(),
        Signal::Screen => format!("device.devicetype {}", number_or_unknown(request.device.devicetype)),
        // A malformed string may be long.
        Signal::UsPrivacy => {
            let of_ext = Some(regs.ext_us_privacy).filter(|text| !text.is_empty() && *text != regs.us_privacy);
            let of_ext = of_ext.map_or_else(String::new, |text| format!(", regs.ext.us_privacy {text:.8}"));
            format!("regs.us_privacy {:.8}{of_ext}", regs.us_privacy)
        }
        Signal::Gpp => format!("regs.gpp with gpp_sid {}", distinct_list(gpp_sid(request))),
        Signal::Gdpr => match consent::lacking(request, settings) {
            Lacking::Purposes => "GDPR: the TCF string grants no more".into(),
            lacking => format!("GDPR: {}", lacks(lacking, settings)),
        },
    }
}

pub(super) fn lacks(lacking: Lacking, settings: &Settings) -> String {
    match lacking {
        Lacking::VendorId => "the catalog has no vendor_id, so no consent string can name it".into(),
        Lacking::String => "no TCF string".into(),
        Lacking::Section => "a GPP string that cannot be read".into(),
        Lacking::Valid(fault) => format!("a TCF string that {}", is_faulty(fault, settings)),
        Lacking::Purposes => "a TCF string that does not grant that".into(),
    }
}

fn is_faulty(fault: Fault, settings: &Settings) -> String {
    match fault {
        Fault::Unreadable => "cannot be read".into(),
        Fault::Segment => "has a segment that is cut off, unknown or there twice".into(),
        Fault::Global => "has IsServiceSpecific 0".into(),
        Fault::Policy => "was created after 2023-09-30 with a policy version below 4".into(),
        Fault::NoDisclosure => "was created after 2026-02-28 without the segment Disclosed Vendors".into(),
        Fault::Undisclosed => format!("does not disclose vendor {}", vendor(settings)),
    }
}

/// What the check of privacy wants and what the request has, if GDPR leaves no legal basis for a bid.
pub(super) fn comparison(request: &Request<'_>, settings: &Settings) -> Comparison {
    let lacking = consent::lacking(request, settings);
    let wanted = match lacking {
        Lacking::VendorId => "privacy.vendor_id, or bid_unregistered true".into(),
        Lacking::Valid(Fault::Undisclosed) => format!("vendor {} in the segment Disclosed Vendors", vendor(settings)),
        Lacking::String | Lacking::Section => "a TCF string, or bid_without_string true".into(),
        Lacking::Valid(_) => "a valid TCF string, or bid_without_string true".into(),
        Lacking::Purposes => purposes(settings),
    };
    (wanted, format!("{}, {}", gdpr(request), lacks(lacking, settings)))
}

/// Why GDPR applies.
fn gdpr(request: &Request<'_>) -> String {
    match request.regs.gdpr {
        Some(true) => "GDPR applies".into(),
        _ if gpp_sid(request).any(|id| ["1", "2"].contains(&&*id)) => {
            format!("gpp_sid {}", distinct_list(gpp_sid(request)))
        }
        _ => "gdpr unknown".into(),
    }
}

/// The sections of `regs.gpp_sid`, then those of `regs.ext.gpp_sid`.
fn gpp_sid<'a>(request: &Request<'a>) -> impl Iterator<Item = String> + use<'a> {
    request.regs.gpp_sid.iter().chain(request.regs.ext_gpp_sid).map(i64::to_string)
}

fn purposes(settings: &Settings) -> String {
    let basis = |purpose: (u8, bool, bool)| match purpose {
        (purpose, true, true) => format!("purpose {purpose} by consent or legitimate interest"),
        (purpose, true, false) => format!("purpose {purpose} by consent"),
        (purpose, ..) => format!("purpose {purpose} by legitimate interest"),
    };
    format!("{} for vendor {}", list(settings.contextual.iter().map(basis)), vendor(settings))
}

fn vendor(settings: &Settings) -> u16 {
    settings.vendor_id.map_or(0, core::num::NonZeroU16::get)
}
