//! Money as integer micros of a currency, with exact parsing, formatting and conversion. No price is ever a float.
//!
//! The caller chooses how to round: up for floors, so that no bid is under one, and down for offers.

mod double;

use core::fmt;

/// Millionths of one unit of a currency. Prices are per thousand impressions (CPM), as `bid.price` and `imp.bidfloor`
/// in OpenRTB.
///
/// ```
/// use base::money::{Micros, Rounding};
///
/// assert_eq!(Micros::parse("2.50", Rounding::Down), Some(Micros(2_500_000)));
/// assert_eq!(Micros::parse("0.0000015", Rounding::Down), Some(Micros(1)));
/// assert_eq!(Micros::parse("0.0000015", Rounding::Up), Some(Micros(2)));
/// assert_eq!(Micros::parse("2,50", Rounding::Up), None);
/// assert_eq!(Micros(2_500_000).to_string(), "2.5");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Micros(pub i64);

/// How to round digits below one micro.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Away from zero: for floors.
    Up,
    /// Toward zero: for offers.
    Down,
}

impl Micros {
    /// The greatest amount. Greater numbers saturate to it, so such a floor stays too high for every campaign.
    pub const MAX: Micros = Micros(i64::MAX);
    /// Nothing.
    pub const ZERO: Micros = Micros(0);
    /// A floor that the request has but that cannot be read. No bid reaches it.
    pub const UNREADABLE: Micros = Micros(i64::MIN);

    /// Parses a floor, rounded up: 0 for a negative number, [`Micros::UNREADABLE`] if it is not a number.
    pub fn floor(text: Option<&str>) -> Micros {
        Micros::floor_of(text.and_then(|text| Micros::parse(text, Rounding::Up)))
    }

    /// An amount as a floor: 0 for a negative amount, [`Micros::UNREADABLE`] for none.
    pub fn floor_of(amount: Option<Micros>) -> Micros {
        amount.map_or(Micros::UNREADABLE, |amount| amount.max(Micros::ZERO))
    }

    /// Parses a JSON number such as `2.50` or `1.0E-5`. `None` if the text is not such a number. Saturates at
    /// ±[`Micros::MAX`].
    pub fn parse(text: &str, rounding: Rounding) -> Option<Micros> {
        Some(Micros(Scaled::parse(text)?.to_integer(6, rounding)))
    }
}

impl Micros {
    /// Appends the amount as the shortest exact decimal: `2.5`, `0.000001`, `-3`.
    pub fn push_to(self, out: &mut String) {
        let mut digits = itoa::Buffer::new();
        let magnitude = self.0.unsigned_abs();
        out.push_str(if self.0 < 0 { "-" } else { "" });
        out.push_str(digits.format(magnitude / 1_000_000));
        let fraction = magnitude % 1_000_000;
        if fraction > 0 {
            // Adding a million keeps the zeros in front.
            let fraction = digits.format(1_000_000 + fraction);
            out.push('.');
            out.push_str(fraction.get(1..).unwrap_or_default().trim_end_matches('0'));
        }
    }
}

/// The shortest exact decimal.
impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.push_to(&mut text);
        f.write_str(&text)
    }
}

/// A decimal number as `±digits × 10^exponent`. `digits` holds the first 19 significant digits; `inexact` says that
/// later digits were not all 0.
struct Scaled {
    negative: bool,
    digits: u64,
    exponent: i64,
    inexact: bool,
}

impl Scaled {
    fn parse(text: &str) -> Option<Scaled> {
        let bytes = text.as_bytes();
        let (negative, mut rest) = match bytes.split_first()? {
            (b'-', rest) => (true, rest),
            _ => (false, bytes),
        };
        let mut scaled = Scaled { negative, digits: 0, exponent: 0, inexact: false };
        let whole = scaled.take_digits(&mut rest, 0);
        let mut fraction = None;
        if let Some((b'.', after)) = rest.split_first() {
            rest = after;
            fraction = Some(scaled.take_digits(&mut rest, -1));
        }
        if whole == 0 || fraction == Some(0) {
            return None;
        }
        if let Some((b'e' | b'E', after)) = rest.split_first() {
            rest = &[];
            scaled.exponent = scaled.exponent.saturating_add(exponent(core::str::from_utf8(after).ok()?)?);
        }
        rest.is_empty().then_some(scaled)
    }

    /// Takes the leading digits of `rest` and returns their number. Changes the exponent by `step` for each digit that
    /// is kept, and by `step + 1` for each that is cut off.
    fn take_digits(&mut self, rest: &mut &[u8], step: i64) -> usize {
        let mut count = 0;
        while let Some((digit @ b'0'..=b'9', after)) = rest.split_first() {
            let value = u64::from(digit - b'0');
            if self.digits < 1_000_000_000_000_000_000 {
                self.digits = self.digits * 10 + value;
                self.exponent += step;
            } else {
                self.inexact |= value != 0;
                self.exponent += step + 1;
            }
            *rest = after;
            count += 1;
        }
        count
    }

