//! Fills the types in [`crate::request`] from the slots of their objects: a statement for each row of [`super::table`], and
//! the functions that a row names after `then`.

use bumpalo::collections::{String as BumpString, Vec};

use super::native;
#[allow(clippy::wildcard_imports, reason = "the macros name all kinds")]
use super::objects::{self, *};
use super::refusal;
use super::rows::restricts_by_objects;
use super::slot::Slot;
use super::values::Values;
use crate::request::{self, Point, kinds};
use base::money::{Micros, Rounding};

/// Fills each kind of object: see `fill_object`.
macro_rules! fills {
    ($(
        $(#[$doc:meta])*
        $object:ident $(if $object_need:ident)?
        $(, $variant:ident $(if $variant_need:ident)? $(without($($absent:ident)+))?)*
        $(=> $type:ident $(<$life:lifetime>)?)? $(in $outer:ident<$outer_life:lifetime>)? $(, then($finish:path))?
        $(; $restricted:ident)? { $($rows:tt)* } $(+ $also:tt)?
    )*) => {
        $(fill_object! { $object { $($finish)? } { $($restricted)? } { $($rows)* } })*
    };
}

/// Gives the type of a kind `fill`, which converts a block into the kind's type in [`crate::request`]. `fill` returns
/// `None` if a required attribute is missing.
macro_rules! fill_object {
    ($object:ident { $($finish:path)? } { $($restricted:ident)? } {
        $($(#[$doc:meta])* [$($number:tt)+] $name:ident:
            $($reading:ident $(($kind:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+
            $(restricts $reason:ident)? $(if $need:ident)? $(as $kept:ident)?,)*
    }) => {
        #[allow(dead_code, reason = "other functions read some kinds")]
        impl objects::$object {
            #[inline(never)]
            pub(super) fn fill<'a>(
                values: &Values<'_, 'a>,
                block: usize,
                into: &mut kinds::$object<'a>,
            ) -> Option<()> {
                Self::fill_rows::<{ refusal::ALL }>(values, block, into)
            }

            /// Like `fill`, for the rows that [`refusal::takes`].
            #[allow(unused_variables, reason = "some kinds do not use all parameters")]
            #[allow(clippy::useless_conversion, clippy::elidable_lifetime_names, reason = "some kinds need them")]
            #[inline(always)]
            pub(super) fn fill_rows<'a, const ROWS: u8>(
                values: &Values<'_, 'a>,
                block: usize,
                into: &mut kinds::$object<'a>,
            ) -> Option<()> {
                let slots = values.attributes::<{ Self::SLOTS }>(block);
                $(if const { refusal::takes(ROWS, stringify!($name)) } {
                    fill_row!(
                        values, into, slots[Self::$name],
                        $(#[$doc])* $name: $($reading $(($kind))? $(or $default)? $(-> $($field).+)?)&+
                    );
                    if const { restricts_by_objects(Self::ATTRIBUTES, Self::$name) } {
                        values.note_scalar(slots[Self::$name]);
                    }
                })*
                $($finish(values, slots, into)?;)?
                $($restricted!(values, slots, into, Self::KIND);)?
                Some(())
            }
        }
    };
}

/// Notes the first reason of the object's restrictions that cannot be read. Nearly no request has odd values.
macro_rules! restricted {
    ($values:ident, $slots:ident, $into:ident, $kind:expr) => {
        if $values.slots.is_odd() {
            $values.restrict($kind, $slots, &mut $into.unreadable);
        }
    };
}

/// Fills the fields of one row. A row with a description fills the field with its name.
macro_rules! fill_row {
    ($values:ident, $into:ident, $slot:expr, $(#[$doc:meta])+ $name:ident: text_array -> $list:ident & $reading:ident) => {
        fill!($values, $into, $slot, text_array -> $list);
        fill!($values, $into, $slot, $reading -> $name);
    };
    ($values:ident, $into:ident, $slot:expr, $(#[$doc:meta])+
        $name:ident: $reading:ident $(($kind:ident))? $(or $default:literal)? $(& $second:ident -> $other:ident)?) => {
        fill!($values, $into, $slot, $reading $(($kind))? $(or $default)? -> $name);
        $(fill!($values, $into, $slot, $second -> $other);)?
    };
    ($values:ident, $into:ident, $slot:expr,
        $name:ident: $($reading:ident $(($kind:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+) => {
        $(fill!($values, $into, $slot, $reading $(($kind))? $(or $default)? $(-> $($field).+)?);)+
    };
}

/// Expands to the statement that copies an attribute's value from its slot into a field. A reading without a field
/// expands to nothing: the object's `then` function reads it.
macro_rules! fill {
    ($values:ident, $into:ident, $slot:expr, object($kind:ident) -> $($field:ident).+) => {
        if let Some(block) = $slot.block()
            && $kind::fill($values, block, $into.$($field).+.get_or_insert_default()).is_none()
        {
            $into.$($field).+ = None;
        }
    };
    ($values:ident, $into:ident, $slot:expr, chain($kind:ident) -> $($field:ident).+) => {
        let other = $into.$($field).+.take();
        fill!($values, $into, $slot, object($kind) -> $($field).+);
        if let Some(other) = other {
            $into.$($field).+ = Some(other.joined($into.$($field).+, $values.arena));
        }
    };
    ($values:ident, $into:ident, $slot:expr, joined($kind:ident) -> $($field:ident).+) => {
        if let Some(value) = $values.list($slot, $kind::fill) {
            $into.$($field).+ = crate::request::joined(value, $into.$($field).+, $values.arena);
        }
    };
    ($values:ident, $into:ident, $slot:expr, object_ref($kind:ident) -> $($field:ident).+) => {
        if let Some(block) = $slot.block() {
            $into.$($field).+ = $values.object_ref(block, $kind::fill);
        }
    };
    ($values:ident, $into:ident, $slot:expr, nested_always($kind:ident) -> $($field:ident).+) => {
        $kind::fill($values, $slot.block().unwrap_or_default(), &mut $into.$($field).+);
    };
    ($values:ident, $into:ident, $slot:expr, nested($kind:ident) -> $($field:ident).+) => {
        if let Some(block) = $slot.block() {
            $kind::fill($values, block, &mut $into.$($field).+);
        }
    };
    ($values:ident, $into:ident, $slot:expr, flatten($kind:ident)) => {
        if let Some(block) = $slot.block() {
            $kind::fill($values, block, $into);
        }
    };
    ($values:ident, $into:ident, $slot:expr, list($kind:ident) -> $($field:ident).+) => {
        if let Some(value) = $values.list($slot, $kind::fill) {
            $into.$($field).+ = value;
        }
    };
    ($values:ident, $into:ident, $slot:expr, required($reading:ident) -> $($field:ident).+) => {
        $into.$($field).+ = $values.$reading($slot)?;
    };
    ($values:ident, $into:ident, $slot:expr, optional($reading:ident) -> $($field:ident).+) => {
        fill!($values, $into, $slot, $reading -> $($field).+)
    };
    ($values:ident, $into:ident, $slot:expr, $reading:ident or $default:literal -> $($field:ident).+) => {
        $into.$($field).+ = $values.$reading($slot).unwrap_or($default);
    };
    ($values:ident, $into:ident, $slot:expr, $reading:ident $(($kind:ident))? -> $($field:ident).+) => {
        if !$slot.is_absent()
            && let Some(value) = $values.$reading($slot)
        {
            $into.$($field).+ = value.into();
        }
    };
    ($($unfilled:tt)*) => {};
}

crate::openrtb!(fills);

/// Reads the signals that `regs` and `regs.ext` may both have: the stricter one counts.
#[allow(clippy::unnecessary_wraps, reason = "all functions in `then` have this signature")]
pub(super) fn two_positions(
    values: &Values<'_, '_>,
    slots: &[Slot; Regs::SLOTS],
    into: &mut request::Regs<'_>,
) -> Option<()> {
    let none = &[Slot::default(); RegsExt::SLOTS];
    let ext = slots[Regs::ext].block().map_or(none, |block| values.attributes::<{ RegsExt::SLOTS }>(block));
    let set = |slots: [Slot; 2]| slots.into_iter().filter_map(|slot| values.signal(slot)).max();
    into.gpc = set([slots[Regs::gpc], ext[RegsExt::gpc]]).unwrap_or_default();
    into.gdpr = set([slots[Regs::gdpr], ext[RegsExt::gdpr]]);
    let dsas = [slots[Regs::dsa], ext[RegsExt::dsa]].into_iter().filter_map(Slot::block).map(|block| {
        let mut dsa = request::Dsa::default();
        Dsa::fill(values, block, &mut dsa);
        dsa
    });
    into.dsa = dsas.reduce(request::Dsa::stricter).unwrap_or_default();
    if values.slots.is_odd() {
        values.restrict(RegsExt::KIND, ext, &mut into.unreadable);
    }
    Some(())
}

/// Uses `protocol` of a video, which `OpenRTB` 2.6 removed, if `protocols` is empty.
#[allow(clippy::unnecessary_wraps, reason = "all functions in `then` have this signature")]
pub(super) fn removed_protocol<'a>(
    values: &Values<'_, 'a>,
    slots: &[Slot; Video::SLOTS],
    into: &mut request::Linear<'a>,
) -> Option<()> {
    if let (Some(protocol), []) = (values.integer(slots[Video::protocol]), into.protocols) {
        into.protocols = values.arena.alloc([protocol]);
    }
    Some(())
}

/// Names the provider and the taxonomy in one text, once for all segments of an entry of `data`.
#[allow(clippy::unnecessary_wraps, reason = "all functions in `then` have this signature")]
pub(super) fn in_taxonomy<'a>(
    values: &Values<'_, 'a>,
    _: &[Slot; Data::SLOTS],
    into: &mut request::Data<'a>,
) -> Option<()> {
    if into.segtax != 0 && !into.segment.is_empty() {
        let name = if into.name == into.id { "" } else { into.name };
        let named = [into.id, name].into_iter().filter(|provider| !provider.is_empty()).chain([""]);
        let mut digits = itoa::Buffer::new();
        let segtax = digits.format(into.segtax);
        let mut all = Vec::with_capacity_in(3, values.arena);
        all.extend(named.map(|provider| {
            let mut text = BumpString::from_str_in(provider, values.arena);
            text.push(request::SEGTAX);
            text.push_str(segtax);
            text.into_bump_str()
        }));
        into.in_taxonomy = all.into_bump_slice();
    }
    Some(())
}

/// Millionths of a degree. Further digits are dropped. `None` beyond ±`max` degrees.
fn degrees(values: &Values<'_, '_>, slot: Slot, max: i64) -> Option<i64> {
    let Micros(millionths) = values.millionths(slot, Rounding::Down)?;
    (millionths.abs() <= max * 1_000_000).then_some(millionths)
}

/// The point of a `Geo`, if both `lat` and `lon` are readable.
#[allow(clippy::unnecessary_wraps, reason = "all functions in `then` have this signature")]
pub(super) fn point(values: &Values<'_, '_>, slots: &[Slot; Geo::SLOTS], into: &mut request::Geo<'_>) -> Option<()> {
    let (lat, lon) = (degrees(values, slots[Geo::lat], 90), degrees(values, slots[Geo::lon], 180));
    into.point = lat.zip(lon).map(|(lat, lon)| Point { lat, lon });
    Some(())
}
