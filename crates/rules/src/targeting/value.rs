//! The values that a request, an impression or an ad object has in a dimension, read by the table of
//! [`dimensions`](mod@reasons::dimensions).

use super::facts::Facts;
use super::spot::{Spot, slots};
use crate::work::Meter;
use base::domain;
use openrtb::request::Imp;
use reasons::kind::{Kind, kind_of};
use reasons::no_bid::NoBidReason;

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

impl Value<'_> {
    /// Whether the value is known, in the dimension of this reason.
    #[must_use]
    pub fn is_known(&self, reason: NoBidReason) -> bool {
        match self {
            Value::Text(text) | Value::Category(text, _) | Value::Segment(_, text) => !text.is_empty(),
            Value::Number(number) => *number != 0 || kind_of(reason) != Some(Kind::Number),
        }
    }
}

/// The known values in a dimension.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// The request has no value.
    Unknown,
    /// One value. A text may be empty, which also means unknown.
    One(Value<'a>),
    /// Any number of values; `each` of the block reads them.
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

/// The objects from which dimensions are read, under the names of the blocks of the table.
#[allow(non_camel_case_types, reason = "named as in the table")]
mod sources {
    pub(super) type request<'a> = super::Facts<'a>;
    pub(super) type imp<'a> = super::Imp<'a>;
    pub(super) type spot<'a> = super::Spot<'a>;
}

macro_rules! readings {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $_name:ident $_words:tt $_paths:tt |$source:ident| $values:expr,)* })*) => { $(
        /// Reads the dimensions of this block of the table.
        #[allow(unused_imports, unused_variables, unused_mut, reason = "each block of the table needs some of it")]
        pub mod $from {
            use super::super::derived::*;
            use super::*;

            /// The known values in a dimension; [`Values::Unknown`] for a reason that is not a dimension of this block.
            #[inline]
            #[must_use]
            pub fn of<'a>(reason: NoBidReason, from: &sources::$from<'a>) -> Values<'a> {
                match reason {
                    $(NoBidReason::$reason => {
                        let $source = from;
                        readings!(@value $kind $values)
                    })*
                    _ => Values::Unknown,
                }
            }

            /// Calls `take` with each value where [`of`] returns [`Values::Several`]. Stops when `meter` is empty.
            #[inline]
            pub fn each(
                reason: NoBidReason,
                from: &sources::$from<'_>,
                meter: &Meter,
                mut take: impl FnMut(Value<'_>),
            ) {
                match reason {
                    $(NoBidReason::$reason => {
                        let $source = from;
                        readings!(@each $kind $values, take, meter);
                    })*
                    _ => {}
                }
            }

            /// Calls `take` with every value.
            pub fn all(reason: NoBidReason, from: &sources::$from<'_>, mut take: impl FnMut(Value<'_>)) {
                match of(reason, from) {
                    Values::One(value) => take(value),
                    Values::Several => each(reason, from, &Meter::unlimited(), take),
                    Values::Unknown => {}
                }
            }

            /// Whether this block of the table has the dimension.
            #[must_use]
            pub const fn has(reason: NoBidReason) -> bool {
                matches!(reason, $(NoBidReason::$reason)|*)
            }
        }
    )* };
    // The value; for kinds with several values, only whether there are any.
    (@value texts $values:expr) => {
        several($values.is_some())
    };
    (@value numbers $values:expr) => {
        several($values.is_some())
    };
    (@value domain $values:expr) => {
        several(!$values.is_empty())
    };
    (@value category $values:expr) => {
        several($values.is_some())
    };
    (@value address $facts:expr) => {
        several(has_address($facts))
    };
    (@value segment $values:expr) => {
        several($values.is_some())
    };
    (@value $one:ident $values:expr) => {
        Values::from($values)
    };
    // Calls `$take` with each value of a kind with several values, until `$meter` is empty.
    (@each texts $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            values.take_while(|_| !$meter.is_empty()).for_each(|text| $take(Value::Text(text)));
        }
    };
    (@each numbers $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            values.for_each(|number| $take(Value::Number(number)));
        }
    };
    (@each domain $values:expr, $take:ident, $meter:ident) => {
        domain::and_parents($values).for_each(|domain| $take(Value::Text(domain)))
    };
    (@each category $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            values.take_while(|_| !$meter.is_empty()).for_each(|(cat, cattax)| $take(Value::Category(cat, cattax)));
        }
    };
    (@each address $facts:expr, $take:ident, $meter:ident) => {
        each_list_with_address($facts, |id| $take(Value::Text(id)))
    };
    (@each segment $values:expr, $take:ident, $meter:ident) => {
        if let Some(values) = $values {
            let values = values.take_while(|_| !$meter.is_empty());
            values.for_each(|(provider, id)| $take(Value::Segment(provider, id)));
        }
    };
    (@each $one:ident $values:expr, $take:ident, $meter:ident) => {};
}

reasons::dimensions!(readings);
