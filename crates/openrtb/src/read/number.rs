//! Parses exact integers without binary floats. [`base::money`] parses amounts.

/// Largest magnitude of an integer attribute. Larger JSON numbers are not interoperable (RFC 8259 §6).
const MAX_INTEGER: u64 = 1 << 53;

/// Parses a number without a fraction in any notation: `320`, `320.0`, `3.2e2`, also with leading zeros. `None` for a
/// fraction, a magnitude beyond 2^53, or any other text.
pub fn integer(text: &str) -> Option<i64> {
    parse(text, false)
}

/// Parses a number and drops its fraction: -2 for `-2.9`. `None` for a magnitude beyond 2^53, or any other text.
pub(super) fn truncated(text: &str) -> Option<i64> {
    parse(text, true)
}

/// The integer part of a double with these bits. `None` for a magnitude beyond 2^53, or if it is not finite.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "below 2^53, every integer is a double"
)]
pub(super) fn truncated_double(bits: u64) -> Option<i64> {
    let whole = f64::from_bits(bits).trunc();
    (whole.abs() <= MAX_INTEGER as f64).then_some(whole as i64)
}

/// The integer in a text. If `truncate` is true, a fraction is dropped, else a fraction is an error.
#[inline(never)]
fn parse(text: &str, truncate: bool) -> Option<i64> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match short_digits(magnitude.as_bytes()) {
        Some(value) => value,
        None => i64::try_from(long_form(magnitude, truncate)?).ok()?,
    };
    Some(if negative { -value } else { value })
}

/// Parses one to fifteen digits, the form of nearly all integers. `None` for any other text.
#[inline]
pub(super) fn short_digits(digits: &[u8]) -> Option<i64> {
    // Most attributes have one digit.
    if let [digit @ b'0'..=b'9'] = digits {
        return Some(i64::from(digit - b'0'));
    }
    if digits.is_empty() || digits.len() > 15 {
        return None;
    }
    let mut value = 0;
    for digit in digits {
        let digit = u32::from(*digit).wrapping_sub(u32::from(b'0'));
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    Some(value)
}

/// Parses a number with a fraction, an exponent or many digits.
fn long_form(magnitude: &str, truncate: bool) -> Option<u64> {
    let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    if [whole, fraction, unsigned].iter().any(|part| part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit())) {
        return None;
    }
    let digits = || whole.bytes().chain(fraction.bytes());
    let Some(first) = digits().position(|digit| digit != b'0') else {
        return Some(0);
    };
    // The significant digits are first..=last. The decimal point is before digit `point`.
    let last = digits().enumerate().filter(|(_, digit)| *digit != b'0').last()?.0;
    let point = i64::try_from(whole.len()).ok()?.checked_add(clamped_exponent(exponent))?;
    let (first_position, last_position) = (i64::try_from(first).ok()?, i64::try_from(last).ok()?);
    // 2^53 has sixteen digits.
    if (last_position >= point && !truncate) || point - first_position > 16 {
        return None;
    }
    let mut value: u64 = 0;
    for position in first_position..point {
        let digit = digits().nth(usize::try_from(position).ok()?).unwrap_or(b'0');
        value = value * 10 + u64::from(digit - b'0');
    }
    (value <= MAX_INTEGER).then_some(value)
}

/// The value of an exponent, clamped to ±2^40. No text is long enough to need more.
fn clamped_exponent(exponent: &str) -> i64 {
    const MAX: i64 = 1 << 40;
    let (negative, digits) = match exponent.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    let value = digits.bytes().fold(0, |value: i64, digit| {
        value.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0'))).min(MAX)
    });
    if negative { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact_or_none() {
        for (text, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("-0.0e7", Some(0)),
            ("0e99999999999999999999", Some(0)),
            ("320", Some(320)),
            ("-320", Some(-320)),
            ("320.0", Some(320)),
            ("3.2e2", Some(320)),
            ("3.20E+02", Some(320)),
            ("3200e-1", Some(320)),
            ("3205e-1", None),
            ("0.5", None),
            ("1e-400", None),
            ("1e400", None),
            ("1e15", Some(1_000_000_000_000_000)),
            ("1e16", None),
            ("999999999999999", Some(999_999_999_999_999)),
            ("9007199254740992", Some(1 << 53)),
            ("-9007199254740992", Some(-(1 << 53))),
            ("9007199254740993", None),
            ("9007199254740992.0000", Some(1 << 53)),
            ("9007199254740991.5", None),
            ("0.0000000000000000000000032e25", Some(32)),
            ("99999999999999999999999999999", None),
            ("1e99999999999999999999", None),
            ("1e-99999999999999999999", None),
            ("", None),
            ("-", None),
            ("007", Some(7)),
            ("-00320.0", Some(-320)),
            ("1.", None),
            (".5", None),
            ("1e", None),
            ("1e+", None),
            ("1e+-1", None),
            ("1e1e1", None),
            ("1.0.0", None),
            ("+1", None),
            (" 1", None),
            ("--1", None),
            ("0x1", None),
        ] {
            assert_eq!(integer(text), value, "{text:?}");
        }
    }

    #[test]
    fn doubles_are_truncated_like_their_texts() {
        for double in
            [0.0_f64, -0.9, 2.9, -2.9, 1_700_000_000_000.5, 9_007_199_254_740_992.0, 9_007_199_254_740_994.0, 1e300]
        {
            assert_eq!(truncated_double(double.to_bits()), truncated(&format!("{double:e}")), "{double}");
        }
        assert_eq!(truncated_double(f64::NAN.to_bits()), None);
        assert_eq!(truncated_double(f64::INFINITY.to_bits()), None);
    }

    #[test]
    fn truncated_drops_fractions() {
        for (text, value) in [
            ("0", Some(0)),
            ("2.9", Some(2)),
            ("-2.9", Some(-2)),
            ("-0.9", Some(0)),
            ("1e-400", Some(0)),
            ("0e400", Some(0)),
            ("1.7000000000005e12", Some(1_700_000_000_000)),
            ("17000000000005e-1", Some(1_700_000_000_000)),
            ("0.00019e5", Some(19)),
            ("0.00019e4", Some(1)),
            ("9007199254740992.9", Some(1 << 53)),
            ("-9007199254740992.9", Some(-(1 << 53))),
            ("9007199254740993.0", None),
            ("1e16", None),
            ("1e400", None),
            ("1.", None),
            (".5", None),
            ("1.5.5", None),
            ("1.5 ", None),
            ("", None),
        ] {
            assert_eq!(truncated(text), value, "{text:?}");
        }
    }
}
