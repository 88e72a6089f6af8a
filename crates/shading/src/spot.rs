//! Spots: where bids win or lose at an SSP, as one number, and the wider spots that contain them.
//!
//! ```text
//! bits 0 to 2: media type · 3 to 6: type of device · 7 to 29: placement
//! ```
//!
//! In each part, 0 means any. Two placements of one SSP may have the same number: then they learn together.

use base::hash::{fnv, hash_of};

const KIND: u32 = 0x7;
const DEVICE: u32 = 0xf;
const PLACEMENT: u32 = 0x7f_ffff;

/// A spot at an SSP: placement, type of device and type of media in one number. 0: the bid is not one of learned
/// shading. See [`wider`] for the bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spot(pub u32);

impl Spot {
    /// The spot of a bid: the placement is `tagid`; without it, the publisher and the size of a banner. `devicetype`
    /// is 0 if it is unknown; `kind` as in [`spot`].
    pub fn of(tagid: &str, publisher: &str, devicetype: i64, kind: u32, size: [i64; 2]) -> Spot {
        let placement = if tagid.is_empty() {
            fnv(publisher.bytes().chain(size.into_iter().flat_map(i64::to_be_bytes)))
        } else {
            hash_of(tagid)
        };
        Spot(spot(placement, u32::try_from(devicetype).unwrap_or_default(), kind))
    }
}

/// A spot: a hash of the placement, the type of the device (AdCOM list "Device Types"; 0: unknown), and 1 to 4 for
/// banner, video, audio, native.
#[must_use]
pub fn spot(placement: u64, device: u32, kind: u32) -> u32 {
    // The high bits of the product depend on all bits of the hash.
    let mixed = placement.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 41;
    let placement = u32::try_from(mixed).unwrap_or_default() & PLACEMENT;
    let device = if device <= DEVICE { device } else { 0 };
    placement.max(1) << 7 | device << 3 | kind & KIND
}

/// The spot itself, then wider ones: without the placement, without the device, and the whole SSP.
pub fn wider(spot: u32) -> impl Iterator<Item = u32> {
    let all = [spot, spot & (DEVICE << 3 | KIND), spot & KIND, 0];
    all.into_iter().enumerate().filter(move |(at, own)| *at == 0 || all.get(at - 1) != Some(own)).map(|(_, own)| own)
}

/// A number for a spot at the SSP with this hash, to find its curve. `salt` changes often, so that no SSP can look for a
/// spot whose number is that of another SSP's spot. Of 4,096 spots, two have the same number with a chance of 1 in 512.
#[must_use]
pub fn key(ssp: u64, spot: u32, salt: u32) -> u32 {
    let mixed = (ssp ^ u64::from(salt).rotate_left(32) ^ u64::from(spot).wrapping_mul(0xd6e8_feb8_6659_fd93))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_is_in_wider_spots() {
        let one = spot(7, 4, 1);
        assert_eq!(wider(one).collect::<Vec<_>>(), [one, 4 << 3 | 1, 1, 0]);
        assert_eq!(wider(0).collect::<Vec<_>>(), [0]);
        assert_eq!(wider(spot(7, 99, 2)).collect::<Vec<_>>(), [spot(7, 0, 2), 2, 0], "an unknown device is any device");
    }

    #[test]
    fn spots_have_different_keys() {
        let mut keys: Vec<u32> = (0..64).flat_map(|ssp| (0..64).map(move |at| key(ssp, spot(at, 1, 1), 7))).collect();
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() > 4090, "{}", keys.len());
    }
}
