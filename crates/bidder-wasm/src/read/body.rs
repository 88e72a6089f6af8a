//! The bytes of a bid request. The reader parses a writable buffer in place and copies borrowed bytes.

use bumpalo::Bump;

use super::pass::{PADDING, Padded};

/// The bytes of a bid request, not yet checked.
#[derive(Debug)]
pub struct Body<'a>(Source<'a>);

#[derive(Debug)]
enum Source<'a> {
    /// Borrowed bytes, which the reader copies.
    Borrowed(&'a [u8]),
    /// A writable buffer and the length of the body at its start.
    Buffer(&'a mut [u8], usize),
}

impl<'a> Body<'a> {
    /// Bytes that a buffer needs after the body, so that the reader need not copy it.
    pub const ROOM: usize = PADDING;

    /// The first `length` bytes of a buffer, or the whole buffer if it is shorter. The reader overwrites up to
    /// [`Body::ROOM`] bytes after them.
    pub fn within(buffer: &'a mut [u8], length: usize) -> Body<'a> {
        let length = length.min(buffer.len());
        Body(Source::Buffer(buffer, length))
    }

    /// Bytes of the body, without padding.
    pub(super) fn len(&self) -> usize {
        match &self.0 {
            Source::Borrowed(bytes) => bytes.len(),
            Source::Buffer(_, length) => *length,
        }
    }

    /// The body with the padding that [`super::pass`] needs.
    pub(super) fn padded(self, arena: &'a Bump) -> Padded<'a> {
        match self.0 {
            Source::Buffer(buffer, length) if buffer.len() - length >= PADDING => Padded::within(buffer, length),
            Source::Buffer(buffer, length) => Padded::copied(buffer.get(..length).unwrap_or_default(), arena),
            Source::Borrowed(bytes) => Padded::copied(bytes, arena),
        }
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Body<'a> {
    fn from(bytes: &'a T) -> Body<'a> {
        Body(Source::Borrowed(bytes.as_ref()))
    }
}
