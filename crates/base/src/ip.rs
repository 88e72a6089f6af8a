//! Addresses of devices, as requests tell them.

use core::net::{IpAddr, Ipv4Addr};

/// The address in a text, if it is told in full. Exchanges cut addresses short for privacy: an IPv4 address that ends in 0
/// and an IPv6 address whose lower 64 bits are 0 stand for many devices. An IPv4 address in IPv6 (`::ffff:203.0.113.7`) is
/// an IPv4 address.
#[must_use]
pub fn whole(text: &str) -> Option<IpAddr> {
    let address = parsed(text)?;
    let is_whole = match address {
        IpAddr::V4(address) => address.to_bits() << 24 != 0,
        IpAddr::V6(address) => address.to_bits() << 64 != 0,
    };
    is_whole.then_some(address)
}

/// The network of a household: an IPv4 address, or the upper 64 bits of an IPv6 address, as the bytes of an IPv6 address.
#[must_use]
pub fn home(text: &str) -> Option<[u8; 16]> {
    let bits = match parsed(text)? {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits() >> 64 << 64,
    };
    Some(bits.to_be_bytes())
}

fn parsed(text: &str) -> Option<IpAddr> {
    // Most requests have only one of their addresses, and the parsers take long to refuse an empty text.
    if text.is_empty() {
        return None;
    }
    v4(text).map(IpAddr::V4).or_else(|| Some(IpAddr::V6(text.parse().ok()?).to_canonical()))
}

/// An IPv4 address. The parser of the standard library takes several times as many instructions.
fn v4(text: &str) -> Option<Ipv4Addr> {
    let (mut bits, mut part, mut digits, mut points) = (0_u32, 0, 0, 0);
    for byte in text.bytes() {
        let digit = u32::from(byte.wrapping_sub(b'0'));
        if digit < 10 {
            // After a 0 at its beginning, a number has no more digits.
            if part > 25 || part == 0 && digits > 0 {
                return None;
            }
            (part, digits) = (part * 10 + digit, digits + 1);
        } else if byte == b'.' && digits > 0 && part < 256 {
            (bits, part, digits, points) = (bits << 8 | part, 0, 0, points + 1);
        } else {
            return None;
        }
    }
    (points == 3 && digits > 0 && part < 256).then(|| Ipv4Addr::from_bits(bits << 8 | part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The standard library is the reference.
        #[test]
        fn an_ipv4_address_is_what_the_standard_library_reads(
            text in r"(0|1|9|25|255|256|00|07|[0-9]{1,4})(\.(0|7|19|255|256|[0-9]{0,4})){0,5}[.: a]?",
        ) {
            prop_assert_eq!(v4(&text), text.parse().ok());
        }
    }

    #[test]
    fn an_address_that_is_cut_short_or_no_address_is_unknown() {
        for (text, expected) in [
            ("203.0.113.7", Some("203.0.113.7")),
            ("::ffff:203.0.113.7", Some("203.0.113.7")),
            ("2001:db8::7", Some("2001:db8::7")),
            ("2001:DB8:0:0:1::", Some("2001:db8:0:0:1::")),
            ("203.0.113.0", None),
            ("::ffff:203.0.113.0", None),
            ("2001:db8:1:2::", None),
            ("::", None),
            ("", None),
            ("203.0.113.7:443", None),
            ("[2001:db8::7]:443", None),
            ("203.0.113", None),
            ("203.0.113.007", None),
            ("203.0.113.256", None),
            (" 203.0.113.7", None),
            ("203.0.113.7/32", None),
            ("2001:db8::7%eth0", None),
            ("203.0.113.xxx", None),
        ] {
            assert_eq!(whole(text), expected.map(|text| text.parse().unwrap()), "{text}");
        }
    }
}
