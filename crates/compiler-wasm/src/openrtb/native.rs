//! The request of the Native Ads specification 1.2, which is the content of `imp.native.request`.

use crate::decode::{Attribute, Context, Flag, Json, JsonObject, Rule, Value, from_json, object};

/// The content of `imp.native.request`: a string with JSON, or an object, which the specification does not allow. Both
/// may be wrapped as `{"native":{...}}`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Payload {
    /// Whether the request was wrapped, as version 1.0 requires.
    pub wrapped: bool,
    /// The request.
    pub request: Request,
}

impl Attribute for Payload {
    const EXPECTED: &'static str = "a string that holds a JSON object";
    const EXPECTED_LIST: &'static str = "an array of strings that hold JSON objects";

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        let payload = match value {
            Value::Text(text) => match from_json::<Json>(text.as_bytes()) {
                Ok(decoded) => decoded.value,
                Err(error) => {
                    let expected = Self::EXPECTED;
                    cx.report(Rule::NotJson, format_args!("not JSON at byte {}; expected {expected}", error.at));
                    return None;
                }
            },
            Value::Object(_) => {
                cx.coerced(&value, Self::EXPECTED);
                Json::decode(value, cx)
            }
            other => {
                cx.ignored(&other, Self::EXPECTED);
                return None;
            }
        }?;
        let inner = if let Json::Object(outer) = &payload { outer.get("native") } else { None };
        Some(match inner {
            Some(inner @ Json::Object(_)) => {
                Payload { wrapped: true, request: cx.at_attribute("native", |cx| inner.read(cx))? }
            }
            _ => Payload { wrapped: false, request: payload.read(cx)? },
        })
    }
}

object! {
    /// A request for a native ad (Native Ads 1.2 §4.1).
    pub struct Request {
        /// Version of the specification. Default 1.2.
        pub ver: Option<String>,
        /// Context of the ad: 1 = content, 2 = social, 3 = a product.
        pub context: Option<i64>,
        /// Context of the ad in more detail.
        pub contextsubtype: Option<i64>,
        /// Kind of placement: 1 = in a feed, 2 = in the content, 3 = outside of it, 4 = recommendation widget.
        pub plcmttype: Option<i64>,
        /// Number of identical placements. Default 1.
        pub plcmtcnt: Option<i64>,
        /// Number of this placement among the identical ones, from 0. Default 0.
        pub seq: Option<i64>,
        /// The assets that the ad may have.
        pub assets: Vec<Asset> = required,
        /// 1: the response may have a URL in the place of the assets. Default 0.
        pub aurlsupport: Option<Flag>,
        /// 1: the response may have a URL in the place of dynamic assets. Default 0.
        pub durlsupport: Option<Flag>,
        /// Events that can be tracked.
        pub eventtrackers: Vec<EventTracker>,
        /// 1: the publisher can show a privacy notice. Default 0.
        pub privacy: Option<Flag>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A part of the ad (Native Ads 1.2 §4.2); one of `title`, `img`, `video`, `data`.
    pub struct Asset {
        /// Id, unique within the request; the response repeats it.
        pub id: Option<i64> = required,
        /// 1: the ad must have this asset. Default 0.
        pub required: Option<Flag>,
        /// A title.
        pub title: Option<Title>,
        /// An image.
        pub img: Option<Image>,
        /// A video.
        pub video: Option<Video>,
        /// A text or number of a given kind.
        pub data: Option<Data>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A title (Native Ads 1.2 §4.3).
    pub struct Title {
        /// The most characters.
        pub len: Option<i64> = required,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// An image (Native Ads 1.2 §4.4). Sizes are in pixels.
    pub struct Image {
        /// Kind of image: 1 = icon, 3 = main image, 500 and above = private to the exchange.
        pub kind as "type": Option<i64>,
        /// Exact width.
        pub w: Option<i64>,
        /// The smallest width, if the buyer chooses the size.
        pub wmin: Option<i64>,
        /// Exact height.
        pub h: Option<i64>,
        /// The smallest height, if the buyer chooses the size.
        pub hmin: Option<i64>,
        /// Allowed MIME types. Absent: all common types.
        pub mimes: Vec<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A video (Native Ads 1.2 §4.5). Durations are in seconds.
    pub struct Video {
        /// MIME types that can be played.
        pub mimes: Vec<String> = required,
        /// Shortest ad.
        pub minduration: Option<i64> = required,
        /// Longest ad.
        pub maxduration: Option<i64> = required,
        /// Accepted VAST versions (AdCOM list of creative subtypes).
        pub protocols: Vec<i64> = required,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A text or number (Native Ads 1.2 §4.6).
    pub struct Data {
        /// Kind of data: 1 = sponsored, 2 = desc, 3 = rating, 12 = ctatext and so on.
        pub kind as "type": Option<i64> = required,
        /// The most characters.
        pub len: Option<i64>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// An event and how it can be tracked (Native Ads 1.2 §4.7).
    pub struct EventTracker {
        /// The event: 1 = impression, 2 to 4 = viewable impressions, 500 and above = private to the exchange.
        pub event: Option<i64> = required,
        /// Methods: 1 = image pixel, 2 = JavaScript, 500 and above = private to the exchange.
        pub methods: Vec<i64> = required,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
