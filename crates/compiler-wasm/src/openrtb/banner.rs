//! Banners. Widths and heights are in density-independent pixels.

use crate::decode::{Flag, JsonObject, object};

object! {
    /// A banner placement, or a companion of a video or audio ad (§3.2.6).
    pub struct Banner {
        /// Allowed sizes.
        pub format: Vec<Format>,
        /// Exact width, if `format` is absent.
        pub w: Option<i64>,
        /// Exact height, if `format` is absent.
        pub h: Option<i64>,
        /// Blocked banner types: 1 = XHTML text, 2 = XHTML banner, 3 = JavaScript, 4 = iframe.
        pub btype: Vec<i64>,
        /// Blocked creative attributes (AdCOM list).
        pub battr: Vec<i64>,
        /// Position on the screen (AdCOM list).
        pub pos: Option<i64>,
        /// MIME types that are supported.
        pub mimes: Vec<String>,
        /// 1: in the top frame, 0: in an iframe.
        pub topframe: Option<Flag>,
        /// Directions in which it may expand (AdCOM list).
        pub expdir: Vec<i64>,
        /// Supported API frameworks (AdCOM list).
        pub api: Vec<i64>,
        /// Unique id of the banner; for companions.
        pub id: Option<String>,
        /// For companions: 0 = shown beside the video, 1 = shown as its end card.
        pub vcm: Option<Flag>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A size, or the ratio of a flexible one (§3.2.10).
    pub struct Format {
        /// Width.
        pub w: Option<i64>,
        /// Height.
        pub h: Option<i64>,
        /// Width relative to `hratio`.
        pub wratio: Option<i64>,
        /// Height relative to `wratio`.
        pub hratio: Option<i64>,
        /// The smallest width of a flexible size.
        pub wmin: Option<i64>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
