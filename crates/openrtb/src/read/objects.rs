//! The kinds of objects, made from [`super::table`]: the static [`KINDS`], and a type for each kind with the numbers of
//! its attributes. [`super::fill`] gives these types the function that fills an object.
#![allow(clippy::inline_always, reason = "part of the loop over each object")]

use super::readings::reading;
use super::rows::{
    Attribute, Kind, Number, index_start, is_always, multiplier, padded, shift, weight, without_raw_prefix,
};
use super::types::{self, Kept};
use reasons::no_bid::NoBidReason;

/// Makes the static [`KINDS`], and a type for each kind of object: see `kind_of_object`.
macro_rules! attributes {
    ($(
        $(#[$doc:meta])*
        $object:ident $(if $object_need:ident)?
        $(, $variant:ident $(if $variant_need:ident)? $(without($($absent:ident)+))?)*
        $(=> $type:ident $(<$life:lifetime>)?)? $(in $outer:ident<$outer_life:lifetime>)? $(, then($finish:path))?
        $(; $restricted:ident)? { $($rows:tt)* } $(+ $also:tt)?
    )*) => {
        #[derive(Clone, Copy)]
        enum KindNumber { $($object, $($variant,)*)* }

        /// How many rows each kind has.
        const SIZES: &[usize] = &[$($object::ATTRIBUTES.len(), $($variant::ATTRIBUTES.len(),)*)*];

        /// Bytes of the indexes of all kinds.
        pub(super) const INDEX_BYTES: usize = index_start(SIZES, SIZES.len());

        /// The names of the kinds by number, for [`super::spec`].
        pub(super) static NAMES: [&str; SIZES.len()] = [$(stringify!($object), $(stringify!($variant),)*)*];

        /// The kinds by number.
        pub(super) static KINDS: [Kind; SIZES.len()] = [$(
            kind!($object, $object, 0, need!($($object_need)?), &[]),
            $(kind!(
                $variant,
                $object,
                KindNumber::$variant as usize - KindNumber::$object as usize,
                need!($($variant_need)?),
                &[$($(stringify!($absent)),+)?]
            ),)*
        )*];

        $(
            $(#[$doc])*
            pub(super) struct $object;
            $(#[allow(dead_code, reason = "some kinds have no field of their own")]
            pub(super) type $variant = $object;)*

            kind_of_object! { $object { $($restricted)? } { $($rows)* } }
        )*
    };
}

/// A kind with the rows of `$object`.
macro_rules! kind {
    ($kind:ident, $object:ident, $variant:expr, $need:expr, $without:expr) => {
        Kind {
            attributes: $object::ATTRIBUTES,
            without: $without,
            variant: $variant,
            need: $need,
            multiplier: $object::MULTIPLIER,
            shift: shift($object::ATTRIBUTES.len()),
            index_start: index_start(SIZES, KindNumber::$kind as usize),
            weight: weight($object::ATTRIBUTES),
            is_restricted: $object::IS_RESTRICTED,
        }
    };
}

/// Gives the type of a kind a constant for each attribute's slot in a block, and its rows.
macro_rules! kind_of_object {
    ($object:ident { $($restricted:ident)? } {
        $($(#[$doc:meta])* [$($number:tt)+] $name:ident:
            $($reading:ident $(($kind:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+
            $(restricts $reason:ident)? $(if $need:ident)? $(as $kept:ident)?,)*
    }) => {
        const _: () = {
            #[allow(non_camel_case_types, dead_code, reason = "the names of the specification; some only count")]
            enum SlotNumber { NextObject, $($name,)* End }
            #[allow(non_upper_case_globals, dead_code, reason = "the names of the specification; some are unused")]
            impl $object {
                $(pub(super) const $name: usize = SlotNumber::$name as usize;)*
                /// Slots of a block. The first slot links to the next object of the list.
                pub(super) const SLOTS: usize = SlotNumber::End as usize;
                /// The number of this kind.
                pub(super) const KIND: u8 = KindNumber::$object as u8;

                const MULTIPLIER: u64 = multiplier(Self::ATTRIBUTES);
                const IS_RESTRICTED: bool = !stringify!($($restricted)?).is_empty();

                pub(super) const ATTRIBUTES: &[Attribute] = &[$(
                    Attribute {
                        spec: types::Attribute {
                            name: without_raw_prefix(stringify!($name)),
                            of: first_reading!($($reading $(($kind))? &)+).of,
                            is_list: first_reading!($($reading $(($kind))? &)+).protobuf.is_list(),
                            kept: kept!($($kept)?),
                            restricts: restricts!($($reason)?),
                        },
                        key: padded(without_raw_prefix(stringify!($name))),
                        action: first_reading!($($reading $(($kind))? &)+).action,
                        protobuf: first_reading!($($reading $(($kind))? &)+).protobuf,
                        weight: first_reading!($($reading $(($kind))? &)+).weight,
                        numbers: &[$(number!($number)),+],
                        kind: number_of_kind!($($reading $(($kind))? &)+),
                        slot: SlotNumber::$name as u8,
                        need: need!($($need)?),
                        always: is_always(stringify!($($need)?)),
                    },
                )*];
            }
        };
    };
}

/// What the first reading of a row takes: see [`super::readings`].
macro_rules! first_reading {
    ($reading:ident $(($inner:ident))? & $($rest:tt)*) => {
        reading(stringify!($reading), stringify!($($inner)?))
    };
}

/// What a kept request has of an attribute: see [`Kept`].
macro_rules! kept {
    () => {
        Kept::All
    };
    ($kept:ident) => {
        Kept::$kept
    };
}

/// The reason of a row that restricts bids.
macro_rules! restricts {
    () => {
        None
    };
    ($reason:ident) => {
        Some(NoBidReason::$reason)
    };
}

/// The field number of a row in one kind: see [`Number`].
macro_rules! number {
    (_) => {
        Number { field: 0, as_text: 0 }
    };
    (($as_text:literal or $field:literal)) => {
        Number { field: $field, as_text: $as_text }
    };
    ($field:literal) => {
        Number { field: $field, as_text: 0 }
    };
}

/// The number of the kind of a row's objects; 0 if the row has no objects.
macro_rules! number_of_kind {
    (required($reading:ident) $($rest:tt)*) => {
        0
    };
    (optional($reading:ident) $($rest:tt)*) => {
        0
    };
    ($reading:ident($kind:ident) $($rest:tt)*) => {
        KindNumber::$kind as u8
    };
    ($($rest:tt)*) => {
        0
    };
}

/// The part of a request that a row or kind belongs to; `None` if it is always read.
macro_rules! need {
    () => {
        None
    };
    (always) => {
        None
    };
    ($need:ident) => {
        Some(|needs| &mut needs.$need)
    };
}

crate::openrtb!(attributes);

impl Kind {
    /// The kind with this number.
    #[inline(always)]
    pub(super) fn of(number: u8) -> Option<&'static Kind> {
        KINDS.get(usize::from(number))
    }
}
