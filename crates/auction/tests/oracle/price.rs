//! The floor and the price of a bid, in micros of the answer's currency: multipliers, prices of deals, shading.

use catalog::Catalog;
use proptest::prelude::*;
use reasons::no_bid::NoBidReason as Reason;
use serde_json::{Value, json};

use super::campaign::{of_imp, schain};
use super::compare::Check;
use super::creative::{medium, placement};
use super::eligible::Expected;
use super::json::{at, has, int, list, text};
use super::money::Exact;
use super::pair::Auction;
use super::supply::supply;
use super::targeting::failures;

const FIRST_PRICE: i64 = 1;
const AGREED_PRICE: i64 = 3;

/// The allowed prices: one value, or for a shaded price a range that leaves room for rounding.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    pub least: i128,
    pub most: i128,
}

/// A bid that needs a price.
pub struct Pricing<'p> {
    pub auction: &'p Auction<'p>,
    pub request: &'p Value,
    pub campaign: &'p Value,
    pub creative: &'p Value,
    pub imp: &'p Value,
    /// `null` without a deal.
    pub deal: &'p Value,
    /// The currency of the answer.
    pub cur: &'p str,
}

impl Pricing<'_> {
    /// The price, or the check that the bid fails.
    pub fn price(&self) -> Result<Price, Reason> {
        if self.floor_is_unreadable() {
            return Err(Reason::FloorUnreadable);
        }
        let most = self.in_cur(self.offer(self.max_cpm()), self.campaign).ok_or(Reason::Rate)?.micros_down();
        let at = self.auction.at(self.deal);
        let agreed = (at == AGREED_PRICE).then(|| (amount(self.deal, "bidfloor"), currency(self.deal, "bidfloorcur")));
        let (floor, floor_cur) = agreed.unwrap_or_else(|| self.floor());
        let floor = floor.convert(floor_cur, self.cur).ok_or(Reason::Rate)?.micros_up();
        if most < floor || most == 0 {
            return Err(Reason::Floor);
        }
        let shaded = if at == FIRST_PRICE { self.shaded() } else { None };
        Ok(match shaded {
            _ if at == AGREED_PRICE => Price { least: floor, most: floor },
            Some((least, greatest)) => {
                let floor = floor.max(1);
                Price { least: least.clamp(floor, most), most: greatest.clamp(floor, most) }
            }
            None => Price { least: most, most },
        })
    }

    /// Whether the floor that counts, or its currency, is unreadable. Generated floors by duration are readable.
    fn floor_is_unreadable(&self) -> bool {
        let odd = |holder: &Value| has(holder, "bidfloor") && !at(holder, "bidfloor").is_number();
        let odd_cur = |holder: &Value| has(holder, "bidfloorcur") && !at(holder, "bidfloorcur").is_string();
        if let Some(floor) = self.by_duration(self.deal) {
            return odd_cur(self.deal) && !floor.is_zero();
        }
        if odd(self.deal) || floor_over_zero(self.deal).is_some() {
            return odd(self.deal) || odd_cur(self.deal);
        }
        if let Some(floor) = self.by_duration(at(self.imp, medium(self.creative))) {
            let counts = self.is_highest() && floor_over_zero(self.imp).is_some();
            return self.is_highest() && odd(self.imp) || odd_cur(self.imp) && (!floor.is_zero() || counts);
        }
        odd(self.imp) || (odd_cur(self.imp) && floor_over_zero(self.imp).is_some())
    }

    /// The deal's own price, else the campaign's.
    fn max_cpm(&self) -> i128 {
        let own = of_deal(self.campaign, self.deal).unwrap_or_else(|| text(self.campaign, "max_cpm"));
        Exact::parse(own).micros_down()
    }

    /// An amount with the multipliers; the price of a deal is taken as it is.
    fn offer(&self, micros: i128) -> Exact {
        if of_deal(self.campaign, self.deal).is_some() {
            return Exact::micros(micros);
        }
        let factors = factors(self.auction, self.campaign, self.creative, self.imp);
        Exact::micros(multiplied(micros, &factors, self.auction, self.campaign))
    }

    fn in_cur(&self, amount: Exact, campaign: &Value) -> Option<Exact> {
        amount.convert(currency(campaign, "cur"), self.cur)
    }

    /// The floor of the deal, else of the video or audio object, else of the impression.
    fn floor(&self) -> (Exact, &str) {
        let of_deal = || {
            Some((
                self.by_duration(self.deal).or_else(|| floor_over_zero(self.deal))?,
                currency(self.deal, "bidfloorcur"),
            ))
        };
        let own = || amount(self.imp, "bidfloor");
        let of_media = || {
            let floor = self.by_duration(at(self.imp, medium(self.creative)))?;
            let is_lower = self.is_highest() && floor.micros_up() < own().micros_up();
            Some((if is_lower { own() } else { floor }, currency(self.imp, "bidfloorcur")))
        };
        let of_imp = || (own(), currency(self.imp, "bidfloorcur"));
        of_deal().or_else(of_media).unwrap_or_else(of_imp)
    }

    /// Whether the SSP enforces the floor of the impression for every ad.
    fn is_highest(&self) -> bool {
        at(self.auction.ssp(), "floors") == "highest"
    }

    /// The floor for the ad's duration.
    fn by_duration(&self, holder: &Value) -> Option<Exact> {
        let medium = medium(self.creative);
        let seconds = int(at(self.creative, medium), "dur").filter(|_| matches!(medium, "video" | "audio"))?;
        if has(holder, "mincpmpersec") {
            return Some(amount(holder, "mincpmpersec").times(seconds));
        }
        let covers = |range: &&Value| {
            int(range, "mindur").is_none_or(|least| least <= seconds)
                && int(range, "maxdur").is_none_or(|most| seconds <= most)
        };
        list(holder, "durfloors").iter().find(covers).map(|range| amount(range, "bidfloor"))
    }

    /// The bid that earns the most, give or take a hundred-thousandth of `max_cpm`.
    fn shaded(&self) -> Option<(i128, i128)> {
        if of_deal(self.campaign, self.deal).is_some() {
            return None;
        }
        let shading = at(self.campaign, "shading");
        let steepness = i32::try_from(int(shading, "steepness")?).unwrap();
        let (max, typical): (f64, f64) =
            (text(self.campaign, "max_cpm").parse().unwrap(), text(shading, "typical").parse().unwrap());
        let earns = |bid: f64| (max - bid) * bid.powi(steepness) / (bid.powi(steepness) + typical.powi(steepness));
        let (mut low, mut high) = (0.0, max);
        while high - low > max / 1e9 {
            let third = (high - low) / 3.0;
            if earns(low + third) < earns(high - third) { low += third } else { high -= third }
        }
        let bound = |share: f64| {
            #[allow(clippy::cast_possible_truncation)]
            let micros = ((low + share * max) * 1e6) as i128;
            self.in_cur(self.offer(micros.max(0)), self.campaign).unwrap().micros_down()
        };
        Some((bound(-0.000_01), bound(0.000_01)))
    }
}

