//! Why a notice has no effect.

use base::named;
use catalog::Codec;

named! {
    /// Why a notice has no effect, with its name in counters and reports.
    pub enum Why {
        /// The token is cut or garbled.
        Malformed = "malformed",
        /// The token is not signed by us.
        Forged = "forged",
        /// We signed the token, but in a layout that only a newer build knows.
        Newer = "newer",
        /// The auction was a test.
        Test = "test",
        /// The notice comes later than the SSP's `notice_hours`.
        Expired = "expired",
        /// The token is from the future.
        Future = "future",
        /// Notices of this kind do not bill the bid.
        NotBilling = "not-billing",
        /// The price is empty.
        PriceMissing = "price-missing",
        /// The exchange has not replaced the macro of the price.
        PriceUnreplaced = "price-unreplaced",
        /// The exchange tests the notice with `AUDIT` (OpenRTB 2.6 §4.4).
        PriceAudit = "price-audit",
        /// The price is encoded, but no key of the SSP is configured.
        PriceNoKey = "price-no-key",
        /// The price is not a number, or not in the encoding.
        PriceUnreadable = "price-unreadable",
        /// The signature of the price belongs to another key, or the text was changed.
        PriceForged = "price-forged",
        /// The price is below 0.
        PriceNegative = "price-negative",
        /// The price is 0.
        PriceZero = "price-zero",
        /// The price is over [`MAX_PRICE`](base::limits::MAX_PRICE).
        PriceAbsurd = "price-absurd",
        /// The price is above the bid.
        AboveBid = "price-above-bid",
        /// The price is below the floor of the bid.
        BelowFloor = "price-below-floor",
        /// The multiplier is unreadable, not above 0, or above that of the bid.
        Multiplier = "multiplier",
        /// The catalog has no rate for a currency.
        Rate = "rate",
    }
}

impl Why {
    /// Whether the impression was probably billed anyway: then it counts against budgets until it is booked.
    pub(super) fn weighs(self) -> bool {
        use Why::{Expired, Forged, Future, Malformed, Newer, NotBilling, PriceAudit, Test};
        !matches!(self, Malformed | Forged | Newer | Test | Expired | Future | NotBilling | PriceAudit)
    }

    /// Whether our keys or rates may be wrong, or a newer build may answer next, so that the notice may be booked when it
    /// comes again.
    pub(super) fn is_mendable(self, codec: Codec) -> bool {
        matches!(self, Why::Newer | Why::PriceNoKey | Why::PriceForged | Why::Rate)
            || self == Why::PriceUnreadable && codec != Codec::Plain
    }
}
