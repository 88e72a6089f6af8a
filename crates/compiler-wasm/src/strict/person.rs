//! Devices, locations and people.

use super::{Reader, amount, in_ext, signal};
use crate::decode::Decimal;
use crate::openrtb;
use bidder_wasm::money::{Micros, Rounding};
use bidder_wasm::request::{Brand, Data, Device, Eid, Geo, Point, Uid, User, UserAgent};

impl<'a> Reader<'a> {
    pub(super) fn device(self, from: &openrtb::Device) -> Device<'a> {
        let sua_in_ext = || in_ext::<Option<openrtb::UserAgent>>(from.ext.as_ref(), "sua");
        Device {
            geo: self.geo(from.geo.as_ref()),
            has_geo: from.geo.is_some(),
            devicetype: from.devicetype,
            dnt: signal(from.dnt.as_ref()).unwrap_or_default(),
            lmt: signal(from.lmt.as_ref()).unwrap_or_default(),
            ua: self.text(from.ua.as_ref()),
            sua: from.sua.clone().or_else(sua_in_ext).map(|sua| self.user_agent(&sua)),
            make: self.text(from.make.as_ref()),
            model: self.text(from.model.as_ref()),
            hwv: self.text(from.hwv.as_ref()),
            os: self.text(from.os.as_ref()),
            osv: self.text(from.osv.as_ref()),
            language: self.text(from.language.as_ref()),
            langb: self.text(from.langb.as_ref()),
            connectiontype: from.connectiontype,
            carrier: self.text(from.carrier.as_ref()),
            ifa: self.text(from.ifa.as_ref()),
        }
    }

    fn user_agent(self, from: &openrtb::UserAgent) -> UserAgent<'a> {
        UserAgent {
            browsers: self.list(from.browsers.iter().map(|browser| self.brand(browser))),
            platform: from.platform.as_ref().map(|platform| self.brand(platform)).unwrap_or_default(),
            model: self.text(from.model.as_ref()),
        }
    }

    fn brand(self, from: &openrtb::BrandVersion) -> Brand<'a> {
        Brand { brand: self.text(from.brand.as_ref()), version: self.texts(&from.version) }
    }

    pub(super) fn geo(self, from: Option<&openrtb::Geo>) -> Geo<'a> {
        let Some(from) = from else { return Geo::default() };
        Geo {
            country: self.text(from.country.as_ref()),
            region: self.text(from.region.as_ref()),
            metro: self.text(from.metro.as_ref()),
            city: self.text(from.city.as_ref()),
            zip: self.text(from.zip.as_ref()),
            point: point(from.lat.as_ref(), from.lon.as_ref()),
            utcoffset: from.utcoffset,
        }
    }

    pub(super) fn user(self, from: &openrtb::User) -> User<'a> {
        let mut eids = self.eids(&from.eids);
        if eids.is_empty() {
            eids = self.eids(&in_ext::<Vec<openrtb::Eid>>(from.ext.as_ref(), "eids"));
        }
        let (keywords, kwarray) = self.keywords(from.keywords.as_ref(), &from.kwarray);
        let ext_consent = self.signal_text(in_ext::<Option<_>>(from.ext.as_ref(), "consent").as_ref());
        User {
            id: self.text(from.id.as_ref()),
            buyeruid: self.text(from.buyeruid.as_ref()),
            consent: from.consent.as_ref().map_or(ext_consent, |own| self.signal_text(Some(own))),
            ext_consent,
            geo: self.geo(from.geo.as_ref()),
            eids,
            yob: from.yob.unwrap_or_default(),
            keywords,
            kwarray,
            data: self.list(from.data.iter().map(|data| self.data(data))),
        }
    }

    fn eids(self, from: &[openrtb::Eid]) -> &'a [Eid<'a>] {
        self.list(from.iter().filter_map(|eid| {
            let uids = eid.uids.iter().filter(|uid| uid.id.is_some());
            Some(Eid {
                source: self.text(Some(eid.source.as_ref()?)),
                uids: self.list(uids.map(|uid| Uid { id: self.text(uid.id.as_ref()) })),
                mm: eid.mm.unwrap_or_default(),
            })
        }))
    }

    fn data(self, from: &openrtb::Data) -> Data<'a> {
        let segments = from.segment.iter().filter(|segment| segment.id.is_some());
        Data {
            id: self.text(from.id.as_ref()),
            name: self.text(from.name.as_ref()),
            segment: self.list(segments.map(|segment| self.text(segment.id.as_ref()))),
        }
    }
}

/// Degrees are cut to millionths, because [`Micros`] reads them.
fn point(lat: Option<&Decimal>, lon: Option<&Decimal>) -> Option<Point> {
    let (Micros(lat), Micros(lon)) = (amount(lat, Rounding::Down)?, amount(lon, Rounding::Down)?);
    let on_globe = (-90_000_000..=90_000_000).contains(&lat) && (-180_000_000..=180_000_000).contains(&lon);
    on_globe.then_some(Point { lat, lon })
}
