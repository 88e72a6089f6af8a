//! The quick judge: 64 bytes at a time. It never accepts what is not JSON; it may refuse what is
//! (any text that is not an object).

use super::brackets::{BlockBrackets, Brackets};
use super::masks::{BLOCK_BYTES, Block, Controls, Masks};
use super::{Index, Structure, plain};
use crate::read::{number, text as escapes};

/// Indexes a text that is a JSON object. False leaves an index without meaning.
pub(super) fn scan(index: &mut Index, text: &[u8]) -> bool {
    if text.get(plain::blank_end(text, 0)) != Some(&b'{') || u32::try_from(text.len()).is_err() {
        return false;
    }
    index.start(text.len());
    let end = text.len() - text.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
    let mut scan = Scan::new(end - 1);
    let (lanes, _) = text.as_chunks::<16>();
    let (blocks, _) = lanes.as_chunks::<4>();
    for (number, block) in blocks.iter().enumerate() {
        if !scan.take(block, number, text, index) {
            return false;
        }
    }
    let tail = text.get(blocks.len() * BLOCK_BYTES..).unwrap_or_default();
    if !tail.is_empty() {
        let mut block = [[b' '; 16]; 4];
        for (to, from) in block.as_flattened_mut().iter_mut().zip(tail) {
            *to = *from;
        }
        if !scan.take(&block, blocks.len(), text, index) {
            return false;
        }
    }
    scan.is_complete()
}

/// What a block inherits from the ones before it. Each flag is a bit for its first byte.
struct Scan {
    /// All ones inside a string.
    in_string: u64,
    /// A backslash escapes the first byte.
    escaped: u64,
    /// The string that goes on is a key, if a colon follows it.
    key: u64,
    /// The byte before belongs to a number or literal.
    scalar: u64,
    /// The byte before is a zero that starts a number.
    zero: u64,
    /// The token before, white space aside, ends a value.
    after_value: u64,
    /// The token before is an opening bracket.
    after_open: u64,
    /// The token before is a comma.
    after_comma: u64,
    /// The token before is a string that is a key, if this is a colon.
    after_key: u64,
    /// Offset before which numbers and literals have been checked.
    checked: usize,
    /// Offset of the last byte that is not white space.
    last: usize,
    brackets: Brackets,
}

impl Scan {
    fn new(last: usize) -> Scan {
        Scan {
            last,
            in_string: 0,
            escaped: 0,
            key: 0,
            scalar: 0,
            zero: 0,
            after_value: 0,
            after_open: 0,
            after_comma: 0,
            after_key: 0,
            checked: 0,
            brackets: Brackets::new(),
        }
    }

    /// Whether the text may end here.
    fn is_complete(&self) -> bool {
        self.in_string == 0 && self.brackets.is_balanced()
    }

