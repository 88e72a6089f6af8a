//! Lists of values that the rules of several campaigns share. The index holds the values, so a list only has their
//! places.

use super::Parts;
use super::index::{Key, PostingsDraft};
use crate::flat::{List, Wide, flat};

flat! {
    /// A list of the catalog.
    pub struct SharedList from SharedListDraft {
        /// Its id in the document.
        pub id: String,
        /// How many values the document lists.
        pub count: u32,
        /// Its values in each dimension in which a rule names it.
        pub uses: Vec<ListUseDraft>,
    }
}

flat! {
    /// The values of a list in one dimension.
    pub struct ListUse from ListUseDraft {
        /// The dimension, by the number of its reason.
        pub number: u8,
        /// The second part of all values: the taxonomy of categories, else empty.
        pub second: String,
        /// The positions of the values in the index (see [`Index::values`](super::index::Index::values)), sorted by key.
        pub values: Wide<u32>,
    }
}

/// The lists of a catalog, to find values in them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lists<'s> {
    all: List<'s, SharedListDraft>,
    values: List<'s, PostingsDraft>,
}

impl<'s> Lists<'s> {
    /// The lists of a catalog.
    pub fn of(parts: &Parts<'s>) -> Lists<'s> {
        Lists { all: parts.lists(), values: parts.index().values() }
    }

    /// The list with this number.
    pub fn get(self, number: u32) -> Option<SharedList<'s>> {
        self.all.get(number as usize)
    }

    /// Whether a list has a value. Searches by halves.
    pub fn has(self, number: u32, key: &Key<'_>) -> bool {
        let uses = self.get(number).map(|list| list.uses()).unwrap_or_default();
        let own = uses.iter().find(|own| own.number() == key.reason.number() && own.second().as_bytes() == key.b);
        let positions = own.map(|own| own.values()).unwrap_or_default();
        let (mut low, mut high) = (0, positions.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let stored = positions.get(middle).and_then(|position| self.values.get(position as usize));
            let Some((a, b)) = stored.map(|stored| stored.parts()) else { return false };
            match key.compare(a, b) {
                core::cmp::Ordering::Less => high = middle,
                core::cmp::Ordering::Equal => return true,
                core::cmp::Ordering::Greater => low = middle + 1,
            }
        }
        false
    }
}
