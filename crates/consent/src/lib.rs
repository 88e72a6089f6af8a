//! The privacy gate: which personal data a bid may use, by the request's signals.
//!
//! ```text
//! coppa, gpc, lmt, atts, dnt, dooh -----------+
//! us_privacy ----------------------- us ------+--> the strictest --> Verdict
//! gpp, gpp_sid -- gpp --+----------- us ------+
//!                       +- section 2 -+       |
//! gdpr, user.consent -----------------+- tcf -+
//! ```
//!
//! The strictest signal wins. This also holds between `user.consent` and the TCF section of the GPP string, between
//! `gdpr: 0` and section 2 in `gpp_sid`, and between a text and another one in `ext`. A signal that applies but cannot
//! be read counts as a refusal.
//!
//! The gate allocates nothing and takes time linear in the length of the strings. It never guesses: it ignores country,
//! IP address and age, and the author of a string.

mod bits;
mod gpp;
pub mod sync;
mod tcf;
mod us;
mod verdict;

use core::num::NonZeroU16;

use flat::{fingerprint, flat, stored_as};
pub use gpp::sections;
use openrtb::request::Request;
pub use tcf::{Fault, LegalBasis, Purposes, kept as kept_tcf};
pub use verdict::Verdict;

/// AdCOM device type "OOH Device".
const OUT_OF_HOME: i64 = 8;

/// The verdict under GDPR if we have no vendor id, or the request has no readable TCF string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// No bid.
    NoBid,
    /// A contextual bid.
    Contextual,
}

impl From<Fallback> for Verdict {
    fn from(fallback: Fallback) -> Self {
        match fallback {
            Fallback::NoBid => Self::None,
            Fallback::Contextual => Self::Contextual,
        }
    }
}

flat! {
    /// The privacy settings of a catalog. All are about GDPR: the other signals mean the same for every bidder.
    #[derive(PartialEq, Eq)]
    pub struct Settings {
        /// Our id on the TCF's Global Vendor List. `None`: not registered, and `unregistered` is the verdict.
        pub vendor_id: Option<NonZeroU16>,
        /// The purposes that [`Verdict::Contextual`] needs.
        pub contextual: Purposes,
        /// The purposes that [`Verdict::Personal`] needs, in addition to `contextual`.
        pub personal: Purposes,
        /// The verdict without a `vendor_id`.
        pub unregistered: Fallback,
        /// The verdict with a `vendor_id` if there is no valid TCF string.
        pub without_string: Fallback,
        /// Whether GDPR applies if `regs.gdpr` is unknown (OpenRTB §3.2.3) and there is no TCF string or section.
        pub assume_gdpr: bool,
    }
}

/// We are not registered, so there is no bid under GDPR. If you set `vendor_id`, a bid needs consent or legitimate
/// interest for purpose 2 (basic ads), a personal bid also needs consent to purposes 1 (storage), 3 (profile) and 4
/// (personalised ads), and there is no bid without a valid string. GDPR is not assumed.
impl Default for Settings {
    fn default() -> Self {
        let contextual = Purposes::NONE.with(2, LegalBasis::Either);
        Self {
            vendor_id: None,
            contextual,
            personal: contextual.with(1, LegalBasis::Consent).with(3, LegalBasis::Consent).with(4, LegalBasis::Consent),
            unregistered: Fallback::NoBid,
            without_string: Fallback::NoBid,
            assume_gdpr: false,
        }
    }
}

stored_as!(
    Fallback,
    bool,
    fingerprint(0, "no bid, contextual"),
    |fallback| fallback == Fallback::Contextual,
    |is_contextual| if is_contextual { Fallback::Contextual } else { Fallback::NoBid }
);

