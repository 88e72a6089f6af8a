//! Both sides of each check in words: what the campaign wanted, and what the request has. A check is a row of one of
//! [`TABLES`]; those of targeting need none, because each dimension has its words by its kind.

mod advertiser;
mod assets;
mod bytes;
mod campaign;
mod creative;
mod pace;
mod price;
mod request;
mod skadn;
mod targeting;

use super::rejection::Rejection;
use bidder_wasm::no_bid::NoBidReason;

pub(super) use creative::media_name;
pub(super) use request::{has, sides as of_request};
pub(super) use skadn::sentence;

/// What was wanted, and what was found; a side with nothing to show is empty.
pub(super) type Sides = (String, String);

/// The sides of the check with a reason.
type Check = (NoBidReason, fn(&Rejection<'_, '_>) -> Sides);

const TABLES: &[&[Check]] = &[campaign::CHECKS, advertiser::CHECKS, creative::CHECKS, price::CHECKS];

/// The campaign's value and the request's.
pub(super) fn sides(rejection: &Rejection<'_, '_>) -> Sides {
    let row = TABLES.iter().copied().flatten().find(|(reason, _)| *reason == rejection.reason);
    row.map_or_else(|| targeting::sides(rejection), |(_, sides)| sides(rejection))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bidder_wasm::kind::kind_of;

    #[test]
    fn every_reason_of_a_campaign_has_words_once() {
        for reason in NoBidReason::ALL.iter().copied() {
            let rows = TABLES.iter().copied().flatten().filter(|(own, _)| *own == reason).count();
            let is_whole = request::has(reason) || [NoBidReason::NoCampaign, NoBidReason::Work].contains(&reason);
            let is_targeting = kind_of(reason).is_some();
            assert_eq!(rows, usize::from(!is_whole && !is_targeting), "{}", reason.as_str());
        }
    }
}
