//! The numbers that the whole simulation shares.

/// 24 October 2026, as days since the first of January 1970.
pub(crate) const FIRST_DAY: i64 = 20_750;
pub(crate) const DAYS: i64 = 2;
pub(crate) const HOUR_S: i64 = 3600;
/// The requests of a burst, as a multiple of the usual ones.
pub(crate) const BURST: f64 = 10.0;
/// The length of the burst at the end of each day, in seconds.
pub(crate) const LAST_BURST_S: i64 = 400;
/// Nanos of a dollar.
pub(crate) const DOLLAR: u64 = 1_000_000_000;
/// Parts of the notices that are lost, and that come twice.
pub(crate) const LOST: f64 = 0.02;
pub(crate) const TWICE: f64 = 0.05;
/// Classes of isolates, which stand for 6,000.
pub(crate) const CLASSES: usize = 12;
pub(crate) const RELAYS: usize = 4;
/// Seconds between ticks of the pacer, and between exchanges of a relay with it.
pub(crate) const TICK_S: i64 = 5;
/// Campaigns of an order.
pub(crate) const MEMBERS: usize = 4;
/// Objects of the ledger for each day, as many as the Worker's `LEDGER_SHARDS`.
pub(crate) const SHARDS: usize = 32;
