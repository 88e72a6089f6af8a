//! What a campaign advertises, from which SSPs and when it buys, what it pays, may spend, and how often people see it.

use super::super::words::{join, list};
use super::super::{checks, clock};
use super::described::Described;
use super::target;
use base::category;
use base::money::Micros;
use catalog::{Advertiser, Bounds, Campaign, CapOn, Catalog, Per, Spender, Ssp};
use flat::List;
use pacing::day::Zone;

pub(super) fn advertises(described: &Described<'_>) -> Vec<String> {
    let campaign = &described.campaign;
    let mut sentences = advertiser("The advertiser", campaign.advertiser());
    for creative in described.catalog.parts().creatives_of(campaign) {
        let own = creative.advertiser().get(0);
        sentences
            .extend(own.into_iter().flat_map(|own| advertiser(&format!("The advertiser of {}", creative.crid()), own)));
    }
    sentences.push("A request that blocks one of these gets no such bid.".into());
    sentences.extend(described.bounds().skadn().map(|own| checks::sentence(&own)));
    if campaign.dsa().is_none() {
        sentences.push("A request that requires information under the Digital Services Act gets no bid.".into());
    }
    sentences
}

fn advertiser(who: &str, advertiser: Advertiser<'_>) -> Vec<String> {
    let mut sentences = vec![format!("{who} has the domains {}.", list(advertiser.adomain().iter()))];
    if !advertiser.bundle().is_empty() {
        sentences.push(format!("{who} advertises the app {}.", advertiser.bundle()));
    }
    if !advertiser.cat().is_empty() {
        let (cats, taxonomy) = (list(advertiser.cat().iter().map(category::code)), advertiser.cattax());
        sentences.push(format!("{who} has the categories {cats} (taxonomy {taxonomy})."));
    }
    sentences
}

pub(super) fn buys_from(described: &Described<'_>) -> Vec<String> {
    let campaign = &described.campaign;
    let all = described.catalog.parts().ssps();
    let own = campaign.ssps();
    let ssps: Vec<Ssp<'_>> = if own.is_empty() {
        all.iter().collect()
    } else {
        own.iter().filter_map(|number| all.get(number as usize)).collect()
    };
    let which = if own.is_empty() { "All SSPs" } else { "Only these SSPs" };
    let sellers = format!("{which}: {}.", list(ssps.iter().map(Ssp::id)));
    let own_price =
        |id: &str| deal_price(campaign, id).map(|most| format!(" (at most {most} {})", campaign.cur().as_str()));
    let agreed = |id: &str| campaign.prices().is_some_and(|prices| prices.guaranteed().iter().any(|own| own == id));
    let guaranteed = |id: &str| if agreed(id) { " (guaranteed)" } else { "" };
    let named = |id: &str| format!("{id}{}{}", own_price(id).unwrap_or_default(), guaranteed(id));
    let deals = list(campaign.deals().iter().map(named));
    let deals = match (campaign.deals().is_empty(), campaign.open()) {
        (true, _) => "It bids without a deal.".to_owned(),
        (false, true) => format!("It bids under the deals {deals}, and without a deal."),
        (false, false) => format!("It bids only under the deals {deals}."),
    };
    let own = ssps.iter().flat_map(|ssp| of_ssp(ssp, campaign));
    [sellers, format!("Its seat is {}.", campaign.seat()), deals].into_iter().chain(own).collect()
}

/// What the bids to an SSP say in another way.
fn of_ssp(ssp: &Ssp<'_>, campaign: &Campaign<'_>) -> Vec<String> {
    let (id, seat) = (ssp.id(), ssp.name_of(campaign.seat()));
    let mut sentences = Vec::new();
    if seat != campaign.seat() {
        sentences.push(format!("At {id}, its seat is {seat}."));
    }
    if !ssp.price_macro().is_empty() {
        sentences.push(format!("For {id}, the macro of the price is {}.", ssp.price_macro()));
    }
    if let Some(members) = ssp.bid_ext().strip_prefix(',') {
        sentences.push(format!("For {id}, bid.ext also has {{{}}}.", shortened(members)));
    }
    sentences
}

