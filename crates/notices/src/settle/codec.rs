//! Reads the price of a notice as exchanges encode it.
//!
//! Anything that is not certainly a price is refused with the reason, so that nothing is booked for it. The caller has
//! already decoded the percent signs of the URL.

use base64ct::{Base64UrlUnpadded, Encoding};
use blowfish::Blowfish;
use blowfish::cipher::{BlockCipherDecrypt, KeyInit};
use hmac::{Hmac, Mac};
use sha1::Sha1;

use super::why::Why;
use base::hash::fnv;
use base::limits::MAX_PRICE;
use base::money::{Micros, Rounding};
use catalog::Codec;

#[cfg(test)]
mod tests;

/// The keys of an SSP, ready to decode many prices.
pub enum Keys {
    /// Of Google's scheme.
    Masked(Box<Masked>),
    /// Of schemes with Blowfish.
    Blocks(Box<Blowfish>),
}

/// Two keys of Google's scheme.
pub struct Masked {
    encryption: Hmac<Sha1>,
    integrity: Hmac<Sha1>,
}

/// Shows no key.
impl core::fmt::Debug for Keys {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Keys")
    }
}

impl Keys {
    /// Reads the keys as the exchange hands them out: two keys of 32 bytes in base64 or base64url for
    /// [`Codec::Google`] and [`Codec::OpenX`]; the text of one key, and an empty `integrity`, for [`Codec::Magnite`]
    /// and [`Codec::Unity`].
    ///
    /// The error says what was expected, and never shows a key.
    pub fn parse(codec: Codec, encryption: &str, integrity: &str) -> Result<Keys, String> {
        Ok(match codec {
            Codec::Plain => return Err("the price codec plain has no keys".to_owned()),
            Codec::Google | Codec::OpenX => Keys::Masked(Box::new(Masked {
                encryption: hmac(encryption).ok_or("expected an encryption key of 32 bytes in base64")?,
                integrity: hmac(integrity).ok_or("expected an integrity key of 32 bytes in base64")?,
            })),
            Codec::Magnite | Codec::Unity if !integrity.is_empty() => {
                return Err(format!("the price codec {} has one key, but there is an integrity key", codec.as_str()));
            }
            Codec::Magnite | Codec::Unity => {
                let cipher = Blowfish::new_from_slice(encryption.as_bytes());
                Keys::Blocks(Box::new(cipher.map_err(|_| "expected an encryption key of 4 to 56 bytes")?))
            }
        })
    }
}

#[inline(never)]
fn hmac(key: &str) -> Option<Hmac<Sha1>> {
    let mut bytes = [0; 32];
    (base64(key, &mut bytes)? == bytes.len()).then(|| Hmac::new_from_slice(&bytes).ok())?
}

/// The price in micros per thousand impressions: more than 0, at most [`MAX_PRICE`].
///
/// ```
/// use catalog::Codec;
/// use base::money::Micros;
/// use notices::settle::Why;
/// use notices::settle::codec::{Keys, decode};
///
/// assert_eq!(decode(Codec::Plain, None, "2.50"), Ok(Micros(2_500_000)));
/// assert_eq!(decode(Codec::Plain, None, "${AUCTION_PRICE}"), Err(Why::PriceUnreplaced));
///
/// let keys = Keys::parse(Codec::Unity, "encryption_key", "").unwrap();
/// assert_eq!(decode(Codec::Unity, Some(&keys), "z5eznndAkpE="), Ok(Micros(10_200_000)));
/// ```
pub fn decode(codec: Codec, keys: Option<&Keys>, text: &str) -> Result<Micros, Why> {
    if text.is_empty() {
        return Err(Why::PriceMissing);
    }
    if is_macro(text) {
        return Err(Why::PriceUnreplaced);
    }
    if text == "AUDIT" {
        return Err(Why::PriceAudit);
    }
    let price = match (codec, keys) {
        (Codec::Plain, _) => decimal(text.as_bytes())?,
        (Codec::Google, Some(Keys::Masked(keys))) => whole(unmask(text, keys)?)?,
        (Codec::OpenX, Some(Keys::Masked(keys))) => {
            let of_one = unmask(text, keys)?;
            whole(of_one.checked_mul(1000).ok_or(Why::PriceAbsurd)?)?
        }
        (Codec::Magnite, Some(Keys::Blocks(cipher))) => {
            let mut block = hex(text).ok_or(Why::PriceUnreadable)?;
            cipher.decrypt_block((&mut block).into());
            decimal(&block)?
        }
        (Codec::Unity, Some(Keys::Blocks(cipher))) => {
            let mut bytes = [0; 32];
            decimal(decrypt(text, cipher, &mut bytes).ok_or(Why::PriceUnreadable)?)?
        }
        _ => return Err(Why::PriceNoKey),
    };
    match price {
        Micros(..0) => Err(Why::PriceNegative),
        Micros::ZERO => Err(Why::PriceZero),
        Micros(..=MAX_PRICE) => Ok(price),
        Micros(_) => Err(Why::PriceAbsurd),
    }
}

