//! The privacy gate from outside: verdicts on whole requests.
//!
//! - `verdicts` has one row per behaviour.
//! - `vectors` are published strings.
//! - `tcf_strings` and `gpp_strings` compare the gate with the crate `iab_gpp`, and with a simple decoder where
//!   `iab_gpp` differs from the specifications.
//! - `unreadable` has every signal in every form that nobody can read, in JSON.
//! - `us_reference` is the verdict on US sections by `iab_gpp`; `encode` writes strings.

// The tables hold requests, which are large values.
#![allow(clippy::large_types_passed_by_value, clippy::large_stack_arrays)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod encode;
mod gpp_strings;
mod tcf_strings;
mod unreadable;
mod us_reference;
mod vectors;
mod verdicts;

use core::num::NonZeroU16;

use bidder_wasm::privacy::{self, Fallback, LegalBasis, Purposes, Settings, Verdict};
use bidder_wasm::request::{Regs, Request, User};

const FREE: Verdict = Verdict::Personal { precise_geo: true };
const NO_PRECISE_GEO: Verdict = Verdict::Personal { precise_geo: false };

fn vendor(id: u16) -> NonZeroU16 {
    NonZeroU16::new(id).unwrap()
}

/// What a TCF string allows a vendor for one purpose: whether the purpose is fulfilled, and whether precise location is
/// allowed. `None` if the string cannot be read.
fn ask_tcf(consent: &str, vendor_id: u16, purpose: u8, basis: LegalBasis) -> Option<(bool, bool)> {
    let settings = Settings {
        vendor_id: Some(vendor(vendor_id)),
        contextual: Purposes::NONE,
        personal: Purposes::NONE.with(purpose, basis),
        without_string: Fallback::NoBid,
        ..Settings::default()
    };
    let request = Request {
        regs: Regs { gdpr: Some(true), ..Regs::default() },
        user: User { consent, ..User::default() },
        ..Request::default()
    };
    match privacy::verdict(&request, &settings) {
        Verdict::None => None,
        Verdict::Contextual => Some((false, false)),
        Verdict::Personal { precise_geo } => Some((true, precise_geo)),
    }
}

/// The verdict of a GPP string if the sections in `gpp_sid` apply.
fn ask_gpp(gpp: &str, gpp_sid: &[i64]) -> Verdict {
    let request = Request { regs: Regs { gpp, gpp_sid, ..Regs::default() }, ..Request::default() };
    privacy::verdict(&request, &Settings::default())
}
