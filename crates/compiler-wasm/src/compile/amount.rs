//! An amount of money as the catalog document writes it.

use crate::decode::{Attribute, Context, Finding, Rule, Value};
use bidder_wasm::catalog::CampaignDraft;
use bidder_wasm::money::{Currency, Micros, Rates, Rounding};

/// The least amount that makes sense as a CPM. Below it, an integer was meant as units.
const LEAST: Micros = Micros(1_000);

/// A positive amount: a decimal string of at most six places (`"2.50"`), or integer micros
/// (`2500000`). A JSON number with a fraction is refused, because editors and scripts pass such
/// numbers through binary floats.
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
        let Some(amount) = amount.filter(|amount| (LEAST..Micros::MAX).contains(amount)) else {
            cx.report(Rule::OutOfRange, format_args!("{value}; expected {}, at least 0.001", Self::EXPECTED));
            return None;
        };
        Some(Amount(amount))
    }
}

/// Below it, in any currency, and above it, in US dollars, a price was probably meant as the other of units and micros.
const USUAL: (Micros, Micros) = (Micros(10_000), Micros(1_000_000_000));

/// Notes prices that can hardly be meant. `campaigns` are in the order of the document.
pub(super) fn note_unusual(campaigns: &[CampaignDraft], rates: &Rates, findings: &mut Vec<Finding>) {
    for (i, CampaignDraft { max_cpm, cur, .. }) in campaigns.iter().enumerate() {
        let dollars = rates.convert(*max_cpm, *cur, Currency::USD, Rounding::Down).unwrap_or_default();
        let what = if (LEAST..USUAL.0).contains(max_cpm) {
            "is under 0.01"
        } else if dollars > USUAL.1 {
            "is over 1,000 US dollars"
        } else {
            continue;
        };
        let message = format!(
            "{max_cpm} {} {what} per thousand impressions; expected units as a decimal string such as \"2.50\", micros as an integer such as 2500000",
            cur.as_str()
        );
        findings.push(Finding::new(format!("campaigns[{i}].max_cpm"), Rule::Ambiguous, message));
    }
}

/// The amount, when no digit would be lost.
fn exact(text: &str) -> Option<Micros> {
    let (down, up) = (Micros::parse(text, Rounding::Down)?, Micros::parse(text, Rounding::Up)?);
    (down == up).then_some(down)
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
