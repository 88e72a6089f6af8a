//! Every limit on work and memory inside the crate, with its unit and the reason for its size.
//!
//! The Workers clock does not advance while the module computes, so the limits count work instead of time.

/// Deepest nesting of objects and arrays in a JSON text. Deeper texts are refused like texts that are not JSON
/// (RFC 8259 §9 allows such a limit). Public requests nest at most 15 levels.
pub const MAX_DEPTH: usize = 64;

/// The most bytes of a response for an SSP without `max_response_bytes`. The count is approximate: it leaves out small
/// parts. 64 impressions with two bids of 3 KB each take 400 KB.
pub const MAX_RESPONSE_BYTES: usize = 1 << 20;

/// The bytes behind an input that a reader may load and overwrite.
pub const INPUT_ROOM: usize = 16;

/// The most bytes in one bid request. Public requests have at most 22 KB, composed ones at most 250 KB.
pub const MAX_REQUEST_BYTES: usize = 1 << 20;

/// The most impressions of one request that can get a bid. A counter and explain report if a request has more.
pub const MAX_IMPS: usize = 64;

/// The most values in one request. A request with more gets a no-bid, which bounds memory and work. An entry of a list
/// counts as one value, an object as about its number of attributes. A composed request of 25 KB with 22 impressions
/// has about 3,000 values, one of 100 KB with 62 impressions about 13,000.
pub const MAX_VALUES: usize = 16_000;

/// The most bytes of one string. `native.request` has no such limit because it holds a whole document. The longest
/// string in public requests has 659 bytes, consent strings have up to about 2,000.
pub const MAX_TEXT_BYTES: usize = 1 << 14;

/// The most objects that one list keeps while a whole document is decoded for validation.
pub const MAX_LISTED_OBJECTS: usize = 1 << 17;

/// The most bytes in one catalog document or snapshot. One Workers KV value holds 25 MiB. A document is compiled before
/// it is pushed and may be larger than its snapshot.
pub const MAX_CATALOG_BYTES: usize = 64 << 20;

/// The most values in all lists of a catalog together. A value takes about 60 bytes of the snapshot for each dimension
/// in which it is used.
pub const MAX_LISTED_VALUES: usize = 500_000;

/// The most values of lists in the index, where a list counts once for each dimension that uses it. At this number, the
/// lists take about 60 MB.
pub const MAX_INDEXED_VALUES: usize = 1_000_000;

/// The most ranges in all lists of addresses. In a snapshot, an IPv4 range takes at most 12 bytes and an IPv6 range 36,
/// beside the sets of lists that overlap.
pub const MAX_RANGES: usize = 1_000_000;

/// The most lists that have the same address, so that no catalog compiles slowly.
pub const MAX_LISTS_OF_ADDRESS: usize = 64;

/// The most lists that one rule includes, and the most that it excludes. A rule counts them in six bits.
pub const MAX_RULE_LISTS: usize = 63;

/// The most different paths of first-party data in a catalog. Each is searched once in a request, and a path of `imp` in
/// each impression.
pub const MAX_DATA_PATHS: usize = 16;

/// The most bytes of JSON that are searched for the values at one path; what is behind them is unknown. Public requests
/// have less than 1,000 bytes of first-party data. Each path of a catalog adds as much to the limit of work.
pub const MAX_DATA_BYTES: usize = 1 << 14;

/// The most items of a list in first-party data that count, the first ones.
pub const MAX_DATA_ITEMS: usize = 64;

/// The most names in such a path behind `ext.data`.
pub const MAX_DATA_NAMES: usize = 8;

/// The most bytes of such a path.
pub const MAX_DATA_PATH_BYTES: usize = 256;

/// The most findings that one decode reports. Further findings are only counted.
pub const MAX_FINDINGS: usize = 200;

/// The highest weight of a creative. So the sum of the weights of a campaign's creatives fits into 64 bits.
pub const MAX_WEIGHT: i64 = 1_000_000;

/// The most work of one decision, in units of about ten WebAssembly instructions. Reading the body does not count. A
/// catalog adds [`WORK_PER_CAMPAIGN`] for each campaign. With 1,000 campaigns, this is about 20 times the whole cost of
/// the mean request. At the limit, the best candidates found so far win.
pub const BASE_WORK: usize = 130_000;
/// Added to [`BASE_WORK`] for each campaign, in the same unit: each block of campaigns takes some work.
pub const WORK_PER_CAMPAIGN: usize = 5;

/// The most work of one decision with that many campaigns, in the unit of [`BASE_WORK`].
pub const fn max_work(campaigns: usize) -> usize {
    BASE_WORK + WORK_PER_CAMPAIGN * campaigns
}

/// The most bytes of an id that the response echoes: of the request, an impression or a deal. Known ids have up to
/// about 100.
pub const MAX_ID_BYTES: usize = 512;

/// The most bytes of records that one decision leaves for the operator's systems. 64 impressions with two bids each
/// take about 40 KB, and five times as much with the longest ids.
pub const MAX_RECORD_BYTES: usize = 1 << 18;

/// The most bids with a deal on one dynamic pod, and also the most bids without a deal. Eight ads of 15 seconds fill
/// two minutes. Each bid takes about a kilobyte of the response.
pub const MAX_POD_BIDS: usize = 8;

/// The most multipliers of a campaign. Each one is checked with every bid of the campaign, and the search for the most
/// that a campaign can pay tries their combinations.
pub const MAX_MULTIPLIERS: usize = 16;

