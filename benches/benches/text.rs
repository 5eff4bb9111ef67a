//! Counting code points, beside a scan of the same bytes by memchr.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use seamcheck_reference::Text;
use std::hint::black_box;

fn code_points(criterion: &mut Criterion) {
    const BYTES: usize = 64 * 1024;
    for (name, sample) in [("ascii", "a"), ("cjk", "計"), ("astral", "😀")] {
        let text = sample.repeat(BYTES / sample.len());
        let mut benches = criterion.benchmark_group("text");
        benches.throughput(Throughput::Bytes(text.len() as u64));
        let value = Text::from(text.as_str());
        benches.bench_function(BenchmarkId::new("code_points", name), |bencher| {
            bencher.iter(|| black_box(&value).code_points());
        });
        benches.bench_function(BenchmarkId::new("memchr", name), |bencher| {
            bencher.iter(|| memchr::memchr(0, black_box(text.as_bytes())));
        });
        benches.bench_function(BenchmarkId::new("std_chars_count", name), |bencher| {
            bencher.iter(|| black_box(text.as_str()).chars().count());
        });
        benches.finish();
    }
}

criterion_group!(benches, code_points);
criterion_main!(benches);
