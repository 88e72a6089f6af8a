//! The macro `object!`.

/// Declares the type of a JSON object and implements its reading.
///
/// A field is an [`Attribute`](super::Attribute), which has its default if it is absent, or an `Option` or a `Vec` of
/// one. `as "name"` sets the name in JSON if it differs from the field; `= required` makes a missing attribute a
/// finding. `struct Name from field` allows a text instead of the object; it stands for an object with this field only.
/// `where` limits the values: see [`Limit`](super::Limit). `one of ("a", "b")` means that exactly one of these
/// attributes is given.
///
/// `struct Name: Inherits` implements [`Inherits`](super::Inherits), and adds the field `given`.
#[macro_export]
macro_rules! object {
    ($(
        $(#[$meta:meta])*
        $scope:vis struct $object:ident $(: $inherits:ident)? $(from $short:ident)? $(one of ($($one:literal),+))? {
            $(
                $(#[$doc:meta])*
                $reach:vis $field:ident $(as $wire:literal)? : $type:ty $(= $required:ident)? $(where $limit:expr)?
            ),* $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        $scope struct $object {
            $( $(#[$doc])* $reach $field: $type, )*
            $(
                /// Which of the attributes the text names.
                pub given: $crate::object!(@given $inherits),
            )?
        }

        impl $crate::decode::Object for $object {
            const NAME: &'static str = stringify!($object);
            const ATTRIBUTES: &'static [$crate::decode::AttributeName] = &[
                $( $crate::object!(@name $field $($wire)?, $($required)?), )*
            ];
            const ONE_OF: &'static [&'static str] = &[$($($one),+)?];
            const FORMS: [&'static str; 2] = [
                concat!($("a string, the ", stringify!($short), ", or ",)? "an object"),
                concat!("an array of " $(, "strings, the ", stringify!($short), ", or ")?, "objects"),
            ];

            fn slots(&mut self) -> Vec<$crate::decode::Slot<'_>> {
                vec![ $(
                    $crate::decode::Slot::new(
                        $crate::object!(@name $field $($wire)?, $($required)?),
                        &mut self.$field,
                    )
                    $(.limited($limit))?,
                )* ]
            }

            $(fn of_text(text: &str) -> Option<Self> {
                Some(Self { $short: text.to_owned().into(), ..Self::default() })
            })?

            $($crate::object!(@keep $inherits);)?
        }

        $crate::object!(@inherits $object [$($inherits)?] $($field)*);
    )+};
    (@name $field:ident, $($required:ident)?) => {
        $crate::object!(@name $field (stringify!($field)), $($required)?)
    };
    (@name $field:ident $wire:expr, required) => {
        $crate::decode::AttributeName { wire: $wire, required: true }
    };
    (@name $field:ident $wire:expr,) => {
        $crate::decode::AttributeName { wire: $wire, required: false }
    };
    (@given Inherits) => { $crate::decode::Given };
    (@keep Inherits) => {
        fn keep(&mut self, given: $crate::decode::Given) {
            self.given = given;
        }
    };
    (@inherits $object:ident [] $($field:ident)*) => {};
    (@inherits $object:ident [Inherits] $($field:ident)*) => {
        impl $crate::decode::Inherits for $object {
            fn given(&self) -> $crate::decode::Given {
                self.given
            }

            fn inherit(&mut self, base: &Self) {
                let mut positions = 0..;
                $(
                    if positions.next().is_some_and(|position| !self.given.names(position)) {
                        self.$field.clone_from(&base.$field);
                    }
                )*
                self.given = self.given.and_inherited(base.given);
            }
        }
    };
}
