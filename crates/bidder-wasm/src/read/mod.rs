//! Reading a bid request's bytes into a [`Request`](crate::request::Request).
//!
//! Refuses what is not JSON anywhere in the body and what lacks `id` or `imp`; forgives everything
//! else by the rules in [`crate::request`].

#[macro_use]
mod attributes;
mod body;
mod dispatch;
mod fast;
mod first_party;
mod left;
mod native;
mod needs;
mod number;
mod pass;
mod rows;
mod slot;
mod table;
mod text;
mod values;

use core::fmt;

pub use body::Body;
pub use fast::Reader;
pub use needs::{Needs, Wants};
pub use number::integer;

/// Why a body is answered with HTTP 400.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRequest {
    /// Not JSON (RFC 8259), or nested deeper than [`crate::limits::MAX_DEPTH`].
    NotJson {
        /// Offset of the first byte that cannot be part of a JSON text; the body's length when it
        /// ends too early.
        at: usize,
    },
    /// Larger than [`crate::limits::MAX_REQUEST_BYTES`].
    TooLarge,
    /// JSON, but not an object.
    NotAnObject,
    /// No `id`, or one that is neither text nor a number.
    MissingId,
    /// No `imp`, or none in it that is an object; or an object without an `id` in place of the list.
    MissingImp,
}

/// One sentence for logs and the `explain` answer; never sent to an SSP.
impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadRequest::NotJson { at } => write!(f, "byte {at}: not JSON"),
            BadRequest::TooLarge => write!(f, "larger than {} bytes", crate::limits::MAX_REQUEST_BYTES),
            BadRequest::NotAnObject => f.write_str("expected a JSON object"),
            BadRequest::MissingId => f.write_str("id: missing; expected a string"),
            BadRequest::MissingImp => {
                f.write_str("imp: missing, or no impression in it; expected an array of objects, each with an id")
            }
        }
    }
}
