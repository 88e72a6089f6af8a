//! How a campaign's plan spreads its money over the day: by the weights of the catalog, or by yesterday's requests.

use crate::budget::{Budget, Flight, Term};
use crate::limits::{DAY_MS, QUARTER_MS, QUARTERS};
use crate::money::{number, seconds};

/// The part of yesterday's requests that is spread evenly, so that no quarter of an hour has a weight of 0.
const EVEN: f64 = 0.005;

/// Quarters of an hour in which yesterday and today are compared.
const RECENT: usize = 8;

/// The most quarters of an hour that can have half of the day's requests if these come in windows.
const WINDOWS: usize = 4;

/// The requests of a campaign by quarter of an hour of its local day.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Curve {
    /// The day that is counted.
    pub(crate) day: i64,
    /// Whether that day was counted from its start.
    pub(crate) is_whole: bool,
    /// Its requests; empty before the first.
    pub(crate) today: Vec<f64>,
    /// The requests of the last whole day; empty if there was none.
    pub(crate) yesterday: Vec<f64>,
}

/// The plan at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    /// The part of the rest of the budget to spend per second: the present weight divided by the weight of the rest of
    /// the day or, without a daily budget, of all flights. 0 outside the flights.
    pub(crate) speed: f64,
    /// The requests that are still to come, if the rest of the day is like yesterday; `None` if yesterday is unknown.
    pub(crate) requests: Option<f64>,
    /// If requests come only in a few windows: the requests of this whole quarter of an hour, and of the rest of the
    /// time. Each counts as its hour's weight in the catalog, divided by that of this hour.
    pub(crate) in_windows: Option<f64>,
}

/// A plan for one quarter of an hour.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Ahead {
    /// The start and the end of the time when it applies, in ms.
    from_ms: i64,
    until_ms: i64,
    /// The weight of a second of the quarter, and of the whole time after the quarter.
    weight: f64,
    after: f64,
    /// The same for the requests of yesterday.
    rate: f64,
    rest: f64,
    /// Whether yesterday is known.
    is_known: bool,
    /// See [`Plan`].
    in_windows: Option<f64>,
}

impl Ahead {
    /// The plan at a time; `None` if the time is in another quarter.
    #[must_use]
    pub(crate) fn plan(&self, now_ms: i64) -> Option<Plan> {
        if !(self.from_ms..self.until_ms).contains(&now_ms) {
            return None;
        }
        let left_s = seconds(self.until_ms - now_ms);
        let left = self.after + self.weight * left_s;
        let speed = if left > 0.0 { self.weight / left } else { 0.0 };
        let rest = |left_s| self.rest + self.rate * left_s;
        Some(Plan { speed, requests: self.is_known.then(|| rest(left_s)), in_windows: self.in_windows })
    }
}

impl Curve {
    /// Counts requests at a time in ms. When a new day begins, the last day becomes yesterday.
    pub(crate) fn count(&mut self, budget: &Budget, now_ms: i64, matched: u64) {
        let day = budget.zone.day(now_ms);
        // A clock that was set back does not begin another day.
        if self.today.is_empty() || day > self.day {
            let isnt_first = !self.today.is_empty();
            if isnt_first && self.is_whole && self.today.iter().any(|matched| *matched > 0.0) {
                self.yesterday = smoothed(&self.today);
            }
            self.is_whole = now_ms - budget.zone.start(day) < QUARTER_MS;
            self.today = vec![0.0; QUARTERS];
            self.day = day;
        }
        if let Some(quarter) = self.today.get_mut(budget.zone.quarter(now_ms)) {
            *quarter += number(matched);
        }
    }

