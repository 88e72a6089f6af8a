//! Devices, locations and people.

use bidder_wasm::money::{Micros, Rounding};
use bidder_wasm::request::{Brand, Data, Device, Eid, Geo, Point, Uid, User, UserAgent};

use super::object::Object;

pub(super) fn device<'a>(from: &Object<'a>) -> Device<'a> {
    Device {
        geo: geo(&from.inner("geo")),
        has_geo: from.object("geo").is_some(),
        devicetype: from.integer("devicetype"),
        dnt: from.signal("dnt").unwrap_or_default(),
        lmt: from.signal("lmt").unwrap_or_default(),
        ua: from.text("ua"),
        sua: from.object("sua").or_else(|| from.inner("ext").object("sua")).map(|from| user_agent(&from)),
        make: from.text("make"),
        model: from.text("model"),
        hwv: from.text("hwv"),
        os: from.text("os"),
        osv: from.text("osv"),
        language: from.text("language"),
        langb: from.text("langb"),
        connectiontype: from.integer("connectiontype"),
        carrier: from.text("carrier"),
        ifa: from.text("ifa"),
    }
}

fn user_agent<'a>(from: &Object<'a>) -> UserAgent<'a> {
    UserAgent {
        browsers: from.list(from.objects("browsers").iter().map(brand)),
        platform: brand(&from.inner("platform")),
        model: from.text("model"),
    }
}

fn brand<'a>(from: &Object<'a>) -> Brand<'a> {
    Brand { brand: from.text("brand"), version: from.texts("version") }
}

fn geo<'a>(from: &Object<'a>) -> Geo<'a> {
    Geo {
        country: from.text("country"),
        region: from.text("region"),
        metro: from.text("metro"),
        city: from.text("city"),
        zip: from.text("zip"),
        point: point(from),
        utcoffset: from.integer("utcoffset"),
    }
}

/// Degrees are cut to millionths, because [`Micros`] reads them.
fn point(from: &Object<'_>) -> Option<Point> {
    let (Micros(lat), Micros(lon)) = (from.amount("lat", Rounding::Down)?, from.amount("lon", Rounding::Down)?);
    let on_globe = (-90_000_000..=90_000_000).contains(&lat) && (-180_000_000..=180_000_000).contains(&lon);
    on_globe.then_some(Point { lat, lon })
}

pub(super) fn user<'a>(from: &Object<'a>) -> User<'a> {
    let ext = from.inner("ext");
    let (own_eids, own_consent, ext_consent) = (eids(from), from.signal_text("consent"), ext.signal_text("consent"));
    User {
        id: from.text("id"),
        buyeruid: from.text("buyeruid"),
        consent: if own_consent.is_empty() { ext_consent } else { own_consent },
        ext_consent,
        geo: geo(&from.inner("geo")),
        eids: if own_eids.is_empty() { eids(&ext) } else { own_eids },
        yob: from.integer("yob").unwrap_or_default(),
        keywords: from.text("keywords"),
        kwarray: from.kwarray(),
        data: from.list(from.objects("data").iter().map(data)),
    }
}

fn eids<'a>(from: &Object<'a>) -> &'a [Eid<'a>] {
    let uid = |uid: &Object<'a>| uid.given_text("id").map(|id| Uid { id });
    from.list(from.objects("eids").iter().filter_map(|eid| {
        Some(Eid {
            source: eid.given_text("source")?,
            uids: eid.list(eid.objects("uids").iter().filter_map(uid)),
            mm: eid.integer("mm").unwrap_or_default(),
        })
    }))
}

fn data<'a>(from: &Object<'a>) -> Data<'a> {
    let segments = from.objects("segment");
    let segment = from.list(segments.iter().filter_map(|segment| segment.given_text("id")));
    Data { id: from.text("id"), name: from.text("name"), segment }
}
