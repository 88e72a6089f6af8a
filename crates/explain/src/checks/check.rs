//! A check that compares a campaign with a request.

use super::super::comparison::Comparison;
use super::super::rejection::Rejection;
use reasons::no_bid::NoBidReason;

/// A check: its reason, the paths of the attributes that it looks at, as in [`Dimension::paths`](reasons::kind::Dimension::paths) and empty if the request
/// does not decide, and its comparison.
pub(super) type Check = (NoBidReason, &'static [&'static str], fn(&Rejection<'_, '_>) -> Comparison);
