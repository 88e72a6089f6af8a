//! The person: ids, and data of other companies about the person or the content.

use super::{Geo, Keywords};
use crate::decode::{JsonObject, Signal, object};

object! {
    /// The person who sees the ad (§3.2.20).
    pub struct User {
        /// The exchange's id for the person.
        pub id: Option<String>,
        /// The buyer's id for the person, from cookie sync.
        pub buyeruid: Option<String>,
        /// Year of birth, four digits; deprecated.
        pub yob: Option<i64>,
        /// `M`, `F` or `O`; deprecated.
        pub gender: Option<String>,
        /// Keywords and interests, separated by commas.
        pub keywords: Option<Keywords>,
        /// Keywords and interests as a list, instead of `keywords`.
        pub kwarray: Vec<String>,
        /// What the bidder stored in the exchange's cookie.
        pub customdata: Option<String>,
        /// Where the person lives.
        pub geo: Option<Geo>,
        /// Data of other companies about the person.
        pub data: Vec<Data>,
        /// The TCF consent string.
        pub consent: Option<Signal<String>>,
        /// Extended ids.
        pub eids: Vec<Eid>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// Ids of a person from one issuer (§3.2.27).
    pub struct Eid {
        /// Domain of the company that added the ids to the request.
        pub inserter: Option<String>,
        /// Domain of the issuer of the ids.
        pub source: Option<String>,
        /// Domain of the company that matched the ids with the person.
        pub matcher: Option<String>,
        /// How the ids were matched (AdCOM list).
        pub mm: Option<i64>,
        /// The ids.
        pub uids: Vec<Uid>,
        /// Extensions of the issuer.
        pub ext: Option<JsonObject>,
    }

    /// One id (§3.2.28).
    pub struct Uid {
        /// The id.
        pub id: Option<String>,
        /// What the id identifies (AdCOM list): 1 = a browser or device, 2 = within an app, 3 = a person.
        pub atype: Option<i64>,
        /// Extensions of the issuer.
        pub ext: Option<JsonObject>,
    }

    /// Data from one provider (§3.2.21).
    pub struct Data {
        /// The exchange's id for the provider.
        pub id: Option<String>,
        /// The exchange's name for the provider.
        pub name: Option<String>,
        /// The provider's ids of the content.
        pub cids: Vec<String>,
        /// The segments.
        pub segment: Vec<Segment>,
        /// Extensions of the provider.
        pub ext: Option<JsonObject>,
    }

    /// A segment: a name and a value (§3.2.22).
    pub struct Segment {
        /// The provider's id for the segment.
        pub id: Option<String>,
        /// The provider's name for the segment.
        pub name: Option<String>,
        /// The value.
        pub value: Option<String>,
        /// Extensions of the provider.
        pub ext: Option<JsonObject>,
    }
}
