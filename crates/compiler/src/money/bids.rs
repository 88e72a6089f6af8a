//! Multipliers of `max_cpm`: compiles their conditions, and computes the most that a campaign can pay.

use std::collections::HashMap;

use super::exclusive::exclude_each_other;
use super::prices::ceiling;
use crate::references::References;
use crate::targets::target;
use base::money::{Currency, Micros, Rounding};
use catalog::{CampaignDraft, ConditionDraft, PricesDraft};
use catalog::{ONE, times};
use document::check::At;
use document::decode::Rule;
use document::{CampaignEntry, Document};
use flat::Laid;

/// A factor from here on may be meant in per cent. In millionths.
const MOST_USUAL: u32 = 5_000_000;

/// Gives the campaigns, which are in the order of the document, their multipliers. Returns the conditions, each once.
pub(crate) fn compile(
    document: &Document,
    references: &References<'_>,
    campaigns: &mut [CampaignDraft],
    at: &At<'_>,
) -> Vec<ConditionDraft> {
    let mut conditions = Conditions::default();
    for (i, (entry, campaign)) in document.campaigns.iter().zip(campaigns).enumerate() {
        if entry.bids.is_empty() {
            continue;
        }
        let multipliers = multipliers(entry, campaign, references, &mut conditions, &at.item("campaigns", i));
        let ceiling = references.rates.convert(ceiling(document), Currency::USD, campaign.cur, Rounding::Down);
        let ceiling = ceiling.unwrap_or(campaign.max_cpm).max(campaign.max_cpm);
        campaign.change_bounds(|bounds| {
            let prices = bounds.prices.pop().unwrap_or_default();
            bounds.prices.push(PricesDraft { multipliers, ceiling, ..prices });
        });
    }
    conditions.all
}

fn multipliers(
    entry: &CampaignEntry,
    campaign: &CampaignDraft,
    references: &References<'_>,
    conditions: &mut Conditions,
    at: &At<'_>,
) -> Vec<(u32, u32)> {
    let mut multipliers = Vec::new();
    for (j, bid) in entry.bids.iter().enumerate() {
        let (Some(when), parent) = (&bid.when, at.item("bids", j)) else { continue };
        let at = parent.attribute("when");
        let condition = target::compile(when, references, &at);
        let Some(factor) = bid.times else { continue };
        if factor.0 >= MOST_USUAL {
            let message = format!(
                "{} times the price; expected a factor, such as \"1.2\" for 20 % more",
                Micros(factor.0.into())
            );
            parent.attribute("times").report(Rule::Ambiguous, message);
        }
        if exclude_each_other(&condition, &target_of(campaign)) {
            let message = "never matches where the campaign's target matches, so the factor never applies; expected values within target";
            at.report(Rule::Contradiction, message);
        }
        multipliers.push((conditions.number(condition), factor.0));
    }
    multipliers
}

/// The target of a campaign as a condition.
fn target_of(campaign: &CampaignDraft) -> ConditionDraft {
    ConditionDraft {
        request_rules: campaign.request_rules.clone(),
        imp_rules: campaign.imp_rules.clone(),
        spot_rules: campaign.spot_rules.clone(),
        bounds: campaign.bounds.clone(),
    }
}

/// The conditions so far, each once.
#[derive(Default)]
struct Conditions {
    all: Vec<ConditionDraft>,
    /// The number of each condition, by its bytes in a snapshot.
    numbers: HashMap<(Vec<u8>, String), u32>,
}

impl Conditions {
    /// The number of an equal condition, or a new one.
    fn number(&mut self, condition: ConditionDraft) -> u32 {
        let laid = Laid::out(&condition);
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry((laid.records, laid.text)).or_insert(next);
        if number == next {
            self.all.push(condition);
        }
        number
    }
}

/// The most that a campaign can pay without a deal, in its currency: `max_cpm` times the best choice of factors whose
/// conditions can hold together with each other and with the target, as far as [`exclude_each_other`] sees it.
///
/// Rounding down keeps the order of amounts, so leaving out a factor under 1 never makes the result smaller.
pub(crate) fn most(campaign: &CampaignDraft, conditions: &[ConditionDraft]) -> Micros {
    let Some(prices) = campaign.bounds.first().and_then(|bounds| bounds.prices.first()) else {
        return campaign.max_cpm;
    };
    if prices.multipliers.is_empty() {
        return campaign.max_cpm;
    }
    let target = target_of(campaign);
    let all = prices.multipliers.iter();
    let all = all.filter_map(|(number, factor)| Some((conditions.get(*number as usize)?, *factor)));
    let raising = all.filter(|(condition, factor)| *factor > ONE || always_holds(condition));
    let raising: Vec<(&ConditionDraft, u32)> =
        raising.filter(|(condition, _)| !exclude_each_other(condition, &target)).collect();
    // Only later factors: a choice goes through the factors in their order.
    let excluded = |at: u32, one: &ConditionDraft| -> u32 {
        let later = raising.iter().zip(0..u32::BITS).filter(|(_, bit)| *bit > at);
        later.fold(0, |bits, ((other, _), bit)| bits | u32::from(exclude_each_other(one, other)) << bit)
    };
    let raising: Vec<(u32, u32)> = raising.iter().zip(0..).map(|((one, by), at)| (excluded(at, one), *by)).collect();
    dearest(campaign.max_cpm, &raising, 0, 0).min(prices.ceiling)
}

fn always_holds(ConditionDraft { request_rules, imp_rules, spot_rules, bounds }: &ConditionDraft) -> bool {
    request_rules.is_empty() && imp_rules.is_empty() && spot_rules.is_empty() && bounds.is_empty()
}

/// The most that `amount` becomes with the factors from `at` on, without those that `out` has bits of. Each factor comes
/// with the bits of the later ones that it excludes.
fn dearest(amount: Micros, factors: &[(u32, u32)], at: usize, out: u32) -> Micros {
    let Some((excluded, factor)) = factors.get(at) else { return amount };
    if out >> at & 1 == 1 {
        return dearest(amount, factors, at + 1, out);
    }
    let with = dearest(times(amount, *factor), factors, at + 1, out | excluded);
    // A factor that excludes no later one is always worth taking.
    if excluded >> at >> 1 & !(out >> at >> 1) == 0 { with } else { with.max(dearest(amount, factors, at + 1, out)) }
}

#[cfg(test)]
mod tests;
