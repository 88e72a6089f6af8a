//! Finds the row of an attribute in [`super::table`] by the attribute's name, with one multiplication, one load and one
//! comparison.
//!
//! Each kind of object has an index of a few dozen bytes. The hash of a name's first eight bytes and its length chooses
//! one byte of the index: 0, or the number of the only row that can have this name.
#![allow(clippy::inline_always, reason = "part of the loop over each object")]

use super::Needs;
use super::pass::Key;
use super::rows::{ALL_KINDS, INDEX_BYTES, Kind, Row, hash, hash_name};
use super::table::DECLARATIONS;

/// The indexes of all kinds, with only the attributes that one catalog needs.
#[derive(Debug)]
pub(super) struct Dispatch {
    index: Box<[u8; INDEX_BYTES]>,
    /// The needs for which the indexes were made; `None` before the first catalog.
    needs: Option<Needs>,
}

impl Default for Dispatch {
    fn default() -> Dispatch {
        Dispatch { index: Box::new([0; INDEX_BYTES]), needs: None }
    }
}

impl Dispatch {
    /// The indexes for a catalog with these needs.
    pub(super) fn new(needs: &Needs) -> Dispatch {
        let mut index = Box::new([0; INDEX_BYTES]);
        for (declared, kind) in DECLARATIONS.iter().zip(&ALL_KINDS) {
            let is_kind_needed = (declared.is_needed)(needs);
            for (number, attribute) in (1..).zip(declared.attributes) {
                let is_present = !declared.without.contains(&attribute.name);
                if is_present && (is_kind_needed || attribute.always) && (attribute.is_needed)(needs) {
                    let byte = kind.index_start + hash_name(attribute.name, kind.multiplier, kind.shift);
                    if let Some(entry) = index.get_mut(byte) {
                        *entry = number;
                    }
                }
            }
        }
        Dispatch { index, needs: Some(*needs) }
    }

    /// Whether [`Dispatch::new`] made the indexes for these needs.
    pub(super) fn is_for(&self, needs: &Needs) -> bool {
        self.needs == Some(*needs)
    }

    /// The row of a name in an object of this kind. `None` if the catalog does not need the attribute.
    #[inline(always)]
    pub(super) fn find(&self, kind: &Kind, key: Key) -> Option<&'static Row> {
        let (head, length) = key.head_and_length();
        let number = usize::from(*self.index.get(kind.index_start + hash(head, length, kind.multiplier, kind.shift))?);
        if number == 0 {
            return None;
        }
        let row = kind.row(number)?;
        if key.equals(&row.name) { Some(row) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_DEPTH;
    use crate::read::rows::Action;

    fn find(dispatch: &Dispatch, kind: &Kind, name: &str) -> Option<&'static Row> {
        let name = name.trim_start_matches("r#").as_bytes();
        Key::of(name).map_or_else(|| kind.long_row(name), |key| dispatch.find(kind, key))
    }

    #[test]
    fn a_name_is_found_exactly_in_kinds_that_have_it() {
        let (everything, nothing) = (Dispatch::new(&Needs::ALL), Dispatch::new(&Needs::default()));
        let names: Vec<&str> = DECLARATIONS.iter().flat_map(|kind| kind.attributes).map(|row| row.name).collect();
        for (declared, kind) in DECLARATIONS.iter().zip(&ALL_KINDS) {
            for name in &names {
                let slot = declared.attributes.iter().position(|row| row.name == *name).map(|position| position + 1);
                let slot = slot.filter(|_| !declared.without.contains(name));
                let found = find(&everything, kind, name).map(|row| usize::from(row.slot));
                assert_eq!(found, slot, "{name}");
                assert!(find(&nothing, kind, name).is_none() || slot.is_some(), "{name}");
            }
            for hidden in declared.without {
                assert!(
                    declared.attributes.iter().any(|row| row.name == *hidden),
                    "the kind has no attribute {hidden}"
                );
            }
        }
        let request = &ALL_KINDS[0];
        assert!(find(&nothing, request, "site").is_some() && find(&nothing, request, "source").is_none());
        assert!(everything.is_for(&Needs::ALL) && !everything.is_for(&Needs::default()));
    }

    /// In objects of a known kind, the pass checks no depth limit, so kinds must not nest as deep as the limit.
    #[test]
    fn kinds_nest_less_deep_than_max_depth() {
        fn depth(kind: usize, levels_left: usize) -> usize {
            let levels_left = levels_left.checked_sub(1).expect("a kind contains itself");
            let declared = &DECLARATIONS[kind];
            let inner =
                declared.attributes.iter().filter(|row| !declared.without.contains(&row.name)).filter_map(|row| {
                    let brackets = match row.action {
                        Action::Object => 1,
                        Action::Objects => 2,
                        Action::Value | Action::Values => return None,
                    };
                    Some(brackets + depth(row.kind.into(), levels_left))
                });
            inner.max().unwrap_or_default()
        }
        for kind in 0..DECLARATIONS.len() {
            assert!(depth(kind, 20) + 2 < MAX_DEPTH);
        }
    }
}
