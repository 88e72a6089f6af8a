//! The rules in the header of `plain`, one test each: what both readers read.

use bumpalo::Bump;

use super::read;
use bidder_wasm::limits::{MAX_DEPTH, MAX_IMPS, MAX_REQUEST_BYTES, MAX_TEXT_BYTES, MAX_VALUES};
use bidder_wasm::read::{BadRequest, Reader, Wants};
use bidder_wasm::request::{Channel, Content, Imp, Request};

mod first_party;
mod media;
mod native;
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

fn refusal(body: &str) -> Option<BadRequest> {
    let arena = Bump::new();
    read(body.as_bytes(), "edgebid", &arena).err()
}

#[test]
fn refused() {
    for (body, expected) in [
        ("", Some(BadRequest::NotJson { at: 0 })),
        (r#"{"id":"1","imp":[{"id":"1"},]}"#, Some(BadRequest::NotJson { at: 28 })),
        ("[]", Some(BadRequest::NotAnObject)),
        ("null", Some(BadRequest::NotAnObject)),
        ("{}", Some(BadRequest::MissingId)),
        (r#"{"id":null,"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":true,"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":["1"],"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":"1","id":null,"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":"1"}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":null}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":"1"}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":[]}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":[null,5,[{"id":"1"}]]}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":[{"id":"1"}],"imp":[]}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"","imp":[{}]}"#, None),
        (r#"{"id":1,"imp":{"id":"1"}}"#, None),
    ] {
        assert_eq!(refusal(body), expected, "{body}");
    }
    for imp in ["{}", "[]"] {
        let message = refusal(&format!(r#"{{"id":"1","imp":{imp}}}"#)).map(|bad| bad.to_string());
        assert!(message.is_some_and(|message| {
            message.contains("no impression in it; expected an array of objects, each with an id")
        }));
    }
    let large = format!(r#"{{"id":"1","imp":[{{"id":"1"}}]{}}}"#, " ".repeat(MAX_REQUEST_BYTES));
    assert_eq!(refusal(&large), Some(BadRequest::TooLarge));
    let deep = format!(r#"{{"id":"1","imp":{}{}}}"#, "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert_eq!(refusal(&deep), Some(BadRequest::NotJson { at: 16 + MAX_DEPTH - 1 }));
}

#[test]
fn imps_without_an_id_are_left_out_and_the_first_others_kept() {
    let ids = |imps: &str| {
        request(&format!(r#""imp":{imps}"#), |request| {
            request.imp.iter().map(|imp| imp.id.value.to_string()).collect::<Vec<_>>().join("|")
        })
    };
    for (imps, expected) in [
        (r#"[{"id":"a"},{},{"id":null},{"id":[]},{"id":true},{"id":""},{"id":7},5,null,{"id":"a"}]"#, "a||7|a"),
        (r#"{"id":"a"}"#, "a"),
        ("[{}]", ""),
    ] {
        assert_eq!(ids(imps), expected, "{imps}");
    }
    let many = format!("[{{}},{}]", vec![r#"{"id":"x"}"#; MAX_IMPS + 1].join(","));
    assert_eq!(ids(&many), vec!["x"; MAX_IMPS].join("|"));
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