    /// The number times `10^decimals` as an integer, saturating.
    fn to_integer(&self, decimals: i64, rounding: Rounding) -> i64 {
        let shift = self.exponent.saturating_add(decimals);
        let mut value = self.digits;
        let mut inexact = self.inexact;
        if shift >= 0 {
            for _ in 0..shift.min(20) {
                value = value.saturating_mul(10);
            }
        } else {
            for _ in 0..shift.unsigned_abs().min(20) {
                inexact |= !value.is_multiple_of(10);
                value /= 10;
            }
        }
        if inexact && rounding == Rounding::Up {
            value = value.saturating_add(1);
        }
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        if self.negative { -value } else { value }
    }
}

/// The value of an exponent. Saturates far below the limits of i64, so that adding exponents cannot overflow.
fn exponent(text: &str) -> Option<i64> {
    const MOST: i64 = 1 << 40;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let value = digits.parse().unwrap_or(MOST).min(MOST);
    is_number.then_some(if text.starts_with('-') { -value } else { value })
}

/// A currency code: three upper-case letters, as in ISO 4217.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// US dollars: OpenRTB's default everywhere.
    pub const USD: Currency = Currency(*b"USD");
    /// Text that is not a currency code. It has no rate, so nothing converts to or from it.
    pub const UNKNOWN: Currency = Currency([b'?'; 3]);

    /// Takes three ASCII letters in upper or lower case; any other text is [`Currency::UNKNOWN`].
    pub fn parse(text: &str) -> Currency {
        match *text.as_bytes() {
            [a, b, c] if [a, b, c].iter().all(u8::is_ascii_alphabetic) => {
                Currency([a, b, c].map(|letter| letter.to_ascii_uppercase()))
            }
            _ => Currency::UNKNOWN,
        }
    }

    /// The letters of the code.
    pub fn letters(self) -> [u8; 3] {
        self.0
    }

    /// The code as text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or("???")
    }
}

impl Default for Currency {
    fn default() -> Self {
        Currency::USD
    }
}

/// Exchange rates: the worth of one unit of each currency in a common base currency, in billionths.
///
/// ```
/// use base::money::{Currency, Micros, Rates, Rounding};
///
/// let eur = Currency::parse("EUR");
/// let mut rates = Rates::default();
/// assert!(rates.set(Currency::USD, "1") && rates.set(eur, "1.0837"));
///
/// let dollar = Micros(1_000_000);
/// assert_eq!(rates.convert(dollar, Currency::USD, eur, Rounding::Down), Some(Micros(922_764)));
/// assert_eq!(rates.convert(dollar, Currency::USD, eur, Rounding::Up), Some(Micros(922_765)));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rates(Vec<(Currency, i64)>);

impl Rates {
    /// Decimals of a rate.
    pub const PLACES: i64 = 9;

    /// Sets the worth of one unit of `currency`, a decimal such as `1.0837`. Returns false and changes nothing if the
    /// text is not a positive number in range, or the currency is unknown.
    pub fn set(&mut self, currency: Currency, worth: &str) -> bool {
        let Some(value) = Scaled::parse(worth).map(|n| n.to_integer(Self::PLACES, Rounding::Down)) else {
            return false;
        };
        if currency == Currency::UNKNOWN || value <= 0 || value == i64::MAX {
            return false;
        }
        self.0.retain(|(known, _)| *known != currency);
        self.0.push((currency, value));
        true
    }

    /// Whether amounts in `currency` can be converted.
    pub fn has(&self, currency: Currency) -> bool {
        self.worth(currency).is_some()
    }

    /// Converts `amount`, exact except for the rounding of the last micro. Saturates at ±[`Micros::MAX`]. `None` if a
    /// currency has no rate; converting to the same currency needs none.
    pub fn convert(&self, amount: Micros, from: Currency, to: Currency, rounding: Rounding) -> Option<Micros> {
        if from == to && from != Currency::UNKNOWN {
            return Some(amount);
        }
        let (from, to) = (self.worth(from)?, self.worth(to)?);
        // Nearly every product fits in 64 bits, and WebAssembly divides 64-bit numbers in one instruction.
        let (quotient, rest) = if let Some(product) = amount.0.checked_mul(from) {
            (i128::from(product / to), i128::from(product % to))
        } else {
            let (product, to) = (i128::from(amount.0) * i128::from(from), i128::from(to));
            (product / to, product % to)
        };
        let quotient = if rounding == Rounding::Up && rest > 0 { quotient + 1 } else { quotient };
        Some(Micros(i64::try_from(quotient).unwrap_or(if quotient < 0 { -i64::MAX } else { i64::MAX })))
    }