/// The signals that can lower the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// `regs.coppa`.
    Coppa,
    /// `regs.gpc`, Global Privacy Control.
    Gpc,
    /// `device.lmt`.
    Lmt,
    /// `device.ext.atts`, the status of Apple's App Tracking Transparency.
    Atts,
    /// `device.dnt`.
    Dnt,
    /// A DOOH screen: its `ifa` is not a person's id (§7.9.2.5).
    Screen,
    /// `regs.us_privacy`.
    UsPrivacy,
    /// The sections of `regs.gpp` that are not TCF.
    Gpp,
    /// GDPR: `regs.gdpr` and the TCF strings.
    Gdpr,
}

/// The verdict on a request: the strictest of its [`signals`].
pub fn verdict(request: &Request<'_>, settings: &Settings) -> Verdict {
    judge(request, settings).0
}

/// The verdict on a request, and whether it has a TCF string under GDPR that is not valid, or does not disclose our
/// vendor.
pub fn judge(request: &Request<'_>, settings: &Settings) -> (Verdict, bool) {
    let mut verdict = Verdict::FREE;
    let mut take = |_, own: Verdict| verdict = verdict.min(own);
    let mut fault = each_signal(request, settings, &mut take);
    if let Some(other) = elsewhere(request) {
        fault = fault.or(each_signal(&other, settings, &mut take));
    }
    (verdict, fault.is_some())
}

/// The verdict of each signal.
pub fn signals(request: &Request<'_>, settings: &Settings) -> Vec<(Signal, Verdict)> {
    let mut signals = Vec::new();
    let mut take = |signal, own: Verdict| match signals.iter_mut().find(|(known, _)| *known == signal) {
        Some((_, verdict)) => *verdict = own.min(*verdict),
        None => signals.push((signal, own)),
    };
    each_signal(request, settings, &mut take);
    if let Some(other) = elsewhere(request) {
        each_signal(&other, settings, &mut take);
    }
    signals
}

/// The request with the texts from `ext`, if they differ: each object is judged as if it were the only one.
fn elsewhere<'a>(request: &Request<'a>) -> Option<Request<'a>> {
    let Request { mut regs, mut user, .. } = *request;
    let mut differs = false;
    for (own, ext) in [
        (&mut regs.us_privacy, regs.ext_us_privacy),
        (&mut regs.gpp, regs.ext_gpp),
        (&mut user.consent, user.ext_consent),
    ] {
        if !ext.is_empty() && *own != ext {
            (*own, differs) = (ext, true);
        }
    }
    if !regs.ext_gpp_sid.is_empty() && regs.gpp_sid != regs.ext_gpp_sid {
        (regs.gpp_sid, differs) = (regs.ext_gpp_sid, true);
    }
    differs.then_some(Request { user, regs, ..*request })
}

/// For explanations: the request, or the request with the texts of `ext` if GDPR allows less with them.
fn stricter_under_gdpr<'a>(request: &Request<'a>, settings: &Settings) -> Request<'a> {
    let gdpr = |request: &Request<'_>| {
        let mut of_gdpr = Verdict::FREE;
        each_signal(request, settings, &mut |signal, own| {
            if signal == Signal::Gdpr {
                of_gdpr = own;
            }
        });
        of_gdpr
    };
    elsewhere(request).filter(|other| gdpr(other) < gdpr(request)).unwrap_or(*request)
}

/// Passes the verdict of each signal to `take`. Returns the fault of a TCF string, if GDPR applies.
#[inline(always)]
#[allow(clippy::inline_always, reason = "so that a verdict builds no list of signals")]
fn each_signal(request: &Request<'_>, settings: &Settings, take: &mut impl FnMut(Signal, Verdict)) -> Option<Fault> {
    let Request { regs, device, user, .. } = request;
    let flag = |is_set: bool| if is_set { Verdict::Contextual } else { Verdict::FREE };
    take(Signal::Coppa, flag(regs.coppa));
    take(Signal::Gpc, flag(regs.gpc));
    take(Signal::Lmt, flag(device.lmt));
    take(Signal::Atts, flag(device.atts));
    take(Signal::Dnt, flag(device.dnt));
    take(Signal::Screen, flag(request.dooh.is_some() || device.devicetype == Some(OUT_OF_HOME)));
    take(Signal::UsPrivacy, us::verdict_of_ccpa(regs.us_privacy));
    let gpp = gpp::read(regs.gpp, regs.gpp_sid);
    take(Signal::Gpp, gpp.verdict);
    let (under_gdpr, fault) = if applies(request, gpp.gdpr, settings) {
        under_gdpr(user.consent, gpp.tcf, settings)
    } else {
        (Verdict::FREE, None)
    };
    take(Signal::Gdpr, under_gdpr);
    fault
}

