//! The rows of the table in the layout of the pass, computed at compile time.
//!
//! A row holds its name as sixteen bytes for one comparison. Each kind has a multiplier that hashes its names without
//! collisions: see [`super::dispatch`].
#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "at compile time, with small numbers")]
#![allow(clippy::inline_always, reason = "part of the loop over each object")]

use super::{needs::Needs, types};

/// What the pass over JSON does with the value of an attribute. A value of another type is checked and skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Keep a scalar.
    Value,
    /// Keep a scalar or a list of scalars.
    Values,
    /// Read an object of the kind.
    Object,
    /// Read an object of the kind, and keep its text: see [`Slots::texts`](super::slot::Slots::texts).
    Whole,
    /// Read an object of the kind, or a list of them.
    Objects,
}

/// How protobuf encodes the values of an attribute. Another wire type is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProtobufType {
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

impl ProtobufType {
    /// Whether an attribute is a list in the specification.
    pub(super) const fn is_list(self) -> bool {
        matches!(self, ProtobufType::Texts | ProtobufType::Integers | ProtobufType::Messages)
    }
}

/// The field number of an attribute in protobuf; 0 if protobuf does not have the attribute.
#[derive(Debug)]
pub(super) struct Number {
    pub(super) field: u8,
    /// The field that has the message as a text, in JSON; 0 if there is none.
    pub(super) as_text: u8,
}

/// Finds a part in the needs of a catalog.
pub(super) type Need = fn(&mut Needs) -> &mut bool;

/// An attribute: a row of the table.
#[derive(Debug)]
pub(super) struct Attribute {
    /// What the specification says. The type of an object is `Anything`: its kind is below.
    pub(super) spec: types::Attribute,
    /// The first 16 bytes of the name, filled up with zeros.
    pub(super) key: [u8; 16],
    pub(super) action: Action,
    pub(super) protobuf: ProtobufType,
    /// How much one occurrence adds to the count of values that [`MAX_VALUES`](base::limits::MAX_VALUES) limits.
    pub(super) weight: usize,
    /// The field numbers in the full kind and in its variants. Kinds behind the last number do not have the field.
    pub(super) numbers: &'static [Number],
    /// Kind of the objects.
    pub(super) kind: u8,
    /// Slot in the object's block.
    pub(super) slot: u8,
    /// The part of the request without which the attribute is not read; `None` if it is always read.
    pub(super) need: Option<Need>,
    /// Whether the attribute is read even if its kind is not needed.
    pub(super) always: bool,
}

/// A kind of object.
#[derive(Debug)]
pub(super) struct Kind {
    /// All attributes of this kind, also those that a variant does not have.
    pub(super) attributes: &'static [Attribute],
    /// Names of attributes that this variant does not have.
    pub(super) without: &'static [&'static str],
    /// 0 for the full kind, 1 for its first variant, and so on.
    pub(super) variant: usize,
    /// The part of the request without which the kind is not read; `None` if it is always read.
    pub(super) need: Option<Need>,
    pub(super) multiplier: u64,
    pub(super) shift: u32,
    /// Offset of its index in [`Dispatch`](super::dispatch::Dispatch).
    pub(super) index_start: usize,
    /// How much one object adds to the count of values that [`MAX_VALUES`](base::limits::MAX_VALUES) limits.
    pub(super) weight: usize,
    /// Whether its objects note what restricts bids and cannot be read. If not, the row of the object does.
    pub(super) is_restricted: bool,
}

impl Kind {
    /// Slots of a block.
    #[inline(always)]
    pub(super) fn slots(&self) -> usize {
        self.attributes.len() + 1
    }

