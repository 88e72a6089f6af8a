//! The macros for [`super::table`]: each row becomes an [`Attribute`](super::rows::Attribute) and a statement that
//! fills a field.

/// Makes the static [`KINDS`](super::table::KINDS), and a type for each kind of object: see [`kind_of_object`].
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

            kind_of_object! { $object { $($finish)? } { $($restricted)? } { $($rows)* } }
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

/// Gives the type of a kind a constant for each attribute's slot in a block, and `fill`, which converts a block into
/// the kind's type in [`crate::request`]. `fill` returns `None` if a required attribute is missing.
macro_rules! kind_of_object {
    ($object:ident { $($finish:path)? } { $($restricted:ident)? } {
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

                const ATTRIBUTES: &[Attribute] = &[$(
                    Attribute {
                        spec: spec::Attribute {
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
    };
}

/// What the first reading of a row takes: see [`super::readings`].
macro_rules! first_reading {
    ($reading:ident $(($inner:ident))? & $($rest:tt)*) => {
        reading(stringify!($reading), stringify!($($inner)?))
    };
}

/// What a kept request has of an attribute: see [`spec::Kept`](super::spec::Kept).
macro_rules! kept {
    () => {
        spec::Kept::All
    };
    ($kept:ident) => {
        spec::Kept::$kept
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

/// Notes the first reason of the object's restrictions that cannot be read. Nearly no request has odd values.
macro_rules! restricted {
    ($values:ident, $slots:ident, $into:ident, $kind:expr) => {
        if $values.slots.is_odd() {
            $values.restrict($kind, $slots, &mut $into.unreadable);
        }
    };
}

/// The field number of a row in one kind: see [`Number`](super::rows::Number).
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
