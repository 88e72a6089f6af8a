//! What a request says in a dimension.

use super::facts::Facts;
use super::spot::{Spot, slots};
use super::values::{categories, channels, genres, keywords, language, segments, sources};
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

/// What a request says in a dimension.
#[derive(Debug, Clone, Copy)]
pub enum Told<'a> {
    /// Nothing.
    Nothing,
    /// One value. A text may be empty.
    One(Value<'a>),
    /// Any number of values, from [`each_of_request`] or [`each_of_spot`].
    Several,
}

impl<'a> From<&'a str> for Told<'a> {
    fn from(text: &'a str) -> Told<'a> {
        Told::One(Value::Text(text))
    }
}

impl From<i64> for Told<'_> {
    fn from(number: i64) -> Self {
        Told::One(Value::Number(number))
    }
}

impl From<bool> for Told<'_> {
    fn from(flag: bool) -> Self {
        Told::One(Value::Number(flag.into()))
    }
}

impl<'a, T: Into<Told<'a>>> From<Option<T>> for Told<'a> {
    fn from(told: Option<T>) -> Told<'a> {
        told.map_or(Told::Nothing, Into::into)
    }
}

fn several<'a>(is_told: bool) -> Told<'a> {
    if is_told { Told::Several } else { Told::Nothing }
}

/// The value, or for the kinds that can have several, whether there are any.
macro_rules! told {
    (texts $told:expr) => {
        several($told.is_some())
    };
    (numbers $told:expr) => {
        several($told.is_some())
    };
    (domain $told:expr) => {
        several(!$told.is_empty())
    };
    (category $told:expr) => {
        several($told.is_some())
    };
    (segment $told:expr) => {
        several($told.is_some())
    };
    ($one:ident $told:expr) => {
        Told::from($told)
    };
}

/// Hands each value of a kind that can have several to `$take`, until `$meter` is empty.
macro_rules! each {
    (texts $told:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $told {
            values.take_while(|_| !$meter.is_empty()).for_each(|text| $take(Value::Text(text)));
        }
    };
    (numbers $told:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $told {
            values.for_each(|number| $take(Value::Number(number)));
        }
    };
    (domain $told:expr, $take:ident, $meter:ident) => {
        domain::and_parents($told).for_each(|domain| $take(Value::Text(domain)))
    };
    (category $told:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $told {
            values.take_while(|_| !$meter.is_empty()).for_each(|(cat, cattax)| {
                let parent = category::parent(cat);
                $take(Value::Category(cat, cattax));
                if parent.len() < cat.len() {
                    $take(Value::Category(parent, cattax));
                }
            });
        }
    };
    (segment $told:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $told {
            let values = values.take_while(|_| !$meter.is_empty());
            values.for_each(|(provider, id)| $take(Value::Segment(provider, id)));
        }
    };
    ($one:ident $told:expr, $take:ident, $meter:ident) => {};
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
        /// What a request says in a dimension that does not depend on the impression.
        #[inline]
        #[must_use]
        pub fn of_request<'a>(reason: NoBidReason, facts: &Facts<'a>) -> Told<'a> {
            match reason {
                $(NoBidReason::$request => {
                    let $facts = facts;
                    told!($request_kind $of_request)
                })*
                _ => Told::Nothing,
            }
        }

        /// Hands over the values of a request in such a dimension if it can have several. Stops when `meter` is empty.
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

        /// What an impression says in a dimension that does not depend on the creative.
        #[inline]
        #[must_use]
        pub fn of_imp<'a>(reason: NoBidReason, imp: &Imp<'a>) -> Told<'a> {
            match reason {
                $(NoBidReason::$imp => {
                    let $from_imp = imp;
                    told!($imp_kind $of_imp)
                })*
                _ => Told::Nothing,
            }
        }

        /// What the object that a creative would fill says in a dimension.
        #[must_use]
        pub fn of_spot<'a>(reason: NoBidReason, spot: &Spot<'a>) -> Told<'a> {
            match reason {
                $(NoBidReason::$spot => {
                    let $from_spot = spot;
                    told!($spot_kind $of_spot)
                })*
                _ => Told::Nothing,
            }
        }

        /// Hands over the values of the object in such a dimension if it can have several.
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

        /// Whether a dimension is one of the object that a creative would fill.
        #[must_use]
        pub const fn is_of_spot(reason: NoBidReason) -> bool {
            matches!(reason, $(NoBidReason::$spot)|*)
        }
    };
}

crate::dimensions!(readings);
