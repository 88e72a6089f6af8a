//! Reads a notice: whether it is ours, what it tells, and what it costs.
//!
//! A notice that leaves any doubt books nothing, and the verdict says why.

use bumpalo::Bump;

use super::codec::{self, PriceError};
use super::directory::Directory;
use super::price_keys::PriceKeys;
use crate::catalog::{Catalog, Codec, PriceMissing, Ssp};
use crate::limits::{
    MAX_CLOCK_SKEW_S, MAX_LOSS_CODE, MAX_MULTIPLIER, MAX_PER_CENT_OVER_BID, MAX_PER_CENT_OVER_BID_CONVERTED, MAX_PRICE,
    NOTICE_HOURS,
};
use crate::money::{Currency, Micros, Rounding};
use crate::notices::{BadToken, Notice, Notices, Token};
use crate::percent;
use crate::write::{Object, QUARTER_S, hex, hex_string};

/// The effect of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// An impression is to be booked at this price.
    Bill(Cost),
    /// The bid has won; nothing is booked.
    Win,
    /// The bid has lost, with the exchange's loss code; `None`: unreadable.
    Loss(Option<u32>),
    /// Nothing.
    Refused(Why),
}

/// The price of one impression. One thousandth of a price per mille in micros is a price in nanos, so the same numbers
/// are billionths of a unit for one impression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// The currency of the price.
    pub cur: Currency,
    /// The price per thousand impressions, times the multiplier of a screen.
    pub price: Micros,
    /// The same in US dollars.
    pub usd: Micros,
    /// The same in the campaign's currency.
    pub own: Micros,
    /// Whether the notice had no price, and the price of the bid is taken.
    pub is_assumed: bool,
}

/// Why a notice does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The token is cut or garbled.
    Malformed,
    /// The token is not signed by us.
    Forged,
    /// The auction was a test.
    Test,
    /// The notice comes later than the SSP's `notice_hours`.
    Expired,
    /// The token is from the future.
    Future,
    /// The price cannot be used.
    Price(PriceError),
    /// The price is above the bid.
    AboveBid,
    /// The multiplier of a screen is unreadable, not above 0, or above [`MAX_MULTIPLIER`].
    Multiplier,
    /// The catalog has no rate for a currency.
    Rate,
}

impl Why {
    /// The name in counters and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Why::Malformed => "malformed",
            Why::Forged => "forged",
            Why::Test => "test",
            Why::Expired => "expired",
            Why::Future => "future",
            Why::Price(error) => error.as_str(),
            Why::AboveBid => "price-above-bid",
            Why::Multiplier => "multiplier",
            Why::Rate => "rate",
        }
    }
}

/// A notice that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// What it tells.
    pub notice: Notice,
    /// What it does.
    pub effect: Effect,
    /// What it is about; `None` if the token is not ours.
    pub token: Option<Token>,
    /// `${AUCTION_MIN_TO_WIN}`: the highest price of another bidder, per thousand impressions. `None` if unreadable.
    pub min_to_win: Option<Micros>,
    /// The price in the notice per thousand impressions, if it is readable.
    pub price: Option<Micros>,
    /// The currency of the prices in the notice.
    pub cur: Currency,
}

/// Reads notices.
#[derive(Debug, Clone, Copy)]
pub struct Desk<'d, 's> {
    /// The keys of tokens.
    pub notices: &'d Notices,
    /// The keys of encoded prices.
    pub price_keys: &'d PriceKeys,
    /// The names in `catalog`.
    pub directory: &'d Directory,
    /// The catalog with the settings of the SSPs, and the rates.
    pub catalog: &'d Catalog<'s>,
    /// The time, in milliseconds since the Unix epoch.
    pub now_ms: i64,
}

