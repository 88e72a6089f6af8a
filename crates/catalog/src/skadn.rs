//! The data of a campaign for Apple's SKAdNetwork.

use flat::flat;

flat! {
    /// The parts of `bid.ext.skadn` that are the same in every bid. The texts are digits and letters, so they need no
    /// escapes.
    pub struct Skadn from SkadnDraft {
        /// Whether the campaign bids only where the impression offers the network.
        pub required: bool,
        /// The advertising network's id, lower case.
        pub network: String,
        /// The network's number in the list of the IAB Tech Lab; 0: unknown.
        pub list_id: i64,
        /// The advertised app's id in the App Store.
        pub itunesitem: String,
        /// The campaign's number in version 4.0; empty: no bids in this version.
        pub sourceidentifier: String,
        /// The campaign's number in versions 2.0 to 3.0; empty: no bids in these versions.
        pub campaign: String,
    }
}
