//! Compares the fast reader with the plain reader of the tests on any bytes: both read the same request, or both refuse the bytes.
//! Also compares the fast reader with itself without any needs: then errors must have the same offset.
//!
//! Run `cargo +nightly fuzz run read` in the parent of this folder. It starts from the bodies in `corpus/read`, each
//! named after its special feature. Git ignores the inputs that fuzzing adds.
#![no_main]

use std::cell::RefCell;

use openrtb::read::{BadRequest, Body, Needs, Reader, Wants};
use openrtb::request::Request;
use bumpalo::Bump;
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/readers/plain/mod.rs"]
mod plain;

thread_local! {
    /// Shared by all inputs, so that memory left by one body can disturb the next one.
    static READER: RefCell<Reader> = RefCell::default();
}

fuzz_target!(|body: &[u8]| {
    let (fast_arena, plain_arena) = (Bump::new(), Bump::new());
    let fast = READER.with_borrow_mut(|reader| reader.read(body, &Wants::everything("edgebid"), &fast_arena));
    let plain = plain::read(body, "edgebid", &plain_arena);
    match (&fast, &plain) {
        (Err(BadRequest::NotJson { .. }), Err(BadRequest::NotJson { .. })) => {}
        _ => assert_eq!(fast, plain),
    }
    // Unwanted values must be checked, too. The same for a body that is read in place, with other bytes after it.
    let nothing = Wants { prebid_code: "edgebid", needs: Needs::default() };
    let arena = Bump::new();
    let mut buffer = [body, &[b'"'; 40]].concat();
    let within = Body::within(&mut buffer, body.len());
    let minimal = READER.with_borrow_mut(|reader| reader.read(within, &nothing, &arena));
    let always_read = |request: &Request<'_>| (request.id.value.to_owned(), request.imp.len(), request.badv.len());
    assert_eq!(minimal.as_ref().map(always_read), fast.as_ref().map(always_read));
});
