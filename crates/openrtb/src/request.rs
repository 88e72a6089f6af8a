//! The bid request as the decision sees it: only attributes that a rule reads, with values of the right type.
//!
//! The rows of `read/table.rs` are the fields of these types, and [`crate::read`] fills them from the body's bytes.
//! Tests compare it with a plain reader, which looks up each attribute in a tree. Strings borrow from the body, or from
//! the arena if they have escapes.
//!
//! Both readers convert values by these rules:
//! - Text: a string. A number becomes its own text. Other values are ignored.
//! - Integer: a number without a fraction (`320`, `320.0`, `3.2e2`) or a string with such a number, with or without
//!   spaces around it. `true` is 1, `false` is 0. Other values and values beyond ±2^53 are ignored.
//! - Money: a number, or a string with a number. Digits below a micro round up. A floor with another value is
//!   unreadable, which is not 0: see [`Micros::UNREADABLE`].
//! - Id of a person (`buyeruid`, `ifa`, `user.id`, ids of `eids`): a text. A placeholder is absent: see
//!   [`is_placeholder`](base::placeholder::is_placeholder).
//! - List: an array. Its unreadable items are left out. A scalar or an object counts as a list with one item. In a list
//!   of scalars, an array counts as its items, and an object counts as its values if its names are numbers. A text in
//!   place of such a list may have several items, with `,`, `;` or `|` between them.
//! - Names and codes (`bcat`, `acat`, `bapp`, `wlang`, `wlangb`): a list of texts, each of which may hold several: see
//!   [`codes_in`]. A list with none is absent.
//! - Object: an object. Other values are ignored.
//! - `null` equals absent.
//! - Signal of privacy or safety (`coppa`, `gdpr`, `gpc`, `lmt`, `dnt`, `atts`, `secure`, `private_auction`,
//!   `consent`, `us_privacy`, `gpp`, `gpp_sid`): a value that is there and cannot be read counts as set, because
//!   somebody wanted to say something. The empty text equals absent.
//! - A restriction (`restricts` in `read/table.rs`) that is there and cannot be read, or has such an item, refuses all
//!   bids on its object: its `unreadable` has the reason. `null` and the empty text equal absent; in place of
//!   a list or an object, so do an empty list and object.
//! - The last of duplicate keys counts. If its value is ignored, the earlier value does not come back.
//! - A lone surrogate escape (`\ud800`) becomes U+FFFD.
//!
//! First-party data (`ext.prebid.bidderconfig`) is a list of objects under the same rules:
//! - An entry applies to us if its `bidders` contain our code, in upper or lower case, or `*`. Entries apply in their
//!   order.
//! - `config.ortb2.site`, `.app` and `.user`, if they are objects, are merged over the objects of the request.
//! - The merge is a JSON merge patch (RFC 7396). `publisher`, `content`, its `network` and `channel`, and `geo` merge
//!   member by member. Any other attribute is replaced as a whole, even by a value that is then ignored. `null` removes
//!   it.
//! - `site` and `app` are merged only if the request has that object: an app must not become a site.
//! - `user` is merged even if the request has none, because the merged attributes grant nothing; a verdict that
//!   forbids personal data removes them.
//! - A user's `id`, `buyeruid`, `consent`, `eids`, and of `ext` all but `data`, are never merged: a configuration must
//!   not set an id or grant consent.
//! - `ext.data`, if both are objects, keeps both texts: see [`crate::data`].

use bumpalo::Bump;
use bumpalo::collections::Vec;

use base::money::{Currency, Micros, Rounding};
use reasons::no_bid::NoBidReason;

/// Replaces the text of a privacy signal that cannot be read. It is not a valid text of any signal.
pub const UNREADABLE: &str = "?";

/// Replaces the id of a privacy section that cannot be read. No section has it.
pub const UNKNOWN_SECTION: i64 = i64::MAX;

