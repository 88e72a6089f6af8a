//! `Imp` (§3.2.4), and `Metric` (§3.2.5) inside it.

use bumpalo::collections::Vec;

use super::deal::Pmp;
use super::{media, native};
use crate::limits::{MAX_IMPS, MAX_LISTED_OBJECTS};
use crate::money::{Micros, Rounding};
use crate::read::fast::Natives;
use crate::read::number;
use crate::read::walk::Value;
use crate::request::{Imp, Metric};

/// The first [`MAX_IMPS`] impressions that have an id; `None` when no item is an object.
pub(super) fn list<'a>(imps: Value<'_, 'a, '_>, natives: &mut Natives<'_, 'a>) -> Option<&'a [Imp<'a>]> {
    let mut is_list = false;
    // Room for all: what is not used costs nothing, and growing would move what is.
    let mut list = Vec::with_capacity_in(MAX_IMPS, natives.arena);
    for item in imps.items().filter(|item| item.is_object()).take(MAX_LISTED_OBJECTS) {
        is_list = true;
        list.extend(read(item, natives));
        if list.len() == MAX_IMPS {
            break;
        }
    }
    is_list.then_some(list.into_bump_slice())
}

fn read<'a>(value: Value<'_, 'a, '_>, natives: &mut Natives<'_, 'a>) -> Option<Imp<'a>> {
    let mut imp = Imp::default();
    let (mut id, mut asked_native) = (None, None);
    let mut pmp = Pmp::default();
    for (key, value) in value.object()? {
        match key {
            b"id" => id = value.literal(),
            b"banner" => imp.banner = media::banner(value),
            b"video" => imp.video = media::video(value),
            b"audio" => imp.audio = media::audio(value),
            b"native" => asked_native = Some(value),
            b"pmp" => pmp = Pmp::read(value),
            b"instl" => imp.instl = value.flag(),
            b"tagid" => imp.tagid = value.text_or_empty(),
            b"bidfloor" => imp.bidfloor = value.floor(),
            b"bidfloorcur" => imp.bidfloorcur = value.currency(),
            b"secure" => imp.secure = value.flag(),
            b"rwdd" => imp.rwdd = value.flag(),
            b"ssai" => imp.ssai = value.integer_or_zero(),
            b"exp" => imp.exp = value.integer_or_zero(),
            b"dt" => imp.dt = value.text().and_then(number::whole).unwrap_or_default(),
            b"metric" => imp.metric = value.objects(metric),
            _ => {}
        }
    }
    imp.id = id?;
    imp.native = asked_native.and_then(|value| native::read(value, natives));
    (imp.private_auction, imp.deals) = (pmp.private_auction, pmp.deals);
    Some(imp)
}

fn metric<'a>(value: Value<'_, 'a, '_>) -> Option<Metric<'a>> {
    let (mut kind, mut measured, mut vendor) = (None, None, "");
    for (key, value) in value.object()? {
        match key {
            b"type" => kind = value.text(),
            b"value" => measured = value.text().and_then(|text| Micros::parse(text, Rounding::Up)),
            b"vendor" => vendor = value.text_or_empty(),
            _ => {}
        }
    }
    Some(Metric { kind: kind?, value: measured?, vendor })
}
