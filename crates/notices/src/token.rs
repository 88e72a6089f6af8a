//! The token of a notice: what was bid, in 64 bytes, and a tag of 16 bytes for the kind of the notice.
//!
//! ```text
//! flags 1 · codec, kinds and arm 1 · frequency 2 · issued 4 · seed 8 · campaign 8 · creative 8 · ssp 8 · price 7 · shard 1
//!         · own_price 6 · floor 2 · multiplier 3 · position 1 · cur 2 · own_cur 2 · tag 16
//! ```
//!
//! Numbers are big-endian. The text is base64url without padding. The tags of the four kinds of notices are the 64 bytes
//! of one keyed BLAKE3 of the content, so who sees the URL of one kind cannot make that of another. A token holds no id of
//! a person: `frequency` is the same for a 64th of all people.

use core::num::NonZeroU8;

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::blake3::{BLOCK, Key as TagKey};
use super::lane::base64;
use super::notice::{Bills, Notice};
use base::money::{Currency, Micros};
use catalog::Codec;

/// Bytes of a tag.
const TAG: usize = 16;

/// The first byte holds this layout's number in its high half.
const LAYOUT: u8 = 0x30;
const TEST: u8 = 1;
const PAYS_BID: u8 = 2;
const MULTIPLIED: u8 = 4;
const WIN_BILLS: u8 = 8;
/// In the second byte, behind the number of the codec.
const CODEC: u8 = 7;
const BURL_BILLS: u8 = 8;
const IMP_BILLS: u8 = 16;
const BOOKS_BID: u8 = 32;
/// The first of the two bits of the arm.
const ARM_SHIFT: u32 = 6;
/// The arm of a bid that shows what is paid without learned shading.
pub const UNSHADED: u8 = 3;

/// What the key of the tags is the hash of, besides the text of the key.
const PURPOSE: &[u8] = b"edgebid: tags of notices";

/// The minimum length of a key in bytes.
const MIN_KEY_BYTES: usize = 32;

/// A multiplier of 1 in a token.
pub const ONE: u32 = 1000;
/// The whole price, as a floor in a token.
const WHOLE: u16 = u16::MAX;

/// One bid.
// One flag for each bit of the first byte.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Whether the auction was a test, which is not billed.
    pub test: bool,
    /// Whether the winner pays its bid: a first-price auction, or a deal with a fixed price.
    pub pays_bid: bool,
    /// Whether one showing may count for several impressions: the request says so, or is for a screen in a public place.
    pub multiplied: bool,
    /// Which notices bill: those that the bid got when it was made. No other may be booked.
    pub bills: Bills,
    /// Whether the price of the bid is booked, whatever a notice says: `price` of the SSP when the bid was made.
    pub books_bid: bool,
    /// What the bid is compared with: 1 the first version of a split made it, 2 the second, [`UNSHADED`] it shows what is
    /// paid without learned shading; 0: none of these.
    pub arm: u8,
    /// How notices encode the price: `price_codec` of the SSP when the bid was made.
    pub codec: Codec,
    /// When the bid was made, in seconds since the Unix epoch.
    pub issued_s: u32,
    /// The seed of the bid's id.
    pub seed: u64,
    /// The position of the bid in the response, which is the rest of the bid's id.
    pub position: u8,
    /// [`hash_of`](base::hash::hash_of) the campaign's `cid`.
    pub campaign: u64,
    /// [`hash_of`](base::hash::hash_of) the creative's `crid`.
    pub creative: u64,
    /// [`hash_of`](base::hash::hash_of) the SSP's id.
    pub ssp: u64,
    /// `bid.price` in `cur`, per thousand impressions.
    pub price: Micros,
    /// The same in `own_cur`, by the rates when the bid was made; 0 if unknown.
    pub own_price: Micros,
    /// The floor of the bid as a part of `price`, in 65,535ths: see [`part_of`].
    pub floor: u16,
    /// For how many impressions one showing may count, in thousandths.
    pub multiplier: u32,
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

/// The number of a codec in tokens. Tokens outlive the build that made them, so no number may change its meaning.
const fn number_of(codec: Codec) -> u8 {
    match codec {
        Codec::Plain => 0,
        Codec::Google => 1,
        Codec::OpenX => 2,
        Codec::Magnite => 3,
        Codec::Unity => 4,
    }
}

