//! The table of attributes as the pass looks at it: laid out while this compiles.
//!
//! A row holds a name as sixteen bytes, to be compared at once. Each kind has a multiplier, searched for such that no two of its
//! names share a place in the kind's index: see [`super::dispatch`].
#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "while compiling, and of what is small")]
#![allow(clippy::inline_always, reason = "part of the loop over each object")]

use super::Needs;
use super::table::{DECLARED, KINDS};

/// What becomes of an attribute's value. What is not named here is checked and passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// A scalar is kept.
    Value,
    /// A list of scalars is kept, and a scalar too.
    Values,
    /// An object of that kind is read.
    Object,
    /// Objects of that kind are read, in a list or not.
    Objects,
}

/// An attribute as the table declares it.
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) action: Action,
    /// Of the objects.
    pub(super) kind: u8,
    /// How much of what may be read of a request it takes.
    pub(super) weight: usize,
    /// Whether it is read for a catalog with these needs.
    pub(super) is_needed: fn(&Needs) -> bool,
    /// Whether it is read where its object's other attributes are not.
    pub(super) always: bool,
}

/// A kind of object as the table declares it.
pub(super) struct Declared {
    /// The kind that has the attributes; itself, or one of which this one has fewer.
    pub(super) whole: usize,
    pub(super) attributes: &'static [Attribute],
    /// Those that it does not have.
    pub(super) without: &'static [&'static str],
    pub(super) is_needed: fn(&Needs) -> bool,
}

/// An attribute, as the pass looks at it.
#[derive(Debug)]
pub(super) struct Row {
    /// Zeros behind it.
    pub(super) name: [u8; 16],
    /// All of it.
    spelt: &'static str,
    pub(super) action: Action,
    /// Of the objects.
    pub(super) kind: u8,
    /// Its place in the object's block.
    pub(super) slot: u8,
}

/// A kind of object, as the pass looks at it.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) multiplier: u64,
    pub(super) shift: u32,
    /// Where its index is.
    pub(super) index: usize,
    /// Where its rows are.
    rows: usize,
    /// Slots of a block.
    pub(super) slots: usize,
    /// How much of what may be read of a request an object takes.
    pub(super) weight: usize,
}

/// Bytes of all indexes.
pub(super) const INDEX_BYTES: usize = {
    let mut bytes = 0;
    let mut kind = 0;
    while kind < KINDS {
        bytes += 1 << bits(DECLARED[kind].attributes.len());
        kind += 1;
    }
    bytes
};

const ROWS: usize = {
    let mut rows = 0;
    let mut kind = 0;
    while kind < KINDS {
        if DECLARED[kind].whole == kind {
            rows += DECLARED[kind].attributes.len();
        }
        kind += 1;
    }
    rows
};

/// How many bits choose a byte of an index: enough that a multiplier is found soon.
const fn bits(attributes: usize) -> u32 {
    match attributes {
        0..=2 => 3,
        3..=5 => 4,
        6..=11 => 5,
        12..=22 => 6,
        _ => 7,
    }
}

#[inline(always)]
pub(super) const fn hash(head: u64, length: usize, multiplier: u64, shift: u32) -> usize {
    (head.wrapping_add(length as u64).wrapping_mul(multiplier) >> shift) as usize
}

/// The name as the table spells it: `type` is a word of Rust.
const fn spelt(name: &str) -> &[u8] {
    match name.as_bytes() {
        [b'r', b'#', rest @ ..] => rest,
        name => name,
    }
}

const fn padded(name: &str) -> [u8; 16] {
    let name = spelt(name);
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < name.len() && at < 16 {
        bytes[at] = name[at];
        at += 1;
    }
    bytes
}

pub(super) const fn place(name: &str, multiplier: u64, shift: u32) -> usize {
    let head = u128::from_le_bytes(padded(name)) as u64;
    hash(head, spelt(name).len(), multiplier, shift)
}

/// A multiplier by which no two of the names share a byte.
const fn multiplier(attributes: &[Attribute], shift: u32) -> u64 {
    let mut multiplier: u64 = 0x9E37_79B9_7F4A_7C15;
    loop {
        let mut used: u128 = 0;
        let mut at = 0;
        while at < attributes.len() {
            let bit = 1 << place(attributes[at].name, multiplier, shift);
            if used & bit != 0 {
                break;
            }
            used |= bit;
            at += 1;
        }
        if at == attributes.len() {
            return multiplier;
        }
        multiplier = multiplier.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F) | 1;
    }
}

/// What an object with these attributes takes.
const fn weight(attributes: &[Attribute]) -> usize {
    let (mut weight, mut at) = (1, 0);
    while at < attributes.len() {
        weight += attributes[at].weight;
        at += 1;
    }
    weight
}

/// The rows of all kinds.
static ALL_ROWS: [Row; ROWS] = {
    const EMPTY: Row = Row { name: [0; 16], spelt: "", action: Action::Value, kind: 0, slot: 0 };
    let mut rows = [EMPTY; ROWS];
    let (mut kind, mut row) = (0, 0);
    while kind < KINDS {
        let declared = &DECLARED[kind];
        let mut at = 0;
        while at < declared.attributes.len() && declared.whole == kind {
            let Attribute { name, action, kind, .. } = declared.attributes[at];
            rows[row] = Row { name: padded(name), spelt: name, action, kind, slot: at as u8 + 1 };
            at += 1;
            row += 1;
        }
        kind += 1;
    }
    rows
};

/// All kinds.
pub(super) static ALL_KINDS: [Kind; KINDS] = {
    const EMPTY: Kind = Kind { multiplier: 0, shift: 0, index: 0, rows: 0, slots: 0, weight: 0 };
    let mut kinds = [EMPTY; KINDS];
    let (mut kind, mut index, mut rows) = (0, 0, 0);
    while kind < KINDS {
        let Declared { attributes, whole, .. } = DECLARED[kind];
        let bits = bits(attributes.len());
        let shift = 64 - bits;
        kinds[kind] = if whole == kind {
            Kind {
                multiplier: multiplier(attributes, shift),
                shift,
                index,
                rows,
                slots: attributes.len() + 1,
                weight: weight(attributes),
            }
        } else {
            let Kind { multiplier, shift, rows, slots, weight, .. } = kinds[whole];
            Kind { multiplier, shift, index, rows, slots, weight }
        };
        index += 1 << bits;
        if whole == kind {
            rows += attributes.len();
        }
        kind += 1;
    }
    kinds
};

impl Kind {
    #[inline(always)]
    pub(super) fn of(number: u8) -> Option<&'static Kind> {
        ALL_KINDS.get(usize::from(number))
    }

    /// The attribute with that number, counted from 1.
    #[inline(always)]
    pub(super) fn row(&self, number: usize) -> Option<&'static Row> {
        ALL_ROWS.get(self.rows + number - 1)
    }

    /// The attribute of a name that is too long for a [`Key`](super::pass::Key): such ones are read whatever the catalog.
    #[cold]
    pub(super) fn long_row(&self, name: &[u8]) -> Option<&'static Row> {
        let rows = ALL_ROWS.get(self.rows..).and_then(|rows| rows.get(..self.slots - 1)).unwrap_or_default();
        rows.iter().find(|row| row.spelt.as_bytes() == name)
    }

    /// What is read of an object of this kind.
    pub(super) fn rows(&self) -> &'static [Row] {
        ALL_ROWS.get(self.rows..).and_then(|rows| rows.get(..self.slots - 1)).unwrap_or_default()
    }
}
