//! Values that try to leave their position: an independent tokenizer reads the markup that is sent, and must find the
//! same elements, attributes and scripts as with a harmless value, and the value itself unchanged.

use core::cell::RefCell;

use auction::context::Context;
use auction::{Outcome, Scratch};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::tests::{compiled, right};

/// A value without special characters.
const HARMLESS: &str = "harmless";

const HOSTILE: [&str; 25] = [
    "",
    "\"><script>alert(1)</script>",
    "'><img src=x onerror=alert(1)>",
    "</script><script>alert(1)//",
    "</title></textarea></noscript><b>",
    "\\\";alert(1);//",
    "\\';alert(1);//",
    "`${alert(1)}`",
    "*/alert(1)/*",
    "-->",
    "<!--<script>",
    "]]><Error>https://evil.example</Error><![CDATA[",
    "]]",
    "]]]]>",
    "\u{2028}alert(1)\u{2029}\u{85}",
    "\r\nalert(1)\n\t",
    "&quot;&#x22;&lt;b&gt;&amp",
    "quot",
    "javascript:alert(1)",
    " onload=alert(1) ",
    "%22%3E%0a",
    "${AUCTION_PRICE}%%PRICE%%[P]{cid}",
    "\u{1f600}\u{10ffff}\u{fdd0}AA\u{f0000}",
    "\\u0022\\",
    "é/?#&=+;,@:[]()!*'",
];

/// How a position shows a value.
#[derive(Debug, Clone, Copy)]
enum Shown {
    /// As it is.
    Itself,
    /// Percent-encoded.
    Encoded,
    /// As a string of JavaScript.
    Escaped,
}

const POSITIONS: [(&str, Shown); 17] = [
    ("<p>a {imp.tagid} b</p>", Shown::Itself),
    ("<p title=\"a {imp.tagid} b\">", Shown::Itself),
    ("<p title='{imp.tagid}' class=a>", Shown::Itself),
    ("<p title=a{imp.tagid} class=a>", Shown::Itself),
    ("<p title=a{imp.tagid}>", Shown::Itself),
    ("<title>{imp.tagid}</title><textarea>a{imp.tagid}</textarea>", Shown::Itself),
    ("<a href=\"https://t.example/{imp.tagid}?b={imp.tagid}&amp;c=1\">", Shown::Encoded),
    ("<a href=https://t.example/?a={imp.tagid}>x</a>", Shown::Encoded),
    ("<img src='?a={imp.tagid}' srcset='https://t.example/{imp.tagid} 1x'>", Shown::Encoded),
    ("<script>f(\"{imp.tagid}\", 'a{imp.tagid}b')</script><b>", Shown::Escaped),
    ("<script>new Image().src='https://t.example/?a={imp.tagid}'</script>", Shown::Encoded),
    ("<script>document.write(\"<img src='https://t.example/?a={imp.tagid}'>\")</script>", Shown::Encoded),
    ("<script type=application/json>{\"a\":\"{imp.tagid}\"}</script>", Shown::Escaped),
    ("<b onclick=\"f('{imp.tagid}')\" onfocus='g(\"{imp.tagid}\")'>", Shown::Escaped),
    ("<b onclick=f(\"{imp.tagid}\")>", Shown::Escaped),
    ("<noscript><img src=\"https://t.example/{imp.tagid}\"></noscript>", Shown::Encoded),
    ("<svg><text x=\"{imp.tagid}\">{imp.tagid}</text></svg>", Shown::Itself),
];

