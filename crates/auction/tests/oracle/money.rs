//! Exact money, as fractions of integers.

/// The rates of the catalog: US dollars for one unit of each currency.
pub const RATES: &[(&str, &str)] = &[("EUR", "1.0837"), ("JPY", "0.0067")];

const BILLION: i128 = 1_000_000_000;

/// An amount as a fraction of whole units.
#[derive(Debug, Clone, Copy)]
pub struct Exact {
    over: i128,
    under: i128,
}

impl Exact {
    /// Reads decimal text, with or without an exponent.
    pub fn parse(text: &str) -> Exact {
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let scale = exponent.parse::<i32>().unwrap() - i32::try_from(fraction.len()).unwrap();
        let value: i128 = format!("{whole}{fraction}").parse().unwrap();
        let power = 10_i128.pow(scale.unsigned_abs());
        if scale < 0 { Exact { over: value, under: power } } else { Exact { over: value * power, under: 1 } }
    }

    pub fn micros(micros: i128) -> Exact {
        Exact { over: micros, under: 1_000_000 }
    }

    /// Rounded up to micros.
    pub fn micros_up(self) -> i128 {
        -(-self.over * 1_000_000).div_euclid(self.under)
    }

    /// Rounded down to micros.
    pub fn micros_down(self) -> i128 {
        (self.over * 1_000_000).div_euclid(self.under)
    }

    pub fn times(self, factor: i64) -> Exact {
        Exact { over: self.over * i128::from(factor), ..self }
    }

    /// The amount in another currency; `None` without a rate.
    pub fn convert(self, from: &str, to: &str) -> Option<Exact> {
        Some(Exact { over: self.over * nano_usd(from)?, under: self.under * nano_usd(to)? })
    }

    pub fn is_zero(self) -> bool {
        self.over == 0
    }

    pub fn at_least(self, other: Exact) -> bool {
        self.over * other.under >= other.over * self.under
    }
}

/// Whether amounts in the currency can be converted.
pub fn has_rate(currency: &str) -> bool {
    nano_usd(currency).is_some()
}

/// One unit of the currency in billionths of a US dollar.
fn nano_usd(currency: &str) -> Option<i128> {
    if currency == "USD" {
        return Some(BILLION);
    }
    let (_, usd) = RATES.iter().find(|(cur, _)| *cur == currency)?;
    Some(Exact::parse(usd).times(1_000).micros_down())
}
