//! Both sides of each check in words: what the campaign wanted, and what the request has. A check is a row of one of
//! [`TABLES`] or of [`request::CHECKS`]. Checks of targeting need none: each dimension has its words by its kind. Most checks
//! of creatives need none either: each row of [`rules::rows`] has its words by its form.

mod advertiser;
mod assets;
mod bytes;
mod campaign;
mod check;
mod creative;
mod pace;
mod price;
mod request;
mod skadn;
mod supply;
mod targeting;

use super::comparison::{Comparison, UNREADABLE};
use super::rejection::Rejection;
use check::Check;
use reasons::kind::Dimension;
use reasons::no_bid::NoBidReason;
use rules::rows::Row;

pub(super) use campaign::NO_DUPLICATE;
pub(super) use creative::media_name;
pub(super) use request::{comparison as of_request, has, is_unreadable, left_out};
pub(super) use skadn::sentence;

const TABLES: &[&[Check]] = &[campaign::CHECKS, advertiser::CHECKS, creative::CHECKS, price::CHECKS];

fn rows() -> impl Iterator<Item = &'static Check> {
    TABLES.iter().copied().flatten()
}

/// The campaign's value and the request's.
pub(super) fn comparison(rejection: &Rejection<'_, '_>) -> Comparison {
    let (wanted, found) = of_readable(rejection);
    (wanted, if rejection.is_unreadable() { UNREADABLE.into() } else { found })
}

fn of_readable(rejection: &Rejection<'_, '_>) -> Comparison {
    if let Some((.., comparison)) = rows().find(|(reason, ..)| *reason == rejection.reason) {
        return comparison(rejection);
    }
    if let Some(row) = Row::of(rejection.reason) {
        return creative::comparison(row, rejection);
    }
    let of_request = of_request(rejection.reason, rejection.request(), rejection.facts.ssp, rejection.catalog);
    of_request.unwrap_or_else(|| targeting::comparison(rejection))
}

/// The paths of the attributes that the check of this reason looks at. Empty if the request does not decide.
pub(super) fn paths(reason: NoBidReason) -> &'static [&'static str] {
    let of_campaigns = rows().map(|(own, paths, _)| (*own, *paths));
    let of_requests = request::CHECKS.iter().map(|(own, paths, _)| (*own, *paths));
    let row = of_campaigns.chain(of_requests).find(|(own, _)| *own == reason).map(|(_, paths)| paths);
    let of_tables = || Row::of(reason).map(|row| row.paths).or_else(|| Some(Dimension::of(reason)?.paths));
    row.or_else(of_tables).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_one_row() {
        for reason in NoBidReason::ALL.iter().copied() {
            let of_campaigns = rows().filter(|(own, ..)| *own == reason).count();
            let of_requests = request::CHECKS.iter().filter(|(own, ..)| *own == reason).count();
            let of_tables = usize::from(Dimension::of(reason).is_some()) + usize::from(Row::of(reason).is_some());
            assert_eq!(of_campaigns + of_requests + of_tables, 1, "{}", reason.as_str());
            assert!(!request::has(reason) || of_requests == 1, "{}", reason.as_str());
        }
    }
}
