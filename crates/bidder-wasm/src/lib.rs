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

#[cfg(feature = "abi")]
pub mod abi;
pub mod address;
pub mod bid;
#[cfg(feature = "buffers")]
pub mod buffers;
mod candidates;
pub mod catalog;
pub mod category;
mod chosen;
pub mod context;
mod country;
pub mod decide;
mod digits;
pub mod dimensions;
pub mod domain;
pub mod draw;
pub mod flat;
mod gate;
pub mod kind;
pub mod limits;
pub mod money;
pub mod no_bid;
pub mod price;
pub mod privacy;
mod ranked;
pub mod read;
pub mod recorder;
pub mod request;
pub mod rules;
pub mod sync;
pub mod targeting;
pub mod work;
pub mod write;

use bumpalo::Bump;

use catalog::Catalog;
use context::Context;
use decide::{Decision, Effort};
use no_bid::NoBidReason;
use read::{BadRequest, Body, Needs, Reader, Wants};
use recorder::Recorder;
use write::Records;

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
    /// For [`lot`], which needs less: a reader prepares itself anew whenever that changes.
    reader_of_ids: Reader,
    /// Holds what lives as long as one request.
    arena: Bump,
    effort: Effort,
    test: bool,
    /// What is to be told of each auction, and what is of the last one.
    pub records: Records,
}

impl Scratch {
    /// What the last decision took.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether the last request was a test: [`write::is_test`].
    #[must_use]
    pub fn is_test(&self) -> bool {
        self.test
    }

    /// The arena, empty.
    #[cfg(feature = "abi")]
    fn arena(&mut self) -> &Bump {
        self.arena.reset();
        &self.arena
    }
}

/// Decides on one request and appends the response body, if there is one, to `out`.
///
/// `ssp` is the number of an SSP in the catalog. The recorder hears who stayed out and why; `&mut ()`
/// hears nothing. `scratch.records` then holds what was to be told of the auction.
pub fn bid<'b>(
    scratch: &mut Scratch,
    body: impl Into<Body<'b>>,
    ssp: usize,
    catalog: &Catalog<'_>,
    context: &Context<'_>,
    recorder: &mut impl Recorder,
    out: &mut String,
) -> Outcome {
    let Scratch { reader, arena, effort, test, records, .. } = scratch;
    (*effort, *test) = (Effort::default(), false);
    records.clear();
    arena.reset();
    let body: Body<'_> = body.into();
    let request = match reader.read(body, &catalog.wants(), arena) {
        Ok(request) => request,
        Err(bad) => return Outcome::BadRequest(bad),
    };
    let from = catalog.parts().ssp(ssp);
    *test = write::is_test(&request, from);
    let mut recorder = records.counting(recorder);
    let (decision, taken) = decide::decide(&request, ssp, catalog, context, arena, &mut recorder, out);
    *effort = Effort { more_imps: request.more_imps, ..taken };
    match decision {
        Decision::Bids { envelope, bids } => {
            write::bids(out, &envelope, bids);
            records.bids(&request, &envelope, bids, context);
            records.auction(&request, from, context, "bid");
            Outcome::Bid
        }
        Decision::NoBid(reason) => {
            records.auction(&request, from, context, reason.as_str());
            if let Some(nbr) = reason.nbr().filter(|_| from.nbr()) {
                write::no_bid(out, &request, nbr);
            }
            Outcome::NoBid(reason)
        }
    }
}

/// Where a bid request falls among [`context::Standing::WHOLE`], by its id: see [`context::lot`]. `None` for what is no
/// bid request.
pub fn lot<'b>(scratch: &mut Scratch, body: impl Into<Body<'b>>, purpose: &[u8]) -> Option<u32> {
    scratch.arena.reset();
    let wants = Wants { prebid_code: "", needs: Needs::default() };
    let body: Body<'_> = body.into();
    let request = scratch.reader_of_ids.read(body, &wants, &scratch.arena).ok()?;
    Some(context::lot(request.id.value, purpose))
}
