//! The kinds of targeting dimensions, and what the reader has to read for each dimension.

use crate::no_bid::NoBidReason;
use crate::read::Needs;

/// What the values of a dimension look like, by its row in [`dimensions`](mod@crate::dimensions).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Texts; case does not matter.
    Text,
    /// Domains; case does not matter, and a listed domain includes its subdomains.
    Domain,
    /// Categories with their taxonomy; case does not matter, and a listed category includes those below it.
    Category,
    /// Ids; case matters.
    Id,
    /// Codes of an `AdCOM` list, in which 0 says nothing: unknown, or any.
    Number,
    /// Integers, of which 0 is a value too.
    Offset,
    /// True (1) or false (0).
    Flag,
    /// A sum of bits: see [`CHANNELS`].
    Channel,
    /// Segments, each a provider and an id; case matters.
    Segment,
}

/// The bit of a request with `site` in a value of [`Kind::Channel`].
pub const SITE: i64 = 1;
/// The bit of a request with `app`.
pub const APP: i64 = 2;
/// The bit of a request with `dooh`.
pub const DOOH: i64 = 4;
/// The names of the channels, each with its bit.
pub const CHANNELS: [(&str, i64); 3] = [("site", SITE), ("app", APP), ("dooh", DOOH)];

impl Kind {
    /// Whether a value has two parts.
    pub const fn is_pair(self) -> bool {
        matches!(self, Kind::Category | Kind::Segment)
    }

    /// Whether upper and lower case are the same.
    pub const fn folds(self) -> bool {
        matches!(self, Kind::Text | Kind::Domain | Kind::Category)
    }
}

/// The words in the column `kind` of the table: the kind, and whether a request has at most one value.
#[allow(non_upper_case_globals, reason = "spelled as in the table")]
impl Kind {
    const text: (Kind, bool) = (Kind::Text, true);
    const texts: (Kind, bool) = (Kind::Text, false);
    const domain: (Kind, bool) = (Kind::Domain, true);
    const category: (Kind, bool) = (Kind::Category, false);
    const id: (Kind, bool) = (Kind::Id, true);
    const number: (Kind, bool) = (Kind::Number, true);
    const numbers: (Kind, bool) = (Kind::Number, false);
    const offset: (Kind, bool) = (Kind::Offset, true);
    const flag: (Kind, bool) = (Kind::Flag, true);
    const known: (Kind, bool) = (Kind::Flag, true);
    const channel: (Kind, bool) = (Kind::Channel, true);
    const segment: (Kind, bool) = (Kind::Segment, false);
}

macro_rules! kinds {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $_name:ident [$($part:ident)*] |$_from:ident| $_value:expr,)* })*) => {
        /// The kind of a dimension; `None` for a reason that is not a targeting dimension.
        pub const fn kind_of(reason: NoBidReason) -> Option<Kind> {
            match reason {
                $($(NoBidReason::$reason => Some(Kind::$kind.0),)*)*
                _ => None,
            }
        }

        /// Whether a request has at most one value in a dimension. For a domain, its parents count as the same value.
        pub const fn is_single(reason: NoBidReason) -> bool {
            match reason {
                $($(NoBidReason::$reason => Kind::$kind.1,)*)*
                _ => false,
            }
        }

        /// Adds to `needs` the parts of a request that a dimension reads.
        pub fn need(reason: NoBidReason, needs: &mut Needs) {
            match reason {
                $($(NoBidReason::$reason => { $(needs.$part = true;)* })*)*
                _ => {}
            }
        }
    };
}

crate::dimensions!(kinds);
