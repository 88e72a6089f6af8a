//! The privacy gate: what the request's signals let a bid know about the person.
//!
//! ```text
//! coppa, gpc, lmt, dnt, dooh -----------------+
//! us_privacy ----------------------- usp -----+--> the strictest --> Verdict
//! gpp, gpp_sid -- gpp --+----------- us, usp -+
//!                       +- section 2 -+       |
//! gdpr, user.consent -----------------+- tcf -+
//! ```
//!
//! Every signal may only lower the verdict, so where two of them disagree the stricter wins,
//! also between `user.consent` and the TCF section of the GPP string, and between `gdpr: 0` and a
//! `gpp_sid` that names section 2. A signal that applies and cannot be read counts as a refusal.
//!
//! The gate borrows, allocates nothing, and its work is linear in the length of the strings. It
//! refuses to guess: it looks at no country, no IP address and no age, and it judges neither when
//! a string was made nor by whom.

mod bits;
mod gpp;
mod purposes;
mod tcf;
mod us;
mod usp;

use core::num::NonZeroU16;

use crate::flat::{Flat, Source, Writer, fingerprint, flat};
use crate::request::Request;
pub use purposes::{LegalBasis, Purposes};

/// AdCOM's device type "OOH device" (List: Device Types).
const OUT_OF_HOME: i64 = 8;

/// What a bid may know and do. Ordered: the lesser is the stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No legal basis: no bid.
    None,
    /// Bid, but read no id, precise place or segment, derive no user key, write none out.
    Contextual,
    /// Ids and segments may be used.
    Personal {
        /// Whether a place finer than a city may be used as well: TCF special feature 1, or the
        /// precise geolocation category of a US section.
        precise_geo: bool,
    },
}

impl Verdict {
    /// Nothing forbidden.
    const FREE: Self = Self::Personal { precise_geo: true };

    /// Whether a bid may be made at all.
    pub fn allows_bid(self) -> bool {
        self != Self::None
    }

    /// Whether ids and segments may be read and a user key derived.
    pub fn allows_personal(self) -> bool {
        self > Self::Contextual
    }

    /// Whether a precise place may be read.
    pub fn allows_precise_geo(self) -> bool {
        self == Self::FREE
    }
}

/// The verdict where no TCF string can raise it.
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
    /// What the operator of the bidder declares. Only GDPR has anything to settle; the other signals
    /// mean the same for everyone.
    #[derive(PartialEq, Eq)]
    pub struct Settings {
        /// Our id on the TCF's Global Vendor List. `None`: not registered, so that no string speaks
        /// of us and `unregistered` decides.
        pub vendor_id: Option<NonZeroU16>,
        /// What [`Verdict::Contextual`] needs under GDPR.
        pub contextual: Purposes,
        /// What [`Verdict::Personal`] needs under GDPR, besides all of `contextual`.
        pub personal: Purposes,
        /// The verdict under GDPR without a `vendor_id`.
        pub unregistered: Fallback,
        /// The verdict under GDPR with a `vendor_id` where the string is absent, unreadable, cut off
        /// or of a version other than 2.
        pub without_string: Fallback,
        /// Whether GDPR applies where `regs.gdpr` is absent and neither a TCF string nor `gpp_sid`
        /// tells (OpenRTB §3.2.3: absent means unknown).
        pub assume_gdpr: bool,
    }
}

/// Not registered, and therefore no bid under GDPR. With a `vendor_id`: basic ads
/// (purpose 2, either basis) for any bid; storage (1), a profile (3) and its use (4), each by
/// consent, for a personal one; no bid without a readable string. GDPR is not assumed.
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

impl Flat for Fallback {
    type View<'s> = Self;
    const SIZE: usize = 1;
    const LAYOUT: u64 = fingerprint(0, "no bid, contextual");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        (*self == Self::Contextual).write(out, record);
    }

    fn view(from: Source<'_>, at: usize) -> Self {
        if bool::view(from, at) { Self::Contextual } else { Self::NoBid }
    }
}

