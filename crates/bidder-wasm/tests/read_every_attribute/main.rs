//! The fast reader and the strict one find the same in every body: in generated requests over all
//! attributes, with values of wrong types, duplicates and escapes sprinkled in, and in what is left
//! of them after a few bytes have changed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod generate;
mod schema;

use std::collections::BTreeSet;
use std::fmt::Write;

use bidder_wasm::read::{Reader, Wants};
use bidder_wasm::request::{Request, Text};
use bumpalo::Bump;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

use generate::{Choices, first_party, request};

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn generated(choices in vec(any::<u16>(), 0..1500)) {
        let body = request(&mut Choices::new(choices));
        let (fast, strict) = both(body.as_bytes());
        prop_assert_eq!(fast, strict, "{}", body);
    }

    #[test]
    fn merged(choices in vec(any::<u16>(), 0..800)) {
        let body = first_party(&mut Choices::new(choices));
        let (fast, strict) = both(body.as_bytes());
        prop_assert_eq!(fast, strict, "{}", body);
    }

    #[test]
    fn mutated(choices in vec(any::<u16>(), 0..600), edits in vec((any::<usize>(), any::<u8>(), 0..4_u8), 1..4)) {
        let mut body = request(&mut Choices::new(choices)).into_bytes();
        for (at, byte, kind) in edits {
            let at = at % body.len().max(1);
            match kind {
                0 => body.truncate(at),
                1 if at < body.len() => drop(body.remove(at)),
                2 => body.insert(at, byte),
                // One of what means something in JSON.
                _ => body.insert(at, b"{}[]:,\"\\0-.eEutfn "[usize::from(byte) % 18]),
            }
        }
        let (fast, strict) = both(&body);
        prop_assert_eq!(fast, strict, "{}", String::from_utf8_lossy(&body));
    }
}

/// A generator that never gets deep would prove nothing: every attribute has to have had a value.
#[test]
fn the_generator_reaches_every_attribute() {
    let mut seen = String::new();
    for seed in 0..400 {
        let body = request(&mut choices(seed));
        let arena = Bump::new();
        if let Ok(request) = Reader::default().read(body.as_bytes(), &Wants::everything("edgebid"), &arena) {
            write!(seen, "{request:?}").unwrap();
        }
    }
    for attribute in schema::READ {
        let name = format!(" {attribute}: ");
        let meaningful = |value: &str| !EMPTY.iter().any(|empty| value.starts_with(empty));
        assert!(seen.split(&name).skip(1).any(meaningful), "{attribute}");
    }
}

/// Nor would one whose first-party data change nothing: every attribute that may be merged has to
/// have been, and no other.
#[test]
fn the_generator_merges_every_attribute() {
    let (mut changed, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..2000 {
        let body = first_party(&mut choices(seed));
        let without = body.replacen("bidderconfig", "other", 1);
        let arena = Bump::new();
        let read = |body: &str| {
            merging(&Reader::default().read(body.as_bytes(), &Wants::everything("edgebid"), &arena).unwrap())
        };
        for ((name, merged), (_, own)) in read(&body).into_iter().zip(read(&without)) {
            if merged == own {
                kept.insert(name)
            } else {
                changed.insert(name)
            };
        }
    }
    let never: Vec<&str> = kept.difference(&changed).copied().collect();
    assert_eq!(never, ["user.buyeruid", "user.consent", "user.eids"]);
}

/// What first-party data may change, and what they may not of a user.
fn merging(request: &Request<'_>) -> Vec<(&'static str, String)> {
    macro_rules! values {
        ($($object:ident: $($name:ident)*;)*) => {
            vec![$($((concat!(stringify!($object), ".", stringify!($name)), format!("{:?}", $object.$name)),)*)*]
        };
    }
    let (site, app, user) =
        (request.site.copied().unwrap_or_default(), request.app.copied().unwrap_or_default(), request.user);
    let (site_content, app_content, geo) = (site.content, app.content, user.geo);
    values! {
        site: id domain page publisher_id publisher_domain cat sectioncat pagecat cattax keywords kwarray;
        app: id domain bundle publisher_id publisher_domain cat sectioncat pagecat cattax keywords kwarray;
        site_content: genre genres contentrating livestream language langb network channel cat cattax keywords kwarray;
        app_content: genre genres contentrating livestream language langb network channel cat cattax keywords kwarray;
        user: yob keywords kwarray data buyeruid consent eids;
        geo: country region metro city zip point utcoffset;
    }
}

fn choices(seed: u64) -> Choices {
    let mut state = seed;
    let choices = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u16::try_from(state >> 48).unwrap()
    });
    Choices::new(choices.take(1500).collect())
}

/// How the debug text of an attribute without a value starts.
const EMPTY: [&str; 9] =
    ["0,", "0 ", "\"\"", "[]", "None", "false", "Micros(0)", "Currency([85, 83, 68])", "Text { literal: \"\""];

/// What each reader makes of a body, as text.
fn both(body: &[u8]) -> (String, String) {
    let arena = Bump::new();
    let fast = Reader::default().read(body, &Wants::everything("edgebid"), &arena);
    if let Ok(request) = &fast {
        check_literals(request);
    }
    // Literals may differ: the strict reader escapes anew.
    let strict = compiler_wasm::strict::read(body, "edgebid", &arena);
    if fast == strict { (String::new(), String::new()) } else { (format!("{fast:#?}"), format!("{strict:#?}")) }
}

/// A literal that is echoed has to mean what the decision saw.
fn check_literals(request: &Request<'_>) {
    let deals = request.imp.iter().flat_map(|imp| imp.deals).map(|deal| deal.id);
    for Text { literal, value } in request.imp.iter().map(|imp| imp.id).chain(deals).chain([request.id]) {
        // serde_json refuses lone surrogates.
        if let Ok(decoded) = serde_json::from_str::<String>(&format!("\"{literal}\"")) {
            assert_eq!(decoded, value);
        }
    }
}
