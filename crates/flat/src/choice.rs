//! A macro for settings of a catalog.

/// Declares a setting of the catalog: a [`named`](base::named) enum that a snapshot stores as the position of the value in the list.
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident = $text:literal $(| $other:literal)*,)* }) => {
        $crate::named! {
            $(#[$meta])*
            #[derive(Default)]
            pub enum $name { $($(#[$value_meta])* $value = $text $(| $other)*,)* }
        }

        $crate::stored_as!(
            $name,
            u8,
            $crate::fingerprint(0, concat!(stringify!($name), $(" ", $text),*)),
            |value| value as u8,
            |number| $name::ALL.get(usize::from(number)).copied().unwrap_or_default()
        );
    };
}
