//! The bytes of a bid request. The reader parses JSON in a writable buffer in place, and copies it from borrowed bytes.

use bumpalo::Bump;

use super::pass::Padded;
use base::limits::INPUT_ROOM;

/// The bytes of a bid request, not yet checked.
#[derive(Debug)]
pub struct Body<'a> {
    source: Source<'a>,
    /// How the bytes are to be read.
    pub format: Format,
}

/// How a bid request is encoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// JSON (RFC 8259).
    #[default]
    Json,
    /// Protobuf by the IAB Tech Lab's `openrtb.proto`.
    Protobuf,
}

#[derive(Debug)]
enum Source<'a> {
    /// Borrowed bytes, which the reader copies.
    Borrowed(&'a [u8]),
    /// A writable buffer and the length of the body at its start.
    Buffer(&'a mut [u8], usize),
}

impl<'a> Body<'a> {
    /// Bytes that a buffer needs after the body, so that the reader need not copy it.
    pub const ROOM: usize = INPUT_ROOM;

    /// The first `length` bytes of a buffer, or the whole buffer if it is shorter. The reader overwrites up to
    /// [`Body::ROOM`] bytes after them.
    pub fn within(buffer: &'a mut [u8], length: usize) -> Body<'a> {
        let length = length.min(buffer.len());
        Body { source: Source::Buffer(buffer, length), format: Format::Json }
    }

    /// The same bytes in this format.
    #[must_use]
    pub fn encoded_as(self, format: Format) -> Body<'a> {
        Body { format, ..self }
    }

    /// The bytes themselves.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        match self.source {
            Source::Borrowed(bytes) => bytes,
            Source::Buffer(buffer, length) => buffer.get(..length).unwrap_or_default(),
        }
    }

    /// Bytes of the body, without padding.
    pub(super) fn len(&self) -> usize {
        match &self.source {
            Source::Borrowed(bytes) => bytes.len(),
            Source::Buffer(_, length) => *length,
        }
    }

    /// The body with the padding that [`super::pass`] needs.
    pub(super) fn padded(self, arena: &'a Bump) -> Padded<'a> {
        match self.source {
            Source::Buffer(buffer, length) if buffer.len() - length >= INPUT_ROOM => Padded::within(buffer, length),
            Source::Buffer(buffer, length) => Padded::copied(buffer.get(..length).unwrap_or_default(), arena),
            Source::Borrowed(bytes) => Padded::copied(bytes, arena),
        }
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Body<'a> {
    fn from(bytes: &'a T) -> Body<'a> {
        Body { source: Source::Borrowed(bytes.as_ref()), format: Format::Json }
    }
}
