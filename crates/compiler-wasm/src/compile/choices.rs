//! The texts that an attribute of a catalog may have, if there are only a few, with their meanings.
//!
//! As with `meanings.rs`, a doc comment in `document.rs` names a list, and the schema is made from that. A test compares
//! each list with what the compiler accepts.

/// A list of texts, each with its meaning.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The name of the list.
    pub name: &'static str,
    /// The texts.
    pub values: &'static [(&'static str, &'static str)],
}

/// `channel`.
pub const CHANNELS: Choice =
    Choice { name: "Channels", values: &[("site", "a website"), ("app", "an app"), ("dooh", "a screen out of home")] };

/// `basis`.
pub const LEGAL_BASES: Choice = Choice {
    name: "Legal Bases",
    values: &[
        ("consent", "consent"),
        ("legitimate-interest", "legitimate interest"),
        ("flexible-consent", "consent; the publisher may ask for legitimate interest instead"),
        ("flexible-interest", "legitimate interest; the publisher may ask for consent instead"),
        ("either", "consent or legitimate interest"),
    ],
};

/// `profile`. The page `docs/exchanges.md` has this order.
pub const EXCHANGE_PROFILES: Choice = Choice {
    name: "Exchange Profiles",
    values: &[
        ("google", "Google Authorized Buyers"),
        ("index", "Index Exchange"),
        ("xandr", "Xandr (Microsoft Monetize)"),
        ("openx", "OpenX"),
        ("pubmatic", "PubMatic"),
        ("magnite", "Magnite"),
        ("bidswitch", "BidSwitch"),
        ("smaato", "Smaato"),
        ("unity", "Unity"),
        ("equativ", "Equativ"),
        ("prebid-server", "Prebid Server"),
    ],
};

/// `auction`.
pub const AUCTIONS: Choice = Choice {
    name: "Auctions",
    values: &[
        ("request", "what at of the request and of the deal say"),
        ("first", "first-price, whatever at says; a deal's fixed price stays"),
    ],
};

/// `floors`.
pub const FLOORS: Choice = Choice {
    name: "Floors",
    values: &[
        ("specific", "mincpmpersec and durfloors go before bidfloor, as OpenRTB has it"),
        ("highest", "the highest of them"),
    ],
};

/// `uncalled`.
pub const UNCALLED: Choice = Choice {
    name: "Uncalled Notices",
    values: &[("nurl", "the notice that the bid has won"), ("lurl", "the notice that the bid has lost")],
};

/// `billing`.
pub const BILLING: Choice = Choice {
    name: "Billing Notices",
    values: &[
        ("openrtb", "burl for banners and native ads, impression for video and audio"),
        ("burl", "burl"),
        ("impression", "the VAST Impression, the native tracker, or a pixel in the banner"),
        ("both", "burl and impression, of which the first counts"),
        ("win", "nurl: the SSP bills each win"),
    ],
};

/// `price`.
pub const BOOKED_PRICES: Choice = Choice {
    name: "Booked Prices",
    values: &[
        (
            "notice",
            "the price in the notice; a plain price that the markup calls is not believed, and the bid is booked",
        ),
        ("bid", "the price of the bid; the price in the notice is only compared"),
    ],
};

/// `price_missing`.
pub const PRICE_MISSING: Choice = Choice {
    name: "Missing Prices",
    values: &[
        ("nothing", "nothing is booked"),
        ("bid", "in first-price auctions the price of the bid is booked, marked as assumed"),
    ],
};

/// `price_codec`.
pub const PRICE_CODECS: Choice = Choice {
    name: "Price Codecs",
    values: &[
        ("plain", "a decimal number"),
        ("google", "Google: micros for a thousand impressions, masked and signed"),
        ("index", "Index Exchange: as Google"),
        ("bidswitch", "BidSwitch: as Google"),
        ("openx", "OpenX: micros for one impression, masked and signed"),
        ("magnite", "Magnite: Blowfish, in hexadecimal digits"),
        ("unity", "Unity: Blowfish, in base64url"),
    ],
};

/// `pacing`.
pub const PACING: Choice = Choice {
    name: "Pacing",
    values: &[("even", "evenly over the day, as the curve says"), ("asap", "as soon as possible")],
};

/// `per`.
pub const CAP_PERIODS: Choice = Choice {
    name: "Cap Periods",
    values: &[
        ("hour", "the last hour"),
        ("day", "the last 24 hours"),
        ("week", "the last 7 days"),
        ("lifetime", "until 180 days after the last impression"),
    ],
};

/// `cap_on`.
pub const CAP_COUNTS: Choice = Choice {
    name: "Cap Counts",
    values: &[("bill", "billed impressions"), ("bid", "all bids, so that the limit is never exceeded")],
};

#[cfg(test)]
mod tests {
    use super::*;
    use bidder_wasm::catalog::{Auction, Billing, CapOn, Codec, Costs, Floors, Per, PriceMissing};

    fn words(choice: Choice) -> Vec<&'static str> {
        choice.values.iter().map(|(word, _)| *word).collect()
    }

    #[test]
    fn the_lists_are_what_the_compiler_accepts() {
        assert_eq!(words(CHANNELS), bidder_wasm::kind::CHANNELS.map(|(name, _)| name));
        assert_eq!(words(EXCHANGE_PROFILES), super::super::profiles::names());
        assert_eq!(words(AUCTIONS), Auction::NAMES);
        assert_eq!(words(FLOORS), Floors::NAMES);
        assert_eq!(words(UNCALLED), super::super::ssp::UNCALLED);
        assert_eq!(words(BILLING), Billing::NAMES);
        assert_eq!(words(BOOKED_PRICES), Costs::NAMES);
        assert_eq!(words(PRICE_MISSING), PriceMissing::NAMES);
        assert_eq!(words(PRICE_CODECS), Codec::NAMES);
        assert_eq!(words(PACING), super::super::budget::PACINGS);
        assert_eq!(words(CAP_PERIODS), Per::NAMES);
        assert_eq!(words(CAP_COUNTS), CapOn::NAMES);
        for (word, is_known) in words(LEGAL_BASES).into_iter().map(|word| (word, true)).chain([("interest", false)]) {
            let document = format!(
                r#"{{"format":1,"ssps":[],"privacy":{{"vendor_id":1,"contextual":[{{"purpose":2,"basis":"{word}"}}]}}}}"#
            );
            assert_eq!(super::super::compile(document.as_bytes(), &[]).is_ok(), is_known, "{word}");
        }
    }
}
