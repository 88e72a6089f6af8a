//! Every bound on work inside the crate, with its unit and the reason for its size.
//!
//! The deployed clock stands still while the module computes, so time is bounded by counting.

/// Deepest nesting of objects and arrays in a JSON text. Public requests nest at most 15 levels;
/// a text that goes deeper is refused like one that is not JSON (RFC 8259 §9 allows the limit).
pub const MAX_DEPTH: usize = 64;

/// Most bytes in one bid request. Public requests end at 22 KB, composed ones at 250 KB.
pub const MAX_REQUEST_BYTES: usize = 1 << 20;

/// Most impressions of one request that are looked at; the ones after them get no bid. That there are some is counted, and told by
/// explain.
pub const MAX_IMPS: usize = 64;

/// Most objects that one list of a JSON text keeps. Bounds the memory that a text can ask for: an
/// object in memory can be much larger than `{},`, the shortest text for one.
pub const MAX_LISTED_OBJECTS: usize = 1 << 17;

/// Most bytes in one catalog document or snapshot. One Workers KV value holds 25 MiB; a document is compiled
/// before it is pushed, and may be larger than what comes out.
pub const MAX_CATALOG_BYTES: usize = 64 << 20;

/// Most findings that one decode reports; further ones are counted, not kept.
pub const MAX_FINDINGS: usize = 200;

/// Most deals of one impression that are looked at; there is no bid under the ones after them.
pub const MAX_DEALS: usize = 256;

/// Most candidates for one impression that are looked at, the ones that pay the most first. Then the best that was found is
/// the answer. These are campaigns that fit all that the catalog's index knows; each way to bid that one has counts.
pub const MAX_CANDIDATES: usize = 512;

/// Most of them for all impressions of a request.
pub const MAX_CANDIDATES_OF_REQUEST: usize = 2048;

/// Most bids on one dynamic pod under deals, and as many without: enough for two minutes of ads of 15 seconds, and each takes
/// about a kilobyte of the answer.
pub const MAX_POD_BIDS: usize = 8;

/// Most bids of one answer: as many as their ids can tell apart. Pods share what there is, so each impression has its two.
pub const MAX_BIDS: usize = 256;

const _: () = assert!(2 * MAX_IMPS <= MAX_BIDS, "a bid under a deal and one without for each impression");

/// Most bytes of a placement's global id that events repeat; a longer one is left out. Known ones have up to about a hundred.
pub const MAX_GPID_BYTES: usize = 512;

/// Most bytes in the query of a sync call. Consent strings have a few hundred bytes, some two thousand.
pub const MAX_SYNC_QUERY_BYTES: usize = 8192;

/// Most bytes of an exchange's id for a person. Known ones have up to about a hundred; three such ids fit a cookie
/// however they are escaped there.
pub const MAX_UID_BYTES: usize = 256;
