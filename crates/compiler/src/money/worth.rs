//! Notes exchange rates that no currency has: those of another order of magnitude, and those that are upside down.

use base::money::{Micros, Rounding};
use document::check::At;
use document::decode::Rule;

/// What one unit is worth in US dollars, about, in millionths. Currencies that lose their worth fast are left out.
const ABOUT: [(&str, i64); 53] = [
    ("AED", 272_000),
    ("AUD", 660_000),
    ("BDT", 8_200),
    ("BGN", 590_000),
    ("BHD", 2_650_000),
    ("BRL", 185_000),
    ("CAD", 720_000),
    ("CHF", 1_240_000),
    ("CLP", 1_050),
    ("CNY", 140_000),
    ("COP", 250),
    ("CZK", 47_000),
    ("DKK", 155_000),
    ("DZD", 7_700),
    ("EUR", 1_150_000),
    ("GBP", 1_320_000),
    ("HKD", 128_000),
    ("HUF", 2_900),
    ("IDR", 61),
    ("ILS", 300_000),
    ("INR", 11_500),
    ("ISK", 8_000),
    ("JOD", 1_410_000),
    ("JPY", 6_600),
    ("KES", 7_700),
    ("KRW", 700),
    ("KWD", 3_250_000),
    ("KZT", 1_900),
    ("LKR", 3_300),
    ("MAD", 107_000),
    ("MXN", 54_000),
    ("MYR", 240_000),
    ("NOK", 98_000),
    ("NZD", 580_000),
    ("OMR", 2_600_000),
    ("PEN", 290_000),
    ("PHP", 17_000),
    ("PKR", 3_550),
    ("PLN", 270_000),
    ("QAR", 275_000),
    ("RON", 225_000),
    ("RSD", 9_800),
    ("RUB", 12_000),
    ("SAR", 267_000),
    ("SEK", 104_000),
    ("SGD", 770_000),
    ("THB", 30_000),
    ("TND", 335_000),
    ("TWD", 32_000),
    ("UAH", 24_000),
    ("UYU", 25_000),
    ("VND", 38),
    ("ZAR", 57_000),
];

/// No rate moves by more than this factor within some years.
const MOST_MOVED: i64 = 5;
/// The part of itself, in per cent, by which the inverse of a rate may be off.
const NEAR: i64 = 6;
/// A rate times its inverse, both in millionths.
const ONE: i64 = 1_000_000_000_000;

/// Checks the rate `usd` of a currency. `at` is its position.
pub(crate) fn check(cur: &str, usd: &str, at: &At<'_>) {
    let Some((_, about)) = ABOUT.iter().find(|(known, _)| *known == cur) else { return };
    let Some(Micros(rate)) = Micros::parse(usd, Rounding::Up).filter(|rate| rate.0 > 0) else { return };
    let is_near = |value: i64, other: i64| (value - other).saturating_abs().saturating_mul(100) <= other * NEAR;
    let is_inverse = is_near(rate.saturating_mul(*about), ONE) && !is_near(rate, *about);
    if !is_inverse && rate <= about * MOST_MOVED && about <= &rate.saturating_mul(MOST_MOVED) {
        return;
    }
    let inverse = Micros(ONE / rate);
    let expected = if is_inverse || is_like(inverse.0, *about) { inverse } else { Micros(*about) };
    let message = format!(
        "{usd} US dollars for one {cur}, which is worth about {}; expected the US dollars for one {cur}, such as {expected}",
        Micros(*about)
    );
    at.report(Rule::Ambiguous, message);
}

/// Whether two rates have the same order of magnitude.
fn is_like(rate: i64, other: i64) -> bool {
    rate <= other * MOST_MOVED && other <= rate.saturating_mul(MOST_MOVED)
}
