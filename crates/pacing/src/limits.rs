//! The constants of the control law, each with its unit and reason.

/// The usual time between ticks, in ms.
pub(crate) const TICK_MS: i64 = 5_000;

/// The shortest time from making shares to seeing their bids, in ms: isolates and relays exchange every 5 to 10 s.
pub(crate) const LEAST_LOOP_MS: i64 = 15_000;

/// The longest such time, in ms: isolates stop when shares are 120 s old, and their counts take up to 30 s.
pub(crate) const MOST_LOOP_MS: i64 = 150_000;

/// For how many loops the rest of a budget must last if traffic returns to its highest rate.
pub(crate) const MOST_PART: f64 = 3.0;

/// For how many times the present requests within one loop the law is prepared: the rest of a budget lasts for this
/// many loops. Bursts of 10 times the traffic occur, and the difference covers the error of the rates.
pub(crate) const SURGE: f64 = 12.0;

/// For how many loops the rest of a budget lasts at least if each isolate bids as much as it may, whatever arrives. Fewer
/// would spend it before the bids are seen.
pub(crate) const BOUND_LOOPS: f64 = 2.0;

/// Seconds after which the weight of the highest rate of calls is 1/e: a relay with few requests counts some budgets
/// seldom.
pub(crate) const CALLS_S: f64 = 900.0;

/// Seconds for which a campaign's traffic is counted before it may bid. Not all isolates report at once, so the first
/// counts are too small.
pub(crate) const WARM_UP_S: f64 = 30.0;

/// All requests still to come count as too few if this part of their estimated cost is below the rest. The estimate is
/// rather too high, most of all for campaigns with few bills.
pub(crate) const SHORT: f64 = 0.8;

/// The part of yesterday's requests that a day in windows is planned with: what is missing at the end cannot be spent.
pub(crate) const SURE: f64 = 0.7;

/// Bids within a loop while the price of the campaign's bids is unknown.
pub(crate) const PROBE_BIDS: f64 = 3.0;

/// The bounds of the mean age of reported counts, in ms: half of an exchange and three exchanges. An isolate with few
/// requests reports old counts, which must not make all counts look old.
pub(crate) const LAG_MS: (i64, i64) = (2_500, 15_000);

/// Seconds after which the weight of an observation is 1/e: rates of requests when nothing changes, and right now.
pub(crate) const SLOW_S: f64 = 120.0;
/// See [`SLOW_S`].
pub(crate) const FAST_S: f64 = 10.0;

/// The same for bids per request let through, and for prices.
pub(crate) const BID_S: f64 = 900.0;

/// The same for the part of a campaign's bids that is billed.
pub(crate) const WIN_S: f64 = 7_200.0;

/// The same for the delays of an SSP's bills.
pub(crate) const DELAY_S: f64 = 86_400.0;

/// The same for the highest rate of requests, and the longest rest that counts for it: a campaign may return at its
/// earlier rate.
pub(crate) const HIGHEST_S: f64 = 900.0;
/// See [`HIGHEST_S`].
pub(crate) const REST_S: f64 = 60.0;

/// Bids that are dearer than ever by this factor count as new ones, of which nothing is known.
pub(crate) const DEARER: f64 = 1.5;

/// The bounds of the time, in ms, for which bids are open after the first bill of their batch.
pub(crate) const NEWS_MS: (i64, i64) = (150_000, 30 * 3_600_000);

/// The part of an SSP's bills for whose arrival bids are open.
pub(crate) const ALL_BILLS: f64 = 0.98;

/// Bills that are assumed to come at once, in addition to the known ones: a single late bill says little.
pub(crate) const FIRST_BILLS: f64 = 100.0;

/// An SSP with fewer expected bills than this after its news is not silent, but idle.
pub(crate) const IDLE_BILLS: f64 = 3.0;

/// After this time in ms, most bills have come if an SSP bills within a minute.
pub(crate) const RIPE_MS: i64 = 75_000;

/// After this time in ms with bills and without counts of their bids, the relays count as down: bids are assumed at the
/// last rate.
pub(crate) const SILENT_MS: i64 = 60_000;

/// Bids that the first guess of an SSP's delays is worth.
pub(crate) const GUESS_BIDS: f64 = 20.0;

/// Assumed billed bids of a campaign at an SSP, in addition to the known ones.
pub(crate) const FIRST_BIDS: f64 = 10.0;

/// How many standard deviations of the exposure are held back.
pub(crate) const DEVIATIONS: f64 = 2.0;

/// If at least this part of the expected requests is missing, the counts of a relay are treated as lost.
pub(crate) const LOST_PART: f64 = 0.05;

/// If counts are lost, the pacer assumes that bids went on at the last rate times this.
pub(crate) const LOST_RATE: f64 = 1.3;

/// Young slots of time, see [`YOUNG_MS`], above which slots are joined.
pub(crate) const MOST_SLOTS: usize = 60;
/// Slots in all above which they are joined: if ticks come late, few slots are young.
pub(crate) const MOST_SLOTS_IN_ALL: usize = 300;
/// The age in ms of a young slot.
pub(crate) const YOUNG_MS: i64 = 600_000;

/// Bids older than this, in ms, count as lost if they are not billed: notices count for at most seven days.
pub(crate) const HORIZON_MS: i64 = 7 * 86_400_000;

/// How much earlier or later than the pacer isolates get a catalog, in ms: KV takes a minute, and the readers look every
/// 30 seconds.
pub(crate) const MOVE_MS: i64 = 120_000;

/// For this time in ms, a campaign that left its order without another budget still counts for it: an isolate that cannot
/// read KV bids with an old catalog.
pub(crate) const LEFT_MS: i64 = 3_600_000;

/// For this time in ms, an order that left the catalog is remembered: somebody may put it back.
pub(crate) const ORDER_MS: i64 = 400 * DAY_MS;

/// The age in ms from which slots may be long, because no local day reaches back that far; and their greatest length.
pub(crate) const OLD_MS: (i64, i64) = (26 * 3_600_000, 6 * 3_600_000);

/// Quarters of an hour in a local day.
pub(crate) const QUARTERS: usize = 96;

/// Milliseconds in a day.
pub(crate) const DAY_MS: i64 = 86_400_000;

/// Milliseconds in a quarter of an hour.
pub(crate) const QUARTER_MS: i64 = 900_000;
