use blowfish::cipher::BlockCipherEncrypt;
use proptest::prelude::*;

use super::*;

const GOOGLE: (&str, &str) =
    ("skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=", "arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=");
const OPENX: (&str, &str) =
    ("sIxwz7yw62yrfoLGt12lIHKuYrK/S5kLuApI2BQe7Ac=", "v3fsVcMBMMHYzRhi7SpM0sdqwzvAxM6KPTu9OtVod5I=");
const GOOGLE_PRICE: &str = "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA";

fn keys(codec: Codec) -> Option<Keys> {
    let (encryption, integrity) = match codec {
        Codec::Plain => return None,
        Codec::Google => GOOGLE,
        Codec::OpenX => OPENX,
        Codec::Magnite => ("DEADBEEFDEADBEEF", ""),
        Codec::Unity => ("encryption_key", ""),
    };
    Some(Keys::parse(codec, encryption, integrity).unwrap())
}

fn decoded(codec: Codec, text: &str) -> Result<i64, Why> {
    decode(codec, keys(codec).as_ref(), text).map(|price| price.0)
}

#[test]
fn padding_and_the_case_of_hex_do_not_matter() {
    assert_eq!(decoded(Codec::Google, &format!("{GOOGLE_PRICE}==")), Ok(1900));
    assert_eq!(decoded(Codec::Magnite, "98fb4d5583fc8482"), Ok(180_000));
    assert_eq!(decoded(Codec::Plain, "1000000000"), Ok(MAX_PRICE));
}

#[test]
fn what_is_no_price_is_refused_before_keys_matter() {
    for text in ["", "${AUCTION_PRICE:BF}", "%%WINNING_PRICE%%", "{PRICE}", "AUDIT"] {
        let plain = decoded(Codec::Plain, text);
        for codec in Codec::ALL.iter().copied() {
            assert_eq!(decoded(codec, text), plain, "{codec:?} {text}");
            assert_eq!(decode(codec, None, text).map(|price| price.0), plain, "{codec:?} {text}, without keys");
        }
    }
    let blowfish = keys(Codec::Unity);
    assert_eq!(decode(Codec::Google, blowfish.as_ref(), GOOGLE_PRICE), Err(Why::PriceNoKey), "the keys of others");
}

#[test]
fn cut_and_prolonged_prices_are_refused() {
    for (codec, text) in
        [(Codec::Google, GOOGLE_PRICE), (Codec::Magnite, "9CE9A1B1AB9902E2"), (Codec::Unity, "z5eznndAkpE")]
    {
        for length in 1..text.len() {
            assert_eq!(decoded(codec, &text[..length]), Err(Why::PriceUnreadable), "{codec:?} {length}");
        }
        for more in ["A", "AAAA", "AAAAAAAAAAAAAAAA"] {
            assert_eq!(decoded(codec, &format!("{text}{more}")), Err(Why::PriceUnreadable), "{codec:?} {more}");
        }
    }
    let long = "A".repeat(1 << 16);
    assert!(Codec::ALL.iter().all(|codec| decoded(*codec, &long) == Err(Why::PriceUnreadable)));
}

#[test]
fn keys_of_a_wrong_form_are_refused_and_never_shown() {
    let secret = "c2VjcmV0LXNlY3JldA";
    for (codec, encryption, integrity, expected) in [
        (Codec::Google, secret, GOOGLE.1, "expected an encryption key of 32 bytes in base64"),
        (Codec::OpenX, OPENX.0, secret, "expected an integrity key of 32 bytes in base64"),
        (Codec::Google, GOOGLE.0, "", "expected an integrity key of 32 bytes in base64"),
        (Codec::Magnite, "abc", "", "expected an encryption key of 4 to 56 bytes"),
        (Codec::Unity, secret, secret, "the price codec unity has one key, but there is an integrity key"),
        (Codec::Plain, secret, "", "the price codec plain has no keys"),
    ] {
        let error = Keys::parse(codec, encryption, integrity).unwrap_err();
        assert_eq!(error, expected);
    }
    assert_eq!(format!("{:?}", keys(Codec::Unity).unwrap()), "Keys");
    let trimmed = Keys::parse(Codec::Google, GOOGLE.0.trim_end_matches('='), GOOGLE.1).unwrap();
    assert_eq!(decode(Codec::Google, Some(&trimmed), GOOGLE_PRICE), Ok(Micros(1900)));
}

