//! The sums of one shard in as few bytes as they need: a pacer holds those of up to 256 shards.

use std::collections::BTreeMap;

use crate::terms::Sum;

/// How many numbers of cells make up a chunk. To change one sum, its chunk is packed again.
const CHUNK: u32 = 64;

/// Sums by the number of their cell: see [`Numbers`](crate::account::Numbers).
#[derive(Debug, Clone, Default)]
pub(crate) struct Packed(BTreeMap<u32, Box<[u8]>>);

impl Packed {
    /// The sum with this number; zeros if there is none.
    #[must_use]
    pub(crate) fn get(&self, number: u32) -> Sum {
        let held = self.entries(number / CHUNK).find(|(one, _)| *one == number);
        held.map_or(Sum::default(), |(_, bytes)| unpack(bytes))
    }

    /// All sums, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Sum)> {
        self.0.keys().flat_map(|at| self.entries(*at)).map(|(number, bytes)| (number, unpack(bytes)))
    }

    /// Replaces the sums with these numbers.
    pub(crate) fn put(&mut self, sums: BTreeMap<u32, Sum>) {
        let mut sums = sums.into_iter().peekable();
        while let Some(at) = sums.peek().map(|(number, _)| number / CHUNK) {
            let mut all = Vec::new();
            let mut held = self.entries(at).peekable();
            while let Some((number, sum)) = sums.next_if(|(number, _)| number / CHUNK == at) {
                while let Some((one, bytes)) = held.next_if(|(one, _)| *one < number) {
                    all.push(offset(one));
                    all.extend_from_slice(bytes);
                }
                held.next_if(|(one, _)| *one == number);
                all.push(offset(number));
                pack(&mut all, &sum);
            }
            for (one, bytes) in held {
                all.push(offset(one));
                all.extend_from_slice(bytes);
            }
            self.0.insert(at, all.into());
        }
    }

    /// The sums of a chunk as they are packed, each with its number.
    fn entries(&self, at: u32) -> impl Iterator<Item = (u32, &[u8])> {
        let mut bytes = self.0.get(&at).map_or(&[][..], |bytes| bytes);
        std::iter::from_fn(move || {
            let (offset, rest) = bytes.split_first()?;
            let mut ends = rest.iter().enumerate().filter(|(_, byte)| **byte < 0x80);
            let (sum, rest) = rest.split_at_checked(ends.nth(WORDS - 1)?.0 + 1)?;
            bytes = rest;
            Some((at * CHUNK + u32::from(*offset), sum))
        })
    }
}

/// The words of a packed sum.
const WORDS: usize = 4;

/// The offset of a number in its chunk, as a byte.
fn offset(number: u32) -> u8 {
    (number % CHUNK).to_le_bytes()[0]
}

fn pack(bytes: &mut Vec<u8>, sum: &Sum) {
    let Sum { count, nanos, bid, held } = *sum;
    // A bid costs about as much as its bill.
    let more = bid.wrapping_sub(nanos).cast_signed();
    let words: [u64; WORDS] = [count, nanos, zigzag(more), zigzag(held)];
    for word in words {
        write(bytes, word);
    }
}

fn unpack(mut bytes: &[u8]) -> Sum {
    let [count, nanos, more, held] = [(); WORDS].map(|()| read(&mut bytes));
    let bid = nanos.wrapping_add(unzigzag(more).cast_unsigned());
    Sum { count, nanos, bid, held: unzigzag(held) }
}

impl FromIterator<(u32, Sum)> for Packed {
    fn from_iter<I: IntoIterator<Item = (u32, Sum)>>(all: I) -> Packed {
        let mut packed = Packed::default();
        packed.put(all.into_iter().collect());
        packed
    }
}

/// Small numbers for numbers near 0.
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63).cast_unsigned()
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// Seven bits in a byte, the lowest first; the highest bit says that more follow.
fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn read(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let Some((byte, rest)) = bytes.split_first() else { break };
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_sums_are_those_of_a_plain_map(
            puts in proptest::collection::vec((0..300_u32, any::<[u64; 3]>(), any::<i64>(), 0..64_u32), 0..99),
        ) {
            let (mut packed, mut plain) = (Packed::default(), BTreeMap::new());
            for (number, [count, nanos, bid], held, less) in puts {
                let sum = Sum { count: count >> less, nanos: nanos >> less, bid: bid >> less, held: held >> less };
                packed.put(BTreeMap::from([(number, sum), (number + 70, sum)]));
                plain.extend([(number, sum), (number + 70, sum)]);
            }
            prop_assert_eq!(packed.iter().collect::<BTreeMap<_, _>>(), plain.clone());
            prop_assert!((0..400).all(|number| packed.get(number) == plain.get(&number).copied().unwrap_or_default()));
        }
    }
}