/// Replaces the taxonomy of `bcat` and `acat` if it cannot be read. No list of categories has it.
pub const UNKNOWN_TAXONOMY: i64 = i64::MAX;

/// Stands between the provider of a segment and its taxonomy, where both are one text. A provider of a
/// request that has it in its name counts as one that tells a taxonomy.
pub const SEGTAX: char = '\u{1f}';

/// The names or codes in an item of `bcat`, `acat`, `bapp`, `wlang` or `wlangb`. Some exchanges put several into one
/// text, or spaces around them.
pub fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| u8::try_from(c).is_ok_and(is_between_codes)).filter(|code| !code.is_empty())
}

/// Whether a byte stands between two codes.
pub fn is_between_codes(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|' | b' ' | b'\t' | b'\r' | b'\n')
}

/// A string that the response echoes. The literal from the body makes the echo byte-exact without a new escaping.
#[derive(Debug, Clone, Copy, Default, Eq)]
pub struct Text<'a> {
    /// The bytes between the quotes in the body, with their escapes: valid inside a JSON string.
    pub literal: &'a str,
    /// The decoded text.
    pub value: &'a str,
}

/// Texts are equal if their decoded values are equal.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<'a> Imp<'a> {
    /// The number of impressions of one showing, in millionths: `multiplier` if it is above 0, else one.
    #[must_use]
    pub fn impressions(&self) -> Micros {
        if self.multiplier > Micros::ZERO { self.multiplier } else { Micros(1_000_000) }
    }

    /// The number of impressions of one showing, in thousandths, rounded up.
    pub fn thousandths(&self) -> u32 {
        u32::try_from((self.impressions().0 - 1) / 1000 + 1).unwrap_or(u32::MAX)
    }

    /// The video and audio offers.
    pub fn linear(&self) -> impl Iterator<Item = &'a Linear<'a>> {
        self.video.into_iter().chain(self.audio)
    }
}

/// A width and a height in density-independent pixels; 0 if absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Width.
    pub w: i64,
    /// Height.
    pub h: i64,
}

/// The settings of `poddedupe` (AdCOM list "Pod Deduplication Settings") as bits: 1 = adomain, 2 = category, 3 =
/// creative id, 4 = media file URL. A list may repeat them.
#[must_use]
pub fn dedupe(settings: &[i64]) -> u8 {
    settings.iter().filter(|setting| (1..=4).contains(*setting)).fold(0, |bits, setting| bits | 1 << setting)
}

/// A version of Native Ads. Versions with the same response format share a variant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NativeVersion {
    /// The response is wrapped in `{"native":…}`.
    V1_0,
    /// The response has `imptrackers` and `jstracker`.
    V1_1,
    /// The response has `eventtrackers` as the request asks, and may have a privacy link.
    #[default]
    V1_2,
}

impl NativeVersion {
    /// The version for a request with this `ver`. An empty `ver` means 1.0 if the request is wrapped in `{"native":…}`.
    /// Unknown and later versions become 1.2, the latest that we support.
    pub fn of(ver: &str, wrapped: bool) -> NativeVersion {
        // Compare numbers, because 1, 1e0 and 1.0 are the same version.
        match Micros::parse(ver, Rounding::Down) {
            Some(Micros(1_000_000)) => return NativeVersion::V1_0,
            Some(Micros(1_100_000)) => return NativeVersion::V1_1,
            _ => {}
        }
        match ver {
            "" if wrapped => NativeVersion::V1_0,
            _ if ver.starts_with("1.0") => NativeVersion::V1_0,
            _ if ver.starts_with("1.1") => NativeVersion::V1_1,
            _ => NativeVersion::V1_2,
        }
    }

    /// The value of `ver`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NativeVersion::V1_0 => "1.0",
            NativeVersion::V1_1 => "1.1",
            NativeVersion::V1_2 => "1.2",
        }
    }
}

