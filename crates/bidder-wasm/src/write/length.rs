//! Measures an answer before it is written: each bid is written once to a buffer, and the lengths are added.

use super::{Envelope, bid, bids};
use crate::bid::Bid;

/// The length of an answer so far, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Length {
    bytes: usize,
    bids: usize,
}

impl Length {
    /// The length of the answer without bids. `room` is a buffer; its content does not change.
    pub(crate) fn of(envelope: &Envelope<'_>, room: &mut String) -> Length {
        Length { bytes: measured(room, |out| bids(out, envelope, &[])), bids: 0 }
    }

    /// The length so far, in bytes.
    pub(crate) fn bytes(self) -> usize {
        self.bytes
    }

    /// The length with one more bid. `others` are the bids so far.
    pub(crate) fn with(self, bid: &Bid<'_>, others: &[Bid<'_>]) -> Length {
        let seat = bid.seat;
        let is_new = !others.iter().any(|other| other.seat == seat);
        let comma = usize::from(self.bids > 0);
        let seatbid = if is_new { r#"{"bid":[],"seat":}"#.len() + bid.seat_bytes } else { 0 };
        Length { bytes: self.bytes + comma + seatbid + bid.bytes, bids: self.bids + 1 }
    }
}

/// The lengths of a bid and of its seat's JSON string, in bytes. `room` is a buffer; its content does not change.
pub(crate) fn of_bid(envelope: &Envelope<'_>, own: &Bid<'_>, room: &mut String) -> (usize, usize) {
    let seat = measured(room, |out| super::json::string(out, own.seat));
    // The bid's id contains its place, always in two digits, so any place gives the same length.
    (measured(room, |out| bid(out, own, 0, envelope)), seat)
}

fn measured(room: &mut String, write: impl FnOnce(&mut String)) -> usize {
    let before = room.len();
    write(room);
    let length = room.len() - before;
    room.truncate(before);
    length
}
