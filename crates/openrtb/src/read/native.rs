//! Reads `Native` (§3.2.9) and its Native Ads request. The specification wants a string; some exchanges send an object.

use bumpalo::collections::Vec;

use super::objects::{Asset, AssetData, AssetVideo, EventTracker, Img, Native, NativeContent, Title};
use super::pass::{Padded, pass};
use super::slot::Slot;
use super::values::Values;
use crate::request::{self, AssetKind, NativeVersion, Size};

/// Reads `request`. `None` if it is absent or not a JSON object: such an offer cannot get a bid.
pub(super) fn read_request<'a>(
    values: &Values<'_, 'a>,
    slots: &[Slot; Native::SLOTS],
    into: &mut request::Native<'a>,
) -> Option<()> {
    let request = slots[Native::request];
    let outer_ver = values.text(slots[Native::ver]);
    if let Some(block) = request.block() {
        return read_content(values, block, outer_ver, into);
    }
    let text = Padded::copied(values.string(request)?.as_bytes(), values.arena);
    let mut slots = values.native_slots.try_borrow_mut().ok()?;
    slots.clear();
    let checked =
        pass(&text, NativeContent::KIND, values.dispatch, &mut slots, values.size_limit, values.arena).ok()?;
    read_content(&Values { text: checked.text, slots: &slots, ..*values }, checked.root?, outer_ver, into)
}

/// Reads the Native Ads request in that block, and the one inside its `{"native":…}`, which goes before it. `outer_ver` is
/// `imp.native.ver`.
fn read_content<'a>(
    values: &Values<'_, 'a>,
    block: usize,
    outer_ver: Option<&str>,
    into: &mut request::Native<'a>,
) -> Option<()> {
    let slots = values.attributes::<{ NativeContent::SLOTS }>(block);
    let wrapped = slots[NativeContent::native].block();
    let inner = wrapped.map(|block| values.attributes::<{ NativeContent::SLOTS }>(block)[NativeContent::ver]);
    let ver = inner.and_then(|slot| values.text(slot)).or_else(|| values.text(slots[NativeContent::ver]));
    into.ver = NativeVersion::of(outer_ver.or(ver).unwrap_or_default(), wrapped.is_some());
    NativeContent::fill(values, block, into)?;
    wrapped.map_or(Some(()), |block| NativeContent::fill(values, block, into))
}

/// Reads the kind of an asset: see [`AssetKind`].
/// `None` without an `id`, unless the asset is required: then it stays, and no ad has an answer to it.
pub(super) fn asset_kind<'a>(
    values: &Values<'_, 'a>,
    slots: &[Slot; Asset::SLOTS],
    into: &mut request::Asset<'a>,
) -> Option<()> {
    if into.id.is_none() {
        return into.required.then_some(());
    }
    let integer = |slot| values.integer(slot).unwrap_or_default();
    let (kind, block);
    if let Some(title) = slots[Asset::title].block() {
        (kind, block) = (Title::KIND, title);
        let slots = values.attributes::<{ Title::SLOTS }>(block);
        into.kind = AssetKind::Title { len: integer(slots[Title::len]) };
    } else if let Some(img) = slots[Asset::img].block() {
        (kind, block) = (Img::KIND, img);
        let slots = values.attributes::<{ Img::SLOTS }>(block);
        into.kind = AssetKind::Img {
            kind: integer(slots[Img::r#type]),
            size: Size { w: integer(slots[Img::w]), h: integer(slots[Img::h]) },
            min: Size { w: integer(slots[Img::wmin]), h: integer(slots[Img::hmin]) },
        };
    } else if let Some(video) = slots[Asset::video].block() {
        (kind, block) = (AssetVideo::KIND, video);
        let slots = values.attributes::<{ AssetVideo::SLOTS }>(block);
        into.kind = AssetKind::Video {
            mimes: values.texts(slots[AssetVideo::mimes]).unwrap_or_default(),
            minduration: integer(slots[AssetVideo::minduration]),
            maxduration: integer(slots[AssetVideo::maxduration]),
            protocols: values.integers(slots[AssetVideo::protocols]).unwrap_or_default(),
        };
    } else if let Some(data) = slots[Asset::data].block() {
        (kind, block) = (AssetData::KIND, data);
        let slots = values.attributes::<{ AssetData::SLOTS }>(block);
        into.kind = AssetKind::Data { kind: integer(slots[AssetData::r#type]), len: integer(slots[AssetData::len]) };
    } else {
        return Some(());
    }
    // No part of an ad is known to be within limits that cannot be read.
    if !values.is_readable_object(kind, block) {
        into.kind = AssetKind::Other;
    }
    Some(())
}

impl<'a> Values<'_, 'a> {
    /// One tracker for each pair of event and method. Entries without an `event` are left out.
    pub(super) fn event_trackers(&self, slot: Slot) -> Option<&'a [request::EventTracker]> {
        let mut list = Vec::new_in(self.arena);
        for block in self.slots.blocks(slot) {
            let slots = self.attributes::<{ EventTracker::SLOTS }>(block);
            let Some(event) = self.integer(slots[EventTracker::event]) else { continue };
            let methods = self.integers(slots[EventTracker::methods]).unwrap_or_default();
            list.extend(methods.iter().map(|method| request::EventTracker { event, method: *method }));
        }
        let list = list.into_bump_slice();
        if list.is_empty() { None } else { Some(list) }
    }
}
