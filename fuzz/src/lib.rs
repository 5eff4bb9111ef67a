//! Properties for fuzzing. Each is a plain function over bytes, so that the ordinary tests run it too.

pub mod cut;
pub mod read;

/// Bytes for the smoke tests: xorshift64*, any seed but 0.
#[cfg(test)]
fn random_bytes(mut seed: u64, length: usize) -> Vec<u8> {
    let words = std::iter::from_fn(|| {
        seed ^= seed >> 12;
        seed ^= seed << 25;
        seed ^= seed >> 27;
        Some(seed.wrapping_mul(0x2545_F491_4F6C_DD1D))
    });
    words.flat_map(u64::to_le_bytes).take(length).collect()
}
