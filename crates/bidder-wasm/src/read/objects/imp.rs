//! `Imp` (§3.2.4), and `Pmp` and `Deal` (§3.2.11, §3.2.12) inside it.

use bumpalo::collections::Vec;

use super::{media, native};
use crate::limits::MAX_IMPS;
use crate::read::fast::Natives;
use crate::read::walk::Value;
use crate::request::{Deal, Imp, Text};

/// The first [`MAX_IMPS`] impressions that have an id; `None` when no item is an object.
pub(super) fn list<'a>(imps: Value<'_, 'a, '_>, natives: &mut Natives<'_, 'a>) -> Option<&'a [Imp<'a>]> {
    let objects = || imps.items().filter(|item| item.members().is_some());
    objects().next()?;
    let mut list = Vec::with_capacity_in(objects().take(MAX_IMPS).count(), natives.arena);
    for item in objects() {
        if list.len() == MAX_IMPS {
            break;
        }
        list.extend(read(item, natives));
    }
    Some(list.into_bump_slice())
}

fn read<'a>(value: Value<'_, 'a, '_>, natives: &mut Natives<'_, 'a>) -> Option<Imp<'a>> {
    let mut imp = Imp::default();
    let (mut id, mut asked_native) = (None, None);
    let mut pmp = Pmp::default();
    for (key, value) in value.members()? {
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
            _ => {}
        }
    }
    imp.id = id?;
    imp.native = asked_native.and_then(|value| native::read(value, natives));
    (imp.private_auction, imp.deals) = (pmp.private_auction, pmp.deals);
    Some(imp)
}

#[derive(Default)]
struct Pmp<'a> {
    private_auction: bool,
    deals: &'a [Deal<'a>],
}

impl<'a> Pmp<'a> {
    fn read(value: Value<'_, 'a, '_>) -> Pmp<'a> {
        let mut pmp = Pmp::default();
        for (key, value) in value.members().into_iter().flatten() {
            match key {
                b"private_auction" => pmp.private_auction = value.flag(),
                b"deals" => pmp.deals = value.list(deal),
                _ => {}
            }
        }
        pmp
    }
}

fn deal<'a>(value: Value<'_, 'a, '_>) -> Option<Deal<'a>> {
    let mut deal = Deal::default();
    let mut id: Option<Text<'a>> = None;
    for (key, value) in value.members()? {
        match key {
            b"id" => id = value.literal(),
            b"bidfloor" => deal.bidfloor = value.floor(),
            b"bidfloorcur" => deal.bidfloorcur = value.currency(),
            b"at" => deal.at = value.integer_or_zero(),
            b"wseat" => deal.wseat = value.texts(),
            b"wadomain" => deal.wadomain = value.texts(),
            _ => {}
        }
    }
    deal.id = id?;
    Some(deal)
}
