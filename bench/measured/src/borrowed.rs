//! The structs that `serde_json` and `sonic-rs` fill, as a user of these libraries would declare them, with strings
//! that borrow from the body.
//!
//! They have the attributes that a bidder for banners and video looks at, which are fewer than edgebid reads for the
//! example catalog. Money is `f64`, and an attribute of a wrong type makes them refuse the body. All three make them
//! faster than a complete, tolerant reader. All other attributes are skipped.
#![expect(dead_code, reason = "the readers fill the fields in, and nothing looks at them")]

use core::hint::black_box;
use std::borrow::Cow;

use serde::Deserialize;

/// Borrows a string without escapes. A newtype, because serde would copy a bare `Cow` inside `Option` or `Vec`.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

type Texts<'a> = Option<Vec<Text<'a>>>;
type Codes = Option<Vec<i64>>;

#[derive(Deserialize)]
pub(crate) struct BidRequest<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    imp: Vec<Imp<'a>>,
    site: Option<Channel<'a>>,
    app: Option<Channel<'a>>,
    device: Option<Device<'a>>,
    user: Option<User<'a>>,
    regs: Option<Regs<'a>>,
    test: Option<u8>,
    at: Option<i64>,
    tmax: Option<i64>,
    wseat: Texts<'a>,
    cur: Texts<'a>,
    bcat: Texts<'a>,
    badv: Texts<'a>,
    bapp: Texts<'a>,
}

#[derive(Deserialize)]
struct Imp<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    banner: Option<Media<'a>>,
    video: Option<Media<'a>>,
    pmp: Option<Pmp<'a>>,
    instl: Option<u8>,
    bidfloor: Option<f64>,
    bidfloorcur: Option<Text<'a>>,
    secure: Option<u8>,
}

/// A banner or a video.
#[derive(Deserialize)]
struct Media<'a> {
    format: Option<Vec<Size>>,
    #[serde(borrow)]
    mimes: Texts<'a>,
    minduration: Option<i64>,
    maxduration: Option<i64>,
    protocols: Codes,
    w: Option<i64>,
    h: Option<i64>,
    btype: Codes,
    battr: Codes,
    api: Codes,
}

#[derive(Deserialize)]
struct Size {
    w: Option<i64>,
    h: Option<i64>,
}

#[derive(Deserialize)]
struct Pmp<'a> {
    private_auction: Option<u8>,
    #[serde(borrow)]
    deals: Option<Vec<Deal<'a>>>,
}

#[derive(Deserialize)]
struct Deal<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    bidfloor: Option<f64>,
    wadomain: Texts<'a>,
}

#[derive(Deserialize)]
struct Channel<'a> {
    #[serde(borrow)]
    domain: Option<Text<'a>>,
    bundle: Option<Text<'a>>,
    cat: Texts<'a>,
}

#[derive(Deserialize)]
struct Device<'a> {
    #[serde(borrow)]
    geo: Option<Geo<'a>>,
    devicetype: Option<i64>,
    os: Option<Text<'a>>,
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
}

#[derive(Deserialize)]
struct Regs<'a> {
    coppa: Option<u8>,
    gdpr: Option<u8>,
    #[serde(borrow)]
    us_privacy: Option<Text<'a>>,
    gpp: Option<Text<'a>>,
    gpp_sid: Codes,
}

/// Appends the id, and returns the number of impressions.
#[expect(clippy::unnecessary_wraps, reason = "readers may refuse a body")]
pub(crate) fn seen(request: &BidRequest<'_>, id: &mut String) -> Option<usize> {
    let request = black_box(request);
    id.push_str(&request.id.0);
    Some(request.imp.len())
}
