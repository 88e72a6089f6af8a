//! Explains a decision: for each campaign that did not bid, the first failed check and both sides of it, in words.

mod assets;
mod bytes;
mod clock;
mod floor;
mod gate;
mod privacy;
mod report;
mod targeting;
mod values;
mod words;

pub use report::explain;
