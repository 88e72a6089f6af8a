//! Who may sell which inventory, by the files of publishers and advertising systems: ads.txt, app-ads.txt and
//! sellers.json. It has only the systems for which the files were read.
//!
//! Texts are hashed: all of them would make a snapshot several times as large. Equal hashes of different texts are so
//! rare that they may pass a seller, and an exchange, not its publishers, chooses the ids of sellers.

use base::hash::fnv;
use flat::choice;
use flat::{List, flat};

flat! {
    /// The content of the files.
    #[derive(Default)]
    pub struct Supply from SupplyDraft {
        /// The day on which the files were read, such as `2026-11-28`.
        pub date: String,
        /// From then on, the files are too old to say that something is unknown, in milliseconds since the epoch.
        pub old_from_ms: i64,
        /// The domains of the systems, in lower case, and whether each has a sellers.json.
        pub systems: Vec<(String, bool)>,
        /// The sites and apps with a file: their [`place_key`], ascending.
        pub places: Vec<u64>,
        /// The authorised sellers of sites and apps: their [`line_key`], with the [`Relation`] in the low bits, ascending.
        /// Also their partners, whose key is the [`place_key`] of the partner's site.
        pub lines: Vec<u64>,
        /// The accounts in sellers.json: their [`seller_key`], with the [`SellerType`] in the low bits, ascending.
        pub sellers: Vec<u64>,
    }
}

choice! {
    /// How a seller is related to a site or an app (ads.txt 1.1, field 3).
    Relation {
        /// The account belongs to the owner.
        #[default]
        Direct = "DIRECT",
        /// Somebody else may sell for the owner.
        Reseller = "RESELLER",
    }
}

choice! {
    /// The type of a seller (`seller_type` of sellers.json).
    SellerType {
        /// Sells what it owns.
        #[default]
        Publisher = "publisher",
        /// Sells what others own.
        Intermediary = "intermediary",
        /// Does both.
        Both = "both",
    }
}

/// A site or an app, of which there may be a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// A site, by its domain: `ads.txt`.
    Site(&'a str),
    /// An app, by its bundle: `app-ads.txt`.
    App(&'a str),
}

/// The bits of a key that hold a value.
const LOW: u64 = 3;
/// An odd number whose bits look random: the golden ratio.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The key of a site or an app. Case does not matter.
pub fn place_key(place: Place<'_>) -> u64 {
    let mut last = 0;
    each_key(place, |key| last = key);
    last
}

/// The keys of a place, and before it of the domains above a site, in one pass from the end of the name. Names without a
/// dot are no domains.
fn each_key(place: Place<'_>, mut take: impl FnMut(u64)) {
    let (seed, name, is_site) = match place {
        Place::Site(domain) => (1, domain, true),
        Place::App(bundle) => (2, bundle, false),
    };
    let (mut hash, mut has_dot) = (fnv(core::iter::once(seed)), false);
    for byte in name.bytes().rev() {
        if byte == b'.' && is_site {
            if has_dot {
                take(hash & !LOW);
            }
            has_dot = true;
        }
        hash = (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(MIX);
        hash ^= hash >> 32;
    }
    take(hash & !LOW);
}

/// The key of a seller's account in the system with this number. Case matters.
pub fn seller_key(system: u32, sid: &str) -> u64 {
    let hash = fnv(sid.bytes()) ^ (u64::from(system) + 1).wrapping_mul(MIX);
    (hash ^ hash >> 32).wrapping_mul(MIX) & !LOW
}

/// The key of an account that may sell a place.
pub fn line_key(place: u64, seller: u64) -> u64 {
    let both = (place.rotate_left(23) ^ seller).wrapping_mul(MIX);
    (both ^ both >> 32) & !LOW
}

impl Supply<'_> {
    /// The number of a system, and whether it has a sellers.json. Case does not matter.
    pub fn system(&self, asi: &str) -> Option<(u32, bool)> {
        let all = (0..).zip(self.systems().iter());
        let mut found = all.filter(|(_, (domain, _))| domain.eq_ignore_ascii_case(asi));
        found.next().map(|(number, (_, has_sellers))| (number, has_sellers))
    }

    /// The key of the file that counts for a place. A subdomain without a file has that of the nearest domain above it.
    pub fn file_of(&self, place: Place<'_>) -> Option<u64> {
        let (places, mut nearest) = (self.places(), None);
        each_key(place, |key| nearest = find(places, key).map(|_| key).or(nearest));
        nearest
    }

    /// Whether a file names the owner of a site as its partner (`INVENTORYPARTNERDOMAIN`).
    pub fn names_partner(&self, file: u64, domain: &str) -> bool {
        find(self.lines(), line_key(file, place_key(Place::Site(domain)))).is_some()
    }

    /// How an account is related to the place of a file; `None` if the file does not name it.
    pub fn relation(&self, file: u64, seller: u64) -> Option<Relation> {
        find(self.lines(), line_key(file, seller)).and_then(|low| Relation::ALL.get(low)).copied()
    }

    /// The type of an account; `None` if sellers.json does not have it.
    pub fn seller_type(&self, seller: u64) -> Option<SellerType> {
        find(self.sellers(), seller).and_then(|low| SellerType::ALL.get(low)).copied()
    }
}

/// The low bits of the item with this key.
fn find(keys: List<'_, u64>, key: u64) -> Option<usize> {
    let (mut from, mut to) = (0, keys.len());
    while from < to {
        let middle = usize::midpoint(from, to);
        let own = keys.get(middle)?;
        match (own & !LOW).cmp(&key) {
            core::cmp::Ordering::Less => from = middle + 1,
            core::cmp::Ordering::Greater => to = middle,
            core::cmp::Ordering::Equal => return usize::try_from(own & LOW).ok(),
        }
    }
    None
}
