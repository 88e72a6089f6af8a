//! Who sees the ad, and on what: `Device` (§3.2.18), `Geo` (§3.2.19), `User` (§3.2.20) with `EID`
//! and `UID` (§3.2.27, §3.2.28).

use crate::read::walk::Value;
use crate::request::{Device, Eid, Geo, Uid, User};

pub(super) fn device<'a>(value: Value<'_, 'a, '_>) -> Device<'a> {
    let mut device = Device::default();
    for (key, value) in value.members().into_iter().flatten() {
        match key {
            b"geo" => device.geo = geo(value),
            b"devicetype" => device.devicetype = value.integer_or_zero(),
            b"dnt" => device.dnt = value.flag(),
            b"lmt" => device.lmt = value.flag(),
            _ => {}
        }
    }
    device
}

fn geo<'a>(value: Value<'_, 'a, '_>) -> Geo<'a> {
    let mut geo = Geo::default();
    for (key, value) in value.members().into_iter().flatten() {
        match key {
            b"country" => geo.country = value.text_or_empty(),
            _ => {}
        }
    }
    geo
}

pub(super) fn user<'a>(value: Value<'_, 'a, '_>) -> User<'a> {
    let mut user = User::default();
    let mut ext = Ext::default();
    for (key, value) in value.members().into_iter().flatten() {
        match key {
            b"buyeruid" => user.buyeruid = value.text_or_empty(),
            b"consent" => user.consent = value.text_or_empty(),
            b"geo" => user.geo = geo(value),
            b"eids" => user.eids = value.list(eid),
            b"ext" => ext = Ext::read(value),
            _ => {}
        }
    }
    if user.consent.is_empty() {
        user.consent = ext.consent;
    }
    if user.eids.is_empty() {
        user.eids = ext.eids;
    }
    user
}

/// Where `OpenRTB` 2.5 had what are attributes of `User` since.
#[derive(Default)]
struct Ext<'a> {
    consent: &'a str,
    eids: &'a [Eid<'a>],
}

impl<'a> Ext<'a> {
    fn read(value: Value<'_, 'a, '_>) -> Ext<'a> {
        let mut ext = Ext::default();
        for (key, value) in value.members().into_iter().flatten() {
            match key {
                b"consent" => ext.consent = value.text_or_empty(),
                b"eids" => ext.eids = value.list(eid),
                _ => {}
            }
        }
        ext
    }
}

fn eid<'a>(value: Value<'_, 'a, '_>) -> Option<Eid<'a>> {
    let (mut source, mut uids): (Option<&str>, &[Uid<'_>]) = (None, &[]);
    for (key, value) in value.members()? {
        match key {
            b"source" => source = value.text(),
            b"uids" => uids = value.list(uid),
            _ => {}
        }
    }
    Some(Eid { source: source?, uids })
}

fn uid<'a>(value: Value<'_, 'a, '_>) -> Option<Uid<'a>> {
    let mut id: Option<&str> = None;
    for (key, value) in value.members()? {
        match key {
            b"id" => id = value.text(),
            _ => {}
        }
    }
    Some(Uid { id: id? })
}
