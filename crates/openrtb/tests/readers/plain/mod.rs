//! The plain reader: `serde_json` takes the body apart, then each row of OpenRTB's table looks up its attribute by name.
//!
//! It is slow and simple. Of the crate's reader it knows only the table's names and readings; how a value of each
//! reading is found and converted is its own. It never borrows from the body, and it escapes literals again.
//!
//! It follows the rules in the header of [`openrtb::request`], and these rules:
//! - Refusals are checked in this order: too large, not JSON, not an object, `id`, `imp`.
//! - A list of objects leaves out items that are not objects. If `imp` has no object, or is a single object without an
//!   `id`, the result is [`BadRequest::MissingImp`]. Then entries without an `id` are left out, so `imp` may be empty.
//!   The first [`MAX_IMPS`] entries with an `id` are kept; `more_imps` tells whether another object follows.
//! - Only the fast reader limits the whole request ([`base::limits::MAX_VALUES`],
//!   [`base::limits::MAX_TEXT_BYTES`]).
//! - An `id`, `source` or `type` is missing if it is absent, `null`, or neither text nor a number. `""` is not missing.
//!   An entry without other attributes is kept.
//! - Only U+0020 may surround the text of an integer. No spaces may surround the text of an amount. The text of a
//!   number may have leading zeros, but no plus sign.
//! - `value` of a metric, `multiplier`, `dt`, `lat` and `lon` are read like amounts. A negative metric stays and is rounded away from
//!   zero. `dt` is its integer part, and 0 beyond ±2^53. `lat` and `lon` are cut to millionths before their range is
//!   checked.
//! - A flag is true for 1 and false for any other integer. A flag that may be unknown (`skip`, `boxingallowed`,
//!   `livestream`) is unknown only without an integer.
//! - If an attribute is allowed both at its position in 2.6 and in `ext`, the first one that is not empty counts: a
//!   text
//!   other than `""`, a list with an item; of `sua` attribute by attribute. The ids of both `eids` count, and the nodes
//!   of both `schain`, unless they are equal; a chain may also begin as the other one. Two chains with nodes are complete
//!   if both say so.
//! - Of `gdpr`, `gpc` and `dsa`, the stricter position counts.
//! - A floor that is given but is not a number, such as `""`, is [`Micros::UNREADABLE`]; `null` is 0.
//! - A currency of `""` counts as absent, also in `cur`. Another text that is not a code is [`Currency::UNKNOWN`]. A
//!   value that is not a text is [`Currency::UNKNOWN`] too, except in `cur`.
//! - The default of `at` is 2, that of `cattax` is 1, also if the value is unreadable or `content` is absent. The
//!   request's own `cattax` is [`openrtb::request::UNKNOWN_TAXONOMY`] if it is unreadable. A
//!   negative floor or `mincpmpersec` is 0. Other integers keep their sign.
//! - `keywords` is a text. If it is an array and `kwarray` has no readable item, its items count as those of `kwarray`.
//! - Objects have only the attributes of the specification: `site` and `dooh` have no `bundle`; `app` and `dooh` have
//!   no `page`; `dooh` has no categories and no `kwarray`; `audio` has no `w`, `h`, `linearity`, `plcmt`, `pos`,
//!   `boxingallowed`, `playbackmethod`, `skip`, `skipmin` and `poddedupe`.
//! - `native.request` is a string with JSON, or an object. If it is missing, not JSON, nested too deep or not an
//!   object, the impression offers no native. If it has an object `native`, it is wrapped, and what the object has
//!   replaces the other members.
//! - The version of native is `native.ver`, else `ver` inside, if not `""`: 1.0 for the number 1 and for texts that
//!   start with `1.0`, 1.1 for texts that start with `1.1`, else 1.2. A wrapped request without a version has 1.0.
//! - An event tracker counts once for each of its methods. The same tracker may occur several times.

mod first_party;
mod json;
mod object;
mod then;

use base::limits::{MAX_IMPS, MAX_REQUEST_BYTES};
use bumpalo::Bump;
use openrtb::read::BadRequest;
use openrtb::request::{Request, kinds};
use reasons::no_bid::NoBidReason;

use object::Object;
use then::{in_taxonomy, native, one_chain, point, removed_protocol, two_positions};

