//! What must be true of the bids of an answer, and what must not, looked at once more before they are written. Bids that
//! are not sound are a defect of edgebid, and are not sent.

use base::money::Micros;
use openrtb::request::{Deal, Imp};

use crate::bid::Bid;
use crate::pod;
use crate::price::Price;

/// Whether each bid has a price from its floor to the most that its campaign pays, and no impression has two bids under
/// one deal, or two without a deal, unless it is a dynamic pod.
pub(crate) fn are_sound(bids: &[Bid<'_>]) -> bool {
    let offers = bids.iter().map(|bid| (bid.imp, bid.deal));
    bids.iter().zip(offers).enumerate().all(|(at, (bid, offer))| {
        let others = bids.iter().take(at).map(|other| (other.imp, other.deal));
        is_priced(&bid.price) && (pod::dynamic(bid).is_some() || !others.into_iter().any(|other| is_same(offer, other)))
    })
}

fn is_priced(price: &Price) -> bool {
    Micros::ZERO < price.bid && price.floor <= price.bid && price.bid <= price.most
}

type Offer<'a> = (&'a Imp<'a>, Option<&'a Deal<'a>>);

fn is_same(a: Offer<'_>, b: Offer<'_>) -> bool {
    core::ptr::eq(a.0, b.0) && a.1.map(core::ptr::from_ref) == b.1.map(core::ptr::from_ref)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::price::Spot;

    #[test]
    fn a_price_is_from_the_floor_to_the_most() {
        let price = |floor, bid, most| {
            is_priced(&Price { most: Micros(most), floor: Micros(floor), bid: Micros(bid), spot: Spot::default() })
        };
        assert!(price(0, 1, 1));
        assert!(price(5, 5, 5));
        assert!(price(5, 6, 7));
        assert!(!price(5, 4, 7), "under the floor");
        assert!(!price(5, 8, 7), "over the most");
        assert!(!price(0, 0, 7), "nothing");
    }

    #[test]
    fn an_impression_has_one_bid_under_each_deal_and_one_without() {
        let (imps, deals) = ([Imp::default(), Imp::default()], [Deal::default(), Deal::default()]);
        let [first, second] = &imps;
        let [one, other] = &deals;
        assert!(is_same((first, None), (first, None)));
        assert!(is_same((first, Some(one)), (first, Some(one))));
        assert!(!is_same((first, None), (second, None)));
        assert!(!is_same((first, Some(one)), (first, Some(other))));
        assert!(!is_same((first, Some(one)), (first, None)));
    }
}
