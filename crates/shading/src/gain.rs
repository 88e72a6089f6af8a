//! What shading earns, by comparing the bids that are shaded with a control group that is not.

/// The bids of one group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many.
    pub bids: u64,
    /// What the won impressions are worth minus what was paid for them, in nanos (micros per mille of each impression).
    pub surplus: i64,
}

/// The bids of one hour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hour {
    /// The shaded bids.
    pub shaded: Sum,
    /// The bids that were left as they are.
    pub control: Sum,
}

/// The gain of shading: the difference in surplus for 1,000 bids, in micros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// The likeliest gain; negative for a loss.
    pub estimate: i64,
    /// The lower end of the interval.
    pub low: i64,
    /// The upper end of the interval.
    pub high: i64,
}

/// The fewest hours with bids in both groups.
const FEWEST_HOURS: usize = 8;
/// Fractions of a micro in the arithmetic.
const FINE: i128 = 1 << 10;

impl Gain {
    /// The gain with an interval that holds the true gain in 98 of 100 cases: a jackknife that leaves out one hour at a
    /// time. Hours without bids in one of the groups do not count. `None` for fewer than eight hours.
    pub fn of(hours: &[Hour]) -> Option<Gain> {
        let hours: Vec<Hour> =
            hours.iter().copied().filter(|hour| hour.shaded.bids > 0 && hour.control.bids > 0).collect();
        if hours.len() < FEWEST_HOURS {
            return None;
        }
        let all = hours.iter().fold(Totals::default(), |sum, hour| sum.plus(hour, 1));
        let count = i128::try_from(hours.len()).ok()?;
        let estimate = all.difference();
        let squares = hours.iter().map(|hour| (all.plus(hour, -1).difference() - estimate).saturating_pow(2) / count);
        let error = (squares.fold(0, i128::saturating_add).saturating_mul(count - 1)).isqrt();
        // Student's t at 1 % on each side: 2.326 for many hours, and more for few.
        let times = 2_326 + 3_730 / (count - 1) + 6_000 / (count - 1).pow(2);
        let margin = error * times / 1_000;
        let micros = |fine: i128| i64::try_from(fine.div_euclid(FINE)).ok();
        Some(Gain { estimate: micros(estimate)?, low: micros(estimate - margin)?, high: micros(estimate + margin)? })
    }

    /// Whether shading certainly loses: switch it off.
    pub fn loses(self) -> bool {
        self.high < 0
    }
}

#[derive(Clone, Copy, Default)]
struct Totals {
    shaded: [i128; 2],
    control: [i128; 2],
}

impl Totals {
    fn plus(self, hour: &Hour, sign: i128) -> Totals {
        let plus = |[bids, surplus]: [i128; 2], sum: Sum| {
            [bids + sign * i128::from(sum.bids), surplus + sign * i128::from(sum.surplus)]
        };
        Totals { shaded: plus(self.shaded, hour.shaded), control: plus(self.control, hour.control) }
    }

    fn difference(self) -> i128 {
        let mean = |[bids, surplus]: [i128; 2]| surplus * FINE / bids.max(1);
        mean(self.shaded) - mean(self.control)
    }
}
