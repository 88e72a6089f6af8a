//! Compares categories of the same taxonomy. A catalog has each category of an advertiser with those above it, the nearest
//! first and [`ABOVE`] between them: `484\n483`.

use crate::hash::fnv;

/// Stands between a category and the one above it. No code has it.
pub const ABOVE: char = '\n';

/// Whether a category of a catalog is `listed` or below it; case does not matter.
pub fn is_within(path: &str, listed: &str) -> bool {
    path.split(ABOVE).any(|own| own.eq_ignore_ascii_case(listed))
}

/// A category of a catalog without those above it.
pub fn code(path: &str) -> &str {
    path.split(ABOVE).next().unwrap_or_default()
}

/// The parent of a category whose code shows it, as in Content Taxonomy 1.0: `IAB7` of `IAB7-39`. The category itself if
/// its code shows none.
pub fn parent(cat: &str) -> &str {
    cat.split('-').next().unwrap_or_default()
}

/// The key of a category; case does not matter.
pub fn key(cat: &str, cattax: i64) -> u64 {
    fnv(cat.bytes().map(|byte| byte.to_ascii_lowercase()).chain(cattax.to_le_bytes()))
}

/// The venue taxonomy OpenOOH (AdCOM list "DOOH Venue Taxonomies").
pub const OPEN_OOH: i64 = 1;
/// Its version 1.1. Types keep their numbers in all versions.
const OPEN_OOH_1_1: i64 = 5;

/// The taxonomy of venue types, the same for all versions of OpenOOH.
pub fn venue_taxonomy(venuetypetax: i64) -> i64 {
    if venuetypetax == OPEN_OOH_1_1 { OPEN_OOH } else { venuetypetax }
}

/// The type of OpenOOH above this one: `transit` of `transit.airports`, and `101` of `10101`, because each tier adds two
/// digits. `None` at the top.
pub fn venue_above(own: &str) -> Option<&str> {
    if let Some((above, _)) = own.rsplit_once('.') {
        return Some(above);
    }
    let above = own.get(..own.len().checked_sub(2)?)?;
    (!above.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit())).then_some(above)
}
