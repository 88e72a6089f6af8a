//! Kinds of dimensions: what the values of a dimension look like.

use crate::no_bid::NoBidReason;
use crate::read::Needs;

/// What the values of a dimension look like. The table is in [`dimensions`](crate::dimensions).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Texts, in any case of letters.
    Text,
    /// Domains, in any case of letters; a listed one stands for its subdomains too.
    Domain,
    /// Categories with their taxonomy, in any case of letters; a listed one stands for those below it too.
    Category,
    /// Ids, letter by letter.
    Id,
    /// Integers.
    Number,
    /// True (1) or false (0).
    Flag,
    /// The sum of 1 (site), 2 (app) and 4 (DOOH).
    Channel,
    /// Segments: provider and id, letter by letter.
    Segment,
}

impl Kind {
    /// Whether the case of a letter makes no difference.
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
        $kind:ident $_name:ident [$($part:ident)*] |$_from:ident| $_told:expr,)* })*) => {
        /// What the values of a dimension look like; `None` for a reason that is no dimension of targeting.
        #[must_use]
        pub const fn kind_of(reason: NoBidReason) -> Option<Kind> {
            match reason {
                $($(NoBidReason::$reason => Some(kind!($kind)),)*)*
                _ => None,
            }
        }

        /// Adds the parts of a request that a dimension looks at.
        pub fn need(reason: NoBidReason, needs: &mut Needs) {
            match reason {
                $($(NoBidReason::$reason => { $(needs.$part = true;)* })*)*
                _ => {}
            }
        }
    };
}

crate::dimensions!(kinds);
