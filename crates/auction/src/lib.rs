//! The bid decision of edgebid: from a bid request, a catalog and a context to a bid response or a no-bid reason.
//!
//! ```text
//! body -> read -> Request -> gate -> decide (rules, price) -> write -> response bytes
//!                              ^          ^
//!                            context   catalog
//! ```
//!
//! The crate reads no clock and no random numbers, and calls no function of the host: equal inputs give equal bytes. No
//! input makes it panic.
//!
//! ```
//! use auction::context::Context;
//! use reasons::no_bid::NoBidReason;
//! use auction::{Outcome, Scratch, bid};
//! use compiler::compile;
//!
//! let document = br#"{"format":1,"ssps":[{"id":"demo"}],
//!   "creatives":[{"crid":"banner","banner":{"w":300,"h":250,"adm":"<p>Hello</p>"}}],
//!   "campaigns":[{"cid":"shoes","seat":"s","adomain":["shoes.example"],"max_cpm":"2.50","creatives":["banner"]}]}"#;
//! let snapshot = compile(document, &[]).unwrap().snapshot;
//! let catalog = snapshot.catalog();
//!
//! let mut scratch = Scratch::default();
//! let mut decide = |request: &str| {
//!     let mut response = String::new();
//!     let (ssp, context) = (0, Context::default());
//!     let outcome = bid(&mut scratch, request.as_bytes(), ssp, &catalog, &context, &mut (), &mut response);
//!     (outcome, response)
//! };
//!
//! let (outcome, response) = decide(r#"{"id":"r1","imp":[{"id":"1","banner":{"w":300,"h":250},"bidfloor":2}]}"#);
//! assert_eq!(outcome, Outcome::Bid);
//! assert!(response.contains(r#""impid":"1","price":2.5"#));
//!
//! let (outcome, response) = decide(r#"{"id":"r2","imp":[{"id":"1","banner":{"w":300,"h":250},"bidfloor":3}]}"#);
//! assert_eq!(outcome, Outcome::NoBid(NoBidReason::Floor));
//! assert_eq!(response, "");
//! ```

pub mod bid;
mod candidates;
mod chosen;
pub mod context;
pub mod decide;
pub mod draw;
pub mod gate;
pub mod offer;
pub mod options;
pub mod pace;
mod pod;
pub mod price;
pub mod recorder;
mod sound;
pub mod stop;
pub mod write;

use bumpalo::Bump;

use catalog::Catalog;
use consent::Verdict;
use context::Context;
use decide::{Decision, Effort};
use openrtb::read::{BadRequest, Body, Needs, Reader, Wants};
use options::answer;
use options::left::Left;
use options::passes::{self, Kept};
use reasons::no_bid::NoBidReason;
use recorder::Recorder;
use write::{Demand, Records, Tally};

/// The result of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A response with bids is in the output.
    Bid,
    /// No bid. A response is in the output only if the SSP wants `nbr` and the reason has a code.
    NoBid(NoBidReason),
    /// The body is not a bid request. The output is empty.
    BadRequest(BadRequest),
}

/// Working memory, reused between requests so that a decision allocates nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    reader: Reader,
    /// The reader of [`lot`], which reads only the id. A reader shared with `bid` would have to rebuild its index each
    /// time the needs change.
    reader_of_ids: Reader,
    /// Memory for the duration of one request.
    arena: Bump,
    effort: Effort,
    test: bool,
    refuses_tcf: bool,
    is_broken: bool,
    /// The settings for records, and the records of the last request.
    pub records: Records,
    /// The bids since the counts were last taken. Bids without notice URLs are not counted.
    pub tally: Tally,
    /// The matches and bids of campaigns with a budget, since the counts were last taken.
    pub demand: Demand,
    /// What options leave for the host after the last decision.
    pub left: Left,
}

impl Scratch {
    /// The work that the last decision did.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether the last request was a test: [`write::is_test`].
    pub fn is_test(&self) -> bool {
        self.test
    }

    /// Whether the last request had a TCF string that is not valid or does not disclose our vendor: [`consent::judge`].
    pub fn refuses_tcf(&self) -> bool {
        self.refuses_tcf
    }

    /// Whether the bids of the last decision were not sound, and so were not sent: a defect of edgebid.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// The arena, emptied.
    pub fn arena(&mut self) -> &Bump {
        self.arena.reset();
        &self.arena
    }
}

