//! A snapshot is opened or refused, and with damaged content a decision still ends without a panic.

#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may panic")]

mod counting;

use std::path::Path;

use bidder_wasm::catalog::{BadSnapshot, Snapshot};
use bidder_wasm::context::Context;
use bidder_wasm::{Outcome, Scratch, bid};
use compiler_wasm::compile::compile;

fn fixture(path: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(path)).unwrap()
}

fn snapshot() -> Vec<u8> {
    compile(&fixture("catalog.json"), &[]).unwrap().snapshot.into_bytes()
}

fn decide(bytes: &[u8], request: &[u8]) -> Result<Outcome, BadSnapshot> {
    let catalog = Snapshot::open(bytes)?;
    let context = Context { now_ms: 1_795_003_200_000, ..Context::default() };
    Ok(bid(&mut Scratch::default(), request, 0, &catalog, &context, &mut (), &mut String::new()))
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    assert_eq!(snapshot(), snapshot());
}

#[test]
fn bytes_that_are_not_a_valid_snapshot_are_refused() {
    let good = snapshot();
    let open = |bytes: &[u8]| Snapshot::open(bytes).err();
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= byte;
        open(&bytes)
    };
    assert_eq!(open(&good), None);
    assert_eq!(open(b""), Some(BadSnapshot::NotASnapshot));
    assert_eq!(open(br#"{"format":1}"#), Some(BadSnapshot::NotASnapshot));
    assert_eq!(with(9, 1), Some(BadSnapshot::OtherLayout));
    assert_eq!(open(&good[..good.len() - 1]), Some(BadSnapshot::Damaged));
    assert_eq!(with(16, 1), Some(BadSnapshot::Damaged));
    assert_eq!(with(good.len() - 1, 0x80), Some(BadSnapshot::Damaged), "text that is not UTF-8");
}

#[test]
fn damaged_snapshots_never_make_a_decision_panic() {
    let good = snapshot();
    let requests = ["bid/simple-banner", "bid/video", "no-bid/advertiser-blocked"];
    let requests = requests.map(|name| fixture(&format!("{name}.json")));
    let mut opened = 0;
    for at in (28..good.len()).step_by(7) {
        for damage in [0xff, 0x01] {
            let mut bytes = good.clone();
            bytes[at] ^= damage;
            for request in &requests {
                opened += usize::from(decide(&bytes, request).is_ok());
            }
        }
    }
    assert!(opened > 1000, "{opened}");
}

#[test]
fn damaged_snapshots_never_make_a_decision_take_much_memory() {
    let good = snapshot();
    let request = br#"{"id":"r","acat":["IAB2"],"imp":[{"id":"i","banner":{"w":300,"h":250}}]}"#;
    for at in 28..good.len() - 4 {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&[0xff, 0xff, 0xff, 0x0f]);
        let largest = counting::largest_allocation_of(|| _ = decide(&bytes, request).ok());
        assert!(largest < 1 << 20, "{largest} bytes after damage at {at}");
    }
}
