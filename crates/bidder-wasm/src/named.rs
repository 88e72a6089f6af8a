//! Macros for enums whose values have names.

/// Declares an enum with a name for each value. [`parse`](crate::catalog::Codec::parse) also takes the names after `|`.
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident { $($(#[$value_meta:meta])* $value:ident = $text:literal $(| $other:literal)*,)* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$value_meta])* $value,)*
        }

        impl $name {
            /// Every value.
            pub const ALL: &[$name] = &[$($name::$value),*];

            /// The value with this name.
            pub fn parse(name: &str) -> Option<$name> {
                match name {
                    $($text $(| $other)* => Some($name::$value),)*
                    _ => None,
                }
            }

            /// The name; if there are several, the usual one.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $text,)* }
            }
        }
    };
}

/// Declares a setting of the catalog: a [`named`] enum that a snapshot stores as the value's place in the list.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident = $text:literal $(| $other:literal)*,)* }) => {
        $crate::named::named! {
            $(#[$meta])*
            #[derive(Default)]
            pub enum $name { $($(#[$value_meta])* $value = $text $(| $other)*,)* }
        }

        $crate::flat::stored_as!(
            $name,
            u8,
            $crate::flat::fingerprint(0, concat!(stringify!($name), $(" ", $text),*)),
            |value| value as u8,
            |number| $name::ALL.get(usize::from(number)).copied().unwrap_or_default()
        );
    };
}

pub(crate) use {choice, named};
