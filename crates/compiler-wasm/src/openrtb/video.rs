//! Video. Durations are in seconds.

use super::{Banner, DurFloors};
use crate::decode::{Flag, Floor, JsonObject, object};

object! {
    /// A video placement (§3.2.7).
    pub struct Video {
        /// MIME types that can be played.
        pub mimes: Vec<String> = required,
        /// Shortest ad; not together with `rqddurs`. Default 0.
        pub minduration: Option<i64>,
        /// Longest ad; not together with `rqddurs`.
        pub maxduration: Option<i64>,
        /// When the ad starts, in seconds after the start of the content: 0 = pre-roll, -1 = mid-roll, -2 = post-roll.
        pub startdelay: Option<i64>,
        /// The most ads in a dynamic pod.
        pub maxseq: Option<i64>,
        /// Total duration of a dynamic pod.
        pub poddur: Option<i64>,
        /// Accepted protocols (AdCOM list of creative subtypes: VAST versions and so on).
        pub protocols: Vec<i64>,
        /// The only accepted protocol; removed in 2.6, replaced by `protocols`.
        pub protocol: Option<i64>,
        /// Player width in density-independent pixels.
        pub w: Option<i64>,
        /// Player height in density-independent pixels.
        pub h: Option<i64>,
        /// Impressions with the same value belong to one pod.
        pub podid: Option<String>,
        /// Place of the pod in the content: 1 = first, -1 = last. Default 0, any.
        pub podseq: Option<i64>,
        /// The only durations accepted.
        pub rqddurs: Vec<i64>,
        /// Placement subtype of the older list; deprecated, replaced by `plcmt`.
        pub placement: Option<i64>,
        /// Placement subtype (AdCOM list): 1 = instream, 2 = accompanying, 3 = interstitial, 4 = standalone.
        pub plcmt: Option<i64>,
        /// 1 = linear, 2 = non-linear; absent: both.
        pub linearity: Option<i64>,
        /// 1: the player lets people skip the ad.
        pub skip: Option<Flag>,
        /// Only ads longer than this can be skipped. Default 0.
        pub skipmin: Option<i64>,
        /// Seconds to watch before skipping. Default 0.
        pub skipafter: Option<i64>,
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
        /// 1: 4:3 content may be letterboxed into 16:9. Default 1.
        pub boxingallowed: Option<Flag>,
        /// How playback starts (AdCOM list); the first one is in use.
        pub playbackmethod: Vec<i64>,
        /// What ends playback (AdCOM list).
        pub playbackend: Option<i64>,
        /// Delivery methods: 1 = streaming, 2 = progressive, 3 = download.
        pub delivery: Vec<i64>,
        /// Position on the screen (AdCOM list).
        pub pos: Option<i64>,
        /// Companion banners that can be shown.
        pub companionad: Vec<Banner>,
        /// Supported API frameworks (AdCOM list).
        pub api: Vec<i64>,
        /// Companion types: 1 = static, 2 = HTML, 3 = iframe.
        pub companiontype: Vec<i64>,
        /// What must not repeat within a pod (AdCOM list); provisional.
        pub poddedupe: Vec<i64>,
        /// Floors by duration.
        pub durfloors: Vec<DurFloors>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
