//! How both readers convert values of each type and which attributes work together: the rules in `openrtb::request`
//! and `plain`, as rows of `conversions.txt`. The other tests here are about limits and about bodies that are refused.

use base::limits::{MAX_DEPTH, MAX_TEXT_BYTES, MAX_VALUES};
use bumpalo::Bump;
use openrtb::read::{BadRequest, Reader, Wants};
use openrtb::request::{Channel, Content, Imp, Request};
use reasons::no_bid::NoBidReason;
use serde_json::Value;

use super::look::{json, look};
use super::read;

/// Reads a body and looks at the request.
fn request<R>(body: &str, look: impl FnOnce(&Request<'_>) -> R) -> R {
    let arena = Bump::new();
    look(&read(body.as_bytes(), "edgebid", &arena).unwrap_or_else(|bad| panic!("{body}: {bad}")))
}

fn bad(body: impl AsRef<[u8]>) -> Option<BadRequest> {
    read(body.as_ref(), "edgebid", &Bump::new()).err()
}

#[test]
fn values_convert_as_the_table_says() {
    let (mut template, mut columns, mut rows) = ("", vec![], 0);
    for line in include_str!("conversions.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(body) = line.strip_prefix("body ") {
            template = body;
        } else if let Some(paths) = line.strip_prefix("look ") {
            columns = paths.split(' ').collect();
        } else {
            check_row(template, &columns, line);
            rows += 1;
        }
    }
    assert!(rows > 300, "{rows}");
}

/// Checks a row: the texts in the positions of the template, then the value of each column.
fn check_row(template: &str, columns: &[&str], row: &str) {
    let cells: Vec<&str> = row.split('\t').collect();
    let body = ["$1", "$2"]
        .into_iter()
        .zip(&cells)
        .fold(template.to_owned(), |body, (position, text)| body.replace(position, text));
    let positions = ["$1", "$2"].into_iter().filter(|position| template.contains(position)).count();
    assert_eq!(cells.len(), positions + columns.len(), "{row}");
    let expected = &cells[positions..];
    let read = request(&body, json);
    for (paths, expected) in columns.iter().zip(expected) {
        let expected: Value = serde_json::from_str(expected).unwrap();
        for path in paths.split('=') {
            assert_eq!(look(&read, path), expected, "{path} of {body}");
        }
    }
}

#[test]
fn impressions_need_an_id_and_have_a_limit() {
    for (imps, expected) in [
        (r#"[{"id":"a"},{},{"id":null},{"id":[]},{"id":true},{"id":""},{"id":7},5,null,"x",[],{"id":"a"}]"#, "a||7|a"),
        (r#"{"id":"a"}"#, "a"),
        ("[{}]", ""),
        (r#"[],"imp":[{"id":"b"}]"#, "b"),
    ] {
        request(&format!(r#"{{"id":"r","imp":{imps}}}"#), |request| {
            assert_eq!(request.imp.iter().map(|imp| imp.id.value).collect::<Vec<_>>().join("|"), expected, "{imps}");
        });
    }
    for (count, after, expected) in [
        (63, "", (63, false)),
        (64, "", (64, false)),
        (64, ",5,null", (64, false)),
        (64, ",{}", (64, true)),
        (100, "", (64, true)),
    ] {
        let list = vec![r#"{"id":"x"}"#; count].join(",");
        request(&format!(r#"{{"imp":[{{}},{list}{after}],"id":""}}"#), |request| {
            assert_eq!((request.imp.len(), request.more_imps), expected, "{count}{after}");
        });
    }
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
    request(r#"{"id":"r","imp":[{"id":"1"}],"x":0}"#, |request| {
        let expected = Request { id: request.id, imp: request.imp, at: 2, cattax: 1, ..Request::default() };
        assert_eq!(*request, expected);
        assert_eq!(request.imp, [Imp { id: request.imp[0].id, ..Imp::default() }]);
    });
    request(
        r#"{"id":"r","imp":[{"id":"1"}],"at":"first","cattax":"","tmax":-5,"app":null,"site":[],"device":"x","regs":1}"#,
        |request| {
            let expected =
                Request { id: request.id, imp: request.imp, at: 2, cattax: 1, tmax: -5, ..Request::default() };
            // `regs` is there, and is no object.
            assert_eq!(*request, Request { unreadable: Some(NoBidReason::Privacy), ..expected });
        },
    );
    let content = Content { cattax: 1, ..Content::default() };
    let channel = Some(Channel { cattax: 1, venuetypetax: 1, content, ..Channel::default() });
    for empty in ["{}", r#"{"cattax":"x","content":null}"#, r#"{"content":{"cattax":5},"content":{"cattax":[]}}"#] {
        request(
            &format!(r#"{{"id":"r","imp":[{{"id":"1"}}],"site":{empty},"app":{empty},"dooh":{empty}}}"#),
            |request| {
                assert_eq!([request.site, request.app, request.dooh], [channel.as_ref(); 3], "{empty}");
            },
        );
    }
}

#[test]
fn without_a_code_only_data_for_all_bidders_count() {
    for (bidders, expected) in [(r#"["*"]"#, "new"), (r#"[""]"#, "own"), (r#"["edgebid"]"#, "own")] {
        let body = format!(
            r#"{{"id":"r","imp":[{{"id":"1"}}],"site":{{"keywords":"own"}},"ext":{{"prebid":{{"bidderconfig":[
            {{"bidders":{bidders},"config":{{"ortb2":{{"site":{{"keywords":"new"}}}}}}}}]}}}}}}"#
        );
        let arena = Bump::new();
        let request = read(body.as_bytes(), "", &arena).unwrap();
        assert_eq!(request.site.unwrap().keywords, expected, "{bidders}");
    }
}

