//! Compares the pass over protobuf with the reference of its tests on any bytes: both store the same values, or both
//! refuse the bytes. Then reads the bytes as a request.
//!
//! Run `cargo +nightly fuzz run read_protobuf` in the parent of this folder.
#![no_main]

use std::cell::RefCell;

use openrtb::read::{Body, Format, Needs, Reader, Wants, check_protobuf};
use bumpalo::Bump;
use libfuzzer_sys::fuzz_target;

thread_local! {
    /// Shared by all inputs, so that memory left by one body can disturb the next one.
    static READER: RefCell<Reader> = RefCell::default();
}

fuzz_target!(|body: &[u8]| {
    check_protobuf(body, Needs::ALL);
    check_protobuf(body, Needs::default());
    // A copy of the body, and the body in place, with other bytes after it.
    let (copied_arena, arena) = (Bump::new(), Bump::new());
    let mut buffer = [body, &[b'1'; 40]].concat();
    let within = Body::within(&mut buffer, body.len()).encoded_as(Format::Protobuf);
    let copied = Body::from(body).encoded_as(Format::Protobuf);
    let copied = Reader::default().read(copied, &Wants::everything(""), &copied_arena);
    let within = READER.with_borrow_mut(|reader| reader.read(within, &Wants::everything(""), &arena));
    assert_eq!(copied, within);
});