    /// Yesterday's requests per second at this time of the day and in the next quarter of an hour; 0 if unknown. If
    /// today's last two hours had fewer requests than yesterday's, the result is lower by the same factor.
    #[must_use]
    pub(crate) fn usual(&self, budget: &Budget, now_ms: i64) -> f64 {
        let quarter = budget.zone.quarter(now_ms);
        let recent = quarter.saturating_sub(RECENT)..quarter;
        let sum = |day: &[f64]| day.get(recent.clone()).unwrap_or_default().iter().sum::<f64>();
        let (was, mean) = (sum(&self.yesterday), self.yesterday.iter().sum::<f64>() / number(QUARTERS as u64));
        // At a time that has few requests on every day, a lack of them means nothing.
        let part = if was > mean { (sum(&self.today) / was).min(1.0) } else { 1.0 };
        part * self.at(budget, now_ms).max(self.at(budget, now_ms.saturating_add(QUARTER_MS)))
    }

    /// The requests of this quarter of an hour until now.
    pub(crate) fn in_quarter(&self, budget: &Budget, now_ms: i64) -> f64 {
        self.today.get(budget.zone.quarter(now_ms)).copied().unwrap_or_default()
    }

    /// The requests per second of yesterday at this time of the day; 0 if unknown.
    fn at(&self, budget: &Budget, ms: i64) -> f64 {
        self.yesterday.get(budget.zone.quarter(ms)).map_or(0.0, |matched| matched / seconds(QUARTER_MS))
    }

    /// The plan at a time.
    #[must_use]
    pub(crate) fn plan(&self, budget: &Budget, now_ms: i64) -> Plan {
        at(self.ahead(budget, now_ms), now_ms)
    }

    /// The plan at a time, as if there were a daily budget.
    #[must_use]
    pub(crate) fn plan_of_day(&self, budget: &Budget, now_ms: i64) -> Plan {
        at(self.until_midnight(budget, &budget.term(now_ms), now_ms), now_ms)
    }

    /// The plan for the rest of a quarter of an hour. Empty outside the flights.
    #[must_use]
    pub(crate) fn ahead(&self, budget: &Budget, now_ms: i64) -> Ahead {
        let term = budget.term(now_ms);
        let today = self.until_midnight(budget, &term, now_ms);
        let day_end = budget.zone.start(budget.zone.day(now_ms) + 1);
        let end = term.rest.last().map_or(i64::MAX, |flight| flight.end_ms);
        if term.idle.is_some() || term.daily != 0 || end == i64::MAX || end <= day_end {
            return today;
        }
        let day: f64 = (0..24).map(|hour| self.weight(budget, day_end + hour * DAY_MS / 24)).sum();
        let later = |start_ms: i64, end_ms: i64| seconds((end_ms - start_ms.max(day_end)).max(0));
        let later: f64 = term.rest.iter().map(|flight| later(flight.start_ms, flight.end_ms)).sum();
        let requests = self.sums(budget, &[Flight::ALWAYS], day_end, day_end + DAY_MS).weighted;
        let later_days = later / seconds(DAY_MS);
        let more = requests * later_days / hour_weight(budget, now_ms);
        let in_windows = today.in_windows.map(|today| today + more);
        Ahead { after: today.after + day / 24.0 * later, rest: f64::INFINITY, in_windows, ..today }
    }

    /// The same, but only until the end of the local day.
    fn until_midnight(&self, budget: &Budget, term: &Term<'_>, now_ms: i64) -> Ahead {
        if term.idle.is_some() {
            return Ahead::default();
        }
        let day_end = budget.zone.start(budget.zone.day(now_ms) + 1);
        let until_ms = quarter_end(now_ms).min(day_end.min(term.end_ms));
        let Sums { weight: after, requests: rest, weighted } = self.sums(budget, term.rest, until_ms, day_end);
        let (weight, rate) = (self.weight(budget, now_ms), self.at(budget, now_ms));
        let is_known = !self.yesterday.is_empty();
        let in_windows = rate * seconds(QUARTER_MS) + weighted / hour_weight(budget, now_ms);
        let in_windows = has_windows(&self.yesterday).then_some(in_windows);
        Ahead { from_ms: now_ms, until_ms, weight, after, rate, rest, is_known, in_windows }
    }

