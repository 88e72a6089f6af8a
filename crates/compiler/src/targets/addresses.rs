//! Compiles the lists of address ranges that targets name under `ip`.
//!
//! A value is an address or a range in CIDR notation (RFC 4632, RFC 4291 §2.3). An IPv4 range written in IPv6
//! (`::ffff:203.0.113.0/120`) is an IPv4 range. A range of all addresses is refused.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use base::limits::{MAX_LISTS_OF_ADDRESS, MAX_RANGES};
use catalog::{AddressesDraft, PiecesDraft, RuleDraft};
use document::check::At;
use document::decode::Rule;
use document::{Document, ListEntry};
use flat::Wide;
use reasons::no_bid::NoBidReason;

/// The ids of the lists that rules name under `ip`.
pub(crate) fn named<'r>(rules: impl Iterator<Item = &'r RuleDraft>) -> BTreeSet<&'r str> {
    rules.filter(|rule| rule.reason() == NoBidReason::Ip).flat_map(|rule| rule.values().map(|(id, _)| id)).collect()
}

/// The ranges of the lists with these ids. Without any if a limit is exceeded.
pub(crate) fn compile(document: &Document, named: &BTreeSet<&str>, at: &At<'_>) -> AddressesDraft {
    let lists = || document.lists.iter().enumerate().filter(|(_, entry)| named.contains(entry.id.as_str()));
    let all: usize = lists().map(|(_, entry)| entry.values.len()).sum();
    if all > MAX_RANGES {
        let message = format!("{all} ranges in all lists of addresses; expected at most {MAX_RANGES}");
        at.attribute("lists").error(message);
        return AddressesDraft::default();
    }
    let mut ends = (Vec::new(), Vec::new());
    for (i, entry) in lists() {
        let at = at.item("lists", i).attribute("values");
        for (text, position) in entry.values.iter().zip(0..) {
            match range(text) {
                Err(message) => at.entry(position).error(message),
                Ok((address, length)) => {
                    let first = add(&mut ends, i, (address, length));
                    if first != address {
                        let message =
                            format!("{text:?} does not begin its range; it counts as {first}/{length}, expected this");
                        at.entry(position).report(Rule::Ambiguous, message);
                    }
                }
            }
        }
    }
    let mut sets = Sets::default();
    sets.number(Vec::new());
    let v4 = pieces(ends.0, u32::to_le_bytes, &mut sets);
    let v6 = pieces(ends.1, u128::to_le_bytes, &mut sets);
    if sets.are_too_many() {
        let message = format!(
            "the ranges of lists of addresses overlap in more than {} ways, or more than {MAX_LISTS_OF_ADDRESS} lists have the same address; expected fewer lists",
            u16::MAX
        );
        at.attribute("lists").error(message);
    }
    let id = |list: &usize| document.lists.get(*list).map(|ListEntry { id, .. }| id.clone()).unwrap_or_default();
    AddressesDraft { v4, v6, sets: sets.all.iter().map(|set| set.iter().map(id).collect()).collect() }
}

/// The address and the length of a range. One address is a range of its whole length.
fn range(text: &str) -> Result<(IpAddr, u32), String> {
    let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
    let read = address.parse().ok().and_then(|address: IpAddr| {
        let longest = if address.is_ipv4() { Ipv4Addr::BITS } else { Ipv6Addr::BITS };
        let length = length.map_or(Some(longest), |length| length.parse().ok().filter(|_| !length.starts_with('+')))?;
        let canonical = address.to_canonical();
        // An IPv4 range in IPv6 has the length of IPv6; with that of IPv4, it would be another range.
        let before = if address == canonical { 0 } else { Ipv6Addr::BITS - Ipv4Addr::BITS };
        (length <= longest).then_some((canonical, length.checked_sub(before)?))
    });
    match read {
        None => Err(format!("{text:?} is no range of addresses; expected one such as 203.0.113.0/24 or 2001:db8::/32")),
        Some((_, 0)) => Err(format!("{text:?} has every address; expected a length of at least 1")),
        Some(range) => Ok(range),
    }
}

/// The first address of each range of a list (true), and the address behind its last one (false).
type Ends<T> = Vec<(T, usize, bool)>;

