//! SSPs: the settings of each.

use crate::flat::flat;
use crate::money::Currency;

flat! {
    /// An exchange.
    pub struct Ssp from SspDraft {
        /// The last part of its URL.
        pub id: String,
        /// SHA-256 of each accepted bearer token, lower-case hex. Empty: none needed.
        pub credentials: Vec<String>,
        /// Milliseconds that a request and its answer are under way.
        pub latency_ms: i64,
        /// Milliseconds that a request may take to come whole; 0: not told.
        pub tmax: i64,
        /// Whether a no-bid with a reason code is answered with `nbr`.
        pub nbr: bool,
        /// The currency to answer in where the request leaves the choice; unknown: the first that it names.
        pub cur: Currency,
        /// Our seats that it calls otherwise, each with what it calls them.
        pub seats: Vec<(String, String)>,
        /// Whether it takes gzip.
        pub gzip: bool,
        /// Most bytes of an answer, before gzip; 0: as many as there are.
        pub max_response_bytes: u32,
        /// What it replaces with the clearing price; empty: [`PRICE_MACRO`].
        pub price_macro: String,
        /// Whether we fill the macros.
        pub fill_macros: bool,
        /// Whether it takes one bid on each impression, whatever deals there are.
        pub one_bid_per_imp: bool,
        /// Whether all of its auctions are tests.
        pub test: bool,
        /// Where it wants our id for a person, with places to fill in; empty: nowhere.
        pub sync_url: String,
        /// Where a sync call may send the browser with our id, lower-case.
        pub sync_redirect_hosts: Vec<String>,
    }
}

/// What exchanges replace with the clearing price, as the specification spells it (§4.4).
pub const PRICE_MACRO: &str = "${AUCTION_PRICE}";

impl<'s> Ssp<'s> {
    /// What it calls a seat of ours.
    #[inline(never)]
    #[must_use]
    pub fn name_of<'n>(&self, seat: &'n str) -> &'n str
    where
        's: 'n,
    {
        self.seats().iter().find(|(ours, _)| *ours == seat).map_or(seat, |(_, name)| name)
    }

    /// Hands over the seats of ours that it calls so.
    pub fn each_seat_called(&self, name: &str, mut take: impl FnMut(&str)) {
        let others = self.seats().iter().filter(|(_, called)| *called == name).map(|(ours, _)| ours);
        others.chain(Some(name).filter(|name| self.name_of(name) == *name)).for_each(&mut take);
    }
}