    /// The attribute with that number. The first number is 1.
    #[inline(always)]
    pub(super) fn attribute(&self, number: usize) -> Option<&'static Attribute> {
        self.attributes.get(number - 1)
    }

    /// The attribute with a name that is too long for a [`Key`](super::pass::Key). Needs do not apply to it.
    #[cold]
    pub(super) fn long_attribute(&self, name: &[u8]) -> Option<&'static Attribute> {
        self.attributes.iter().find(|attribute| attribute.spec.name.as_bytes() == name && self.has(attribute))
    }

    /// Whether this kind has an attribute of its full kind.
    pub(super) fn has(&self, attribute: &Attribute) -> bool {
        !self.without.contains(&attribute.spec.name)
    }

    /// The attributes that a catalog with these needs reads, each with its number.
    pub(super) fn needed(&self, needs: Needs) -> impl Iterator<Item = (u8, &'static Attribute)> {
        let is_met = move |need: Option<Need>| need.is_none_or(|need| *need(&mut { needs }));
        (1..).zip(self.attributes).filter(move |(_, attribute)| {
            self.has(attribute) && (is_met(self.need) || attribute.always) && is_met(attribute.need)
        })
    }
}

/// The byte in the index of a kind for a name with this length and these first eight bytes.
#[inline(always)]
pub(super) const fn hash(head: u64, length: usize, multiplier: u64, shift: u32) -> usize {
    (head.wrapping_add(length as u64).wrapping_mul(multiplier) >> shift) as usize
}

/// The result of [`hash`] for a whole name.
pub(super) const fn hash_name(name: &str, multiplier: u64, shift: u32) -> usize {
    let head = u128::from_le_bytes(padded(name)) as u64;
    hash(head, name.len(), multiplier, shift)
}

/// How far [`hash`] shifts for that many attributes. Fewer bits make the search for a multiplier too long.
pub(super) const fn shift(attributes: usize) -> u32 {
    u64::BITS
        - match attributes {
            0..=2 => 3,
            3..=5 => 4,
            6..=11 => 5,
            12..=22 => 6,
            _ => 7,
        }
}

/// The offset of a kind's index, behind those of the kinds before it, which have that many attributes.
pub(super) const fn index_start(sizes: &[usize], kind: usize) -> usize {
    let (mut bytes, mut before) = (0, 0);
    while before < kind {
        bytes += 1 << (u64::BITS - shift(sizes[before]));
        before += 1;
    }
    bytes
}

/// Searches a multiplier that hashes the names without collisions.
pub(super) const fn multiplier(attributes: &[Attribute]) -> u64 {
    let shift = shift(attributes.len());
    let mut multiplier: u64 = 0x9E37_79B9_7F4A_7C15;
    loop {
        let mut used: u128 = 0;
        let mut at = 0;
        while at < attributes.len() {
            let bit = 1 << hash_name(attributes[at].spec.name, multiplier, shift);
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

/// How much one object with these attributes adds to the count of values that
/// [`MAX_VALUES`](base::limits::MAX_VALUES) limits.
pub(super) const fn weight(attributes: &[Attribute]) -> usize {
    let (mut weight, mut at) = (1, 0);
    while at < attributes.len() {
        weight += attributes[at].weight;
        at += 1;
    }
    weight
}

/// Whether the attribute in this slot restricts bids and is an object or a list of objects.
pub(super) const fn restricts_by_objects(attributes: &[Attribute], slot: usize) -> bool {
    let attribute = &attributes[slot - 1];
    attribute.spec.restricts.is_some() && matches!(attribute.action, Action::Object | Action::Objects)
}

/// The name as in JSON. The table has `r#type` because `type` is a keyword of Rust.
pub(super) const fn without_raw_prefix(name: &str) -> &str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// The first 16 bytes of a name, filled up with zeros.
pub(super) const fn padded(name: &str) -> [u8; 16] {
    let name = name.as_bytes();
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < name.len() && at < 16 {
        bytes[at] = name[at];
        at += 1;
    }
    bytes
}

/// Whether a row is read even if its kind is not needed, by the word after `if`.
pub(super) const fn is_always(need: &str) -> bool {
    matches!(need.as_bytes(), b"always")
}
