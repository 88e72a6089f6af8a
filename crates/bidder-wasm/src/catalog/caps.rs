//! Frequency caps: how often a person may see a campaign or a creative.

use super::billing::choice;
use crate::flat::{Flat, Source, Writer, fingerprint};

choice! {
    /// The time in which a frequency cap counts. It ends now: it is not a calendar day.
    Per {
        /// The last hour.
        #[default]
        Hour = "hour",
        /// The last 24 hours.
        Day = "day",
        /// The last seven days.
        Week = "week",
        /// As long as the person is remembered.
        Lifetime = "lifetime",
    }
}

choice! {
    /// What a frequency cap counts.
    CapOn {
        /// Billed impressions.
        #[default]
        Bill = "bill",
        /// Bids, also those that lose.
        Bid = "bid",
    }
}
