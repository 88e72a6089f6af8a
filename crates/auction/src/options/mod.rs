//! Options: what some campaigns use and all others do without. The decision names none of them; it calls three seams:
//!
//! - [`inputs`]: what the host gives before the decision, and the checks that need it,
//! - `price`: what to bid in place of the campaign's own price,
//! - `answer`: what goes into a bid and what is left for the host; `passes`: decisions that need an answer of the host.
//!
//! Each option has a file or a folder here. To remove one, delete it, its lines in the seams, and what the other crates have
//! for it: attribute, stored field, reason, check and words.

pub(crate) mod answer;
pub mod caps;
pub mod inputs;
pub mod left;
pub(crate) mod passes;
pub(crate) mod price;
mod shading;
pub mod skadn;
