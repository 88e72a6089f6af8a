//! About the attributes that `bidder_wasm::request::Request` reads, as a user of `serde_json` would
//! write them down: borrowed where the text allows it, typed as the specification has it.
//!
//! Money is an `f64` here, and no attribute is forgiven anything: both favour `serde_json`.
#![expect(dead_code, reason = "the fields are filled and not looked at: that is what is measured")]

use std::borrow::Cow;

use serde::Deserialize;

/// Borrows where there are no escapes. A newtype, because within `Option` and `Vec` serde would
/// copy a bare `Cow`.
#[derive(Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

#[derive(Deserialize)]
pub(super) struct BidRequest<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    pub(super) imp: Vec<Imp<'a>>,
    site: Option<Channel<'a>>,
    app: Option<Channel<'a>>,
    dooh: Option<Channel<'a>>,
    device: Option<Device<'a>>,
    user: Option<User<'a>>,
    test: Option<u8>,
    at: Option<i64>,
    tmax: Option<i64>,
    #[serde(default)]
    wseat: Vec<Text<'a>>,
    #[serde(default)]
    bseat: Vec<Text<'a>>,
    #[serde(default)]
    cur: Vec<Text<'a>>,
    #[serde(default)]
    bcat: Vec<Text<'a>>,
    #[serde(default)]
    acat: Vec<Text<'a>>,
    cattax: Option<i64>,
    #[serde(default)]
    badv: Vec<Text<'a>>,
    #[serde(default)]
    bapp: Vec<Text<'a>>,
    regs: Option<Regs<'a>>,
    source: Option<Source<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Imp<'a> {
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
}

impl Imp<'_> {
    /// The JSON text of the Native Ads request.
    pub(super) fn native_request(&self) -> Option<&str> {
        self.native.as_ref().map(|native| native.request.0.as_ref())
    }
}

#[derive(Deserialize)]
struct Banner<'a> {
    #[serde(default)]
    format: Vec<Size>,
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
pub(super) struct NativeRequest {
    #[serde(default)]
    assets: Vec<Asset>,
}

#[derive(Deserialize)]
struct Asset {
    id: i64,
    required: Option<u8>,
    title: Option<Len>,
    img: Option<Img>,
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
}

#[derive(Deserialize)]
struct Channel<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    domain: Option<Text<'a>>,
    bundle: Option<Text<'a>>,
    publisher: Option<Publisher<'a>>,
}

#[derive(Deserialize)]
struct Publisher<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Device<'a> {
    #[serde(borrow)]
    geo: Option<Geo<'a>>,
    devicetype: Option<i64>,
    dnt: Option<u8>,
    lmt: Option<u8>,
}

#[derive(Deserialize)]
struct Geo<'a> {
    #[serde(borrow)]
    country: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct User<'a> {
    #[serde(borrow)]
    buyeruid: Option<Text<'a>>,
    consent: Option<Text<'a>>,
    geo: Option<Geo<'a>>,
    #[serde(default)]
    eids: Vec<Eid<'a>>,
    ext: Option<UserExt<'a>>,
}

#[derive(Deserialize)]
struct UserExt<'a> {
    #[serde(borrow)]
    consent: Option<Text<'a>>,
    #[serde(default)]
    eids: Vec<Eid<'a>>,
}

#[derive(Deserialize)]
struct Eid<'a> {
    #[serde(borrow)]
    source: Text<'a>,
    #[serde(default)]
    uids: Vec<Uid<'a>>,
}

#[derive(Deserialize)]
struct Uid<'a> {
    #[serde(borrow)]
    id: Text<'a>,
}

#[derive(Deserialize)]
struct Regs<'a> {
    coppa: Option<u8>,
    gdpr: Option<u8>,
    #[serde(borrow)]
    us_privacy: Option<Text<'a>>,
    gpp: Option<Text<'a>>,
    #[serde(default)]
    gpp_sid: Vec<i64>,
    ext: Option<RegsExt<'a>>,
}

#[derive(Deserialize)]
struct RegsExt<'a> {
    gdpr: Option<u8>,
    #[serde(borrow)]
    us_privacy: Option<Text<'a>>,
    gpp: Option<Text<'a>>,
    #[serde(default)]
    gpp_sid: Vec<i64>,
}

#[derive(Deserialize)]
struct Source<'a> {
    #[serde(borrow)]
    schain: Option<SupplyChain<'a>>,
    ext: Option<SourceExt<'a>>,
}

#[derive(Deserialize)]
struct SourceExt<'a> {
    #[serde(borrow)]
    schain: Option<SupplyChain<'a>>,
}

#[derive(Deserialize)]
struct SupplyChain<'a> {
    complete: Option<u8>,
    #[serde(borrow, default)]
    nodes: Vec<Node<'a>>,
}

#[derive(Deserialize)]
struct Node<'a> {
    #[serde(borrow)]
    asi: Option<Text<'a>>,
    sid: Option<Text<'a>>,
}
