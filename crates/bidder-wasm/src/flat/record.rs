//! Macros that declare a stored struct once, for reading and for writing.

use core::fmt;
use core::marker::PhantomData;

use super::{List, Source};

/// Declares a stored struct, with a function that reads each field, and its draft, which is written. Without `from`,
/// the struct is its own draft, is read as a whole and has plain fields.
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
            source: $crate::flat::Source<'s>,
            at: usize,
        }

        impl<'s> $name<'s> {
            $crate::flat::flat!(@read 0, $($(#[$field_meta])* $field_vis $field: $kind,)*);
        }

        impl core::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field()))*.finish()
            }
        }

        impl $crate::flat::Flat for $draft {
            type View<'s> = $name<'s>;
            const SIZE: usize = 0 $(+ <$kind as $crate::flat::Flat>::SIZE)*;
            const LAYOUT: u64 = $crate::flat::layout(&[$((stringify!($field), <$kind as $crate::flat::Flat>::LAYOUT),)*]);

            fn write(&self, out: &mut $crate::flat::Writer, record: &mut Vec<u8>) {
                $($crate::flat::Flat::write(&self.$field, out, record);)*
            }

            #[inline]
            fn view(source: $crate::flat::Source<'_>, at: usize) -> $name<'_> {
                $name { source, at }
            }
        }
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

        impl $crate::flat::Flat for $name {
            type View<'s> = $name;
            const SIZE: usize = 0 $(+ <$kind as $crate::flat::Flat>::SIZE)*;
            const LAYOUT: u64 = $crate::flat::layout(&[$((stringify!($field), <$kind as $crate::flat::Flat>::LAYOUT),)*]);

            fn write(&self, out: &mut $crate::flat::Writer, record: &mut Vec<u8>) {
                $($crate::flat::Flat::write(&self.$field, out, record);)*
            }

            #[inline]
            fn view(from: $crate::flat::Source<'_>, at: usize) -> $name {
                let mut next = at;
                $(
                    let $field = <$kind as $crate::flat::Flat>::view(from, next);
                    next += <$kind as $crate::flat::Flat>::SIZE;
                )*
                let _ = next;
                $name { $($field,)* }
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
        #[must_use]
        $field_vis fn $field(&self) -> <$kind as $crate::flat::Flat>::View<'s> {
            <$kind as $crate::flat::Flat>::view(self.source, self.at + $before)
        }

        $crate::flat::flat!(@read $before + <$kind as $crate::flat::Flat>::SIZE, $($rest)*);
    };
}

/// Declares a struct whose fields mostly have their default values: only the others are stored, each with its number.
/// [`Sparse::get`] reads it as a whole.
macro_rules! sparse {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident from $draft:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $kind:ty,)*
        }
    ) => {
        #[doc = concat!("A [`", stringify!($name), "`] before it is stored.")]
        $(#[$meta])*
        #[derive(Debug, Clone, Default)]
        $vis struct $draft {
            $($(#[$field_meta])* $field_vis $field: $kind,)*
        }

        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default)]
        $vis struct $name<'s> {
            $($(#[$field_meta])* $field_vis $field: <$kind as $crate::flat::Flat>::View<'s>,)*
        }

        impl $crate::flat::Flat for $draft {
            type View<'s> = $crate::flat::Sparse<'s, $draft>;
            const SIZE: usize = <Vec<$crate::flat::Stored> as $crate::flat::Flat>::SIZE;
            const LAYOUT: u64 = $crate::flat::layout(&[$((stringify!($field), <$kind as $crate::flat::Flat>::LAYOUT),)*]);

            fn write(&self, out: &mut $crate::flat::Writer, record: &mut Vec<u8>) {
                let mut stored: Vec<$crate::flat::Stored> = Vec::new();
                let mut number = 0;
                $(
                    let (mut value, mut default) = (Vec::new(), Vec::new());
                    $crate::flat::Flat::write(&self.$field, out, &mut value);
                    $crate::flat::Flat::write(&<$kind>::default(), out, &mut default);
                    if value != default {
                        stored.push((number, out.store(&value)));
                    }
                    number += 1;
                )*
                let _ = number;
                $crate::flat::Flat::write(&stored, out, record);
            }

            #[inline]
            fn view(from: $crate::flat::Source<'_>, at: usize) -> Self::View<'_> {
                $crate::flat::Sparse::new(from, <Vec<$crate::flat::Stored> as $crate::flat::Flat>::view(from, at))
            }
        }

        impl<'s> $crate::flat::Sparse<'s, $draft> {
            /// The struct with all of its fields.
            $vis fn get(self) -> $name<'s> {
                let mut whole = $name::default();
                for (number, at) in self.stored() {
                    let mut of_field = 0;
                    $(
                        if number == of_field {
                            whole.$field = <$kind as $crate::flat::Flat>::view(self.source(), at);
                        }
                        of_field += 1;
                    )*
                    let _ = of_field;
                }
                whole
            }
        }
    };
}

pub(crate) use {flat, sparse};

/// The number of a field, and the offset of its record.
pub(crate) type Stored = (u8, u32);

/// A struct of which only the fields without default values are stored. `D` is its draft.
pub struct Sparse<'s, D> {
    from: Source<'s>,
    stored: List<'s, Stored>,
    of: PhantomData<fn() -> D>,
}

impl<'s, D> Sparse<'s, D> {
    pub(crate) fn new(from: Source<'s>, stored: List<'s, Stored>) -> Sparse<'s, D> {
        Sparse { from, stored, of: PhantomData }
    }

    /// Whether every field has its default value.
    #[inline]
    pub fn is_default(self) -> bool {
        self.stored.is_empty()
    }

    pub(crate) fn source(self) -> Source<'s> {
        self.from
    }

    /// The numbers of the stored fields, and the offsets of their records.
    pub(crate) fn stored(self) -> impl Iterator<Item = (u8, usize)> + use<'s, D> {
        self.stored.iter().map(|(number, at)| (number, at as usize))
    }
}

impl<D> fmt::Debug for Sparse<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.stored()).finish()
    }
}

impl<D> Clone for Sparse<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Sparse<'_, D> {}