/// A floor, rounded up to micros; 0 if it is no number.
fn amount(holder: &Value, key: &str) -> Exact {
    let number = at(holder, key);
    Exact::micros(if number.is_number() { Exact::parse(&number.to_string()).micros_up() } else { 0 })
}

fn floor_over_zero(holder: &Value) -> Option<Exact> {
    Some(amount(holder, "bidfloor")).filter(|floor| !floor.is_zero())
}

fn currency<'v>(holder: &'v Value, key: &str) -> &'v str {
    if has(holder, key) { text(holder, key) } else { "USD" }
}

/// The ceiling of a catalog that states none, in US dollars.
const USUAL_CEILING: &str = "200";

/// The factors that hold for a bid, in the order of the campaign's `bids`.
pub fn factors<'p>(auction: &Auction<'_>, campaign: &'p Value, creative: &Value, imp: &Value) -> Vec<&'p str> {
    let holds = |when: &Value| {
        // A campaign with nothing but this target.
        let other = json!({ "target": when });
        failures(when, auction.request, auction.settings).is_empty()
            && schain(when, auction).is_none()
            && supply(when, auction).is_none()
            && of_imp(&other, imp, auction).is_empty()
            && placement(when, medium(creative), at(imp, medium(creative))).is_none()
    };
    list(campaign, "bids").iter().filter(|bid| holds(at(bid, "when"))).map(|bid| text(bid, "times")).collect()
}

/// An amount in micros times all factors, each result rounded down to a micro, and at most the catalog's ceiling.
pub fn multiplied(micros: i128, factors: &[&str], auction: &Auction<'_>, campaign: &Value) -> i128 {
    if factors.is_empty() {
        return micros;
    }
    let product = factors.iter().fold(micros, |micros, factor| {
        let millionths = Exact::parse(factor).micros_down();
        micros * millionths / 1_000_000
    });
    let ceiling =
        if has(auction.catalog, "max_cpm_ceiling") { text(auction.catalog, "max_cpm_ceiling") } else { USUAL_CEILING };
    let cur = if has(campaign, "cur") { text(campaign, "cur") } else { "USD" };
    product.min(Exact::parse(ceiling).convert("USD", cur).unwrap().micros_down())
}

/// The deal's own price in the campaign.
pub fn of_deal<'p>(campaign: &'p Value, deal: &Value) -> Option<&'p str> {
    let id = text(deal, "id");
    list(campaign, "deals").iter().find(|own| !id.is_empty() && text(own, "id") == id).map(|own| text(own, "max_cpm"))
}

/// The ids of a campaign's deals, with and without prices.
pub fn deal_ids(campaign: &Value) -> Vec<&str> {
    list(campaign, "deals").iter().map(|deal| deal.as_str().unwrap_or_else(|| text(deal, "id"))).collect()
}

/// Whether no campaign pays more without a deal than its worth in the index says. The worth is in micros of a US dollar,
/// rounded down.
pub fn worth_is_most(auction: &Auction<'_>, expected: &Expected<'_>, catalog: &Catalog<'_>) -> Check {
    let own = catalog.parts().campaigns();
    for eligible in expected.imps.iter().flat_map(|imp| &imp.eligible).filter(|eligible| eligible.deal.is_null()) {
        let cid = text(eligible.campaign, "cid");
        let position = own.iter().position(|campaign| campaign.cid() == cid).unwrap();
        let worth = catalog.index.stored.worth().get(position).unwrap();
        let most = Exact::micros(i128::from(worth) + 1).convert("USD", auction.cur().unwrap()).unwrap().micros_up();
        for (_, price) in &eligible.creatives {
            prop_assert!(price.least <= most, "campaign {} pays {:?}, but is worth only {}", cid, price, worth);
        }
    }
    Ok(())
}
