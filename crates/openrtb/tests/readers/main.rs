//! The fast reader against the plain one of `plain`: they read the same request from a body, or refuse it for the same
//! reason.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may panic")]

mod conversions;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../base/tests/counting/mod.rs"]
mod counting;
mod every_attribute;
mod look;
mod plain;
mod read_allocs;

use std::cell::RefCell;

use bumpalo::Bump;
use openrtb::read::{BadRequest, Reader, Wants};
use openrtb::request::{Request, Text};

thread_local! {
    /// Shared by all bodies, so that memory left by one body can disturb the next one.
    static READER: RefCell<Reader> = RefCell::default();
}

/// What the fast reader reads, which must be what the plain one reads. Only the offset of a mistake in JSON may differ.
fn read<'a>(body: &'a [u8], prebid_code: &str, arena: &'a Bump) -> Result<Request<'a>, BadRequest> {
    let fast = READER.with_borrow_mut(|reader| reader.read(body, &Wants::everything(prebid_code), arena));
    // This ignores the literals: the plain reader escapes strings again.
    let plain = plain::read(body, prebid_code, arena);
    match (&fast, &plain) {
        (Err(BadRequest::NotJson { .. }), Err(BadRequest::NotJson { .. })) => {}
        _ => assert_eq!(fast, plain, "{}", body.escape_ascii()),
    }
    if let Ok(request) = &fast {
        check_literals(request);
    }
    fast
}

/// An echoed literal must decode to the value that the decision uses.
fn check_literals(request: &Request<'_>) {
    let deals = request.imp.iter().flat_map(|imp| imp.deals).map(|deal| deal.id);
    for Text { literal, value } in request.imp.iter().map(|imp| imp.id).chain(deals).chain([request.id]) {
        // serde_json refuses lone surrogates.
        if let Ok(decoded) = serde_json::from_str::<String>(&format!("\"{literal}\"")) {
            assert_eq!(decoded, value);
        }
    }
}
