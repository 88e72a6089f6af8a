//! The values that a request, an impression or an ad object has in a dimension, read by the table of
//! [`dimensions`](mod@crate::dimensions).

use super::derived::{categories, channels, genres, keywords, language, segments, sources};
use super::facts::Facts;
use super::spot::{Spot, slots};
use crate::no_bid::NoBidReason;
use crate::request::Imp;
use crate::work::Meter;
use crate::{category, domain};

/// A value of a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'v> {
    /// One text.
    Text(&'v str),
    /// An integer, or a flag as 1 or 0.
    Number(i64),
    /// A category and its taxonomy.
    Category(&'v str, i64),
    /// A segment's provider and its id.
    Segment(&'v str, &'v str),
}

/// What is known in a dimension.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// No value: the request does not say it.
    Unknown,
    /// One value. A text may be empty, which also means unknown.
    One(Value<'a>),
    /// Any number of values; [`each_of_request`] or [`each_of_spot`] reads them.
    Several,
}

impl<'a> From<&'a str> for Values<'a> {
    fn from(text: &'a str) -> Values<'a> {
        Values::One(Value::Text(text))
    }
}

impl From<i64> for Values<'_> {
    fn from(number: i64) -> Self {
        Values::One(Value::Number(number))
    }
}

impl From<bool> for Values<'_> {
    fn from(flag: bool) -> Self {
        Values::One(Value::Number(flag.into()))
    }
}

impl<'a, T: Into<Values<'a>>> From<Option<T>> for Values<'a> {
    fn from(value: Option<T>) -> Values<'a> {
        value.map_or(Values::Unknown, Into::into)
    }
}

fn several<'a>(is_known: bool) -> Values<'a> {
    if is_known { Values::Several } else { Values::Unknown }
}

/// The value; for kinds with several values, only whether there are any.
macro_rules! values {
    (texts $values:expr) => {
        several($values.is_some())
    };
    (numbers $values:expr) => {
        several($values.is_some())
    };
    (domain $values:expr) => {
        several(!$values.is_empty())
    };
    (category $values:expr) => {
        several($values.is_some())
    };
    (segment $values:expr) => {
        several($values.is_some())
    };
    ($one:ident $values:expr) => {
        Values::from($values)
    };
}

/// Calls `$take` with each value of a kind with several values, until `$meter` is empty.
macro_rules! each {
    (texts $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            values.take_while(|_| !$meter.is_empty()).for_each(|text| $take(Value::Text(text)));
        }
    };
    (numbers $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            values.for_each(|number| $take(Value::Number(number)));
        }
    };
    (domain $values:expr, $take:ident, $meter:ident) => {
        domain::and_parents($values).for_each(|domain| $take(Value::Text(domain)))
    };
    (category $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            values.take_while(|_| !$meter.is_empty()).for_each(|(cat, cattax)| {
                let parent = category::parent(cat);
                $take(Value::Category(cat, cattax));
                if parent.len() < cat.len() {
                    $take(Value::Category(parent, cattax));
                }
            });
        }
    };
    (segment $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            let values = values.take_while(|_| !$meter.is_empty());
            values.for_each(|(provider, id)| $take(Value::Segment(provider, id)));
        }
    };
    ($one:ident $values:expr, $take:ident, $meter:ident) => {};
}

macro_rules! readings {
    (
        request { $($(#[$_d1:meta])* $request:ident = $_s1:literal $(($_n1:literal))?:
            $request_kind:ident $_a1:ident [$($_p1:ident)*] |$facts:ident| $of_request:expr,)* }
        imp { $($(#[$_d2:meta])* $imp:ident = $_s2:literal $(($_n2:literal))?:
            $imp_kind:ident $_a2:ident [$($_p2:ident)*] |$from_imp:ident| $of_imp:expr,)* }
        spot { $($(#[$_d3:meta])* $spot:ident = $_s3:literal $(($_n3:literal))?:
            $spot_kind:ident $_a3:ident [$($_p3:ident)*] |$from_spot:ident| $of_spot:expr,)* }
    ) => {
        /// The values of a request; [`Values::Unknown`] for a reason that is not a dimension of requests.
        #[inline]
        #[must_use]
        pub fn of_request<'a>(reason: NoBidReason, facts: &Facts<'a>) -> Values<'a> {
            match reason {
                $(NoBidReason::$request => {
                    let $facts = facts;
                    values!($request_kind $of_request)
                })*
                _ => Values::Unknown,
            }
        }

        /// Calls `take` with each value of a request where [`of_request`] returns [`Values::Several`]. Stops when
        /// `meter` is empty.
        #[inline]
        pub fn each_of_request(
            reason: NoBidReason,
            facts: &Facts<'_>,
            meter: &Meter,
            mut take: impl FnMut(Value<'_>),
        ) {
            match reason {
                $(#[allow(unused_variables, reason = "of_request reads kinds with one value")]
                NoBidReason::$request => {
                    let $facts = facts;
                    each!($request_kind $of_request, take, meter);
                })*
                _ => {}
            }
        }

        /// The value of an impression; [`Values::Unknown`] for a reason that is not a dimension of impressions.
        #[inline]
        #[must_use]
        pub fn of_imp<'a>(reason: NoBidReason, imp: &Imp<'a>) -> Values<'a> {
            match reason {
                $(NoBidReason::$imp => {
                    let $from_imp = imp;
                    values!($imp_kind $of_imp)
                })*
                _ => Values::Unknown,
            }
        }

        /// The values of a banner, video or audio object; [`Values::Unknown`] for a reason that is not a dimension of
        /// these.
        #[must_use]
        pub fn of_spot<'a>(reason: NoBidReason, spot: &Spot<'a>) -> Values<'a> {
            match reason {
                $(NoBidReason::$spot => {
                    let $from_spot = spot;
                    values!($spot_kind $of_spot)
                })*
                _ => Values::Unknown,
            }
        }

        /// Calls `take` with each value of an object where [`of_spot`] returns [`Values::Several`].
        pub fn each_of_spot(reason: NoBidReason, spot: &Spot<'_>, take: &mut dyn FnMut(Value<'_>)) {
            match reason {
                $(#[allow(unused_variables, reason = "of_spot reads kinds with one value")]
                NoBidReason::$spot => {
                    let $from_spot = spot;
                    each!($spot_kind $of_spot, take, meter);
                })*
                _ => {}
            }
        }

        /// Whether this is a dimension of a banner, video or audio object.
        #[must_use]
        pub const fn is_of_spot(reason: NoBidReason) -> bool {
            matches!(reason, $(NoBidReason::$spot)|*)
        }
    };
}

crate::dimensions!(readings);