/// What of a request may lower the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// `regs.coppa`.
    Coppa,
    /// `regs.gpc`, Global Privacy Control.
    Gpc,
    /// `device.lmt`.
    Lmt,
    /// `device.dnt`.
    Dnt,
    /// A screen for many: the `ifa` of a screen is no person's (§7.9.2.5).
    Screen,
    /// `regs.us_privacy`.
    UsPrivacy,
    /// The sections of `regs.gpp` that are not TCF.
    Gpp,
    /// GDPR, with the strings that speak of it.
    Gdpr,
}

/// The strictest of what the request's signals allow.
pub fn verdict(request: &Request<'_>, settings: &Settings) -> Verdict {
    signals(request, settings).iter().fold(Verdict::FREE, |strictest, (_, own)| strictest.min(*own))
}

/// What each signal allows.
pub fn signals(request: &Request<'_>, settings: &Settings) -> [(Signal, Verdict); 8] {
    let Request { regs, device, user, .. } = request;
    let flag = |is_set: bool| if is_set { Verdict::Contextual } else { Verdict::FREE };
    let gpp = gpp::read(regs.gpp, regs.gpp_sid);
    let gdpr = match regs.gdpr {
        Some(applies) => applies || gpp.gdpr,
        // Nobody makes a TCF string for a person whom GDPR does not concern.
        None => gpp.gdpr || !user.consent.is_empty() || settings.assume_gdpr,
    };
    [
        (Signal::Coppa, flag(regs.coppa)),
        (Signal::Gpc, flag(regs.gpc)),
        (Signal::Lmt, flag(device.lmt)),
        (Signal::Dnt, flag(device.dnt)),
        (Signal::Screen, flag(request.dooh.is_some() || device.devicetype == OUT_OF_HOME)),
        (Signal::UsPrivacy, usp::verdict(regs.us_privacy)),
        (Signal::Gpp, gpp.verdict),
        (Signal::Gdpr, if gdpr { under_gdpr(user.consent, gpp.tcf, settings) } else { Verdict::FREE }),
    ]
}

/// What a bid under GDPR lacks: see [`lacking`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacking {
    /// An id of ours that a string could speak of.
    VendorId,
    /// A TCF string.
    String,
    /// A `user.consent` that can be read.
    Consent,
    /// A GPP string whose TCF section is there and can be read.
    GppString,
    /// What the string would have to grant.
    Purposes,
}

/// What under GDPR keeps the verdict low.
pub fn lacking(request: &Request<'_>, settings: &Settings) -> Lacking {
    let Some(vendor) = settings.vendor_id else { return Lacking::VendorId };
    let consent = request.user.consent;
    let is_readable = |text: &str| tcf::read(text, vendor).is_some();
    match gpp::read(request.regs.gpp, request.regs.gpp_sid).tcf {
        Some(section) if !is_readable(section) => Lacking::GppString,
        None if consent.is_empty() => Lacking::String,
        _ if consent.is_empty() || is_readable(consent) => Lacking::Purposes,
        _ => Lacking::Consent,
    }
}

/// `section` is the GPP string's TCF section, if it applies: empty when it is not there to read.
fn under_gdpr(consent: &str, section: Option<&str>, settings: &Settings) -> Verdict {
    let Some(vendor) = settings.vendor_id else { return settings.unregistered.into() };
    let of_section = section.map(|text| of_string(text, vendor, settings));
    match of_section {
        Some(of_section) if consent.is_empty() => of_section,
        Some(of_section) => of_section.min(of_string(consent, vendor, settings)),
        None => of_string(consent, vendor, settings),
    }
}

fn of_string(text: &str, vendor: NonZeroU16, settings: &Settings) -> Verdict {
    let Some(grant) = tcf::read(text, vendor) else { return settings.without_string.into() };
    if !grant.covers(&settings.contextual) {
        Verdict::None
    } else if grant.covers(&settings.personal) {
        Verdict::Personal { precise_geo: grant.precise_geo() }
    } else {
        Verdict::Contextual
    }
}
