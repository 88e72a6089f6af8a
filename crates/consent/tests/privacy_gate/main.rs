//! The privacy gate from outside: verdicts on whole requests.
//!
//! - `verdicts` has one row per behaviour.
//! - `vectors` are published strings.
//! - `tcf_strings` and `gpp_strings` compare the gate with the crate `iab_gpp`, and with a simple decoder where
//!   `iab_gpp` differs from the specifications; `encode` writes the strings.
//! - `segments` has every fault of a TCF string at every position, in JSON, in protobuf and in a sync call.
//! - `unreadable` has every signal in every form that nobody can read, in JSON.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may panic")]
// The tables hold requests, which are large values.
#![allow(clippy::large_types_passed_by_value, clippy::large_stack_arrays)]

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../base/tests/counting/mod.rs"]
mod counting;
mod encode;
mod gpp_strings;
mod segments;
mod tcf_strings;
mod unreadable;
mod vectors;
mod verdicts;

use core::num::NonZeroU16;

use consent::LegalBasis::{Consent, Either, FlexibleConsent, FlexibleInterest, LegitimateInterest};
use consent::{self, Fallback, LegalBasis, Purposes, Settings, Verdict};
use openrtb::request::{Regs, Request, User};

use counting::allocations_of;

const FREE: Verdict = Verdict::Personal { precise_geo: true };
const NO_PRECISE_GEO: Verdict = Verdict::Personal { precise_geo: false };

const BASES: [LegalBasis; 5] = [Consent, LegitimateInterest, FlexibleConsent, FlexibleInterest, Either];

/// The verdict, which allocates nothing.
fn verdict(request: &Request<'_>, settings: &Settings) -> Verdict {
    let mut verdict = Verdict::None;
    assert_eq!(allocations_of(|| verdict = consent::verdict(request, settings)), 0, "allocations");
    verdict
}

/// GDPR, and the string in `user.consent`.
fn gdpr(gdpr: Option<bool>, consent: &str) -> Request<'_> {
    Request { user: User { consent, ..User::default() }, ..regs(Regs { gdpr, ..Regs::default() }) }
}

fn regs(regs: Regs<'_>) -> Request<'_> {
    Request { regs, ..Request::default() }
}

/// What a TCF string allows a vendor for one purpose: whether the purpose is fulfilled, and whether precise location is
/// allowed. `None` if the string cannot be read.
fn ask_tcf(consent: &str, vendor_id: u16, purpose: u8, basis: LegalBasis) -> Option<(bool, bool)> {
    let settings = Settings {
        vendor_id: NonZeroU16::new(vendor_id),
        contextual: Purposes::NONE,
        personal: Purposes::NONE.with(purpose, basis),
        without_string: Fallback::NoBid,
        ..Settings::default()
    };
    match verdict(&gdpr(Some(true), consent), &settings) {
        Verdict::None => None,
        Verdict::Contextual => Some((false, false)),
        Verdict::Personal { precise_geo } => Some((true, precise_geo)),
    }
}

/// The verdict of a GPP string if the sections in `gpp_sid` apply.
fn ask_gpp(gpp: &str, gpp_sid: &[i64]) -> Verdict {
    verdict(&regs(Regs { gpp, gpp_sid, ..Regs::default() }), &Settings::default())
}
