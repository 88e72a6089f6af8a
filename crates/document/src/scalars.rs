//! Scalar types that only catalog documents have: money and degrees as decimal strings, so that no digit is lost in a
//! binary float, and points in time.

use crate::decode::{Attribute, Context, Json, Rule};
use crate::instant;
use base::money::{Micros, Rounding};

/// The lowest amount that makes sense as a CPM. A lower integer probably means units, not micros.
pub const MIN_AMOUNT: Micros = Micros(1_000);

/// A positive amount: a decimal string with at most six decimals (`"2.50"`), or integer micros (`2500000`). A JSON
/// number with a fraction is refused, because editors and scripts read such numbers as binary floats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount(pub Micros);

impl Attribute for Amount {
    const EXPECTED: &'static str = "a decimal string such as \"2.50\", or integer micros such as 2500000";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        let amount = match &value {
            Json::Integer(micros) => Some(Micros(*micros)),
            Json::Text(text) => exact(text),
            _ => None,
        };
        let Some(amount) = amount.filter(|amount| (MIN_AMOUNT..Micros::MAX).contains(amount)) else {
            cx.report(Rule::OutOfRange, format_args!("{value}; expected {}, at least 0.001", Self::EXPECTED));
            return None;
        };
        Some(Amount(amount))
    }
}

/// What a text stands for. Anything else is out of range.
fn read<T>(value: &Json, expected: &str, meant: impl Fn(&str) -> Option<T>, cx: &mut Context) -> Option<T> {
    let read = if let Json::Text(text) = value { meant(text) } else { None };
    if read.is_none() {
        cx.report(Rule::OutOfRange, format_args!("{value}; expected {expected}"));
    }
    read
}

/// The amount. `None` if it has more than six decimals.
fn exact(text: &str) -> Option<Micros> {
    let (down, up) = (Micros::parse(text, Rounding::Down)?, Micros::parse(text, Rounding::Up)?);
    (down == up).then_some(down)
}

/// A factor as a decimal string with at most six decimals, in millionths. The bounds are millionths too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Factor<const LEAST: u32, const MOST: u32>(pub u32);

/// The factor of an entry of `bids`.
pub type Times = Factor<10_000, 100_000_000>;

/// What an SSP's invoices ask for, divided by what edgebid booked.
pub type InvoiceRatio = Factor<500_000, 2_000_000>;

impl<const LEAST: u32, const MOST: u32> Attribute for Factor<LEAST, MOST> {
    const EXPECTED: &'static str = "a decimal string such as \"1.25\"";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        let (expected, [least, most]) = (Self::EXPECTED, [LEAST, MOST].map(|bound| Micros(bound.into())));
        let expected = format!("{expected}, from {least} to {most}, with at most 6 decimals");
        let factor = |text: &str| exact(text).and_then(|Micros(factor)| u32::try_from(factor).ok());
        let known = |text: &str| factor(text).filter(|factor| (LEAST..=MOST).contains(factor)).map(Factor);
        read(&value, &expected, known, cx)
    }
}

/// Degrees of latitude or longitude as a decimal string, e.g. `"52.52"`, in millionths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Degrees(pub i64);

impl Attribute for Degrees {
    const EXPECTED: &'static str = "degrees as a decimal string such as \"52.52\"";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        let degrees = |text: &str| Micros::parse(text, Rounding::Down).filter(|degrees| degrees.0.abs() <= 180_000_000);
        read(&value, Self::EXPECTED, |text| degrees(text).map(|Micros(millionths)| Degrees(millionths)), cx)
    }
}

/// A point in time, in milliseconds since the epoch: see [`instant::read`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Instant(pub i64);

impl Attribute for Instant {
    const EXPECTED: &'static str = "a time with its zone, such as \"2026-12-01T00:00+01:00\" or \"2026-11-30T23:00Z\"";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        read(&value, Self::EXPECTED, |text| instant::read(text).map(Instant), cx)
    }
}
