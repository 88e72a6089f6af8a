//! Which lists have an address: the ranges of all lists that targets name under `ip`.
//!
//! The ends of the ranges cut all addresses into pieces. The addresses of a piece are in the same lists. A piece is stored
//! as its first address and the number of its set of lists, so one binary search finds the lists of an address, and ranges
//! inside each other take no more bytes than ranges side by side: 12 bytes for each IPv4 range, 36 for each IPv6 range.

use core::net::IpAddr;

use flat::{List, Wide, flat};

flat! {
    /// The pieces of all addresses of one length.
    #[derive(Default)]
    pub struct Pieces from PiecesDraft {
        /// The first address of each piece, ascending, as a number with its low byte first.
        pub firsts: Wide<u8>,
        /// The set of each piece.
        pub sets: Wide<u16>,
    }
}

flat! {
    /// Which lists have an address.
    #[derive(Default)]
    pub struct Addresses from AddressesDraft {
        /// The pieces of IPv4.
        pub v4: PiecesDraft,
        /// The pieces of IPv6.
        pub v6: PiecesDraft,
        /// The sets: the ids of the lists that have the addresses of a piece.
        pub sets: Vec<Vec<String>>,
    }
}

impl<'s> Addresses<'s> {
    /// The ids of the lists that have an address. An IPv4 address has to be canonical: see
    /// [`base::ip::whole`].
    #[must_use]
    pub fn lists_with(&self, address: IpAddr) -> List<'s, String> {
        let (pieces, up_to) = match address {
            IpAddr::V4(address) => {
                (self.v4(), up_to(self.v4(), |first| u32::from_le_bytes(first) <= address.to_bits()))
            }
            IpAddr::V6(address) => {
                (self.v6(), up_to(self.v6(), |first| u128::from_le_bytes(first) <= address.to_bits()))
            }
        };
        let set = up_to.checked_sub(1).and_then(|piece| pieces.sets().get(piece));
        set.and_then(|set| self.sets().get(usize::from(set))).unwrap_or_default()
    }
}

/// The number of pieces for which `begins` is true: those that begin at an address or before it.
fn up_to<const N: usize>(pieces: Pieces<'_>, begins: impl Fn([u8; N]) -> bool) -> usize {
    pieces.firsts().records().as_chunks().0.partition_point(|first| begins(*first))
}
