//! The catalog's terms for SSPs and currencies, and what budgets count for a bill. Money in nanos.

use std::collections::BTreeMap;

/// A currency code such as `USD`; zeros: the currency of the campaign's budget.
pub type Cur = [u8; 3];

/// If bid prices are at least this many times the bills of an SSP, the bills are implausible: their prices are probably
/// in another unit. The summary adds up such days apart: `IMPLAUSIBLE` in `shared/limits.ts`.
const IMPLAUSIBLE: u64 = 20;

/// Reads a currency code.
#[must_use]
pub fn cur_of(text: &str) -> Cur {
    text.as_bytes().try_into().unwrap_or_default()
}

/// The catalog's terms for an SSP.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SspTerms {
    /// The id in the catalog.
    pub id: String,
    /// The SSP's invoice divided by the ledger's sum, in millionths; 0: unknown, as 1,000,000.
    pub invoice_ratio: u32,
    /// Whether prices far below the bids are right.
    pub has_low_prices: bool,
}

/// The catalog's terms for SSPs and currencies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    /// By the hash of the SSP's id.
    pub ssps: BTreeMap<u64, SspTerms>,
    /// The worth of a unit of each currency in one base currency, in billionths.
    pub rates: BTreeMap<Cur, u64>,
}

/// Bills of one campaign at one SSP in one currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Booked bills.
    pub count: u64,
    /// Their booked prices.
    pub nanos: u64,
    /// The prices of their bids.
    pub bid: u64,
    /// The bid prices of bills that are signed and not booked, because their price cannot be used.
    pub held: i64,
}

impl Sum {
    pub(crate) fn add(&mut self, other: &Sum) {
        self.count = self.count.saturating_add(other.count);
        self.nanos = self.nanos.saturating_add(other.nanos);
        self.bid = self.bid.saturating_add(other.bid);
        self.held = self.held.saturating_add(other.held);
    }

    pub(crate) fn take(&mut self, other: &Sum) {
        self.count = self.count.saturating_sub(other.count);
        self.nanos = self.nanos.saturating_sub(other.nanos);
        self.bid = self.bid.saturating_sub(other.bid);
        self.held = self.held.saturating_sub(other.held);
    }

    /// The sum divided by `parts`, rounded up.
    #[must_use]
    pub(crate) fn part(&self, parts: u32) -> Sum {
        let of = |whole: u64| whole.div_ceil(parts.max(1).into());
        let held = u64::try_from(self.held).map_or(0, |held| of(held).cast_signed());
        Sum { count: of(self.count), nanos: of(self.nanos), bid: of(self.bid), held }
    }

    /// A number that grows with every bill.
    pub(crate) fn size(&self) -> u64 {
        self.nanos.saturating_add(self.bid).saturating_add_signed(self.held)
    }

    /// Whether the bills are too cheap, compared with the bids, to be plausible.
    #[must_use]
    pub(crate) fn is_implausible(&self) -> bool {
        self.nanos.saturating_mul(IMPLAUSIBLE) < self.bid
    }
}

impl Terms {
    /// Whether bills of this sum count with the prices of their bids.
    #[must_use]
    pub(crate) fn distrusts(&self, ssp: u64, sum: &Sum) -> bool {
        sum.is_implausible() && !self.ssps.get(&ssp).is_some_and(|terms| terms.has_low_prices)
    }

    /// What a budget counts for booked bills of an SSP, in their currency.
    #[must_use]
    pub(crate) fn weight(&self, ssp: u64, sum: &Sum, is_distrusted: bool) -> u64 {
        let ratio = self.ssps.get(&ssp).map_or(0, |terms| terms.invoice_ratio);
        if is_distrusted {
            sum.bid
        } else if ratio == 0 || ratio == 1_000_000 {
            sum.nanos
        } else {
            scaled(sum.nanos, ratio.into(), 1_000_000)
        }
    }

    /// An amount in another currency. Without a rate, the amount stays as it is: see [`Terms::converts`].
    #[must_use]
    pub(crate) fn convert(&self, nanos: u64, from: Cur, to: Cur) -> u64 {
        if from == to || from == Cur::default() {
            return nanos;
        }
        match (self.rates.get(&from), self.rates.get(&to)) {
            (Some(from), Some(to)) => scaled(nanos, *from, *to),
            _ => nanos,
        }
    }

    /// Whether amounts in one currency have a worth in another one.
    #[must_use]
    pub(crate) fn converts(&self, from: Cur, to: Cur) -> bool {
        from == to || from == Cur::default() || [from, to].iter().all(|cur| self.rates.contains_key(cur))
    }
}

/// `nanos * by / of`, at most `u64::MAX`; unchanged if `of` is 0.
fn scaled(nanos: u64, by: u64, of: u64) -> u64 {
    let product = u128::from(nanos).saturating_mul(by.into());
    product.checked_div(of.into()).map_or(nanos, |scaled| u64::try_from(scaled).unwrap_or(u64::MAX))
}