/// The shard of a bid, if the ledger has this many. The low half of a seed counts up from a random start in each
/// isolate, so the bids are evenly spread.
#[allow(clippy::cast_possible_truncation, reason = "the remainder is below 256")]
pub fn shard_of(seed: u64, shards: NonZeroU8) -> u8 {
    (seed as u32 % u32::from(shards.get())) as u8
}

/// A floor as a part of the price, rounded down, so that no price at the floor is below it.
pub fn part_of(floor: Micros, price: Micros) -> u16 {
    let (floor, price) = (floor.0.max(0).unsigned_abs(), price.0.max(1).unsigned_abs());
    // Most amounts are so small that 64 bits are enough, which divide in one step.
    let part = floor.checked_mul(WHOLE.into()).map_or_else(
        || u64::try_from(u128::from(floor) * u128::from(WHOLE) / u128::from(price)).unwrap_or(u64::MAX),
        |product| product / price,
    );
    u16::try_from(part).unwrap_or(WHOLE)
}

/// Why a text is not a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadToken {
    /// It is not the base64url of a token.
    Malformed,
    /// No key signed it for this kind of notice.
    Forged,
    /// A key of ours signed it for this kind of notice, but this build does not know its layout: a newer build made it.
    Newer(Notice),
}

/// The keys that sign tokens. The first one signs; all of them are accepted, so that a key can be replaced while its
/// tokens are still on their way.
#[derive(Debug, Clone)]
pub struct Keys(Vec<Key>);

#[derive(Debug, Clone)]
struct Key {
    /// Names people.
    hmac: Hmac<Sha256>,
    tags: TagKey,
}

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
            if let Ok(hmac) = Hmac::<Sha256>::new_from_slice(text.as_bytes()) {
                // A text of any length becomes a key of 256 bits, and a key has one use.
                let tags = TagKey::new(&hmac.clone().chain_update(PURPOSE).finalize().into_bytes().into());
                keys.push(Key { hmac, tags });
            }
        }
        if keys.is_empty() { Err("no key; expected at least one".to_owned()) } else { Ok(Keys(keys)) }
    }

    /// The token as text, for each kind of notice.
    #[inline(never)]
    pub fn sign(&self, token: &Token) -> Texts {
        let content = token.content();
        let tags = self.0.first().map(|key| key.tags.tags(&content)).unwrap_or_default();
        let [shared @ .., rest] = content;
        let mut bytes = [0; PARTS];
        if let Some((head, tails)) = bytes.split_first_chunk_mut() {
            *head = shared;
            for (tail, own) in tails.as_chunks_mut::<TAIL>().0.iter_mut().zip(tags) {
                let [first, tag @ .., _] = tail;
                (*first, *tag) = (rest, own);
            }
        }
        let mut letters = [[0; 16]; STEPS];
        letters.iter_mut().zip(bytes.as_chunks().0).for_each(|(letters, bytes)| *letters = base64(bytes));
        Texts(letters)
    }

    /// Reads a token and checks its tag. Returns also the kind of notice that it is for.
    #[inline(never)]
    pub fn verify(&self, text: &str) -> Result<(Token, Notice), BadToken> {
        let mut bytes = [0; BLOCK + TAG];
        let decoded = Base64UrlUnpadded::decode(text, &mut bytes).map_err(|_| BadToken::Malformed)?;
        let parts = decoded.split_first_chunk::<BLOCK>().filter(|(_, rest)| rest.len() == TAG);
        let (content, rest) = parts.ok_or(BadToken::Malformed)?;
        let signed = self.0.iter().find_map(|key| {
            let tags = key.tags.tags(content);
            Notice::ALL.iter().zip(tags).find_map(|(notice, tag)| is_same(&tag, rest).then_some(*notice))
        });
        let signed = signed.ok_or(BadToken::Forged)?;
        Ok((Token::of(content).ok_or(BadToken::Newer(signed))?, signed))
    }

    /// For each key, the first 16 bytes of the HMAC-SHA-256 of some bytes, the signing key first.
    pub fn marks(&self, content: &[u8]) -> impl Iterator<Item = [u8; TAG]> {
        self.0.iter().map(move |key| mark(&key.hmac, content))
    }
}

