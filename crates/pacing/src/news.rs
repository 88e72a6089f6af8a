//! How far an SSP's bills have come: the time of the newest bid that it has billed.
//!
//! If an SSP is silent, nothing is known of its younger bids: it may bill late, in batches, or its notices may not
//! arrive. So these bids do not become older until it bills again.

use crate::limits::NEWS_MS;

/// The news of one SSP. Times in ms.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct News {
    /// When the newest billed bid was made.
    pub(crate) newest_ms: i64,
    /// `newest_ms` some time ago, because a batch takes a while to arrive. The news have passed all bids until then.
    pub(crate) until_ms: i64,
    /// `until_ms` before this tick.
    pub(crate) before_ms: i64,
    /// The changes of `newest_ms`: the time, and the new value. Only those of the last [`NEWS_MS`], and one before.
    pub(crate) heard: Vec<(i64, i64)>,
}

impl News {
    /// Notes a bill of a bid that was made at `issued_ms`.
    pub(crate) fn hear(&mut self, issued_ms: i64, now_ms: i64) {
        self.newest_ms = self.newest_ms.max(issued_ms.min(now_ms));
    }

    /// Ends a tick. `is_idle`: the SSP has almost nothing to bill, so its silence means that no bills are late.
    pub(crate) fn settle(&mut self, now_ms: i64, is_idle: bool) {
        if self.heard.last().is_none_or(|(_, newest_ms)| *newest_ms < self.newest_ms) {
            self.heard.push((now_ms, self.newest_ms));
        }
        let old = self.heard.iter().take_while(|(at_ms, _)| now_ms.saturating_sub(*at_ms) >= NEWS_MS).count();
        self.before_ms = self.until_ms;
        if let Some((_, newest_ms)) = old.checked_sub(1).and_then(|at| self.heard.get(at)) {
            self.until_ms = self.until_ms.max(*newest_ms);
            self.heard.drain(..old - 1);
        }
        // While a batch arrives, more bills of it may still come.
        if is_idle && self.heard.last().is_some_and(|(at_ms, _)| now_ms.saturating_sub(*at_ms) >= NEWS_MS) {
            self.until_ms = self.until_ms.max(now_ms - NEWS_MS);
        }
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
mod tests {
    use super::*;

    #[test]
    fn news_pass_bids_when_a_batch_has_arrived() {
        let mut news = News::default();
        for now_ms in (0..3_600_000).step_by(5_000) {
            news.settle(now_ms, false);
        }
        assert_eq!(news.until_ms, 0);
        for tick in 0..60 {
            let now_ms = 3_600_000 + tick * 5_000;
            news.hear(3_590_000, now_ms);
            news.settle(now_ms, false);
            let is_passed = tick * 5_000 >= NEWS_MS;
            assert_eq!(news.until_ms, if is_passed { 3_590_000 } else { 0 }, "{tick}");
        }
        news.hear(9_000_000, 4_000_000);
        assert_eq!(news.newest_ms, 4_000_000);
        news.settle(4_000_000, true);
        assert_eq!(news.until_ms, 3_590_000);
        news.settle(8_000_000, true);
        assert_eq!((news.until_ms, news.newest_ms), (8_000_000 - NEWS_MS, 4_000_000));
    }
}
