//! Both readers on the fixtures, on generated bodies with known names in any place, and on changed bodies.

use std::path::Path;

use bumpalo::Bump;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::read;

fn check(body: &[u8]) {
    let _ = read(body, "edgebid", &Bump::new());
}

/// Checks each `.json` file in a folder and its subfolders. Returns their number, 0 if there is no folder.
fn check_folder(folder: &Path) -> usize {
    let Ok(entries) = folder.read_dir() else { return 0 };
    let mut count = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            count += check_folder(&path);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let body = std::fs::read(&path).unwrap();
            check(&body);
            count += 1;
            // The same request without whitespace, indented, and cut off.
            if let Ok(value) = serde_json::from_slice::<serde_json::Value>(&body) {
                check(value.to_string().as_bytes());
                check(serde_json::to_string_pretty(&value).unwrap().as_bytes());
            }
            for end in (0..body.len()).step_by(body.len() / 40 + 1) {
                check(&body[..end]);
            }
        }
    }
    count
}

#[test]
fn readers_agree_on_the_fixtures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    assert!(check_folder(&root) > 0);
}

/// Known and unknown names, some with escapes.
fn key() -> impl Strategy<Value = String> {
    select(
        "id imp site app dooh device user test at tmax wseat bseat cur bcat acat cattax badv bapp regs source ext \
         schain complete nodes asi sid banner video audio native pmp deals private_auction instl tagid bidfloor \
         bidfloorcur secure format w h btype battr mimes api minduration maxduration rqddurs protocols linearity \
         request ver assets required title img data type len wmin hmin wadomain domain bundle publisher geo country \
         devicetype dnt lmt buyeruid consent eids uids coppa gdpr us_privacy gpp gpp_sid dsa dsarequired pubrender \
         datatopub \\u0069d i\\u006dp \\u0065xt x xx unknown_attribute \\\"id \\\\"
            .split(' ')
            .collect::<Vec<_>>(),
    )
    .prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(
            "0 1 2 7 -1 300 -0 1.0 1.5 320.0 3.2e2 1e-5 1E400 1.0E-5 0.000000001 9007199254740992 9007199254740993 \
             12345678901234567890 true false null \"\" \"1\" \"0\" \"1.0\" \"1.0.0\" \"1.2\" \"320\" \"007\" \
             \"2.50\" \"x\" \"USD\" \"eur\" \"euro\" \"a\\u0026b\" \"\\ud83d\\ude00\" \"\\ud83d\" \"\\udc00x\" \
             \"\\n\\\"\\\\\" \"é😀\" \"1YNN\" \"{\\\"assets\\\":[{\\\"id\\\":1,\\\"title\\\":{\\\"len\\\":9}}]}\" \
             \"{\\\"native\\\":{\\\"ver\\\":1}}\" \"[]\" \"{\""
                .split_whitespace()
                .collect::<Vec<_>>(),
        ).prop_map(str::to_owned),
        1 => select(vec!["\" 1 \"", "\" 2.5\"", "\"+1\"", "\"1 \\t\"", "\"\\u0031\""]).prop_map(str::to_owned),
        1 => "-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?",
        1 => "-?[0-9]{0,3}(\\.[0-9]{0,3})?([eE][+-]?[0-9]{0,2})?".prop_map(|text| format!("\"{text}\"")),
        1 => "[a-zA-Z0-9 ]{0,80}".prop_map(|text| format!("\"{text}\"")),
    ]
}

fn value() -> impl Strategy<Value = String> {
    let blank = || select(vec!["", "", "", " ", "\n  "]);
    scalar().prop_recursive(5, 60, 6, move |inner| {
        let array = proptest::collection::vec((blank(), inner.clone()), 0..6).prop_map(|items| {
            let items: Vec<_> = items.iter().map(|(blank, item)| format!("{blank}{item}{blank}")).collect();
            format!("[{}]", items.join(","))
        });
        prop_oneof![1 => array, 2 => object(inner)]
    })
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    proptest::collection::vec((key(), select(vec!["", "", " "]), value), 0..8).prop_map(|members| {
        let members: Vec<_> = members
            .iter()
            .map(|(key, blank, value)| format!("{blank}\"{key}\"{blank}:{blank}{value}{blank}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

/// A request with known attributes in the right objects, with valid and invalid values.
fn request() -> impl Strategy<Value = String> {
    let attributes = |names: &'static str| {
        let member = (select(names.split(' ').collect::<Vec<_>>()), value());
        let member = member.prop_map(|(name, value)| format!("\"{name}\":{value}"));
        proptest::collection::vec(member, 0..4).prop_map(|members| members.join(","))
    };
    let parts = (
        attributes(
            "id imp site app dooh device user test at tmax wseat bseat cur bcat acat cattax badv bapp regs source ext",
        ),
        attributes("id banner video audio native pmp instl tagid bidfloor bidfloorcur secure ext"),
        attributes("format w h btype battr mimes api minduration maxduration rqddurs protocols linearity"),
        attributes("request ver battr api"),
        attributes("native ver assets"),
        attributes("private_auction deals"),
        attributes("id bidfloor bidfloorcur at wseat wadomain"),
        attributes("buyeruid consent geo eids ext"),
        attributes("coppa gdpr us_privacy gpp gpp_sid dsa ext"),
        attributes("schain ext"),
        proptest::bool::ANY,
    );
    parts.prop_map(|(top, imp, media, native, content, pmp, deal, user, regs, source, as_text)| {
        let content = format!("{{{content}}}");
        let content = if as_text { serde_json::Value::String(content).to_string() } else { content };
        format!(
            r#"{{"id":"r","imp":[{{"id":"1","banner":{{{media}}},"video":{{{media}}},"audio":{{{media}}},
            "native":{{"request":{content}{}{native}}},"pmp":{{"deals":[{{"id":"d"{}{deal}}}]{}{pmp}}}{}{imp}}}],
            "user":{{"ext":{{{user}}}{}{user}}},"regs":{{"ext":{{{regs}}}{}{regs}}},
            "source":{{"ext":{{{source}}}{}{source}}}{}{top}}}"#,
            comma(&native),
            comma(&deal),
            comma(&pmp),
            comma(&imp),
            comma(&user),
            comma(&regs),
            comma(&source),
            comma(&top),
        )
    })
}

fn comma(members: &str) -> &'static str {
    if members.is_empty() { "" } else { "," }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn readers_agree_on_requests(body in request()) {
        check(body.as_bytes());
    }

    #[test]
    fn readers_agree_on_any_object(body in object(value()), id in scalar()) {
        check(body.as_bytes());
        check(format!(r#"{{"id":{id},"imp":[{body}]}}"#).as_bytes());
    }

    #[test]
    fn readers_agree_on_mutated_requests(
        body in request(),
        edits in proptest::collection::vec((any::<Index>(), any::<Index>(), 0..4, any::<u8>()), 1..4),
    ) {
        let mut body = body.into_bytes();
        for (at, other, action, byte) in edits {
            let (at, other) = (at.index(body.len()), other.index(body.len()));
            match action {
                0 => body[at] = byte,
                1 => body.insert(at, br#"{}[]:,"\ 0-.1eatn"#[usize::from(byte) % 17]),
                2 => body.swap(at, other),
                _ => {
                    body.remove(at);
                }
            }
        }
        check(&body);
    }
}
