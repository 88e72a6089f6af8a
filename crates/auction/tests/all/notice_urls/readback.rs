//! Reads each URL of a bid as the exchange calls it: the token must agree with the bid in the answer.

use base::hash::hash_of;
use base::money::{Currency, Micros, Rounding};
use catalog::{Auction, Codec};
use notices::settle::{Cost, Effect, Why};
use notices::{Notice, ONE, Token};
use serde_json::Value;

use super::{Fixture, Seen, markup};
use crate::settle::{self, Ssp};
use crate::{ORIGIN, SEED, text};

/// A bid of an answer.
pub(super) struct Answered<'a> {
    pub(super) fixture: &'a Fixture,
    pub(super) billing: &'a str,
    /// The SSP that was answered, and its position in the catalog.
    pub(super) ssp: &'a Ssp,
    pub(super) position: usize,
    pub(super) response: &'a Value,
    pub(super) bid: &'a Value,
}

impl Answered<'_> {
    /// Checks all URLs of ours.
    pub(super) fn check(&self, seen: &mut Seen) -> Result<(), String> {
        let token = self.token();
        // The JSON value has the URLs without the escapes of a string in a string.
        let urls = ["nurl", "burl", "lurl", "adm"].map(|name| markup::urls(text(self.bid, name))).concat();
        for url in urls {
            self.check_url(url, token, seen).map_err(|error| format!("{url}: {error}"))?;
        }
        Ok(())
    }

    fn check_url(&self, url: &str, mut expected: Token, seen: &mut Seen) -> Result<(), String> {
        let called = self.called(url);
        let path = called.strip_prefix(&format!("{ORIGIN}/n/")).unwrap();
        let (kind, rest) = path.split_once('/').unwrap();
        let (token, query) = rest.split_once('?').unwrap();
        if token.len() != 107 || query.contains("${") && !self.record().fill_macros() {
            return Err(format!("a token of {} characters, or a macro that is left", token.len()));
        }
        let verdict = self.ssp.read_url(path.as_bytes(), 1).unwrap();
        let read = verdict.token.ok_or("no token of ours")?;
        // The campaign's currency and the floor are not in the answer. The tests of verdicts compare them.
        (expected.own_cur, expected.floor, expected.bills) = (read.own_cur, read.floor, read.bills);
        expected.own_price = self.rates(read.price, read.cur, read.own_cur).unwrap();
        if read.least() > read.price || read.bills.by(Notice::parse(kind).unwrap()) != self.bills(kind) {
            return Err(format!("{read:?}"));
        }
        let effect = self.effect(kind, &expected);
        let price = Some(expected.price).filter(|price| kind != "loss" && *price != Micros::ZERO);
        let min_to_win = matches!(kind, "win" | "loss").then_some(Micros(250_000));
        if (verdict.token, verdict.effect, verdict.price, verdict.min_to_win)
            != (Some(expected), effect, price, min_to_win)
        {
            return Err(format!("{verdict:?}\nexpected: {expected:?} {effect:?} {price:?} {min_to_win:?}"));
        }
        if effect == Effect::Refused(Why::Test) {
            seen.count("test");
        }
        Ok(())
    }

    /// The SSP's record in the catalog.
    fn record(&self) -> catalog::Ssp<'_> {
        self.ssp.catalog().parts().ssp(self.position)
    }

    fn rates(&self, amount: Micros, from: Currency, to: Currency) -> Option<Micros> {
        self.ssp.catalog().rates.convert(amount, from, to, Rounding::Down)
    }

    /// The URL with its macros replaced, as an exchange does it that bills the bid's price.
    fn called(&self, url: &str) -> String {
        let price = self.bid["price"].to_string();
        let own_macro = self.record().price_macro();
        let url = if own_macro.is_empty() { url.to_owned() } else { url.replace(own_macro, &price) };
        url.replace("${AUCTION_PRICE}", &price)
            .replace("${AUCTION_CURRENCY}", text(self.response, "cur"))
            .replace("${AUCTION_MIN_TO_WIN}", "0.25")
            .replace("${AUCTION_LOSS}", "102")
            .replace("${AUCTION_MULTIPLIER}", "1")
    }

    /// The token that the bid has to have.
    fn token(&self) -> Token {
        let (Answered { bid, response, .. }, record) = (self, self.record());
        let request: Value = serde_json::from_slice(&self.fixture.request).unwrap();
        let id = text(bid, "id");
        let digits = id.strip_prefix("test-").unwrap_or(id);
        assert_eq!(id.strip_suffix(&digits[16..]), Some(text(response, "bidid")), "bidid begins the ids of the bids");
        assert_eq!(u64::from_str_radix(&digits[..16], 16), Ok(SEED));
        Token {
            test: id.starts_with("test-"),
            pays_bid: record.auction() == Auction::First || pays_bid(&request, bid),
            multiplied: request.get("dooh").is_some() || imp_of(&request, bid)["qty"]["multiplier"] != Value::Null,
            codec: record.price_codec(),
            position: u8::from_str_radix(&digits[16..], 16).unwrap(),
            campaign: hash_of(text(bid, "cid")),
            creative: hash_of(text(bid, "crid")),
            ssp: hash_of(record.id()),
            price: Micros::parse(&bid["price"].to_string(), Rounding::Down).unwrap(),
            multiplier: multiplier(imp_of(&request, bid)),
            cur: Currency::parse(text(response, "cur")),
            ..settle::bid()
        }
    }

    /// Whether a URL of ours bills, if the bid has it.
    fn bills(&self, kind: &str) -> bool {
        matches!(kind, "bill" | "imp") || kind == "win" && self.billing == "win"
    }

    fn effect(&self, kind: &str, token: &Token) -> Effect {
        // The URL in the markup cannot say that a play counts for fewer impressions than the request said.
        let impressions = if kind == "imp" { token.multiplier } else { ONE };
        let price = Micros(token.price.0 * i64::from(impressions) / i64::from(ONE));
        let amounts = [Currency::USD, token.own_cur].map(|to| self.rates(price, token.cur, to));
        match (kind, amounts) {
            _ if token.test => Effect::Refused(Why::Test),
            ("loss", _) => Effect::Loss(Some(102)),
            _ if !self.bills(kind) => Effect::Win,
            _ if token.price == Micros::ZERO => Effect::Refused(Why::PriceZero),
            (_, [Some(usd), Some(own)]) => {
                // Where the exchange bills too, a page cannot prove that the bid is paid.
                let is_page = kind == "imp" && token.bills.by_burl && token.codec == Codec::Plain;
                let is_assumed = is_page && !token.pays_bid && !token.books_bid;
                Effect::Bill(Cost { cur: token.cur, price, usd, own, is_assumed, differs: None })
            }
            _ => Effect::Refused(Why::Rate),
        }
    }
}