/// Reads a bid request into `arena`. Merges the first-party data that are addressed to `prebid_code` or to all bidders.
pub(super) fn read<'a>(body: &[u8], prebid_code: &str, arena: &'a Bump) -> Result<Request<'a>, BadRequest> {
    if body.len() > MAX_REQUEST_BYTES {
        return Err(BadRequest::TooLarge);
    }
    // The offset is not compared.
    let text = json::checked(body).ok_or(BadRequest::NotJson { at: 0 })?;
    let mut object = Object::of(&text, arena).ok_or(BadRequest::NotAnObject)?;
    first_party::merge(&mut object, prebid_code);
    let mut request = Request::default();
    BidRequest(&object, &mut request).ok_or(BadRequest::MissingId)?;
    let ids: Vec<bool> = object.objects("imp").iter().map(|imp| imp.literal("id").is_some()).collect();
    let is_bare = object.is_object("imp").is_some();
    if ids.is_empty() || (!ids.contains(&true) && is_bare) {
        return Err(BadRequest::MissingImp);
    }
    let last = ids.iter().enumerate().filter(|(_, has_id)| **has_id).nth(MAX_IMPS - 1);
    request.more_imps = last.is_some_and(|(position, _)| position + 1 < ids.len());
    Ok(request)
}

/// A function for each kind of object, which fills the kind's type in [`openrtb::request`]. It returns `None` if a
/// required attribute is missing.
macro_rules! plain {
    ($(
        $(#[$doc:meta])*
        $object:ident $(if $object_need:ident)?
        $(, $variant:ident $(if $variant_need:ident)? $(without($($absent:ident)+))?)*
        $(=> $type:ident $(<$life:lifetime>)?)? $(in $outer:ident<$outer_life:lifetime>)? $(, then($finish:path))?
        $(; $restricted:ident)? {
            $($(#[$about:meta])* [$($number:tt)+] $name:ident:
                $($reading:ident $(($kind:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+
                $(restricts $reason:ident)? $(if $need:ident)? $(as $kept:ident)?,)*
        }
        $(+ $fields:tt)?
    )*) => {
        /// For each kind, the first reason of its restrictions that cannot be read.
        #[allow(non_snake_case, dead_code, unused_variables, reason = "named as in the table; some are not used")]
        mod unreadable {
            use super::{NoBidReason, Object};

            $(pub(super) fn $object(from: &Object<'_>) -> Option<NoBidReason> {
                let all: &[Option<NoBidReason>] =
                    &[$(unless_readable!(from, $name, ($($reason)?) $($reading $(($kind))?)&+),)*];
                all.iter().copied().flatten().min()
            })*

            /// The same for the row of the object, unless the object notes the reason itself.
            pub(super) mod inside {
                use super::{NoBidReason, Object};

                $(pub(in super::super) fn $object(from: &Object<'_>) -> Option<NoBidReason> {
                    let is_restricted = !stringify!($($restricted)?).is_empty();
                    if is_restricted { None } else { super::$object(from) }
                })*
            }
        }
    $(
        #[allow(non_snake_case, dead_code, unused_variables, reason = "named as in the table; some are not used")]
        fn $object<'a>(from: &Object<'a>, into: &mut kinds::$object<'a>) -> Option<()> {
            $(fill_row!(
                from, into, $(#[$about])* $name: $($reading $(($kind))? $(or $default)? $(-> $($field).+)?)&+
            );)*
            $($finish(from, into)?;)?
            $($restricted!(from, into, unreadable::$object);)?
            Some(())
        }
        $(#[allow(non_snake_case, dead_code, reason = "named as in the table; some are not used")]
        fn $variant<'a>(from: &Object<'a>, into: &mut kinds::$object<'a>) -> Option<()> {
            $object(&from.without(&[$($(stringify!($absent)),+)?]), into)
        })*
    )*
    };
}

macro_rules! restricted {
    ($from:ident, $into:ident, $unreadable:path) => {
        $into.unreadable = $into.unreadable.into_iter().chain($unreadable($from)).min();
    };
}

/// The reason of a row, unless it can be read.
macro_rules! unless_readable {
    ($from:ident, $name:ident, () $($reading:tt)+) => {
        None
    };
    ($from:ident, $name:ident, ($reason:ident) $($reading:tt)+) => {
        (!is_readable!($from, stringify!($name), $($reading)+)).then_some(NoBidReason::$reason)
    };
}

/// Whether a restriction says nothing or can be read as a whole.
macro_rules! is_readable {
    ($from:ident, $name:expr, optional($reading:ident)) => {
        is_readable!($from, $name, $reading)
    };
    ($from:ident, $name:expr, $reading:ident($kind:ident)) => {
        $from.has_readable_objects($name, stringify!($reading) == "list", inside::$kind)
    };
    ($from:ident, $name:expr, texts) => {
        $from.has_readable_items($name, |item| item.text().is_some())
    };
    ($from:ident, $name:expr, codes) => {
        is_readable!($from, $name, texts)
    };
    ($from:ident, $name:expr, currencies) => {
        is_readable!($from, $name, texts)
    };
    ($from:ident, $name:expr, domains) => {
        is_readable!($from, $name, texts)
    };
    ($from:ident, $name:expr, integers) => {
        $from.has_readable_items($name, |item| item.integer().is_some())
    };
    ($from:ident, $name:expr, dedupe) => {
        is_readable!($from, $name, integers)
    };
    ($from:ident, $name:expr, $integer:ident) => {
        $from.has_readable($name, |value| value.integer().is_some())
    };
}

/// A row with a description fills the field with its name.
macro_rules! fill_row {
    ($from:ident, $into:ident, $(#[$about:meta])+ $name:ident: text_array -> $list:ident & $reading:ident) => {
        fill!($from, $into, $name, text_array -> $list);
        fill!($from, $into, $name, $reading -> $name);
    };
    ($from:ident, $into:ident, $(#[$about:meta])+ $name:ident:
        $reading:ident $(($kind:ident))? $(or $default:literal)? $(& $second:ident -> $other:ident)?) => {
        fill!($from, $into, $name, $reading $(($kind))? $(or $default)? -> $name);
        $(fill!($from, $into, $name, $second -> $other);)?
    };
    ($from:ident, $into:ident, $name:ident:
        $($reading:ident $(($kind:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+) => {
        $(fill!($from, $into, $name, $reading $(($kind))? $(or $default)? $(-> $($field).+)?);)+
    };
}

/// A value that can be read replaces an earlier one.
macro_rules! fill {
    ($from:ident, $into:ident, $name:ident, flatten($kind:ident)) => {
        $kind(&$from.inner(stringify!($name)), $into);
    };
    ($from:ident, $into:ident, $name:ident, required($reading:ident) -> $($field:ident).+) => {
        $into.$($field).+ = $from.$reading(stringify!($name))?;
    };
    ($from:ident, $into:ident, $name:ident, optional($reading:ident) -> $($field:ident).+) => {
        fill!($from, $into, $name, $reading -> $($field).+);
    };
    ($from:ident, $into:ident, $name:ident, $reading:ident or $default:literal -> $($field:ident).+) => {
        $into.$($field).+ = $from.$reading(stringify!($name)).unwrap_or($default);
    };
    ($from:ident, $into:ident, $name:ident, object($kind:ident) -> $($field:ident).+) => {
        if $from.is_object(stringify!($name)).is_some() {
            let mut value = $into.$($field).+.unwrap_or_default();
            $into.$($field).+ = $kind(&$from.inner(stringify!($name)), &mut value).map(|()| value);
        }
    };
    ($from:ident, $into:ident, $name:ident, nested($kind:ident) -> $($field:ident).+) => {
        let _ = $kind(&$from.inner(stringify!($name)), &mut $into.$($field).+);
    };
    ($from:ident, $into:ident, $name:ident, joined($kind:ident) -> $($field:ident).+) => {
        let own = $from.list(stringify!($name), $kind).unwrap_or_default();
        if own != $into.$($field).+ {
            $into.$($field).+ = $from.arena.alloc_slice_copy(&[own, $into.$($field).+].concat());
        }
    };
    ($from:ident, $into:ident, $name:ident, chain($kind:ident) -> $($field:ident).+) => {
        let own = $from.object(stringify!($name), $kind);
        $into.$($field).+ = one_chain(own, $into.$($field).+, $from.arena);
    };
    ($from:ident, $into:ident, $name:ident, segment_ids($kind:ident) -> $($field:ident).+) => {
        fill!($from, $into, $name, segment_ids -> $($field).+);
    };
    ($from:ident, $into:ident, $name:ident, event_trackers($kind:ident) -> $($field:ident).+) => {
        fill!($from, $into, $name, event_trackers -> $($field).+);
    };
    ($from:ident, $into:ident, $name:ident, $reading:ident $(($kind:ident))? -> $($field:ident).+) => {
        if let Some(value) = $from.$reading(stringify!($name) $(, $kind)?) {
            $into.$($field).+ = value.into();
        }
    };
    ($($unfilled:tt)*) => {};
}

openrtb::openrtb!(plain);
