//! Builds the index of the campaigns: for each value of a dimension, the campaigns that include or exclude it.

mod creatives;
mod shared;
mod sides;

use std::collections::{BTreeMap, BTreeSet};

use crate::own_values::Values;
use base::hash::hash_of;
use base::{category::ABOVE, domain};
use catalog::index::{
    ANY_CATEGORY, BitsetDraft, CategorySetDraft, DimensionDraft, FrameDraft, IndexDraft, Key, NativePartUseDraft,
    PostingListDraft, PostingsDraft, RatioDraft, RefusalDraft, entry, number_key,
};
use catalog::{CampaignDraft, ConditionDraft, CreativeDraft, NativePart, RuleDraft, Shape, SharedListDraft, Side};
use flat::Wide;
use reasons::kind::{Kind, kind_of};
use reasons::no_bid::NoBidReason as R;
use rules::dsa;
use sides::{Shared, Sides};

use document::ListEntry;

/// The index of `campaigns`, which are sorted by `worth`: the most that each one pays, in micros of a US dollar.
///
/// Returns the `lists` of the document too, with the positions of their values in the index. The `conditions` of
/// multipliers may name lists too.
pub(super) fn build(
    campaigns: &[CampaignDraft],
    (creatives, values): (&[CreativeDraft], &Values),
    worth: Vec<i64>,
    (lists, conditions): (&[ListEntry], &[ConditionDraft]),
) -> (IndexDraft, Vec<SharedListDraft>) {
    let mut builder = Builder { count: campaigns.len(), ..Builder::default() };
    let mut open = BitsetDraft::none(campaigns.len());
    for (place, campaign) in campaigns.iter().enumerate() {
        if campaign.open {
            open.add(place);
        }
        builder.place = place;
        // The high bits are the random ones.
        builder.ids.push(u32::try_from(hash_of(&campaign.cid) >> 32).unwrap_or_default());
        builder.campaign(campaign);
        let shown: Vec<&CreativeDraft> =
            campaign.creatives.iter().filter_map(|at| creatives.get(*at as usize)).collect();
        builder.creatives(&shown);
        builder.needs_of(&values.shown(campaign));
    }
    for rule in conditions.iter().flat_map(|one| one.request_rules.iter().chain(&one.imp_rules)) {
        for (number, second) in rule.lists() {
            builder.lists.entry((number, rule.reason(), second.to_owned())).or_default();
        }
    }
    let shared = builder.shared(lists);
    (builder.finish(worth, open), shared)
}

#[derive(Default)]
pub(super) struct Builder {
    /// The number of campaigns.
    count: usize,
    /// The place of the campaign that is being added.
    place: usize,
    /// For each dimension, the campaigns that include values in it.
    selective: BTreeMap<R, Vec<usize>>,
    /// For each dimension and taxonomy, the campaigns that refuse a request without a known value.
    refuse_unknown: BTreeMap<R, BTreeMap<i64, Vec<u32>>>,
    /// For each value, the campaigns that include it and those that exclude it.
    values: BTreeMap<OwnedKey, Sides>,
    /// For each list in a dimension, the campaigns that include its values and those that exclude them.
    lists: BTreeMap<ListUse, Sides>,
    /// For each ratio of width to height, the campaigns with a flexible banner of this ratio.
    ratios: BTreeMap<Shape, Vec<u32>>,
    /// For each part of native ads, the campaigns with such an ad.
    native_parts: BTreeMap<NativePart, Vec<u32>>,
    /// For each width and height of video and audio ads, the campaigns with such an ad.
    frames: BTreeMap<(i64, i64), Vec<u32>>,
    /// A hash of each campaign's id.
    ids: Vec<u32>,
    /// The durations of video and audio ads.
    durations: BTreeSet<i64>,
    /// The taxonomies of all categories.
    taxonomies: BTreeSet<i64>,
    /// The number of each category (in lower case) of a taxonomy.
    categories: BTreeMap<(String, i64), u32>,
    /// For each set of categories, the campaigns that have it.
    category_sets: BTreeMap<BTreeSet<u32>, Vec<u32>>,
}

/// A value: its dimension and its two parts.
type OwnedKey = (R, Vec<u8>, Vec<u8>);

/// A list in a dimension: its number, and the second part of its values.
type ListUse = (u32, R, String);

impl Builder {
    fn campaign(&mut self, campaign: &CampaignDraft) {
        if !campaign.ssps.is_empty() {
            campaign.ssps.iter().for_each(|ssp| self.select(R::Ssp, &number_key(i64::from(*ssp)), b""));
        }
        self.select(R::Seat, campaign.seat.as_bytes(), b"");
        for rule in campaign.request_rules.iter().chain(&campaign.imp_rules) {
            self.rule(rule);
        }
        // The other sides stay out of the index: it does not know which ad object a creative would fill, and another
        // object of the impression may have a different value.
        for rule in campaign.spot_rules.iter().filter(|rule| rule.side() == Side::Include) {
            self.rule(rule);
        }
        self.blockable(campaign);
        for deal in &campaign.deals {
            self.select(R::Deal, deal.as_bytes(), b"");
        }
    }

