//! Who sees the ad: `User` (§3.2.20) with `EID` and `UID` (§3.2.27, §3.2.28), and `Data` and
//! `Segment` (§3.2.21, §3.2.22).

use super::channel::Keywords;
use super::{device, member};
use crate::read::walk::Value;
use crate::request::{Data, Eid, Uid, User};

pub(super) fn user<'a>(value: Value<'_, 'a, '_>) -> User<'a> {
    let (mut user, mut keywords) = (User::default(), Keywords::default());
    let mut ext = Ext::default();
    for (key, value) in value.members() {
        match key {
            b"buyeruid" => user.buyeruid = value.text_or_empty(),
            b"consent" => user.consent = value.text_or_empty(),
            b"geo" => user.geo = device::geo(value),
            b"eids" => user.eids = value.objects(eid),
            b"ext" => ext = Ext::read(value),
            _ => interests(&mut user, &mut keywords, key, value),
        }
    }
    if user.consent.is_empty() {
        user.consent = ext.consent;
    }
    if user.eids.is_empty() {
        user.eids = ext.eids;
    }
    (user.keywords, user.kwarray) = keywords.read();
    user
}

/// What describes the person and identifies nobody.
#[inline]
pub(super) fn interests<'a>(user: &mut User<'a>, keywords: &mut Keywords<'a>, key: &[u8], value: Value<'_, 'a, '_>) {
    match key {
        b"yob" => user.yob = value.integer_or_zero(),
        b"keywords" => keywords.set(value),
        b"kwarray" => keywords.array = value.texts(),
        b"data" => user.data = value.objects(data),
        _ => {}
    }
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
        for (key, value) in value.members() {
            match key {
                b"consent" => ext.consent = value.text_or_empty(),
                b"eids" => ext.eids = value.objects(eid),
                _ => {}
            }
        }
        ext
    }
}

fn eid<'a>(value: Value<'_, 'a, '_>) -> Option<Eid<'a>> {
    let (mut eid, mut source) = (Eid::default(), None);
    for (key, value) in value.object()? {
        match key {
            b"source" => source = value.text(),
            b"uids" => eid.uids = value.objects(uid),
            b"mm" => eid.mm = value.integer_or_zero(),
            _ => {}
        }
    }
    eid.source = source?;
    Some(eid)
}

fn uid<'a>(value: Value<'_, 'a, '_>) -> Option<Uid<'a>> {
    Some(Uid { id: id(value)? })
}

fn data<'a>(value: Value<'_, 'a, '_>) -> Option<Data<'a>> {
    let mut data = Data::default();
    for (key, value) in value.object()? {
        match key {
            b"id" => data.id = value.text_or_empty(),
            b"name" => data.name = value.text_or_empty(),
            b"segment" => data.segment = value.objects(id),
            _ => {}
        }
    }
    Some(data)
}

/// All that is read of a `UID` or a `Segment`.
fn id<'a>(value: Value<'_, 'a, '_>) -> Option<&'a str> {
    member(value, b"id")?.text()
}
