//! A macro for enums whose values have names.

/// Declares an enum with a name for each value. `parse` also takes the names after `|`.
#[macro_export]
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
