//! The macros for [`super::table`]: each row becomes an [`Attribute`](super::rows::Attribute) and a statement that
//! fills a field.

/// Makes a type for each kind of object in the table. The type has a constant for each attribute's slot in a block, and
/// `fill`, which converts a block into the kind's shape. `fill` returns `None` if a required attribute is missing.
macro_rules! attributes {
    ($(
        $(#[$doc:meta])*
        $object:ident $(if $object_need:ident)?
        $(, $variant:ident $(if $variant_need:ident)? $(without($($absent:ident)+))?)*
        => $shape:ty $(, then($finish:path))? {
            $([$($number:tt)+] $name:ident:
                $($reading:ident $(($kind:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+
                $(if $need:ident)? $(as $kept:ident)?,)*
        }
    )*) => {
        #[derive(Clone, Copy)]
        enum KindNumber { $($object, $($variant,)*)* }

        /// Number of kinds.
        pub(super) const KINDS: usize = [$(KindNumber::$object, $(KindNumber::$variant,)*)*].len();

        /// The kinds in the order of `KindNumber`.
        pub(super) static DECLARATIONS: [Declaration; KINDS] = [$(
            Declaration {
                full_kind: KindNumber::$object as usize,
                attributes: $object::ATTRIBUTES,
                without: &[],
                is_needed: need!($($object_need)?),
            },
            $(Declaration {
                full_kind: KindNumber::$object as usize,
                attributes: $object::ATTRIBUTES,
                without: &[$($(stringify!($absent)),+)?],
                is_needed: need!($($variant_need)?),
            },)*
        )*];

        /// The kinds for [`super::spec`].
        pub(super) static SPECIFIED: [spec::Kind; KINDS] = [$(
            spec::Kind { name: stringify!($object), attributes: $object::SPECIFIED, without: &[] },
            $(spec::Kind {
                name: stringify!($variant),
                attributes: $object::SPECIFIED,
                without: &[$($(stringify!($absent)),+)?],
            },)*
        )*];

        $(
            $(#[$doc])*
            pub(super) struct $object;
            $(#[allow(dead_code, reason = "some kinds have no field of their own")]
            pub(super) type $variant = $object;)*

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

                    const ATTRIBUTES: &[Attribute] = &[$(
                        Attribute {
                            name: stringify!($name),
                            action: first_reading!($($reading $(($kind))? &)+).action,
                            wire: first_reading!($($reading $(($kind))? &)+).wire,
                            numbers: &[$(number!($number)),+],
                            kind: kind!($($reading $(($kind))? &)+),
                            weight: 0 $(+ reading(stringify!($reading), "").weight)+,
                            is_needed: need!($($need)?),
                            always: always!($($need)?),
                        },
                    )*];

                    const SPECIFIED: &[spec::Attribute] = &[$(
                        spec::Attribute {
                            name: without_raw_prefix(stringify!($name)),
                            of: first_type!($($reading $(($kind))? &)+),
                            is_list: first_reading!($($reading $(($kind))? &)+).wire.is_list(),
                            kept: kept!($($kept)?),
                        },
                    )*];

                    #[allow(unused_variables, reason = "some kinds do not use all parameters")]
                    #[allow(clippy::useless_conversion, clippy::elidable_lifetime_names, reason = "some kinds need them")]
                    #[inline(never)]
                    pub(super) fn fill<'a>(values: &Values<'_, 'a>, block: usize, into: &mut $shape) -> Option<()> {
                        let slots = values.attributes::<{ Self::SLOTS }>(block);
                        $($(fill!(
                            values, into, slots[Self::$name],
                            $reading $(($kind))? $(or $default)? $(-> $($field).+)?
                        );)+)*
                        $($finish(values, slots, into)?;)?
                        Some(())
                    }
                }
            };
        )*
    };
}

/// What the first reading of a row takes: see [`super::readings`].
macro_rules! first_reading {
    ($reading:ident $(($kind:ident))? & $($rest:tt)*) => {
        reading(stringify!($reading), stringify!($($kind)?))
    };
}

/// The type in the specification of the first reading of a row.
macro_rules! first_type {
    (required($reading:ident) & $($rest:tt)*) => {
        spec_type(stringify!($reading), "")
    };
    ($reading:ident $(($kind:ident))? & $($rest:tt)*) => {
        spec_type(stringify!($reading), stringify!($($kind)?))
    };
}

/// What a kept request has of an attribute: see [`spec::Kept`](super::spec::Kept).
macro_rules! kept {
    () => {
        spec::Kept::All
    };
    (identifier) => {
        spec::Kept::Nothing
    };
    (degrees) => {
        spec::Kept::Tenth
    };
    (page) => {
        spec::Kept::Host
    };
    (tcf) => {
        spec::Kept::Tcf
    };
    (gpp) => {
        spec::Kept::Gpp
    };
    (us_privacy) => {
        spec::Kept::UsPrivacy
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
macro_rules! kind {
    (required($kind:ident) $($rest:tt)*) => {
        0
    };
    ($reading:ident($kind:ident) $($rest:tt)*) => {
        KindNumber::$kind as u8
    };
    ($($rest:tt)*) => {
        0
    };
}

/// A function that tells whether a catalog needs the attribute or kind.
macro_rules! need {
    () => {
        |_| true
    };
    (always) => {
        |_| true
    };
    ($need:ident) => {
        |needs: &Needs| needs.$need
    };
}

/// Whether the attribute is read even if its kind is not needed.
macro_rules! always {
    (always) => {
        true
    };
    ($($need:ident)?) => {
        false
    };
}

/// Expands to the statement that copies an attribute's value from its slot into a field of the shape. A row without a
/// field expands to nothing: the object's `then` function reads it.
macro_rules! fill {
    ($values:ident, $into:ident, $slot:expr, object($kind:ident) -> $($field:ident).+) => {
        if let Some(block) = $slot.block()
            && $kind::fill($values, block, $into.$($field).+.insert(Default::default())).is_none()
        {
            $into.$($field).+ = None;
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
