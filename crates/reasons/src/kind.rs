//! The kinds of targeting dimensions, and the data of their rows in [`dimensions`](mod@crate::dimensions).

use crate::no_bid::NoBidReason;

/// The form of a dimension's values, from its row in [`dimensions`](mod@crate::dimensions).
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
    /// Codes of an `AdCOM` list, in which 0 means unknown or any.
    Number,
    /// Integers, of which 0 is a value too.
    Offset,
    /// True (1) or false (0).
    Flag,
    /// A sum of bits: see [`CHANNELS`].
    Channel,
    /// Ids of lists of ranges, of which a request offers those that have its address, and [`KNOWN_ADDRESS`].
    Address,
    /// Segments, each a provider (with or without a taxonomy, or the taxonomy alone) and an id; case matters.
    Segment,
}

/// The value of every request with an address that is told in full. No list has this id.
pub const KNOWN_ADDRESS: &str = " ";

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
    const address: (Kind, bool) = (Kind::Address, false);
    const segment: (Kind, bool) = (Kind::Segment, false);
}

/// A targeting dimension. The serving module needs only [`kind_of`] and [`is_single`].
#[derive(Debug)]
pub struct Dimension {
    /// The no-bid reason of its check.
    pub reason: NoBidReason,
    /// The campaign's attribute in the catalog document.
    pub name: &'static str,
    /// Its name in sentences, if it differs from `name`; for a flag, the clauses for true and false.
    pub words: &'static [&'static str],
    /// The attributes of the request that the check uses. `a|b` is `a`, or `b` if the request has no `a`. A path after
    /// `?` counts only if the request has it; otherwise, something else than the request decides. The first name of a
    /// path may be one of these roots:
    ///
    /// | root | stands for |
    /// |---|---|
    /// | `imp` | the impression; for a check of the whole request, every impression |
    /// | `deal` | the deal |
    /// | `spot` | each media object that a creative of the campaign would fill |
    /// | `channel` | site, app or DOOH, and first-party data of it |
    /// | `person` | the user, and first-party data of it |
    /// | `geo` | the location that counts: the device's or the user's |
    pub paths: &'static [&'static str],
}

impl Dimension {
    /// The dimension of this reason; `None` for a reason that is not a targeting dimension.
    pub fn of(reason: NoBidReason) -> Option<&'static Dimension> {
        DIMENSIONS.iter().find(|dimension| dimension.reason == reason)
    }
}

macro_rules! kinds {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $name:ident [$($word:literal),*] [$($path:literal),+] |$_from:ident| $_value:expr,)* })*) => {
        /// All dimensions, in the order of the checks of each block.
        pub static DIMENSIONS: &[Dimension] = &[$($(
            Dimension {
                reason: NoBidReason::$reason,
                name: stringify!($name),
                words: &[$($word),*],
                paths: &[$($path),+],
            },
        )*)*];

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
    };
}

crate::dimensions!(kinds);
