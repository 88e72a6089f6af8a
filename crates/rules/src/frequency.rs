//! Frequency caps inside a decision: which campaigns and creatives may bid for the person.

use base::hash::hash_of;
use catalog::{Campaign, Creative};

/// The subject of a frequency cap: a campaign (`c`) or a creative (`k`), with [`hash_of`] its `cid` or `crid`. All
/// campaigns that show a creative share its counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject(pub char, pub u64);

/// A subject that may bid, and how often the person may still see it.
pub type Left = (Subject, u32);

impl Subject {
    /// The campaign as a subject.
    pub fn of_campaign(campaign: &Campaign<'_>) -> Subject {
        Subject('c', hash_of(campaign.cid()))
    }

    /// The creative as a subject.
    pub fn of_creative(creative: &Creative<'_>) -> Subject {
        Subject('k', hash_of(creative.crid()))
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
    Only(&'c [Left]),
}

impl Frequency<'_> {
    /// Whether the campaign may bid.
    pub fn allows_campaign(self, campaign: &Campaign<'_>) -> bool {
        self.allows(|| campaign.caps().is_empty(), || Subject::of_campaign(campaign))
    }

    /// Whether the creative may be shown.
    pub fn allows_creative(self, creative: &Creative<'_>) -> bool {
        self.allows(|| creative.caps().is_empty(), || Subject::of_creative(creative))
    }

    fn allows(self, is_free: impl FnOnce() -> bool, subject: impl FnOnce() -> Subject) -> bool {
        match self {
            Frequency::Open => true,
            Frequency::Except(refused) => !refused.contains(&subject()),
            Frequency::Only(allowed) => {
                is_free() || {
                    let subject = subject();
                    allowed.iter().any(|(known, left)| *known == subject && *left > 0)
                }
            }
        }
    }
}
