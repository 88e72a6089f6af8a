//! The token of a notice: what was bid, in 55 bytes, and a signature of 16 bytes.
//!
//! ```text
//! flags 1 · issued 4 · seed 8 · place 1 · campaign 8 · creative 8 · ssp 8 · price 8 · cur 3 · own_cur 3
//!         · shard 1 · frequency 2 · HMAC-SHA-256 16
//! ```
//!
//! Numbers are big-endian. The text is base64url without padding. 55 bytes are the most that the hash takes in one
//! block. A token of the former layout, without `shard` and `frequency`, is read as long as such tokens are on their
//! way. A token holds no id of a person: `frequency` is the same for a 64th of all people.

use core::num::NonZeroU8;

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::money::{Currency, Micros};

/// Bytes of the content.
const CONTENT: usize = 55;
/// Bytes of the content in the former layout, and how many shards the ledger had then.
const FORMER_CONTENT: usize = 52;
const FORMER_SHARDS: u8 = 32;
/// Bytes of the signature: half of an HMAC-SHA-256, which RFC 2104 §5 allows.
const SIGNATURE: usize = 16;
/// Characters of the text.
const TEXT: usize = ((CONTENT + SIGNATURE) * 4).div_ceil(3);

/// The first byte holds this layout's number in its high half.
const LAYOUT: u8 = 0x20;
const FORMER_LAYOUT: u8 = 0x10;
const TEST: u8 = 1;
const PAYS_BID: u8 = 2;
const DOOH: u8 = 4;
const WIN_BILLS: u8 = 8;

/// The fewest bytes of a key.
const MIN_KEY_BYTES: usize = 32;

/// One bid.
// One flag for each bit of the first byte.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Whether the auction was a test, which is not billed.
    pub test: bool,
    /// Whether the winner pays its bid: a first-price auction, or a deal with a fixed price.
    pub pays_bid: bool,
    /// Whether the ad is for a screen in a public place, where one play counts for several impressions.
    pub dooh: bool,
    /// Whether the win bills: `billing` of the SSP when the bid was made.
    pub win_bills: bool,
    /// When the bid was made, in seconds since the Unix epoch.
    pub issued_s: u32,
    /// The seed of the bid's id.
    pub seed: u64,
    /// The place of the bid in the response, which is the rest of the bid's id.
    pub place: u8,
    /// [`hash_of`] the campaign's `cid`.
    pub campaign: u64,
    /// [`hash_of`] the creative's `crid`.
    pub creative: u64,
    /// [`hash_of`] the SSP's id.
    pub ssp: u64,
    /// `bid.price` in `cur`, per thousand impressions.
    pub price: Micros,
    /// The response's currency.
    pub cur: Currency,
    /// The campaign's currency.
    pub own_cur: Currency,
    /// The shard of the ledger that books the bid: see [`shard_of`].
    pub shard: u8,
    /// The number of the object that counts the impressions of the person; 0 if the bid has no frequency cap that
    /// counts them.
    pub frequency: u16,
}

/// The shard of a bid, if the ledger has this many. The low half of a seed counts up from a random start in each
/// isolate, so the bids are evenly spread.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "the remainder is below 256")]
pub fn shard_of(seed: u64, shards: NonZeroU8) -> u8 {
    (seed as u32 % u32::from(shards.get())) as u8
}

/// Why a text is not a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadToken {
    /// It is not the base64url of a token.
    Malformed,
    /// No key signed it.
    Forged,
}

/// The keys that sign tokens. The first one signs; all of them are accepted, so that a key can be replaced while its
/// tokens are still on their way.
#[derive(Debug, Clone)]
pub struct Keys(Vec<Hmac<Sha256>>);

