//! The bid decision of edgebid: `(request bytes, catalog, context) -> response bytes or a reason`.
//!
//! ```text
//! body -> read -> Request -> gate -> decide (rules, price) -> write -> response bytes
//!                              ^          ^
//!                            context   catalog
//! ```
//!
//! Nothing in here reads a clock, randomness or a host function; the same input gives the same
//! bytes. No input makes it panic.

pub mod abi;
pub mod catalog;
pub mod context;
pub mod decide;
pub mod decode;
pub mod explain;
mod gate;
pub mod limits;
pub mod money;
pub mod no_bid;
pub mod openrtb;
pub mod price;
pub mod privacy;
pub mod read;
pub mod request;
pub mod rules;
pub mod write;

use bumpalo::Bump;

use catalog::Catalog;
use context::Context;
use decide::Decision;
use explain::Recorder;
use no_bid::NoBidReason;
use read::{BadRequest, Reader};

/// What happened to one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The response with bids was written.
    Bid,
    /// No bid; the response was written if the SSP asks for `nbr` and the reason has one.
    NoBid(NoBidReason),
    /// The body is not a bid request; nothing was written.
    BadRequest(BadRequest),
}

/// Working memory, kept between requests so that a warm decision has to ask for none.
#[derive(Debug, Default)]
pub struct Scratch {
    reader: Reader,
    /// Holds what lives as long as one request.
    arena: Bump,
}

/// Decides on one request and appends the response body, if there is one, to `out`.
///
/// `ssp` is the number of an SSP in the catalog. The recorder hears who stayed out and why; `&mut ()`
/// hears nothing.
pub fn bid(
    scratch: &mut Scratch,
    body: &[u8],
    ssp: usize,
    catalog: &Catalog,
    context: &Context<'_>,
    recorder: &mut impl Recorder,
    out: &mut String,
) -> Outcome {
    let Scratch { reader, arena } = scratch;
    arena.reset();
    let request = match reader.read(body, &catalog.prebid_code, arena) {
        Ok(request) => request,
        Err(bad) => return Outcome::BadRequest(bad),
    };
    match decide::decide(&request, ssp, catalog, context, arena, recorder) {
        Decision::Bids { cur, bids } => {
            write::bids(out, &request, cur, bids, context.seed);
            Outcome::Bid
        }
        Decision::NoBid(reason) => {
            let wanted = catalog.ssps.get(ssp).is_some_and(|ssp| ssp.nbr);
            if let Some(nbr) = reason.nbr().filter(|_| wanted) {
                write::no_bid(out, &request, nbr);
            }
            Outcome::NoBid(reason)
        }
    }
}

/// Appends the explanation of the decision that [`bid`] would make: see [`explain::explain`].
pub fn explain(
    scratch: &mut Scratch,
    body: &[u8],
    ssp: usize,
    catalog: &Catalog,
    context: &Context<'_>,
    out: &mut String,
) -> Result<(), BadRequest> {
    let Scratch { reader, arena } = scratch;
    arena.reset();
    let request = reader.read(body, &catalog.prebid_code, arena)?;
    explain::explain(out, &request, ssp, catalog, context);
    Ok(())
}
