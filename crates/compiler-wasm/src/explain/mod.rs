//! Explains a decision: for each campaign that did not bid, the first failed check and both sides of it, in words.

mod assets;
mod bytes;
mod clock;
mod creatives;
mod floor;
mod gate;
mod privacy;
mod rejection;
mod report;
mod targeting;
mod words;

pub use report::explain;
