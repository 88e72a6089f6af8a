//! Tokens of former layouts, as long as they are on their way: 52 or 55 bytes and one signature for all kinds of notices.
//!
//! ```text
//! flags 1 · issued 4 · seed 8 · place 1 · campaign 8 · creative 8 · ssp 8 · price 8 · cur 3 · own_cur 3
//!         · shard 1 · frequency 2 · HMAC-SHA-256 16
//! ```
//!
//! The first layout has no `shard` and no `frequency`. Such a token does not say which of its notices bills, so all that
//! billed then do, but none is believed that it costs less than the bid.

use core::num::NonZeroU8;

use hmac::Mac;

use super::{
    BadToken, Bills, Currency, Keys, MULTIPLIED, Micros, ONE, PAYS_BID, TAG, TEST, Token, WIN_BILLS, shard_of, take,
};

/// Bytes of the content in each layout, its number in the high half of the first byte, and how many shards the ledger
/// had at the time of the first one.
pub(super) const LAYOUTS: [(usize, u8); 2] = [(52, 0x10), (55, 0x20)];
const FIRST_SHARDS: u8 = 32;

impl Keys {
    pub(super) fn verify_former(&self, bytes: &[u8]) -> Result<Token, BadToken> {
        let length = bytes.len().checked_sub(TAG).ok_or(BadToken::Malformed)?;
        let (content, signature) = bytes.split_at_checked(length).unwrap_or_default();
        let flags = content.first().copied().unwrap_or_default();
        // A token that was cut may have the length of a former layout.
        if !LAYOUTS.contains(&(length, flags & 0xf0)) {
            return Err(BadToken::Malformed);
        }
        let signs = |key: &super::Key| key.hmac.clone().chain_update(content).verify_truncated_left(signature).is_ok();
        if !self.0.iter().any(signs) {
            return Err(BadToken::Forged);
        }
        read(content).ok_or(BadToken::Malformed)
    }
}

fn read(content: &[u8]) -> Option<Token> {
    let mut rest = content;
    let [flags] = take(&mut rest)?;
    let token = Token {
        test: flags & TEST != 0,
        pays_bid: flags & PAYS_BID != 0,
        multiplied: flags & MULTIPLIED != 0,
        bills: Bills { by_win: flags & WIN_BILLS != 0, by_burl: true, in_markup: true },
        books_bid: false,
        arm: 0,
        codec: None,
        issued_s: u32::from_be_bytes(take(&mut rest)?),
        seed: u64::from_be_bytes(take(&mut rest)?),
        place: u8::from_be_bytes(take(&mut rest)?),
        campaign: u64::from_be_bytes(take(&mut rest)?),
        creative: u64::from_be_bytes(take(&mut rest)?),
        ssp: u64::from_be_bytes(take(&mut rest)?),
        price: Micros(i64::from_be_bytes(take(&mut rest)?)),
        own_price: Micros::ZERO,
        floor: 0,
        multiplier: ONE,
        cur: currency(take(&mut rest)?),
        own_cur: currency(take(&mut rest)?),
        shard: 0,
        frequency: 0,
    };
    if rest.is_empty() {
        return Some(Token { shard: shard_of(token.seed, NonZeroU8::new(FIRST_SHARDS)?), ..token });
    }
    let [shard] = take(&mut rest)?;
    Some(Token { shard, frequency: u16::from_be_bytes(take(&mut rest)?), ..token })
}

fn currency(letters: [u8; 3]) -> Currency {
    core::str::from_utf8(&letters).map_or(Currency::UNKNOWN, Currency::parse)
}
