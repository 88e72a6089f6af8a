//! `imp` and the objects in it.

use serde::Deserialize;

use super::Text;

#[derive(Deserialize)]
pub(in super::super) struct Imp<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    banner: Option<Banner<'a>>,
    video: Option<Linear<'a>>,
    audio: Option<Linear<'a>>,
    native: Option<Native<'a>>,
    pmp: Option<Pmp<'a>>,
    instl: Option<u8>,
    tagid: Option<Text<'a>>,
    bidfloor: Option<f64>,
    bidfloorcur: Option<Text<'a>>,
    secure: Option<u8>,
    rwdd: Option<u8>,
    ssai: Option<i64>,
    exp: Option<i64>,
    dt: Option<f64>,
    #[serde(default)]
    metric: Vec<Metric<'a>>,
}

impl Imp<'_> {
    /// The JSON text of the Native Ads request.
    pub(in super::super) fn native_request(&self) -> Option<&str> {
        self.native.as_ref().map(|native| native.request.0.as_ref())
    }
}

#[derive(Deserialize)]
struct Banner<'a> {
    #[serde(default)]
    format: Vec<Format>,
    w: Option<i64>,
    h: Option<i64>,
    #[serde(default)]
    btype: Vec<i64>,
    #[serde(default)]
    battr: Vec<i64>,
    #[serde(borrow, default)]
    mimes: Vec<Text<'a>>,
    #[serde(default)]
    api: Vec<i64>,
    pos: Option<i64>,
    #[serde(default)]
    expdir: Vec<i64>,
}

#[derive(Deserialize)]
struct Format {
    w: Option<i64>,
    h: Option<i64>,
    wratio: Option<i64>,
    hratio: Option<i64>,
    wmin: Option<i64>,
}

#[derive(Deserialize)]
struct Metric<'a> {
    #[serde(borrow)]
    r#type: Option<Text<'a>>,
    value: Option<f64>,
    vendor: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct DurFloor {
    mindur: Option<i64>,
    maxdur: Option<i64>,
    bidfloor: Option<f64>,
}

#[derive(Deserialize)]
struct Size {
    w: Option<i64>,
    h: Option<i64>,
}

#[derive(Deserialize)]
struct Linear<'a> {
    #[serde(borrow, default)]
    mimes: Vec<Text<'a>>,
    minduration: Option<i64>,
    maxduration: Option<i64>,
    #[serde(default)]
    rqddurs: Vec<i64>,
    #[serde(default)]
    protocols: Vec<i64>,
    w: Option<i64>,
    h: Option<i64>,
    linearity: Option<i64>,
    #[serde(default)]
    battr: Vec<i64>,
    #[serde(default)]
    api: Vec<i64>,
    startdelay: Option<i64>,
    plcmt: Option<i64>,
    pos: Option<i64>,
    skip: Option<u8>,
    skipmin: Option<i64>,
    maxextended: Option<i64>,
    minbitrate: Option<i64>,
    maxbitrate: Option<i64>,
    #[serde(default)]
    delivery: Vec<i64>,
    #[serde(default)]
    playbackmethod: Vec<i64>,
    boxingallowed: Option<u8>,
    #[serde(default)]
    companionad: Vec<Size>,
    podid: Option<Text<'a>>,
    podseq: Option<i64>,
    slotinpod: Option<i64>,
    maxseq: Option<i64>,
    poddur: Option<i64>,
    mincpmpersec: Option<f64>,
    #[serde(default)]
    durfloors: Vec<DurFloor>,
    #[serde(default)]
    poddedupe: Vec<i64>,
}

#[derive(Deserialize)]
struct Native<'a> {
    #[serde(borrow)]
    request: Text<'a>,
    ver: Option<Text<'a>>,
    #[serde(default)]
    battr: Vec<i64>,
    #[serde(default)]
    api: Vec<i64>,
}

#[derive(Deserialize)]
pub(in super::super) struct NativeRequest<'a> {
    #[serde(borrow, default)]
    assets: Vec<Asset<'a>>,
    #[serde(default)]
    eventtrackers: Vec<EventTracker>,
    privacy: Option<u8>,
}

#[derive(Deserialize)]
struct EventTracker {
    event: i64,
    #[serde(default)]
    methods: Vec<i64>,
}

#[derive(Deserialize)]
struct Asset<'a> {
    id: i64,
    required: Option<u8>,
    title: Option<Len>,
    img: Option<Img>,
    #[serde(borrow)]
    video: Option<AssetVideo<'a>>,
    data: Option<Len>,
}

#[derive(Deserialize)]
struct Len {
    r#type: Option<i64>,
    len: Option<i64>,
}

#[derive(Deserialize)]
struct Img {
    r#type: Option<i64>,
    w: Option<i64>,
    h: Option<i64>,
    wmin: Option<i64>,
    hmin: Option<i64>,
}

#[derive(Deserialize)]
struct AssetVideo<'a> {
    #[serde(borrow, default)]
    mimes: Vec<Text<'a>>,
    minduration: Option<i64>,
    maxduration: Option<i64>,
    #[serde(default)]
    protocols: Vec<i64>,
}

#[derive(Deserialize)]
struct Pmp<'a> {
    private_auction: Option<u8>,
    #[serde(borrow, default)]
    deals: Vec<Deal<'a>>,
}

#[derive(Deserialize)]
struct Deal<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    bidfloor: Option<f64>,
    bidfloorcur: Option<Text<'a>>,
    at: Option<i64>,
    #[serde(default)]
    wseat: Vec<Text<'a>>,
    #[serde(default)]
    wadomain: Vec<Text<'a>>,
    guar: Option<u8>,
    mincpmpersec: Option<f64>,
    #[serde(default)]
    durfloors: Vec<DurFloor>,
}
