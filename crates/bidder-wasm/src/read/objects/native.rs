//! `Native` (§3.2.9), and the Native Ads request that it holds as text or, against the spec, as an
//! object in place.

use crate::read::fast::Natives;
use crate::read::walk::{Document, Value};
use crate::request::{Asset, AssetKind, Native, Size};

/// `None` when nothing answerable is asked: no request, or one that is not a JSON object.
pub(super) fn read<'a>(value: Value<'_, 'a, '_>, natives: &mut Natives<'_, 'a>) -> Option<Native<'a>> {
    let mut native = Native::default();
    let (mut version, mut asked) = ("", None);
    for (key, value) in value.members()? {
        match key {
            b"request" => asked = Some(value),
            b"ver" => version = value.text_or_empty(),
            b"battr" => native.battr = value.integers(),
            b"api" => native.api = value.integers(),
            _ => {}
        }
    }
    let asked = asked?;
    let content = match asked.string() {
        Some(text) => {
            natives.index.build(text.as_bytes()).ok()?;
            Content::read(Document::new(text, natives.index, natives.arena).root())?
        }
        None => Content::read(asked)?,
    };
    if version.is_empty() {
        version = content.version;
    }
    native.wrapped = if version.is_empty() { content.wrapped } else { version == "1" || version.starts_with("1.0") };
    native.assets = content.assets;
    Some(native)
}

/// The Native Ads request (Native Ads 1.2 §4.1).
#[derive(Default)]
struct Content<'a> {
    /// Whether it stood in `{"native":…}`.
    wrapped: bool,
    version: &'a str,
    assets: &'a [Asset],
}

impl<'a> Content<'a> {
    fn read(value: Value<'_, 'a, '_>) -> Option<Content<'a>> {
        let wrapper = value.members()?.filter(|(key, _)| *key == b"native").last();
        match wrapper.and_then(|(_, inner)| Self::bare(inner)) {
            Some(content) => Some(Content { wrapped: true, ..content }),
            None => Self::bare(value),
        }
    }

    fn bare(value: Value<'_, 'a, '_>) -> Option<Content<'a>> {
        let mut content = Content::default();
        for (key, value) in value.members()? {
            match key {
                b"ver" => content.version = value.text_or_empty(),
                b"assets" => content.assets = value.list(asset),
                _ => {}
            }
        }
        Some(content)
    }
}

fn asset(value: Value<'_, '_, '_>) -> Option<Asset> {
    let mut asset = Asset::default();
    let mut id = None;
    let (mut title, mut img, mut video, mut data) = (None, None, None, None);
    for (key, value) in value.members()? {
        match key {
            b"id" => id = value.integer(),
            b"required" => asset.required = value.flag(),
            b"title" => title = self::title(value),
            b"img" => img = self::img(value),
            b"video" => video = value.members().map(|_| AssetKind::Video),
            b"data" => data = self::data(value),
            _ => {}
        }
    }
    asset.id = id?;
    asset.kind = title.or(img).or(video).or(data).unwrap_or_default();
    Some(asset)
}

fn title(value: Value<'_, '_, '_>) -> Option<AssetKind> {
    let mut len = 0;
    for (key, value) in value.members()? {
        match key {
            b"len" => len = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(AssetKind::Title { len })
}

fn img(value: Value<'_, '_, '_>) -> Option<AssetKind> {
    let (mut kind, mut size, mut min) = (0, Size::default(), Size::default());
    for (key, value) in value.members()? {
        match key {
            b"type" => kind = value.integer_or_zero(),
            b"w" => size.w = value.integer_or_zero(),
            b"h" => size.h = value.integer_or_zero(),
            b"wmin" => min.w = value.integer_or_zero(),
            b"hmin" => min.h = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(AssetKind::Img { kind, size, min })
}

fn data(value: Value<'_, '_, '_>) -> Option<AssetKind> {
    let (mut kind, mut len) = (0, 0);
    for (key, value) in value.members()? {
        match key {
            b"type" => kind = value.integer_or_zero(),
            b"len" => len = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(AssetKind::Data { kind, len })
}