#[inline(never)]
fn mark(key: &Hmac<Sha256>, content: &[u8]) -> [u8; TAG] {
    let digest = key.clone().chain_update(content).finalize().into_bytes();
    digest.first_chunk::<TAG>().copied().unwrap_or_default()
}

/// Takes the same time wherever the first difference is.
fn is_same(tag: &[u8; TAG], other: &[u8]) -> bool {
    tag.iter().zip(other).fold(0, |differing, (a, b)| differing | a ^ b) == 0
}

/// Bytes of the content that all kinds of notices share, as a number of groups of three.
const HEAD: usize = BLOCK / 3 * 3;
/// The rest of the content, a tag, and a byte to fill the last group.
const TAIL: usize = BLOCK - HEAD + TAG + 1;
/// Twelve bytes make sixteen letters in one step.
const STEPS: usize = (HEAD + 4 * TAIL).div_ceil(12);
/// Bytes of the head, of the tails for the four kinds, and behind them.
const PARTS: usize = 12 * STEPS;

/// The letters of a token for each kind of notice.
#[derive(Debug, Clone, Copy)]
pub struct Texts([[u8; 16]; STEPS]);

impl Texts {
    /// Texts of the same length that are no tokens, for measuring.
    pub const BLANK: Texts = Texts([[b'A'; 16]; STEPS]);

    /// The letters as text.
    pub fn text(&self) -> Text<'_> {
        Text(simdutf8::basic::from_utf8(self.0.as_flattened()).unwrap_or_default())
    }
}

/// The texts of a token: the part that all kinds of notices share, and the rest for each kind.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t>(&'t str);

impl<'t> Text<'t> {
    /// The two parts of the text for a kind of notice.
    pub fn of(self, notice: Notice) -> [&'t str; 2] {
        const LETTERS: usize = TAIL / 3 * 4;
        let from = HEAD / 3 * 4 + notice as usize * LETTERS;
        // The byte that fills the last group has the last letter.
        [0..HEAD / 3 * 4, from..from + LETTERS - 1].map(|part| self.0.get(part).unwrap_or_default())
    }
}

impl Token {
    /// The lowest price that is not under the floor.
    pub fn least(&self) -> Micros {
        let least = i128::from(self.price.0) * i128::from(self.floor) / i128::from(WHOLE);
        Micros(i64::try_from(least).unwrap_or_default())
    }