    /// The part of the day's money that the plan spends until a time of the day, from 0 to 1.
    pub(crate) fn over(&self, budget: &Budget, now_ms: i64) -> f64 {
        let day = budget.zone.day(now_ms);
        let (start, end) = (budget.zone.start(day), budget.zone.start(day + 1));
        let until = |until_ms| self.sums(budget, budget.flights(), start, until_ms).weight;
        let all = until(end);
        if all > 0.0 { until(now_ms) / all } else { 0.0 }
    }

    /// The sums of the part of a time that is in these flights.
    fn sums(&self, budget: &Budget, flights: &[Flight], from_ms: i64, until_ms: i64) -> Sums {
        let mut sums = Sums::default();
        for flight in flights {
            let (mut at, end) = (from_ms.max(flight.start_ms), until_ms.min(flight.end_ms));
            while at < end {
                let next = quarter_end(at).min(end);
                let requests = self.at(budget, at) * seconds(next - at);
                sums.weight += self.weight(budget, at) * seconds(next - at);
                sums.requests += requests;
                sums.weighted += requests * hour_weight(budget, at);
                at = next;
            }
        }
        sums
    }

    fn weight(&self, budget: &Budget, ms: i64) -> f64 {
        let quarter = budget.zone.quarter(ms);
        if let Some(weight) = budget.curve.get(quarter / 4) {
            return f64::from(*weight);
        }
        self.yesterday.get(quarter).copied().unwrap_or(1.0)
    }
}

/// Sums over a time.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    weight: f64,
    /// Yesterday's requests at these times of the day, and the same times the weights of their hours.
    requests: f64,
    weighted: f64,
}

/// The weight of an hour in the catalog; 1 without any.
fn hour_weight(budget: &Budget, ms: i64) -> f64 {
    budget.curve.get(budget.zone.quarter(ms) / 4).map_or(1.0, |weight| f64::from(*weight))
}

fn quarter_end(ms: i64) -> i64 {
    (ms.div_euclid(QUARTER_MS) + 1) * QUARTER_MS
}

/// The plan at its first moment.
fn at(ahead: Ahead, now_ms: i64) -> Plan {
    ahead.plan(now_ms).unwrap_or(Plan { speed: 0.0, requests: None, in_windows: None })
}

/// Whether a day's requests come in a few windows.
fn has_windows(day: &[f64]) -> bool {
    let mut sorted = day.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let most: f64 = sorted.iter().take(WINDOWS).sum();
    most > 0.0 && 2.0 * most >= day.iter().sum()
}

