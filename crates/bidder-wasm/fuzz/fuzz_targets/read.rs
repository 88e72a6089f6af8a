//! The fast reader against the strict one, on any bytes: the same request, or both refuse; and against
//! itself when little is wanted: then the errors must be the same to the byte.
//!
//! `cargo +nightly fuzz run read`, in this folder's parent, starts from the bodies in `corpus/read`, named after what
//! they show. Git ignores the inputs that fuzzing adds.
#![no_main]

use std::cell::RefCell;

use bidder_wasm::read::{BadRequest, Body, Needs, Reader, Wants};
use compiler_wasm::strict;
use bidder_wasm::request::Request;
use bumpalo::Bump;
use libfuzzer_sys::fuzz_target;

thread_local! {
    /// Kept, so that what one body leaves in it meets the next.
    static READER: RefCell<Reader> = RefCell::default();
}

fuzz_target!(|body: &[u8]| {
    let (fast_arena, strict_arena) = (Bump::new(), Bump::new());
    let fast = READER.with_borrow_mut(|reader| reader.read(body, &Wants::everything("edgebid"), &fast_arena));
    let strict = strict::read(body, "edgebid", &strict_arena);
    match (&fast, &strict) {
        (Err(BadRequest::NotJson { .. }), Err(BadRequest::NotJson { .. })) => {}
        _ => assert_eq!(fast, strict),
    }
    // What is left out is judged all the same, and so is a body that is read where it is, with anything behind it.
    let nothing = Wants { prebid_code: "edgebid", needs: Needs::default() };
    let arena = Bump::new();
    let mut buffer = [body, &[b'"'; 40]].concat();
    let within = Body::within(&mut buffer, body.len());
    let least = READER.with_borrow_mut(|reader| reader.read(within, &nothing, &arena));
    let known = |request: &Request<'_>| (request.id.value.to_owned(), request.imp.len(), request.badv.len());
    assert_eq!(least.as_ref().map(known), fast.as_ref().map(known));
});
