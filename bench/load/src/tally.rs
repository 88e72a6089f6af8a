//! Counts and times of a run.

use std::time::Duration;

use hdrhistogram::{CreationError, Histogram};
use serde_json::{Value, json};

/// Warm-up of new connections. Times and bytes do not count before its end.
pub(crate) const WARM: Duration = Duration::from_millis(200);
/// The histogram keeps three significant digits.
const DIGITS: u8 = 3;

pub(crate) struct Tally {
    /// Nanoseconds of the good responses that count.
    times: Histogram<u64>,
    /// All requests sent, including those of the warm-up.
    pub(crate) sent: u64,
    /// Responses that were wrong or did not come, at any time.
    pub(crate) bad: u64,
    /// What is wrong with one of the bad responses.
    pub(crate) complaint: Option<String>,
    /// Requests of the open loop that were due but never sent, because all connections were waiting.
    pub(crate) unsent: u64,
    /// Answers that came after the exchange had stopped waiting.
    pub(crate) late: u64,
    /// Answers without a decision, because the server had too many requests or the request waited for too long.
    pub(crate) early: u64,
    /// Size of the good responses that count, with their heads.
    bytes: usize,
    /// How often no connection got a response for long, and for how long in total.
    stops: u64,
    stopped: Duration,
    /// From the beginning to the last good response.
    last: Duration,
}

impl Tally {
    pub(crate) fn new() -> Result<Tally, CreationError> {
        Ok(Tally {
            times: Histogram::new(DIGITS)?,
            sent: 0,
            bad: 0,
            complaint: None,
            unsent: 0,
            late: 0,
            early: 0,
            bytes: 0,
            stops: 0,
            stopped: Duration::ZERO,
            last: Duration::ZERO,
        })
    }

    /// A good response at `now` to a request that was due at `due`, both since the beginning. If it is the first one
    /// for at least `stop`, there was a stop; one begins at the end of the warm-up at the earliest.
    pub(crate) fn good(&mut self, now: Duration, due: Duration, bytes: usize, stop: Duration) {
        let silence = now.saturating_sub(self.last.max(WARM));
        self.last = self.last.max(now);
        if due < WARM {
            return;
        }
        self.times += u64::try_from(now.saturating_sub(due).as_nanos()).unwrap_or(u64::MAX);
        self.bytes += bytes;
        if silence >= stop {
            self.stops += 1;
            self.stopped += silence;
        }
    }

    pub(crate) fn bad(&mut self, complaint: impl FnOnce() -> String) {
        self.bad += 1;
        self.complaint.get_or_insert_with(complaint);
    }

    /// Times in microseconds.
    pub(crate) fn json(&self) -> Value {
        let quantile = |share| us(self.times.value_at_quantile(share));
        json!({
            "bad": self.bad,
            "unsent": self.unsent,
            "late": self.late,
            "early": self.early,
            "complaint": self.complaint,
            "requests": self.times.len(),
            "sent": self.sent,
            "seconds": self.last.saturating_sub(WARM).as_secs_f64(),
            "bytes": self.bytes,
            "mean_us": self.times.mean() / 1e3,
            "p50_us": quantile(0.5),
            "p90_us": quantile(0.9),
            "p99_us": quantile(0.99),
            "p999_us": quantile(0.999),
            "max_us": us(self.times.max()),
            "stops": self.stops,
            "stopped_ms": self.stopped.as_secs_f64() * 1e3,
        })
    }
}

fn us(nanoseconds: u64) -> f64 {
    Duration::from_nanos(nanoseconds).as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_due_after_the_warm_up_counts_and_the_first_complaint_stays() {
        let ms = Duration::from_millis;
        let mut tally = Tally::new().unwrap();
        for (now, due) in [(150, 100), (301, 300), (303, 300), (400, 399)] {
            tally.good(ms(now), ms(due), 10, ms(97));
        }
        tally.bad(|| "said \"no\"\n".to_owned());
        tally.bad(|| "later".to_owned());
        let json = tally.json();
        let counts = ["bad", "complaint", "requests", "bytes", "stops", "stopped_ms", "seconds"];
        let expected = json!([2, "said \"no\"\n", 3, 30, 2, 198.0, 0.2]);
        assert_eq!(json!(counts.map(|name| json[name].clone())), expected);
        assert!((1660.0..1670.0).contains(&json["mean_us"].as_f64().unwrap()), "{json}");
    }
}
