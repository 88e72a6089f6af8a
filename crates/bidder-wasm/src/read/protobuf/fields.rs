//! Finds the row of a field in [`super::super::table`] by the field's number.

use crate::read::Needs;
use crate::read::rows::{Attribute, Kind};
use crate::read::table::KINDS;

/// Greater numbers have no rows. The table's greatest is 99, `ext`.
const NUMBERS: usize = 128;

/// Set in an index beside the number of the row: the field has a message as a text.
const AS_TEXT: u8 = 1 << 7;

/// The rows of all fields that one catalog needs.
#[derive(Debug)]
pub(in crate::read) struct Fields {
    /// For each kind and field number, the number of the row; 0 for none.
    index: Box<[[u8; NUMBERS]; KINDS.len()]>,
    /// The needs for which the index was made; `None` before the first message.
    needs: Option<Needs>,
}

impl Default for Fields {
    fn default() -> Fields {
        Fields { index: Box::new([[0; NUMBERS]; KINDS.len()]), needs: None }
    }
}

impl Fields {
    /// The index for a catalog with these needs.
    pub(in crate::read) fn new(needs: &Needs) -> Fields {
        let mut fields = Fields { needs: Some(*needs), ..Fields::default() };
        for (kind, index) in KINDS.iter().zip(fields.index.iter_mut()) {
            for (row, attribute) in kind.needed(*needs) {
                let Some(number) = attribute.numbers.get(kind.variant) else { continue };
                for (field, row) in [(number.field, row), (number.as_text, row | AS_TEXT)] {
                    if let Some(entry) = index.get_mut(usize::from(field)) {
                        *entry = row;
                    }
                }
            }
            // No field has the number 0.
            index[0] = 0;
        }
        fields
    }

    /// Whether [`Fields::new`] made the index for these needs.
    pub(in crate::read) fn is_for(&self, needs: &Needs) -> bool {
        self.needs == Some(*needs)
    }

    /// The fields of a kind of messages.
    pub(super) fn of(&self, kind: u8) -> Option<FieldsOf<'_>> {
        Some(FieldsOf { index: self.index.get(usize::from(kind))?, kind: Kind::of(kind)? })
    }
}

/// The fields of one kind of messages.
#[derive(Clone, Copy)]
pub(super) struct FieldsOf<'f> {
    index: &'f [u8; NUMBERS],
    kind: &'static Kind,
}

impl FieldsOf<'_> {
    /// The row of a field, and whether the field has a message as a text. `None` if the catalog does not need the field.
    #[inline]
    pub(super) fn find(self, number: u64) -> Option<(&'static Attribute, bool)> {
        let entry = *self.index.get(usize::try_from(number).ok()?)?;
        match entry & !AS_TEXT {
            0 => None,
            row => Some((self.kind.attribute(usize::from(row))?, entry & AS_TEXT != 0)),
        }
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
