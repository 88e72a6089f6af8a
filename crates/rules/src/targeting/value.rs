//! The values that a request, an impression or an ad object has in a dimension, read by the table of
//! [`dimensions`](mod@reasons::dimensions).

use super::derived::{categories, channels, genres, keywords, language, segments, sources};
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
            values.take_while(|_| !$meter.is_empty()).for_each(|(cat, cattax)| $take(Value::Category(cat, cattax)));
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

/// The object from which a dimension is read.
macro_rules! source {
    (request) => {
        super::Facts<'a>
    };
    (imp) => {
        super::Imp<'a>
    };
    (spot) => {
        super::Spot<'a>
    };
}

macro_rules! readings {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $_name:ident $_words:tt $_paths:tt |$source:ident| $values:expr,)* })*) => { $(
        /// Reads the dimensions of this block of the table.
        #[allow(unused_imports, unused_variables, unused_mut, reason = "each block of the table needs some of it")]
        pub mod $from {
            use super::*;

            /// The known values in a dimension; [`Values::Unknown`] for a reason that is not a dimension of this block.
            #[inline]
            #[must_use]
            pub fn of<'a>(reason: NoBidReason, from: &source!($from)) -> Values<'a> {
                match reason {
                    $(NoBidReason::$reason => {
                        let $source = from;
                        values!($kind $values)
                    })*
                    _ => Values::Unknown,
                }
            }

            /// Calls `take` with each value where [`of`] returns [`Values::Several`]. Stops when `meter` is empty.
            #[inline]
            pub fn each<'a>(
                reason: NoBidReason,
                from: &source!($from),
                meter: &Meter,
                mut take: impl FnMut(Value<'_>),
            ) {
                match reason {
                    $(NoBidReason::$reason => {
                        let $source = from;
                        each!($kind $values, take, meter);
                    })*
                    _ => {}
                }
            }

            /// Calls `take` with every value.
            pub fn all<'a>(reason: NoBidReason, from: &source!($from), mut take: impl FnMut(Value<'_>)) {
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
}

reasons::dimensions!(readings);
