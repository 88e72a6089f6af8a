//! What a campaign declares under the EU's Digital Services Act (IAB community extension `dsa_transparency`).

use crate::flat::flat;

flat! {
    /// `bid.ext.dsa`, as fragments.
    pub struct Dsa from DsaDraft {
        /// Whether the ad shows the information itself.
        pub adrender: bool,
        /// `behalf`, `paid` and `adrender`.
        pub names: String,
        /// `transparency`, or empty.
        pub transparency: String,
    }
}
