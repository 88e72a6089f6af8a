//! `edgebid validate`: compares a bid request with the complete specification, OpenRTB 2.6-202606 and Native Ads 1.2.
//!
//! It finds names that the specification does not have, values of other types, values that it does not allow, and what
//! is missing. It does not say what the bidder would make of the request; explanations do.

mod types;
mod values;

use base::limits::MAX_REQUEST_BYTES;
use document::decode::{Finding, MARKED, from_json, has_mark};
use openrtb::read::BadRequest;
use types::BidRequest;

/// The first [`base::limits::MAX_FINDINGS`] findings on a bid request: deviations from the types, and
/// values that the specification does not allow. A missing `id` or `imp` is a finding too.
pub fn validate(body: &[u8]) -> Result<Vec<Finding>, BadRequest> {
    if body.len() > MAX_REQUEST_BYTES {
        return Err(BadRequest::TooLarge);
    }
    let decoded = from_json::<BidRequest>(body).map_err(|error| BadRequest::NotJson { at: error.at })?;
    decoded.value.map(|_| decoded.findings).ok_or(BadRequest::NotAnObject)
}

/// The first bytes of every gzip file (RFC 1952 §2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// One sentence that says why a body is not a bid request.
#[must_use]
pub fn sentence(bad: BadRequest, body: &[u8]) -> String {
    match bad {
        BadRequest::NotJson { .. } if has_mark(body) => MARKED.to_owned(),
        BadRequest::NotJson { .. } if body.is_empty() => "empty; expected a bid request as JSON".to_owned(),
        BadRequest::NotJson { .. } if body.starts_with(&GZIP) => {
            "the body is gzip; expected it with Content-Encoding: gzip".to_owned()
        }
        BadRequest::NotJson { at } if at == body.len() => format!("{bad}: the text ends here"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