/// Where the first bracket is that is too deep.
const DEEP: BadRequest = BadRequest::NotJson { at: 16 + MAX_DEPTH - 1 };

#[test]
fn bad_requests() {
    let imps = r#""imp":[{"id":"1"}]"#;
    for (body, expected) in [
        (String::new(), BadRequest::NotJson { at: 0 }),
        ("[]".into(), BadRequest::NotAnObject),
        (" null ".into(), BadRequest::NotAnObject),
        (r#""x""#.into(), BadRequest::NotAnObject),
        ("{}".into(), BadRequest::MissingId),
        (format!(r#"{{"id":null,{imps}}}"#), BadRequest::MissingId),
        (format!(r#"{{"id":true,{imps}}}"#), BadRequest::MissingId),
        (format!(r#"{{"id":"r","id":{{}},{imps}}}"#), BadRequest::MissingId),
        (r#"{"id":"r"}"#.into(), BadRequest::MissingImp),
        (format!(r#"{{"id":"1","imp":{}{}}}"#, "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH)), DEEP),
        (r#"{"id":"r","imp":null}"#.into(), BadRequest::MissingImp),
        (r#"{"id":"r","imp":"1"}"#.into(), BadRequest::MissingImp),
        (r#"{"id":"r","imp":[]}"#.into(), BadRequest::MissingImp),
        (r#"{"id":"r","imp":[5,null,[{"id":"1"}]]}"#.into(), BadRequest::MissingImp),
        (format!(r#"{{"id":"r",{imps},"imp":[]}}"#), BadRequest::MissingImp),
        (format!(r#"{{"id":"r",{imps},}}"#), BadRequest::NotJson { at: 29 }),
        (format!(r#"{{"id":"r",{imps}}} {{}}"#), BadRequest::NotJson { at: 30 }),
        (format!("\u{feff}{{\"id\":\"r\",{imps}}}"), BadRequest::NotJson { at: 0 }),
        (format!(r#"{{"id":"r",{imps}{}}}"#, " ".repeat(1 << 20)), BadRequest::TooLarge),
    ] {
        assert_eq!(bad(&body), Some(expected), "{body:.80}");
    }
    assert_eq!(bad(b"{\"id\":\"\xF0\xA4\xAD\",\"imp\":[{}]}"), Some(BadRequest::NotJson { at: 7 }));
    assert_eq!(bad(b"{\"id\":\"\xFF\",,"), Some(BadRequest::NotJson { at: 7 }));
    assert_eq!(bad(b"{\"id\",\"\xFF\""), Some(BadRequest::NotJson { at: 5 }));
    assert_eq!(bad(r#"{"id":"","imp":{}}"#), Some(BadRequest::MissingImp));
    assert_eq!(bad(r#"{"id":"","imp":{"id":null}}"#), Some(BadRequest::MissingImp));
    assert_eq!(bad(r#"{"id":"","imp":[{}]}"#), None);
    assert_eq!(bad(r#"{"id":"","imp":{"id":""}}"#), None);
}