/// The `adm` of the bid of a catalog with this creative, on an impression whose `tagid` is the value.
fn adm(creative: &Value, value: &str) -> String {
    let mut document = right();
    document["creatives"] = json!([creative]);
    let compiled = compiled(&document).unwrap();
    let native = json!({"ver": "1.2", "assets": [{"id": 1, "title": {"len": 90}}]}).to_string();
    let request = json!({"id": "r", "at": 1, "imp": [{
        "id": "i", "tagid": value, "banner": {"w": 1, "h": 1}, "native": {"request": native, "ver": "1.2"},
        "video": {"mimes": ["video/mp4"], "protocols": [3], "minduration": 1, "maxduration": 60, "companionad": [{"w": 1, "h": 1, "id": "1"}]},
    }]});
    let mut answer = String::new();
    let outcome = auction::bid(
        &mut Scratch::default(),
        request.to_string().as_bytes(),
        0,
        &compiled.snapshot.catalog(),
        &Context::default(),
        &mut (),
        &mut answer,
    );
    assert_eq!(outcome, Outcome::Bid, "{request}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    answer["seatbid"][0]["bid"][0]["adm"].as_str().unwrap().to_owned()
}

fn banner(adm: &str) -> Value {
    json!({"crid": "c", "banner": {"w": 1, "h": 1, "adm": adm}})
}

/// What a browser sees: names, attributes and texts, in their order.
fn seen(markup: &str) -> Vec<String> {
    struct Sink(RefCell<Vec<String>>);
    impl TokenSink for Sink {
        type Handle = ();
        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
            let mut seen = self.0.borrow_mut();
            let mut next = TokenSinkResult::Continue;
            match token {
                Token::TagToken(tag) => {
                    seen.push(format!("{:?} {}", tag.kind, tag.name));
                    for attribute in &tag.attrs {
                        seen.extend([attribute.name.local.to_string(), attribute.value.to_string()]);
                    }
                    seen.push(String::new());
                    let is_start = tag.kind == TagKind::StartTag;
                    next = match &*tag.name {
                        "script" if is_start => TokenSinkResult::RawData(RawKind::ScriptData),
                        "title" | "textarea" if is_start => TokenSinkResult::RawData(RawKind::Rcdata),
                        "noscript" if is_start => TokenSinkResult::RawData(RawKind::Rawtext),
                        _ => next,
                    };
                }
                Token::CharacterTokens(text) => match seen.last_mut() {
                    Some(last) => last.push_str(&text),
                    None => seen.push(text.to_string()),
                },
                Token::NullCharacterToken => seen.push("NUL".to_owned()),
                Token::CommentToken(text) => seen.push(format!("comment {text}")),
                Token::DoctypeToken(_) => seen.push("doctype".to_owned()),
                Token::EOFToken | Token::ParseError(_) => {}
            }
            next
        }
    }
    let tokenizer = Tokenizer::new(Sink(RefCell::default()), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(markup.into());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || char::from(rest.next().unwrap_or_default()).to_digit(16);
        bytes.push(if byte == b'%' { u8::try_from(digit()? * 16 + digit()?).unwrap() } else { byte });
    }
    String::from_utf8(bytes).ok()
}

/// The text that stands instead of the harmless value, the same in all positions.
fn in_position_of<'t>(harmless: &str, text: &'t str) -> &'t str {
    let positions = harmless.matches(HARMLESS).count();
    let length = (text.len() - (harmless.len() - positions * HARMLESS.len())) / positions;
    let begin = harmless.find(HARMLESS).unwrap();
    let found = text.get(begin..begin + length).unwrap();
    assert_eq!(text, harmless.replace(HARMLESS, found), "{harmless}");
    found
}

fn check(template: &str, shown: Shown, harmless: &[String], hostile: &[String], value: &str) {
    assert_eq!(harmless.len(), hostile.len(), "{template} {value:?}: {hostile:?}");
    for (harmless, text) in harmless.iter().zip(hostile) {
        if !harmless.contains(HARMLESS) {
            assert_eq!(harmless, text, "{template} {value:?}");
            continue;
        }
        let found = in_position_of(harmless, text);
        let read = match shown {
            Shown::Itself => Some(found.to_owned()),
            Shown::Encoded => {
                assert!(found.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)), "{found}");
                percent_decoded(found)
            }
            // JSON and JavaScript have these escapes in common.
            Shown::Escaped => {
                assert!(found.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~\\".contains(&byte)), "{found}");
                serde_json::from_str(&format!("\"{found}\"")).ok()
            }
        };
        assert_eq!(read.as_deref(), Some(value), "{template}: {text}");
    }
}

fn check_banner(template: &str, shown: Shown, value: &str) {
    let creative = banner(template);
    check(template, shown, &seen(&adm(&creative, HARMLESS)), &seen(&adm(&creative, value)), value);
}

#[test]
fn no_value_leaves_its_position_in_a_banner() {
    for (template, shown) in POSITIONS {
        for value in HOSTILE {
            check_banner(template, shown, value);
        }
    }
}

/// A document with a macro in each kind of position.
const VAST: &str = r#"<VAST version="3.0"><Ad id="{imp.tagid}"><InLine><AdTitle>{imp.tagid}</AdTitle><Description><![CDATA[a {imp.tagid}>]]></Description><Impression><![CDATA[https://t.example/?a={imp.tagid}]]></Impression><Error>https://t.example/{imp.tagid}</Error><Creatives><Creative><CompanionAds><Companion width="1" height="1"><HTMLResource><![CDATA[<b title="{imp.tagid}">{imp.tagid}</b><script>f("{imp.tagid}")</script>]]></HTMLResource></Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>"#;