#[test]
fn every_reason_has_its_own_name() {
    let names: std::collections::BTreeSet<&str> = Why::ALL.iter().map(|error| error.as_str()).collect();
    assert_eq!(names.len(), Why::ALL.len());
}

/// Google's scheme, written from its specification.
fn mask(codec: Codec, vector: [u8; 16], price: u64) -> Vec<u8> {
    let Some(Keys::Masked(keys)) = keys(codec) else { panic!("{codec:?} masks nothing") };
    let Masked { encryption, integrity } = *keys;
    let mask: [u8; 20] = encryption.chain_update(vector).finalize().into_bytes().into();
    let masked = price ^ u64::from_be_bytes(mask[..8].try_into().unwrap());
    let signature = integrity.chain_update(price.to_be_bytes()).chain_update(vector).finalize().into_bytes();
    [&vector[..], &masked.to_be_bytes(), &signature[..4]].concat()
}

fn base64url(bytes: &[u8]) -> String {
    let mut out = vec![0; bytes.len() * 2];
    Base64UrlUnpadded::encode(bytes, &mut out).unwrap().to_owned()
}

fn encrypt(codec: Codec, bytes: &mut [u8]) {
    let Some(Keys::Blocks(cipher)) = keys(codec) else { panic!("{codec:?} has no blocks") };
    for block in bytes.as_chunks_mut::<8>().0 {
        cipher.encrypt_block(block.into());
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[A-Za-z0-9_-]{38}",
        "[A-Za-z0-9_+/=-]{0,64}",
        "[0-9A-Fa-f]{16}",
        "-?[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,20})?",
    ]
}

proptest! {
    #[test]
    fn masked_prices_read_back(vector: [u8; 16], price in prop_oneof![any::<u64>(), 0..20_000_000_u64]) {
        for (codec, unit) in [(Codec::Google, 1), (Codec::OpenX, 1000)] {
            let expected = match price.checked_mul(unit) {
                Some(0) => Err(Why::PriceZero),
                Some(micros @ 1..=1_000_000_000_000_000) => Ok(i64::try_from(micros).unwrap()),
                _ => Err(Why::PriceAbsurd),
            };
            prop_assert_eq!(decoded(codec, &base64url(&mask(codec, vector, price))), expected);
        }
    }

    #[test]
    fn a_changed_bit_is_a_forgery(vector: [u8; 16], price: u64, bit in 0..28 * 8_usize) {
        let mut bytes = mask(Codec::Google, vector, price);
        bytes[bit / 8] ^= 1 << (bit % 8);
        prop_assert_eq!(decoded(Codec::Google, &base64url(&bytes)), Err(Why::PriceForged));
    }

    #[test]
    fn encrypted_decimals_read_back(micros in 1..1_000_000_000_000_000_i64) {
        let text = Micros(micros).to_string();
        let padding = 8 - text.len() % 8;
        let mut bytes = text.clone().into_bytes();
        bytes.extend(std::iter::repeat_n(u8::try_from(padding).unwrap(), padding));
        encrypt(Codec::Unity, &mut bytes);
        prop_assert_eq!(decoded(Codec::Unity, &base64url(&bytes)), Ok(micros));

        let of_eight = format!("{:.6}", Micros(micros % 10_000_000));
        let mut bytes = format!("{of_eight:0<8}").into_bytes();
        prop_assume!(bytes.len() == 8 && of_eight.contains('.'));
        encrypt(Codec::Magnite, &mut bytes);
        let hex = format!("{:016X}", u64::from_be_bytes(bytes.try_into().unwrap()));
        prop_assert_eq!(decoded(Codec::Magnite, &hex), Ok(micros % 10_000_000));
    }

    #[test]
    fn any_text_gives_a_price_in_range_or_a_reason(text in any_text()) {
        for codec in Codec::ALL.iter().copied() {
            if let Ok(price) = decoded(codec, &text) {
                prop_assert!((1..=MAX_PRICE).contains(&price), "{:?} {} {}", codec, text, price);
            }
        }
    }
}
