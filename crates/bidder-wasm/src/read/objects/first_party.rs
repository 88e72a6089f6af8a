//! First-party data for us in `ext.prebid.bidderconfig`, merged by the rules in [`crate::request`].
//!
//! Looked for only where the request has an `ext`; what follows runs only when an entry is
//! addressed to us. Then `site`, `app` and `user` are read again, layer upon layer: first what the
//! request says, then each entry. A layer's members overwrite those below, so that a merge needs no
//! object in between and nothing on the heap. What no layer may touch is not read here.

use super::channel::{self, Keywords, in_content, with_pages};
use super::device::Place;
use super::{member, person};
use crate::read::key::{Key, name};
use crate::read::walk::Value;
use crate::read::{Needs, Wants};
use crate::request::{Channel, Request, User};

/// Merges what `ext`, a member of `root`, holds for us over what was read of `root`.
#[inline(never)]
pub(super) fn merge<'a>(request: &mut Request<'a>, root: Value<'_, 'a, '_>, ext: Value<'_, 'a, '_>, wants: &Wants<'_>) {
    let needs = &wants.needs;
    let entries = member(ext, name::prebid).and_then(|prebid| member(prebid, name::bidderconfig));
    let ours = entries.into_iter().flat_map(Value::items).filter(|entry| is_for(*entry, wants.prebid_code));
    let mut patches = ours.filter_map(|entry| member(member(entry, name::config)?, name::ortb2)).peekable();
    if patches.peek().is_none() {
        return;
    }
    let (mut site, mut app, mut user) = (Layers::default(), Layers::default(), Person::default());
    for layer in core::iter::once(root).chain(patches) {
        if let Some(value) = member(layer, name::site) {
            site.add(value, Kind::Site, needs);
        }
        if let Some(value) = member(layer, name::app) {
            app.add(value, Kind::App, needs);
        }
        if let Some(value) = member(layer, name::user) {
            user.add(value, needs);
        }
    }
    request.site = request.site.map(|_| &*root.arena().alloc(site.read()));
    request.app = request.app.map(|_| &*root.arena().alloc(app.read()));
    user.read(&mut request.user);
}

/// Whether an entry is for the bidder `code`, or for all of them.
fn is_for(entry: Value<'_, '_, '_>, code: &str) -> bool {
    let bidders = member(entry, name::bidders).into_iter().flat_map(Value::items);
    bidders.filter_map(Value::text).any(|bidder| bidder == "*" || is_code(bidder, code))
}

/// Prebid Server takes the codes it knows in any case of letters. No code is nobody's.
fn is_code(bidder: &str, code: &str) -> bool {
    !code.is_empty() && bidder.eq_ignore_ascii_case(code)
}

/// Of which object a layer is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Site,
    App,
}

/// A `Site` or `App` as the layers so far have it.
struct Layers<'a> {
    channel: Channel<'a>,
    keywords: Keywords<'a>,
    content_keywords: Keywords<'a>,
}

impl Default for Layers<'_> {
    fn default() -> Self {
        let (keywords, content_keywords) = (Keywords::default(), Keywords::default());
        Layers { channel: channel::nothing(), keywords, content_keywords }
    }
}

impl<'a> Layers<'a> {
    /// Lays what is in `value`, if it is an object, over what is here. Of what merges by itself, the
    /// last duplicate is the one that counts.
    fn add(&mut self, value: Value<'_, 'a, '_>, kind: Kind, needs: &Needs) {
        let (mut publisher, mut content) = (None, None);
        for (key, value) in value.members() {
            match key {
                name::publisher => publisher = Some(value),
                name::content => content = Some(value),
                name::page if kind == Kind::Site => self.channel.page = value.text_or_empty(),
                name::bundle if kind == Kind::App => self.channel.bundle = value.text_or_empty(),
                _ => with_pages(&mut self.channel, &mut self.keywords, key, value, needs),
            }
        }
        text_in(&mut self.channel.publisher_id, publisher, name::id);
        text_in(&mut self.channel.publisher_domain, publisher, name::domain);
        if let Some(content) = content {
            self.add_content(content, needs);
        }
    }

    fn add_content(&mut self, value: Value<'_, 'a, '_>, needs: &Needs) {
        let content = &mut self.channel.content;
        if !value.is_object() {
            (*content, self.content_keywords) = (channel::no_content(), Keywords::default());
        }
        let (mut network, mut channel) = (None, None);
        for (key, value) in value.members() {
            match key {
                name::network => network = Some(value),
                name::channel => channel = Some(value),
                _ => in_content(content, &mut self.content_keywords, key, value, needs),
            }
        }
        text_in(&mut content.network, network, name::name);
        text_in(&mut content.channel, channel, name::name);
    }

    fn read(self) -> Channel<'a> {
        let mut channel = self.channel;
        (channel.keywords, channel.kwarray) = self.keywords.read();
        (channel.content.keywords, channel.content.kwarray) = self.content_keywords.read();
        channel
    }
}

/// Lays the one text that is read of an object over what is here.
fn text_in<'a>(here: &mut &'a str, object: Option<Value<'_, 'a, '_>>, wanted: Key) {
    match object {
        Some(object) if object.is_object() => {
            if let Some(value) = member(object, wanted) {
                *here = value.text_or_empty();
            }
        }
        // Something else in its place takes it away.
        Some(_) => *here = "",
        None => {}
    }
}

/// What may be merged of a `User`, as the layers so far have it.
#[derive(Default)]
struct Person<'a> {
    user: User<'a>,
    keywords: Keywords<'a>,
    place: Place<'a>,
}

impl<'a> Person<'a> {
    /// Lays what is in `value`, if it is an object, over what is here.
    fn add(&mut self, value: Value<'_, 'a, '_>, needs: &Needs) {
        let mut geo = None;
        for (key, value) in value.members() {
            match key {
                name::geo => geo = Some(value),
                _ => person::interests(&mut self.user, &mut self.keywords, key, value, needs),
            }
        }
        let Some(geo) = geo else { return };
        if !geo.is_object() {
            self.place = Place::default();
        }
        for (key, value) in geo.members() {
            self.place.set(key, value);
        }
    }

    /// Leaves in `user` what identifies the person and what consent there is.
    fn read(self, user: &mut User<'a>) {
        user.geo = self.place.read();
        (user.keywords, user.kwarray) = self.keywords.read();
        (user.yob, user.data) = (self.user.yob, self.user.data);
    }
}
