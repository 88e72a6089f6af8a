//! The settings for money of an SSP, as the snapshot stores them.

use bidder_wasm::catalog::{Auction, Billing, Codec, Costs, PriceMissing, Ssp};
use bidder_wasm::money::Currency;

use crate::compile::compile;

/// The result of `read` for the only SSP of a catalog, or the first finding.
fn of<T>(settings: &str, read: impl Fn(Ssp<'_>) -> T) -> Result<T, String> {
    let document = format!(
        r#"{{"format":1,"rates":[{{"cur":"EUR","usd":"1.1"}}],"ssps":[{{"id":"a"{settings}}}],"creatives":[],"campaigns":[]}}"#
    );
    let compiled = compile(document.as_bytes(), &[]);
    let first = |findings: Vec<crate::decode::Finding>| findings.first().map(ToString::to_string);
    let compiled = compiled.map_err(|findings| first(findings).unwrap_or_default())?;
    let catalog = compiled.snapshot.catalog();
    Ok(read(catalog.parts().ssp(0)))
}

#[test]
fn settings_have_defaults() {
    let read = |ssp: Ssp<'_>| {
        assert_eq!((ssp.billing(), ssp.price_missing()), (Billing::OpenRtb, PriceMissing::Nothing));
        assert_eq!((ssp.price_codec(), ssp.notice_cur()), (Codec::Plain, Currency::UNKNOWN));
        assert_eq!((ssp.notice_hours(), ssp.invoice_ratio()), (48, 1_000_000));
        assert_eq!((ssp.auction(), ssp.no_nurl(), ssp.no_lurl()), (Auction::Request, false, false));
        assert_eq!((ssp.price(), ssp.max_multiplier()), (Costs::Notice, 1));
    };
    assert_eq!(of("", read), Ok(()));
}

#[test]
fn settings_are_stored() {
    let settings = r#","auction":"first","uncalled":["lurl"],"billing":"both","price_missing":"bid","price_codec":"index","notice_cur":"eur","notice_hours":168,"invoice_ratio":"0.98","price":"bid","max_multiplier":10000"#;
    let read = |ssp: Ssp<'_>| {
        assert_eq!((ssp.billing(), ssp.price_missing()), (Billing::Both, PriceMissing::Bid));
        assert_eq!((ssp.price_codec(), ssp.notice_cur().as_str()), (Codec::Google, "EUR"));
        assert_eq!((ssp.notice_hours(), ssp.invoice_ratio()), (168, 980_000));
        assert_eq!((ssp.auction(), ssp.no_nurl(), ssp.no_lurl()), (Auction::First, false, true));
        assert_eq!((ssp.price(), ssp.max_multiplier()), (Costs::Bid, 10_000));
    };
    assert_eq!(of(settings, read), Ok(()));
    for (ratio, millionths) in [("0.5", 500_000), ("2", 2_000_000), ("1.000001", 1_000_001), ("1e0", 1_000_000)] {
        assert_eq!(of(&format!(r#","invoice_ratio":"{ratio}""#), |ssp| ssp.invoice_ratio()), Ok(millionths));
    }
}