fn check_vast(value: &str) {
    let video = json!({"dur": 5, "protocol": 3, "w": 1, "h": 1, "mimes": ["video/mp4"], "adm": VAST});
    let sent = adm(&json!({"crid": "c", "video": video}), value);
    let document = roxmltree::Document::parse(&sent).unwrap_or_else(|error| panic!("{error}: {sent}"));
    let text = |name: &str| {
        let element = document.descendants().find(|node| node.has_tag_name(name)).unwrap();
        element.children().filter_map(|node| node.text()).collect::<String>()
    };
    assert_eq!(document.descendants().filter(roxmltree::Node::is_element).count(), 12, "{sent}");
    let encoded = |text: &str, before: &str| percent_decoded(text.strip_prefix(before).unwrap()).unwrap();
    let ad = document.descendants().find(|node| node.has_tag_name("Ad")).unwrap();
    assert_eq!(ad.attribute("id"), Some(value));
    assert_eq!(text("AdTitle"), value);
    assert_eq!(text("Description"), format!("a {value}>"));
    assert_eq!(encoded(&text("Impression"), "https://t.example/?a="), value);
    assert_eq!(encoded(&text("Error"), "https://t.example/"), value);
    let seen = seen(&text("HTMLResource"));
    let [_, title, own, inner, rest @ ..] = seen.as_slice() else { panic!("{seen:?}") };
    assert_eq!([title, own, inner], ["title", value, value]);
    let script = rest.iter().find_map(|text| text.strip_prefix("f(\"")?.strip_suffix("\")")).unwrap();
    assert_eq!(serde_json::from_str::<String>(&format!("\"{script}\"")).unwrap(), value);
}

#[test]
fn no_value_leaves_its_position_in_a_ready_vast_document() {
    for value in HOSTILE {
        check_vast(value);
    }
}

fn check_other(value: &str) {
    let url = "https://t.example/?a={imp.tagid}";
    let video = json!({"dur": 5, "protocol": 3, "w": 1, "h": 1, "media": [{"url": url, "mime": "video/mp4"}], "impression": [url],
        "clickthrough": url, "companions": [{"w": 1, "h": 1, "html": "<p title='{imp.tagid}'>"}]});
    let sent = adm(&json!({"crid": "c", "video": video}), value);
    let document = roxmltree::Document::parse(&sent).unwrap_or_else(|error| panic!("{error}: {sent}"));
    for name in ["Impression", "MediaFile", "ClickThrough"] {
        let element = document.descendants().find(|node| node.has_tag_name(name)).unwrap();
        let own = element.text().unwrap().strip_prefix("https://t.example/?a=").unwrap();
        assert_eq!(percent_decoded(own).as_deref(), Some(value));
    }
    let resource = document.descendants().find(|node| node.has_tag_name("HTMLResource")).unwrap();
    assert_eq!(seen(resource.text().unwrap()), ["StartTag p", "title", value, ""]);

    let native = json!({"title": "a {imp.tagid}", "link": url, "imptrackers": [url], "jstracker": url});
    let sent = adm(&json!({"crid": "c", "native": native}), value);
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let title = if value.chars().count() > 32 { "a ".to_owned() } else { format!("a {value}") };
    assert_eq!(sent["assets"][0]["title"]["text"], title);
    for own in [&sent["link"]["url"], &sent["imptrackers"][0]] {
        let own = own.as_str().unwrap().strip_prefix("https://t.example/?a=").unwrap();
        assert_eq!(percent_decoded(own).as_deref(), Some(value));
    }
    assert_eq!(seen(sent["jstracker"].as_str().unwrap()).len(), 6, "{sent}");
}

#[test]
fn no_value_leaves_its_position_in_written_vast_and_native() {
    for value in HOSTILE {
        check_other(value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_generated_value_leaves_its_position(
        value in "[\"'<>&;`\\\\/=%$#{}\\[\\]() \t\n\r!*+,:@?x0-9aA\u{85}\u{2028}é\u{1f600}-]{1,24}",
        position in 0..POSITIONS.len(),
    ) {
        let (template, shown) = POSITIONS[position];
        check_banner(template, shown, &value);
        check_vast(&value);
        check_other(&value);
    }
}