    /// Takes the next block of `text` in; false when it cannot be part of a JSON object.
    #[inline(always)]
    fn take(&mut self, block: &Block, number: usize, text: &[u8], index: &mut Index) -> bool {
        let masks = Masks::of(block);
        let base = number * BLOCK_BYTES;

        let escaped = self.escaped_by(masks.backslash);
        let quotes = masks.quote & !escaped;
        // From an opening quote to before the closing one.
        let strings = prefix_xor(quotes) ^ self.in_string;
        self.in_string = 0_u64.wrapping_sub(strings >> 63);
        let (openers, closers) = (quotes & strings, quotes & !strings);
        // Escaped quotes and backslashes are what nearly all escapes are.
        let mut wrong = u64::from(!are_escapes(escaped & !(masks.quote | masks.backslash), base, text));

        let (open, close) = (masks.open & !strings, masks.close & !strings);
        let (commas, colons) = (masks.comma & !strings, masks.colon & !strings);
        let structure = open | close | commas | colons;
        let mut blank = masks.low & !strings;
        if masks.has_controls {
            let controls = Controls::of(block);
            wrong |= controls.any & strings;
            blank &= !controls.any | controls.blank;
        }
        let scalars = !(strings | closers | structure | blank);
        let scalar_starts = scalars & !(scalars << 1 | self.scalar);
        self.scalar = scalars >> 63;

        // What each byte comes after, white space aside.
        let after_value = follow(closers | close | scalars, blank, &mut self.after_value);
        let after_open = follow(open, blank, &mut self.after_open);
        let first = after_open | follow(commas, blank, &mut self.after_comma);
        // A string that comes first is a key if a colon follows. Adding its first bit to the bits
        // of all strings carries it to the closing quote.
        let (through, goes_on) = strings.overflowing_add(openers & first | self.key);
        self.key = u64::from(goes_on);
        let after_key = follow(through & closers, blank, &mut self.after_key);

        wrong |= after_value & (openers | open | scalar_starts);
        wrong |= !after_value & (commas | colons);
        wrong |= !(after_value | after_open) & close;
        wrong |= !after_key & colons;

        let zeros = scalar_starts & masks.zero;
        wrong |= (zeros << 1 | self.zero) & masks.digit & scalars;
        self.zero = zeros >> 63;
        wrong |= u64::from(!self.are_scalars(scalars & !masks.digit, base, text));

        let brackets = BlockBrackets {
            open,
            close,
            for_objects: colons,
            for_arrays: first & (open | scalar_starts) | after_key & !colons,
            last: if self.last / BLOCK_BYTES == number { 1 << (self.last % BLOCK_BYTES) } else { 0 },
        };
        let depth = self.brackets.depth();
        let (lowest, misfits) = self.brackets.take(&brackets, block);
        wrong |= misfits;
        if let Some(kept) = index.blocks.get_mut(number) {
            *kept = Structure { marks: structure, open, close, backslashes: masks.backslash, depth, lowest };
        }
        wrong == 0
    }

    /// The bytes that a backslash escapes.
    #[inline(always)]
    fn escaped_by(&mut self, backslashes: u64) -> u64 {
        const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        if backslashes == 0 {
            return core::mem::take(&mut self.escaped);
        }
        // Of a run of backslashes every other one escapes what comes after it. Subtracting the
        // run from the odd places tells runs that start at odd places from those at even ones.
        let escaping = backslashes & !self.escaped;
        let after = escaping << 1;
        let runs = (after | ODD).wrapping_sub(escaping) ^ ODD;
        let escaped = runs ^ (backslashes | self.escaped);
        self.escaped = (runs & backslashes) >> 63;
        escaped
    }

    /// Whether the numbers and literals in a block are such, given their bytes that are not
    /// digits. Those of digits only have been checked before.
    #[inline(always)]
    fn are_scalars(&mut self, others: u64, base: usize, text: &[u8]) -> bool {
        let mut rest = others;
        while rest != 0 {
            let place = base + rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            if place < self.checked {
                continue;
            }
            let before = text.get(..place).unwrap_or_default();
            let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            match number::scalar_end(text, place - digits) {
                Ok(end) => self.checked = end,
                Err(_) => return false,
            }
        }
        true
    }
}

/// The bytes that come right after those of `mask`, white space skipped. `carry` is the first
/// byte's bit, for this block and then the next.
#[inline(always)]
fn follow(mask: u64, blank: u64, carry: &mut u64) -> u64 {
    let next = mask << 1 | *carry;
    if blank == 0 {
        *carry = mask >> 63;
        return next;
    }
    // Adding a bit to the run of white space that it starts moves it behind the run.
    let (moved, goes_on) = (next & blank).overflowing_add(blank);
    *carry = mask >> 63 | u64::from(goes_on);
    (next | moved) & !blank
}

/// For each bit, whether the number of bits up to and with it is odd.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// Whether the bytes of `places` can stand after a backslash.
fn are_escapes(places: u64, base: usize, text: &[u8]) -> bool {
    let mut rest = places;
    while rest != 0 {
        let place = base + rest.trailing_zeros() as usize;
        if escapes::escape_end(text, place).is_err() {
            return false;
        }
        rest &= rest.wrapping_sub(1);
    }
    true
}
