//! How long an answer gets, before it is written: each bid is written once to be measured, and lengths add up.

use super::{Envelope, bid, bids};
use crate::bid::Bid;

/// The length of an answer as bids join it, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Length {
    bytes: usize,
    bids: usize,
}

impl Length {
    /// Of the answer without a bid. `room` is left as it was.
    pub(crate) fn of(envelope: &Envelope<'_>, room: &mut String) -> Length {
        Length { bytes: measured(room, |out| bids(out, envelope, &[])), bids: 0 }
    }

    /// How many bytes it is so far.
    pub(crate) fn bytes(self) -> usize {
        self.bytes
    }

    /// With one more bid, which takes so many bytes and stands beside these.
    pub(crate) fn with(self, envelope: &Envelope<'_>, bid: &Bid<'_>, others: &[Bid<'_>]) -> Length {
        let seat = envelope.seat_of(bid);
        let is_new = !others.iter().any(|other| envelope.seat_of(other) == seat);
        let comma = usize::from(self.bids > 0);
        let seatbid = if is_new { r#"{"bid":[],"seat":}"#.len() + bid.seat_bytes } else { 0 };
        Length { bytes: self.bytes + comma + seatbid + bid.bytes, bids: self.bids + 1 }
    }
}

/// The bytes of a bid, and of its seat as a string. `room` is left as it was.
pub(crate) fn of_bid(envelope: &Envelope<'_>, own: &Bid<'_>, room: &mut String) -> (usize, usize) {
    let seat = measured(room, |out| super::json::string(out, envelope.seat_of(own)));
    // The place shows in the bid's id, in two digits whichever it is.
    (measured(room, |out| bid(out, own, 0, envelope)), seat)
}

fn measured(room: &mut String, write: impl FnOnce(&mut String)) -> usize {
    let before = room.len();
    write(room);
    let length = room.len() - before;
    room.truncate(before);
    length
}
