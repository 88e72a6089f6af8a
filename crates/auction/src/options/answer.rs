//! The third seam: what options write into a bid, and what they leave for the host beside the answer.

use super::caps::sent;
use super::left::Left;
use super::skadn;
use crate::bid::Bid;
use crate::write::envelope::Envelope;

/// What an option writes into the `ext` of a bid; `None` if nothing.
pub(crate) fn ext<'b>(bid: &Bid<'b>, place: usize, envelope: &Envelope<'_>) -> Option<skadn::Ad<'b>> {
    skadn::Ad::of(bid, place, envelope)
}

/// The number of the object that counts the impression when it is billed; 0 if none does.
pub(crate) fn counted_by(bid: &Bid<'_>, envelope: &Envelope<'_>) -> u16 {
    let counted_by = envelope.context.options.counted_by;
    if counted_by > 0 && !envelope.test && bid.counts_on_bill() { counted_by } else { 0 }
}

/// Leaves what the host needs to finish an answer with these bids, or to count it.
pub(crate) fn finish(left: &mut Left, body: &str, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
    let inputs = &envelope.context.options;
    if inputs.signs {
        skadn::leave_unsigned(left, body, envelope, bids);
    }
    if inputs.counted_by > 0 {
        left.add("caps", |out| sent::write(out, envelope, bids));
    }
}
