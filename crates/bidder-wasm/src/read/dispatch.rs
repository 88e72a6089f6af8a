//! From the name of a member to the row of the table that it is: one multiplication, one byte, one comparison.
//!
//! Each kind of object has an index of a few dozen bytes. A name's first eight bytes and its length, multiplied and shifted,
//! lead to a byte in it: 0, or the number of the one row that the name may be.
#![allow(clippy::inline_always, reason = "part of the loop over each object")]

use super::Needs;
use super::pass::Key;
use super::rows::{ALL_KINDS, INDEX_BYTES, Kind, Row, hash, place};
use super::table::DECLARED;

/// The table as one catalog needs it: the indexes, in which what is not needed is not found.
#[derive(Debug)]
pub(super) struct Dispatch {
    index: Box<[u8; INDEX_BYTES]>,
    /// `None`: for no catalog yet.
    needs: Option<Needs>,
}

impl Default for Dispatch {
    fn default() -> Dispatch {
        Dispatch { index: Box::new([0; INDEX_BYTES]), needs: None }
    }
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
        Dispatch { index, needs: Some(*needs) }
    }

    /// Whether it is what [`Dispatch::new`] makes of these.
    pub(super) fn is_for(&self, needs: &Needs) -> bool {
        self.needs == Some(*needs)
    }

    /// The attribute with that name of an object of that kind; `None` unless it is needed.
    #[inline(always)]
    pub(super) fn find(&self, kind: &Kind, key: Key) -> Option<&'static Row> {
        let (head, length) = key.head_and_length();
        let number = usize::from(*self.index.get(kind.index + hash(head, length, kind.multiplier, kind.shift))?);
        if number == 0 {
            return None;
        }
        let row = kind.row(number)?;
        if key.is(&row.name) { Some(row) } else { None }
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
    fn each_name_is_found_where_it_belongs() {
        let (everything, nothing) = (Dispatch::new(&Needs::ALL), Dispatch::new(&Needs::default()));
        let names: Vec<&str> = DECLARED.iter().flat_map(|kind| kind.attributes).map(|row| row.name).collect();
        for (declared, kind) in DECLARED.iter().zip(&ALL_KINDS) {
            for name in &names {
                let slot = declared.attributes.iter().position(|row| row.name == *name).map(|place| place + 1);
                let slot = slot.filter(|_| !declared.without.contains(name));
                let found = find(&everything, kind, name).map(|row| usize::from(row.slot));
                assert_eq!(found, slot, "{name}");
                assert!(find(&nothing, kind, name).is_none() || slot.is_some(), "{name}");
            }
            for hidden in declared.without {
                assert!(declared.attributes.iter().any(|row| row.name == *hidden), "{hidden} is no attribute");
            }
        }
        let request = &ALL_KINDS[0];
        assert!(find(&nothing, request, "site").is_some() && find(&nothing, request, "source").is_none());
        assert!(everything.is_for(&Needs::ALL) && !everything.is_for(&Needs::default()));
    }

    /// The pass goes down into objects without asking how deep they are.
    #[test]
    fn kinds_nest_less_deep_than_texts_may() {
        fn depth(kind: usize, left: usize) -> usize {
            let left = left.checked_sub(1).expect("kinds in each other");
            let declared = &DECLARED[kind];
            let inner =
                declared.attributes.iter().filter(|row| !declared.without.contains(&row.name)).filter_map(|row| {
                    let brackets = match row.action {
                        Action::Object => 1,
                        Action::Objects => 2,
                        Action::Value | Action::Values => return None,
                    };
                    Some(brackets + depth(row.kind.into(), left))
                });
            inner.max().unwrap_or_default()
        }
        for kind in 0..DECLARED.len() {
            assert!(depth(kind, 20) + 2 < MAX_DEPTH);
        }
    }
}
