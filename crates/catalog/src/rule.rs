//! The targeting of a campaign by lists of values: rules for one dimension each, and the lists that rules of several
//! campaigns share. The index holds the values of shared lists, so such a list only has their places.

use super::index::{Key, PostingsDraft};
use base::limits::MAX_RULE_LISTS;
use flat::choice;
use flat::{List, Wide, flat};
use reasons::kind::{Kind, kind_of};
use reasons::no_bid::NoBidReason;

choice! {
    /// The condition of a rule.
    Side {
        /// One of the listed values.
        #[default]
        Include = "include",
        /// None of the listed values.
        Exclude = "exclude",
        /// Any known value. Lists no values; for categories, one value without a name, for its taxonomy.
        Known = "exclude_unknown",
    }
}

flat! {
    /// One condition on one dimension. A campaign with several conditions on a dimension has a rule for each.
    pub struct Rule from RuleDraft {
        /// The dimension, by the number of its reason.
        number: u8,
        /// The number of lists times [`SIDES`], plus the number of the condition.
        coded: u8,
        /// The numbers of the lists, then the values. In the dimensions of [pairs](reasons::kind::Kind::is_pair), two
        /// texts make one value, and the second text of a list belongs to all its values.
        texts: Vec<String>,
    }
}

impl<'s> Rule<'s> {
    /// The dimension, by its reason.
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number()).unwrap_or(NoBidReason::NoCampaign)
    }

    /// What the rule asks for.
    pub fn side(&self) -> Side {
        side(self.coded())
    }

    /// The values that the rule itself lists. Numbers are written in digits. The second part is empty unless values are
    /// pairs.
    pub fn values(&self) -> impl Iterator<Item = (&'s str, &'s str)> + use<'s> {
        self.all().skip(lists(self.coded()))
    }

    /// The numbers of the [`SharedList`](super::SharedList)s whose values count as the rule's own, each with the second
    /// part of all its values.
    pub fn lists(&self) -> impl Iterator<Item = (u32, &'s str)> + use<'s> {
        let lists = self.all().take(lists(self.coded()));
        lists.filter_map(|(number, second)| Some((number.parse().ok()?, second)))
    }

    fn all(&self) -> impl Iterator<Item = (&'s str, &'s str)> + use<'s> {
        let texts = self.texts();
        pairs(self.reason(), texts.len(), move |position| texts.get(position))
    }
}

/// How many sides there are.
const SIDES: u8 = 4;

fn side(coded: u8) -> Side {
    Side::ALL.get(usize::from(coded % SIDES)).copied().unwrap_or_default()
}

/// How many lists a rule has.
fn lists(coded: u8) -> usize {
    usize::from(coded / SIDES)
}

impl RuleDraft {
    /// A rule of one dimension. The second parts count only where values are pairs. The rule takes only the first
    /// [`MAX_RULE_LISTS`](base::limits::MAX_RULE_LISTS) lists.
    pub fn new(reason: NoBidReason, side: Side, lists: Vec<(u32, String)>, values: Vec<(String, String)>) -> RuleDraft {
        let parts = |(a, b)| [Some(a), Some(b).filter(|_| is_pair(reason))].into_iter().flatten();
        let count = lists.len().min(MAX_RULE_LISTS);
        let lists = lists.into_iter().take(count).map(|(number, second)| (number.to_string(), second));
        let coded = side as u8 + SIDES * u8::try_from(count).unwrap_or(0);
        RuleDraft { number: reason.number(), coded, texts: lists.chain(values).flat_map(parts).collect() }
    }

    /// See [`Rule::reason`].
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number).unwrap_or(NoBidReason::NoCampaign)
    }

    /// See [`Rule::side`].
    pub fn side(&self) -> Side {
        side(self.coded)
    }

    /// See [`Rule::values`].
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().skip(lists(self.coded))
    }

    /// See [`Rule::lists`].
    pub fn lists(&self) -> impl Iterator<Item = (u32, &str)> {
        let lists = self.all().take(lists(self.coded));
        lists.filter_map(|(number, second)| Some((number.parse().ok()?, second)))
    }

    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        pairs(self.reason(), self.texts.len(), |position| self.texts.get(position).map(String::as_str))
    }
}

/// The values of `len` texts.
fn pairs<'t>(
    reason: NoBidReason,
    len: usize,
    text: impl Fn(usize) -> Option<&'t str>,
) -> impl Iterator<Item = (&'t str, &'t str)> {
    let parts = if is_pair(reason) { 2 } else { 1 };
    (0..len / parts).map(move |value| {
        let second = if parts == 2 { text(2 * value + 1) } else { None };
        (text(parts * value).unwrap_or_default(), second.unwrap_or_default())
    })
}

fn is_pair(reason: NoBidReason) -> bool {
    kind_of(reason).is_some_and(Kind::is_pair)
}

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
        /// The positions of the values in the index (see [`Index::values`](super::index::Index::values)), sorted by
        /// key.
        pub values: Wide<u32>,
    }
}

/// The lists of a catalog, to find values in them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lists<'s> {
    pub(super) all: List<'s, SharedListDraft>,
    pub(super) values: List<'s, PostingsDraft>,
}

impl<'s> Lists<'s> {
    /// The list with this number.
    pub fn get(self, number: u32) -> Option<SharedList<'s>> {
        self.all.get(number as usize)
    }

    /// Whether a list has a value: a binary search.
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
