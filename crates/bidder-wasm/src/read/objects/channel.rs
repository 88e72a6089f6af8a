//! `Site` (§3.2.13), `App` (§3.2.14) and `DOOH` (§3.2.32), and the `Content` (§3.2.16) in them.

use super::member;
use crate::read::walk::Value;
use crate::request::{Channel, Content};

pub(super) fn site<'a>(value: Value<'_, 'a, '_>) -> Option<Channel<'a>> {
    let (mut site, mut keywords) = (nothing(), Keywords::default());
    for (key, value) in value.object()? {
        with_pages(&mut site, &mut keywords, key, value);
    }
    (site.keywords, site.kwarray) = keywords.read();
    Some(site)
}

pub(super) fn app<'a>(value: Value<'_, 'a, '_>) -> Option<Channel<'a>> {
    let (mut app, mut keywords) = (nothing(), Keywords::default());
    for (key, value) in value.object()? {
        match key {
            b"bundle" => app.bundle = value.text_or_empty(),
            _ => with_pages(&mut app, &mut keywords, key, value),
        }
    }
    (app.keywords, app.kwarray) = keywords.read();
    Some(app)
}

pub(super) fn dooh<'a>(value: Value<'_, 'a, '_>) -> Option<Channel<'a>> {
    let (mut dooh, mut keywords) = (nothing(), Keywords::default());
    for (key, value) in value.object()? {
        any(&mut dooh, &mut keywords, key, value);
    }
    (dooh.keywords, dooh.kwarray) = keywords.read();
    Some(dooh)
}

pub(super) fn nothing<'a>() -> Channel<'a> {
    Channel { cattax: 1, content: no_content(), ..Channel::default() }
}

/// What `Site` and `App` have.
pub(super) fn with_pages<'a>(
    channel: &mut Channel<'a>,
    keywords: &mut Keywords<'a>,
    key: &[u8],
    value: Value<'_, 'a, '_>,
) {
    match key {
        b"cat" => channel.cat = value.texts(),
        b"sectioncat" => channel.sectioncat = value.texts(),
        b"pagecat" => channel.pagecat = value.texts(),
        b"cattax" => channel.cattax = value.integer().unwrap_or(1),
        b"kwarray" => keywords.array = value.texts(),
        _ => any(channel, keywords, key, value),
    }
}

/// What all three have.
fn any<'a>(channel: &mut Channel<'a>, keywords: &mut Keywords<'a>, key: &[u8], value: Value<'_, 'a, '_>) {
    match key {
        b"id" => channel.id = value.text_or_empty(),
        b"domain" => channel.domain = value.text_or_empty(),
        b"publisher" => channel.publisher_id = text_in(value, b"id"),
        b"keywords" => keywords.set(value),
        b"content" => channel.content = content(value),
        _ => {}
    }
}

pub(super) fn no_content<'a>() -> Content<'a> {
    Content { cattax: 1, ..Content::default() }
}

fn content<'a>(value: Value<'_, 'a, '_>) -> Content<'a> {
    let (mut content, mut keywords) = (no_content(), Keywords::default());
    for (key, value) in value.members() {
        in_content(&mut content, &mut keywords, key, value);
    }
    (content.keywords, content.kwarray) = keywords.read();
    content
}

/// What `Content` has.
#[inline]
pub(super) fn in_content<'a>(
    content: &mut Content<'a>,
    keywords: &mut Keywords<'a>,
    key: &[u8],
    value: Value<'_, 'a, '_>,
) {
    match key {
        b"genre" => content.genre = value.text_or_empty(),
        b"contentrating" => content.contentrating = value.text_or_empty(),
        b"livestream" => content.livestream = value.known_flag(),
        b"language" => content.language = value.text_or_empty(),
        b"langb" => content.langb = value.text_or_empty(),
        b"network" => content.network = text_in(value, b"name"),
        b"channel" => content.channel = text_in(value, b"name"),
        b"cat" => content.cat = value.texts(),
        b"cattax" => content.cattax = value.integer().unwrap_or(1),
        b"keywords" => keywords.set(value),
        b"kwarray" => keywords.array = value.texts(),
        _ => {}
    }
}

/// The one text that is read of an object.
fn text_in<'a>(value: Value<'_, 'a, '_>, name: &[u8]) -> &'a str {
    member(value, name).map(Value::text_or_empty).unwrap_or_default()
}

/// `keywords` and `kwarray`: what they say is known when the last duplicate of both is.
#[derive(Default)]
pub(super) struct Keywords<'a> {
    text: &'a str,
    /// `keywords` that came as an array.
    misplaced: &'a [&'a str],
    /// `kwarray`.
    pub(super) array: &'a [&'a str],
}

impl<'a> Keywords<'a> {
    /// Takes the value of `keywords`.
    pub(super) fn set(&mut self, value: Value<'_, 'a, '_>) {
        self.text = value.text_or_empty();
        self.misplaced = if value.is_array() { value.texts() } else { &[] };
    }

    /// What `keywords` and `kwarray` mean together.
    pub(super) fn read(self) -> (&'a str, &'a [&'a str]) {
        (self.text, if self.array.is_empty() { self.misplaced } else { self.array })
    }
}
