//! The verdict of the privacy gate.

/// The data that a bid may use. A lesser verdict is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No legal basis: no bid.
    None,
    /// A bid without personal data: no ids, segments or precise location, read or written.
    Contextual,
    /// A bid that may use ids and segments.
    Personal {
        /// Whether it may use a location more precise than a city: TCF special feature 1, or the category "precise
        /// geolocation" of a US section.
        precise_geo: bool,
    },
}

impl Verdict {
    /// Everything is allowed.
    pub(super) const FREE: Self = Self::Personal { precise_geo: true };

    /// Whether a bid is allowed.
    pub fn allows_bid(self) -> bool {
        self != Self::None
    }

    /// Whether ids and segments may be used.
    pub fn allows_personal(self) -> bool {
        self > Self::Contextual
    }

    /// Whether a precise location may be used.
    pub fn allows_precise_geo(self) -> bool {
        self == Self::FREE
    }
}