impl<'s> Desk<'_, 's> {
    /// Reads the end of a notice's URL, `KIND/TOKEN?QUERY`. `None` if there is no such kind of notice.
    #[must_use]
    pub fn read(&self, text: &[u8], arena: &Bump) -> Option<Verdict> {
        // A replacement character makes a token malformed and a price unreadable.
        let text = String::from_utf8_lossy(text);
        let (kind, rest) = text.split_once('/')?;
        let notice = Notice::parse(kind)?;
        let (token, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parameters = Parameters { query, arena };
        Some(match self.notices.keys.verify(token) {
            Err(BadToken::Malformed) => Verdict::refused(notice, Why::Malformed),
            Err(BadToken::Forged) => Verdict::refused(notice, Why::Forged),
            Ok(token) => {
                let ssp = self.directory.ssp(token.ssp, self.catalog);
                let told = Told {
                    token: &token,
                    ssp,
                    price: self.price(ssp, &parameters),
                    cur: currency(&token, ssp, &parameters),
                    parameters: &parameters,
                };
                let effect = self.effect(notice, &told).unwrap_or_else(Effect::Refused);
                let min_to_win = parameters.get("m").and_then(|text| codec::decode(Codec::Plain, None, text).ok());
                let (price, cur) = (told.price.ok(), told.cur);
                Verdict { notice, effect, token: Some(token), min_to_win, price, cur }
            }
        })
    }

    fn effect(&self, notice: Notice, told: &Told<'_, 's>) -> Result<Effect, Why> {
        let &Told { token, ssp, parameters, .. } = told;
        if token.test {
            return Err(Why::Test);
        }
        let age_s = self.now_ms / 1000 - i64::from(token.issued_s);
        let hours = ssp.map_or(NOTICE_HOURS, |ssp| ssp.notice_hours());
        if age_s < -MAX_CLOCK_SKEW_S {
            return Err(Why::Future);
        }
        if age_s > i64::from(hours) * 3600 {
            return Err(Why::Expired);
        }
        if [parameters.get("p"), parameters.get("l")].contains(&Some("AUDIT")) {
            return Err(Why::Price(PriceError::Audit));
        }
        match notice {
            Notice::Loss => Ok(Effect::Loss(parameters.get("l").and_then(loss_code))),
            Notice::Win if !token.win_bills => Ok(Effect::Win),
            Notice::Win | Notice::Bill | Notice::Imp => self.cost(told).map(Effect::Bill),
        }
    }

    /// The price in the notice.
    fn price(&self, ssp: Option<Ssp<'_>>, parameters: &Parameters<'_>) -> Result<Micros, PriceError> {
        let codec = ssp.map_or(Codec::Plain, |ssp| ssp.price_codec());
        let keys = ssp.and_then(|ssp| self.price_keys.of(ssp.id()));
        codec::decode(codec, keys, parameters.get("p").unwrap_or_default())
    }

    fn cost(&self, &Told { token, ssp, price, cur, parameters }: &Told<'_, 's>) -> Result<Cost, Why> {
        let takes_bid = token.pays_bid && ssp.is_some_and(|ssp| ssp.price_missing() == PriceMissing::Bid);
        let (price, cur, is_assumed) = match price {
            Ok(price) => (price, cur, false),
            Err(PriceError::Missing | PriceError::Unreplaced) if takes_bid => (token.price, token.cur, true),
            Err(error) => return Err(Why::Price(error)),
        };
        let rates = &self.catalog.rates;
        let to = |price, cur_to| rates.convert(price, cur, cur_to, Rounding::Down).ok_or(Why::Rate);
        // The exchange may round the price up. In another currency, it may have another rate on that day.
        let per_cent = if cur == token.cur { MAX_PER_CENT_OVER_BID } else { MAX_PER_CENT_OVER_BID_CONVERTED };
        let margin = token.price.0.saturating_mul(per_cent) / 100;
        if to(price, token.cur)?.0 > token.price.0.saturating_add(margin).saturating_add(1) {
            return Err(Why::AboveBid);
        }
        let price = multiplied(price, multiplier(token, parameters)?)?;
        let (usd, own) = (to(price, Currency::USD)?, to(price, token.own_cur)?);
        if usd.0.max(own.0) > MAX_PRICE {
            return Err(Why::Price(PriceError::Absurd));
        }
        Ok(Cost { cur, price, usd, own, is_assumed })
    }

    /// Appends a verdict as JSON: `notice`, `outcome`; `why` if it is refused; `loss`, the code; `priceMicros`, the
    /// price in the notice; `minToWin` in micros.
    ///
    /// If the token is ours, also: `bid`, `issued` in seconds, `quarter`; its `shard` of the ledger; `frequency`, the
    /// object that counts the person's impressions, or 0; the 16 hex digits of the hashes `campaign`,
    /// `creative` and `ssp`; their names `cid`, `crid` and `sspId`, and the campaign's `zone`, if this catalog has them;
    /// `ownCur`, the campaign's currency; the price of the bid, `bidMicros` of `bidCur`; `cur` of the notice's prices.
    /// A bill also has `nanos`, `usdNanos`, `ownNanos` and `isAssumed`.
    pub fn write(&self, out: &mut String, verdict: &Verdict) {
        let mut object = Object::begin(out);
        object.string("notice", verdict.notice.name());
        let outcome = match verdict.effect {
            Effect::Bill(_) => "bill",
            Effect::Win => "win",
            Effect::Loss(_) => "loss",
            Effect::Refused(_) => "refused",
        };
        object.string("outcome", outcome);
        match verdict.effect {
            Effect::Refused(why) => object.string("why", why.as_str()),
            Effect::Loss(Some(code)) => object.number("loss", i64::from(code)),
            _ => {}
        }
        if let Some(price) = verdict.price {
            object.number("priceMicros", price.0);
        }
        if let Some(price) = verdict.min_to_win {
            object.number("minToWin", price.0);
        }
        if let Some(token) = &verdict.token {
            self.write_token(&mut object, token);
            let cur = if let Effect::Bill(cost) = verdict.effect { cost.cur } else { verdict.cur };
            object.string("cur", cur.as_str());
            if let Effect::Bill(cost) = verdict.effect {
                object.number("nanos", cost.price.0);
                object.number("usdNanos", cost.usd.0);
                object.number("ownNanos", cost.own.0);
                object.raw("isAssumed", |out| out.push_str(if cost.is_assumed { "true" } else { "false" }));
            }
        }
        object.end();
    }

    fn write_token(&self, object: &mut Object<'_>, token: &Token) {
        object.raw("bid", |out| {
            out.push('"');
            hex(out, token.seed, 16);
            hex(out, u64::from(token.place), 2);
            out.push('"');
        });
        object.number("issued", i64::from(token.issued_s));
        object.number("quarter", i64::from(token.issued_s / QUARTER_S));
        object.number("shard", i64::from(token.shard));
        object.number("frequency", i64::from(token.frequency));
        let names = [
            ("campaign", token.campaign, "cid", self.directory.cid(token.campaign, self.catalog)),
            ("creative", token.creative, "crid", self.directory.crid(token.creative, self.catalog)),
            ("ssp", token.ssp, "sspId", self.directory.ssp(token.ssp, self.catalog).map(|ssp| ssp.id())),
        ];
        for (key, hash, name_key, name) in names {
            object.raw(key, |out| hex_string(out, hash));
            object.text(name_key, name.unwrap_or_default());
        }
        if let Some(zone) = self.directory.zone(token.campaign, self.catalog) {
            object.string("zone", zone);
        }
        object.string("ownCur", token.own_cur.as_str());
        object.number("bidMicros", token.price.0);
        object.string("bidCur", token.cur.as_str());
    }
}

