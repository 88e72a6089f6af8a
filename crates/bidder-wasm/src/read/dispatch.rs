//! From the name of a member to the row of the table that it is: one multiplication, one byte, one comparison.
//!
//! Each kind of object has an index of a few dozen bytes. A name's first eight bytes and its length, multiplied and shifted,
//! lead to a byte in it: 0, or the number of the one row that the name may be. The multipliers are searched for while this
//! compiles, such that no two names of a kind share a byte.

use super::Needs;
use super::pass::Key;
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
    /// Most objects of a list that are read.
    pub(super) most: u32,
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
    name: [u8; 16],
    /// Most objects of a list that are read.
    pub(super) most: u32,
    pub(super) action: Action,
    /// Of the objects.
    pub(super) kind: u8,
    /// Its place in the object's block.
    pub(super) slot: u8,
}

/// A kind of object, as the pass looks at it.
#[derive(Debug)]
pub(super) struct Kind {
    multiplier: u64,
    shift: u32,
    /// Where its index is.
    index: usize,
    /// Where its rows are.
    rows: usize,
    /// Slots of a block.
    pub(super) slots: usize,
}

/// Bytes of all indexes.
const INDEX_BYTES: usize = {
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
const fn hash(head: u64, length: usize, multiplier: u64, shift: u32) -> usize {
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

const fn place(name: &str, multiplier: u64, shift: u32) -> usize {
    let [a, b, c, d, e, f, g, h, ..] = padded(name);
    hash(u64::from_le_bytes([a, b, c, d, e, f, g, h]), spelt(name).len(), multiplier, shift)
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

/// The rows of all kinds.
static ALL_ROWS: [Row; ROWS] = {
    const EMPTY: Row = Row { name: [0; 16], most: 0, action: Action::Value, kind: 0, slot: 0 };
    let mut rows = [EMPTY; ROWS];
    let (mut kind, mut row) = (0, 0);
    while kind < KINDS {
        let declared = &DECLARED[kind];
        let mut at = 0;
        while at < declared.attributes.len() && declared.whole == kind {
            let Attribute { name, action, kind, most, .. } = declared.attributes[at];
            rows[row] = Row { name: padded(name), most, action, kind, slot: at as u8 + 1 };
            at += 1;
            row += 1;
        }
        kind += 1;
    }
    rows
};

/// All kinds.
static ALL_KINDS: [Kind; KINDS] = {
    const EMPTY: Kind = Kind { multiplier: 0, shift: 0, index: 0, rows: 0, slots: 0 };
    let mut kinds = [EMPTY; KINDS];
    let (mut kind, mut index, mut rows) = (0, 0, 0);
    while kind < KINDS {
        let Declared { attributes, whole, .. } = DECLARED[kind];
        let bits = bits(attributes.len());
        let shift = 64 - bits;
        kinds[kind] = if whole == kind {
            Kind { multiplier: multiplier(attributes, shift), shift, index, rows, slots: attributes.len() + 1 }
        } else {
            let Kind { multiplier, shift, rows, slots, .. } = kinds[whole];
            Kind { multiplier, shift, index, rows, slots }
        };
        index += 1 << bits;
        if whole == kind {
            rows += attributes.len();
        }
        kind += 1;
    }
    kinds
};

/// The table as one catalog needs it: the indexes, in which what is not needed is not found.
#[derive(Debug)]
pub(super) struct Dispatch {
    index: Box<[u8; INDEX_BYTES]>,
    needs: Needs,
}

impl Dispatch {
    /// What a catalog with these needs asks for.
    pub(super) fn new(needs: &Needs) -> Dispatch {
        let mut index = Box::new([0; INDEX_BYTES]);
        for (declared, kind) in DECLARED.iter().zip(&ALL_KINDS) {
            let own = (declared.is_needed)(needs);
            for (number, attribute) in (1..).zip(declared.attributes) {
                let has = !declared.without.contains(&attribute.name);
                if has && (own || attribute.always) && (attribute.is_needed)(needs) {
                    let place = kind.index + place(attribute.name, kind.multiplier, kind.shift);
                    if let Some(byte) = index.get_mut(place) {
                        *byte = number;
                    }
                }
            }
        }
        Dispatch { index, needs: *needs }
    }

    /// Whether it is what [`Dispatch::new`] makes of these.
    pub(super) fn is_for(&self, needs: &Needs) -> bool {
        self.needs == *needs
    }

    /// The attribute with that name of an object of that kind; `None` unless it is needed.
    #[inline(always)]
    pub(super) fn find(&self, kind: &Kind, key: Key) -> Option<&'static Row> {
        let (head, length) = key.head_and_length();
        let number = usize::from(*self.index.get(kind.index + hash(head, length, kind.multiplier, kind.shift))?);
        if number == 0 {
            return None;
        }
        let row = ALL_ROWS.get(kind.rows + number - 1)?;
        if key.is(&row.name) { Some(row) } else { None }
    }
}

impl Kind {
    #[inline(always)]
    pub(super) fn of(number: u8) -> Option<&'static Kind> {
        ALL_KINDS.get(usize::from(number))
    }

    /// What is read of an object of this kind.
    pub(super) fn rows(&self) -> &'static [Row] {
        ALL_ROWS.get(self.rows..).and_then(|rows| rows.get(..self.slots - 1)).unwrap_or_default()
    }
}
