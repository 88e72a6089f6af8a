mod hostile;

use crate::tests::{found_texts, with};
use serde_json::{Value, json};

/// `path: message` of each finding on a catalog with this creative.
fn found(creative: Value) -> Vec<String> {
    found_texts(&with([("creatives", creative)]))
}

fn banner(adm: &str) -> Value {
    json!({ "banner": { "w": 1, "h": 1, "adm": adm } })
}

fn video(content: &str) -> Value {
    let adm = format!(r#"<VAST version="3.0"><Ad id="a"><InLine><AdSystem/>{content}</InLine></Ad></VAST>"#);
    let video = json!({"dur": 5, "protocol": 3, "w": 1, "h": 1, "mimes": ["video/mp4"], "adm": adm});
    json!({ "banner": null, "video": video })
}

#[test]
fn macros_are_accepted_only_in_safe_positions() {
    let rows = include_str!("tests/positions.txt").lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    for row in rows {
        let (kind, rest) = row.split_once(" | ").unwrap();
        let (text, expected) = rest.rsplit_once(" |").unwrap();
        let (text, expected) = (text.replace("\\n", "\n").replace("\\u{f0000}", "\u{f0000}"), expected.trim());
        let (creative, path) = match kind {
            "banner" => (banner(&text), "creatives[0].banner.adm"),
            _ => (video(&text), "creatives[0].video.adm"),
        };
        let found = found(creative);
        if expected.is_empty() {
            assert_eq!(found, [""; 0], "{row}");
            continue;
        }
        // A row with `page` has several macros.
        assert!(found.len() == 1 || !found.is_empty() && text.contains("page"), "{row}: {found:?}");
        let is_expected = |found: &String| {
            let message = found.strip_prefix(path).and_then(|rest| rest.strip_prefix(": the macro {"));
            message.is_some_and(|rest| {
                rest.contains("} is not safe in its position; expected it ") && rest.contains(expected)
            })
        };
        assert!(found.iter().all(is_expected), "{row}: {found:?}");
    }
}

#[test]
fn texts_are_read_in_objects_lists_and_notices() {
    let document = |url: &str| {
        let media = json!([{ "url": url, "mime": "video/mp4" }]);
        let video = json!({ "dur": 5, "protocol": 3, "w": 1, "h": 1, "media": media, "impression": [url] });
        let data = json!([{ "type": 2, "value": "{site.domain}" }]);
        let native = json!({ "title": "t {cid}", "data": data, "link": url, "imptrackers": [url], "video": video });
        with([("creatives", json!({ "banner": null, "native": native })), ("campaigns", json!({ "burl": url }))])
    };
    assert_eq!(found_texts(&document("https://t.example/{imp.id}")), [""; 0]);
    let refused = found_texts(&document("https://{imp.id}/"));
    let refused = refused.iter().filter(|found| found.contains("the macro {imp.id} is not safe"));
    let mut paths: Vec<&str> = refused.filter_map(|found| found.split(": ").next()).collect();
    paths.sort_unstable();
    let of_native = ["imptrackers[0]", "link", "video.impression[0]", "video.media[0].url"];
    let of_native = of_native.map(|path| format!("creatives[0].native.{path}"));
    assert_eq!(paths, [&["campaigns[0].burl".to_owned()][..], &of_native].concat());
}