/// Adds both ends of a range of a list, and returns the first address of the range.
fn add((v4, v6): &mut (Ends<u32>, Ends<u128>), list: usize, (address, length): (IpAddr, u32)) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let behind = u32::MAX.checked_shr(length).unwrap_or(0);
            let first = address.to_bits() & !behind;
            v4.push((first, list, true));
            v4.extend((first | behind).checked_add(1).map(|next| (next, list, false)));
            Ipv4Addr::from_bits(first).into()
        }
        IpAddr::V6(address) => {
            let behind = u128::MAX.checked_shr(length).unwrap_or(0);
            let first = address.to_bits() & !behind;
            v6.push((first, list, true));
            v6.extend((first | behind).checked_add(1).map(|next| (next, list, false)));
            Ipv6Addr::from_bits(first).into()
        }
    }
}

/// The numbers of sets of lists.
#[derive(Default)]
struct Sets {
    all: Vec<Vec<usize>>,
    numbers: HashMap<Vec<usize>, u16>,
}

impl Sets {
    /// Whether a limit is exceeded. Then the numbers are of no use.
    fn are_too_many(&self) -> bool {
        self.all.len() > usize::from(u16::MAX) || self.all.last().is_some_and(|set| set.len() > MAX_LISTS_OF_ADDRESS)
    }

    fn number(&mut self, set: Vec<usize>) -> u16 {
        let next = u16::try_from(self.all.len()).unwrap_or(u16::MAX);
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.all.push(set.clone());
            next
        })
    }
}

