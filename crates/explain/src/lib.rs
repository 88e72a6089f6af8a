//! Explains a decision: for each campaign without a bid, the first check that failed, with its two sides: the value
//! that the campaign wanted and the value that the request has. Also describes a campaign without a request.

mod at;
mod campaign;
mod checks;
mod clock;
mod comparison;
mod prices;
mod privacy;
mod rejection;
mod report;
mod rows;
mod signals;
mod steps;
mod tree;
mod words;

pub use campaign::describe;
pub use report::{Only, explain};

#[cfg(test)]
mod tests;
