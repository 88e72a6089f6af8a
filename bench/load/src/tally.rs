//! Counts and times of a run.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde_json::{Value, json};

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
    /// Size of the good responses that count, with their heads.
    pub(crate) bytes: usize,
    /// How often no connection got a response for long, and for how long in total.
    pub(crate) stops: u64,
    pub(crate) stopped: Duration,
    /// From the end of the warm-up to the last response.
    pub(crate) measured: Duration,
}

impl Tally {
    pub(crate) fn new() -> Result<Tally, hdrhistogram::CreationError> {
        Ok(Tally {
            times: Histogram::new(DIGITS)?,
            sent: 0,
            bad: 0,
            complaint: None,
            unsent: 0,
            bytes: 0,
            stops: 0,
            stopped: Duration::ZERO,
            measured: Duration::ZERO,
        })
    }

    pub(crate) fn good(&mut self, time: Duration, bytes: usize) {
        self.times += u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.bytes += bytes;
    }

    pub(crate) fn bad(&mut self, complaint: impl FnOnce() -> String) {
        self.bad += 1;
        self.complaint.get_or_insert_with(complaint);
    }

    /// Adds the counts of another connection.
    pub(crate) fn add(&mut self, other: Tally) {
        self.times += &other.times;
        self.sent += other.sent;
        self.bad += other.bad;
        self.complaint = self.complaint.take().or(other.complaint);
        self.unsent += other.unsent;
        self.bytes += other.bytes;
        self.stops += other.stops;
        self.stopped += other.stopped;
        self.measured = self.measured.max(other.measured);
    }

    /// Times in microseconds.
    pub(crate) fn json(&self) -> Value {
        let quantile = |share| us(self.times.value_at_quantile(share));
        json!({
            "bad": self.bad,
            "unsent": self.unsent,
            "complaint": self.complaint,
            "requests": self.times.len(),
            "sent": self.sent,
            "seconds": self.measured.as_secs_f64(),
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
    fn counts_add_up_and_the_first_complaint_stays() {
        let mut one = Tally::new().unwrap();
        one.good(Duration::from_micros(100), 10);
        one.bad(|| "said \"no\"\n".to_owned());
        let mut other = Tally::new().unwrap();
        other.good(Duration::from_micros(300), 20);
        other.bad(|| "later".to_owned());
        one.add(other);
        let json = one.json();
        let counts = ["bad", "unsent", "complaint", "requests", "bytes"].map(|name| json[name].clone());
        assert_eq!(json!(counts), json!([2, 0, "said \"no\"\n", 2, 30]));
        assert!((199.0..201.0).contains(&json["mean_us"].as_f64().unwrap()), "{json}");
    }
}