    fn content(&self) -> [u8; BLOCK] {
        let Bills { by_win, by_burl, in_markup } = self.bills;
        let codec = number_of(self.codec);
        // Greater amounts than the bytes hold: such a bid is over every price that a notice may have.
        let price = self.price.0.clamp(0, (1 << 56) - 1).unsigned_abs();
        let own_price = self.own_price.0.unsigned_abs();
        let own_price = if own_price < 1 << 48 { own_price } else { 0 };
        let bit = |is_set, bit| if is_set { bit } else { 0 };
        let flags = LAYOUT
            | bit(self.test, TEST)
            | bit(self.pays_bid, PAYS_BID)
            | bit(self.multiplied, MULTIPLIED)
            | bit(by_win, WIN_BILLS);
        let kinds = codec
            | bit(by_burl, BURL_BILLS)
            | bit(in_markup, IMP_BILLS)
            | bit(self.books_bid, BOOKS_BID)
            | self.arm << ARM_SHIFT;
        let multiplier = u64::from(self.multiplier.min((1 << 24) - 1));
        let words = [
            u64::from(flags) << 56
                | u64::from(kinds) << 48
                | u64::from(self.frequency) << 32
                | u64::from(self.issued_s),
            self.seed,
            self.campaign,
            self.creative,
            self.ssp,
            price << 8 | u64::from(self.shard),
            own_price << 16 | u64::from(self.floor),
            multiplier << 40
                | u64::from(self.position) << 32
                | u64::from(letters(self.cur)) << 16
                | u64::from(letters(self.own_cur)),
        ];
        let mut content = [0; BLOCK];
        content.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_be_bytes());
        content
    }

    /// `None`: the content is of a newer layout. A new layout has another number, or uses a codec that is free now. It
    /// keeps the length, because nobody can check the tag of another length.
    fn of(content: &[u8; BLOCK]) -> Option<Token> {
        let mut rest = content.as_slice();
        let [flags, kinds] = take(&mut rest)?;
        if flags & 0xf0 != LAYOUT {
            return None;
        }
        let frequency = u16::from_be_bytes(take(&mut rest)?);
        let issued_s = u32::from_be_bytes(take(&mut rest)?);
        let mut word = || take(&mut rest).map(u64::from_be_bytes);
        let (seed, campaign, creative, ssp) = (word()?, word()?, word()?, word()?);
        let (price, own_price) = (word()?, word()?);
        let multiplier = u32::from_be_bytes(take(&mut rest)?);
        Some(Token {
            test: flags & TEST != 0,
            pays_bid: flags & PAYS_BID != 0,
            multiplied: flags & MULTIPLIED != 0,
            bills: Bills {
                by_win: flags & WIN_BILLS != 0,
                by_burl: kinds & BURL_BILLS != 0,
                in_markup: kinds & IMP_BILLS != 0,
            },
            books_bid: kinds & BOOKS_BID != 0,
            arm: kinds >> ARM_SHIFT,
            codec: *Codec::ALL.iter().find(|codec| number_of(**codec) == kinds & CODEC)?,
            issued_s,
            seed,
            position: u8::try_from(multiplier & 0xff).ok()?,
            campaign,
            creative,
            ssp,
            price: Micros(i64::try_from(price >> 8).ok()?),
            own_price: Micros(i64::try_from(own_price >> 16).ok()?),
            floor: u16::try_from(own_price & 0xffff).ok()?,
            multiplier: multiplier >> 8,
            cur: currency(u16::from_be_bytes(take(&mut rest)?)),
            own_cur: currency(u16::from_be_bytes(take(&mut rest)?)),
            shard: u8::try_from(price & 0xff).ok()?,
            frequency,
        })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, behind) = rest.split_first_chunk::<N>()?;
    *rest = behind;
    Some(*bytes)
}

/// The letters of a currency, five bits each; 0 if it is unknown.
fn letters(currency: Currency) -> u16 {
    let mut letters = currency.letters().into_iter().map(|letter| u16::from(letter.wrapping_sub(b'A')));
    letters.try_fold(1, |all, letter| (letter < 26).then_some(all << 5 | letter)).unwrap_or_default()
}

