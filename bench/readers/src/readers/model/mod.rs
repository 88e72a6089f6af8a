//! Approximately the attributes of `bidder_wasm::request::Request`, as a user of `serde_json` would declare them:
//! borrowed if possible, with the types of the specification.
//!
//! Money is `f64`, and no attribute may have a wrong type. This makes `serde_json` faster than a tolerant reader.
#![expect(dead_code, reason = "the fields are filled and not looked at: that is what is measured")]

mod channel;
mod imp;
mod person;

use std::borrow::Cow;

use serde::Deserialize;

use channel::Channel;
pub(super) use imp::{Imp, NativeRequest};
use person::{Device, User};

/// Borrows a string without escapes. A newtype, because serde would copy a bare `Cow` inside `Option` or `Vec`.
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
    #[serde(default)]
    wlang: Vec<Text<'a>>,
    #[serde(default)]
    wlangb: Vec<Text<'a>>,
    regs: Option<Regs<'a>>,
    source: Option<Source<'a>>,
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
