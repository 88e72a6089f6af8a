//! How far an SSP's bills have come: the time of the newest bid that it has billed.
//!
//! If an SSP is silent, nothing is known of its younger bids: it may bill late, in batches, or its notices may not
//! arrive. So these bids do not become older until it bills again, and until its batch has arrived: how long that takes is
//! learned from each bill's time after the first bill of a bid that is as young.

use crate::delay::{RANGES, end_s, range_of};
use crate::limits::{ALL_BILLS, FIRST_BILLS, NEWS_MS};
use crate::money::seconds;

/// The news of one SSP. Times in ms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct News {
    /// When the newest billed bid was made.
    pub(crate) newest_ms: i64,
    /// `newest_ms` some time ago, because a batch takes a while to arrive. The news have passed all bids until then.
    pub(crate) until_ms: i64,
    /// `until_ms` before this tick.
    pub(crate) before_ms: i64,
    /// The changes of `newest_ms`: the time, and the new value. Older ones are left out, each at most a sixteenth of its
    /// age before the next one.
    pub(crate) heard: Vec<(i64, i64)>,
    /// Bills by the time from the news of their bids until they came, in the ranges of [`crate::delay`].
    pub(crate) waits: [f64; RANGES],
}

impl Default for News {
    fn default() -> News {
        News { newest_ms: 0, until_ms: 0, before_ms: 0, heard: Vec::new(), waits: [0.0; RANGES] }
    }
}

impl News {
    /// Notes `count` bills of bids that were made at `issued_ms`. Returns whether they came while bids of their news are
    /// open.
    pub(crate) fn hear(&mut self, issued_ms: i64, now_ms: i64, count: f64) -> bool {
        let first = self.heard.partition_point(|(_, newest_ms)| *newest_ms < issued_ms);
        let late_ms = self.heard.get(first).map_or(0, |(at_ms, _)| now_ms.saturating_sub(*at_ms));
        if let Some(bills) = self.waits.get_mut(range_of(seconds(late_ms))) {
            *bills += count;
        }
        self.newest_ms = self.newest_ms.max(issued_ms.min(now_ms));
        late_ms <= NEWS_MS.0 || late_ms <= self.wait_ms()
    }

    /// How long bids stay open after their news, in ms: until [`ALL_BILLS`] of the bills have come, and one range more,
    /// because the batch may still be arriving.
    pub(crate) fn wait_ms(&self) -> i64 {
        let mut rest = (FIRST_BILLS + self.waits.iter().sum::<f64>()) * (1.0 - ALL_BILLS);
        let is_rest = |(_, bills): &(usize, &f64)| {
            rest -= **bills;
            rest >= 0.0
        };
        let late = self.waits.iter().enumerate().skip(2).rev().take_while(is_rest).count();
        if late >= RANGES - 2 {
            NEWS_MS.0
        } else {
            (i64::from(end_s((RANGES - late).min(RANGES - 1))) * 1000).clamp(NEWS_MS.0, NEWS_MS.1)
        }
    }

    /// Ends a tick. `is_idle`: the SSP has almost nothing to bill, so its silence means that no bills are late. `weight` is
    /// the weight that old observations keep.
    pub(crate) fn settle(&mut self, now_ms: i64, is_idle: bool, weight: f64) {
        self.waits.iter_mut().for_each(|bills| *bills *= weight);
        if self.heard.last().is_none_or(|(_, newest_ms)| *newest_ms < self.newest_ms) {
            self.heard.push((now_ms, self.newest_ms));
        }
        let wait_ms = self.wait_ms();
        let age_ms = |(at_ms, _): &(i64, i64)| now_ms.saturating_sub(*at_ms);
        self.before_ms = self.until_ms;
        let old = self.heard.partition_point(|heard| age_ms(heard) >= wait_ms);
        if let Some((_, newest_ms)) = old.checked_sub(1).and_then(|at| self.heard.get(at)) {
            self.until_ms = self.until_ms.max(*newest_ms);
        }
        // While a batch arrives, more bills of it may still come.
        if is_idle && self.heard.last().is_some_and(|heard| age_ms(heard) >= wait_ms) {
            self.until_ms = self.until_ms.max(now_ms - wait_ms);
        }
        let lost = self.heard.partition_point(|heard| age_ms(heard) > 2 * NEWS_MS.1);
        self.heard.drain(..lost.saturating_sub(1));
        let mut kept: Vec<(i64, i64)> = Vec::with_capacity(self.heard.len());
        for (at, heard) in self.heard.iter().enumerate() {
            let next = self.heard.get(at + 1);
            let is_near = |(last, next): (&(i64, i64), &(i64, i64))| next.0 - last.0 <= age_ms(heard) / 16;
            if !kept.last().zip(next).is_some_and(is_near) {
                kept.push(*heard);
            }
        }
        self.heard = kept;
    }

    /// Moves all times, because the clock was wrong.
    pub(crate) fn shift(&mut self, by_ms: i64) {
        let own = [&mut self.newest_ms, &mut self.until_ms, &mut self.before_ms];
        for ms in own.into_iter().chain(self.heard.iter_mut().flat_map(|(at, newest)| [at, newest])) {
            *ms = ms.saturating_add(by_ms).max(0);
        }
    }
}

#[cfg(test)]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn news_pass_bids_when_a_batch_has_arrived() {
        let mut news = News::default();
        for now_ms in (0..3_600_000).step_by(5_000) {
            news.settle(now_ms, false, 1.0);
        }
        assert_eq!(news.until_ms, 0);
        for tick in 0..60 {
            let now_ms = 3_600_000 + tick * 5_000;
            if tick == 0 {
                news.hear(3_590_000, now_ms, 1.0);
            }
            news.settle(now_ms, false, 1.0);
            let is_passed = tick * 5_000 >= NEWS_MS.0;
            assert_eq!(news.until_ms, if is_passed { 3_590_000 } else { 0 }, "{tick}");
        }
        news.hear(9_000_000, 4_000_000, 1.0);
        assert_eq!(news.newest_ms, 4_000_000);
        news.settle(4_000_000, true, 1.0);
        assert_eq!(news.until_ms, 3_590_000);
        news.settle(8_000_000, true, 1.0);
        assert_eq!((news.until_ms, news.newest_ms), (8_000_000 - NEWS_MS.0, 4_000_000));
    }

    /// [`News::wait_ms`] from a list of bills, each with its time after the news in seconds.
    fn plain_wait_ms(late_s: &[u32]) -> i64 {
        let rest = (FIRST_BILLS + late_s.len() as f64) * (1.0 - ALL_BILLS);
        let is_enough =
            |last: &usize| late_s.iter().filter(|late| range_of(f64::from(**late)) > *last).count() as f64 <= rest;
        match (1..RANGES).find(is_enough) {
            None | Some(1) => NEWS_MS.0,
            Some(last) => (i64::from(end_s((last + 1).min(RANGES - 1))) * 1000).clamp(NEWS_MS.0, NEWS_MS.1),
        }
    }

    proptest! {
        #[test]
        fn the_wait_is_that_of_nearly_all_bills(late_s in prop::collection::vec(0..200_000_u32, 0..400), most in 1..200_000_u32) {
            let late_s: Vec<u32> = late_s.into_iter().map(|late| late % most).collect();
            let mut news = News { heard: vec![(1_000, 1_000)], ..News::default() };
            for late in &late_s {
                news.hear(1_000, 1_000 + i64::from(*late) * 1000, 1.0);
            }
            prop_assert_eq!(news.wait_ms(), plain_wait_ms(&late_s));
        }
    }
}
