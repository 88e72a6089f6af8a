//! Stores numbers, booleans, text, pairs and optional values.

use core::num::NonZeroU16;

use super::{Flat, Source, Writer, fingerprint, stored_as};
use base::money::{Currency, Micros};

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Flat for $number {
            type View<'s> = $number;
            const SIZE: usize = size_of::<$number>();
            const LAYOUT: u64 = fingerprint(0, stringify!($number));

            fn write(&self, _: &mut Writer, record: &mut Vec<u8>) {
                record.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn view(from: Source<'_>, at: usize) -> $number {
                <$number>::from_le_bytes(from.bytes(at))
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 i64);

stored_as!(bool, u8, fingerprint(0, "bool"), u8::from, |byte| byte == 1);
stored_as!(Micros, i64, fingerprint(0, "micros"), |amount| amount.0, Micros);
stored_as!(NonZeroU16, u16, u16::LAYOUT, NonZeroU16::get, |id| NonZeroU16::new(id).unwrap_or(NonZeroU16::MAX));

impl Flat for String {
    type View<'s> = &'s str;
    const SIZE: usize = u32::SIZE;
    const LAYOUT: u64 = fingerprint(0, "counted text");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        out.text(self).write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> &str {
        from.text_at(from.offset(at))
    }
}

impl<A: Flat, B: Flat> Flat for (A, B) {
    type View<'s> = (A::View<'s>, B::View<'s>);
    const SIZE: usize = A::SIZE + B::SIZE;
    const LAYOUT: u64 = fingerprint(A::LAYOUT, "and") ^ B::LAYOUT;

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        self.0.write(out, record);
        self.1.write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> Self::View<'_> {
        (A::view(from, at), B::view(from, at + A::SIZE))
    }
}

impl<T: Flat> Flat for Option<T> {
    type View<'s> = Option<T::View<'s>>;
    const SIZE: usize = 1 + T::SIZE;
    const LAYOUT: u64 = fingerprint(T::LAYOUT, "maybe");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        self.is_some().write(out, record);
        match self {
            Some(value) => value.write(out, record),
            None => record.resize(record.len() + T::SIZE, 0),
        }
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> Self::View<'_> {
        bool::view(from, at).then(|| T::view(from, at + 1))
    }
}

impl Flat for Currency {
    type View<'s> = Currency;
    const SIZE: usize = 3;
    const LAYOUT: u64 = fingerprint(0, "currency");

    fn write(&self, _: &mut Writer, record: &mut Vec<u8>) {
        record.extend_from_slice(self.as_str().as_bytes());
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> Currency {
        Currency::parse(core::str::from_utf8(&from.bytes::<3>(at)).unwrap_or_default())
    }
}
