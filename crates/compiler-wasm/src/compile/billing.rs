//! Checks how an SSP bills: named choices, the lifetime of notices and the ratio of invoices.

use bidder_wasm::limits::{MAX_MULTIPLIER, MAX_NOTICE_HOURS, NOTICE_HOURS};
use bidder_wasm::money::{Micros, Rounding};

use super::check::{out_of_range, suggestion};
use crate::decode::{Finding, Rule};

/// The value with this name; the default if the document has none. `names` are all names that `parse` knows.
pub(super) fn choice<T: Default>(
    name: Option<&str>,
    parse: fn(&str) -> Option<T>,
    names: &[&str],
    path: &str,
    findings: &mut Vec<Finding>,
) -> T {
    let Some(name) = name else { return T::default() };
    parse(name).unwrap_or_else(|| {
        let expected = format!("one of {}", names.join(", "));
        let suggestion = suggestion(name, names.iter().copied(), &expected, findings);
        findings.push(Finding::new(path.to_owned(), Rule::Unknown, format!("{name:?} is unknown; {suggestion}")));
        T::default()
    })
}

pub(super) fn hours(hours: Option<i64>, path: &str, findings: &mut Vec<Finding>) -> u8 {
    let Some(hours) = hours else { return NOTICE_HOURS };
    u8::try_from(hours).ok().filter(|hours| (1..=MAX_NOTICE_HOURS).contains(hours)).unwrap_or_else(|| {
        out_of_range(path, format!("{hours}; expected 1 to {MAX_NOTICE_HOURS} hours"), findings);
        NOTICE_HOURS
    })
}

pub(super) fn multiplier(most: Option<i64>, path: &str, findings: &mut Vec<Finding>) -> u32 {
    let Some(most) = most else { return 1 };
    u32::try_from(most).ok().filter(|most| (1..=MAX_MULTIPLIER).contains(most)).unwrap_or_else(|| {
        out_of_range(path, format!("{most}; expected 1 to {MAX_MULTIPLIER} impressions"), findings);
        1
    })
}

/// The ratio in millionths.
pub(super) fn ratio(ratio: Option<&str>, path: &str, findings: &mut Vec<Finding>) -> u32 {
    const ONE: u32 = 1_000_000;
    let Some(text) = ratio else { return ONE };
    let exact = Micros::parse(text, Rounding::Down).filter(|down| Some(*down) == Micros::parse(text, Rounding::Up));
    let ratio = exact.and_then(|ratio| u32::try_from(ratio.0).ok());
    ratio.filter(|ratio| (ONE / 2..=2 * ONE).contains(ratio)).unwrap_or_else(|| {
        let expected = "expected a decimal string from \"0.5\" to \"2\" with at most 6 decimals";
        out_of_range(path, format!("{text:?}; {expected}"), findings);
        ONE
    })
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn mistakes_are_refused() {
        for (settings, finding) in [
            (r#""auction":"second""#, r#"ssps[0].auction: "second" is unknown; expected one of request, first"#),
            (r#""uncalled":["lurl","burl"]"#, r#"ssps[0].uncalled[1]: "burl"; expected nurl or lurl"#),
            (
                r#""uncalled":["nurl"],"billing":"win""#,
                r#"ssps[0].uncalled[0]: "nurl"; expected another billing than win, which bills by nurl"#,
            ),
            (r#""billing":"brul""#, r#"ssps[0].billing: "brul" is unknown; did you mean "burl"?"#),
            (
                r#""billing":"always""#,
                r#"ssps[0].billing: "always" is unknown; expected one of openrtb, burl, impression, both, win"#,
            ),
            (
                r#""price_missing":"floor""#,
                r#"ssps[0].price_missing: "floor" is unknown; expected one of nothing, bid"#,
            ),
            (r#""price_codec":"gogle""#, r#"ssps[0].price_codec: "gogle" is unknown; did you mean "google"?"#),
            (
                r#""notice_cur":"GBP""#,
                r#"ssps[0].notice_cur: "GBP" has no entry in rates; expected a currency with a rate"#,
            ),
            (r#""notice_hours":0"#, "ssps[0].notice_hours: 0; expected 1 to 168 hours"),
            (r#""notice_hours":169"#, "ssps[0].notice_hours: 169; expected 1 to 168 hours"),
            (r#""max_multiplier":0"#, "ssps[0].max_multiplier: 0; expected 1 to 10000 impressions"),
            (r#""max_multiplier":10001"#, "ssps[0].max_multiplier: 10001; expected 1 to 10000 impressions"),
            (r#""price":"floor""#, r#"ssps[0].price: "floor" is unknown; expected one of notice, bid"#),
            (r#""notice_hours":304"#, "ssps[0].notice_hours: 304; expected 1 to 168 hours"),
        ] {
            assert_eq!(of(&format!(",{settings}"), |_| ()), Err(finding.to_owned()), "{settings}");
        }
        for ratio in ["0.499999", "2.000001", "-1", "1.0000001", "0.98 ", "", "4294967297", "1e300"] {
            let found = of(&format!(r#","invoice_ratio":"{ratio}""#), |_| ()).unwrap_err();
            assert!(found.starts_with(&format!("ssps[0].invoice_ratio: {ratio:?}; expected a decimal")), "{found}");
        }
    }
}
