//! Scalar types that only catalog documents have: money and degrees as decimal strings, so that no digit is lost in a
//! binary float, and days.

use crate::decode::{Attribute, Context, Rule, Value};
use bidder_wasm::money::{Micros, Rounding};

/// The lowest amount that makes sense as a CPM. A lower integer probably means units, not micros.
pub(super) const MIN_AMOUNT: Micros = Micros(1_000);

/// A positive amount: a decimal string with at most six decimals (`"2.50"`), or integer micros (`2500000`). A JSON
/// number with a fraction is refused, because editors and scripts read such numbers as binary floats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount(pub Micros);

impl Attribute for Amount {
    const EXPECTED: &'static str = "a decimal string such as \"2.50\", or integer micros such as 2500000";
    const EXPECTED_LIST: &'static str = "an array of decimal strings or integer micros";

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        let amount = match &value {
            Value::Integer(micros) => Some(Micros(*micros)),
            Value::Text(text) => exact(text),
            _ => None,
        };
        let Some(amount) = amount.filter(|amount| (MIN_AMOUNT..Micros::MAX).contains(amount)) else {
            cx.report(Rule::OutOfRange, format_args!("{value}; expected {}, at least 0.001", Self::EXPECTED));
            return None;
        };
        Some(Amount(amount))
    }
}

/// The amount. `None` if it has more than six decimals.
fn exact(text: &str) -> Option<Micros> {
    let (down, up) = (Micros::parse(text, Rounding::Down)?, Micros::parse(text, Rounding::Up)?);
    (down == up).then_some(down)
}

/// A factor as a decimal string with at most six decimals, `"0.01"` to `"100"`, in millionths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times(pub u32);

impl Attribute for Times {
    const EXPECTED: &'static str = "a decimal string such as \"1.25\"";
    const EXPECTED_LIST: &'static str = "an array of decimal strings";

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        let times = match &value {
            Value::Text(text) => exact(text).and_then(|Micros(times)| u32::try_from(times).ok()),
            _ => None,
        };
        let Some(times) = times.filter(|times| (10_000..=100_000_000).contains(times)) else {
            let expected = Self::EXPECTED;
            cx.report(
                Rule::OutOfRange,
                format_args!("{value}; expected {expected}, from 0.01 to 100, with at most 6 decimals"),
            );
            return None;
        };
        Some(Times(times))
    }
}

/// Degrees of latitude or longitude as a decimal string, e.g. `"52.52"`, in millionths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Degrees(pub i64);

impl Attribute for Degrees {
    const EXPECTED: &'static str = "degrees as a decimal string such as \"52.52\"";
    const EXPECTED_LIST: &'static str = "an array of degrees as decimal strings";

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        let degrees = match &value {
            Value::Text(text) => Micros::parse(text, Rounding::Down),
            _ => None,
        };
        let Some(degrees) = degrees.filter(|degrees| degrees.0.abs() <= 180_000_000) else {
            cx.report(Rule::OutOfRange, format_args!("{value}; expected {}", Self::EXPECTED));
            return None;
        };
        Some(Degrees(degrees.0))
    }
}

/// A day of the week: 1 = Monday to 7 = Sunday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weekday(pub i64);

impl Attribute for Weekday {
    const EXPECTED: &'static str = "a day: 1 Monday to 7 Sunday";
    const EXPECTED_LIST: &'static str = "an array of days: 1 Monday to 7 Sunday";

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        if let Value::Integer(day @ 1..=7) = value {
            return Some(Weekday(day));
        }
        cx.report(Rule::OutOfRange, format_args!("{value}; expected {}", Self::EXPECTED));
        None
    }
}
