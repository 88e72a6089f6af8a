//! `serde_json` and `sonic-rs` into structs that borrow from the body, as a user of these libraries would declare them:
//! the attributes that every decision needs and that the example catalog asks for, with the types of the specification.
//! All other attributes are skipped.
//!
//! Money is `f64`, and an attribute of a wrong type makes them refuse the body. Both make them faster than a tolerant
//! reader.

use core::hint::black_box;
use std::borrow::Cow;

use serde::Deserialize;

/// Borrows a string without escapes. A newtype, because serde would copy a bare `Cow` inside `Option` or `Vec`.
#[derive(Default, Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

type MaybeText<'a> = Option<Text<'a>>;
type Texts<'a> = Vec<Text<'a>>;
type Codes = Vec<i64>;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct BidRequest<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    imp: Vec<Imp<'a>>,
    site: Option<Channel<'a>>,
    app: Option<Channel<'a>>,
    device: Option<Device<'a>>,
    user: Option<User<'a>>,
    regs: Option<Regs<'a>>,
    source: Option<Source<'a>>,
    test: Option<u8>,
    at: Option<i64>,
    tmax: Option<i64>,
    wseat: Texts<'a>,
    bseat: Texts<'a>,
    cur: Texts<'a>,
    bcat: Texts<'a>,
    acat: Texts<'a>,
    badv: Texts<'a>,
    bapp: Texts<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Imp<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    banner: Option<Banner<'a>>,
    video: Option<Video<'a>>,
    native: Option<Native<'a>>,
    pmp: Option<Pmp<'a>>,
    instl: Option<u8>,
    bidfloor: Option<f64>,
    bidfloorcur: MaybeText<'a>,
    secure: Option<u8>,
    exp: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Banner<'a> {
    format: Vec<Size>,
    w: Option<i64>,
    h: Option<i64>,
    btype: Codes,
    battr: Codes,
    #[serde(borrow)]
    mimes: Texts<'a>,
    api: Codes,
    expdir: Codes,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Size {
    w: Option<i64>,
    h: Option<i64>,
    wratio: Option<i64>,
    hratio: Option<i64>,
    wmin: Option<i64>,
    hmin: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Video<'a> {
    #[serde(borrow)]
    mimes: Texts<'a>,
    minduration: Option<i64>,
    maxduration: Option<i64>,
    rqddurs: Codes,
    protocols: Codes,
    w: Option<i64>,
    h: Option<i64>,
    linearity: Option<i64>,
    skip: Option<u8>,
    battr: Codes,
    api: Codes,
    delivery: Codes,
    podid: MaybeText<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Native<'a> {
    /// The JSON text of the Native Ads request.
    #[serde(borrow)]
    request: Text<'a>,
    battr: Codes,
    api: Codes,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct NativeRequest {
    assets: Vec<Asset>,
    privacy: Option<u8>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Asset {
    id: i64,
    required: Option<u8>,
    title: Option<Data>,
    img: Option<Size>,
    data: Option<Data>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    r#type: Option<i64>,
    len: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Pmp<'a> {
    private_auction: Option<u8>,
    #[serde(borrow)]
    deals: Vec<Deal<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Deal<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    bidfloor: Option<f64>,
    bidfloorcur: MaybeText<'a>,
    at: Option<i64>,
    wseat: Texts<'a>,
    wadomain: Texts<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Channel<'a> {
    #[serde(borrow)]
    domain: MaybeText<'a>,
    bundle: MaybeText<'a>,
    publisher: Option<Named<'a>>,
    cat: Texts<'a>,
    sectioncat: Texts<'a>,
    pagecat: Texts<'a>,
    cattax: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Named<'a> {
    #[serde(borrow)]
    id: MaybeText<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Device<'a> {
    #[serde(borrow)]
    geo: Option<Geo<'a>>,
    devicetype: Option<i64>,
    dnt: Option<u8>,
    lmt: Option<u8>,
    ifa: MaybeText<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Geo<'a> {
    #[serde(borrow)]
    country: MaybeText<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct User<'a> {
    #[serde(borrow)]
    buyeruid: MaybeText<'a>,
    consent: MaybeText<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Regs<'a> {
    coppa: Option<u8>,
    gdpr: Option<u8>,
    #[serde(borrow)]
    us_privacy: MaybeText<'a>,
    gpp: MaybeText<'a>,
    gpp_sid: Codes,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Source<'a> {
    #[serde(borrow)]
    schain: Option<SupplyChain<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SupplyChain<'a> {
    complete: Option<u8>,
    #[serde(borrow)]
    nodes: Vec<Node<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Node<'a> {
    #[serde(borrow)]
    asi: MaybeText<'a>,
    sid: MaybeText<'a>,
}

/// Reads a request and the native requests in it with the functions of a library. None if one is refused.
pub(super) fn read<'a, R>(
    request: impl FnOnce() -> Option<BidRequest<'a>>,
    native: impl Fn(&str) -> Option<NativeRequest>,
    then: impl FnOnce(&str, usize) -> R,
) -> Option<R> {
    let request = request()?;
    let request = black_box(&request);
    for imp in request.imp.iter().filter_map(|imp| imp.native.as_ref()) {
        black_box(native(&imp.request.0)?);
    }
    Some(then(&request.id.0, request.imp.len()))
}
