//! A small hash for ids, and numbers as hexadecimal digits.

/// The number that names a campaign, a creative or an SSP in tokens, in the ledger and in pacing.
pub fn hash_of(id: &str) -> u64 {
    fnv(id.bytes())
}

/// The FNV-1a hash of some bytes. Its low bits are less random than its high bits.
pub fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A pseudo-random number below `count`, from a hash of [`fnv`], whose high bits alone are not random enough.
pub fn spread(hash: u64, count: u32) -> u32 {
    let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from((mixed >> 32).wrapping_mul(u64::from(count)) >> 32).unwrap_or_default()
}

/// A pseudo-random number of 32 bits from the lot of a decision. The numbers for different purposes are independent.
pub fn drawn(lot: u32, purpose: u64) -> u32 {
    // The last steps of SplitMix64: each bit of the sum changes half of the bits of the result.
    let sum = (u64::from(lot) ^ purpose).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (sum ^ sum >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 32) as u32
}

/// Appends the last `digits` hexadecimal digits of a number, at most 16.
pub fn hex(out: &mut String, number: u64, digits: usize) {
    let mut text = [0; 16];
    let text = text.get_mut(..digits).unwrap_or_default();
    for (position, digit) in text.iter_mut().rev().enumerate() {
        let [byte, ..] = (number >> (4 * position)).to_le_bytes();
        let value = byte & 15;
        *digit = value + if value < 10 { b'0' } else { b'a' - 10 };
    }
    out.push_str(core::str::from_utf8(text).unwrap_or_default());
}
