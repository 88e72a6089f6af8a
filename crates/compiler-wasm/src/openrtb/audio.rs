//! Audio. Durations are in seconds.

use super::{Banner, DurFloors};
use crate::decode::{Flag, Floor, JsonObject, object};

object! {
    /// An audio placement (§3.2.8).
    pub struct Audio {
        /// MIME types that can be played.
        pub mimes: Vec<String> = required,
        /// Shortest ad; not together with `rqddurs`. Default 0.
        pub minduration: Option<i64>,
        /// Longest ad; not together with `rqddurs`.
        pub maxduration: Option<i64>,
        /// Total duration of a dynamic pod.
        pub poddur: Option<i64>,
        /// Accepted protocols (AdCOM list of creative subtypes: DAAST versions and so on).
        pub protocols: Vec<i64>,
        /// When the ad starts, in seconds after the start of the content: 0 = pre-roll, -1 = mid-roll, -2 = post-roll.
        pub startdelay: Option<i64>,
        /// The only durations accepted.
        pub rqddurs: Vec<i64>,
        /// Impressions with the same value belong to one pod.
        pub podid: Option<String>,
        /// Place of the pod in the content: 1 = first, -1 = last. Default 0, any.
        pub podseq: Option<i64>,
        /// Order of the impressions of the request; deprecated, replaced by `slotinpod`. Default 0.
        pub sequence: Option<i64>,
        /// Place in the pod: 1 = first, -1 = last, 2 = first or last. Default 0, any.
        pub slotinpod: Option<i64>,
        /// Lowest CPM for each second.
        pub mincpmpersec: Option<Floor>,
        /// Blocked creative attributes (AdCOM list).
        pub battr: Vec<i64>,
        /// How far an ad may exceed `maxduration`: -1 = without limit, 0 = not at all, otherwise a number of seconds.
        pub maxextended: Option<i64>,
        /// Lowest bit rate in Kbps.
        pub minbitrate: Option<i64>,
        /// Highest bit rate in Kbps.
        pub maxbitrate: Option<i64>,
        /// Delivery methods: 1 = streaming, 2 = progressive, 3 = download.
        pub delivery: Vec<i64>,
        /// Companion banners that can be shown.
        pub companionad: Vec<Banner>,
        /// Supported API frameworks (AdCOM list).
        pub api: Vec<i64>,
        /// Companion types: 1 = static, 2 = HTML, 3 = iframe.
        pub companiontype: Vec<i64>,
        /// The most ads in a dynamic pod.
        pub maxseq: Option<i64>,
        /// Feed type: 1 = music service, 2 = broadcast, 3 = podcast and so on (AdCOM list).
        pub feed: Option<i64>,
        /// 1: the ad is stitched into the content.
        pub stitched: Option<Flag>,
        /// How loudness is normalized (AdCOM list).
        pub nvol: Option<i64>,
        /// Floors by duration.
        pub durfloors: Vec<DurFloors>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
