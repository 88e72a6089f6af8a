//! A warm reader allocates nothing on the heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use bidder_wasm::read::Reader;
use bumpalo::Bump;

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "an allocator")]
// SAFETY: every call goes to the system's allocator, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as for this call.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as for this call.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn warm_reads_do_not_allocate() {
    let imps = (0..70).map(|number| {
        format!(
            r#"{{"id":{number},"bidfloor":"1.5","banner":{{"format":[{{"w":300,"h":250}},{{"w":320,"h":50}}],"mimes":["a","b\n"]}},
            "native":{{"request":"{{\"ver\":\"1.2\",\"assets\":[{{\"id\":1,\"title\":{{\"len\":90}}}}]}}"}},
            "pmp":{{"deals":[{{"id":"d\u0026","wseat":["s"]}}]}},"ext":{{"deep":[[[{{"\u0061":"\ud83d\ude00"}}]]]}}}}"#
        )
    });
    let rich = format!(
        r#"{{"id":"r\/1","imp":[{}],"site":{{"domain":"bücher.example","publisher":{{"id":"é"}}}},"badv":["{}"],
        "user":{{"eids":[{{"source":"s","uids":[{{"id":"\u00e9"}}]}}],"ext":{{"consent":"c"}}}},"tmax":"1.2e2",
        "source":{{"ext":{{"schain":{{"complete":1,"nodes":[{{"asi":"a","sid":"1"}}]}}}}}}}}"#,
        imps.collect::<Vec<_>>().join(","),
        vec!["x.example"; 300].join("\",\""),
    );
    let bodies = [
        rich.as_bytes(),
        br#"{"id":"1","imp":[{"id":"1"}]}"#,
        br#"{"id":"1","imp":[{"id":"1"}]"#,
        br#"{"imp":[]}"#,
        b"[1,2]",
        b"\xFF",
        b"",
    ];
    let mut reader = Reader::default();
    let mut arena = Bump::new();
    let mut round = || {
        for body in bodies {
            arena.reset();
            let read = reader.read(body, &arena);
            assert_eq!(read.is_ok(), body.len() > 28 && body.ends_with(b"}"));
        }
    };
    // The arena settles on one chunk that is large enough.
    for _ in 0..3 {
        round();
    }
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..10 {
        round();
    }
    assert_eq!(ALLOCATIONS.load(Ordering::Relaxed) - before, 0);
}
