//! Who sees the ad: `User` (§3.2.20) with `EID` and `UID` (§3.2.27, §3.2.28), and `Data` and
//! `Segment` (§3.2.21, §3.2.22).

use super::channel::Keywords;
use super::{device, member};
use crate::read::Needs;
use crate::read::key::{Key, name};
use crate::read::walk::Value;
use crate::request::{Data, Eid, Uid, User};

pub(super) fn user<'a>(value: Value<'_, 'a, '_>, needs: &Needs) -> User<'a> {
    let (mut user, mut keywords) = (User::default(), Keywords::default());
    let mut ext = Ext::default();
    for (key, value) in value.members() {
        match key {
            name::buyeruid => user.buyeruid = value.text_or_empty(),
            name::consent => user.consent = value.text_or_empty(),
            name::geo if needs.geo => user.geo = device::geo(value),
            name::eids if needs.eids => user.eids = value.objects(eid),
            name::ext => ext = Ext::read(value, needs),
            _ => interests(&mut user, &mut keywords, key, value, needs),
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
pub(super) fn interests<'a>(
    user: &mut User<'a>,
    keywords: &mut Keywords<'a>,
    key: Key,
    value: Value<'_, 'a, '_>,
    needs: &Needs,
) {
    match key {
        name::yob => user.yob = value.integer_or_zero(),
        name::keywords if needs.keywords => keywords.set(value),
        name::kwarray if needs.keywords => keywords.array = value.texts(),
        name::data if needs.data => user.data = value.objects(data),
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
    fn read(value: Value<'_, 'a, '_>, needs: &Needs) -> Ext<'a> {
        let mut ext = Ext::default();
        for (key, value) in value.members() {
            match key {
                name::consent => ext.consent = value.text_or_empty(),
                name::eids if needs.eids => ext.eids = value.objects(eid),
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
            name::source => source = value.text(),
            name::uids => eid.uids = value.objects(uid),
            name::mm => eid.mm = value.integer_or_zero(),
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
            name::id => data.id = value.text_or_empty(),
            name::name => data.name = value.text_or_empty(),
            name::segment => data.segment = value.objects(id),
            _ => {}
        }
    }
    Some(data)
}

/// All that is read of a `UID` or a `Segment`.
fn id<'a>(value: Value<'_, 'a, '_>) -> Option<&'a str> {
    value.only_member(name::id).or_else(|| member(value, name::id))?.text()
}
