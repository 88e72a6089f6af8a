//! Finds what to do with a field by its number: [`super::super::table`] has the numbers.

use crate::read::Needs;
use crate::read::objects::KINDS;
use crate::read::rows::ProtobufType;

/// Greater numbers have no rows. The table's greatest is 99, `ext`.
const NUMBERS: usize = 128;

/// What a row says of a field, in as many bytes as one load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(4))]
pub(super) struct Field {
    /// `None` if the catalog does not need the field.
    pub(super) takes: Option<ProtobufType>,
    /// Slot in the block of the message.
    pub(super) slot: u8,
    /// Kind of the messages in the field.
    pub(super) kind: u8,
}

/// The fields of one kind of messages, by number.
pub(super) type FieldsOf = [Field; NUMBERS];

/// The fields that one catalog needs.
#[derive(Debug, Default)]
pub(in crate::read) struct Fields {
    /// By kind. Empty before the first message.
    kinds: Vec<FieldsOf>,
    /// The needs for which the fields were found; `None` before the first message.
    needs: Option<Needs>,
}

impl Fields {
    /// The fields for a catalog with these needs.
    pub(in crate::read) fn new(needs: &Needs) -> Fields {
        let mut kinds = vec![[Field::default(); NUMBERS]; KINDS.len()];
        for (kind, fields) in KINDS.iter().zip(&mut kinds) {
            for (_, row) in kind.needed(*needs) {
                let Some(number) = row.numbers.get(kind.variant) else { continue };
                for (number, takes) in [(number.field, row.protobuf), (number.as_text, ProtobufType::Text)] {
                    // No field has the number 0.
                    if let Some(field) = fields.get_mut(usize::from(number)).filter(|_| number > 0) {
                        *field = Field { takes: Some(takes), slot: row.slot, kind: row.kind };
                    }
                }
            }
        }
        Fields { kinds, needs: Some(*needs) }
    }

    /// Whether [`Fields::new`] found the fields for these needs.
    pub(in crate::read) fn is_for(&self, needs: &Needs) -> bool {
        self.needs == Some(*needs)
    }

    /// The fields of a kind of messages.
    pub(super) fn of(&self, kind: u8) -> Option<&FieldsOf> {
        self.kinds.get(usize::from(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_attributes_have_the_same_number() {
        for kind in &KINDS {
            let mut seen = Vec::new();
            for attribute in kind.attributes {
                let Some(number) = attribute.numbers.get(kind.variant) else { continue };
                let name = attribute.spec.name;
                for field in [number.field, number.as_text].into_iter().filter(|field| *field > 0) {
                    assert!(kind.has(attribute), "a variant does not have {name}");
                    assert!(usize::from(field) < NUMBERS && !seen.contains(&field), "{name} has {field}");
                    seen.push(field);
                }
            }
        }
    }
}