/// OpenRTB 2.6 §3.2.1 and §3.2.12: `at` of the deal, else of the request, else 2. In a first-price auction and under a
/// deal with a fixed price, the winner pays its bid.
fn pays_bid(request: &Value, bid: &Value) -> bool {
    let mut deals = imp_of(request, bid)["pmp"]["deals"].as_array().into_iter().flatten();
    let deal = deals.find(|deal| bid.get("dealid").is_some() && is_named(&deal["id"], bid, "dealid"));
    let at = deal.and_then(|deal| deal["at"].as_i64()).or(request["at"].as_i64()).unwrap_or(2);
    at == 1 || at == 3 && deal.is_some()
}

/// The impression of the bid.
fn imp_of<'a>(request: &'a Value, bid: &Value) -> &'a Value {
    request["imp"].as_array().unwrap().iter().find(|imp| is_named(&imp["id"], bid, "impid")).unwrap()
}

/// Whether this attribute of the bid is the id, which a request may have as a number.
fn is_named(id: &Value, bid: &Value, attribute: &str) -> bool {
    id.as_str().map_or(id.to_string(), str::to_owned) == text(bid, attribute)
}

/// `imp.qty.multiplier`, in thousandths.
fn multiplier(imp: &Value) -> u32 {
    match &imp["qty"]["multiplier"] {
        Value::Null => ONE,
        number => u32::try_from(Micros::parse(&number.to_string(), Rounding::Up).unwrap().0 / 1000).unwrap(),
    }
}
