//! Advertisers, and what the texts of campaigns and creatives have in common.

use flat::{fingerprint, flat, stored_as};

flat! {
    /// The advertiser of a bid: the parts that a bid carries, and the parts that requests may block.
    #[derive(Default)]
    pub struct Advertiser from AdvertiserDraft {
        /// `adomain` and `bundle`, as a fragment. Stored once for all advertisers with the same fragment.
        pub advertised: String,
        /// `cat` and `cattax`, as a fragment. Not part of `advertised`, because more advertisers share it.
        pub categories: String,
        /// `bid.adomain`, lower case.
        pub adomain: Vec<String>,
        /// `bid.bundle`; empty if no app is advertised.
        pub bundle: String,
        /// `bid.cat`, each with the categories above it: see [`base::category`].
        pub cat: Vec<String>,
        /// Taxonomy of `cat`.
        pub cattax: i64,
    }
}

/// Two facts about URLs and markup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Texts {
    /// Whether all URLs are HTTPS.
    pub secure: bool,
    /// Whether there are macros of ours to fill.
    pub macros: bool,
}

stored_as!(
    Texts,
    u8,
    fingerprint(0, "secure 1, macros 2"),
    |texts| u8::from(texts.secure) | u8::from(texts.macros) << 1,
    |bits| Texts { secure: bits & 1 > 0, macros: bits & 2 > 0 }
);
