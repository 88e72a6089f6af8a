//! Frequency caps inside a decision: which campaigns and creatives may bid, as far as the person's caps are known.

use crate::catalog::{Campaign, Creative};
use crate::notices::hash_of;

/// What a frequency cap is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The campaign with this [`hash_of`] its `cid`.
    Campaign(u64),
    /// The creative with this [`hash_of`] its `crid`. All campaigns that show it share its counts.
    Creative(u64),
}

impl Subject {
    /// The campaign as a subject.
    #[must_use]
    pub fn of_campaign(campaign: &Campaign<'_>) -> Subject {
        Subject::Campaign(hash_of(campaign.cid()))
    }

    /// The creative as a subject.
    #[must_use]
    pub fn of_creative(creative: &Creative<'_>) -> Subject {
        Subject::Creative(hash_of(creative.crid()))
    }
}

/// Which campaigns and creatives may bid for the person. An unknown person has no caps.
#[derive(Debug, Clone, Copy, Default)]
pub enum Frequency<'c> {
    /// All, whatever their caps.
    #[default]
    Open,
    /// All but these.
    Except(&'c [Subject]),
    /// Those without caps, and these.
    Only(&'c [Subject]),
}

impl Frequency<'_> {
    /// Whether the campaign may bid.
    #[must_use]
    pub fn allows_campaign(self, campaign: &Campaign<'_>) -> bool {
        self.allows(|| campaign.caps().is_empty(), || Subject::of_campaign(campaign))
    }

    /// Whether the creative may be shown.
    #[must_use]
    pub fn allows_creative(self, creative: &Creative<'_>) -> bool {
        self.allows(|| creative.caps().is_empty(), || Subject::of_creative(creative))
    }

    fn allows(self, is_free: impl FnOnce() -> bool, subject: impl FnOnce() -> Subject) -> bool {
        match self {
            Frequency::Open => true,
            Frequency::Except(refused) => !refused.contains(&subject()),
            Frequency::Only(allowed) => is_free() || allowed.contains(&subject()),
        }
    }
}
