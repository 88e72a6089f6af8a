//! The source of a request and its supply chain.

use crate::decode::{Flag, JsonObject, object};

object! {
    /// The source of a request (§3.2.2).
    pub struct Source {
        /// Who decides the sale: 0 = the exchange, 1 = an upstream source.
        pub fd: Option<Flag>,
        /// The transaction's id, the same for all participants.
        pub tid: Option<String>,
        /// TAG's payment id chain.
        pub pchain: Option<String>,
        /// The supply chain: all companies that sold the request.
        pub schain: Option<SupplyChain>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// The chain of sellers (§3.2.25).
    pub struct SupplyChain {
        /// 1: the chain goes back to the owner of the site, app or screen.
        pub complete: Option<Flag> = required,
        /// The sellers, in the order of the sales.
        pub nodes: Vec<SupplyChainNode> = required,
        /// Version of the supply chain specification, as `major.minor`.
        pub ver: Option<String> = required,
        /// Extensions of the sellers.
        pub ext: Option<JsonObject>,
    }

    /// One seller (§3.2.26).
    pub struct SupplyChainNode {
        /// Domain of the advertising system that the seller uses.
        pub asi: Option<String> = required,
        /// The seller's account in the advertising system, as in the system's `sellers.json`; at most 64 characters.
        pub sid: Option<String> = required,
        /// The seller's id for the request.
        pub rid: Option<String>,
        /// The seller's business name, if `sellers.json` does not have it.
        pub name: Option<String>,
        /// The seller's domain, if `sellers.json` does not have it.
        pub domain: Option<String>,
        /// 1: the seller is paid for the impression.
        pub hp: Option<Flag>,
        /// Extensions of the seller.
        pub ext: Option<JsonObject>,
    }
}