impl Verdict {
    fn refused(notice: Notice, why: Why) -> Verdict {
        let effect = Effect::Refused(why);
        Verdict { notice, effect, token: None, min_to_win: None, price: None, cur: Currency::UNKNOWN }
    }
}

/// A notice with a token of ours.
struct Told<'t, 's> {
    token: &'t Token,
    /// The SSP; `None` if the catalog no longer has it.
    ssp: Option<Ssp<'s>>,
    price: Result<Micros, PriceError>,
    /// The currency of the prices in the notice.
    cur: Currency,
    parameters: &'t Parameters<'t>,
}

/// The currency of the prices in the notice: the one that it names, else that of the SSP's notices, else that of the
/// bid.
fn currency(token: &Token, ssp: Option<Ssp<'_>>, parameters: &Parameters<'_>) -> Currency {
    let named = parameters.get("c").map_or(Currency::UNKNOWN, Currency::parse);
    let set = ssp.map_or(Currency::UNKNOWN, |ssp| ssp.notice_cur());
    [named, set].into_iter().find(|cur| *cur != Currency::UNKNOWN).unwrap_or(token.cur)
}

/// A loss code of OpenRTB or of an exchange. Greater numbers are no codes, and each code is a row in the ledger.
fn loss_code(text: &str) -> Option<u32> {
    text.parse().ok().filter(|code| *code <= MAX_LOSS_CODE)
}

/// How many impressions one play on a screen counts for (`${AUCTION_MULTIPLIER}`, OpenRTB 2.6 §4.4), in millionths. A
/// notice without it counts for one, and so does one that is not for a screen.
fn multiplier(token: &Token, parameters: &Parameters<'_>) -> Result<i64, Why> {
    let text = parameters.get("x").unwrap_or_default();
    if !token.dooh || text.is_empty() || codec::is_macro(text) {
        return Ok(ONE);
    }
    let factor = Micros::parse(text, Rounding::Down).map(|factor| factor.0);
    factor.filter(|factor| (1..=MAX_MULTIPLIER * ONE).contains(factor)).ok_or(Why::Multiplier)
}

/// A million millionths.
const ONE: i64 = 1_000_000;

fn multiplied(price: Micros, factor: i64) -> Result<Micros, Why> {
    let product = i128::from(price.0) * i128::from(factor) / i128::from(ONE);
    let price = i64::try_from(product).ok().filter(|price| *price <= MAX_PRICE).map(Micros);
    price.ok_or(Why::Price(PriceError::Absurd))
}

/// The query of a notice.
struct Parameters<'p> {
    query: &'p str,
    arena: &'p Bump,
}

impl<'p> Parameters<'p> {
    /// The first value with this name, decoded; `None` if there is none. A value that cannot be decoded stays as it is:
    /// an unreplaced `%%WINNING_PRICE%%` is seen to be a macro, and a garbled price is not taken for a missing one.
    fn get(&self, name: &str) -> Option<&'p str> {
        let mut pairs = self.query.split('&');
        let value = pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        Some(percent::decoded(value.as_bytes(), self.arena).unwrap_or(value))
    }
}
