//! `sonic-rs` into the structs of [`super::model`], in one pass like edgebid's own reader.
//!
//! Not tolerant: an attribute of a wrong type makes it refuse the body.

use core::hint::black_box;

use super::model::{BidRequest, Imp, NativeRequest};

pub(super) fn read<R>(body: &[u8], then: impl FnOnce(&str, usize) -> R) -> Option<R> {
    let request: BidRequest<'_> = sonic_rs::from_slice(body).ok()?;
    let request = black_box(&request);
    for native in request.imp.iter().filter_map(Imp::native_request) {
        black_box(sonic_rs::from_str::<NativeRequest<'_>>(native).ok()?);
    }
    Some(then(&request.id.0, request.imp.len()))
}