/// The pieces into which the ends cut all addresses. The first piece without lists is left out.
fn pieces<T: Ord + Copy, const N: usize>(mut ends: Ends<T>, bytes: fn(T) -> [u8; N], sets: &mut Sets) -> PiecesDraft {
    ends.sort_unstable();
    let (mut firsts, mut numbers) = (Vec::new(), Vec::new());
    // How many ranges of each list have the address.
    let mut open: BTreeMap<usize, u32> = BTreeMap::new();
    let mut last = 0;
    for here in ends.chunk_by(|(one, ..), (other, ..)| one == other) {
        for (_, list, begins) in here {
            let count = open.entry(*list).or_default();
            *count = if *begins { *count + 1 } else { count.saturating_sub(1) };
        }
        open.retain(|_, count| *count > 0);
        if sets.are_too_many() {
            break;
        }
        let number = sets.number(open.keys().copied().collect());
        if number != last {
            firsts.extend(here.first().map(|(first, ..)| bytes(*first)).into_iter().flatten());
            numbers.push(number);
            last = number;
        }
    }
    PiecesDraft { firsts: Wide(firsts), sets: Wide(numbers) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{compiled, found, right};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// A document whose campaign names these lists under `ip`.
    fn document(lists: &[Vec<String>]) -> Value {
        let mut document = right();
        let ids: Vec<String> = (0..lists.len()).map(|list| format!("l{list}")).collect();
        let entries = ids.iter().zip(lists).map(|(id, values)| json!({ "id": id, "values": values }));
        document["lists"] = entries.collect();
        document["campaigns"][0]["target"] = json!({ "ip": { "exclude_lists": ids } });
        document
    }

    /// The binary digits of an address, of IPv4 in IPv6.
    fn digits(address: IpAddr) -> String {
        let address = match address {
            IpAddr::V4(address) => address.to_ipv6_mapped(),
            IpAddr::V6(address) => address,
        };
        format!("{:0128b}", address.to_bits())
    }

    /// The dull twin: compares the digits of an address with those of every range.
    fn has(range: &str, address: IpAddr) -> bool {
        let (first, length) = range.split_once('/').unwrap_or((range, if range.contains(':') { "128" } else { "32" }));
        let first: IpAddr = first.parse().unwrap();
        if first.is_ipv4() != address.is_ipv4() {
            return false;
        }
        let length = length.parse::<usize>().unwrap() + if first.is_ipv4() { 96 } else { 0 };
        digits(first)[..length] == digits(address)[..length]
    }

    /// Addresses that are often in the same ranges, and the first and the last ones.
    fn address() -> impl Strategy<Value = IpAddr> {
        let v4 = prop_oneof![8 => 0xcb00_7000..0xcb00_7400_u32, 1 => Just(0), 1 => Just(u32::MAX)];
        let v6 = (prop_oneof![8 => 0_u128..8, 1 => Just(1 << 63), 1 => Just((1 << 63) - 1)], 0_u128..8);
        let v6 = v6.prop_map(|(high, low)| 0x2001_0db8 << 96 | high << 64 | low);
        let v6 = prop_oneof![8 => v6, 1 => Just(1), 1 => Just(u128::MAX)];
        prop_oneof![
            v4.prop_map(|bits| Ipv4Addr::from_bits(bits).into()),
            v6.prop_map(|bits| Ipv6Addr::from_bits(bits).into())
        ]
    }

    fn range() -> impl Strategy<Value = String> {
        (address(), 1_u8..=128, any::<bool>()).prop_map(|(address, length, is_one)| match address {
            _ if is_one => address.to_string(),
            IpAddr::V4(_) => format!("{address}/{}", 33 - length.div_ceil(4)),
            IpAddr::V6(_) => format!("{address}/{}", 129 - length),
        })
    }

    proptest! {
        #[test]
        fn an_address_is_in_the_lists_with_a_range_that_has_it(
            lists in prop::collection::vec(prop::collection::vec(range(), 1..9), 1..5),
            addresses in prop::collection::vec(address(), 40),
        ) {
            let snapshot = compiled(&document(&lists)).unwrap().snapshot;
            let compiled = snapshot.catalog().parts().addresses();
            for address in addresses {
                let expected: Vec<String> = (0..lists.len())
                    .filter(|list| lists[*list].iter().any(|range| has(range, address)))
                    .map(|list| format!("l{list}"))
                    .collect();
                prop_assert_eq!(compiled.lists_with(address).iter().collect::<Vec<_>>(), expected, "{}", address);
            }
        }
    }

    #[test]
    fn a_value_that_is_no_range_is_refused() {
        let wrong = [
            "",
            "203.0.113.7:443",
            "203.0.113.0/33",
            "::/129",
            "203.0.113/24",
            "example.org",
            "1.1.1.1/",
            "1.1.1.1/-1",
            "1.1.1.1/+8",
            "::ffff:1.1.1.0/24",
        ];
        let every = ["0.0.0.0/0", "::/0", "203.0.113.7/0", "::ffff:0.0.0.0/96"];
        for (values, expected) in [(&wrong[1..], "is no range of addresses"), (&every, "has every address")] {
            for value in values {
                let findings = found(&document(&[vec![(*value).into()]]));
                assert_eq!(findings.len(), 1, "{value}: {findings:?}");
                assert_eq!(findings[0].path, "lists[0].values[0]");
                assert!(findings[0].message.contains(expected), "{value}: {}", findings[0].message);
            }
        }
    }

    #[test]
    fn a_range_that_begins_inside_gets_a_note() {
        let notes =
            compiled(&document(&[vec!["203.0.113.7/24".into(), "::ffff:203.0.113.9/120".into()]])).unwrap().notes;
        let messages: Vec<_> = notes.iter().map(|note| note.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                r#""203.0.113.7/24" does not begin its range; it counts as 203.0.113.0/24, expected this"#,
                r#""::ffff:203.0.113.9/120" does not begin its range; it counts as 203.0.113.0/24, expected this"#
            ]
        );
    }

    /// 100,000 ranges that do not touch, of which each has a piece of its own and one behind it.
    #[test]
    fn an_ipv4_range_takes_at_most_12_bytes() {
        let bytes = |count: u32| {
            let range = |n| format!("{}/24", Ipv4Addr::from_bits(0x0100_0000 + n * 512));
            let document = document(&[(0..count).map(range).collect()]);
            compiled(&document).unwrap().snapshot.as_bytes().len()
        };
        let (few, many) = (bytes(1_000), bytes(101_000));
        assert!(many - few <= 12 * 100_000, "{}", many - few);
    }

    #[test]
    fn too_many_lists_with_the_same_address_are_refused() {
        let lists = |count| document(&vec![vec!["203.0.113.0/24".to_owned()]; count]);
        assert!(compiled(&lists(MAX_LISTS_OF_ADDRESS)).is_ok());
        let findings = found(&lists(MAX_LISTS_OF_ADDRESS + 1));
        assert!(findings[0].message.contains("more than 64 lists have the same address"), "{findings:?}");
    }

    #[test]
    fn too_many_ranges_are_refused() {
        let values = vec!["203.0.113.7".to_owned(); MAX_RANGES + 1];
        let findings = found(&document(&[values]));
        assert_eq!(findings[0].message, "1000001 ranges in all lists of addresses; expected at most 1000000");
    }
}
