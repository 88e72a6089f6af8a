//! The fixtures are the specification: each folder's name states a behaviour, its request is
//! decided on with the catalog beside it, else `fixtures/catalog.json`, and the answer has to be the expected one to the byte.
//! A no-bid's `reason.txt` holds the reason reported, then what each campaign failed on; `response.json` the
//! answer to an exchange that wants to be told. A warm decision allocates nothing.
//!
//! `UPDATE_FIXTURES=1 cargo test` writes what came out as what is expected; read the diff.

#![allow(clippy::unwrap_used, clippy::panic)]

mod counting;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use bidder_wasm::catalog::{self, Campaign, Snapshot};
use bidder_wasm::context::Context;
use bidder_wasm::explain::Recorder;
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::request::{Deal, Imp};
use bidder_wasm::{Outcome, Scratch};
use counting::allocations_of;

const SEED: u64 = 0x0123_4567_89ab_cdef;
const VERSION: u64 = 0xfedc_ba98_7654_3210;
/// Wednesday, 2026-11-18T12:00:00Z.
const NOW_MS: i64 = 1_795_003_200_000;

#[test]
fn bid() {
    check("bid", |outcome, _| (outcome == Outcome::Bid).then(String::new));
}

#[test]
fn no_bid() {
    check("no-bid", |outcome, reasons| match outcome {
        Outcome::NoBid(reason) => Some(format!("{}{reasons}", reason.as_str())),
        _ => None,
    });
}

#[test]
fn malformed() {
    check("malformed", |outcome, _| match outcome {
        Outcome::BadRequest(bad) => Some(bad.to_string()),
        _ => None,
    });
}

/// `reason` tells why there is no bid, empty for a bid, or nothing when what came out is not of this kind at all.
fn check(kind: &str, reason: impl Fn(Outcome, &Reasons) -> Option<String>) {
    let shared = fs::read(root().join("catalog.json")).unwrap();
    let mut scratch = Scratch::default();
    let mut wrong = Vec::new();
    for folder in folders(&root().join(kind)) {
        let request = ["request.json", "request.txt"].iter().find_map(|name| fs::read(folder.join(name)).ok()).unwrap();
        let snapshot = load(&fs::read(folder.join("catalog.json")).unwrap_or_else(|_| shared.clone()));
        let catalog = snapshot.catalog();
        let demo = catalog.parts().ssps().iter().position(|ssp| ssp.id() == "demo").unwrap();
        let context = Context { now_ms: NOW_MS, seed: SEED, version: VERSION, ..Context::default() };
        let (mut reasons, mut response) = (Reasons::default(), String::new());
        let outcome = bidder_wasm::bid(&mut scratch, &request, demo, &catalog, &context, &mut reasons, &mut response);
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        // By the index, without anybody to tell.
        let mut quick = String::new();
        let by_index = bidder_wasm::bid(&mut scratch, &request, demo, &catalog, &context, &mut (), &mut quick);
        if (by_index, &quick) != (outcome, &response) {
            wrong.push(format!("{name}: by index {by_index:?}, {quick}"));
        }
        let mut again = || {
            quick.clear();
            bidder_wasm::bid(&mut scratch, &request, demo, &catalog, &context, &mut (), &mut quick);
        };
        // The arena settles on one chunk that is large enough.
        again();
        again();
        let allocations = allocations_of(again);
        if allocations != 0 {
            wrong.push(format!("{name}: {allocations} allocations of a warm decision"));
        }
        if let Some(reason) = reason(outcome, &reasons) {
            for (file, actual) in [("reason.txt", &reason), ("response.json", &response)] {
                if !is_expected(&folder.join(file), actual) {
                    wrong.push(format!("{name}: {file} is {actual}"));
                }
            }
        } else {
            wrong.push(format!("{name}: {outcome:?}, {response}{reasons}"));
        }
        if !response.is_empty() {
            for finding in judge::judge(&String::from_utf8_lossy(&request), &response) {
                wrong.push(format!("{name}: {finding}\n{response}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the file holds the text; there is none for an empty one.
fn is_expected(file: &Path, actual: &str) -> bool {
    let actual = if actual.is_empty() { String::new() } else { format!("{actual}\n") };
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        let _ = fs::remove_file(file);
        if !actual.is_empty() {
            fs::write(file, &actual).unwrap();
        }
    }
    fs::read_to_string(file).unwrap_or_default() == actual
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn load(document: &[u8]) -> Snapshot {
    catalog::compile(document, &[]).unwrap_or_else(|findings| {
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        panic!("{}", findings.join("\n"))
    })
}

/// The reason that brought each campaign closest to a bid, one `cid: reason` a line.
#[derive(Default)]
struct Reasons(BTreeMap<String, NoBidReason>);

impl Recorder for Reasons {
    fn rejected(&mut self, campaign: &Campaign<'_>, _: Option<&Imp<'_>>, _: Option<&Deal<'_>>, reason: NoBidReason) {
        let closest = self.0.entry(campaign.cid().to_owned()).or_insert(reason);
        *closest = reason.max(*closest);
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(cid, reason)| write!(f, "\n{cid}: {}", reason.as_str()))
    }
}

fn folders(kind: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(kind).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 20, "{} has only {} fixtures", kind.display(), folders.len());
    folders
}
