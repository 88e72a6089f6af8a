//! The native benchmark for work on a reader: `cargo bench -p bench-readers`, with a filter such as `-- 3.8k` or `--
//! 'edgebid/'`. Criterion compares each run with the one before.
//!
//! `npm run bench -- readers` gives the ratio of Wasm to native, because there Wasm and native code take turns.

use std::hint::black_box;
use std::time::Duration;

use bench_readers::readers::{Bench, Reader};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const BODIES: [(&str, &[u8]); 6] = [
    ("0.6k", include_bytes!("../../bodies/0.6k.json")),
    ("1.3k", include_bytes!("../../bodies/1.3k.json")),
    ("3.8k", include_bytes!("../../bodies/3.8k.json")),
    ("25k", include_bytes!("../../bodies/25k.json")),
    ("100k", include_bytes!("../../bodies/100k.json")),
    ("no-bid", include_bytes!("../../bodies/no-bid.json")),
];

fn readers(criterion: &mut Criterion) {
    for reader in Reader::ALL {
        let mut group = criterion.benchmark_group(reader.name());
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        for (name, body) in BODIES {
            group.throughput(Throughput::Bytes(body.len() as u64));
            group.bench_with_input(BenchmarkId::from_parameter(name), body, |bencher, body| {
                let mut bench = Bench::default();
                bencher.iter(|| {
                    bench.room(body.len()).copy_from_slice(black_box(body));
                    bench.read(reader, body.len())
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, readers);
criterion_main!(benches);
