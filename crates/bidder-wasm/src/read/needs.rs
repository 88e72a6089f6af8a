//! What a decision can ask of a request, so that a reader may leave out the rest.

use crate::flat::flat;

flat! {
    /// The parts of a [`Request`](crate::request::Request) that cost something to read and that some
    /// catalogs have no use for. A part that is not needed may read as if the request had not told it.
    /// Everything else is always read: ids, among them those of placements, floors, block lists, and what the law is judged by.
    // A flag for each part is what this is.
    #[allow(clippy::struct_excessive_bools)]
    #[derive(Default, PartialEq, Eq)]
    pub struct Needs {
        /// `imp.banner`.
        pub banner: bool,
        /// `imp.video`, but for its pod: `podid` and `poddedupe` concern every bid on the impression.
        pub video: bool,
        /// `imp.audio`, but for its pod.
        pub audio: bool,
        /// `imp.native`.
        pub native: bool,
        /// `imp.pmp.deals`.
        pub deals: bool,
        /// `imp.metric`.
        pub metric: bool,
        /// What is inside of `site`, `app` and `dooh`. Which of them there is, is always read.
        pub channel: bool,
        /// Their categories, and those of their `content`; with `channel` only.
        pub cat: bool,
        /// Their `content`; with `channel` only.
        pub content: bool,
        /// Their keywords with `channel`, those of `content` with `content`, those of `user`.
        pub keywords: bool,
        /// What `device` says of itself: `make`, `model`, `os`, `osv`, languages, connection, carrier, `ifa`.
        pub device: bool,
        /// `device.sua`.
        pub sua: bool,
        /// `device.geo` and `user.geo`.
        pub geo: bool,
        /// `user.eids`.
        pub eids: bool,
        /// `user.data`: segments.
        pub data: bool,
        /// `source.schain`.
        pub schain: bool,
    }
}

impl Needs {
    /// Every part.
    pub const ALL: Needs = Needs {
        banner: true,
        video: true,
        audio: true,
        native: true,
        deals: true,
        metric: true,
        channel: true,
        cat: true,
        content: true,
        keywords: true,
        device: true,
        sua: true,
        geo: true,
        eids: true,
        data: true,
        schain: true,
    };
}

/// For whom a request is read.
#[derive(Debug, Clone, Copy)]
pub struct Wants<'c> {
    /// First-party data are ours when addressed to this code, or to everyone. Empty: to everyone only.
    pub prebid_code: &'c str,
    /// What will be asked of the request.
    pub needs: Needs,
}

impl<'c> Wants<'c> {
    /// Wants every part.
    #[must_use]
    pub fn everything(prebid_code: &'c str) -> Wants<'c> {
        Wants { prebid_code, needs: Needs::ALL }
    }
}
