//! The table of attributes in the layout of the pass, computed at compile time.
//!
//! A row holds its name as sixteen bytes for one comparison. Each kind has a multiplier that hashes its names without
//! collisions: see [`super::dispatch`].
#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "at compile time, with small numbers")]
#![allow(clippy::inline_always, reason = "part of the loop over each object")]

use super::Needs;
use super::table::{DECLARATIONS, KINDS};

/// What the pass over JSON does with the value of an attribute. A value of another type is checked and skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Keep a scalar.
    Value,
    /// Keep a scalar or a list of scalars.
    Values,
    /// Read an object of the kind.
    Object,
    /// Read an object of the kind, or a list of them.
    Objects,
}

/// How protobuf has the values of an attribute. Another wire type is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    /// `string`.
    Text,
    /// `repeated string`.
    Texts,
    /// `int32`.
    Integer,
    /// `bool`: any number but 0 is true.
    Bool,
    /// `repeated int32`, packed or not.
    Integers,
    /// `double`.
    Double,
    /// A message.
    Message,
    /// Repeated messages.
    Messages,
}

/// The field number of an attribute in protobuf; 0 if protobuf does not have the attribute.
#[derive(Debug)]
pub(super) struct Number {
    pub(super) field: u8,
    /// The field that has the message as a text, in JSON; 0 if there is none.
    pub(super) as_text: u8,
}

/// An attribute, as the table declares it.
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) action: Action,
    pub(super) wire: Wire,
    /// The field numbers in the full kind and in its variants. Kinds behind the last number do not have the field.
    pub(super) numbers: &'static [Number],
    /// Kind of the objects.
    pub(super) kind: u8,
    /// How much one occurrence adds to the count of values that [`MAX_VALUES`](crate::limits::MAX_VALUES) limits.
    pub(super) weight: usize,
    /// Whether a catalog with these needs reads the attribute.
    pub(super) is_needed: fn(&Needs) -> bool,
    /// Whether the attribute is read even if its kind is not needed.
    pub(super) always: bool,
}

/// A kind of object, as the table declares it.
pub(super) struct Declaration {
    /// The kind whose rows this kind uses: this kind, or for a variant its full kind.
    pub(super) full_kind: usize,
    pub(super) attributes: &'static [Attribute],
    /// Names of attributes that this variant does not have.
    pub(super) without: &'static [&'static str],
    pub(super) is_needed: fn(&Needs) -> bool,
}

/// An attribute, in the layout of the pass.
#[derive(Debug)]
pub(super) struct Row {
    /// The first 16 bytes of the name, filled up with zeros.
    pub(super) name: [u8; 16],
    /// The whole name.
    full_name: &'static str,
    pub(super) action: Action,
    pub(super) wire: Wire,
    /// Kind of the objects.
    pub(super) kind: u8,
    /// Slot in the object's block.
    pub(super) slot: u8,
}

/// A kind of object, in the layout of the pass.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) multiplier: u64,
    pub(super) shift: u32,
    /// Offset of its index in [`Dispatch`](super::dispatch::Dispatch).
    pub(super) index_start: usize,
    /// Number of its first row in [`ALL_ROWS`].
    first_row: usize,
    /// Slots of a block.
    pub(super) slots: usize,
    /// How much one object adds to the count of values that [`MAX_VALUES`](crate::limits::MAX_VALUES) limits.
    pub(super) weight: usize,
}

/// Bytes of the indexes of all kinds.
pub(super) const INDEX_BYTES: usize = {
    let mut bytes = 0;
    let mut kind = 0;
    while kind < KINDS {
        bytes += 1 << bits(DECLARATIONS[kind].attributes.len());
        kind += 1;
    }
    bytes
};

/// Rows of all kinds.
const ROWS: usize = {
    let mut rows = 0;
    let mut kind = 0;
    while kind < KINDS {
        if DECLARATIONS[kind].full_kind == kind {
            rows += DECLARATIONS[kind].attributes.len();
        }
        kind += 1;
    }
    rows
};

/// Bits of the hash for that many attributes. Fewer bits make the search for a multiplier too long.
const fn bits(attributes: usize) -> u32 {
    match attributes {
        0..=2 => 3,
        3..=5 => 4,
        6..=11 => 5,
        12..=22 => 6,
        _ => 7,
    }
}

