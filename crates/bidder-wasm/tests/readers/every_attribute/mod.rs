//! Both readers on generated requests with all attributes of the table. The bodies have values of wrong types, duplicate
//! keys, escapes and changed bytes.

mod generate;

use std::collections::BTreeSet;
use std::fmt::Write;

use bidder_wasm::read::{Reader, Wants};
use bidder_wasm::request::Request;
use bumpalo::Bump;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, proptest};

use super::read;
use generate::{Choices, first_party, request};

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn readers_agree_on_generated_requests(choices in vec(any::<u16>(), 0..2500)) {
        let body = request(&mut Choices::new(choices));
        let _ = read(body.as_bytes(), "edgebid", &Bump::new());
    }

    #[test]
    fn readers_agree_on_first_party_data(choices in vec(any::<u16>(), 0..800)) {
        let body = first_party(&mut Choices::new(choices));
        let _ = read(body.as_bytes(), "edgebid", &Bump::new());
    }

    #[test]
    fn readers_agree_on_mutated_requests(
        choices in vec(any::<u16>(), 0..600),
        edits in vec((any::<usize>(), any::<u8>(), 0..4_u8), 1..4),
    ) {
        let mut body = request(&mut Choices::new(choices)).into_bytes();
        for (at, byte, kind) in edits {
            let at = at % body.len().max(1);
            match kind {
                0 => body.truncate(at),
                1 if at < body.len() => drop(body.remove(at)),
                2 => body.insert(at, byte),
                // A byte with a meaning in JSON.
                _ => body.insert(at, b"{}[]:,\"\\0-.eEutfn "[usize::from(byte) % 18]),
            }
        }
        let _ = read(&body, "edgebid", &Bump::new());
    }
}

/// The other tests prove something only if the generator gives a value to every attribute.
#[test]
fn the_generator_reaches_every_attribute() {
    let mut seen = String::new();
    for seed in 0..1500 {
        let body = request(&mut choices(seed));
        let arena = Bump::new();
        if let Ok(request) = Reader::default().read(body.as_bytes(), &Wants::everything("edgebid"), &arena) {
            write!(seen, "{request:?}").unwrap();
        }
    }
    // Each name with the beginning of its value.
    let parts: Vec<&str> = seen.split(": ").collect();
    let named = parts.windows(2).map(|pair| (pair[0].rsplit([' ', '{']).next().unwrap_or_default(), pair[1]));
    let (mut all, mut given) = (BTreeSet::new(), BTreeSet::new());
    for (name, value) in named.filter(|(name, _)| !COMPUTED.contains(name)) {
        all.insert(name);
        if !EMPTY.iter().any(|empty| value.starts_with(empty)) {
            given.insert(name);
        }
    }
    assert_eq!(all.difference(&given).collect::<Vec<_>>(), [&""; 0]);
    assert!(all.len() > 150, "{}", all.len());
}

/// Generated first-party data must change every attribute that can be merged, and no other.
#[test]
fn the_generator_merges_every_attribute() {
    let (mut changed, mut unchanged) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..2000 {
        let body = first_party(&mut choices(seed));
        let without = body.replacen("bidderconfig", "other", 1);
        let arena = Bump::new();
        let read = |body: &str| {
            mergeable(&Reader::default().read(body.as_bytes(), &Wants::everything("edgebid"), &arena).unwrap())
        };
        for ((name, merged), (_, own)) in read(&body).into_iter().zip(read(&without)) {
            if merged == own {
                unchanged.insert(name)
            } else {
                changed.insert(name)
            };
        }
    }
    let never_changed: Vec<&str> = unchanged.difference(&changed).copied().collect();
    assert_eq!(never_changed, ["user.buyeruid", "user.consent", "user.eids", "user.id"]);
}

/// The attributes that first-party data can change, and the protected attributes of a user.
fn mergeable(request: &Request<'_>) -> Vec<(&'static str, String)> {
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
        user: yob keywords kwarray data id buyeruid consent eids;
        geo: country region metro city zip point utcoffset;
    }
}

/// Pseudo-random choices from a seed.
fn choices(seed: u64) -> Choices {
    let mut state = seed;
    let choices = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u16::try_from(state >> 48).unwrap()
    });
    Choices::new(choices.take(3000).collect())
}

/// Fields that a small request never sets.
const COMPUTED: [&str; 2] = ["more_imps", "has_too_much"];

/// Starts of the debug text of an empty attribute.
const EMPTY: [&str; 9] =
    ["0,", "0 ", "\"\"", "[]", "None", "false", "Micros(0)", "Currency([85, 83, 68])", "Text { literal: \"\""];