    /// Every currency with the worth of one unit in billionths.
    pub fn iter(&self) -> impl Iterator<Item = (Currency, i64)> + '_ {
        self.0.iter().copied()
    }

    fn worth(&self, currency: Currency) -> Option<i64> {
        self.0.iter().find(|(known, _)| *known == currency).map(|(_, worth)| *worth)
    }
}

impl FromIterator<(Currency, i64)> for Rates {
    fn from_iter<I: IntoIterator<Item = (Currency, i64)>>(rates: I) -> Self {
        Rates(rates.into_iter().filter(|(_, worth)| *worth > 0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_to_micros() {
        let up = |text| Micros::parse(text, Rounding::Up).map(|m| m.0);
        let down = |text| Micros::parse(text, Rounding::Down).map(|m| m.0);
        for (text, ceiling, floor) in [
            ("2.50", 2_500_000, 2_500_000),
            ("2.01", 2_010_000, 2_010_000),
            ("0", 0, 0),
            ("-0.0", 0, 0),
            ("1.0E-5", 10, 10),
            ("1e-05", 10, 10),
            ("2.430134", 2_430_134, 2_430_134),
            ("2.4301341", 2_430_135, 2_430_134),
            ("0.00000000000000000000000001", 1, 0),
            ("1e-400", 1, 0),
            ("1e400", i64::MAX, i64::MAX),
            ("1e99999999999999999999999", i64::MAX, i64::MAX),
            ("0e99999999999999999999999", 0, 0),
            ("123456789012345678901234567890", i64::MAX, i64::MAX),
            ("9223372036854.775807", i64::MAX, i64::MAX),
            ("1.00000000000000000000000000000", 1_000_000, 1_000_000),
            ("1.00000000000000000000000000001", 1_000_001, 1_000_000),
            ("-1.5", -1_500_000, -1_500_000),
        ] {
            assert_eq!((up(text), down(text)), (Some(ceiling), Some(floor)), "{text}");
        }
        for text in ["", "-", ".5", "1.", "1e", "1e+", "+1", "0x1", "1 ", "NaN", "1,5"] {
            assert_eq!(up(text), None, "{text:?}");
        }
    }

    #[test]
    fn micros_to_text_and_back() {
        for (micros, text) in [
            (1_650_000, "1.65"),
            (2_000_000, "2"),
            (1, "0.000001"),
            (0, "0"),
            (-2_500_000, "-2.5"),
            (10_000_010, "10.00001"),
        ] {
            assert_eq!(Micros(micros).to_string(), text);
            assert_eq!(Micros::parse(text, Rounding::Up), Some(Micros(micros)));
        }
    }

    #[test]
    fn amounts_with_64_bit_and_128_bit_products_convert_alike() {
        let jpy = Currency::parse("JPY");
        let rates: Rates = [(Currency::USD, 1_000_000_000), (jpy, 6_512_345)].into_iter().collect();
        let most = i64::MAX / 1_000_000_000;
        for amount in [-most - 1, -most, -7, -1, 0, 1, 7, 1_230_001, most - 1, most, most + 1, most * 150] {
            let product = i128::from(amount) * 1_000_000_000;
            for (rounding, more) in [(Rounding::Up, product % 6_512_345 > 0), (Rounding::Down, false)] {
                let exact = i64::try_from(product / 6_512_345 + i128::from(more)).unwrap();
                assert_eq!(
                    rates.convert(Micros(amount), Currency::USD, jpy, rounding),
                    Some(Micros(exact)),
                    "{amount}"
                );
            }
        }
    }

    #[test]
    fn conversion_rounds_up_or_down() {
        let mut rates = Rates::default();
        assert!(rates.set(Currency::USD, "1"));
        assert!(rates.set(Currency::parse("eur"), "1.0837"));
        assert!(!rates.set(Currency::parse("GBP"), "0"));
        assert!(!rates.set(Currency::parse("euro"), "1"));
        let eur = Currency::parse("EUR");
        let convert = |amount, from, to, rounding| rates.convert(Micros(amount), from, to, rounding).map(|m| m.0);
        assert_eq!(convert(1_000_000, eur, Currency::USD, Rounding::Down), Some(1_083_700));
        assert_eq!(convert(1_000_000, Currency::USD, eur, Rounding::Down), Some(922_764));
        assert_eq!(convert(1_000_000, Currency::USD, eur, Rounding::Up), Some(922_765));
        assert_eq!(convert(5, Currency::parse("GBP"), Currency::parse("GBP"), Rounding::Up), Some(5));
        assert_eq!(convert(5, Currency::parse("GBP"), eur, Rounding::Up), None);
        assert_eq!(convert(5, Currency::UNKNOWN, Currency::UNKNOWN, Rounding::Up), None);
    }
}
