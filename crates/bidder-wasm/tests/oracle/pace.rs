//! Which requests belong to a budget's share, and what becomes of old shares.

/// Two to the power of 64: all sums and products are remainders of it.
const WORD: u128 = 1 << 64;

/// All requests, as a share.
const WHOLE: i64 = 4_294_967_295;

/// `key` names the budget.
pub fn lets_through(share: i64, age_ms: i64, request: &str, key: u64) -> bool {
    if share == WHOLE && age_ms < 60_000 {
        return true;
    }
    let share = if age_ms >= 120_000 {
        0
    } else if age_ms >= 60_000 {
        share / 2
    } else {
        share
    };
    lot(u128::from(hash(request) ^ key)) < share
}

/// The 64-bit FNV-1a hash.
pub fn hash(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(14_695_981_039_346_656_037, |hash: u128, byte| (hash ^ u128::from(byte)) * 1_099_511_628_211 % WORD);
    u64::try_from(hash).unwrap()
}

/// The upper 32 bits of the number that the generator `SplitMix64` makes of this state.
fn lot(state: u128) -> i64 {
    let mut z = (state + 0x9e37_79b9_7f4a_7c15) % WORD;
    z = (z ^ (z / (1 << 30))) * 0xbf58_476d_1ce4_e5b9 % WORD;
    z = (z ^ (z / (1 << 27))) * 0x94d0_49bb_1331_11eb % WORD;
    i64::try_from(z / (1 << 32)).unwrap()
}
