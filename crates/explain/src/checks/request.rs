//! Both sides of the checks of the whole request, in words: they decide whether any campaign may bid.

use core::slice;

use super::super::comparison::{Comparison, UNREADABLE};
use super::super::privacy;
use super::super::words::{distinct_list, list};
use auction::gate;
use base::limits::{MAX_ID_BYTES, MAX_TEXT_BYTES, MAX_VALUES};
use base::money::Micros;
use catalog::{Catalog, Ssp};
use openrtb::request::{Imp, Request};
use reasons::no_bid::NoBidReason as R;

/// Whether the reason refuses the whole request, before the catalog counts.
pub(crate) fn has(reason: R) -> bool {
    reason <= R::Currency
}

/// A check of the whole request: see [`Check`](super::check::Check).
type Check = (R, &'static [&'static str], fn(&Request<'_>, Ssp<'_>, &Catalog<'_>) -> Comparison);

pub(super) const CHECKS: &[Check] = &[
    (R::NoImp, &["imp"], |_, _, _| ("an impression with an id".into(), "none".into())),
    (R::IdBytes, &["id", "imp.id"], |request, _, _| {
        let longest = request.imp.iter().map(|imp| imp.id.value.len()).fold(request.id.value.len(), usize::max);
        (format!("ids of at most {MAX_ID_BYTES} bytes"), format!("{longest} bytes"))
    }),
    (R::DuplicateImp, &["imp.id"], |request, _, _| {
        let ids = request.imp.iter().map(|imp| format!("{:?} several times", imp.id.value));
        ("an impression with a unique id".into(), distinct_list(ids))
    }),
    (R::ListLength, &[], |_, _, _| {
        let wanted = format!(
            "at most {MAX_VALUES} values in all lists and objects, and texts of at most {MAX_TEXT_BYTES} bytes"
        );
        (wanted, "more".into())
    }),
    (R::Tmax, &["tmax"], |request, ssp, _| {
        (format!("more than {} ms (latency_ms)", ssp.latency_ms()), format!("tmax {}", request.tmax))
    }),
    (R::Crawler, &["device.ua"], |request, _, _| {
        ("a user agent that does not call itself a crawler".into(), request.device.ua.to_owned())
    }),
    (R::Privacy, PRIVACY, |request, _, catalog| privacy::comparison(request, &catalog.privacy)),
    (R::Multiplier, &["imp.qty.multiplier"], |request, ssp, _| {
        let text = |amount: Micros| if amount == Micros::UNREADABLE { "unreadable".into() } else { amount.to_string() };
        let found = distinct_list(request.imp.iter().map(|imp| format!("multiplier {}", text(imp.multiplier))));
        (format!("at most {} impressions a showing (max_multiplier)", ssp.max_multiplier()), found)
    }),
    (R::Currency, &["cur"], |request, _, catalog| {
        let rates = list(catalog.rates.iter().map(|(cur, _)| cur.as_str().to_owned()));
        let found = list(request.cur.iter().map(|cur| cur.as_str().to_owned()));
        (format!("a currency with a rate: {rates}"), format!("cur {found}"))
    }),
    (R::NoCampaign, &[], |_, _, _| ("a campaign in the catalog".into(), "none".into())),
    (R::Stopped, &[], |_, _, _| ("campaigns that no operator has stopped".into(), "stopped by edgebid stop".into())),
    (R::Work, &[], |_, _, _| Comparison::default()),
];

const PRIVACY: &[&str] = &[
    "regs.gdpr|regs.ext.gdpr",
    "user.consent|user.ext.consent",
    "?regs.gpp|regs.ext.gpp",
    "?regs.gpp_sid|regs.ext.gpp_sid",
];

/// Whether the request, or each impression, has a restriction with this reason that cannot be read.
pub(crate) fn is_unreadable(reason: R, request: &Request<'_>, ssp: Ssp<'_>) -> bool {
    gate::unreadable(request) == Some(reason)
        || request.imp.iter().all(|imp| gate::refusal(imp, ssp).is_some())
            && request.imp.iter().any(|imp| imp.unreadable == Some(reason))
}

/// Why an impression can get no bid, whatever the campaign, and what its check compared. `None` if it can.
pub(crate) fn left_out(
    imp: &Imp<'_>,
    request: &Request<'_>,
    ssp: Ssp<'_>,
    catalog: &Catalog<'_>,
) -> Option<(R, Comparison)> {
    let reason = match request.imp.iter().filter(|other| other.id == imp.id).count() {
        2.. => R::DuplicateImp,
        _ if imp.id.value.len() > MAX_ID_BYTES => R::IdBytes,
        _ => gate::refusal(imp, ssp)?,
    };
    let alone = Request { imp: slice::from_ref(imp), ..*request };
    Some((reason, comparison(reason, &alone, ssp, catalog).unwrap_or_default()))
}

/// What the check wants and what the request has. `None` if the reason concerns a campaign.
pub(crate) fn comparison(reason: R, request: &Request<'_>, ssp: Ssp<'_>, catalog: &Catalog<'_>) -> Option<Comparison> {
    if is_unreadable(reason, request, ssp) {
        return Some(("a restriction that can be read".into(), UNREADABLE.into()));
    }
    let row = CHECKS.iter().find(|(own, ..)| *own == reason);
    row.map(|(.., comparison)| comparison(request, ssp, catalog))
}
