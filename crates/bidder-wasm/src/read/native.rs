//! `Native` (§3.2.9), and the Native Ads request that it holds as text or, against the spec, as an object in place.

use bumpalo::collections::Vec;

use super::pass::{Padded, pass};
use super::slot::Slot;
use super::table::{Asset, AssetData, AssetVideo, EventTracker, Img, Native, NativeContent, Title};
use super::values::Values;
use crate::request::{self, AssetKind, NativeVersion, Size};

/// Reads what is asked; `None` when that is nothing answerable: no request, or one that is not a JSON object.
pub(super) fn answerable<'a>(
    values: &Values<'_, 'a>,
    slots: &[Slot; Native::SLOTS],
    into: &mut request::Native<'a>,
) -> Option<()> {
    let asked = slots[Native::request];
    let named = values.text(slots[Native::ver]);
    if let Some(block) = asked.block() {
        return content(values, block, named, into);
    }
    let text = Padded::copied(values.string(asked)?.as_bytes(), values.arena);
    let mut inner = values.inner.try_borrow_mut().ok()?;
    inner.clear();
    let passed = pass(&text, NativeContent::KIND, values.dispatch, &mut inner, values.left, values.arena).ok()?;
    content(&Values { text: passed.text, slots: &inner, ..*values }, passed.root?, named, into)
}

/// Reads the request that is in that block, or the one inside of `{"native":…}`.
fn content<'a>(
    values: &Values<'_, 'a>,
    block: usize,
    named: Option<&str>,
    into: &mut request::Native<'a>,
) -> Option<()> {
    let wrapped = values.attributes::<{ NativeContent::SLOTS }>(block)[NativeContent::native].block();
    let block = wrapped.unwrap_or(block);
    let ver = values.text(values.attributes::<{ NativeContent::SLOTS }>(block)[NativeContent::ver]);
    into.ver = NativeVersion::of(named.or(ver).unwrap_or_default(), wrapped.is_some());
    NativeContent::fill(values, block, into)
}

/// What an asset asks for.
#[allow(clippy::unnecessary_wraps, reason = "as all functions behind `then`")]
pub(super) fn kind<'a>(
    values: &Values<'_, 'a>,
    slots: &[Slot; Asset::SLOTS],
    into: &mut request::Asset<'a>,
) -> Option<()> {
    let integer = |slot| values.integer(slot).unwrap_or_default();
    if let Some(block) = slots[Asset::title].block() {
        let slots = values.attributes::<{ Title::SLOTS }>(block);
        into.kind = AssetKind::Title { len: integer(slots[Title::len]) };
    } else if let Some(block) = slots[Asset::img].block() {
        let slots = values.attributes::<{ Img::SLOTS }>(block);
        into.kind = AssetKind::Img {
            kind: integer(slots[Img::r#type]),
            size: Size { w: integer(slots[Img::w]), h: integer(slots[Img::h]) },
            min: Size { w: integer(slots[Img::wmin]), h: integer(slots[Img::hmin]) },
        };
    } else if let Some(block) = slots[Asset::video].block() {
        let slots = values.attributes::<{ AssetVideo::SLOTS }>(block);
        into.kind = AssetKind::Video {
            mimes: values.texts(slots[AssetVideo::mimes]).unwrap_or_default(),
            minduration: integer(slots[AssetVideo::minduration]),
            maxduration: integer(slots[AssetVideo::maxduration]),
            protocols: values.integers(slots[AssetVideo::protocols]).unwrap_or_default(),
        };
    } else if let Some(block) = slots[Asset::data].block() {
        let slots = values.attributes::<{ AssetData::SLOTS }>(block);
        into.kind = AssetKind::Data { kind: integer(slots[AssetData::r#type]), len: integer(slots[AssetData::len]) };
    }
    Some(())
}

impl<'a> Values<'_, 'a> {
    /// The methods of each entry with its event; none of an entry without one.
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
