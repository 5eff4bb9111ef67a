//! libFuzzer over the property `seamcheck_fuzz::cut`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| seamcheck_fuzz::cut::run(bytes));