/// The byte in the index of a kind for a name with this length and these first eight bytes.
#[inline(always)]
pub(super) const fn hash(head: u64, length: usize, multiplier: u64, shift: u32) -> usize {
    (head.wrapping_add(length as u64).wrapping_mul(multiplier) >> shift) as usize
}

/// The name as in JSON. The table has `r#type` because `type` is a keyword of Rust.
pub(super) const fn without_raw_prefix(name: &str) -> &str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// The first 16 bytes of a name, filled up with zeros.
const fn padded(name: &str) -> [u8; 16] {
    let name = without_raw_prefix(name).as_bytes();
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < name.len() && at < 16 {
        bytes[at] = name[at];
        at += 1;
    }
    bytes
}

/// The result of [`hash`] for a whole name.
pub(super) const fn hash_name(name: &str, multiplier: u64, shift: u32) -> usize {
    let head = u128::from_le_bytes(padded(name)) as u64;
    hash(head, without_raw_prefix(name).len(), multiplier, shift)
}

/// Searches a multiplier that hashes the names without collisions.
const fn multiplier(attributes: &[Attribute], shift: u32) -> u64 {
    let mut multiplier: u64 = 0x9E37_79B9_7F4A_7C15;
    loop {
        let mut used: u128 = 0;
        let mut at = 0;
        while at < attributes.len() {
            let bit = 1 << hash_name(attributes[at].name, multiplier, shift);
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

/// How much one object with these attributes adds to the count of values that [`MAX_VALUES`](crate::limits::MAX_VALUES)
/// limits.
const fn weight(attributes: &[Attribute]) -> usize {
    let (mut weight, mut at) = (1, 0);
    while at < attributes.len() {
        weight += attributes[at].weight;
        at += 1;
    }
    weight
}

static ALL_ROWS: [Row; ROWS] = {
    const EMPTY: Row = Row { name: [0; 16], full_name: "", action: Action::Value, wire: Wire::Text, kind: 0, slot: 0 };
    let mut rows = [EMPTY; ROWS];
    let (mut kind, mut row) = (0, 0);
    while kind < KINDS {
        let declared = &DECLARATIONS[kind];
        let mut at = 0;
        while at < declared.attributes.len() && declared.full_kind == kind {
            let Attribute { name, action, wire, kind, .. } = declared.attributes[at];
            rows[row] = Row { name: padded(name), full_name: name, action, wire, kind, slot: at as u8 + 1 };
            at += 1;
            row += 1;
        }
        kind += 1;
    }
    rows
};

/// All kinds by number.
pub(super) static ALL_KINDS: [Kind; KINDS] = {
    const EMPTY: Kind = Kind { multiplier: 0, shift: 0, index_start: 0, first_row: 0, slots: 0, weight: 0 };
    let mut kinds = [EMPTY; KINDS];
    let (mut kind, mut index_start, mut first_row) = (0, 0, 0);
    while kind < KINDS {
        let Declaration { attributes, full_kind, .. } = DECLARATIONS[kind];
        let bits = bits(attributes.len());
        let shift = 64 - bits;
        kinds[kind] = if full_kind == kind {
            Kind {
                multiplier: multiplier(attributes, shift),
                shift,
                index_start,
                first_row,
                slots: attributes.len() + 1,
                weight: weight(attributes),
            }
        } else {
            let Kind { multiplier, shift, first_row, slots, weight, .. } = kinds[full_kind];
            Kind { multiplier, shift, index_start, first_row, slots, weight }
        };
        index_start += 1 << bits;
        if full_kind == kind {
            first_row += attributes.len();
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

    /// The row with that number. The first number is 1.
    #[inline(always)]
    pub(super) fn row(&self, number: usize) -> Option<&'static Row> {
        ALL_ROWS.get(self.first_row + number - 1)
    }

    /// The row of a name that is too long for a [`Key`](super::pass::Key). Needs do not apply to these rows.
    #[cold]
    pub(super) fn long_row(&self, name: &[u8]) -> Option<&'static Row> {
        self.rows().iter().find(|row| row.full_name.as_bytes() == name)
    }

    /// All rows of this kind, also those that a variant does not have.
    pub(super) fn rows(&self) -> &'static [Row] {
        ALL_ROWS.get(self.first_row..).and_then(|rows| rows.get(..self.slots - 1)).unwrap_or_default()
    }
}
