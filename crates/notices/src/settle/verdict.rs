//! Reads a notice: whether it is ours, what it reports, and what the impression costs.
//!
//! A notice that leaves any doubt books nothing, and the verdict says why.

use bumpalo::Bump;
use shading::{Absurd, Outcome, Told};

use super::codec;
use super::directory::Directory;
use super::price_keys::PriceKeys;
use super::why::Why;
use crate::QUARTER_S;
use crate::{BadToken, Notice, Notices, ONE, Token, spot_of};
use base::address;
use base::hash::hex;
use base::json::{Object, hex_string};
use base::limits::{CENT, MAX_CLOCK_SKEW_S, MAX_NOTICE_HOURS, MAX_PRICE, PRICE_TOLERANCE, PRICE_TOLERANCE_CONVERTED};
use base::money::{Currency, Micros, Rounding};
use base::named;
use catalog::{Catalog, Codec, PriceMissing, Ssp};
use shading::Spot;

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
    /// The price per thousand impressions, times the multiplier.
    pub price: Micros,
    /// The same in US dollars.
    pub usd: Micros,
    /// The same in the campaign's currency.
    pub own: Micros,
    /// Whether the price of the bid is used, because the notice had no price, or a lower one that is not trusted.
    pub is_assumed: bool,
    /// How the price in the notice differs from the bid; `None` if the difference need not be reported.
    pub differs: Option<Differs>,
}

named! {
    /// How a price differs from the bid.
    pub enum Differs {
        /// It is over the bid. The bid is booked.
        Over = "over-bid",
        /// It is under the bid. The bid is booked anyway.
        Under = "under-bid",
    }
}

/// The result of reading a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The kind of the notice.
    pub notice: Notice,
    /// Its effect.
    pub effect: Effect,
    /// The bid in its token; `None` if the token is not ours.
    pub token: Option<Token>,
    /// For a bill, and for a refused notice of an impression that was probably billed: the price of the bid times its
    /// multiplier, in the campaign's currency; `None` if that has no rate.
    pub weight: Option<Micros>,
    /// Whether a refused notice may be booked when it comes again.
    pub is_mendable: bool,
    /// `${AUCTION_MIN_TO_WIN}`: the highest price of another bidder, per thousand impressions. `None` if unreadable.
    pub min_to_win: Option<Micros>,
    /// The price in the notice per thousand impressions, if it is readable.
    pub price: Option<Micros>,
    /// The currency of the prices in the notice.
    pub cur: Currency,
    /// For a win that bills nothing, because only a page bills the bid: the price of the exchange's server, unless it is
    /// that of the bid.
    pub told: Option<Cost>,
    /// A hash of the encoded price, if a page has shown it and it counts. The caller must know that no other bid had it.
    pub sealed: Option<u64>,
    /// What the notice tells learned shading about the spot of the bid; `None` if it tells nothing, or its price to win
    /// is absurd.
    pub observed: Option<Result<(Spot, Told), Absurd>>,
}

