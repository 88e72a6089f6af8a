//! The settings of an SSP, and the choices of its settings for money.

use base::limits::MAX_RESPONSE_BYTES;
use base::money::Currency;
use flat::choice;
use flat::{List, flat};

flat! {
    /// An SSP.
    pub struct Ssp from SspDraft {
        /// The SSP's id: the last part of the URL that the SSP calls.
        pub id: String,
        /// Its domain as an advertising system, in lower case; empty: unknown.
        pub domain: String,
        /// SHA-256 of each accepted bearer token, lower-case hex. Empty: no token needed.
        pub credentials: Vec<String>,
        /// Milliseconds that a request and its response take on the network.
        pub latency_ms: i64,
        /// The `tmax` that the SSP usually sends: the milliseconds in which a request has to arrive whole; 0: unknown.
        pub tmax: i64,
        /// Whether a no-bid response carries `nbr`.
        pub nbr: bool,
        /// The currency of responses if the request allows several. If unknown, the first currency that the request
        /// names.
        pub cur: Currency,
        /// The seats for which the SSP uses another name, each with that name, sorted.
        pub seats: Vec<(String, String)>,
        /// The same pairs, sorted by the SSP's names, which come first here.
        pub names: Vec<(String, String)>,
        /// Whether the SSP accepts gzip.
        pub gzip: bool,
        /// The most bytes of a response before gzip; 0: [`MAX_RESPONSE_BYTES`].
        pub max_response_bytes: u32,
        /// Members that go into every `bid.ext`, as a fragment.
        pub bid_ext: String,
        /// The macro that the SSP replaces with the clearing price; empty: [`PRICE_MACRO`].
        pub price_macro: String,
        /// Whether the bidder fills the macros, because the SSP does not.
        pub fill_macros: bool,
        /// Whether the SSP accepts only one bid on an impression, even with deals.
        pub one_bid_per_imp: bool,
        /// Whether all of its auctions are tests.
        pub test: bool,
        /// The URL that takes our id for a person, with placeholders; empty: none.
        pub sync_url: String,
        /// The hosts to which a sync call may redirect the browser with our id, lower case.
        pub sync_redirect_hosts: Vec<String>,
        /// The type of its auctions.
        pub auction: Auction,
        /// Which floor counts.
        pub floors: Floors,
        /// Whether bids carry no `nurl`, because the SSP never calls it, or because a player would play it as the ad.
        pub no_nurl: bool,
        /// Whether bids carry no `lurl`, because the SSP never calls it.
        pub no_lurl: bool,
        /// Which notice bills.
        pub billing: Billing,
        /// What an impression costs.
        pub price: Costs,
        /// What is booked for a billing notice without a price.
        pub price_missing: PriceMissing,
        /// How notices encode the price.
        pub price_codec: Codec,
        /// The currency of the price in a notice that names none. If unknown, the response's currency.
        pub notice_cur: Currency,
        /// The most impressions that one showing may count as.
        pub max_multiplier: u32,
        /// Hours after a bid in which its notices count, 1 to 168.
        pub notice_hours: u8,
        /// The SSP's invoice divided by the ledger's sum, in millionths: 500,000 to 2,000,000.
        pub invoice_ratio: u32,
        /// Whether prices far below the bids are correct.
        pub low_prices: bool,
        /// Whether it takes only creatives that it has approved.
        pub needs_approval: bool,
        /// What it has decided, sorted: the `crid`, and the decision in words; empty: approved. Empty unless
        /// `needs_approval`.
        pub approvals: Vec<(String, String)>,
    }
}

/// The macro for the clearing price in OpenRTB (§4.4).
pub const PRICE_MACRO: &str = "${AUCTION_PRICE}";

impl<'s> Ssp<'s> {
    /// The most bytes of a response.
    pub fn most_bytes(&self) -> usize {
        Some(self.max_response_bytes() as usize).filter(|own| *own > 0).unwrap_or(MAX_RESPONSE_BYTES)
    }

    /// Whether a sync gives our ids to it, for `user.buyeruid` of its requests.
    pub fn gets_our_ids(&self) -> bool {
        !self.sync_url().is_empty() || !self.sync_redirect_hosts().is_empty()
    }