/// The start of a long text.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 120;
    let end = text.char_indices().nth(SHOWN).map(|(end, _)| end);
    end.and_then(|end| text.get(..end)).map_or_else(|| text.to_owned(), |start| format!("{start}…"))
}

/// The campaign's own price for a deal.
fn deal_price(campaign: &Campaign<'_>, id: &str) -> Option<Micros> {
    let prices = campaign.prices()?;
    prices.deals().iter().find(|(own, _)| *own == id).map(|(_, most)| most)
}

pub(super) fn times(described: &Described<'_>) -> Vec<String> {
    let bounds = described.bounds();
    let mut sentences = Vec::new();
    if bounds.paused() {
        sentences.push("Never: it is paused.".into());
    }
    for flight in bounds.flights().iter() {
        sentences.push(format!("It bids {}.", told(described, flight)));
    }
    sentences.extend(hours(&bounds));
    if described.campaign.exp() > 0 {
        let seconds = described.campaign.exp();
        sentences.push(format!("Only if the impression is billed within {seconds} seconds of the auction."));
    }
    if sentences.is_empty() { vec!["Always.".into()] } else { sentences }
}

/// A flight in UTC, and in the campaign's zone if it has one.
fn told(described: &Described<'_>, flight: (i64, i64)) -> String {
    let (utc, name) = (clock::flight(flight), described.campaign.zone());
    let local = changes(described).map(|zone| format!(" ({name}: {})", clock::local_flight(flight, &zone)));
    format!("{utc}{}", local.unwrap_or_default())
}

/// The offsets of the campaign's zone. The catalog has them with what depends on them: the hours, or the budget.
fn changes(described: &Described<'_>) -> Option<Zone> {
    let Described { catalog, campaign, position } = described;
    let (name, hours) = (campaign.zone(), described.bounds().hours());
    let of_hours = (hours.zone() == name).then(|| hours.changes());
    let budget = || catalog.parts().budgets().get(catalog.budgets.number(*position)? as usize);
    let own = || budget().filter(|budget| budget.position() as usize == *position).map(|budget| budget.changes());
    let changes: Vec<(i64, i64)> = of_hours.filter(|changes| !changes.is_empty()).or_else(own)?.iter().collect();
    (!name.is_empty() && !changes.is_empty()).then_some(Zone(changes))
}

pub(super) fn pays(described: &Described<'_>) -> Vec<String> {
    let campaign = &described.campaign;
    let (most, shaded, cur) = (campaign.max_cpm(), campaign.shaded_cpm(), campaign.cur());
    let own_price = |id: &str| deal_price(campaign, id).is_some();
    if !campaign.open() && !campaign.deals().is_empty() && campaign.deals().iter().all(own_price) {
        return vec!["Under each deal, at most the deal's own price for a thousand impressions: see above.".into()];
    }
    let unless = if campaign.deals().iter().any(own_price) { ", unless a deal above has its own price" } else { "" };
    let mut sentences = vec![format!("At most {most} {} for a thousand impressions{unless}.", cur.as_str())];
    if shaded != most {
        sentences.push(format!(
            "In a first-price auction it bids {shaded} {}, or the floor if that is higher.",
            cur.as_str()
        ));
    }
    let Some(prices) = campaign.prices() else { return sentences };
    if prices.learned() {
        sentences.push(
            "In a first-price auction without a deal it bids what was learned there, once enough is known.".into(),
        );
    }
    for (number, factor) in prices.multipliers().iter() {
        sentences.push(format!("Times {}: {}", Micros(i64::from(factor)), condition(number, described.catalog)));
    }
    if !prices.multipliers().is_empty() {
        sentences.push(format!("All factors that hold are multiplied, up to {} {}.", prices.ceiling(), cur.as_str()));
    }
    sentences
}

/// When the multiplier at this position in the campaign's `bids` applies.
pub(in super::super) fn condition_of(campaign: &Campaign<'_>, position: u32, catalog: &Catalog<'_>) -> String {
    let entry = campaign.prices().and_then(|prices| prices.multipliers().get(position as usize));
    entry.map_or_else(String::new, |(number, _)| condition(number, catalog))
}

