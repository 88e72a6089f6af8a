//! Reads the exchange rates of a document.

use super::check::out_of_range;
use super::document::RateEntry;
use crate::decode::Finding;
use bidder_wasm::money::{Currency, Rates};

pub(super) fn compile(entries: &[RateEntry], findings: &mut Vec<Finding>) -> Rates {
    let mut rates = Rates::default();
    rates.set(Currency::USD, "1");
    for (i, entry) in entries.iter().enumerate() {
        let (Some(cur), Some(usd)) = (&entry.cur, &entry.usd) else { continue };
        let currency = Currency::parse(cur);
        if currency == Currency::UNKNOWN || (currency == Currency::USD && usd.as_str() != "1") {
            let message = format!("{cur:?}; expected a three-letter code other than USD, whose rate is always 1");
            out_of_range(&format!("rates[{i}].cur"), message, findings);
        } else if !rates.set(currency, usd.as_str()) {
            let message = format!("{usd:?}; expected a positive decimal such as \"1.0837\"");
            out_of_range(&format!("rates[{i}].usd"), message, findings);
        }
    }
    rates
}

/// The currency with this name, which must have a rate.
pub(super) fn currency(name: &str, rates: &Rates, path: &str, findings: &mut Vec<Finding>) -> Currency {
    let currency = Currency::parse(name);
    if !rates.has(currency) {
        let message = format!("{name:?} has no entry in rates; expected a currency with a rate");
        out_of_range(path, message, findings);
    }
    currency
}
