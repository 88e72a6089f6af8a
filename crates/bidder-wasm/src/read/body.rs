//! The bytes of a bid request, and whether the reader may read them where they are.

use bumpalo::Bump;

use super::pass::{PADDING, Padded};

/// Bytes that may be a bid request.
#[derive(Debug)]
pub struct Body<'a>(Kind<'a>);

#[derive(Debug)]
enum Kind<'a> {
    /// Somebody else's: the reader takes a copy.
    Lent(&'a [u8]),
    /// The first so many bytes of a buffer, which may be written to.
    Within(&'a mut [u8], usize),
}

impl<'a> Body<'a> {
    /// How many bytes of a buffer behind a body save the reader a copy of it.
    pub const ROOM: usize = PADDING;

    /// The first `length` bytes of a buffer, or all of a shorter one. The [`Body::ROOM`] bytes behind them are overwritten, if
    /// they are there.
    pub fn within(buffer: &'a mut [u8], length: usize) -> Body<'a> {
        let length = length.min(buffer.len());
        Body(Kind::Within(buffer, length))
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        match &self.0 {
            Kind::Lent(bytes) => bytes.len(),
            Kind::Within(_, length) => *length,
        }
    }

    /// The bytes with the padding that the pass needs.
    pub(super) fn padded(self, arena: &'a Bump) -> Padded<'a> {
        match self.0 {
            Kind::Within(buffer, length) if buffer.len() - length >= PADDING => Padded::within(buffer, length),
            Kind::Within(buffer, length) => Padded::copied(buffer.get(..length).unwrap_or_default(), arena),
            Kind::Lent(bytes) => Padded::copied(bytes, arena),
        }
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Body<'a> {
    fn from(bytes: &'a T) -> Body<'a> {
        Body(Kind::Lent(bytes.as_ref()))
    }
}