/// Reads notices.
#[derive(Debug, Clone, Copy)]
pub struct NoticeReader<'d, 's> {
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

impl<'s> NoticeReader<'_, 's> {
    /// Reads the end of a notice's URL, `KIND/TOKEN?QUERY`. `None` if there is no such kind of notice. `why` stands for
    /// the kind of notice that the token is for.
    pub fn read(&self, text: &[u8], arena: &Bump) -> Option<Verdict> {
        // A replacement character makes a token malformed and a price unreadable.
        let text = String::from_utf8_lossy(text);
        let (kind, rest) = text.split_once('/')?;
        let called = if kind == "why" { None } else { Some(Notice::parse(kind)?) };
        let (token, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parameters = Parameters { query, arena };
        let signed = self.notices.keys.verify(token);
        let of = match signed {
            Ok((_, of)) | Err(BadToken::Newer(of)) => Some(of),
            Err(BadToken::Malformed | BadToken::Forged) => None,
        };
        let notice = called.or(of).unwrap_or(Notice::Bill);
        Some(match signed {
            Err(BadToken::Malformed) => Verdict::refused(notice, Why::Malformed),
            _ if of.is_some_and(|of| of != notice) => Verdict::refused(notice, Why::Forged),
            Err(BadToken::Forged) => Verdict::refused(notice, Why::Forged),
            Err(BadToken::Newer(_)) => Verdict::refused(notice, Why::Newer),
            Ok((token, _)) => {
                let ssp = self.directory.ssp(token.ssp, self.catalog);
                let text = parameters.get("p").unwrap_or_default();
                let claim = Claim {
                    token: &token,
                    ssp,
                    price: codec::decode(token.codec, self.price_keys.of(token.ssp), text),
                    cur: currency(&token, ssp, &parameters),
                    parameters: &parameters,
                    is_server: notice != Notice::Imp,
                    most: if token.multiplied { token.multiplier } else { ONE },
                };
                let effect = self.effect(notice, &claim).unwrap_or_else(Effect::Refused);
                let is_billed = match effect {
                    Effect::Bill(_) => true,
                    Effect::Refused(why) => why.weighs(),
                    _ => false,
                };
                let weight = if is_billed { self.weight(&claim) } else { None };
                let is_mendable = matches!(effect, Effect::Refused(why) if why.is_mendable(token.codec));
                let min_to_win = parameters.get("m").map(|text| codec::decode(Codec::Plain, None, text));
                let observed = self.observed(&claim, effect, min_to_win);
                let min_to_win = min_to_win.and_then(Result::ok);
                let (price, cur) = (claim.price.ok(), claim.cur);
                let is_shown = notice == Notice::Imp && claim.is_believed() && !token.books_bid;
                let is_sealed = is_shown && is_billed && price.is_some();
                let sealed = parameters.get("p").filter(|_| is_sealed).and_then(|text| codec::hash(token.codec, text));
                let told = if effect == Effect::Win { self.told(&claim) } else { None };
                let token = Some(token);
                Verdict { notice, effect, token, weight, is_mendable, min_to_win, price, cur, told, sealed, observed }
            }
        })
    }

    fn effect(&self, notice: Notice, claim: &Claim<'_, 's>) -> Result<Effect, Why> {
        let &Claim { token, ssp, parameters, .. } = claim;
        if token.test {
            return Err(Why::Test);
        }
        let age_s = self.now_ms / 1000 - i64::from(token.issued_s);
        // The bids of an SSP that the catalog does not have any more are still billed.
        let hours = ssp.map_or(MAX_NOTICE_HOURS, |ssp| i64::from(ssp.notice_hours()));
        if age_s < -MAX_CLOCK_SKEW_S {
            return Err(Why::Future);
        }
        if age_s > hours * 3600 {
            return Err(Why::Expired);
        }
        if [parameters.get("p"), parameters.get("l")].contains(&Some("AUDIT")) {
            return Err(Why::PriceAudit);
        }
        match notice {
            Notice::Loss => Ok(Effect::Loss(parameters.get("l").and_then(loss_code))),
            _ if token.bills.by(notice) => self.cost(claim).map(Effect::Bill),
            Notice::Win => Ok(Effect::Win),
            Notice::Bill | Notice::Imp => Err(Why::NotBilling),
        }
    }

    /// What the notice tells about the prices that win at the spot of the bid: a bill that it won, a loss against a higher
    /// bid or a deal's bid (codes 102 and 103) that it lost, another reason of OpenRTB that it was in no auction. A loss without
    /// such a reason tells nothing: most of them are lost auctions.
    fn observed(
        &self,
        claim: &Claim<'_, 's>,
        effect: Effect,
        min_to_win: Option<Result<Micros, Why>>,
    ) -> Option<Result<(Spot, Told), Absurd>> {
        let &Claim { token, parameters, cur, .. } = claim;
        let spot = spot_of(parameters.get("s")?, self.notices.keys.sign(token).text())?;
        let usd = |price, cur| self.catalog.rates.convert(price, cur, Currency::USD, Rounding::Down);
        let bid = usd(token.price, token.cur)?;
        let outcome = match effect {
            Effect::Loss(Some(102 | 103)) => Outcome::Lost,
            Effect::Loss(Some(1..)) => return Some(Ok((spot, shading::void(bid.0)?))),
            Effect::Bill(_) => Outcome::Won,
            Effect::Refused(why) if why.weighs() => Outcome::Won,
            Effect::Loss(_) | Effect::Refused(_) | Effect::Win => return None,
        };
        let rival = match min_to_win {
            // A bill proves that the bid won. Its price to win is ignored, because a page may see and change the URL.
            _ if outcome == Outcome::Won => None,
            Some(Err(Why::PriceZero | Why::PriceNegative | Why::PriceAbsurd)) => return Some(Err(Absurd)),
            Some(Ok(price)) => usd(price, cur),
            Some(Err(_)) | None => None,
        };
        let told = shading::told(outcome, bid.0, rival.map(|rival| rival.0));
        Some(told.map(|told| (spot, told)))
    }

    /// See [`Verdict::told`].
    fn told(&self, claim: &Claim<'_, 's>) -> Option<Cost> {
        let &Claim { token, is_server, .. } = claim;
        let is_only_page = token.bills.in_markup && !token.bills.by_burl && !token.bills.by_win;
        let cost =
            self.cost(claim).ok().filter(|cost| is_server && is_only_page && !token.books_bid && !cost.is_assumed)?;
        self.weight(claim).is_none_or(|bid| bid != cost.own).then_some(cost)
    }

    fn cost(&self, claim: &Claim<'_, 's>) -> Result<Cost, Why> {
        let Base { price, cur, is_assumed, differs } = self.base(claim)?;
        let factor = multiplier(claim)?;
        let (price, of_bid) = (multiplied(price, factor)?, multiplied(claim.token.own_price, factor)?);
        let own = self.own(price, cur, of_bid, claim.token)?;
        // For a campaign or an SSP in dollars, this needs no rate.
        let convert = |price, cur| self.catalog.rates.convert(price, cur, Currency::USD, Rounding::Down);
        let usd = convert(price, cur).or_else(|| convert(own, claim.token.own_cur)).ok_or(Why::Rate)?;
        if usd.0.max(own.0) > MAX_PRICE {
            return Err(Why::PriceAbsurd);
        }
        Ok(Cost { cur, price, usd, own, is_assumed, differs })
    }

    /// The cost of one impression: from the floor to the bid.
    fn base(&self, claim: &Claim<'_, 's>) -> Result<Base, Why> {
        let token = claim.token;
        let bid = Base { price: token.price, cur: token.cur, is_assumed: false, differs: None };
        // In a second-price auction, the winner pays at most its bid, so the bid is safe until a later notice tells the
        // price. An SSP that fills no macro never tells it.
        let takes_bid = claim.ssp.is_none_or(|ssp| {
            ssp.price_missing() == PriceMissing::Bid || ssp.fill_macros() && ssp.price_macro().is_empty()
        });
        let stated = match claim.price {
            Ok(price) => price,
            Err(_) if token.books_bid => return Ok(bid),
            Err(Why::PriceMissing | Why::PriceUnreplaced) if takes_bid => {
                return Ok(Base { is_assumed: true, ..bid });
            }
            Err(why) => return Err(why),
        };
        let Some(price) = self.catalog.rates.convert(stated, claim.cur, token.cur, Rounding::Down) else {
            return if token.books_bid { Ok(bid) } else { Err(Why::Rate) };
        };
        // The exchange may round. In another currency, it may have another rate on that day.
        let part = if claim.cur == token.cur { PRICE_TOLERANCE } else { PRICE_TOLERANCE_CONVERTED };
        let margin = token.price.0 / part + CENT;
        let least = token.least();
        if !token.books_bid && price.0 > token.price.0.saturating_add(margin) {
            return Err(Why::AboveBid);
        }
        if !token.books_bid && price.0 < least.0.saturating_sub(margin) {
            return Err(Why::BelowFloor);
        }
        if price > token.price {
            return Ok(Base { differs: Some(Differs::Over), ..bid });
        }
        if claim.is_believed() && !token.books_bid {
            let floor = Base { price: least, ..bid };
            return Ok(if price < least { floor } else { Base { price: stated, cur: claim.cur, ..bid } });
        }
        let differs = (price.0 < token.price.0.saturating_sub(margin)).then_some(Differs::Under);
        // If the exchange bills too, the page must not replace its price by the bid.
        let is_known = token.books_bid || differs.is_none() && (token.pays_bid || !token.bills.by_burl);
        let same = if price == token.price { Base { price: stated, cur: claim.cur, ..bid } } else { bid };
        Ok(Base { is_assumed: !is_known, differs, ..same })
    }

    /// A price in the campaign's currency, never over the price of the bid in that currency. Without a rate, it is
    /// converted in proportion to the bid, whose price was converted when it was made.
    fn own(&self, price: Micros, cur: Currency, of_bid: Micros, token: &Token) -> Result<Micros, Why> {
        let by_rate = self.catalog.rates.convert(price, cur, token.own_cur, Rounding::Down);
        if of_bid == Micros::ZERO {
            return by_rate.ok_or(Why::Rate);
        }
        let own = by_rate.or_else(|| {
            let price = self.catalog.rates.convert(price, cur, token.cur, Rounding::Down)?;
            let own = i128::from(price.0) * i128::from(token.own_price.0) / i128::from(token.price.0.max(1));
            i64::try_from(own).ok().map(Micros)
        });
        Ok(own.ok_or(Why::Rate)?.min(of_bid))
    }

    /// See [`Verdict::weight`].
    fn weight(&self, claim: &Claim<'_, 's>) -> Option<Micros> {
        let &Token { price, own_price, cur, own_cur, .. } = claim.token;
        let by_rate = || self.catalog.rates.convert(price, cur, own_cur, Rounding::Up);
        let own = Some(own_price).filter(|own| *own > Micros::ZERO).or_else(by_rate)?;
        multiplied(own, i64::from(claim.most) * MILLIONTHS).ok()
    }

    /// Appends a verdict as JSON: `notice`, `outcome`; `why` if it is refused; `loss`, the code; `priceMicros`, the
    /// price in the notice; `minToWin` in micros.
    ///
    /// If the token is ours, also: `bid`, `issued` in seconds, `quarter`; its `shard` of the ledger; `frequency`, the
    /// object that counts the person's impressions, or 0; `arm`, if it is not 0, see [`Token::arm`]; the 16 hex digits of
    /// the hashes `campaign`, `creative` and `ssp`; their names `cid`, `crid` and `sspId`, and the campaign's `zone`, if this catalog has them; `ownCur`, the
    /// campaign's currency; the price of the bid, `bidMicros` of `bidCur`; `cur` of the notice's prices. A bill also
    /// has `nanos`, `usdNanos`, `ownNanos`, `isAssumed`, and `differs` if its price does. A bill, and what was billed
    /// as far as we know, has `bidNanos` of `ownCur`: see [`Verdict::weight`]. So has a win that tells a price. `isMendable`
    /// and `sealed`: see there too.
    pub fn write(&self, out: &mut String, verdict: &Verdict) {
        let mut object = Object::begin(out);
        object.string("notice", verdict.notice.as_str());
        match verdict.effect {
            Effect::Bill(_) => object.string("outcome", "bill"),
            Effect::Win => object.string("outcome", "win"),
            Effect::Loss(code) => {
                object.string("outcome", "loss");
                object.maybe("loss", code.map(i64::from));
            }
            Effect::Refused(why) => {
                object.string("outcome", "refused");
                object.string("why", why.as_str());
                object.flag("isMendable", verdict.is_mendable);
            }
        }
        object.maybe("priceMicros", verdict.price.map(|price| price.0));
        object.maybe("minToWin", verdict.min_to_win.map(|price| price.0));
        if let Some(token) = &verdict.token {
            self.write_token(&mut object, token);
            let cost = match verdict.effect {
                Effect::Bill(cost) => Some(cost),
                Effect::Win => verdict.told,
                Effect::Loss(_) | Effect::Refused(_) => None,
            };
            object.string("cur", cost.map_or(verdict.cur, |cost| cost.cur).as_str());
            if let Some(cost) = cost {
                object.number("nanos", cost.price.0);
                object.number("usdNanos", cost.usd.0);
                object.number("ownNanos", cost.own.0);
                object.truth("isAssumed", cost.is_assumed);
                object.text("differs", cost.differs.map_or("", Differs::as_str));
            }
            object.maybe("bidNanos", verdict.weight.map(|weight| weight.0));
            if let Some(sealed) = verdict.sealed {
                object.raw("sealed", |out| hex_string(out, sealed));
            }
            object.flag("isAbsurd", verdict.observed == Some(Err(Absurd)));
            if let Some(Ok((Spot(spot), told))) = verdict.observed {
                object.quoted("observed", |out| {
                    hex(out, token.ssp, 16);
                    out.push(' ');
                    hex(out, spot.into(), 8);
                    out.push(' ');
                    hex(out, told.into(), 5);
                });
            }
        }
        object.end();
    }

    fn write_token(&self, object: &mut Object<'_>, token: &Token) {
        object.quoted("bid", |out| {
            hex(out, token.seed, 16);
            hex(out, u64::from(token.position), 2);
        });
        object.number("issued", i64::from(token.issued_s));
        object.number("quarter", i64::from(token.issued_s / QUARTER_S));
        object.number("shard", i64::from(token.shard));
        object.number("frequency", i64::from(token.frequency));
        object.maybe("arm", Some(token.arm).filter(|arm| *arm > 0).map(i64::from));
        let campaign = self.directory.campaign(token.campaign, self.catalog);
        let creative = self.directory.creative(token.creative, self.catalog);
        let ssp = self.directory.ssp(token.ssp, self.catalog);
        let names = [
            ("campaign", token.campaign, "cid", campaign.map(|campaign| campaign.cid())),
            ("creative", token.creative, "crid", creative.map(|creative| creative.crid())),
            ("ssp", token.ssp, "sspId", ssp.map(|ssp| ssp.id())),
        ];
        for (key, hash, name_key, name) in names {
            object.raw(key, |out| hex_string(out, hash));
            object.text(name_key, name.unwrap_or_default());
        }
        // UTC is an empty zone; no zone means that the catalog lacks the campaign.
        if let Some(campaign) = campaign {
            object.string("zone", campaign.zone());
        }
        object.string("ownCur", token.own_cur.as_str());
        object.number("bidMicros", token.price.0);
        object.string("bidCur", token.cur.as_str());
    }
}

impl Verdict {
    /// The verdict on a notice whose token is not ours, or whose layout is not known.
    fn refused(notice: Notice, why: Why) -> Verdict {
        Verdict {
            notice,
            effect: Effect::Refused(why),
            token: None,
            weight: None,
            // No reason of such a notice depends on the codec.
            is_mendable: why.is_mendable(Codec::Plain),
            min_to_win: None,
            price: None,
            cur: Currency::UNKNOWN,
            told: None,
            sealed: None,
            observed: None,
        }
    }
}

/// A notice with a token of ours.
struct Claim<'t, 's> {
    token: &'t Token,
    /// The SSP; `None` if the catalog no longer has it.
    ssp: Option<Ssp<'s>>,
    price: Result<Micros, Why>,
    /// The currency of the prices in the notice.
    cur: Currency,
    parameters: &'t Parameters<'t>,
    /// Whether only the exchange's server can know the URL.
    is_server: bool,
    /// For how many impressions one play may count, in thousandths.
    most: u32,
}

impl Claim<'_, '_> {
    /// Whether the price is that of the exchange. The page or app that shows the ad sees the URL in the markup, and can call
    /// it with any price that is not encoded, or with an encoded one of another bid: the caller says so with `r`.
    fn is_believed(&self) -> bool {
        let is_sealed = self.token.codec != Codec::Plain;
        self.is_server || is_sealed && self.parameters.get("r").is_none()
    }
}

/// The price of one impression, before it is converted.
struct Base {
    price: Micros,
    cur: Currency,
    is_assumed: bool,
    differs: Option<Differs>,
}

/// The currency of the prices in the notice: the one that it names, else that of the SSP's notices, else that of the
/// bid.
fn currency(token: &Token, ssp: Option<Ssp<'_>>, parameters: &Parameters<'_>) -> Currency {
    let named = parameters.get("c").map_or(Currency::UNKNOWN, Currency::parse);
    let set = ssp.map_or(Currency::UNKNOWN, |ssp| ssp.notice_cur());
    [named, set].into_iter().find(|cur| *cur != Currency::UNKNOWN).unwrap_or(token.cur)
}

/// A loss code of OpenRTB (AdCOM 1.0, "Loss Reason Codes"). An exchange's own codes are not distinguished: each code is
/// a row in the ledger, and the caller chooses the code.
fn loss_code(text: &str) -> Option<u32> {
    text.parse().ok().filter(|code| matches!(code, 0..=10 | 100..=104 | 200..=213))
}

/// The number of impressions of one showing (`${AUCTION_MULTIPLIER}`, OpenRTB 2.6 §4.4), in millionths. Without the macro,
/// it is the number in the request; if that says nothing, it is one.
fn multiplier(&Claim { token, parameters, is_server, most, .. }: &Claim<'_, '_>) -> Result<i64, Why> {
    let text = parameters.get("x").unwrap_or_default();
    if !token.multiplied {
        return Ok(WHOLE);
    }
    let most = i64::from(most) * MILLIONTHS;
    if text.is_empty() || codec::is_macro(text) {
        return Ok(i64::from(token.multiplier) * MILLIONTHS);
    }
    let factor = Micros::parse(text, Rounding::Down).map(|factor| factor.0);
    let factor = factor.filter(|factor| (1..=most).contains(factor)).ok_or(Why::Multiplier)?;
    // A caller who can set any price can also set any multiplier.
    Ok(if is_server { factor } else { most })
}

/// A million millionths, and the millionths of a thousandth.
const WHOLE: i64 = 1_000_000;
const MILLIONTHS: i64 = WHOLE / ONE as i64;

fn multiplied(price: Micros, factor: i64) -> Result<Micros, Why> {
    let product = i128::from(price.0) * i128::from(factor) / i128::from(WHOLE);
    let price = i64::try_from(product).ok().filter(|price| *price <= MAX_PRICE).map(Micros);
    price.ok_or(Why::PriceAbsurd)
}

/// The query of a notice.
struct Parameters<'p> {
    query: &'p str,
    arena: &'p Bump,
}

impl<'p> Parameters<'p> {
    /// The first value with this name, decoded; `None` if there is none. A value that cannot be decoded stays
    /// unchanged. So an unreplaced `%%WINNING_PRICE%%` is recognized as a macro, and a garbled price does not count as
    /// missing.
    fn get(&self, name: &str) -> Option<&'p str> {
        // A URL that was taken from HTML or XML as it is has `&amp;` before its other pairs.
        let mut pairs = self.query.split('&').map(|pair| pair.trim_start_matches("amp;"));
        let value = pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        Some(address::decoded(value.as_bytes(), self.arena).unwrap_or(value))
    }
}
