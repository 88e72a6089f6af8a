//! `device` and `user`.

use serde::Deserialize;

use super::Text;

#[derive(Deserialize)]
pub(super) struct Device<'a> {
    #[serde(borrow)]
    geo: Option<Geo<'a>>,
    devicetype: Option<i64>,
    dnt: Option<u8>,
    lmt: Option<u8>,
    ua: Option<Text<'a>>,
    sua: Option<UserAgent<'a>>,
    make: Option<Text<'a>>,
    model: Option<Text<'a>>,
    os: Option<Text<'a>>,
    osv: Option<Text<'a>>,
    language: Option<Text<'a>>,
    langb: Option<Text<'a>>,
    connectiontype: Option<i64>,
    carrier: Option<Text<'a>>,
    ifa: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct UserAgent<'a> {
    #[serde(borrow, default)]
    browsers: Vec<Brand<'a>>,
    platform: Option<Brand<'a>>,
    model: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Brand<'a> {
    #[serde(borrow)]
    brand: Option<Text<'a>>,
    #[serde(default)]
    version: Vec<Text<'a>>,
}

#[derive(Deserialize)]
struct Geo<'a> {
    #[serde(borrow)]
    country: Option<Text<'a>>,
    region: Option<Text<'a>>,
    metro: Option<Text<'a>>,
    city: Option<Text<'a>>,
    zip: Option<Text<'a>>,
    lat: Option<f64>,
    lon: Option<f64>,
    utcoffset: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct User<'a> {
    #[serde(borrow)]
    buyeruid: Option<Text<'a>>,
    consent: Option<Text<'a>>,
    geo: Option<Geo<'a>>,
    yob: Option<i64>,
    keywords: Option<Text<'a>>,
    #[serde(default)]
    kwarray: Vec<Text<'a>>,
    #[serde(default)]
    data: Vec<Data<'a>>,
    #[serde(default)]
    eids: Vec<Eid<'a>>,
    ext: Option<UserExt<'a>>,
}

#[derive(Deserialize)]
struct Data<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    name: Option<Text<'a>>,
    #[serde(default)]
    segment: Vec<Segment<'a>>,
}

#[derive(Deserialize)]
struct Segment<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
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
    mm: Option<i64>,
}
