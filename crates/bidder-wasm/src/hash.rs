//! A small hash for ids.

/// The number that names a campaign, a creative or an SSP in tokens, in the ledger and in pacing.
pub fn hash_of(id: &str) -> u64 {
    fnv(id.bytes())
}

/// The FNV-1a hash of some bytes. Its low bits are less random than its high bits.
pub(crate) fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A pseudo-random number below `count`, from a hash of [`fnv`], whose high bits alone are not random enough.
pub(crate) fn spread(hash: u64, count: u32) -> u32 {
    let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from((mixed >> 32).wrapping_mul(u64::from(count)) >> 32).unwrap_or_default()
}