fn currency(letters: u16) -> Currency {
    let letter = |shift: u16| b'A'.wrapping_add(u8::try_from(letters >> shift & 31).unwrap_or_default());
    core::str::from_utf8(&[letter(10), letter(5), letter(0)])
        .ok()
        .filter(|_| letters > 0)
        .map_or(Currency::UNKNOWN, Currency::parse)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use base::hash::hash_of;

    const NEW: &str = "new-key-new-key-new-key-new-key-1";
    const OLD: &str = "old-key-old-key-old-key-old-key-1";

    fn keys(texts: &[&str]) -> Keys {
        Keys::new(texts.iter().copied()).unwrap()
    }

    fn texts(keys: &Keys, token: &Token) -> Vec<(Notice, String)> {
        let texts = keys.sign(token);
        Notice::ALL.iter().map(|notice| (*notice, texts.text().of(*notice).concat())).collect()
    }

    fn bid() -> Token {
        Token {
            test: false,
            pays_bid: true,
            multiplied: false,
            bills: Bills { by_win: false, by_burl: true, in_markup: false },
            books_bid: false,
            arm: 0,
            codec: Codec::Plain,
            issued_s: 1_795_003_200,
            seed: 1,
            position: 2,
            campaign: hash_of("a"),
            creative: hash_of("b"),
            ssp: hash_of("c"),
            price: Micros(1_800_000),
            own_price: Micros(1_800_000),
            floor: 0,
            multiplier: ONE,
            cur: Currency::USD,
            own_cur: Currency::USD,
            shard: 3,
            frequency: 4,
        }
    }

    fn token() -> impl Strategy<Value = Token> {
        let ids = (any::<u64>(), any::<u8>(), any::<u64>(), any::<u64>(), any::<u64>());
        let prices = (0..1_i64 << 56, 0..1_i64 << 48, any::<u16>(), 0..1_u32 << 24);
        let curs = ("[A-Z]{3}|[a-z]", "[A-Z]{3}", 0..Codec::ALL.len());
        (any::<[bool; 7]>(), (any::<(u32, u8, u16)>(), 0..=UNSHADED), ids, prices, curs).prop_map(
            |(
                flags,
                ((issued_s, shard, frequency), arm),
                (seed, position, campaign, creative, ssp),
                prices,
                (cur, own, codec),
            )| {
                let [test, pays_bid, counts, by_win, by_burl, in_markup, books_bid] = flags;
                let (price, own_price, floor, multiplier) = prices;
                let bills = Bills { by_win, by_burl, in_markup };
                let codec = Codec::ALL[codec];
                let (price, own_price) = (Micros(price), Micros(own_price));
                let (cur, own_cur) = (Currency::parse(&cur), Currency::parse(&own));
                let token = Token { test, pays_bid, multiplied: counts, bills, books_bid, codec, issued_s, ..bid() };
                let token = Token { seed, position, campaign, creative, ssp, price, own_price, ..token };
                Token { arm, floor, multiplier, cur, own_cur, shard, frequency, ..token }
            },
        )
    }

    proptest! {
        #[test]
        fn a_token_is_read_back_as_the_kind_that_it_is_for(token in token()) {
            let keys = keys(&[NEW]);
            for (notice, text) in texts(&keys, &token) {
                prop_assert_eq!(text.len(), Texts::BLANK.text().of(notice).concat().len());
                prop_assert_eq!(keys.verify(&text), Ok((token, notice)));
            }
        }

        #[test]
        fn any_other_character_makes_it_invalid(token in token(), at in 0..107_usize, with in "[A-Za-z0-9_=+/. -]") {
            let keys = keys(&[NEW]);
            for (_, mut text) in texts(&keys, &token) {
                prop_assume!(!text[at..].starts_with(&with));
                text.replace_range(at..=at, &with);
                prop_assert!(keys.verify(&text).is_err());
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,120}") {
            prop_assert!(keys(&[NEW]).verify(&text).is_err());
        }
    }

    #[test]
    fn a_token_of_a_newer_layout_is_known_as_ours_for_its_kind_only() {
        let keys = keys(&[OLD, NEW]);
        let content = bid().content();
        for (at, byte) in [(0, 0x40 | content[0] & 15), (1, CODEC)] {
            let mut newer = content;
            newer[at] = byte;
            for (notice, tag) in Notice::ALL.iter().zip(keys.0[1].tags.tags(&newer)) {
                let text = |tag: [u8; TAG]| {
                    Base64UrlUnpadded::encode(&[newer.as_slice(), &tag].concat(), &mut [0; 107]).unwrap().to_owned()
                };
                assert_eq!(keys.verify(&text(tag)), Err(BadToken::Newer(*notice)), "byte {at}: {byte}");
                assert_eq!(keys.verify(&text([0; TAG])), Err(BadToken::Forged), "byte {at}: {byte}");
            }
        }
    }

    #[test]
    fn every_key_is_accepted_and_the_first_one_signs() {
        let token = bid();
        let text = |keys: &Keys| keys.sign(&token).text().of(Notice::Bill).concat();
        let old = text(&keys(&[OLD]));
        assert_eq!(keys(&[NEW, OLD]).verify(&old), Ok((token, Notice::Bill)));
        assert_eq!(keys(&[NEW]).verify(&old), Err(BadToken::Forged));
        let new = text(&keys(&[NEW, OLD]));
        assert_eq!(keys(&[NEW]).verify(&new), Ok((token, Notice::Bill)));
        for cut in [&new[1..], &new[..106], ""] {
            assert_eq!(keys(&[NEW]).verify(cut), Err(BadToken::Malformed), "{cut}");
        }
    }

    #[test]
    fn a_floor_is_never_above_itself() {
        for (floor, price, least) in
            [(0, 5, 0), (5, 5, 5), (1_000_000, 7_000_000, 999_984), (9, 5, 5), (-1, 5, 0), (1, 0, 0)]
        {
            let token = Token { price: Micros(price), floor: part_of(Micros(floor), Micros(price)), ..bid() };
            assert_eq!(token.least(), Micros(least), "{floor} of {price}");
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
