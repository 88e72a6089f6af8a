//! Measures an answer before it is written: each bid is written once to a buffer, and the lengths are added.

use super::bid::bid;
use super::envelope::Envelope;
use super::response::bids;
use crate::bid::Bid;
use base::json::Object;
use catalog::{Linear, Media};

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

    /// The length with this many more bytes.
    pub(crate) fn plus(self, bytes: usize) -> Length {
        Length { bytes: self.bytes + bytes, ..self }
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

/// The length of a bid, with an error of a few hundred bytes, for an answer that may have
/// [`MAX_RESPONSE_BYTES`](base::limits::MAX_RESPONSE_BYTES); and the bytes of our macros' values. The bid is only
/// written if it has such macros.
pub(crate) fn about(envelope: &Envelope<'_>, own: &Bid<'_>, room: &mut String) -> (usize, usize) {
    /// The attributes of a bid besides its markup, with three notice URLs.
    const OTHERS: usize = 1500;
    if own.has_macros() {
        let (bytes, _, filled) = of_bid(envelope, own, room);
        return (bytes, filled);
    }
    let linear = |ad: Linear<'_>| {
        let (vast, companions) = (ad.vast(), ad.vast().companions());
        let files = vast.files().iter().map(|file| file.element().len());
        let companions = companions.ads().iter().map(|companion| companion.element().len());
        vast.head().len() + vast.tail().len() + vast.end().len() + files.chain(companions).sum::<usize>()
    };
    let markup = match own.creative.media() {
        Media::Banner(ad) => ad.adm().len(),
        Media::Video(ad) | Media::Audio(ad) => linear(ad),
        Media::Native(ad) => {
            let texts = ad.data().iter().map(|(_, text)| text.fragment().len());
            let images = ad.img().iter().map(|img| img.fragment().len());
            ad.title().fragment().len() + texts.chain(images).sum::<usize>() + ad.video().map_or(0, linear)
        }
    };
    (OTHERS + markup, 0)
}

/// The lengths of a bid, of its seat's JSON string, and of our macros' values, in bytes. `room` is a buffer; its
/// content does not change.
pub(crate) fn of_bid(envelope: &Envelope<'_>, own: &Bid<'_>, room: &mut String) -> (usize, usize, usize) {
    let seat = measured(room, |out| base::json::string(out, own.seat));
    let mut filled = 0;
    // The bid's id contains its place, always in two digits, so any place gives the same length.
    let bytes = measured(room, |out| {
        let mut object = Object::begin(out);
        filled = bid(&mut object, own, 0, envelope);
        object.end();
    });
    (bytes, seat, filled)
}

fn measured(room: &mut String, write: impl FnOnce(&mut String)) -> usize {
    let before = room.len();
    write(room);
    let length = room.len() - before;
    room.truncate(before);
    length
}