/// The condition with this number, in sentences.
fn condition(number: u32, catalog: &Catalog<'_>) -> String {
    let Some(when) = catalog.parts().conditions().get(number as usize) else { return String::new() };
    let rules = [when.request_rules(), when.imp_rules(), when.spot_rules()];
    let bounds = when.bounds().get(0);
    let hours = bounds.and_then(|bounds| hours(&bounds));
    let all: Vec<String> = target::conditions(catalog, &rules, bounds).into_iter().chain(hours).collect();
    if all.is_empty() { "Always.".to_owned() } else { join(all, " ") }
}

fn hours(bounds: &Bounds<'_>) -> Option<String> {
    (!bounds.hours().week().is_empty()).then(|| format!("It bids {}.", clock::hours(&bounds.hours())))
}

pub(super) fn budget(described: &Described<'_>) -> Vec<String> {
    let Described { catalog, campaign, position } = described;
    let number = catalog.budgets.number(*position);
    let Some(budget) = number.and_then(|number| catalog.parts().budgets().get(number as usize)) else {
        return vec!["Any amount: it has no budget.".into()];
    };
    let amount =
        |nanos: u64| format!("{} {}", Micros(i64::try_from(nanos / 1000).unwrap_or(i64::MAX)), campaign.cur().as_str());
    let limits = |daily: u64, total: u64| {
        let daily = (daily > 0).then(|| format!("{} a day", amount(daily)));
        join(daily.into_iter().chain((total > 0).then(|| format!("{} in all", amount(total)))), ", and ")
    };
    let how = match (budget.is_asap(), budget.curve().is_empty()) {
        (true, _) => "as soon as it can",
        (false, true) => "evenly, as the traffic comes",
        (false, false) => "as its curve says",
    };
    let own = limits(budget.daily(), budget.total());
    let (mut sentences, zone) = match catalog.parts().spender(&budget) {
        Some(Spender::Order(order)) => {
            let shared = format!("It shares the budget of the order {}: {own}, {how}.", order.id());
            (vec![shared], order.zone())
        }
        _ if own.is_empty() => (vec![format!("What its flights may spend, {how}.")], campaign.zone()),
        _ => (vec![format!("{own}, {how}.")], campaign.zone()),
    };
    let zone = if zone.is_empty() { "UTC" } else { zone };
    let flights = described.bounds();
    for (flight, (daily, total)) in flights.flights().iter().zip(flights.flight_budgets().iter()) {
        sentences.push(format!("In the flight {}: {}.", told(described, flight), limits(daily, total)));
    }
    sentences.push(format!("Days are those of {zone}."));
    sentences
}

pub(super) fn caps(described: &Described<'_>) -> Vec<String> {
    let campaign = &described.campaign;
    let mut sentences: Vec<String> =
        caps_text(campaign.caps()).map(|caps| format!("At most {caps} by a person.")).into_iter().collect();
    for creative in described.catalog.parts().creatives_of(campaign) {
        sentences
            .extend(caps_text(creative.caps()).map(|caps| format!("{}: at most {caps} by a person.", creative.crid())));
    }
    if sentences.is_empty() {
        return vec!["Any number of times by a person.".into()];
    }
    let counted = match campaign.cap_on() {
        CapOn::Bill => "Billed impressions count.",
        CapOn::Bid => "Bids count, also those that lose.",
    };
    sentences.push(counted.into());
    sentences
}

/// `2 times a day, 10 times in 180 days`; `None` without caps.
fn caps_text(caps: List<'_, (Per, u32)>) -> Option<String> {
    let text = |(per, times): (Per, u32)| {
        let time = match per {
            Per::Hour => "an hour",
            Per::Day => "a day",
            Per::Week => "a week",
            Per::Lifetime => "in a lifetime",
        };
        format!("{times} {} {time}", if times == 1 { "time" } else { "times" })
    };
    (!caps.is_empty()).then(|| join(caps.iter().map(text), ", "))
}
