//! The settings for money of an SSP, as the snapshot stores them.

use base::money::Currency;
use catalog::{Auction, Billing, Codec, Costs, PriceMissing, Ssp};
use serde_json::{Value, json};

use super::{compiled, with};

fn check(settings: Value, check: impl Fn(Ssp<'_>)) {
    let compiled = compiled(&with([("ssps", settings)])).unwrap();
    check(compiled.snapshot.catalog().parts().ssp(0));
}

#[test]
fn settings_have_defaults_and_are_stored() {
    check(json!({}), |ssp| {
        assert_eq!((ssp.billing(), ssp.price_missing()), (Billing::OpenRtb, PriceMissing::Nothing));
        assert_eq!((ssp.price_codec(), ssp.notice_cur()), (Codec::Plain, Currency::UNKNOWN));
        assert_eq!((ssp.notice_hours(), ssp.invoice_ratio()), (48, 1_000_000));
        assert_eq!((ssp.auction(), ssp.no_nurl(), ssp.no_lurl()), (Auction::Request, false, false));
        assert_eq!((ssp.price(), ssp.max_multiplier()), (Costs::Notice, 1));
    });
    let settings = json!({
        "auction": "first", "uncalled": ["lurl"], "billing": "both", "price_missing": "bid", "price_codec": "index",
        "notice_cur": "eur", "notice_hours": 168, "invoice_ratio": "0.98", "price": "bid", "max_multiplier": 10000,
    });
    check(settings, |ssp| {
        assert_eq!((ssp.billing(), ssp.price_missing()), (Billing::Both, PriceMissing::Bid));
        assert_eq!((ssp.price_codec(), ssp.notice_cur().as_str()), (Codec::Google, "EUR"));
        assert_eq!((ssp.notice_hours(), ssp.invoice_ratio()), (168, 980_000));
        assert_eq!((ssp.auction(), ssp.no_nurl(), ssp.no_lurl()), (Auction::First, false, true));
        assert_eq!((ssp.price(), ssp.max_multiplier()), (Costs::Bid, 10_000));
    });
    for (ratio, millionths) in [("0.5", 500_000), ("2", 2_000_000), ("1.000001", 1_000_001), ("1e0", 1_000_000)] {
        check(json!({ "invoice_ratio": ratio }), |ssp| assert_eq!(ssp.invoice_ratio(), millionths));
    }
}
