//! Both sides of the checks of the whole request, in words: they decide whether any campaign may bid.

use super::super::privacy;
use super::super::words::{distinct_list, list};
use super::Sides;
use bidder_wasm::catalog::{Catalog, Ssp};
use bidder_wasm::limits::{MAX_ID_BYTES, MAX_TEXT_BYTES, MAX_VALUES};
use bidder_wasm::no_bid::NoBidReason as R;
use bidder_wasm::request::Request;

/// Whether the reason refuses the whole request, before the catalog counts.
pub(in crate::explain) fn has(reason: R) -> bool {
    reason <= R::Currency
}

/// What the check wants and what the request has. Both are empty if the reason concerns a campaign.
pub(in crate::explain) fn sides(reason: R, request: &Request<'_>, ssp: Ssp<'_>, catalog: &Catalog<'_>) -> Sides {
    match reason {
        R::NoImp => ("an impression with an id".into(), "none".into()),
        R::DuplicateImp => (
            "an impression with a unique id".into(),
            distinct_list(request.imp.iter().map(|imp| format!("{:?} several times", imp.id.value))),
        ),
        R::Multiplier => (
            format!("at most {} impressions a play (max_multiplier)", ssp.max_multiplier()),
            distinct_list(request.imp.iter().map(|imp| format!("multiplier {}", imp.multiplier))),
        ),
        R::Tmax => (format!("more than {} ms (latency_ms)", ssp.latency_ms()), format!("tmax {}", request.tmax)),
        R::Crawler => ("a user agent without bot/, bot;, spider or crawler".into(), request.device.ua.to_owned()),
        R::Privacy => privacy::sides(request, &catalog.privacy),
        R::Currency => (
            format!("a currency with a rate: {}", list(catalog.rates.iter().map(|(cur, _)| cur.as_str().to_owned()))),
            format!("cur {}", list(request.cur.iter().map(|cur| cur.as_str().to_owned()))),
        ),
        R::NoCampaign => ("a campaign in the catalog".into(), "none".into()),
        R::Stopped => ("campaigns that no operator has stopped".into(), "stopped by edgebid stop".into()),
        R::IdBytes => {
            let longest = request.imp.iter().map(|imp| imp.id.value.len()).fold(request.id.value.len(), usize::max);
            (format!("ids of at most {MAX_ID_BYTES} bytes"), format!("{longest} bytes"))
        }
        R::ListLength => (
            format!(
                "at most {MAX_VALUES} values in all lists and objects, and texts of at most {MAX_TEXT_BYTES} bytes"
            ),
            "more".into(),
        ),
        _ => (String::new(), String::new()),
    }
}
