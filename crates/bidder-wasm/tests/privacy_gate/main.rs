//! The privacy gate as a caller sees it: verdicts of whole requests.
//!
//! `verdicts` is the specification, a row per behaviour. `vectors` are strings that others have
//! published. `tcf_strings` and `gpp_strings` hold the gate against the kept crate `iab_gpp` and,
//! where that one departs from the specifications, against a plain decoder in here. `us_kept` is its
//! reading of the US sections; `encode` writes strings.

// A request is a large value, and the tables are made of requests.
#![allow(clippy::large_types_passed_by_value, clippy::large_stack_arrays)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod encode;
mod gpp_strings;
mod tcf_strings;
mod us_kept;
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

/// What a TCF string allows the vendor for one purpose. `None` if the string cannot be read,
/// else whether the purpose is fulfilled, and whether precise geolocation is.
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

/// What a GPP string allows where the sections of `gpp_sid` apply.
fn ask_gpp(gpp: &str, gpp_sid: &[i64]) -> Verdict {
    let request = Request { regs: Regs { gpp, gpp_sid, ..Regs::default() }, ..Request::default() };
    privacy::verdict(&request, &Settings::default())
}
