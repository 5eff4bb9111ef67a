//! The unit formulas, stated once more over JSON: what `B-UNIT-1` to `B-UNIT-10` are judged by.

use super::{is, list, text};
use seamcheck_reference::{Json, Text};

/// A whole context; records cost nothing.
pub(crate) fn context_units(context: &Json) -> u64 {
    let messages: u64 = list(context, "messages").iter().map(message_units).sum();
    requirements_units(context) + context.get("summary").map_or(0, summary_units) + messages
}

/// All requirements of a context.
pub(crate) fn requirements_units(context: &Json) -> u64 {
    list(context, "requirements").iter().map(|requirement| 3 + fields(requirement, &["id", "content"])).sum()
}

/// A summary; null costs nothing.
pub(crate) fn summary_units(summary: &Json) -> u64 {
    if *summary == Json::Null { 0 } else { 5 + fields(summary, &["id", "content"]) }
}

/// One message.
pub(crate) fn message_units(message: &Json) -> u64 {
    if is(message, "role", "toolResult") {
        return 7 + fields(message, &["id", "toolCallId", "toolName", "content"]);
    }
    4 + fields(message, &["id", "content"]) + list(message, "content").iter().map(block).sum::<u64>()
}

fn block(block: &Json) -> u64 {
    if is(block, "type", "text") {
        return 2 + fields(block, &["text"]);
    }
    6 + fields(block, &["id", "name"]) + block.get("arguments").map_or(0, value)
}

fn value(json: &Json) -> u64 {
    match json {
        Json::Null => 1,
        Json::Bool(flag) => 6 - u64::from(*flag),
        Json::Number(number) => 1 + number_length(*number),
        Json::String(text) => 1 + code_points(text),
        Json::Array(elements) => 2 + elements.iter().map(|element| 1 + value(element)).sum::<u64>(),
        Json::Object(object) => {
            2 + object.members().iter().map(|(key, member)| 1 + code_points(key) + value(member)).sum::<u64>()
        }
    }
}

/// The text fields of these names together.
fn fields(record: &Json, names: &[&str]) -> u64 {
    names.iter().filter_map(|name| text(record, name)).map(code_points).sum()
}

/// UTF-16 code units, less one for each valid pair.
fn code_points(text: &Text) -> u64 {
    let units = text.to_utf16();
    let pairs = units.windows(2).filter(|pair| is_high(pair[0]) && (0xDC00..=0xDFFF).contains(&pair[1])).count();
    (units.len() - pairs) as u64
}

fn is_high(unit: u16) -> bool {
    (0xD800..=0xDBFF).contains(&unit)
}

/// How long ECMAScript's `String(n)` is, from the shortest digits and the exponent that Rust's `{:e}` gives.
fn number_length(number: f64) -> u64 {
    if number == 0.0 {
        return 1;
    }
    let written = format!("{:e}", number.abs());
    let (digits, exponent) = written.split_once('e').expect("the form {:e} has an exponent");
    let digits = digits.chars().filter(char::is_ascii_digit).count();
    let exponent: i64 = exponent.parse().expect("the exponent is an integer");
    let digits = i64::try_from(digits).expect("at most 17 digits");
    let length = match exponent {
        // Digits and then zeros, or a point inside the digits.
        0..=20 => (exponent + 1).max(if digits > exponent + 1 { digits + 1 } else { digits }),
        // `0.`, zeros, digits.
        -6..=-1 => 1 - exponent + digits,
        // One digit, a point if more follow, `e`, a sign, the exponent.
        _ => digits + i64::from(digits > 1) + 2 + i64::from(exponent.unsigned_abs().ilog10()) + 1,
    };
    length.unsigned_abs() + u64::from(number < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_lengths_are_those_of_the_spec_table() {
        let table: [(f64, u64); 13] = [
            (0.0, 1),
            (-0.0, 1),
            (1e20, 21),
            (1e21, 5),
            (1e-6, 8),
            (1e-7, 4),
            (5e-324, 6),
            (9_007_199_254_740_993.0, 16),
            (-1.5, 4),
            (123_456_789_012_345_680_000.0, 21),
            (1.25e-7, 7),
            (0.1, 3),
            (-1.797_693_134_862_315_7e308, 24),
        ];
        for (number, length) in table {
            assert_eq!(number_length(number), length, "{number}");
        }
    }
}
