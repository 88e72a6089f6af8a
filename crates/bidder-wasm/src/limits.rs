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

/// Most values that are read of one request: of more, there is no bid. An entry of a list is one, an object about as many as it
/// has attributes. A composed request of 25 KB with 22 impressions has some 3,000, one of 100 KB with 62 some 13,000. Bounds memory and work.
pub const MAX_VALUES: usize = 16_000;

/// Most bytes of one text that is read, but for `native.request`, which holds a document. The longest in public requests has
/// 659, consent strings have some 2,000.
pub const MAX_TEXT_BYTES: usize = 1 << 14;

/// Most objects that one list of a JSON text keeps where a whole document is decoded, to validate it.
pub const MAX_LISTED_OBJECTS: usize = 1 << 17;

/// Most bytes in one catalog document or snapshot. One Workers KV value holds 25 MiB; a document is compiled
/// before it is pushed, and may be larger than what comes out.
pub const MAX_CATALOG_BYTES: usize = 64 << 20;

/// Most findings that one decode reports; further ones are counted, not kept.
pub const MAX_FINDINGS: usize = 200;

/// Most work of one decision besides reading, in units of about ten WebAssembly instructions: this, and some more for each
/// campaign of the catalog, as each block of campaigns takes some. With 1,000 campaigns that is some 20 times what the mean
/// request costs in all, or some 500 campaigns that fail on what the index does not hold. Then the best that was found is the answer.
pub const BASE_WORK: usize = 123_000;
/// See [`BASE_WORK`].
pub const WORK_PER_CAMPAIGN: usize = 5;

/// Most work of one decision with so many campaigns.
#[must_use]
pub const fn max_work(campaigns: usize) -> usize {
    BASE_WORK + WORK_PER_CAMPAIGN * campaigns
}

/// Most bytes of an id that an answer repeats: of the request, an impression or a deal. Known ones have up to about 100.
pub const MAX_ID_BYTES: usize = 512;

/// Most bytes of records that one decision leaves for the operator's systems: those of 64 impressions with two bids each take
/// about 40 KB, with the longest ids five times as much.
pub const MAX_RECORD_BYTES: usize = 1 << 18;

/// Most bids that are shown together on one dynamic pod under deals, and as many without: enough for two minutes of ads of 15
/// seconds, and each takes about a kilobyte of the answer.
pub const MAX_POD_BIDS: usize = 8;

/// Most bids of one answer: as many as their ids can tell apart. Impressions share what there is, half of it for bids under
/// deals and half for others, so each has its two; guaranteed deals come first.
pub const MAX_BIDS: usize = 256;

const _: () = assert!(2 * MAX_IMPS <= MAX_BIDS, "a bid under a deal and one without for each impression");

/// Most bytes of a placement's global id that events repeat; a longer one is left out. Known ones have up to about a hundred.
pub const MAX_GPID_BYTES: usize = 512;

/// Most bytes in the query of a sync call. Consent strings have a few hundred bytes, some two thousand.
pub const MAX_SYNC_QUERY_BYTES: usize = 8192;

/// Most bytes of an exchange's id for a person. Known ones have up to about a hundred; three such ids fit a cookie
/// however they are escaped there.
pub const MAX_UID_BYTES: usize = 256;
