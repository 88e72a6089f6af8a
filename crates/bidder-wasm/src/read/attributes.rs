//! What a row of [`super::table`] becomes: a name that is looked for, and a statement that fills in a field.

/// Takes the table. Of each kind of object it makes a type with a constant for each attribute's place in a block of slots, and
/// `fill`, which reads a block into the kind's shape: `None` when something required is missing.
macro_rules! attributes {
    ($(
        $(#[$doc:meta])*
        $object:ident $(if $own:ident)?
        $(, $fewer:ident $(if $fewer_own:ident)? $(without($($hidden:ident)+))?)*
        => $shape:ty $(, then($finish:path))? {
            $($name:ident:
                $($reading:ident $(($of:ident))? $(or $default:literal)? $(-> $($field:ident).+)?)&+
                $(if $need:ident)?,)*
        }
    )*) => {
        /// The kinds, numbered.
        #[derive(Clone, Copy)]
        enum Number { $($object, $($fewer,)*)* }

        /// How many kinds there are.
        pub(super) const KINDS: usize = [$(Number::$object, $(Number::$fewer,)*)*].len();

        /// The kinds by number.
        pub(super) static DECLARED: [Declared; KINDS] = [$(
            Declared {
                whole: Number::$object as usize,
                attributes: $object::ATTRIBUTES,
                without: &[],
                is_needed: need!($($own)?),
            },
            $(Declared {
                whole: Number::$object as usize,
                attributes: $object::ATTRIBUTES,
                without: &[$($(stringify!($hidden)),+)?],
                is_needed: need!($($fewer_own)?),
            },)*
        )*];

        $(
            $(#[$doc])*
            pub(super) struct $object;
            $(#[allow(dead_code, reason = "not each kind has a field of its own")]
            pub(super) type $fewer = $object;)*

            const _: () = {
                #[allow(non_camel_case_types, dead_code, reason = "spelt as the specification spells them, and numbered")]
                enum Place { Next, $($name,)* End }
                #[allow(non_upper_case_globals, dead_code, reason = "spelt as the specification spells them; filled in here")]
                impl $object {
                    $(pub(super) const $name: usize = Place::$name as usize;)*
                    /// Of a block: the first one leads to the next object of the list.
                    pub(super) const SLOTS: usize = Place::End as usize;
                    /// What the pass calls this kind.
                    pub(super) const KIND: u8 = Number::$object as u8;

                    const ATTRIBUTES: &[Attribute] = &[$(
                        Attribute {
                            name: stringify!($name),
                            action: action!($($reading $(($of))? &)+),
                            kind: kind!($($reading $(($of))? &)+),
                            weight: 0 $(+ weight!($reading))+,
                            is_needed: need!($($need)?),
                            always: always!($($need)?),
                        },
                    )*];

                    #[allow(unused_variables, clippy::useless_conversion, clippy::elidable_lifetime_names, reason = "not all shapes have a use for everything")]
                    #[inline(never)]
                    pub(super) fn fill<'a>(values: &Values<'_, 'a>, block: usize, into: &mut $shape) -> Option<()> {
                        let slots = values.attributes::<{ Self::SLOTS }>(block);
                        $($(fill!(values, into, slots[Self::$name], $reading $(($of))? $(or $default)? $(-> $($field).+)?);)+)*
                        $($finish(values, slots, into)?;)?
                        Some(())
                    }
                }
            };
        )*
    };
}

/// What the pass does with the value.
macro_rules! action {
    (object($of:ident) $($rest:tt)*) => {
        Action::Object
    };
    (kept($of:ident) $($rest:tt)*) => {
        Action::Object
    };
    (inside($of:ident) $($rest:tt)*) => {
        Action::Object
    };
    (part($of:ident) $($rest:tt)*) => {
        Action::Object
    };
    (into($of:ident) $($rest:tt)*) => {
        Action::Object
    };
    (by_hand($of:ident) $($rest:tt)*) => {
        Action::Object
    };
    (required($of:ident) $($rest:tt)*) => {
        Action::Value
    };
    ($list:ident($of:ident) $($rest:tt)*) => {
        Action::Objects
    };
    (texts $($rest:tt)*) => {
        Action::Values
    };
    (array $($rest:tt)*) => {
        Action::Values
    };
    (integers $($rest:tt)*) => {
        Action::Values
    };
    (currencies $($rest:tt)*) => {
        Action::Values
    };
    ($($scalar:tt)*) => {
        Action::Value
    };
}

/// Which kind its objects are of.
macro_rules! kind {
    (required($of:ident) $($rest:tt)*) => {
        0
    };
    ($reading:ident($of:ident) $($rest:tt)*) => {
        Number::$of as u8
    };
    ($($rest:tt)*) => {
        0
    };
}

/// How much of [`super::limits::MAX_VALUES`] it takes: decimal numbers cost several times what others do, lists
/// twice as much.
macro_rules! weight {
    (floor) => {
        8
    };
    (amount) => {
        8
    };
    (texts) => {
        2
    };
    (integers) => {
        2
    };
    (required) => {
        2
    };
    ($other:ident) => {
        1
    };
}

/// Whether a catalog needs it.
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

macro_rules! always {
    (always) => {
        true
    };
    ($($need:ident)?) => {
        false
    };
}

/// Fills in a field from a slot.
macro_rules! fill {
    ($values:ident, $into:ident, $slot:expr, object($of:ident) -> $($field:ident).+) => {
        if let Some(block) = $slot.block()
            && $of::fill($values, block, $into.$($field).+.insert(Default::default())).is_none()
        {
            $into.$($field).+ = None;
        }
    };
    ($values:ident, $into:ident, $slot:expr, kept($of:ident) -> $($field:ident).+) => {
        if let Some(block) = $slot.block() {
            $into.$($field).+ = $values.kept(block, $of::fill);
        }
    };
    ($values:ident, $into:ident, $slot:expr, inside($of:ident) -> $($field:ident).+) => {
        $of::fill($values, $slot.block().unwrap_or_default(), &mut $into.$($field).+);
    };
    ($values:ident, $into:ident, $slot:expr, part($of:ident) -> $($field:ident).+) => {
        if let Some(block) = $slot.block() {
            $of::fill($values, block, &mut $into.$($field).+);
        }
    };
    ($values:ident, $into:ident, $slot:expr, into($of:ident)) => {
        if let Some(block) = $slot.block() {
            $of::fill($values, block, $into);
        }
    };
    ($values:ident, $into:ident, $slot:expr, list($of:ident) -> $($field:ident).+) => {
        if let Some(value) = $values.list($slot, $of::fill) {
            $into.$($field).+ = value;
        }
    };
    ($values:ident, $into:ident, $slot:expr, required($reading:ident) -> $($field:ident).+) => {
        $into.$($field).+ = $values.$reading($slot)?;
    };
    ($values:ident, $into:ident, $slot:expr, $reading:ident or $default:literal -> $($field:ident).+) => {
        $into.$($field).+ = $values.$reading($slot).unwrap_or($default);
    };
    ($values:ident, $into:ident, $slot:expr, $reading:ident $(($of:ident))? -> $($field:ident).+) => {
        if !$slot.is_absent()
            && let Some(value) = $values.$reading($slot)
        {
            $into.$($field).+ = value.into();
        }
    };
    ($($by_hand:tt)*) => {};
}