/// The most values of a rule that are compared with those of another condition, to find out whether both can hold
/// together. Longer rules count as compatible, so that no catalog compiles slowly. The bound of what a campaign can pay
/// is then higher.
pub const MAX_COMPARED_VALUES: usize = 1000;

/// The most bids in one response, because a bid id has two hexadecimal digits to tell them apart. One half is for bids
/// with a deal, the other half for bids without a deal. The impressions share each half equally. Guaranteed deals come
/// first.
pub const MAX_BIDS: usize = 256;

const _: () = assert!(2 * MAX_IMPS <= MAX_BIDS, "each impression needs room for a bid with and one without a deal");

/// The most bytes of a text that names a placement in events: `gpid`, `tagid`, domain, bundle, publisher. A longer text
/// is left out, because every event of the impression would have it. Known ids have up to about 100.
pub const MAX_PLACEMENT_BYTES: usize = 512;

/// The most bytes of the values of our own macros in one bid, once they are escaped. A value that does not fit is left
/// out. Ten trackers with a consent string of 1,500 bytes have about 15,000. Every bid may have macros.
pub const MAX_FILLED_BYTES: usize = 16 << 10;

/// The most bytes of one of these values, once it is escaped; a longer one is left out. Servers refuse URLs that are
/// much longer. Consent strings have up to about 2,000 bytes, none of which needs an escape.
pub const MAX_VALUE_BYTES: usize = 2048;

/// The most characters of a macro's value in a text of a native ad; a longer value is left out. The text counts as if
/// the value had this length, because exchanges limit such texts, titles mostly to 25 or 90 characters.
pub const MAX_PHRASE_VALUE: usize = 32;

/// The most bytes in the query of a sync call. Consent strings have a few hundred bytes, some have two thousand.
pub const MAX_SYNC_QUERY_BYTES: usize = 8192;

/// The most bytes of an exchange's user id. Known ids have up to about 100. Three such ids fit into a cookie, however
/// they are escaped there.
pub const MAX_UID_BYTES: usize = 256;

/// The most bids with frequency caps that one request asks about. Most requests have one best bid, and an object
/// answers sooner if the question is short. Other campaigns with caps lose only this request.
pub const MAX_CAPPED_WINNERS: usize = 4;

/// The most milliseconds that a request waits for the object of a person. An object nearby answers in less than 10.
pub const MAX_ASK_MS: i64 = 25;

/// Milliseconds of `tmax`, besides the time on the network, that are reserved for the second decision and for delays on
/// a busy machine.
pub const MIN_AFTER_ASK_MS: i64 = 15;

/// The highest price of a notice in micros of its currency per thousand impressions: one billion units. 200 US dollars
/// are about 5 million Vietnamese dong, and the published test vector of `OpenX` is 709,959 dollars. The number is also
/// the price of one impression in nanos, which stays below 2^53, so that a JavaScript number holds it exactly.
pub const MAX_PRICE: i64 = 1_000_000_000_000_000;

/// The most combinations of quarter, campaign, creative and SSP whose bids are counted between two calls of the Worker,
/// which come every few seconds. Each takes about 200 bytes. Bids of further combinations are not in reports.
pub const MAX_TALLY: usize = 4096;

/// The most entries in each list of trackers of a video or audio ad. Every bid with the ad contains them; ads of large
/// advertisers have up to about 30.
pub const MAX_TRACKERS: usize = 64;

/// The most bytes that an SSP's `bid_ext` adds to every bid. Exchanges ask for less than 200.
pub const MAX_BID_EXT_BYTES: usize = 2048;

/// The default of an SSP's `notice_hours`. Exchanges send most notices within minutes, and those of ads that wait in a
/// cache within a day.
pub const NOTICE_HOURS: u8 = 48;

/// The most `notice_hours`: seven days. The ledger of a day takes notices for eight days from its start.
pub const MAX_NOTICE_HOURS: i64 = 168;

/// The price of a notice may be over the bid or under the floor by one part in this number, and a cent, because
/// exchanges round. Still, nothing is booked over the bid or under the floor.
pub const PRICE_TOLERANCE: i64 = 400;
/// A cent in micros.
pub const CENT: i64 = 10_000;

/// The same as [`PRICE_TOLERANCE`] if the notice is in another currency than the bid, because the exchange may have
/// another rate on that day.
pub const PRICE_TOLERANCE_CONVERTED: i64 = 20;

/// Seconds that the clock of the isolate that bid may be ahead of the clock of the one that takes the notice.
pub const MAX_CLOCK_SKEW_S: i64 = 300;

/// The most impressions that one showing counts for. Screens in stations count for some hundreds.
pub const MAX_MULTIPLIER: i64 = 10_000;

/// The highest budget of a campaign in micros of its currency: nine billion units. It is below 2^53, so that a
/// JavaScript number holds it exactly, and in nanos below 2^63.
pub const MAX_BUDGET: i64 = 9_000_000_000_000_000;

/// The most flights of a campaign. Each is compared with the time of each request that the campaign matches otherwise.
pub const MAX_FLIGHTS: usize = 100;

/// The most impressions of a frequency cap. A higher cap is a mistake, and an object keeps a number for each count.
pub const MAX_CAP: i64 = 1000;

/// The greatest weight of an hour in a day's curve. No plan needs finer steps than millionths.
pub const MAX_CURVE_WEIGHT: i64 = 1_000_000;

/// The most combinations of budget and SSP that are counted between two calls of the Worker, which come every few
/// seconds. Each takes 32 bytes, and about 60 in the text. Further combinations are not counted.
pub const MAX_DEMAND: usize = 1 << 16;
