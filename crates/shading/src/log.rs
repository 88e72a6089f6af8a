//! A logarithm in integers: the exponent of the power of two below a number, and linear from one power to the next.
//! Its inverse is exact, and doubling a number adds [`OCTAVE`].

/// The logarithm of 2.
pub(crate) const OCTAVE: u32 = 1 << BITS;
const BITS: u32 = 8;

/// From 0, for 0 and 1, to below `64 * OCTAVE`.
pub(crate) fn log(number: u64) -> u32 {
    let exponent = number.max(1).ilog2();
    let mantissa = if exponent >= BITS { number >> (exponent - BITS) } else { number << (BITS - exponent) };
    #[expect(clippy::cast_possible_truncation, reason = "the mask leaves eight bits")]
    let mantissa = mantissa as u32 & (OCTAVE - 1);
    (exponent << BITS) + mantissa
}

/// The smallest number with this logarithm, rounded down below `8 * OCTAVE`.
pub(crate) fn exp(log: u32) -> u64 {
    let mantissa = u64::from(OCTAVE + log % OCTAVE);
    let exponent = (log / OCTAVE).min(63);
    if exponent >= BITS { mantissa << (exponent - BITS) } else { mantissa >> (BITS - exponent) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_is_exact_and_doubling_adds_an_octave() {
        for at in 8 * OCTAVE..63 * OCTAVE {
            assert_eq!(log(exp(at)), at);
            assert_eq!(log(exp(at + 1) - 1), at);
            assert_eq!(exp(at + OCTAVE), 2 * exp(at));
        }
        assert_eq!((log(0), log(1), log(u64::MAX)), (0, 0, 64 * OCTAVE - 1));
    }
}
