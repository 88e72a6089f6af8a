//! A snapshot is opened or refused, and with damaged content a decision still ends without a panic.

use auction::Scratch;
use auction::context::Context;
use catalog::{BadSnapshot, Snapshot};

use super::counting::largest_allocation_of;
use super::fixture_table::root;
use super::{NOW_MS, compiled, decide};

fn fixture(path: &str) -> Vec<u8> {
    std::fs::read(root().join(path)).unwrap()
}

fn snapshot() -> Vec<u8> {
    compiled(fixture("catalog.json")).unwrap().into_bytes()
}

/// Decides with the bytes of a snapshot. Returns whether they can be opened.
fn opens(bytes: &[u8], request: &[u8]) -> bool {
    let Ok(catalog) = Snapshot::open(bytes) else { return false };
    let context = Context { now_ms: NOW_MS, ..Context::default() };
    decide(&mut Scratch::default(), request, 0, &catalog, &context, &mut ());
    true
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
                opened += usize::from(opens(&bytes, request));
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
        let largest = largest_allocation_of(|| _ = opens(&bytes, request));
        assert!(largest < 1 << 20, "{largest} bytes after damage at {at}");
    }
}
