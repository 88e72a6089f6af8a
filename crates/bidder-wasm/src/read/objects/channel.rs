//! `Site` (§3.2.13), `App` (§3.2.14) and `DOOH` (§3.2.32).

use crate::read::walk::Value;
use crate::request::Channel;

pub(super) fn app<'a>(value: Value<'_, 'a, '_>) -> Option<Channel<'a>> {
    let mut app = Channel::default();
    for (key, value) in value.members()? {
        match key {
            b"bundle" => app.bundle = value.text_or_empty(),
            _ => channel(&mut app, key, value),
        }
    }
    Some(app)
}

pub(super) fn site_or_dooh<'a>(value: Value<'_, 'a, '_>) -> Option<Channel<'a>> {
    let mut other = Channel::default();
    for (key, value) in value.members()? {
        channel(&mut other, key, value);
    }
    Some(other)
}

/// What all three have.
fn channel<'a>(channel: &mut Channel<'a>, key: &[u8], value: Value<'_, 'a, '_>) {
    match key {
        b"id" => channel.id = value.text_or_empty(),
        b"domain" => channel.domain = value.text_or_empty(),
        b"publisher" => channel.publisher_id = publisher_id(value),
        _ => {}
    }
}

fn publisher_id<'a>(value: Value<'_, 'a, '_>) -> &'a str {
    let mut id = "";
    for (key, value) in value.members().into_iter().flatten() {
        match key {
            b"id" => id = value.text_or_empty(),
            _ => {}
        }
    }
    id
}
