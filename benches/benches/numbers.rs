//! Formatting a number as ECMAScript does, beside ryu's own form.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Doubles of every magnitude, from the bits of a multiplicative sequence; what is not finite is left out.
fn doubles() -> Vec<f64> {
    let bits = (1_u64..2_000).map(|index| index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    bits.map(f64::from_bits).filter(|number| number.is_finite()).collect()
}

fn numbers(criterion: &mut Criterion) {
    let doubles = doubles();
    let mut benches = criterion.benchmark_group("numbers");
    benches.throughput(Throughput::Elements(doubles.len() as u64));
    benches.bench_function("ecmascript", |bencher| {
        let mut buffer = ryu_js::Buffer::new();
        bencher.iter(|| doubles.iter().map(|number| buffer.format(black_box(*number)).len()).sum::<usize>());
    });
    benches.bench_function("ryu", |bencher| {
        let mut buffer = ryu::Buffer::new();
        bencher.iter(|| doubles.iter().map(|number| buffer.format(black_box(*number)).len()).sum::<usize>());
    });
    benches.finish();
}

criterion_group!(benches, numbers);
criterion_main!(benches);
