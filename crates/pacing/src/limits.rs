//! The constants of the control law, each with its unit and reason.

/// The least time from making shares to seeing what was bid with them, in ms: isolates and relays exchange each 5 to
/// 10 s.
pub(crate) const LEAST_LOOP_MS: i64 = 15_000;

/// The longest such time, in ms: isolates stop at shares of 120 s, and their counts take up to 30 s.
pub(crate) const MOST_LOOP_MS: i64 = 150_000;

/// How many times more requests than now the law is prepared for within one loop: what is left lasts for this many
/// loops. Bursts of 10 times the traffic occur, and the rest covers the error of the rates.
pub(crate) const SURGE: f64 = 12.0;

/// Seconds for which a campaign's traffic is counted before it may bid. Not all isolates report at once, so the first
/// counts are too small.
pub(crate) const WARM_UP_S: f64 = 30.0;

/// The part of their estimated cost at which all requests still to come are taken for too few. The estimate errs to more,
/// most of all for campaigns with few bills.
pub(crate) const SHORT: f64 = 0.8;

/// Bids within a loop while the price of the campaign's bids is unknown.
pub(crate) const PROBE_BIDS: f64 = 3.0;

/// The mean age of counts that are handed in, in ms: at least half of an exchange, at most three exchanges. An isolate
/// with few requests hands in old counts, which must not make all counts look old.
pub(crate) const LAG_MS: (i64, i64) = (2_500, 15_000);

/// Seconds after which the weight of an observation is 1/e: rates of requests when nothing changes, and right now.
pub(crate) const SLOW_S: f64 = 120.0;
/// See [`SLOW_S`].
pub(crate) const FAST_S: f64 = 10.0;

/// The same for bids per request let through, and for prices.
pub(crate) const BID_S: f64 = 900.0;

/// The same for the part of a campaign's bids that is billed.
pub(crate) const WIN_S: f64 = 7_200.0;

/// The same for the delays of an SSP's bills, and for the highest rate of requests.
pub(crate) const DELAY_S: f64 = 86_400.0;

/// Bids that the first guess of an SSP's delays is worth.
pub(crate) const GUESS_BIDS: f64 = 20.0;

/// Bids of a campaign at an SSP that are taken for billed, beside those that are known.
pub(crate) const FIRST_BIDS: f64 = 10.0;

/// Standard deviations of what is still to be billed that are kept back.
pub(crate) const DEVIATIONS: f64 = 2.0;

/// The part of the expected requests that must be missing for the counts of a relay to be taken for lost.
pub(crate) const LOST_PART: f64 = 0.05;

/// What lost counts are assumed to have held, as a multiple of the last rate.
pub(crate) const LOST_RATE: f64 = 1.3;

/// Slots of time above which old ones are joined.
pub(crate) const MOST_SLOTS: usize = 80;

/// Bids older than this are taken for lost if they are not billed, in ms. The bills of a whole day cannot be held by
/// the second.
pub(crate) const HORIZON_MS: i64 = 6 * 3_600_000;

/// Quarters of an hour in a local day.
pub(crate) const QUARTERS: usize = 96;

/// Milliseconds in a day.
pub(crate) const DAY_MS: i64 = 86_400_000;

/// Milliseconds in a quarter of an hour.
pub(crate) const QUARTER_MS: i64 = 900_000;
