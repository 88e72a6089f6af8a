//! What must be true of the bids of an answer, and what must not, looked at once more before they are written. Bids that
//! are not sound are a defect of edgebid, and are not sent.

use base::money::Micros;
use openrtb::request::Deal;

use crate::bid::Bid;
use crate::pod;
use crate::price::Price;

/// Whether each bid has a price from its floor to the most that its campaign pays, and no impression has two bids under
/// one deal, or two without a deal, unless it is a dynamic pod.
pub(crate) fn are_sound(bids: &[Bid<'_>]) -> bool {
    bids.iter().enumerate().all(|(at, bid)| {
        // Bids are in the order of the impressions.
        let mut others = bids.iter().take(at).rev().take_while(|other| core::ptr::eq(other.imp, bid.imp));
        is_priced(&bid.price) && (pod::dynamic(bid).is_some() || !others.any(|other| is_same(bid.deal, other.deal)))
    })
}

fn is_priced(price: &Price) -> bool {
    Micros::ZERO < price.bid && price.floor <= price.bid && price.bid <= price.most
}

/// Whether both are one deal, which an impression may offer twice, or no deal.
fn is_same(a: Option<&Deal<'_>>, b: Option<&Deal<'_>>) -> bool {
    a.map(|deal| deal.id.value) == b.map(|deal| deal.id.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::price::Spot;
    use openrtb::request::Text;

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
    fn a_deal_that_is_offered_twice_is_one_deal() {
        let deal = |id| Deal { id: Text { value: id, literal: id }, ..Deal::default() };
        let (one, again, other) = (deal("1"), deal("1"), deal("2"));
        assert!(is_same(None, None));
        assert!(is_same(Some(&one), Some(&again)));
        assert!(!is_same(Some(&one), Some(&other)));
        assert!(!is_same(Some(&one), None));
    }
}
