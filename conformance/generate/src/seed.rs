//! Plans from a seed, for the runner: the same seed, index and settings give the same plan on every machine
//! and with every release of the dependencies but `arbitrary`.

use crate::generate::Generate;
use crate::plan::Plan;
use crate::settings::Settings;
use arbitrary::Unstructured;

/// The value of this seed and index. Neighbouring indexes have nothing in common.
pub fn from_seed<T: Generate>(seed: u64, index: u64, settings: &Settings) -> T {
    let bytes = stream(seed, index, settings.entropy_bytes);
    T::generate(&mut Unstructured::new(&bytes), settings)
}

impl Plan {
    /// The plan of this seed and index.
    pub fn from_seed(seed: u64, index: u64, settings: &Settings) -> Self {
        from_seed(seed, index, settings)
    }
}

/// Random bytes: SplitMix64 in counter mode. The seed is mixed once before the index is added, so that seed 1
/// at index 2 and seed 2 at index 1 are strangers; the words after that are the standard sequence.
fn stream(seed: u64, index: u64, length: usize) -> Vec<u8> {
    let mut state = mix(mix(seed).wrapping_add(index));
    let words = std::iter::from_fn(|| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        Some(mix(state))
    });
    words.flat_map(u64::to_le_bytes).take(length).collect()
}

/// The finalizer of SplitMix64.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
