//! Reads an amount that arrives as a binary float, with integers only.

use super::{Micros, Rounding};

/// Bits of the fraction of a double.
const FRACTION_BITS: u32 = 52;

impl Micros {
    /// The amount of an IEEE 754 double with these bits. The result is that of [`Micros::parse`] for the shortest
    /// decimal that gives this double, as JSON would have it. So 0.1 is 100,000 micros, although its double is a little
    /// more. `None` if it is not a number. Saturates at ±[`Micros::MAX`].
    pub fn of_double(bits: u64, rounding: Rounding) -> Option<Micros> {
        let (exponent, fraction) = (bits >> FRACTION_BITS & 0x7ff, bits & ((1 << FRACTION_BITS) - 1));
        let magnitude = match exponent {
            0x7ff if fraction != 0 => return None,
            // Below 2^-54, less than half a micro.
            0..969 => i64::from(rounding == Rounding::Up && (exponent > 0 || fraction > 0)),
            // From 2^44 on, the micros do not fit into 64 bits.
            1067.. => i64::MAX,
            _ => shortest(fraction | 1 << FRACTION_BITS, 1075 - exponent, rounding),
        };
        Some(Micros(if bits >> 63 == 1 { -magnitude } else { magnitude }))
    }
}

/// The shortest decimal of `mantissa` / 2^`shift` in micros. `shift` is from 9 to 106.
fn shortest(mantissa: u64, shift: u64, rounding: Rounding) -> i64 {
    // A million times the double, with `shift` bits after the binary point.
    let exact = u128::from(mantissa) * 1_000_000;
    let nearest_multiple = |unit: u128| {
        let unit = unit << shift;
        let nearest = (exact + unit / 2) / unit * unit;
        // Half the distance between two doubles is a million times half a mantissa. No decimal of this size is just
        // between two doubles.
        (nearest.abs_diff(exact) <= 500_000).then_some(nearest >> shift)
    };
    let micros = match nearest_multiple(1) {
        // Doubles from 2^33 on are further apart than micros: the shortest of several decimals has the most zeros.
        Some(_) if shift < 20 => {
            let mut units = (0..=18).rev().map(|zeros| 10_u128.pow(zeros));
            units.find_map(nearest_multiple).unwrap_or_default()
        }
        // At most one multiple of a micro gives this double. If there is one, it is the shortest decimal.
        Some(micros) => micros,
        // The shortest decimal has more digits, and lies between the same two micros as the double.
        None => (exact >> shift) + u128::from(rounding == Rounding::Up),
    };
    i64::try_from(micros).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[allow(clippy::cast_precision_loss, reason = "any double will do")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What JSON says: Rust writes a double as its shortest decimal too.
    fn read_as_json(double: f64, rounding: Rounding) -> Option<Micros> {
        Micros::parse(&format!("{double:e}"), rounding)
    }

    fn agrees(double: f64) {
        for rounding in [Rounding::Up, Rounding::Down] {
            let micros = Micros::of_double(double.to_bits(), rounding);
            assert_eq!(micros, read_as_json(double, rounding), "{double:e} {rounding:?}");
        }
    }

    #[test]
    fn doubles_are_their_shortest_decimals() {
        for double in [
            0.0,
            -0.0,
            0.1,
            0.3,
            0.1 + 0.2,
            1.0,
            2.5,
            0.000_001,
            0.000_000_1,
            0.999_999_9,
            0.000_000_5,
            1e-7,
            1e-16,
            1e-17,
            1e-300,
            f64::MIN_POSITIVE,
            5e-324,
            1e9,
            1e9 + 0.000_000_2,
            4_294_967_296.5,
            8_589_934_592.0,
            8_589_934_592.000_002,
            9e9,
            1e10,
            123_456_789_012.345_67,
            1e12,
            9.2e12,
            9.3e12,
            1e13,
            1e300,
            f64::MAX,
            17_592_186_044_416.0,
            17_592_186_044_415.998,
        ] {
            agrees(double);
            agrees(-double);
        }
        assert_eq!(Micros::of_double(0.1_f64.to_bits(), Rounding::Up), Some(Micros(100_000)));
        assert_eq!(Micros::of_double((0.1_f64 + 0.2).to_bits(), Rounding::Up), Some(Micros(300_001)));
        assert_eq!(Micros::of_double(f64::NAN.to_bits(), Rounding::Up), None);
        assert_eq!(Micros::of_double(f64::INFINITY.to_bits(), Rounding::Up), Some(Micros::MAX));
        for power in 0..=2046 {
            agrees(f64::from_bits(power << FRACTION_BITS));
            agrees(f64::from_bits(power << FRACTION_BITS | 1));
            agrees(f64::from_bits((power << FRACTION_BITS).saturating_sub(1)));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_double_is_its_shortest_decimal(
            double in prop_oneof![
                any::<f64>().prop_filter("finite", |double| double.is_finite()),
                -1e15..1e15,
                0.0..100.0,
                (0..100_000_000_u32).prop_map(|micros| f64::from(micros) / 1e6),
                (0..100_000_000_u32, 1..20_u32).prop_map(|(digits, decimals)| f64::from(digits) / 10_f64.powi(decimals.cast_signed())),
                (0..i64::MAX).prop_map(|micros| micros as f64 / 1e6),
            ]
        ) {
            agrees(double);
        }
    }
}
