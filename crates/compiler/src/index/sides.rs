//! The campaigns of a value. Values with the same campaigns share their posting lists.

use std::collections::{BTreeSet, HashMap};

use catalog::index::PostingListDraft;

/// The campaigns of a value.
#[derive(Default)]
pub(super) struct Sides {
    /// The campaigns that include it.
    pub(super) include: Vec<u32>,
    /// The campaigns that exclude it.
    pub(super) exclude: Vec<u32>,
    /// The lists that have it, by their place in [`Builder::lists`](super::Builder), ascending.
    pub(super) lists: Vec<u32>,
}

/// The posting lists of values that are in lists.
pub(super) struct Shared {
    /// The campaigns of each list.
    lists: Vec<Sides>,
    /// How many campaigns the catalog has.
    count: usize,
    /// The posting lists of values that are in these lists and in no rule of a campaign itself.
    known: HashMap<Vec<u32>, (PostingListDraft, PostingListDraft)>,
}

impl Shared {
    pub(super) fn new(lists: Vec<Sides>, count: usize) -> Shared {
        Shared { lists, count, known: HashMap::new() }
    }

    /// The posting lists of a value: its own campaigns, and those of its lists.
    pub(super) fn postings(&mut self, sides: Sides) -> (PostingListDraft, PostingListDraft) {
        if !sides.include.is_empty() || !sides.exclude.is_empty() {
            return self.united(&sides);
        }
        if let Some((include, exclude)) = self.known.get(&sides.lists) {
            return (include.clone(), exclude.clone());
        }
        let united = self.united(&sides);
        self.known.insert(sides.lists, united.clone());
        united
    }

    fn united(&self, sides: &Sides) -> (PostingListDraft, PostingListDraft) {
        let lists = || sides.lists.iter().filter_map(|place| self.lists.get(*place as usize)).chain([sides]);
        let list = |of: fn(&Sides) -> &Vec<u32>| {
            let members: BTreeSet<u32> = lists().flat_map(of).copied().collect();
            PostingListDraft::new(members.into_iter().collect(), self.count)
        };
        (list(|sides| &sides.include), list(|sides| &sides.exclude))
    }
}
