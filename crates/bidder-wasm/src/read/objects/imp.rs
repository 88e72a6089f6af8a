//! `Imp` (§3.2.4), and `Metric` (§3.2.5) inside it.

use bumpalo::collections::Vec;

use super::deal::Pmp;
use super::{media, member, native};
use crate::limits::MAX_IMPS;
use crate::money::{Micros, Rounding};
use crate::read::fast::Natives;
use crate::read::key::name;
use crate::read::walk::Value;
use crate::read::{Needs, number};
use crate::request::{Imp, Metric};

/// The first [`MAX_IMPS`] impressions that have an id, and whether more objects follow; `None` when no item is an object, or when it is no list but an object
/// without an id.
pub(super) fn list<'a>(
    imps: Value<'_, 'a, '_>,
    needs: &Needs,
    natives: &mut Natives<'_, 'a>,
) -> Option<(&'a [Imp<'a>], bool)> {
    let mut is_list = false;
    // Room for all: what is not used costs nothing, and growing would move what is.
    let mut list = Vec::with_capacity_in(MAX_IMPS, natives.arena);
    let mut objects = imps.items().filter(|item| item.is_object());
    for item in objects.by_ref() {
        is_list = true;
        list.extend(read(item, needs, natives));
        if list.len() == MAX_IMPS {
            break;
        }
    }
    let more = list.len() == MAX_IMPS && objects.next().is_some();
    (is_list && (imps.is_array() || !list.is_empty())).then(|| (list.into_bump_slice(), more))
}

fn read<'a>(value: Value<'_, 'a, '_>, needs: &Needs, natives: &mut Natives<'_, 'a>) -> Option<Imp<'a>> {
    let mut imp = Imp::default();
    let (mut id, mut asked_native) = (None, None);
    let (mut pmp, mut rwdd, mut ext) = (Pmp::default(), None, Ext::default());
    for (key, value) in value.object()? {
        match key {
            name::id => id = value.literal(),
            name::banner if needs.banner => imp.banner = media::banner(value),
            name::video => imp.video = if needs.video { media::video(value) } else { media::video_pod(value) },
            name::audio => imp.audio = if needs.audio { media::audio(value) } else { media::audio_pod(value) },
            name::native if needs.native => asked_native = Some(value),
            name::pmp => pmp = Pmp::read(value, needs),
            name::instl => imp.instl = value.flag(),
            name::tagid => imp.tagid = value.text_or_empty(),
            name::bidfloor => imp.bidfloor = value.floor(),
            name::bidfloorcur => imp.bidfloorcur = value.currency(),
            name::secure => imp.secure = value.flag(),
            name::rwdd => rwdd = value.known_flag(),
            name::ssai => imp.ssai = value.integer_or_zero(),
            name::exp => imp.exp = value.integer_or_zero(),
            name::dt => imp.dt = value.text().and_then(number::whole).unwrap_or_default(),
            name::metric if needs.metric => imp.metric = value.objects(metric),
            name::ext => ext = Ext::read(value),
            _ => {}
        }
    }
    imp.id = id?;
    imp.native = asked_native.and_then(|value| native::read(value, natives));
    (imp.private_auction, imp.deals) = (pmp.private_auction, pmp.deals);
    imp.rwdd = rwdd.or(ext.rewarded).unwrap_or_default();
    imp.gpid = if ext.gpid.is_empty() { ext.pbadslot } else { ext.gpid };
    Some(imp)
}

/// What Prebid adds to an impression.
#[derive(Default)]
struct Ext<'a> {
    gpid: &'a str,
    pbadslot: &'a str,
    rewarded: Option<bool>,
}

impl<'a> Ext<'a> {
    fn read(value: Value<'_, 'a, '_>) -> Ext<'a> {
        let mut ext = Ext::default();
        for (key, value) in value.members() {
            match key {
                name::gpid => ext.gpid = value.text_or_empty(),
                name::data => ext.pbadslot = member(value, name::pbadslot).map_or("", Value::text_or_empty),
                name::prebid => {
                    ext.rewarded = value.member_called("is_rewarded_inventory").and_then(Value::known_flag);
                }
                _ => {}
            }
        }
        ext
    }
}

fn metric<'a>(value: Value<'_, 'a, '_>) -> Option<Metric<'a>> {
    let (mut kind, mut measured, mut vendor) = (None, None, "");
    for (key, value) in value.object()? {
        match key {
            name::r#type => kind = value.text(),
            name::value => measured = value.text().and_then(|text| Micros::parse(text, Rounding::Up)),
            name::vendor => vendor = value.text_or_empty(),
            _ => {}
        }
    }
    Some(Metric { kind: kind?, value: measured?, vendor })
}
