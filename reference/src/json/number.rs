//! `B-UNIT-8`: how ECMAScript's `String(n)` writes a number.

/// The text that ECMAScript's `String(number)` gives, for example `0` for -0 and `1e+21` for 1e21.
pub fn format_number(number: f64) -> String {
    ryu_js::Buffer::new().format(number).to_owned()
}

/// The length of that text, without allocating it.
pub(crate) fn number_length(number: f64) -> usize {
    ryu_js::Buffer::new().format(number).len()
}