impl Keys {
    /// Keys from their texts, each of at least 32 bytes. The error says what is wrong and does not contain the key.
    #[inline(never)]
    pub fn new<'k>(texts: impl IntoIterator<Item = &'k str>) -> Result<Keys, String> {
        let mut keys = Vec::new();
        for (text, number) in texts.into_iter().zip(1..) {
            if text.len() < MIN_KEY_BYTES {
                let bytes = text.len();
                return Err(format!("key {number} has {bytes} bytes; expected at least {MIN_KEY_BYTES}"));
            }
            keys.extend(Hmac::new_from_slice(text.as_bytes()));
        }
        if keys.is_empty() { Err("no key; expected at least one".to_owned()) } else { Ok(Keys(keys)) }
    }

    /// The token as text.
    #[must_use]
    pub fn sign(&self, token: &Token) -> Text {
        let content = token.content();
        let mut bytes = [0; CONTENT + SIGNATURE];
        let (left, right) = bytes.split_at_mut(CONTENT);
        left.copy_from_slice(&content);
        if let Some(key) = self.0.first() {
            right.copy_from_slice(&mark(key, &content));
        }
        let mut text = Text([b'A'; TEXT]);
        let _ = Base64UrlUnpadded::encode(&bytes, &mut text.0);
        text
    }

    /// Reads a token and checks its signature.
    #[inline(never)]
    pub fn verify(&self, text: &str) -> Result<Token, BadToken> {
        let mut bytes = [0; CONTENT + SIGNATURE];
        let decoded = Base64UrlUnpadded::decode(text, &mut bytes).map_err(|_| BadToken::Malformed)?;
        let length = decoded.len().checked_sub(SIGNATURE).filter(|length| [CONTENT, FORMER_CONTENT].contains(length));
        let (content, signature) = decoded.split_at_checked(length.unwrap_or_default()).unwrap_or_default();
        // A token that was cut may have the length of the former layout.
        let layout = content.first().map(|flags| flags & 0xf0);
        if content.len() != CONTENT && layout != Some(FORMER_LAYOUT) {
            return Err(BadToken::Malformed);
        }
        let is_ours = |key: &Hmac<Sha256>| key.clone().chain_update(content).verify_truncated_left(signature).is_ok();
        if !self.0.iter().any(is_ours) {
            return Err(BadToken::Forged);
        }
        Token::of(content).ok_or(BadToken::Malformed)
    }

    /// For each key, the first 16 bytes of the HMAC-SHA-256 of some bytes, the signing key first.
    pub fn marks(&self, content: &[u8]) -> impl Iterator<Item = [u8; SIGNATURE]> {
        self.0.iter().map(move |key| mark(key, content))
    }
}

#[inline(never)]
fn mark(key: &Hmac<Sha256>, content: &[u8]) -> [u8; SIGNATURE] {
    let digest = key.clone().chain_update(content).finalize().into_bytes();
    digest.first_chunk().copied().unwrap_or_default()
}

/// The text of a token.
#[derive(Debug, Clone, Copy)]
pub struct Text([u8; TEXT]);

