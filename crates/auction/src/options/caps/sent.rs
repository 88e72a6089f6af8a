//! The bids of an answer that count for frequency caps.

use crate::bid::Bid;
use crate::write::envelope::{Envelope, bid_id};
use base::hash::hex;
use base::json::Object;
use rules::frequency::Subject;

/// Appends the bids whose caps are counted: `{"bids":[{"bid","on","subjects":[…]}]}`, without `bids` if there are none.
/// `on` is `bill` or `bid`. A test counts nothing.
pub(crate) fn write(out: &mut String, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
    let counted: Vec<(usize, &Bid<'_>)> =
        bids.iter().enumerate().filter(|(_, bid)| bid.has_caps() && !envelope.test).collect();
    let mut object = Object::begin(out);
    object.objects("bids", &counted, |object, (place, bid)| {
        object.quoted("bid", |out| bid_id(out, *place, envelope));
        object.string("on", bid.campaign.cap_on().as_str());
        let subjects: Vec<Subject> = bid.capped().collect();
        object.list("subjects", &subjects, |out, own| {
            out.push('"');
            subject(out, *own);
            out.push('"');
        });
    });
    object.end();
}

/// Appends a subject: its letter, and 16 hex digits.
pub(super) fn subject(out: &mut String, Subject(letter, hash): Subject) {
    out.push(letter);
    hex(out, hash, 16);
}
