//! Surrogate pairs and halves of them, in all texts of a value.

use seamcheck_reference::{Json, Text};

/// Every text in a value, keys included.
pub(crate) fn texts(value: &Json) -> Vec<&Text> {
    let mut found = Vec::new();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Json::String(text) => found.push(text),
            Json::Array(elements) => left.extend(elements),
            Json::Object(object) => {
                found.extend(object.members().iter().map(|(key, _)| key));
                left.extend(object.members().iter().map(|(_, value)| value));
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
    found
}

/// How many halves of pairs stand in it alone.
pub(crate) fn halves(value: &Json) -> usize {
    let in_text = |text: &Text| char::decode_utf16(text.to_utf16()).filter(Result::is_err).count();
    texts(value).into_iter().map(in_text).sum()
}

/// Whether a whole pair stands in it.
pub(crate) fn has_pair(value: &Json) -> bool {
    let in_text = |text: &Text| char::decode_utf16(text.to_utf16()).flatten().any(|character| character > '\u{ffff}');
    texts(value).into_iter().any(in_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_no_half_and_a_half_is_no_pair() {
        let text = |units: &[u16]| Json::from(Text::from_utf16(units));
        assert_eq!((halves(&text(&[0xd83d, 0xde00])), has_pair(&text(&[0xd83d, 0xde00]))), (0, true));
        assert_eq!((halves(&text(&[0xd83d, 65])), has_pair(&text(&[0xd83d, 65]))), (1, false));
        assert_eq!((halves(&text(&[0xde00, 0xd83d])), has_pair(&text(&[0xde00, 0xd83d]))), (2, false));
    }
}