    /// The SSP's name of our seat.
    #[inline(never)]
    pub fn name_of<'n>(&self, seat: &'n str) -> &'n str
    where
        's: 'n,
    {
        let own = self.seats().get(first_at(self.seats(), seat));
        own.filter(|(ours, _)| *ours == seat).map_or(seat, |(_, name)| name)
    }

    /// What it has decided about a creative: empty if it is approved; `None` if nothing is known.
    pub fn approval_of(&self, crid: &str) -> Option<&'s str> {
        let decided = self.approvals().get(first_at(self.approvals(), crid));
        decided.filter(|(of, _)| *of == crid).map(|(_, words)| words)
    }

    /// Calls `take` with each of our seats that has this name at the SSP.
    pub fn each_seat_called(&self, name: &str, mut take: impl FnMut(&str)) {
        let from = first_at(self.names(), name);
        let pairs = (from..).map_while(|at| self.names().get(at).filter(|(called, _)| *called == name));
        let others = pairs.map(|(_, ours)| ours);
        others.chain(Some(name).filter(|name| self.name_of(name) == *name)).for_each(&mut take);
    }
}

/// The place of the first pair whose first text is `key` or a later one.
fn first_at(pairs: List<'_, (String, String)>, key: &str) -> usize {
    let (mut from, mut to) = (0, pairs.len());
    while from < to {
        let middle = usize::midpoint(from, to);
        let is_before = pairs.get(middle).is_some_and(|(first, _)| first < key);
        (from, to) = if is_before { (middle + 1, to) } else { (from, middle) };
    }
    from
}

choice! {
    /// How an exchange writes the price into a notice.
    Codec {
        /// A decimal number: the price per thousand impressions.
        #[default]
        Plain = "plain",
        /// Google's scheme: micros per thousand impressions, masked and signed. Index Exchange and `BidSwitch` use it
        /// too.
        Google = "google" | "index" | "bidswitch",
        /// Google's scheme with micros per impression.
        OpenX = "openx",
        /// Magnite's scheme: one Blowfish block, hexadecimal.
        Magnite = "magnite",
        /// Unity's scheme: Blowfish blocks, base64url.
        Unity = "unity",
    }
}

choice! {
    /// The type of an SSP's auctions.
    Auction {
        /// As `at` of the request and of the deal says.
        #[default]
        Request = "request",
        /// First-price, whatever `at` says.
        First = "first",
    }
}

choice! {
    /// Which of an impression's floors counts for a video or audio ad.
    Floors {
        /// `mincpmpersec` and `durfloors` go before `bidfloor`.
        #[default]
        Specific = "specific",
        /// The highest of them.
        Highest = "highest",
    }
}

choice! {
    /// Which notice of an SSP bills.
    Billing {
        /// As OpenRTB 2.6 advises: `burl` for banners and native ads, the VAST `<Impression>` for video and audio.
        #[default]
        OpenRtb = "openrtb",
        /// `burl`.
        Burl = "burl",
        /// The VAST `<Impression>`, the native tracker, or the pixel in a banner's markup.
        Impression = "impression",
        /// `burl` and the impression; the first of them counts.
        Both = "both",
        /// `nurl`: the SSP bills each win.
        Win = "win",
    }
}

choice! {
    /// What is booked for a billing notice without a price.
    PriceMissing {
        /// Nothing. The notice is counted.
        #[default]
        Nothing = "nothing",
        /// The price of the bid, marked as assumed.
        Bid = "bid",
    }
}

choice! {
    /// What an impression costs.
    Costs {
        /// The price in the notice, if it can be trusted.
        #[default]
        Notice = "notice",
        /// The price of the bid.
        Bid = "bid",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flat::{Flat, Laid, Source};

    #[test]
    fn every_value_has_a_name_and_reads_back_from_a_snapshot() {
        macro_rules! checked {
            ($($name:ident)*) => {$(
                assert_eq!($name::ALL[0], $name::default());
                for value in $name::ALL {
                    assert_eq!($name::parse(value.as_str()), Some(*value));
                    assert_eq!(Laid::out(value).view(), *value);
                }
            )*};
        }
        checked!(Codec Auction Billing PriceMissing Costs);
        assert_eq!((Codec::parse("index"), Codec::parse("bidswitch")), (Some(Codec::Google), Some(Codec::Google)));
        assert_eq!((Codec::parse(""), Codec::parse("Google")), (None, None));
        assert_eq!(Codec::view(Source::new(&[200], ""), 0), Codec::Plain, "a damaged byte reads as the default");
    }
}
