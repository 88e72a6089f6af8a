//! What the serving decision does for a request, as counts: the crate has no clock.

use super::checks;
use bidder_wasm::catalog::Catalog;
use bidder_wasm::decide::{Decision, Effort};
use bidder_wasm::request::Request;
use bidder_wasm::write::{self as response, Object};

/// Writes the members of `work`: see [`explain`](super::explain). `bytes` is the length of the body.
pub(super) fn write(
    work: &mut Object<'_>,
    bytes: usize,
    served: &Decision<'_>,
    effort: Effort,
    (request, catalog): (&Request<'_>, &Catalog<'_>),
) {
    let mut response = String::new();
    let mut passed = request.imp.len();
    match served {
        Decision::Bids { envelope, bids } => response::bids(&mut response, envelope, bids),
        Decision::NoBid(reason) if checks::has(*reason) => passed = 0,
        Decision::NoBid(_) => {}
    }
    work.number("read", count(bytes));
    work.number("gate", count(passed));
    work.number("examined", count(effort.examined));
    work.number("match", count(effort.work));
    work.number("limit", count(catalog.max_work));
    work.number("write", count(response.len()));
}

/// A count as a number of JSON.
pub(super) fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