    fn rule(&mut self, rule: &RuleDraft) {
        let reason = rule.reason();
        for value in rule.values() {
            with_key(reason, value, |a, b| match rule.side() {
                Side::Include => self.select(reason, a, b),
                Side::Exclude => self.exclude(reason, a, b),
                Side::Known => {}
            });
        }
        for (number, second) in rule.lists() {
            let place = self.place;
            let sides = self.lists.entry((number, reason, second.to_owned())).or_default();
            match rule.side() {
                Side::Include => {
                    add(&mut sides.include, place);
                    self.selects(reason);
                }
                Side::Exclude => add(&mut sides.exclude, place),
                Side::Known => {}
            }
        }
        if rule.side() == Side::Known {
            let cattax = rule.values().next().and_then(|(_, cattax)| cattax.parse().ok()).unwrap_or(0);
            add(self.refuse_unknown.entry(reason).or_default().entry(cattax).or_default(), self.place);
        }
    }

    /// Adds what a request may block or require: advertiser, app, categories, DSA.
    fn blockable(&mut self, campaign: &CampaignDraft) {
        for pubrender in dsa::refused(campaign.dsa.as_ref().map(|dsa| dsa.adrender)) {
            self.exclude(R::Dsa, &number_key(*pubrender), b"");
        }
        if campaign.bounds.first().is_some_and(|bounds| bounds.has_advertisers) {
            // Each creative is checked; an empty set of categories lets the campaign through every `acat`.
            add(self.category_sets.entry(BTreeSet::new()).or_default(), self.place);
            return;
        }
        let advertiser = &campaign.advertiser;
        for domain in advertiser.adomain.iter().flat_map(|domain| domain::and_parents(domain)) {
            self.exclude(R::Badv, domain.as_bytes(), b"");
        }
        if !advertiser.bundle.is_empty() {
            self.exclude(R::Bapp, advertiser.bundle.as_bytes(), b"");
        }
        let cattax = advertiser.cattax.to_string();
        for cat in &advertiser.cat {
            self.taxonomies.insert(advertiser.cattax);
            self.exclude(R::Bcat, cattax.as_bytes(), ANY_CATEGORY);
            for a in cat.split(ABOVE) {
                self.exclude(R::Bcat, a.as_bytes(), cattax.as_bytes());
            }
        }
        let numbers: BTreeSet<u32> = advertiser.cat.iter().map(|cat| self.category(cat, advertiser.cattax)).collect();
        if !numbers.is_empty() {
            add(self.category_sets.entry(numbers).or_default(), self.place);
        }
    }

    /// The number of a category. An `acat` with the category itself or one above it allows the category.
    fn category(&mut self, cat: &str, cattax: i64) -> u32 {
        let next = u32::try_from(self.categories.len()).unwrap_or(u32::MAX);
        let number = *self.categories.entry((cat.to_ascii_lowercase(), cattax)).or_insert(next);
        if number == next {
            for a in cat.split(ABOVE) {
                add(&mut self.value(R::Acat, a.as_bytes(), cattax.to_string().as_bytes()).include, number as usize);
            }
        }
        number
    }

    /// Adds the ratio of a flexible banner of the campaign.
    pub(super) fn keeps(&mut self, ratio: Shape) {
        add(self.ratios.entry(ratio).or_default(), self.place);
    }

    /// Adds a value that the campaign includes. A request without an included value does not match the campaign.
    pub(super) fn select(&mut self, reason: R, a: &[u8], b: &[u8]) {
        self.selects(reason);
        self.include(reason, a, b);
    }

    fn selects(&mut self, reason: R) {
        let all = self.selective.entry(reason).or_default();
        if all.last() != Some(&self.place) {
            all.push(self.place);
        }
    }

    fn include(&mut self, reason: R, a: &[u8], b: &[u8]) {
        let place = self.place;
        add(&mut self.value(reason, a, b).include, place);
    }

    pub(super) fn exclude(&mut self, reason: R, a: &[u8], b: &[u8]) {
        let place = self.place;
        add(&mut self.value(reason, a, b).exclude, place);
    }

    fn value(&mut self, reason: R, a: &[u8], b: &[u8]) -> &mut Sides {
        let folds = Key { reason, a, b }.folds();
        let fold = |text: &[u8]| if folds { text.to_ascii_lowercase() } else { text.to_owned() };
        self.values.entry((reason, fold(a), fold(b))).or_default()
    }

