//! Addresses of devices, as requests tell them.

use core::net::IpAddr;

/// The address in a text, if it is told in full. Exchanges cut addresses short for privacy: an IPv4 address that ends in 0
/// and an IPv6 address whose lower 64 bits are 0 stand for many devices. An IPv4 address in IPv6 (`::ffff:203.0.113.7`) is
/// an IPv4 address.
#[must_use]
pub fn whole(text: &str) -> Option<IpAddr> {
    let address = text.parse::<IpAddr>().ok()?.to_canonical();
    let is_whole = match address {
        IpAddr::V4(address) => address.to_bits() << 24 != 0,
        IpAddr::V6(address) => address.to_bits() << 64 != 0,
    };
    is_whole.then_some(address)
}

/// The network of a household: an IPv4 address, or the upper 64 bits of an IPv6 address, as the bytes of an IPv6 address.
#[must_use]
pub fn home(text: &str) -> Option<[u8; 16]> {
    let bits = match text.parse::<IpAddr>().ok()?.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits() >> 64 << 64,
    };
    Some(bits.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

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
