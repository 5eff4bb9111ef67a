//! A part of a run: every N-th case, so that several machines share one run. `merge.rs` puts the parts together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// More parts than any run has use for.
const MOST: u64 = 10_000;

/// Part K of N, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// Whether the case with this place in the whole run belongs to this part.
    pub fn takes(self, ordinal: u64) -> bool {
        ordinal % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) && count <= MOST => Ok(Self { index, count }),
            _ => Err(format!("K/N is needed, part K of N, such as 2/3; N is {MOST} at most")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_belongs_to_exactly_one_part() {
        let parts: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).to_vec();
        for ordinal in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.takes(ordinal)).count(), 1);
        }
        assert_eq!(parts[1].to_string(), "2/3");
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for wrong in ["0/3", "4/3", "1/0", "1", "1/2/3", "a/b", "-1/2", "1/10001", ""] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains("2/3"), "{wrong}");
        }
    }
}
