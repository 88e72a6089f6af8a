//! The requests over time: a curve of the day in each zone, noise that differs from day to day, and bursts.

use pacing::day::Zone;

use crate::random::Random;
use crate::scale::{BURST, FIRST_DAY, HOUR_S, LAST_BURST_S};
use crate::worlds::Kind;

/// The weights of the hours, with a mean of about 1.
const HOURS: [f64; 24] = [
    0.5, 0.4, 0.35, 0.3, 0.3, 0.35, 0.5, 0.8, 1.0, 1.1, 1.15, 1.2, 1.25, 1.2, 1.15, 1.1, 1.15, 1.25, 1.4, 1.6, 1.7,
    1.6, 1.25, 0.8,
];

/// The zones of the campaigns: UTC, Berlin with the end of summer time on the second day, New York.
pub(crate) fn zones() -> [Zone; 3] {
    [Zone::default(), Zone(vec![(0, 120), (1_792_890_000_000, 60)]), Zone(vec![(0, -240)])]
}

/// Requests as a multiple of a campaign's mean rate.
pub(crate) struct Traffic {
    pub(crate) zones: [Zone; 3],
    /// The first second, and the number of seconds.
    pub(crate) from_s: i64,
    pub(crate) seconds: usize,
    /// By zone: the sum of all seconds before each.
    sums: [Vec<f64>; 3],
}

impl Traffic {
    pub(crate) fn new(days: i64, kind: &Kind, random: &mut Random) -> Traffic {
        let zones = zones();
        let edges = |day: i64| zones.each_ref().map(|zone| zone.start(FIRST_DAY + day) / 1000);
        let from_s = edges(0).into_iter().min().unwrap_or_default();
        // Late bills come up to an hour and some minutes after a day.
        let until_s = edges(days).into_iter().max().unwrap_or_default() + HOUR_S + 900;
        let seconds = usize::try_from(until_s - from_s).unwrap_or_default();
        let mut bursts: Vec<(i64, i64)> = (0..days * 4)
            .map(|_| {
                let begin = from_s + random.below(seconds as u64) as i64;
                (begin, begin + 30 + random.below(270) as i64)
            })
            .collect();
        bursts.extend((1..=days).flat_map(edges).map(|end| (end - LAST_BURST_S, end)));
        bursts.sort_unstable();
        let sums = std::array::from_fn(|at| {
            let noise: Vec<f64> = (0..seconds / 900 + 2).map(|_| random.between(0.85, 1.15)).collect();
            let mut level = Vec::new();
            let mut sum = 0.0;
            let mut sums = Vec::with_capacity(seconds + 1);
            sums.push(0.0);
            for second in 0..seconds {
                let time_s = from_s + second as i64;
                let day = usize::try_from(zones[at].day(time_s * 1000) - FIRST_DAY + 1).unwrap_or_default();
                while level.len() <= day {
                    level.push(random.between(0.92, 1.08));
                }
                let burst =
                    if bursts.iter().any(|(begin, end)| (*begin..*end).contains(&time_s)) { BURST } else { 1.0 };
                sum += usual(&zones[at], time_s) * noise[second / 900] * level[day] * burst * kind.factor(time_s);
                sums.push(sum);
            }
            sums
        });
        Traffic { zones, from_s, seconds, sums }
    }

    /// The sum over the seconds from `from_s` to before `to_s`.
    pub(crate) fn sum(&self, zone: usize, from_s: i64, to_s: i64) -> f64 {
        let at =
            |time_s: i64| self.sums[zone][usize::try_from(time_s - self.from_s).unwrap_or_default().min(self.seconds)];
        at(to_s) - at(from_s)
    }
}

/// The curve of the day without noise and bursts.
pub(crate) fn usual(zone: &Zone, time_s: i64) -> f64 {
    let quarter = zone.quarter(time_s * 1000);
    let (hour, part) = (quarter / 4, quarter % 4);
    HOURS[hour] + (HOURS[(hour + 1) % 24] - HOURS[hour]) * part as f64 / 4.0
}
