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
mod strict;
mod table;
mod text;
mod values;

use core::fmt;

use crate::decode::{MARKED, has_mark};

pub use body::Body;
pub use fast::Reader;
pub use needs::{Needs, Wants};
pub(crate) use number::integer;
pub use strict::{read as read_strict, validate};

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

/// What every gzip file starts with (RFC 1952 §2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

impl BadRequest {
    /// One sentence about this body: what [`fmt::Display`] says, or more where the body tells more.
    #[must_use]
    pub fn of(self, body: &[u8]) -> String {
        match self {
            BadRequest::NotJson { .. } if has_mark(body) => MARKED.to_owned(),
            BadRequest::NotJson { .. } if body.is_empty() => "empty; expected a bid request as JSON".to_owned(),
            BadRequest::NotJson { .. } if body.starts_with(&GZIP) => {
                "this is gzip; send Content-Encoding: gzip".to_owned()
            }
            BadRequest::NotJson { at } if at == body.len() => format!("{self}: the text ends here"),
            other => other.to_string(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::validate;

    #[test]
    fn what_is_not_json_is_told_by_what_it_looks_like() {
        for (body, told) in [
            (&b""[..], "empty; expected a bid request as JSON"),
            (br#"{"id":"r","imp":[{"id""#, "byte 22: not JSON: the text ends here"),
            (b"{]", "byte 1: not JSON"),
            (b"\x1f\x8b\x08\0", "this is gzip; send Content-Encoding: gzip"),
        ] {
            assert_eq!(validate(body).map_err(|bad| bad.of(body)), Err(told.to_owned()));
        }
    }
}
