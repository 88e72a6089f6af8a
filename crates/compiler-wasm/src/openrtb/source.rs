//! Where a request comes from, and who sold it on.

use crate::decode::{Flag, JsonObject, object};

object! {
    /// The party that decides about the sale (§3.2.2).
    pub struct Source {
        /// Who takes the final decision: 0 the exchange, 1 somebody before it.
        pub fd: Option<Flag>,
        /// The transaction's id, the same for all who take part.
        pub tid: Option<String>,
        /// TAG's payment id chain.
        pub pchain: Option<String>,
        /// Everybody who sold the request on.
        pub schain: Option<SupplyChain>,
        /// Whatever the exchange adds.
        pub ext: Option<JsonObject>,
    }

    /// The chain of sellers (§3.2.25).
    pub struct SupplyChain {
        /// 1: the chain goes back to the owner of the site, app or screen.
        pub complete: Option<Flag> = required,
        /// The sellers, the first one first.
        pub nodes: Vec<SupplyChainNode> = required,
        /// Version of the supply chain specification, as `major.minor`.
        pub ver: Option<String> = required,
        /// Whatever the sellers add.
        pub ext: Option<JsonObject>,
    }

    /// One seller (§3.2.26).
    pub struct SupplyChainNode {
        /// Domain of the advertising system that the seller uses.
        pub asi: Option<String> = required,
        /// The seller's account there, as in that system's `sellers.json`; at most 64 characters.
        pub sid: Option<String> = required,
        /// The seller's id for the request.
        pub rid: Option<String>,
        /// The seller's business name, where `sellers.json` lacks it.
        pub name: Option<String>,
        /// The seller's domain, where `sellers.json` lacks it.
        pub domain: Option<String>,
        /// 1: the seller is paid for the impression.
        pub hp: Option<Flag>,
        /// Whatever the seller adds.
        pub ext: Option<JsonObject>,
    }
}
