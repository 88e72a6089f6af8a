//! On what the ad is seen and where: `Device` (§3.2.18) with `UserAgent` (§3.2.29) and
//! `BrandVersion` (§3.2.30), and `Geo` (§3.2.19).

use super::member;
use crate::money::{Micros, Rounding};
use crate::read::Needs;
use crate::read::key::{Key, name};
use crate::read::walk::Value;
use crate::request::{Brand, Device, Geo, Point, UserAgent};

pub(super) fn device<'a>(value: Value<'_, 'a, '_>, needs: &Needs) -> Device<'a> {
    let mut device = Device::default();
    let mut sua_in_ext = None;
    for (key, value) in value.members() {
        match key {
            name::devicetype => device.devicetype = value.integer_or_zero(),
            name::dnt => device.dnt = value.flag(),
            name::lmt => device.lmt = value.flag(),
            name::ua => device.ua = value.text_or_empty(),
            name::geo if needs.geo => device.geo = geo(value),
            name::sua if needs.sua => device.sua = user_agent(value),
            // Where `OpenRTB` 2.5 had it.
            name::ext if needs.sua => sua_in_ext = member(value, name::sua).and_then(user_agent),
            _ if !needs.device => {}
            name::make => device.make = value.text_or_empty(),
            name::model => device.model = value.text_or_empty(),
            name::os => device.os = value.text_or_empty(),
            name::osv => device.osv = value.text_or_empty(),
            name::language => device.language = value.text_or_empty(),
            name::langb => device.langb = value.text_or_empty(),
            name::connectiontype => device.connectiontype = value.integer_or_zero(),
            name::carrier => device.carrier = value.text_or_empty(),
            name::ifa => device.ifa = value.text_or_empty(),
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
            name::browsers => agent.browsers = value.objects(brand),
            name::platform => agent.platform = brand(value).unwrap_or_default(),
            name::model => agent.model = value.text_or_empty(),
            _ => {}
        }
    }
    Some(agent)
}

fn brand<'a>(value: Value<'_, 'a, '_>) -> Option<Brand<'a>> {
    let mut brand = Brand::default();
    for (key, value) in value.object()? {
        match key {
            name::brand => brand.brand = value.text_or_empty(),
            name::version => brand.version = value.texts(),
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
    pub(super) fn set(&mut self, key: Key, value: Value<'_, 'a, '_>) {
        match key {
            name::country => self.geo.country = value.text_or_empty(),
            name::region => self.geo.region = value.text_or_empty(),
            name::metro => self.geo.metro = value.text_or_empty(),
            name::city => self.geo.city = value.text_or_empty(),
            name::zip => self.geo.zip = value.text_or_empty(),
            name::lat => self.lat = degrees(value, 90),
            name::lon => self.lon = degrees(value, 180),
            name::utcoffset => self.geo.utcoffset = value.integer(),
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