/// Decides on one request and appends the response body to `out`, if there is one (OpenRTB 2.6 §4.2).
///
/// `ssp` is the SSP's place in the catalog. `recorder` receives the rejections; pass `&mut ()` if you do not need them.
/// Afterwards, `scratch.records` holds the records of the auction.
pub fn bid<'b, R: Recorder>(
    scratch: &mut Scratch,
    body: impl Into<Body<'b>>,
    ssp: usize,
    catalog: &Catalog<'_>,
    context: &Context<'_>,
    recorder: &mut R,
    out: &mut String,
) -> Outcome {
    let Scratch { reader, arena, effort, test, refuses_tcf, is_broken, records, tally, demand, left, .. } = scratch;
    (*effort, *test, *refuses_tcf, *is_broken) = (Effort::default(), false, false, false);
    records.clear();
    left.clear();
    arena.reset();
    let body: Body<'_> = body.into();
    let mut wants = catalog.wants();
    // Records of bids show these parts, which are cheap to read. Of other parts they show what the catalog needs.
    wants.needs.place |= records.bids;
    wants.needs.country |= records.bids;
    let mut verdict = Verdict::None;
    // A record of the auction tells more of the request.
    let is_recorded = records.weight > 0;
    let request = match reader.read_unless(body, &wants, arena, &mut |request| {
        (verdict, *refuses_tcf) = consent::judge(request, &catalog.privacy);
        !verdict.allows_bid() && !is_recorded
    }) {
        Ok(request) => request,
        Err(bad) => return Outcome::BadRequest(bad),
    };
    let from = catalog.parts().ssp(ssp);
    *test = write::is_test(&request, from);
    // Tests are not counted, because they cost nothing; nor are explanations, because they check more campaigns than a
    // serving decision.
    let is_counted = !*test && !R::LISTENS;
    let pass = |options, max_work: Option<usize>| {
        if max_work.is_some() {
            // Only the rejections of the final pass are counted.
            records.clear();
        }
        let context = &*arena.alloc(Context { options, max_work, ..*context });
        // Only the first pass counts the matches of campaigns with a budget.
        demand.begin(ssp, is_counted && max_work.is_none(), catalog, context);
        let mut recorder = records.counting(demand, recorder);
        decide::decide((&request, verdict), ssp, catalog, context, arena, &mut recorder, out)
    };
    let (decision, taken, ask) = passes::decide(catalog, context, arena, pass);
    *effort = Effort { more_imps: request.more_imps, ..taken };
    // It is not known yet whether the kept answer is sent. The Worker counts it then, or the answer of the second call.
    let mut kept = Kept::default();
    let (tally, demand) = if ask.is_some() { (&mut kept.tally, &mut kept.demand) } else { (tally, demand) };
    if passes::are_several(catalog) {
        // The matches of the last pass are perhaps not counted, but its bids are.
        demand.begin(ssp, is_counted, catalog, context);
    }
    let outcome = match decision {
        Decision::Bids { bids, .. } if !sound::are_sound(bids) => {
            *is_broken = true;
            records.auction(&request, from, context, "unsound");
            return Outcome::NoBid(NoBidReason::NoCampaign);
        }
        Decision::Bids { envelope, bids } => {
            write::bids(out, &envelope, bids);
            if context.notices.is_some() {
                tally.add(&envelope, bids);
            }
            demand.add(&envelope, bids, ask.is_some());
            answer::finish(left, out, &envelope, bids);
            records.bids(&envelope, bids);
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
    };
    if let Some(ask) = ask {
        passes::ask(&ask, left, context, &request, (from, catalog), &mut kept);
    }
    outcome
}

/// A pseudo-random number below [`context::LOTS`] for a bid request, by its id: see [`context::lot`]. `None`
/// if the body is not a bid request.
pub fn lot<'b>(scratch: &mut Scratch, body: impl Into<Body<'b>>, purpose: &[u8]) -> Option<u32> {
    scratch.arena.reset();
    let wants = Wants { prebid_code: "", needs: Needs::default() };
    let body: Body<'_> = body.into();
    let request = scratch.reader_of_ids.read(body, &wants, &scratch.arena).ok()?;
    Some(context::lot(request.id.value, purpose))
}