/// The macros of OpenRTB and of ad servers: a name in brackets. Anything else in brackets is not certainly a macro.
pub(super) fn is_macro(text: &str) -> bool {
    [("${", "}"), ("%%", "%%"), ("{", "}"), ("[", "]")].iter().any(|(start, end)| {
        let name = text.strip_prefix(start).and_then(|inside| inside.strip_suffix(end)).unwrap_or_default();
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte))
    })
}

/// A decimal number, with a point or a comma. Digits below a micro are rounded up, so that no spend is left out.
fn decimal(text: &[u8]) -> Result<Micros, Why> {
    let text = core::str::from_utf8(text).map_err(|_| Why::PriceUnreadable)?;
    let pointed = (!text.contains('.')).then(|| text.split_once(',')).flatten();
    let price = match pointed {
        Some((units, rest)) => Micros::parse(&format!("{units}.{rest}"), Rounding::Up),
        None => Micros::parse(text, Rounding::Up),
    };
    price.ok_or(Why::PriceUnreadable)
}

/// A hash of the bytes that an encoded price stands for, which may be written in several ways. `None`: not encoded.
pub(super) fn hash(codec: Codec, text: &str) -> Option<u64> {
    let mut bytes = [0; 32];
    let length = match codec {
        Codec::Plain => return None,
        Codec::Magnite => {
            *bytes.first_chunk_mut()? = hex(text)?;
            size_of::<u64>()
        }
        Codec::Google | Codec::OpenX | Codec::Unity => base64(text, &mut bytes)?,
    };
    Some(fnv(bytes.into_iter().take(length)))
}

fn whole(micros: u64) -> Result<Micros, Why> {
    i64::try_from(micros).map(Micros).map_err(|_| Why::PriceAbsurd)
}

/// The number in Google's scheme: 16 bytes that differ each time, 8 bytes of the masked price, and 4 of the signature.
fn unmask(text: &str, keys: &Masked) -> Result<u64, Why> {
    let mut bytes = [0; 28];
    if base64(text, &mut bytes) != Some(bytes.len()) {
        return Err(Why::PriceUnreadable);
    }
    let (vector, rest) = bytes.split_at(16);
    let (masked, signature) = rest.split_at(8);
    let mask = keys.encryption.clone().chain_update(vector).finalize().into_bytes();
    let mut price = [0; 8];
    for ((price, masked), mask) in price.iter_mut().zip(masked).zip(&mask) {
        *price = masked ^ mask;
    }
    let signed = keys.integrity.clone().chain_update(price).chain_update(vector);
    // Takes the same time wherever the first difference is.
    signed.verify_truncated_left(signature).map_err(|_| Why::PriceForged)?;
    Ok(u64::from_be_bytes(price))
}

/// The text in Unity's scheme: blocks whose last bytes are padding, each with the length of the padding (PKCS #5).
fn decrypt<'o>(text: &str, cipher: &Blowfish, out: &'o mut [u8]) -> Option<&'o [u8]> {
    let length = base64(text, out)?;
    let bytes = out.get_mut(..length)?;
    let (blocks, []) = bytes.as_chunks_mut::<8>() else { return None };
    for block in blocks {
        cipher.decrypt_block(block.into());
    }
    let last = *bytes.last().filter(|last| (1..=8).contains(*last))?;
    let (text, padding) = bytes.split_at_checked(length - usize::from(last))?;
    padding.iter().all(|byte| *byte == last).then_some(text)
}

/// Writes the bytes of base64 or base64url, with or without padding, and returns how many there are. `None` if the text
/// is neither, or the bytes do not fit.
#[inline(never)]
fn base64(text: &str, out: &mut [u8]) -> Option<usize> {
    let text = text.trim_end_matches('=');
    let bytes = if text.contains(['+', '/']) {
        base::base64::decode(text, out)
    } else {
        Base64UrlUnpadded::decode(text, out).ok()
    };
    bytes.map(<[u8]>::len)
}

fn hex(text: &str) -> Option<[u8; 8]> {
    let valid = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    valid.then(|| u64::from_str_radix(text, 16).ok().map(u64::to_be_bytes))?
}
