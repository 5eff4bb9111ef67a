//! libFuzzer over the property `seamcheck_fuzz::read`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| seamcheck_fuzz::read::run(bytes));
