//! Finds the row of an attribute in [`super::table`] by the attribute's name, with one multiplication, one load and one
//! comparison.
//!
//! Each kind of object has an index of a few dozen bytes. The hash of a name's first eight bytes and its length chooses
//! one byte of the index: 0, or the number of the only row that can have this name.
#![allow(clippy::inline_always, reason = "part of the loop over each object")]

use super::Needs;
use super::objects::{INDEX_BYTES, KINDS};
use super::pass::Key;
use super::rows::{Attribute, Kind, hash, hash_name};

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
        for kind in &KINDS {
            for (number, attribute) in kind.needed(*needs) {
                let byte = kind.index_start + hash_name(attribute.spec.name, kind.multiplier, kind.shift);
                if let Some(entry) = index.get_mut(byte) {
                    *entry = number;
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
    pub(super) fn find(&self, kind: &Kind, key: Key) -> Option<&'static Attribute> {
        let (head, length) = key.head_and_length();
        let number = usize::from(*self.index.get(kind.index_start + hash(head, length, kind.multiplier, kind.shift))?);
        if number == 0 {
            return None;
        }
        let attribute = kind.attribute(number)?;
        if key.equals(&attribute.key) { Some(attribute) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::rows::Action;
    use base::limits::MAX_DEPTH;

    fn find(dispatch: &Dispatch, kind: &Kind, name: &str) -> Option<&'static Attribute> {
        Key::of(name.as_bytes()).map_or_else(|| kind.long_attribute(name.as_bytes()), |key| dispatch.find(kind, key))
    }

    #[test]
    fn a_name_is_found_exactly_in_kinds_that_have_it() {
        let (everything, nothing) = (Dispatch::new(&Needs::ALL), Dispatch::new(&Needs::default()));
        for name in KINDS.iter().flat_map(|kind| kind.attributes).map(|attribute| attribute.spec.name) {
            for kind in &KINDS {
                let own = kind.attributes.iter().find(|attribute| attribute.spec.name == name && kind.has(attribute));
                let found = find(&everything, kind, name);
                assert_eq!(found.map(|found| found.slot), own.map(|own| own.slot), "{name}");
                assert!(find(&nothing, kind, name).is_none() || own.is_some(), "{name}");
            }
        }
        for kind in &KINDS {
            let hidden = kind.attributes.iter().filter(|attribute| !kind.has(attribute));
            assert_eq!(hidden.count(), kind.without.len(), "{:?}", kind.without);
        }
        let request = &KINDS[0];
        assert!(find(&nothing, request, "site").is_some() && find(&nothing, request, "source").is_none());
        assert!(everything.is_for(&Needs::ALL) && !everything.is_for(&Needs::default()));
    }

    /// In objects of a known kind, the pass checks no depth limit, so kinds must not nest as deep as the limit.
    #[test]
    fn kinds_nest_less_deep_than_max_depth() {
        fn depth(kind: &Kind, levels_left: usize) -> usize {
            let levels_left = levels_left.checked_sub(1).expect("a kind contains itself");
            let own = kind.attributes.iter().filter(|attribute| kind.has(attribute));
            let inner = own.filter_map(|attribute| {
                let brackets = match attribute.action {
                    Action::Object | Action::Whole => 1,
                    Action::Objects => 2,
                    Action::Value | Action::Values => return None,
                };
                Some(brackets + depth(Kind::of(attribute.kind)?, levels_left))
            });
            inner.max().unwrap_or_default()
        }
        assert!(KINDS.iter().all(|kind| depth(kind, 20) + 2 < MAX_DEPTH));
    }
}
