//! Bid shading that learns: what to bid in a first-price auction, by what the rivals have bid.
//!
//! ```text
//! notices -> Told -> Cells, one Cell for each spot (what the rivals bid) -> fit -> Curve (12 bytes) -> the bid for a value
//! ```
//!
//! A *cell* is one kind of auction, e.g. an SSP, a placement, a media type and a device type. Its *parents* are the
//! cells of fewer parts, which also count its notices. The *value* of an impression is what the campaign would pay at
//! most. The *surplus* of a bid is its value minus what it pays, if it wins.
//!
//! All prices are micros per mille in one currency for each cell. The crate has no clock, no randomness, no I/O and no
//! binary floats.

mod cell;
mod cells;
mod curve;
mod fit;
mod log;
mod shade;
mod spot;
mod told;

pub use cell::{Cell, ENCODED};
pub use cells::{Cells, Known, row};
pub use curve::{Curve, SIZE};
pub use fit::{FEWEST, Rivals, fit};
pub use shade::{Curves, Shade};
pub use spot::{Spot, key, spot, wider};
pub use told::{Absurd, Outcome, Told, sent, told, void};
