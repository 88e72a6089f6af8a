//! `Native` (§3.2.9), and the Native Ads request that it holds as text or, against the spec, as an
//! object in place.

use super::member;
use crate::read::fast::Natives;
use crate::read::key::name;
use crate::read::walk::{Document, Value};
use crate::request::{Asset, AssetKind, EventTracker, Native, NativeVersion, Size};

/// `None` when nothing answerable is asked: no request, or one that is not a JSON object.
pub(super) fn read<'a>(value: Value<'_, 'a, '_>, natives: &mut Natives<'_, 'a>) -> Option<Native<'a>> {
    let mut native = Native::default();
    let (mut version, mut asked) = ("", None);
    for (key, value) in value.object()? {
        match key {
            name::request => asked = Some(value),
            name::ver => version = value.text_or_empty(),
            name::battr => native.battr = value.integers(),
            name::api => native.api = value.integers(),
            _ => {}
        }
    }
    let asked = asked?;
    let content = match asked.string() {
        Some(text) => {
            natives.index.build(text.as_bytes()).ok()?;
            Content::read(Document::new(text, natives.index, natives.left, natives.arena).root())?
        }
        None => Content::read(asked)?,
    };
    if version.is_empty() {
        version = content.version;
    }
    native.ver = NativeVersion::of(version, content.wrapped);
    native.assets = content.assets;
    native.eventtrackers = content.eventtrackers;
    native.privacy = content.privacy;
    Some(native)
}

/// The Native Ads request (Native Ads 1.2 §4.1).
#[derive(Default)]
struct Content<'a> {
    /// Whether it stood in `{"native":…}`.
    wrapped: bool,
    version: &'a str,
    assets: &'a [Asset<'a>],
    eventtrackers: &'a [EventTracker],
    privacy: bool,
}

impl<'a> Content<'a> {
    fn read(value: Value<'_, 'a, '_>) -> Option<Content<'a>> {
        match member(value, name::native).and_then(Self::bare) {
            Some(content) => Some(Content { wrapped: true, ..content }),
            None => Self::bare(value),
        }
    }

    fn bare(value: Value<'_, 'a, '_>) -> Option<Content<'a>> {
        let mut content = Content::default();
        for (key, value) in value.object()? {
            match key {
                name::ver => content.version = value.text_or_empty(),
                name::assets => content.assets = value.objects(asset),
                name::eventtrackers => content.eventtrackers = value.objects(event_trackers),
                name::privacy => content.privacy = value.flag(),
                _ => {}
            }
        }
        Some(content)
    }
}

fn asset<'a>(value: Value<'_, 'a, '_>) -> Option<Asset<'a>> {
    let mut asset = Asset::default();
    let mut id = None;
    let (mut title, mut img, mut video, mut data) = (None, None, None, None);
    for (key, value) in value.object()? {
        match key {
            name::id => id = value.integer(),
            name::required => asset.required = value.flag(),
            name::title => title = self::title(value),
            name::img => img = self::img(value),
            name::video => video = self::video(value),
            name::data => data = self::data(value),
            _ => {}
        }
    }
    asset.id = id?;
    asset.kind = title.or(img).or(video).or(data).unwrap_or_default();
    Some(asset)
}

fn title(value: Value<'_, '_, '_>) -> Option<AssetKind<'static>> {
    let len = member(value, name::len).map_or(0, Value::integer_or_zero);
    value.is_object().then_some(AssetKind::Title { len })
}

fn img(value: Value<'_, '_, '_>) -> Option<AssetKind<'static>> {
    let (mut kind, mut size, mut min) = (0, Size::default(), Size::default());
    for (key, value) in value.object()? {
        match key {
            name::r#type => kind = value.integer_or_zero(),
            name::w => size.w = value.integer_or_zero(),
            name::h => size.h = value.integer_or_zero(),
            name::wmin => min.w = value.integer_or_zero(),
            name::hmin => min.h = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(AssetKind::Img { kind, size, min })
}

fn video<'a>(value: Value<'_, 'a, '_>) -> Option<AssetKind<'a>> {
    let (mut mimes, mut protocols) = (&[][..], &[][..]);
    let (mut minduration, mut maxduration) = (0, 0);
    for (key, value) in value.object()? {
        match key {
            name::mimes => mimes = value.texts(),
            name::minduration => minduration = value.integer_or_zero(),
            name::maxduration => maxduration = value.integer_or_zero(),
            name::protocols => protocols = value.integers(),
            _ => {}
        }
    }
    Some(AssetKind::Video { mimes, minduration, maxduration, protocols })
}

fn data(value: Value<'_, '_, '_>) -> Option<AssetKind<'static>> {
    let (mut kind, mut len) = (0, 0);
    for (key, value) in value.object()? {
        match key {
            name::r#type => kind = value.integer_or_zero(),
            name::len => len = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(AssetKind::Data { kind, len })
}

/// The methods of one entry, each with its event; none when there is no event.
fn event_trackers(value: Value<'_, '_, '_>) -> impl Iterator<Item = EventTracker> {
    let (mut event, mut methods) = (None, None);
    for (key, value) in value.members() {
        match key {
            name::event => event = value.integer(),
            name::methods => methods = Some(value),
            _ => {}
        }
    }
    let methods = methods.into_iter().flat_map(Value::items).filter_map(Value::integer);
    methods.filter_map(move |method| Some(EventTracker { event: event?, method }))
}
