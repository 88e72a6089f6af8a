//! Reads the bytes of a bid request into a [`Request`](crate::request::Request).
//!
//! The caller says whether a body is JSON or protobuf. A body that is not, or that has no `id` or no `imp`, is refused.
//! The rules in [`crate::request`] cover any other deviation.

mod body;
mod dispatch;
mod fast;
mod fill;
mod first_party;
mod native;
mod needs;
mod number;
mod objects;
mod odd;
mod pass;
mod protobuf;
mod readings;
mod refusal;
mod rows;
mod size_limit;
mod slot;
pub mod spec;
mod table;
mod text;
mod types;
mod unread;
mod values;

use core::fmt;

pub use body::{Body, Format};
pub use fast::{Reader, check_json};
pub use needs::{Needs, Wants};
pub use number::integer;
pub(crate) use odd::scalar_length;
#[cfg(feature = "fuzzing")]
pub use protobuf::check as check_protobuf;
pub use text::unescaped;

/// Why the response to a body is HTTP 400.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRequest {
    /// Not JSON (RFC 8259), or nested deeper than [`base::limits::MAX_DEPTH`].
    NotJson {
        /// Offset of the first byte that cannot be part of a JSON text; the body's length if it ends too early.
        at: usize,
    },
    /// Not a message in protobuf, or a field of another type than `openrtb.proto` has.
    NotProtobuf,
    /// Larger than [`base::limits::MAX_REQUEST_BYTES`].
    TooLarge,
    /// JSON, but not an object.
    NotAnObject,
    /// No `id`, or an `id` that is neither a string nor a number (§3.2.1).
    MissingId,
    /// No `imp`, no object in the list, or an object without an `id` instead of the list (§3.2.1).
    MissingImp,
}

/// One sentence for logs and explain. The SSP never gets it.
impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadRequest::NotJson { at } => write!(f, "byte {at}: not JSON"),
            BadRequest::NotProtobuf => f.write_str("not a BidRequest in protobuf"),
            BadRequest::TooLarge => write!(f, "larger than {} bytes", base::limits::MAX_REQUEST_BYTES),
            BadRequest::NotAnObject => f.write_str("expected a JSON object"),
            BadRequest::MissingId => f.write_str("id: missing; expected a string"),
            BadRequest::MissingImp => {
                f.write_str("imp: missing, or no impression in it; expected an array of objects, each with an id")
            }
        }
    }
}
