//! Rules in the header of `plain` that say how attributes work together.

use bumpalo::Bump;

use super::read;
use bidder_wasm::limits::{MAX_TEXT_BYTES, MAX_VALUES};
use bidder_wasm::read::{Reader, Wants};
use bidder_wasm::request::{Channel, Content, Imp, Request};

mod first_party;
mod media;
mod people;
mod scalars;

/// Reads a request with an id, an impression and the attributes `more`.
fn request<R>(more: &str, look: impl FnOnce(&Request<'_>) -> R) -> R {
    let arena = Bump::new();
    let body = format!(r#"{{"id":"r","imp":[{{"id":"1"}}],{more}}}"#);
    let request = read(body.as_bytes(), "edgebid", &arena).unwrap_or_else(|bad| panic!("{body}: {bad}"));
    look(&request)
}

/// Reads an impression with an id and the attributes `more`.
fn imp<R>(more: &str, look: impl FnOnce(&Imp<'_>) -> R) -> R {
    request(&format!(r#""imp":[{{"id":"1",{more}}}]"#), |request| look(&request.imp[0]))
}

/// Only the fast reader has these limits.
#[test]
fn a_request_over_the_limits_has_too_much() {
    let has_too_much = |more: &str| {
        let (arena, body) = (Bump::new(), format!(r#"{{"id":"r","imp":[{{"id":"1"}}],{more}}}"#));
        Reader::default().read(body.as_bytes(), &Wants::everything(""), &arena).unwrap().has_too_much
    };
    let entries = |entry: &str, count: usize| vec![entry; count].join(",");
    for (lists, has) in [
        (format!(r#""badv":[{}]"#, entries("1", MAX_VALUES / 2)), false),
        (format!(r#""badv":[{}]"#, entries("1", MAX_VALUES + 2)), true),
        (
            format!(r#""badv":[{}],"acat":[{}]"#, entries("1", MAX_VALUES / 2 + 2), entries("2", MAX_VALUES / 2 + 2)),
            true,
        ),
        (format!(r#""user":{{"eids":[{}]}}"#, entries("{}", MAX_VALUES + 2)), true),
        (format!(r#""site":{{"keywords":"{}"}}"#, "k".repeat(MAX_TEXT_BYTES / 2)), false),
        (format!(r#""site":{{"keywords":"{}"}}"#, "k".repeat(MAX_TEXT_BYTES + 1)), true),
        (format!(r#""ext":{{"unread":[{}]}}"#, entries("1", MAX_VALUES + 2)), false),
    ] {
        assert_eq!(has_too_much(&lists), has, "{}", &lists[..40]);
    }
}

#[test]
fn defaults() {
    request(r#""x":0"#, |request| {
        let expected = Request { id: request.id, imp: request.imp, at: 2, cattax: 1, ..Request::default() };
        assert_eq!(*request, expected);
        assert_eq!(request.imp, [Imp { id: request.imp[0].id, ..Imp::default() }]);
    });
    request(r#""at":"first","cattax":{},"tmax":-5,"app":null,"site":[],"device":"x","regs":1"#, |request| {
        let expected = Request { id: request.id, imp: request.imp, at: 2, cattax: 1, tmax: -5, ..Request::default() };
        assert_eq!(*request, expected);
    });
    let content = Content { cattax: 1, ..Content::default() };
    let channel = Some(Channel { cattax: 1, content, ..Channel::default() });
    for empty in ["{}", r#"{"cattax":"x","content":null}"#, r#"{"content":{"cattax":5},"content":{"cattax":[]}}"#] {
        request(&format!(r#""site":{empty},"app":{empty},"dooh":{empty}"#), |request| {
            assert_eq!([request.site, request.app, request.dooh], [channel.as_ref(); 3], "{empty}");
        });
    }
}