impl EventTracker {
    /// The AdCOM event type of an impression.
    pub const IMPRESSION: i64 = 1;
    /// The AdCOM tracking method of an image pixel.
    pub const IMAGE: i64 = 1;
    /// The AdCOM tracking method of a script.
    pub const SCRIPT: i64 = 2;
}

/// One way to track an event (Native Ads 1.2 §4.7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventTracker {
    /// AdCOM event type: 1 = impression, 2 and 3 = viewable, 4 = viewable video.
    pub event: i64,
    /// AdCOM tracking method: 1 = image, 2 = JavaScript.
    pub method: i64,
}

/// The content of an asset: the first of `title`, `img`, `video`, `data` that is present.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AssetKind<'a> {
    /// None of the known kinds.
    #[default]
    Other,
    /// `title` (Native Ads 1.2 §4.3).
    Title {
        /// The most characters; 0 means no limit.
        len: i64,
    },
    /// `img` (Native Ads 1.2 §4.4).
    Img {
        /// `type`: 1 = icon, 3 = main image, 500 and above = exchange-specific; 0 if absent.
        kind: i64,
        /// Exact size: `w`, `h`.
        size: Size,
        /// Minimum size: `wmin`, `hmin`.
        min: Size,
    },
    /// `video` (Native Ads 1.2 §4.5). The response provides VAST.
    Video {
        /// Playable MIME types.
        mimes: &'a [&'a str],
        /// Shortest video in seconds; 0 if absent.
        minduration: i64,
        /// Longest video in seconds; 0 if absent.
        maxduration: i64,
        /// Accepted VAST versions. Empty: any.
        protocols: &'a [i64],
    },
    /// `data` (Native Ads 1.2 §4.6).
    Data {
        /// `type`, for example 1 = sponsored, 2 = desc, 12 = ctatext; 0 if absent.
        kind: i64,
        /// The most characters; 0 means no limit.
        len: i64,
    },
}

/// A geographic position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    /// Latitude in millionths of a degree, positive to the north, within ±90 degrees.
    pub lat: i64,
    /// Longitude in millionths of a degree, positive to the east, within ±180 degrees.
    pub lon: i64,
}

impl Geo<'_> {
    /// Whether it tells a place. An offset of time is none.
    #[must_use]
    pub fn has_place(&self) -> bool {
        Geo { utcoffset: None, ..*self } != Geo::default()
    }
}

impl Eid<'_> {
    /// Whether there is an id.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.uids.is_empty()
    }
}

/// Two lists behind each other; one of them if both are equal.
pub(crate) fn joined<'a, T: Copy + PartialEq>(first: &'a [T], second: &'a [T], arena: &'a Bump) -> &'a [T] {
    if first.is_empty() || first == second {
        return second;
    }
    if second.is_empty() {
        return first;
    }
    let mut both = Vec::with_capacity_in(first.len() + second.len(), arena);
    both.extend_from_slice(first);
    both.extend_from_slice(second);
    both.into_bump_slice()
}

impl<'a> SupplyChain<'a> {
    /// The chain of two places. A chain without nodes says nothing. A chain that begins as the other one is an older state
    /// of it. The nodes of different chains are all sellers.
    #[must_use]
    pub fn joined(self, other: Option<SupplyChain<'a>>, arena: &'a Bump) -> SupplyChain<'a> {
        let Some(other) = other.filter(|other| !other.nodes.is_empty()) else { return self };
        if self.nodes.is_empty() {
            return other;
        }
        let complete = self.complete && other.complete;
        let nodes = if self.nodes.starts_with(other.nodes) {
            self.nodes
        } else if other.nodes.starts_with(self.nodes) {
            other.nodes
        } else {
            joined(other.nodes, self.nodes, arena)
        };
        SupplyChain { complete, nodes }
    }
}

impl Dsa {
    /// The stricter one; `self` if both are equally strict.
    #[must_use]
    pub fn stricter(self, other: Dsa) -> Dsa {
        if other.dsarequired > self.dsarequired { other } else { self }
    }
}

