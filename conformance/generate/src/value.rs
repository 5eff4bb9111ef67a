//! `B-JSON-1` to `B-JSON-3`, `B-LIMIT-4` and `B-UNIT-7` to `B-UNIT-9`: recipes for the arguments of Tool calls.
//! Faulty values (not finite, too deep) are the business of `fault`.

use crate::text::TextPlan;
use seamcheck_reference::json::Object;
use seamcheck_reference::{Json, Limits, Text};

/// A recipe for a JSON value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ValuePlan {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An entry of the table of numbers, modulo its length.
    Number(u8),
    /// The number of these binary64 bits; one that is not finite becomes 0.
    Float(u64),
    /// A string.
    Text(TextPlan),
    /// An array.
    Array(Vec<ValuePlan>),
    /// An object; of a repeated key the last value stays.
    Object(Vec<(KeyPlan, ValuePlan)>),
    /// Containers one in another, as deep as the limit allows.
    Chain {
        /// How many; cut at the limit.
        levels: u8,
        /// Objects rather than arrays.
        objects: bool,
    },
}

/// A recipe for the key of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPlan {
    /// An entry of the table of keys, modulo its length.
    Odd(u8),
    /// Any text, the empty one included.
    Text(TextPlan),
}

/// The arguments of a call from their members.
pub(crate) fn build_arguments(members: &[(KeyPlan, ValuePlan)]) -> Object {
    build_members(members, 0)
}

fn build_members(members: &[(KeyPlan, ValuePlan)], depth: usize) -> Object {
    if depth >= Limits::SPEC.argument_depth {
        return Object::default();
    }
    members.iter().map(|(key, value)| (key.build(), value.build_at(depth + 1))).collect()
}

impl KeyPlan {
    /// The key.
    pub fn build(&self) -> Text {
        match self {
            Self::Odd(entry) => KEYS[usize::from(*entry) % KEYS.len()].into(),
            Self::Text(plan) => plan.build(),
        }
    }
}

impl ValuePlan {
    /// The value, as it may stand at this depth; the arguments object is at 0. The depth limit holds for any
    /// plan, so that the recursion ends there.
    fn build_at(&self, depth: usize) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(flag) => Json::Bool(*flag),
            Self::Number(entry) => Json::Number(NUMBERS[usize::from(*entry) % NUMBERS.len()]),
            Self::Float(bits) => Json::Number(Some(f64::from_bits(*bits)).filter(|it| it.is_finite()).unwrap_or(0.0)),
            Self::Text(plan) => Json::String(plan.build()),
            Self::Array(_) if depth >= Limits::SPEC.argument_depth => Json::Array(Vec::new()),
            Self::Array(elements) => Json::Array(elements.iter().map(|element| element.build_at(depth + 1)).collect()),
            Self::Object(members) => Json::Object(build_members(members, depth)),
            Self::Chain { levels, objects } => {
                let levels = usize::from(*levels).min(Limits::SPEC.argument_depth.saturating_sub(depth));
                (0..levels).fold(Json::Null, |inner, _| {
                    if *objects { Json::Object([("k", inner)].into_iter().collect()) } else { Json::Array(vec![inner]) }
                })
            }
        }
    }
}

/// The first is the plainest.
const KEYS: &[&str] = &[
    "k",
    "path",
    // Array indexes come first in own-key order, ascending; the others only look like indexes.
    "0",
    "1",
    "10",
    "2",
    "4294967294",
    "4294967295",
    "01",
    "-0",
    "1.5",
    "1e3",
    "",
    " ",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "length",
    "then",
    "toJSON",
    "id",
    "type",
    "\u{1F600}",
    "e\u{301}",
    "\u{E9}",
    "\0",
];

/// Both sides of every switch of `String(n)` and of every loss of precision.
const NUMBERS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    0.1,
    0.1 + 0.2,
    1.0 / 3.0,
    100.0,
    123_456.789,
    4_294_967_295.0,
    9_007_199_254_740_991.0,
    9_007_199_254_740_992.0,
    -9_007_199_254_740_992.0,
    123_456_789_012_345_680_000.0,
    1e20,
    999_999_999_999_999_900_000.0,
    1e21,
    -1e21,
    1.234_567_890_123_456_7e21,
    1e22,
    0.000_001,
    0.000_001_234_5,
    9.999_999_999_999_997e-7,
    1e-7,
    -1.5e-7,
    5e-324,
    2.225_073_858_507_201e-308,
    f64::MIN_POSITIVE,
    f64::MAX,
    -f64::MAX,
    1e300,
];
