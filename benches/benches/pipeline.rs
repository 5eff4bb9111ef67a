//! Parse and build, units, groups, boundary and compact, each beside one plain typed parse of the same bytes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use seamcheck_benches::{plain, transcript};
use seamcheck_reference::{
    Answer, BoundaryOptions, Cancellation, CompactOptions, Compaction, Context, Document, Json, Summarizer,
    SummarizerFailure, SummaryRequest, compact, group, select_boundary, units,
};
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context as TaskContext, Poll, Waker};
use tokio_util::sync::CancellationToken;

struct Short;

impl Summarizer for Short {
    fn summarize<'a>(&'a self, _: SummaryRequest, _: &'a dyn Cancellation) -> Result<Answer<'a>, SummarizerFailure> {
        Ok(Answer::Value("what came before".into()))
    }
}

fn build(text: &str) -> Context {
    let document = Document::parse(text.as_bytes()).expect("the transcript is JSON");
    Context::from_json(document.root()).expect("the transcript is valid")
}

/// Options that make every context drop half of what it costs.
fn options(context: &Context) -> String {
    let units = usize::try_from(context.units().get()).expect("units are at most 1,000,000");
    Json::object([
        ("targetUnits", (units / 2 + 64).into()),
        ("summaryMaxUnits", 64_usize.into()),
        ("retainRecentMessages", 0_usize.into()),
        ("maxUnits", (units - 1).into()),
        ("summaryId", "summary".into()),
        ("recordId", "record".into()),
    ])
    .to_string()
}

fn compacted(context: &Context, options: &CompactOptions) -> Compaction {
    let token = CancellationToken::new();
    let mut future = pin!(compact(context, options, &Short, &token));
    match future.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome.expect("half of the context can be dropped"),
        Poll::Pending => unreachable!("the summarizer answers at once"),
    }
}

fn pipeline(criterion: &mut Criterion) {
    let inputs = [
        ("10", transcript::context(10)),
        ("400", transcript::context(400)),
        ("4000", transcript::context(4_000)),
        ("nested-4096", transcript::nested(4_096)),
    ];
    for (size, text) in &inputs {
        let mut benches = criterion.benchmark_group("pipeline");
        benches.throughput(Throughput::Bytes(text.len() as u64)).sample_size(20);
        benches.bench_function(BenchmarkId::new("serde_json", size), |bencher| {
            bencher.iter(|| black_box(serde_json::from_str::<plain::Context>(text).expect("plain JSON")));
        });
        benches.bench_function(BenchmarkId::new("parse_and_build", size), |bencher| {
            bencher.iter(|| black_box(build(text)));
        });
        let context = build(text);
        let options_text = options(&context);
        let document = Document::parse(options_text.as_bytes()).expect("options are JSON");
        let boundary_options = BoundaryOptions::from_json(document.root()).expect("options are valid");
        let compact_options = CompactOptions::from_json(document.root()).expect("options are valid");
        benches.bench_function(BenchmarkId::new("units", size), |bencher| {
            let messages = context.transcript().messages();
            bencher.iter(|| black_box(messages.iter().map(|message| units::of_message(message).get()).sum::<u64>()));
        });
        benches.bench_function(BenchmarkId::new("groups", size), |bencher| {
            bencher.iter(|| black_box(group(context.transcript())));
        });
        benches.bench_function(BenchmarkId::new("boundary", size), |bencher| {
            bencher.iter(|| black_box(select_boundary(&context, &boundary_options)));
        });
        // Rounds nested in each other have no cut but the end: the compaction drops everything.
        benches.bench_function(BenchmarkId::new("compact", size), |bencher| {
            bencher.iter(|| black_box(compacted(&context, &compact_options)));
        });
        benches.finish();
    }
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