    fn finish(mut self, worth: Vec<i64>, open: BitsetDraft) -> IndexDraft {
        let count = self.count;
        let list = |members: Vec<u32>| PostingListDraft::new(members, count);
        // Dimensions in which campaigns only exclude values, or the unknown, count too.
        let any = self.values.keys().map(|(reason, ..)| reason).chain(self.refuse_unknown.keys());
        let mut asked: BTreeMap<R, Vec<usize>> = any.map(|reason| (*reason, Vec::new())).collect();
        asked.extend(self.selective);
        let with_empty_value = self.values.keys().filter(|(_, a, _)| a.is_empty()).map(|(reason, ..)| *reason);
        let with_empty_value: BTreeSet<R> = with_empty_value.collect();
        let mut dimension = |(reason, selective): (R, Vec<usize>)| {
            let mut accept_any = BitsetDraft::all(self.count);
            for place in &selective {
                accept_any.remove(*place);
            }
            let accept_any_count = u32::try_from(self.count - selective.len()).unwrap_or(u32::MAX);
            let has_empty_value = with_empty_value.contains(&reason);
            let refusing = self.refuse_unknown.remove(&reason).unwrap_or_default().into_iter();
            let refuse_unknown =
                refusing.map(|(cattax, campaigns)| RefusalDraft { cattax, campaigns: list(campaigns) }).collect();
            DimensionDraft { number: reason.number(), accept_any, accept_any_count, has_empty_value, refuse_unknown }
        };
        let table = table(self.values.keys());
        let categories = self.categories.len();
        let mut shared = Shared::new(self.lists.into_values().collect(), count);
        let values = self.values.into_iter().map(|((reason, a, b), sides)| {
            let (include, exclude) = match (sides.lists.is_empty(), reason) {
                (true, R::Acat) => (PostingListDraft::new(sides.include, categories), list(sides.exclude)),
                (true, _) => (list(sides.include), list(sides.exclude)),
                (false, _) => shared.postings(sides),
            };
            PostingsDraft {
                number: reason.number(),
                // No text of a request is longer: see `limits::MAX_TEXT_BYTES`.
                first: u16::try_from(a.len()).unwrap_or(u16::MAX),
                key: Wide([a, b].concat()),
                include,
                exclude,
            }
        });
        let category_sets = self.category_sets.into_iter().map(|(categories, campaigns)| CategorySetDraft {
            categories: categories.into_iter().collect(),
            campaigns: list(campaigns),
        });
        let parts = self.native_parts.into_iter();
        let native_parts = parts.map(|(part, members)| NativePartUseDraft { part, campaigns: list(members) });
        let frames = self.frames.into_iter().map(|((w, h), members)| FrameDraft { w, h, campaigns: list(members) });
        let ratios = self.ratios.into_iter().map(|(shape, members)| RatioDraft { shape, campaigns: list(members) });
        IndexDraft {
            worth: Wide(worth),
            open,
            dimensions: Wide(asked.into_iter().map(&mut dimension).collect()),
            table: Wide(table),
            values: Wide(values.collect()),
            ratios: ratios.collect(),
            native_parts: native_parts.collect(),
            frames: frames.collect(),
            ids: Wide(self.ids),
            durations: self.durations.into_iter().collect(),
            taxonomies: self.taxonomies.into_iter().collect(),
            categories: u32::try_from(categories).unwrap_or(u32::MAX),
            category_sets: Wide(category_sets.collect()),
        }
    }
}

/// Calls `with` with both parts of the key of a value.
fn with_key(reason: R, (first, second): (&str, &str), with: impl FnOnce(&[u8], &[u8])) {
    match kind_of(reason) {
        Some(Kind::Number | Kind::Offset | Kind::Flag | Kind::Channel) => {
            with(&number_key(first.parse().unwrap_or_default()), b"");
        }
        _ => with(first.as_bytes(), second.as_bytes()),
    }
}

/// Adds a place to a sorted list. The place is at least as high as the last one.
fn add(members: &mut Vec<u32>, place: usize) {
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    if members.last() != Some(&place) {
        members.push(place);
    }
}

/// The hash table of these values. It is at most half full.
fn table<'k>(values: impl ExactSizeIterator<Item = &'k OwnedKey>) -> Vec<u32> {
    let size = (values.len() * 2 + 1).next_power_of_two();
    let mut table = vec![0; size];
    for ((reason, a, b), place) in values.zip(0..) {
        let hash = Key { reason: *reason, a, b }.hash();
        let (front, rear) = table.split_at_mut(hash as usize & (size - 1));
        if let Some(free) = rear.iter_mut().chain(front).find(|held| **held == 0) {
            *free = entry(hash, place);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_a_quarter_to_half_full() {
        for values in 0..200 {
            let keys: Vec<_> = (0..values).map(|value| (R::Id, value.to_string().into_bytes(), vec![])).collect();
            let table = table(keys.iter());
            assert!((values * 2 + 1..=values * 4 + 1).contains(&table.len()), "{values} values: {}", table.len());
            assert_eq!(table.iter().filter(|held| **held != 0).count(), values);
        }
    }
}
