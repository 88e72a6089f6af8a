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
    /// Integers.
    Number,
    /// True (1) or false (0).
    Flag,
    /// The sum of 1 (site), 2 (app) and 4 (DOOH).
    Channel,
    /// Segments, each a provider and an id; case matters.
    Segment,
}

impl Kind {
    /// Whether upper and lower case are the same.
    #[must_use]
    pub const fn folds(self) -> bool {
        matches!(self, Kind::Text | Kind::Domain | Kind::Category)
    }
}

macro_rules! kind {
    (text) => {
        Kind::Text
    };
    (texts) => {
        Kind::Text
    };
    (domain) => {
        Kind::Domain
    };
    (category) => {
        Kind::Category
    };
    (id) => {
        Kind::Id
    };
    (number) => {
        Kind::Number
    };
    (numbers) => {
        Kind::Number
    };
    (flag) => {
        Kind::Flag
    };
    (known) => {
        Kind::Flag
    };
    (channel) => {
        Kind::Channel
    };
    (segment) => {
        Kind::Segment
    };
}

macro_rules! kinds {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $_name:ident [$($part:ident)*] |$_from:ident| $_value:expr,)* })*) => {
        /// The kind of a dimension; `None` for a reason that is not a targeting dimension.
        #[must_use]
        pub const fn kind_of(reason: NoBidReason) -> Option<Kind> {
            match reason {
                $($(NoBidReason::$reason => Some(kind!($kind)),)*)*
                _ => None,
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
