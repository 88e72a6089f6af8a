//! Macros of the exchange that we fill, with values that would end the position where they stand.

use auction::context::Context;
use serde_json::{Value, json};

use super::{campaign, decide, parsed, snapshot, with};

/// Ends a CDATA section, an attribute, an element and a string.
const HOSTILE: &str = "]]>&<\"'\\";
const IN_URL: &str = "%5D%5D%3E%26%3C%22%27%5C";
const IN_MARKUP: &str = "&#x5d;&#x5d;&#x3e;&#x26;&#x3c;&#x22;&#x27;&#x5c;";
const IN_SCRIPT: &str = r"\u005d\u005d\u003e\u0026\u003c\u0022\u0027\u005c";
const MACROS: [&str; 3] = ["${AUCTION_ID}", "${AUCTION_IMP_ID}", "${AUCTION_SEAT_ID}"];

/// The bid on an offer of this medium.
fn bid(fills: bool, creative: &Value, terms: &Value, offer: &Value) -> Value {
    let ssp = json!({"id": "demo", "fill_macros": fills, "seats": [{"seat": "s", "name": HOSTILE}]});
    let catalog =
        snapshot(&json!({"ssps": [ssp], "creatives": [with(json!({"crid": "b"}), creative)]}), [campaign("c", terms)]);
    let request = json!({"id": HOSTILE, "imp": [with(json!({"id": HOSTILE}), offer)]});
    let decided = decide(&catalog.catalog(), &request, &Context::default());
    parsed(&decided.body)["seatbid"][0]["bid"][0].clone()
}

#[test]
fn values_are_escaped_for_their_position() {
    for name in MACROS {
        let url = format!("https://t.example/?v={name}");
        let filled = format!("https://t.example/?v={IN_URL}");
        let html = format!(
            "<b title=\"{name}\">{name}</b><script>f('{name}')</script><img src=\"{url}\"><style>{name}</style>"
        );
        let notices = json!({"nurl": url, "burl": url, "lurl": url});
        let offer = json!({"banner": {"w": 300, "h": 250}});
        let creative = json!({"banner": {"w": 300, "h": 250, "adm": html}});
        let found = bid(true, &creative, &notices, &offer);
        // No escaping makes every value safe in a style.
        let expected = format!(
            "<b title=\"{IN_MARKUP}\">{IN_MARKUP}</b><script>f('{IN_SCRIPT}')</script><img src=\"{filled}\"><style>{name}</style>"
        );
        assert_eq!(found["adm"], expected);
        assert_eq!([&found["nurl"], &found["burl"], &found["lurl"]], [&filled; 3]);
        // An exchange that fills them gets them as they are.
        let found = bid(false, &creative, &notices, &offer);
        assert_eq!([&found["adm"], &found["nurl"]], [&html, &url]);

        let media = json!([{"url": "https://m.example/1.mp4", "mime": "video/mp4"}]);
        let video = json!({"dur": 15, "protocol": 3, "w": 640, "h": 360, "media": media, "impression": [url]});
        let offer = json!({"video": {"mimes": ["video/mp4"], "protocols": [3]}});
        let found = bid(true, &json!({"video": video}), &json!({}), &offer);
        let vast = found["adm"].as_str().unwrap();
        assert!(vast.contains(&format!("<![CDATA[{filled}]]>")), "{vast}");

        let native = json!({"link": url, "title": name});
        let asked = json!({"ver": "1.2", "assets": [{"id": 1, "required": 1, "title": {"len": 90}}]}).to_string();
        let found = bid(true, &json!({"native": native}), &json!({}), &json!({"native": {"request": asked}}));
        let answer = parsed(found["adm"].as_str().unwrap());
        assert_eq!((&answer["assets"][0]["title"]["text"], &answer["link"]["url"]), (&json!(HOSTILE), &json!(filled)));
    }
}