impl Text {
    /// A text of the same length that is no token, for measuring.
    pub(crate) const BLANK: Text = Text([b'A'; TEXT]);

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl Token {
    fn content(&self) -> [u8; CONTENT] {
        let set = [(self.test, TEST), (self.pays_bid, PAYS_BID), (self.dooh, DOOH), (self.win_bills, WIN_BILLS)];
        let flags = set.iter().filter(|(is_set, _)| *is_set).fold(LAYOUT, |flags, (_, flag)| flags | flag);
        let mut content = [0; CONTENT];
        let mut rest = content.iter_mut();
        let mut put = |bytes: &[u8]| bytes.iter().zip(&mut rest).for_each(|(byte, to)| *to = *byte);
        put(&[flags]);
        put(&self.issued_s.to_be_bytes());
        put(&self.seed.to_be_bytes());
        put(&[self.place]);
        put(&self.campaign.to_be_bytes());
        put(&self.creative.to_be_bytes());
        put(&self.ssp.to_be_bytes());
        put(&self.price.0.to_be_bytes());
        put(self.cur.as_str().as_bytes());
        put(self.own_cur.as_str().as_bytes());
        put(&[self.shard]);
        put(&self.frequency.to_be_bytes());
        content
    }

    fn of(content: &[u8]) -> Option<Token> {
        let mut rest = content;
        let [flags] = take(&mut rest)?;
        let is_former = content.len() == FORMER_CONTENT;
        if flags & !(TEST | PAYS_BID | DOOH | WIN_BILLS) != if is_former { FORMER_LAYOUT } else { LAYOUT } {
            return None;
        }
        let token = Token {
            test: flags & TEST != 0,
            pays_bid: flags & PAYS_BID != 0,
            dooh: flags & DOOH != 0,
            win_bills: flags & WIN_BILLS != 0,
            issued_s: u32::from_be_bytes(take(&mut rest)?),
            seed: u64::from_be_bytes(take(&mut rest)?),
            place: u8::from_be_bytes(take(&mut rest)?),
            campaign: u64::from_be_bytes(take(&mut rest)?),
            creative: u64::from_be_bytes(take(&mut rest)?),
            ssp: u64::from_be_bytes(take(&mut rest)?),
            price: Micros(i64::from_be_bytes(take(&mut rest)?)),
            cur: currency(take(&mut rest)?),
            own_cur: currency(take(&mut rest)?),
            shard: 0,
            frequency: 0,
        };
        if is_former {
            return Some(Token { shard: shard_of(token.seed, NonZeroU8::new(FORMER_SHARDS)?), ..token });
        }
        let [shard] = take(&mut rest)?;
        Some(Token { shard, frequency: u16::from_be_bytes(take(&mut rest)?), ..token })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, behind) = rest.split_first_chunk::<N>()?;
    *rest = behind;
    Some(*bytes)
}

fn currency(letters: [u8; 3]) -> Currency {
    core::str::from_utf8(&letters).map_or(Currency::UNKNOWN, Currency::parse)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::hash_of;

    const NEW: &str = "new-key-new-key-new-key-new-key-1";
    const OLD: &str = "old-key-old-key-old-key-old-key-1";

    fn keys(texts: &[&str]) -> Keys {
        Keys::new(texts.iter().copied()).unwrap()
    }

    fn token() -> impl Strategy<Value = Token> {
        let ids = (any::<u64>(), any::<u8>(), any::<u64>(), any::<u64>(), any::<u64>());
        let places = (any::<u8>(), any::<u16>());
        let curs = ("[A-Z]{3}", "[A-Z]{3}");
        (any::<[bool; 4]>(), any::<u32>(), ids, any::<i64>(), curs, places).prop_map(
            |(flags, issued_s, (seed, place, campaign, creative, ssp), price, (cur, own), (shard, frequency))| {
                let [test, pays_bid, dooh, win_bills] = flags;
                Token {
                    test,
                    pays_bid,
                    dooh,
                    win_bills,
                    issued_s,
                    seed,
                    place,
                    campaign,
                    creative,
                    ssp,
                    price: Micros(price),
                    cur: Currency::parse(&cur),
                    own_cur: Currency::parse(&own),
                    shard,
                    frequency,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn a_token_is_read_back_and_fits_into_96_characters(token in token()) {
            let keys = keys(&[NEW]);
            let text = keys.sign(&token);
            prop_assert!(text.as_str().len() <= 96);
            prop_assert_eq!(text.as_str().len(), Text::BLANK.as_str().len());
            prop_assert_eq!(keys.verify(text.as_str()), Ok(token));
        }

        #[test]
        fn a_token_of_the_former_layout_is_read(token in token()) {
            let keys = keys(&[NEW]);
            let mut bytes = token.content()[..FORMER_CONTENT].to_vec();
            bytes[0] = bytes[0] & 0x0f | FORMER_LAYOUT;
            let sign = |content: &[u8]| keys.0[0].clone().chain_update(content).finalize().into_bytes();
            let signature = sign(&bytes);
            bytes.extend_from_slice(&signature[..SIGNATURE]);
            let mut buffer = [0; TEXT];
            let text = Base64UrlUnpadded::encode(&bytes, &mut buffer).unwrap();
            prop_assert_eq!(text.len(), 91);
            let shard = u8::try_from(token.seed % 32).unwrap();
            prop_assert_eq!(keys.verify(text), Ok(Token { shard, frequency: 0, ..token }));
        }

        #[test]
        fn any_other_character_makes_it_invalid(token in token(), at in 0..TEXT, with in "[A-Za-z0-9_=+/. -]") {
            let keys = keys(&[NEW]);
            let mut text = keys.sign(&token).as_str().to_owned();
            prop_assume!(!text[at..].starts_with(&with));
            text.replace_range(at..=at, &with);
            prop_assert!(keys.verify(&text).is_err());
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,120}") {
            prop_assert!(keys(&[NEW]).verify(&text).is_err());
        }
    }

    #[test]
    fn every_key_is_accepted_and_the_first_one_signs() {
        let token = Token {
            test: false,
            pays_bid: true,
            dooh: false,
            win_bills: false,
            issued_s: 1_795_003_200,
            seed: 1,
            place: 2,
            campaign: hash_of("a"),
            creative: hash_of("b"),
            ssp: hash_of("c"),
            price: Micros(1_800_000),
            cur: Currency::USD,
            own_cur: Currency::USD,
            shard: 3,
            frequency: 4,
        };
        let old = keys(&[OLD]).sign(&token);
        assert_eq!(keys(&[NEW, OLD]).verify(old.as_str()), Ok(token));
        assert_eq!(keys(&[NEW]).verify(old.as_str()), Err(BadToken::Forged));
        let new = keys(&[NEW, OLD]).sign(&token);
        assert_eq!(keys(&[NEW]).verify(new.as_str()), Ok(token));
        for cut in [&new.as_str()[1..], &new.as_str()[..TEXT - 1], ""] {
            assert_eq!(keys(&[NEW]).verify(cut), Err(BadToken::Malformed), "{cut}");
        }
    }

    #[test]
    fn the_bids_of_an_isolate_spread_evenly_over_the_shards() {
        let shards = NonZeroU8::new(32).unwrap();
        let mut counts = [0; 32];
        (0..320).for_each(|n| counts[usize::from(shard_of(0xffff_0000_dfdc_1c35 + n, shards))] += 1);
        assert_eq!(counts, [10; 32]);
        assert_eq!(shard_of(0x07_0000_0000 + 7, shards), 7);
    }

    #[test]
    fn the_signature_is_an_hmac_sha_256() {
        // RFC 4231, test case 1, with the key as text.
        let mac = Hmac::<Sha256>::new_from_slice(&[0x0b; 20]).unwrap().chain_update("Hi There").finalize();
        assert_eq!(mac.into_bytes()[..4], [0xb0, 0x34, 0x4c, 0x61]);
    }

    #[test]
    fn a_short_key_is_refused_without_showing_it() {
        assert_eq!(Keys::new(["short"]).unwrap_err(), "key 1 has 5 bytes; expected at least 32");
        assert_eq!(Keys::new([]).unwrap_err(), "no key; expected at least one");
    }
}
