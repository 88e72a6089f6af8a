//! On what the ad is seen and where: `Device` (§3.2.18) with `UserAgent` (§3.2.29) and
//! `BrandVersion` (§3.2.30), and `Geo` (§3.2.19).

use super::member;
use crate::money::{Micros, Rounding};
use crate::read::walk::Value;
use crate::request::{Brand, Device, Geo, Point, UserAgent};

pub(super) fn device<'a>(value: Value<'_, 'a, '_>) -> Device<'a> {
    let mut device = Device::default();
    let mut sua_in_ext = None;
    for (key, value) in value.members() {
        match key {
            b"geo" => device.geo = geo(value),
            b"devicetype" => device.devicetype = value.integer_or_zero(),
            b"dnt" => device.dnt = value.flag(),
            b"lmt" => device.lmt = value.flag(),
            b"ua" => device.ua = value.text_or_empty(),
            b"sua" => device.sua = user_agent(value),
            b"make" => device.make = value.text_or_empty(),
            b"model" => device.model = value.text_or_empty(),
            b"os" => device.os = value.text_or_empty(),
            b"osv" => device.osv = value.text_or_empty(),
            b"language" => device.language = value.text_or_empty(),
            b"langb" => device.langb = value.text_or_empty(),
            b"connectiontype" => device.connectiontype = value.integer_or_zero(),
            b"carrier" => device.carrier = value.text_or_empty(),
            b"ifa" => device.ifa = value.text_or_empty(),
            // Where `OpenRTB` 2.5 had it.
            b"ext" => sua_in_ext = member(value, b"sua").and_then(user_agent),
            _ => {}
        }
    }
    device.sua = device.sua.or(sua_in_ext);
    device
}

fn user_agent<'a>(value: Value<'_, 'a, '_>) -> Option<UserAgent<'a>> {
    let mut agent = UserAgent::default();
    for (key, value) in value.object()? {
        match key {
            b"browsers" => agent.browsers = value.objects(brand),
            b"platform" => agent.platform = brand(value).unwrap_or_default(),
            b"model" => agent.model = value.text_or_empty(),
            _ => {}
        }
    }
    Some(agent)
}

fn brand<'a>(value: Value<'_, 'a, '_>) -> Option<Brand<'a>> {
    let mut brand = Brand::default();
    for (key, value) in value.object()? {
        match key {
            b"brand" => brand.brand = value.text_or_empty(),
            b"version" => brand.version = value.texts(),
            _ => {}
        }
    }
    Some(brand)
}

pub(super) fn geo<'a>(value: Value<'_, 'a, '_>) -> Geo<'a> {
    let mut place = Place::default();
    for (key, value) in value.members() {
        place.set(key, value);
    }
    place.read()
}

/// A `Geo`, whose point is known when the last duplicate of both its halves is.
#[derive(Default)]
pub(super) struct Place<'a> {
    geo: Geo<'a>,
    lat: Option<i64>,
    lon: Option<i64>,
}

impl<'a> Place<'a> {
    /// Takes a member.
    #[inline]
    pub(super) fn set(&mut self, key: &[u8], value: Value<'_, 'a, '_>) {
        match key {
            b"country" => self.geo.country = value.text_or_empty(),
            b"region" => self.geo.region = value.text_or_empty(),
            b"metro" => self.geo.metro = value.text_or_empty(),
            b"city" => self.geo.city = value.text_or_empty(),
            b"zip" => self.geo.zip = value.text_or_empty(),
            b"lat" => self.lat = degrees(value, 90),
            b"lon" => self.lon = degrees(value, 180),
            b"utcoffset" => self.geo.utcoffset = value.integer(),
            _ => {}
        }
    }

    /// What the members mean together.
    pub(super) fn read(self) -> Geo<'a> {
        Geo { point: self.lat.zip(self.lon).map(|(lat, lon)| Point { lat, lon }), ..self.geo }
    }
}

/// Millionths of a degree, which are cut like those of an offered amount; `None` beyond `most`
/// degrees.
fn degrees(value: Value<'_, '_, '_>, most: i64) -> Option<i64> {
    let Micros(millionths) = Micros::parse(value.text()?, Rounding::Down)?;
    (millionths.abs() <= most * 1_000_000).then_some(millionths)
}