/// The types of fields, under the names of their readings in the table.
#[allow(non_camel_case_types, reason = "named as in the table")]
mod readings {
    use super::{Currency, Micros, Text};

    pub(super) type literal<'a> = Text<'a>;
    pub(super) type short_literal<'a> = Text<'a>;
    pub(super) type text<'a> = &'a str;
    pub(super) type text_or_empty<'a> = &'a str;
    pub(super) type person_id<'a> = &'a str;
    pub(super) type signal_text<'a> = &'a str;
    pub(super) type texts<'a> = &'a [&'a str];
    pub(super) type codes<'a> = &'a [&'a str];
    pub(super) type domains<'a> = &'a [&'a str];
    pub(super) type integer<'a> = i64;
    pub(super) type taxonomy<'a> = i64;
    pub(super) type truncated<'a> = i64;
    pub(super) type integers<'a> = &'a [i64];
    pub(super) type sections<'a> = &'a [i64];
    pub(super) type dedupe<'a> = u8;
    pub(super) type flag<'a> = bool;
    pub(super) type int32_flag<'a> = bool;
    pub(super) type signal<'a> = bool;
    pub(super) type floor<'a> = Micros;
    pub(super) type amount<'a> = Micros;
    pub(super) type currency<'a> = Currency;
    pub(super) type currencies<'a> = &'a [Currency];
    pub(super) type object<'a, T> = Option<T>;
    pub(super) type object_ref<'a, T> = Option<&'a T>;
    pub(super) type nested<'a, T> = T;
    pub(super) type nested_always<'a, T> = T;
    pub(super) type list<'a, T> = &'a [T];
    pub(super) type joined<'a, T> = &'a [T];
    pub(super) type imps<'a, T> = &'a [T];
}

/// The type of a field with this reading.
macro_rules! field_type {
    ($life:lifetime required($reading:ident)) => {
        readings::$reading<$life>
    };
    ($life:lifetime optional($reading:ident)) => {
        Option<readings::$reading<$life>>
    };
    ($life:lifetime segment_ids($kind:ident)) => {
        readings::texts<$life>
    };
    ($life:lifetime $reading:ident $(($kind:ident))?) => {
        readings::$reading<$life $(, kinds::$kind<$life>)?>
    };
}

/// Whether a value is one that a request tells. A number or an object counts as told.
trait Told {
    fn is_told(&self) -> bool {
        true
    }
}

impl Told for i64 {}
impl Told for Content<'_> {}

impl Told for &str {
    fn is_told(&self) -> bool {
        !self.is_empty()
    }
}

impl<T> Told for &[T] {
    fn is_told(&self) -> bool {
        !self.is_empty()
    }
}

impl<T> Told for Option<T> {
    fn is_told(&self) -> bool {
        self.is_some()
    }
}

/// Gives the types that a request may have in several places the method `or`.
macro_rules! either {
    ($(#[$doc:meta])* pub struct Channel<'a> $fields:tt) => {
        either! { @of Channel $fields }
    };
    ($(#[$doc:meta])* pub struct Content<'a> $fields:tt) => {
        either! { @of Content $fields }
    };
    (@of $type:ident { $($(#[$doc:meta])* pub $field:ident: $of:ty,)* }) => {
        impl<'a> $type<'a> {
            /// The object, with the texts, lists and options of `other` where it tells none.
            #[must_use]
            pub fn or(&self, other: &$type<'a>) -> $type<'a> {
                $type { $($field: if self.$field.is_told() { self.$field } else { other.$field },)* }
            }
        }
    };
    ($($other:tt)*) => {};
}

/// Collects the fields of a type from the rows of its kind: those with a description.
macro_rules! fields {
    ($life:lifetime { $($type:tt)* } { $($fields:tt)* }) => {
        $($type)* { $($fields)* }
        either! { $($type)* { $($fields)* } }
    };
    ($life:lifetime $type:tt { $($fields:tt)* }
        $(#[$doc:meta])+ [$($number:tt)+] $name:ident: text_array -> $list:ident & $reading:ident $(if $need:ident)?,
        $($rows:tt)*) => {
        fields! { $life $type { $($fields)* $(#[$doc])+ pub $name: field_type!($life $reading), } $($rows)* }
    };
    ($life:lifetime $type:tt { $($fields:tt)* }
        $(#[$doc:meta])+ [$($number:tt)+] $name:ident: $reading:ident $(($kind:ident))? $(or $default:literal)?
        $(& $second:ident -> $other:ident)? $(restricts $reason:ident)? $(if $need:ident)? $(as $kept:ident)?,
        $($rows:tt)*) => {
        fields! {
            $life $type { $($fields)* $(#[$doc])+ pub $name: field_type!($life $reading $(($kind))?), } $($rows)*
        }
    };
    ($life:lifetime $type:tt $fields:tt
        [$($number:tt)+] $name:ident:
        $($reading:ident $(($kind:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+
        $(restricts $reason:ident)? $(if $need:ident)? $(as $kept:ident)?,
        $($rows:tt)*) => {
        fields! { $life $type $fields $($rows)* }
    };
}

/// The type of a kind. Expands to nothing for a kind without a type of its own.
macro_rules! structure {
    ($docs:tt {} $($rest:tt)*) => {};
    ($docs:tt { $type:ident } $($rest:tt)*) => {
        structure! { $docs { $type [] 'static } $($rest)* }
    };
    ($docs:tt { $type:ident<$life:lifetime> } $($rest:tt)*) => {
        structure! { $docs { $type [<$life>] $life } $($rest)* }
    };
    ({ $(#[$doc:meta])* } { $type:ident [$($parameter:tt)*] $life:lifetime }
        { $($(#[$about:meta])+ $field:ident: $of:ty,)* } { restricted } $rows:tt) => {
        structure! {
            { $(#[$doc])* } { $type [$($parameter)*] $life }
            {
                $($(#[$about])+ $field: $of,)*
                /// Why nothing may be bid here: the first reason of what restricts bids and cannot be read.
                unreadable: Option<NoBidReason>,
            }
            {} $rows
        }
    };
    ({ $(#[$doc:meta])* } { $type:ident [$($parameter:tt)*] $life:lifetime }
        { $($(#[$about:meta])+ $field:ident: $of:ty,)* } {} { $($rows:tt)* }) => {
        fields! {
            $life
            {
                $(#[$doc])*
                #[allow(clippy::struct_excessive_bools, reason = "OpenRTB defines these flags")]
                #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
                pub struct $type $($parameter)*
            }
            { $($(#[$about])+ pub $field: $of,)* }
            $($rows)*
        }
    };
}

macro_rules! structures {
    ($(
        $(#[$doc:meta])*
        $object:ident $(if $object_need:ident)?
        $(, $variant:ident $(if $variant_need:ident)? $(without($($absent:ident)+))?)*
        $(=> $type:ident $(<$life:lifetime>)?)? $(in $outer:ident<$outer_life:lifetime>)? $(, then($finish:path))?
        $(; $restricted:ident)? { $($rows:tt)* } $(+ { $($fields:tt)* })?
    )*) => {
        $(structure! {
            { $(#[$doc])* } { $($type $(<$life>)?)? } { $($($fields)*)? } { $($restricted)? } { $($rows)* }
        })*

        /// The type that each kind of the table fills; `()` for a kind without fields.
        #[allow(unused_parens, dead_code, reason = "around the type of a kind, if it has one")]
        pub mod kinds {
            $(#[doc = stringify!($object)] pub type $object<'a> = ($(super::$type $(<$life>)?)? $(super::$outer<$outer_life>)?);
            $(#[doc = stringify!($variant)] pub type $variant<'a> = $object<'a>;)*)*
        }
    };
}

crate::openrtb!(structures);
