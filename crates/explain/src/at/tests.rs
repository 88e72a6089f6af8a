//! Paths of checks, for each reason of the table, in generated requests.

use super::*;
use bumpalo::Bump;
use openrtb::read::{Reader, Wants};
use proptest::prelude::*;
use serde_json::{Value, json};

const MEDIA: [&str; 4] = ["audio", "banner", "native", "video"];
const OUR_DATA: &str = "ext.prebid.bidderconfig[0].config.ortb2";

/// A request whose second impression and second deal are those that are checked.
fn plain() -> Value {
    json!({"id": "r", "imp": [{"id": "a"}, {"id": "b", "pmp": {"deals": [{"id": "d"}, {"id": "e"}]}}],
        "ext": {"prebid": {"bidderconfig": [{"bidders": ["OURS"]}, {"bidders": ["other"], "config": {"ortb2": {"user": {"yob": 1}}}}]}}})
}

/// The paths in [`plain`] that an alternative of the table may stand for.
fn concrete(path: &str) -> Vec<String> {
    let (root, rest) = path.split_once('.').unwrap_or((path, ""));
    let under = |paths: &[String]| paths.iter().map(|path| format!("{path}.{rest}")).collect();
    match root {
        "imp" if !rest.is_empty() => under(&["imp[1]".into()]),
        "deal" => under(&["imp[1].pmp.deals[1]".into()]),
        "spot" => under(&MEDIA.map(|media| format!("imp[1].{media}"))),
        "channel" => under(&["site".into()]),
        "person" => under(&["user".into(), format!("{OUR_DATA}.user")]),
        "geo" => under(&["device.geo".into()]),
        _ => vec![path.to_owned()],
    }
}

fn insert(into: &mut Value, path: &str) {
    let mut at = into;
    for part in path.split('.') {
        let (name, position) = part.split_once('[').unwrap_or((part, ""));
        if !at.is_object() {
            *at = json!({});
        }
        at = &mut at[name];
        if let Ok(position) = position.trim_end_matches(']').parse::<usize>() {
            at = &mut at[position];
        }
    }
    if at.is_null() {
        *at = json!(1);
    }
}

fn has(request: &Value, path: &str) -> bool {
    let pointer = format!("/{}", path.replace('[', ".").replace(']', "").replace('.', "/"));
    path.is_empty() || request.pointer(&pointer).is_some_and(|value| !value.is_null())
}

/// The paths for a check on the second impression under the second deal.
fn at(request: &Value, reason: NoBidReason, media: &[&'static str]) -> Vec<String> {
    let (body, arena) = (request.to_string(), Bump::new());
    let read = Reader::default().read(body.as_bytes(), &Wants::everything("ours"), &arena).unwrap();
    let imp = read.imp.get(1).unwrap();
    let tree = Tree::read(body.as_bytes());
    let paths = Paths { tree: &tree, request: &read, prebid_code: "ours" };
    paths.of(reason, &About { imp: Some(imp), deal: imp.deals.get(1), media: media.to_vec() })
}

#[test]
fn each_path_of_the_table_is_found_in_a_request() {
    for &reason in NoBidReason::ALL {
        for path in checks::paths(reason).iter().flat_map(|entry| entry.trim_start_matches('?').split('|')) {
            for path in concrete(path) {
                let mut request = plain();
                insert(&mut request, &path);
                let found = at(&request, reason, &MEDIA);
                assert!(found.contains(&path), "{path} in {found:?}: {} {request}", reason.as_str());
            }
        }
    }
}

#[test]
fn of_alternatives_the_first_counts() {
    let mut request = plain();
    for path in ["device.os", "device.ext.sua.platform.brand", "site.page", "site.domain"] {
        insert(&mut request, path);
    }
    assert_eq!(at(&request, NoBidReason::Os, &[]), ["device.ext.sua.platform.brand"]);
    assert_eq!(at(&request, NoBidReason::Domain, &[]), ["site.domain"]);
    assert_eq!(at(&request, NoBidReason::Floor, &[]), ["imp[1].pmp.deals[1].bidfloor"]);
}

#[test]
fn the_location_and_the_channel_that_count_are_named() {
    let mut request = json!({"id": "r", "imp": [{"id": "a"}, {"id": "b"}], "app": {"id": "1"},
        "device": {"geo": {"city": "Paris"}}, "user": {"geo": {"country": "FRA", "city": "Lyon"}}});
    assert_eq!(at(&request, NoBidReason::City, &[]), ["device.geo.city"]);
    assert_eq!(at(&request, NoBidReason::Id, &[]), ["app.id"]);
    request["device"] = json!({});
    assert_eq!(at(&request, NoBidReason::City, &[]), ["user.geo.city"]);
}

#[test]
fn only_media_of_the_campaign_count() {
    let mut request = plain();
    insert(&mut request, "imp[1].banner.mimes");
    insert(&mut request, "imp[1].video.mimes");
    assert_eq!(at(&request, NoBidReason::Mimes, &["video"]), ["imp[1].video.mimes"]);
    assert_eq!(at(&request, NoBidReason::Mimes, &["audio"]), ["imp[1].audio"]);
}

#[test]
fn the_time_has_a_path_only_if_the_request_tells_it() {
    assert_eq!(at(&plain(), NoBidReason::Hours, &[]), [""; 0]);
    let mut request = plain();
    insert(&mut request, "imp[1].dt");
    assert_eq!(at(&request, NoBidReason::Hours, &[]), ["imp[1].dt"]);
}

fn all_paths() -> Vec<String> {
    let entries = NoBidReason::ALL.iter().flat_map(|reason| checks::paths(*reason));
    let paths = entries.flat_map(|entry| entry.trim_start_matches('?').split('|'));
    paths.flat_map(concrete).chain(["user.geo.country".to_owned(), "app.id".to_owned()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn a_path_or_its_parent_exists(
        given in proptest::sample::subsequence(all_paths(), 0..20),
        media in proptest::sample::subsequence(MEDIA.to_vec(), 1..=4),
    ) {
        let mut request = plain();
        for path in &given {
            // Lists such as `banner.format` are given as one object.
            insert(&mut request, path);
        }
        for &reason in NoBidReason::ALL {
            let found = at(&request, reason, &media);
            let is_decided = checks::paths(reason).iter().any(|entry| !entry.starts_with('?'));
            prop_assert!(!is_decided || !found.is_empty(), "{} {request}", reason.as_str());
            for path in &found {
                let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
                prop_assert!(has(&request, path) || found.len() == 1 && has(&request, parent), "{path} in {request}");
            }
        }
    }
}
