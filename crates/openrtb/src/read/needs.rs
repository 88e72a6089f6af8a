//! The parts of a request that a catalog needs. The reader may leave out the other parts.

use flat::flat;

flat! {
    /// The parts of a [`Request`](crate::request::Request) that take time to read and that some catalogs do not use. A
    /// part that is not needed may be empty. Other parts are always read: ids, placement ids, floors, block lists and
    /// privacy signals.
    // One flag for each part.
    #[allow(clippy::struct_excessive_bools)]
    #[derive(Default, PartialEq, Eq)]
    pub struct Needs {
        /// `imp.banner`.
        pub banner: bool,
        /// `imp.video`, except `podid`, `poddur` and `poddedupe`, which apply to every bid on the impression.
        pub video: bool,
        /// `imp.audio`, except `podid` and `poddur`.
        pub audio: bool,
        /// `imp.native`.
        pub native: bool,
        /// `imp.pmp.deals`.
        pub deals: bool,
        /// `imp.metric`.
        pub metric: bool,
        /// `domain` and `bundle` of `site`, `app` and `dooh`. The presence of these objects is always read.
        pub place: bool,
        /// Other attributes of `site`, `app` and `dooh`; only together with `place`.
        pub channel: bool,
        /// Categories of `site`, `app`, `dooh` and their `content`; only together with `place`.
        pub cat: bool,
        /// `content` of `site`, `app` and `dooh`; only together with `place`.
        pub content: bool,
        /// What `content` is called: `id`, `title`, `series`, `season`, `episode`, `artist`, `album` and `isrc`; only
        /// together with `content`.
        pub titles: bool,
        /// `content.data`: segments and ids of the content by provider; only together with `content`.
        pub content_data: bool,
        /// Keywords of `user`; together with `place` those of `site`, `app` and `dooh`; together with `content` those
        /// of `content`.
        pub keywords: bool,
        /// The attributes of `device` about hardware, software, languages, connection and carrier, and `ifa`.
        pub device: bool,
        /// `device.ip` and `device.ipv6`.
        pub address: bool,
        /// `device.sua`.
        pub sua: bool,
        /// `country` of `device.geo` and `user.geo`.
        pub country: bool,
        /// Other attributes of `device.geo` and `user.geo`; only together with `country`.
        pub geo: bool,
        /// `user.eids` and `user.id`.
        pub eids: bool,
        /// `user.data`: segments of data providers.
        pub data: bool,
        /// `ext` of the entries of `user.data` and `content.data`; only together with one of these.
        pub data_ext: bool,
        /// `ext.data` of `user`; together with `place` those of `site`, `app` and `dooh`.
        pub first_party: bool,
        /// `source.schain`.
        pub schain: bool,
        /// `imp.ext.skadn`.
        pub skadn: bool,
    }
}

impl Needs {
    /// All parts.
    pub const ALL: Needs = Needs {
        banner: true,
        video: true,
        audio: true,
        native: true,
        deals: true,
        metric: true,
        place: true,
        channel: true,
        cat: true,
        content: true,
        titles: true,
        content_data: true,
        keywords: true,
        device: true,
        address: true,
        sua: true,
        country: true,
        geo: true,
        eids: true,
        data: true,
        data_ext: true,
        first_party: true,
        schain: true,
        skadn: true,
    };
}

/// The bidder for which a request is read, and its needs.
#[derive(Debug, Clone, Copy)]
pub struct Wants<'c> {
    /// First-party data apply if they name this code or all bidders. Empty: only data for all bidders.
    pub prebid_code: &'c str,
    /// The parts of the request that the decision needs.
    pub needs: Needs,
}

impl<'c> Wants<'c> {
    /// Wants all parts.
    #[must_use]
    pub fn everything(prebid_code: &'c str) -> Wants<'c> {
        Wants { prebid_code, needs: Needs::ALL }
    }
}
