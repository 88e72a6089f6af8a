//! Converts the text of a number to an integer, without binary floats.

/// An integer beyond ±2^53 may have lost digits already, because many systems store it as a float.
const MAX: i64 = 1 << 53;

/// Whether `number` is within ±2^53.
pub(super) fn in_range(number: i64) -> bool {
    (-MAX..=MAX).contains(&number)
}

/// The integer of a text such as `320`, `320.0` or `3.2e2`. `None` if it is not an integer or is beyond ±2^53. Takes
/// the texts that [`Micros::parse`] takes: JSON numbers, with leading zeros allowed.
///
/// [`Micros::parse`]: bidder_wasm::money::Micros::parse
pub(super) fn integer(text: &str) -> Option<i64> {
    let number = Scientific::parse(text)?;
    let kept = number.digits.trim_end_matches('0');
    number.times_power_of_ten(kept, number.exponent.saturating_add_unsigned((number.digits.len() - kept.len()) as u64))
}

/// The number without its fraction, e.g. -2 for `-2.9` and 25 for `0.259e2`. `None` if it is beyond ±2^53.
pub(super) fn whole(text: &str) -> Option<i64> {
    let number = Scientific::parse(text)?;
    // The last `-exponent` digits are the fraction.
    let cut = usize::try_from(number.exponent.min(0).unsigned_abs()).unwrap_or(usize::MAX);
    let kept = number.digits.get(..number.digits.len().saturating_sub(cut))?;
    number.times_power_of_ten(kept, number.exponent.max(0))
}

/// The number `sign` × `digits` × 10^`exponent`.
struct Scientific {
    sign: i64,
    digits: String,
    exponent: i64,
}

impl Scientific {
    fn parse(text: &str) -> Option<Scientific> {
        let (sign, unsigned) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (digits(whole)?, digits(fraction)?),
            None => (digits(mantissa)?, ""),
        };
        let exponent = exponent.saturating_sub_unsigned(fraction.len() as u64);
        Some(Scientific { sign, digits: [whole, fraction].concat(), exponent })
    }

    /// The integer with the sign of this number, and these digits and exponent. `None` if it is beyond ±2^53.
    fn times_power_of_ten(&self, digits: &str, exponent: i64) -> Option<i64> {
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Some(0);
        }
        let power = 10_i64.checked_pow(u32::try_from(exponent).ok()?)?;
        let magnitude = digits.parse::<i64>().ok()?.checked_mul(power)?;
        in_range(magnitude).then_some(self.sign * magnitude)
    }
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

/// A larger exponent saturates: no text has enough digits to make up for it.
fn read_exponent(text: &str) -> Option<i64> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = digits(unsigned)?.parse::<i64>().unwrap_or(i64::MAX / 2);
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::{integer, whole};

    #[test]
    fn text_to_integer() {
        for (text, expected) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("-0.0", Some(0)),
            ("0e999999999999999999999", Some(0)),
            ("0.000e-5", Some(0)),
            ("320", Some(320)),
            ("0320", Some(320)),
            ("320.0", Some(320)),
            ("3.2e2", Some(320)),
            ("3.20E+2", Some(320)),
            ("32000e-2", Some(320)),
            ("-5.0", Some(-5)),
            ("9007199254740992", Some(1 << 53)),
            ("9.007199254740992e15", Some(1 << 53)),
            ("-9007199254740992.000", Some(-(1 << 53))),
            ("0.00000000000000000000000000001e29", Some(1)),
            ("100000000000000000000000000000e-29", Some(1)),
            ("9007199254740993", None),
            ("1e16", None),
            ("1e400", None),
            ("1e99999999999999999999", None),
            ("1e-99999999999999999999", None),
            ("123456789012345678901234567890", None),
            ("320.5", None),
            ("32e-1", None),
            ("", None),
            ("-", None),
            ("+1", None),
            (".5", None),
            ("1.", None),
            ("1.e1", None),
            ("1e", None),
            ("1e+-1", None),
            ("e1", None),
            ("0x10", None),
            ("1 ", None),
            ("1.2.3", None),
            ("1e2e3", None),
            ("NaN", None),
        ] {
            assert_eq!(integer(text), expected, "{text:?}");
        }
    }

    #[test]
    fn text_to_whole() {
        for (text, expected) in [
            ("0", Some(0)),
            ("2.9", Some(2)),
            ("-2.9", Some(-2)),
            ("-0.9", Some(0)),
            ("0.259e2", Some(25)),
            ("259e-2", Some(2)),
            ("259e-3", Some(0)),
            ("0.00000000000000000000000000019e28", Some(1)),
            ("000000000000000000000000000012.9", Some(12)),
            ("1e-99999999999999999999", Some(0)),
            ("0e99999999999999999999", Some(0)),
            ("1.7e12", Some(1_700_000_000_000)),
            ("9007199254740992.9", Some(1 << 53)),
            ("9007199254740993", None),
            ("1e16", None),
            ("1e99999999999999999999", None),
            ("1.", None),
            (".5", None),
            ("1.5 ", None),
            ("1.5.5", None),
            ("", None),
        ] {
            assert_eq!(whole(text), expected, "{text:?}");
        }
    }
}
