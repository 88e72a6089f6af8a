//! Both readers on the fixtures and on generated requests with all attributes of the table. The bodies have values of
//! wrong types, duplicate keys, escapes and changed bytes.

mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bumpalo::Bump;
use openrtb::read::{Reader, Wants, spec};
use openrtb::request::Request;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, proptest};

use serde_json::{Value, json};

use super::look::{self, look};
use super::read;
use generate::{Choices, first_party, request};

fn check(body: &[u8]) {
    let _ = read(body, "edgebid", &Bump::new());
}

#[test]
fn readers_agree_on_the_fixtures() {
    let (mut count, mut folders) = (0, vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")]);
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
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
    }
    assert!(count > 700, "{count}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn readers_agree_on_generated_requests(choices in vec(any::<u16>(), 0..2500)) {
        check(request(&mut Choices::new(choices)).as_bytes());
    }

    #[test]
    fn readers_agree_on_first_party_data(choices in vec(any::<u16>(), 0..800)) {
        check(first_party(&mut Choices::new(choices)).as_bytes());
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
        check(&body);
    }
}

/// The other tests prove something only if the generator gives a value to every attribute.
#[test]
fn the_generator_reaches_every_attribute() {
    let (mut all, mut given) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..4000 {
        let body = request(&mut choices(seed));
        let arena = Bump::new();
        if let Ok(request) = Reader::default().read(body.as_bytes(), &Wants::everything("edgebid"), &arena) {
            note_members(&look::json(&request), &mut all, &mut given);
        }
    }
    // A small request never sets these.
    for computed in ["more_imps", "has_too_much"] {
        all.remove(computed);
    }
    assert_eq!(all.difference(&given).collect::<Vec<_>>(), [&""; 0]);
    assert!(all.len() > 150, "{}", all.len());
}

/// Adds the names of all members to `all`, and those with a value to `given`.
fn note_members(value: &Value, all: &mut BTreeSet<String>, given: &mut BTreeSet<String>) {
    for item in value.as_array().into_iter().flatten() {
        note_members(item, all, given);
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        note_members(member, all, given);
        all.insert(name.clone());
        let is_empty = [json!(0), json!(""), json!([]), json!(null), json!(false), json!("USD")].contains(member);
        if !is_empty && look(member, "literal") != "" {
            given.insert(name.clone());
        }
    }
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
    let protected = ["user.buyeruid", "user.consent", "user.eids", "user.ext_consent", "user.id"].map(String::from);
    let never: BTreeSet<String> =
        protected.into_iter().chain(lacking("site", "Site")).chain(lacking("app", "App")).collect();
    assert_eq!(unchanged.difference(&changed).cloned().collect::<BTreeSet<_>>(), never);
}

/// The attributes of other channels that this one does not have.
fn lacking(object: &str, kind: &'static str) -> impl Iterator<Item = String> {
    let lacks = move |name: &&str| spec::read(kind).all(|own| own.name != *name);
    spec::read("Channel").map(|of| of.name).filter(lacks).map(move |name| format!("{object}.{name}"))
}

/// The fields of the objects that first-party data can change, each with its value.
fn mergeable(request: &Request<'_>) -> BTreeMap<String, Value> {
    let request = look::json(request);
    let mut fields = BTreeMap::new();
    for object in ["site", "site.content", "app", "app.content", "user", "user.geo"] {
        for (name, value) in look(&request, object).as_object().into_iter().flatten().filter(|(name, _)| *name != "#") {
            fields.insert(format!("{object}.{name}"), value.clone());
        }
    }
    fields
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
