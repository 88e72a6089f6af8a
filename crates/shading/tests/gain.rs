//! The interval of the gain, in days of simulated bids with a known gain.

use shading::{Gain, Hour, Sum};

struct Random(u64);

impl Random {
    /// From 0 to below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// A day in which 2 % of the bids are unshaded. Shaded bids win `wins` % and keep `shaded` on average; unshaded ones win
/// 60 % and keep `control`. What is kept varies from zero to twice the mean, and from hour to hour.
fn day(seed: u64, wins: u64, (shaded, control): (i64, i64)) -> Vec<Hour> {
    let mut random = Random(seed);
    let mut group = |bids: u64, chance: u64, mean: i64, level: i64| {
        let kept = |random: &mut Random| {
            let part = i64::try_from(random.below(2_001)).unwrap_or_default();
            if random.below(100) < chance { mean * part / 1_000 * level / 1_000 } else { 0 }
        };
        Sum { bids, surplus: (0..bids).map(|_| kept(&mut random)).sum() }
    };
    (0..24)
        .map(|hour: u64| {
            let bids = 1_500 + 1_000 * (hour % 5);
            let level = 1_000 + if hour.is_multiple_of(2) { 200 } else { -200 };
            Hour { shaded: group(bids * 49 / 50, wins, shaded, level), control: group(bids / 50, 60, control, level) }
        })
        .collect()
}

fn held(wins: u64, kept: (i64, i64), truth: i64) -> usize {
    let gains = (0..100).map(|seed| Gain::of(&day(seed * 7_919 + 1, wins, kept)).expect("24 hours"));
    gains.filter(|gain| gain.low <= truth && truth <= gain.high).count()
}

#[test]
fn the_interval_holds_the_true_gain() {
    let counts = [
        held(40, (1_000_000, 0), 400_000),
        held(40, (1_000_000, 500_000), 100_000),
        held(40, (500_000, 500_000), -100_000),
    ];
    assert!(counts.iter().all(|held| *held >= 95), "of 100: {counts:?}");
}

#[test]
fn a_loss_that_is_certain_loses_and_one_that_is_not_does_not() {
    let lost = (0..100).filter(|seed| Gain::of(&day(*seed, 20, (500_000, 900_000))).unwrap().loses()).count();
    assert!(lost >= 99, "{lost}");
    let none = (0..100).filter(|seed| Gain::of(&day(*seed, 60, (500_000, 500_000))).unwrap().loses()).count();
    assert!(none <= 3, "{none}");
}

#[test]
fn few_hours_have_no_gain_and_extremes_do_not_overflow() {
    let day = day(1, 40, (1_000_000, 0));
    assert_eq!(Gain::of(&day[..7]), None);
    let control = [Hour { control: Sum::default(), ..day[0] }; 24];
    assert_eq!(Gain::of(&control), None);
    let wild = Hour { shaded: Sum { bids: 1, surplus: i64::MAX }, control: Sum { bids: 1, surplus: i64::MIN } };
    let tame = Hour { shaded: Sum { bids: u64::MAX, surplus: 0 }, control: Sum { bids: u64::MAX, surplus: 0 } };
    assert!(Gain::of(&[wild, tame, wild, tame, wild, tame, wild, tame]).is_none_or(|gain| gain.low <= gain.high));
}
