//! Money times a rate or a chance. Money stays integer; only the factor is a float, and becomes fixed point.

/// 1 in fixed point.
const ONE: f64 = 4_294_967_296.0;

/// A factor as fixed point of 2^32. Negative factors and NaN are 0.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast saturates")]
pub(crate) fn fixed(factor: f64) -> u128 {
    (factor * ONE) as u128
}

/// `nanos` times `factor`, rounded down, at most `u64::MAX`.
#[must_use]
pub(crate) fn times(nanos: u64, factor: f64) -> u64 {
    let product = u128::from(nanos).saturating_mul(fixed(factor)) >> 32;
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// `part` / `all` as a part of 2^32; at most [`WHOLE`](crate::shares::WHOLE).
#[must_use]
pub(crate) fn part_of(part: u64, all: u64) -> u32 {
    let share = (u128::from(part) << 32).checked_div(all.into()).unwrap_or(u128::MAX);
    u32::try_from(share).unwrap_or(u32::MAX)
}

/// The ratio of two sums of money as a factor.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "a factor needs no more than 53 bits")]
pub(crate) fn ratio(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// A count as a factor.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "a factor needs no more than 53 bits")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}

/// Milliseconds as seconds.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "times of this century are far below 2^53")]
pub(crate) fn seconds(ms: i64) -> f64 {
    ms as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_chance_never_makes_more_of_money(nanos in any::<u64>(), chance in 0.0..=1.0_f64) {
            prop_assert!(times(nanos, chance) <= nanos);
            prop_assert_eq!(times(nanos, 1.0), nanos);
        }

        #[test]
        fn a_share_is_right_to_one_part(part in 0..1_u64 << 40, all in 1..1_u64 << 40) {
            let share = u128::from(part_of(part, all));
            let exact = (u128::from(part) << 32) / u128::from(all);
            prop_assert_eq!(share, exact.min(u128::from(u32::MAX)));
        }
    }

    #[test]
    fn bad_factors_are_nothing() {
        assert_eq!([f64::NAN, -1.0].map(|factor| times(5, factor)), [0, 0]);
        assert_eq!(times(u64::MAX, f64::INFINITY), u64::MAX);
        assert_eq!(part_of(1, 0), u32::MAX);
    }
}