/// Windows stay unchanged. Otherwise, the median of three neighbours removes bursts, and their mean removes noise. For
/// the median only, the first and the last quarter of the day are neighbours.
fn smoothed(day: &[f64]) -> Vec<f64> {
    let last = day.len().saturating_sub(1);
    let neighbours = |list: &[f64], before: usize, at: usize, after: usize| {
        [before, at, after].map(|at| list.get(at).copied().unwrap_or_default())
    };
    let middle = |[a, b, c]: [f64; 3]| a.min(b).max(a.max(b).min(c));
    let is_raw = has_windows(day);
    let medians: Vec<f64> = if is_raw {
        day.to_vec()
    } else {
        (0..day.len())
            .map(|at| middle(neighbours(day, at.checked_sub(1).unwrap_or(last), at, (at + 1) % day.len().max(1))))
            .collect()
    };
    let mean = medians.iter().sum::<f64>() / number(day.len().max(1) as u64);
    let even = mean.max(f64::MIN_POSITIVE) * EVEN;
    let smooth = |at: usize| {
        let [before, own, after] = neighbours(&medians, at.saturating_sub(1), at, (at + 1).min(last));
        if is_raw { own } else { (before + own + after) / 3.0 }
    };
    (0..day.len()).map(|at| smooth(at) * (1.0 - EVEN) + even).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day::Zone;
    use proptest::prelude::*;

    const HOUR: i64 = 3_600_000;

    /// What the plan leaves of 1 at the end of a day, if each ten seconds are spent to plan.
    fn left_after(curve: &Curve, budget: &Budget, from: i64, until: i64) -> f64 {
        let steps = (from..until).step_by(10_000);
        steps.fold(1.0, |left, ms| left * (1.0 - (curve.plan(budget, ms).speed * 10.0).min(1.0)))
    }

    #[test]
    fn a_plan_spends_all_on_days_of_any_length() {
        let zone = Zone(vec![(0, 60), (1_774_746_000_000, 120), (1_792_890_000_000, 60)]);
        let budget = Budget { daily: 1, zone: zone.clone(), ..Budget::default() };
        for day in [20_540, 20_541, 20_751] {
            let left = left_after(&Curve::default(), &budget, zone.start(day), zone.start(day + 1));
            assert!(left < 0.001, "{left}");
        }
    }

    fn flight(start_ms: i64, end_ms: i64) -> Flight {
        Flight { start_ms, end_ms, ..Flight::ALWAYS }
    }

    #[test]
    fn money_is_spread_over_the_hours_and_flights_that_it_is_for() {
        let mut hours = vec![0; 24];
        (hours[9], hours[10]) = (1, 3);
        let by_hours = Budget { daily: 1, curve: hours, ..Budget::default() };
        let total = |flights| Budget { total: 1, flights, ..Budget::default() };
        let one = total(vec![flight(i64::MIN, 4 * DAY_MS)]);
        let several = total(vec![flight(0, DAY_MS), flight(5 * DAY_MS, 6 * DAY_MS), flight(9 * DAY_MS, 11 * DAY_MS)]);
        let flights = vec![flight(HOUR, 2 * HOUR), flight(5 * HOUR, 8 * HOUR), flight(2 * DAY_MS, 3 * DAY_MS)];
        let of_day = Budget { daily: 1, flights, ..Budget::default() };
        let own = |start, end| Flight { total: 1, ..flight(start, end) };
        let of_flights = Budget { flights: vec![own(0, 2 * DAY_MS), own(2 * DAY_MS, 9 * DAY_MS)], ..Budget::default() };
        for (what, budget, from, until, left) in [
            ("before the hours of the catalog", &by_hours, 0, 9 * HOUR, 1.0),
            ("the first of two hours", &by_hours, 9 * HOUR, 10 * HOUR, 0.75),
            ("a day of a flight of four", &one, 0, DAY_MS, 0.75),
            ("after the flight", &one, 4 * DAY_MS, 5 * DAY_MS, 1.0),
            ("a day of several flights", &several, 0, DAY_MS, 0.75),
            ("between two flights", &several, 2 * DAY_MS, 3 * DAY_MS, 1.0),
            ("a day of the last flight of two", &several, 9 * DAY_MS, 10 * DAY_MS, 0.5),
            ("the flights of a day", &of_day, 0, 2 * HOUR, 0.75),
            ("the last flight of a day", &of_day, 5 * HOUR, 8 * HOUR, 0.0),
            ("the total of a flight", &of_flights, 0, DAY_MS, 0.5),
        ] {
            let found = left_after(&Curve::default(), budget, from, until);
            assert!((found - left).abs() < 0.001, "{what}: {found}");
        }
    }

    #[test]
    fn the_part_of_a_day_that_is_over_follows_hours_and_flights() {
        let mut hours = vec![0; 24];
        (hours[9], hours[10]) = (1, 3);
        let by_hours = Budget { daily: 1, curve: hours, ..Budget::default() };
        let flights = vec![flight(i64::MIN, HOUR), flight(5 * HOUR, 8 * HOUR), flight(2 * DAY_MS, 3 * DAY_MS)];
        let by_flights = Budget { daily: 1, flights, ..Budget::default() };
        for (what, budget, now, part) in [
            ("noon", &Budget { daily: 1, ..Budget::default() }, 12 * HOUR, 0.5),
            ("before the hours", &by_hours, 9 * HOUR, 0.0),
            ("after the first hour", &by_hours, 10 * HOUR, 0.25),
            ("after the hours", &by_hours, 20 * HOUR, 1.0),
            ("between two flights", &by_flights, 3 * HOUR, 0.25),
            ("in the second flight", &by_flights, 6 * HOUR, 0.5),
            ("on a day without a flight", &by_flights, DAY_MS + HOUR, 0.0),
        ] {
            let found = Curve::default().over(budget, now);
            assert!((found - part).abs() < 0.001, "{what}: {found}");
        }
    }

    #[test]
    fn yesterday_is_learned_without_its_bursts() {
        let budget = Budget { daily: 1, ..Budget::default() };
        let mut curve = Curve::default();
        for quarter in 0..=96 {
            let matched = if quarter == 95 { 9000 } else { 900 + quarter.min(90) * 10 };
            curve.count(&budget, i64::try_from(quarter).unwrap() * QUARTER_MS, matched);
        }
        let usual = curve.at(&budget, 95 * QUARTER_MS);
        assert!((1.0..3.0).contains(&usual), "{usual}");
        assert!(curve.at(&budget, 40 * QUARTER_MS) < curve.at(&budget, 80 * QUARTER_MS));
        // Two hours with a hundredth of yesterday's requests: so are the next ones.
        assert!(curve.usual(&budget, DAY_MS) > 1.0);
        for quarter in 1..10 {
            curve.count(&budget, DAY_MS + quarter * QUARTER_MS, 9);
        }
        assert!(curve.usual(&budget, DAY_MS + 9 * QUARTER_MS) < 0.02);
    }

    #[test]
    fn windows_are_no_bursts() {
        let budget = Budget { daily: 1, ..Budget::default() };
        let mut curve = Curve::default();
        for quarter in 0..=96 {
            curve.count(&budget, quarter * QUARTER_MS, if quarter % 48 == 40 { 900 } else { 0 });
        }
        let plan = |quarter| curve.plan(&budget, DAY_MS + quarter * QUARTER_MS);
        let [first, last] = [40, 88].map(|quarter| plan(quarter).in_windows.unwrap());
        assert!((1_790.0..1_810.0).contains(&first) && (890.0..910.0).contains(&last), "{first} {last}");
        // The hours 10 and 22 have weights of 1 and 3; with a day more, both windows come again.
        let weights: Vec<u32> = (0..24).map(|hour| if hour < 12 { 1 } else { 3 }).collect();
        let weighted = Budget { curve: weights, ..budget.clone() };
        let flights = vec![flight(i64::MIN, 3 * DAY_MS)];
        let both_days = Budget { daily: 0, total: 1, flights, ..weighted.clone() };
        for (budget, quarter, requests) in
            [(&weighted, 40, 3_600.0), (&weighted, 88, 900.0), (&both_days, 40, 7_200.0), (&both_days, 88, 2_100.0)]
        {
            let found = curve.plan(budget, DAY_MS + quarter * QUARTER_MS).in_windows.unwrap();
            assert!((found / requests - 1.0).abs() < 0.03, "{quarter} {found}");
        }
        // Before a window, traffic may be as in the window, although today has had none.
        assert!(curve.usual(&budget, DAY_MS + 39 * QUARTER_MS) > 0.9);
    }

    #[test]
    fn half_a_day_is_no_yesterday() {
        let budget = Budget { daily: 1, ..Budget::default() };
        let mut curve = Curve::default();
        curve.count(&budget, 12 * HOUR, 5);
        curve.count(&budget, DAY_MS, 5);
        assert!(curve.yesterday.is_empty());
    }

    proptest! {
        #[test]
        fn every_quarter_has_a_weight(day in proptest::collection::vec(0..1000_u32, QUARTERS)) {
            let day: Vec<f64> = day.into_iter().map(f64::from).collect();
            let smooth = smoothed(&day);
            prop_assert!(smooth.iter().all(|weight| *weight > 0.0 && *weight <= 1001.0));
        }
    }
}