/// Whether GDPR applies, for explanations.
pub fn gdpr_applies(request: &Request<'_>, settings: &Settings) -> bool {
    let request = &stricter_under_gdpr(request, settings);
    applies(request, gpp::read(request.regs.gpp, request.regs.gpp_sid).gdpr, settings)
}

/// Whether GDPR applies; `in_gpp` tells whether `gpp_sid` says so.
fn applies(request: &Request<'_>, in_gpp: bool, settings: &Settings) -> bool {
    match request.regs.gdpr {
        Some(applies) => applies || in_gpp,
        // A TCF string exists only if GDPR applies to the person.
        None => in_gpp || !request.user.consent.is_empty() || settings.assume_gdpr,
    }
}

/// The result of [`lacking`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacking {
    /// `vendor_id` in the settings.
    VendorId,
    /// Any TCF string.
    String,
    /// The TCF section in the GPP string that `gpp_sid` lists.
    Section,
    /// A TCF string without this fault.
    Valid(Fault),
    /// Purposes: the string is valid but does not grant them all.
    Purposes,
}

/// For explanations: what a higher verdict under GDPR would need.
pub fn lacking(request: &Request<'_>, settings: &Settings) -> Lacking {
    if settings.vendor_id.is_none() {
        return Lacking::VendorId;
    }
    let request = &stricter_under_gdpr(request, settings);
    let (consent, section) = (request.user.consent, gpp::read(request.regs.gpp, request.regs.gpp_sid).tcf);
    match (section, under_gdpr(consent, section, settings)) {
        (Some(""), _) => Lacking::Section,
        (None, _) if consent.is_empty() => Lacking::String,
        (_, (_, Some(fault))) => Lacking::Valid(fault),
        _ => Lacking::Purposes,
    }
}

/// The verdict under GDPR, and the fault of a string. `section` is the TCF section of the GPP string if `gpp_sid` lists
/// it; the section is empty if the GPP string lacks it or is unreadable.
fn under_gdpr(consent: &str, section: Option<&str>, settings: &Settings) -> (Verdict, Option<Fault>) {
    let Some(vendor) = settings.vendor_id else { return (settings.unregistered.into(), None) };
    let of_section = section.map(|text| of_string(text, vendor, settings));
    match of_section {
        Some(of_section) if consent.is_empty() => of_section,
        Some((verdict, fault)) => {
            let (of_consent, other) = of_string(consent, vendor, settings);
            (verdict.min(of_consent), fault.or(other))
        }
        None => of_string(consent, vendor, settings),
    }
}

fn of_string(text: &str, vendor: NonZeroU16, settings: &Settings) -> (Verdict, Option<Fault>) {
    if text.is_empty() {
        return (settings.without_string.into(), None);
    }
    let verdict = match tcf::read(text, vendor) {
        Err(Fault::Undisclosed) => return (Verdict::None, Some(Fault::Undisclosed)),
        Err(fault) => return (settings.without_string.into(), Some(fault)),
        Ok(grant) if !grant.covers(&settings.contextual) => Verdict::None,
        Ok(grant) if grant.covers(&settings.personal) => Verdict::Personal { precise_geo: grant.precise_geo() },
        Ok(_) => Verdict::Contextual,
    };
    (verdict, None)
}
