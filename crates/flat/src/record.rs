//! Macros that declare a stored type once, for reading and for writing.

/// Declares a stored struct, with a function that reads each field, and its draft, which is written. Without `from`,
/// the struct is its own draft, is read as a whole and has plain fields.
#[macro_export]
macro_rules! flat {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident from $draft:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $kind:ty,)*
        }
    ) => {
        #[doc = concat!("A [`", stringify!($name), "`] before it is stored.")]
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $vis struct $draft {
            $($(#[$field_meta])* $field_vis $field: $kind,)*
        }

        $(#[$meta])*
        #[derive(Clone, Copy)]
        $vis struct $name<'s> {
            source: $crate::Source<'s>,
            at: usize,
        }

        impl<'s> $name<'s> {
            $crate::flat!(@read 0, $($(#[$field_meta])* $field_vis $field: $kind,)*);
        }

        impl core::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field()))*.finish()
            }
        }

        $crate::flat!(@stored $draft, $name<'s>, { $($field: $kind,)* }, |source, at| $name { source, at });
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $kind:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $kind,)*
        }

        $crate::flat!(@stored $name, $name, { $($field: $kind,)* }, |from, at| {
            let mut next = at;
            $(
                let $field = <$kind as $crate::Flat>::view(from, next);
                next += <$kind as $crate::Flat>::SIZE;
            )*
            let _ = next;
            $name { $($field,)* }
        });
    };
    (@stored $own:ident, $view:ty, { $($field:ident: $kind:ty,)* }, |$from:ident, $at:ident| $value:expr) => {
        impl $crate::Flat for $own {
            type View<'s> = $view;
            const SIZE: usize = 0 $(+ <$kind as $crate::Flat>::SIZE)*;
            const LAYOUT: u64 = $crate::layout(&[$((stringify!($field), <$kind as $crate::Flat>::LAYOUT),)*]);

            fn write(&self, out: &mut $crate::Writer, record: &mut Vec<u8>) {
                $($crate::Flat::write(&self.$field, out, record);)*
            }

            #[inline]
            fn view($from: $crate::Source<'_>, $at: usize) -> Self::View<'_> {
                $value
            }
        }
    };
    // A function for each field; `$before` is the size of the fields before it.
    (@read $before:expr,) => {};
    (
        @read $before:expr,
        $(#[$field_meta:meta])* $field_vis:vis $field:ident: $kind:ty, $($rest:tt)*
    ) => {
        $(#[$field_meta])*
        #[inline]
        $field_vis fn $field(&self) -> <$kind as $crate::Flat>::View<'s> {
            <$kind as $crate::Flat>::view(self.source, self.at + $before)
        }

        $crate::flat!(@read $before + <$kind as $crate::Flat>::SIZE, $($rest)*);
    };
}

/// Stores a type in the form of another one, with the fingerprint of its layout and the conversions in both directions.
#[macro_export]
macro_rules! stored_as {
    ($own:ty, $kind:ty, $layout:expr, $write:expr, $view:expr) => {
        impl $crate::Flat for $own {
            type View<'s> = $own;
            const SIZE: usize = <$kind as $crate::Flat>::SIZE;
            const LAYOUT: u64 = $layout;

            fn write(&self, out: &mut $crate::Writer, record: &mut Vec<u8>) {
                let stored: fn($own) -> $kind = $write;
                $crate::Flat::write(&stored(*self), out, record);
            }

            #[inline]
            fn view(from: $crate::Source<'_>, at: usize) -> $own {
                let own: fn($kind) -> $own = $view;
                own(<$kind as $crate::Flat>::view(from, at))
            }
        }
    };
}
