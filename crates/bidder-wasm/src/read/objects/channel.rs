//! `Site` (§3.2.13), `App` (§3.2.14) and `DOOH` (§3.2.32), and the `Content` (§3.2.16) in them.

use super::member;
use crate::read::Needs;
use crate::read::key::{Key, name};
use crate::read::walk::{Members, Value};
use crate::request::{Channel, Content};

pub(super) fn site<'a>(value: Value<'_, 'a, '_>, needs: &Needs) -> Option<&'a Channel<'a>> {
    let members = inside(value, needs)?;
    let (site, mut keywords) = (value.arena().alloc(nothing()), Keywords::default());
    for (key, value) in members {
        match key {
            name::page => site.page = value.text_or_empty(),
            _ => with_pages(site, &mut keywords, key, value, needs),
        }
    }
    (site.keywords, site.kwarray) = keywords.read();
    Some(site)
}

pub(super) fn app<'a>(value: Value<'_, 'a, '_>, needs: &Needs) -> Option<&'a Channel<'a>> {
    let members = inside(value, needs)?;
    let (app, mut keywords) = (value.arena().alloc(nothing()), Keywords::default());
    for (key, value) in members {
        match key {
            name::bundle => app.bundle = value.text_or_empty(),
            _ => with_pages(app, &mut keywords, key, value, needs),
        }
    }
    (app.keywords, app.kwarray) = keywords.read();
    Some(app)
}

pub(super) fn dooh<'a>(value: Value<'_, 'a, '_>, needs: &Needs) -> Option<&'a Channel<'a>> {
    let members = inside(value, needs)?;
    let (dooh, mut keywords) = (value.arena().alloc(nothing()), Keywords::default());
    for (key, value) in members {
        any(dooh, &mut keywords, key, value, needs);
    }
    (dooh.keywords, dooh.kwarray) = keywords.read();
    Some(dooh)
}

/// The members; none where they are not needed.
fn inside<'d, 'a, 'i>(value: Value<'d, 'a, 'i>, needs: &Needs) -> Option<Members<'d, 'a, 'i>> {
    if needs.channel { value.object() } else { value.is_object().then(|| value.no_members()) }
}

pub(super) fn nothing<'a>() -> Channel<'a> {
    Channel { cattax: 1, content: no_content(), ..Channel::default() }
}

/// What `Site` and `App` have.
pub(super) fn with_pages<'a>(
    channel: &mut Channel<'a>,
    keywords: &mut Keywords<'a>,
    key: Key,
    value: Value<'_, 'a, '_>,
    needs: &Needs,
) {
    match key {
        name::cat if needs.cat => channel.cat = value.texts(),
        name::sectioncat if needs.cat => channel.sectioncat = value.texts(),
        name::pagecat if needs.cat => channel.pagecat = value.texts(),
        name::cattax if needs.cat => channel.cattax = value.integer().unwrap_or(1),
        name::kwarray if needs.keywords => keywords.array = value.texts(),
        _ => any(channel, keywords, key, value, needs),
    }
}

/// What all three have.
fn any<'a>(channel: &mut Channel<'a>, keywords: &mut Keywords<'a>, key: Key, value: Value<'_, 'a, '_>, needs: &Needs) {
    match key {
        name::id => channel.id = value.text_or_empty(),
        name::domain => channel.domain = value.text_or_empty(),
        name::publisher => (channel.publisher_id, channel.publisher_domain) = publisher(value),
        name::keywords if needs.keywords => keywords.set(value),
        name::content if needs.content => channel.content = content(value, needs),
        _ => {}
    }
}

/// Id and domain.
fn publisher<'a>(value: Value<'_, 'a, '_>) -> (&'a str, &'a str) {
    let (mut id, mut domain) = ("", "");
    for (key, value) in value.members() {
        match key {
            name::id => id = value.text_or_empty(),
            name::domain => domain = value.text_or_empty(),
            _ => {}
        }
    }
    (id, domain)
}

pub(super) fn no_content<'a>() -> Content<'a> {
    Content { cattax: 1, ..Content::default() }
}

fn content<'a>(value: Value<'_, 'a, '_>, needs: &Needs) -> Content<'a> {
    let (mut content, mut keywords) = (no_content(), Keywords::default());
    for (key, value) in value.members() {
        in_content(&mut content, &mut keywords, key, value, needs);
    }
    (content.keywords, content.kwarray) = keywords.read();
    content
}

/// What `Content` has.
#[inline]
pub(super) fn in_content<'a>(
    content: &mut Content<'a>,
    keywords: &mut Keywords<'a>,
    key: Key,
    value: Value<'_, 'a, '_>,
    needs: &Needs,
) {
    match key {
        name::genre => content.genre = value.text_or_empty(),
        name::genres => content.genres = value.texts(),
        name::contentrating => content.contentrating = value.text_or_empty(),
        name::livestream => content.livestream = value.known_flag(),
        name::language => content.language = value.text_or_empty(),
        name::langb => content.langb = value.text_or_empty(),
        name::network => content.network = text_in(value, name::name),
        name::channel => content.channel = text_in(value, name::name),
        name::cat if needs.cat => content.cat = value.texts(),
        name::cattax if needs.cat => content.cattax = value.integer().unwrap_or(1),
        name::keywords if needs.keywords => keywords.set(value),
        name::kwarray if needs.keywords => keywords.array = value.texts(),
        _ => {}
    }
}

/// The one text that is read of an object.
fn text_in<'a>(value: Value<'_, 'a, '_>, wanted: Key) -> &'a str {
    member(value, wanted).map(Value::text_or_empty).unwrap_or_default()
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
