//! Reads each URL of a bid as the exchange calls it: the token must agree with the bid in the answer.

use bidder_wasm::catalog::{Auction, Catalog, Codec};
use bidder_wasm::money::{Currency, Micros, Rounding};
use bidder_wasm::notices::{Bills, Notice, ONE, Token, hash_of};
use bidder_wasm::settle::{Cost, Directory, Effect, NoticeReader, PriceKeys, Verdict, Why};
use bumpalo::Bump;
use serde_json::Value;

use super::{Fixture, NOW_MS, ORIGIN, SEED, Seen, count, demo, notices, ours, text};

pub(crate) fn check(
    fixture: &Fixture,
    billing: &str,
    catalog: &Catalog<'_>,
    response: &Value,
    bid: &Value,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut expected = token(fixture, catalog, response, bid);
    let fills = catalog.parts().ssp(demo(catalog)).fill_macros();
    // The JSON value has the URLs without the escapes of a string in a string.
    let urls = [text(bid, "nurl"), text(bid, "burl"), text(bid, "lurl"), text(bid, "adm")].map(ours::urls).concat();
    for url in urls {
        let called = called(url, catalog, response, bid);
        let path = called.strip_prefix(&format!("{ORIGIN}/n/")).unwrap();
        let (kind, rest) = path.split_once('/').unwrap();
        let (token, query) = rest.split_once('?').unwrap();
        if token.len() != 107 || query.contains("${") && !fills {
            return Err(format!("a token of {} characters, or a macro that is left, in {url}", token.len()));
        }
        let verdict = read(path, catalog);
        let read = verdict.token.ok_or(format!("no token of ours in {url}"))?;
        // The campaign's currency and the floor are not in the answer. The tests of verdicts compare them.
        (expected.own_cur, expected.floor, expected.bills) = (read.own_cur, read.floor, read.bills);
        (expected.multiplier, expected.codec) =
            (multiplier(fixture), Some(catalog.parts().ssp(demo(catalog)).price_codec()));
        expected.own_price = catalog.rates.convert(read.price, read.cur, read.own_cur, Rounding::Down).unwrap();
        if read.least() > read.price || read.bills.by(Notice::parse(kind).unwrap()) != bills(kind, billing) {
            return Err(format!("{url}: {read:?}"));
        }
        let effect = effect(kind, billing, catalog, &expected);
        if (verdict.token, verdict.effect) != (Some(expected), effect) {
            return Err(format!("{url}\nread:     {verdict:?}\nexpected: {expected:?} {effect:?}"));
        }
        let price = Some(expected.price).filter(|price| kind != "loss" && *price != Micros::ZERO);
        if verdict.price != price {
            return Err(format!("{url}: {:?} is the price", verdict.price));
        }
        let min_to_win = matches!(kind, "win" | "loss").then_some(Micros(250_000));
        if verdict.min_to_win != min_to_win {
            return Err(format!("{url}: {:?} is the least price to win", verdict.min_to_win));
        }
        if matches!(effect, Effect::Refused(Why::Test)) {
            count(seen, "test");
        }
    }
    Ok(())
}

/// The URL with its macros replaced, as an exchange does it that bills the bid's price.
fn called(url: &str, catalog: &Catalog<'_>, response: &Value, bid: &Value) -> String {
    let price = bid["price"].to_string();
    let own_macro = catalog.parts().ssp(demo(catalog)).price_macro();
    let url = if own_macro.is_empty() { url.to_owned() } else { url.replace(own_macro, &price) };
    url.replace("${AUCTION_PRICE}", &price)
        .replace("${AUCTION_CURRENCY}", text(response, "cur"))
        .replace("${AUCTION_MIN_TO_WIN}", "0.25")
        .replace("${AUCTION_LOSS}", "102")
        .replace("${AUCTION_MULTIPLIER}", "1")
}

fn read(path: &str, catalog: &Catalog<'_>) -> Verdict {
    let (notices, directory, price_keys) = (notices(), Directory::of(catalog), PriceKeys::default());
    let reader = NoticeReader {
        notices: &notices,
        price_keys: &price_keys,
        directory: &directory,
        catalog,
        now_ms: NOW_MS + 1000,
    };
    reader.read(path.as_bytes(), &Bump::new()).unwrap()
}

/// The token that the bid in the answer has to have.
fn token(fixture: &Fixture, catalog: &Catalog<'_>, response: &Value, bid: &Value) -> Token {
    let id = text(bid, "id");
    let digits = id.strip_prefix("test-").unwrap_or(id);
    assert_eq!(id.strip_suffix(&digits[16..]), Some(text(response, "bidid")), "bidid begins the ids of the bids");
    let seed = u64::from_str_radix(&digits[..16], 16).unwrap();
    assert_eq!(seed, SEED);
    Token {
        test: id.starts_with("test-"),
        pays_bid: catalog.parts().ssp(demo(catalog)).auction() == Auction::First || pays_bid(fixture, bid),
        bills: Bills { by_win: false, by_burl: false, in_markup: false },
        books_bid: false,
        codec: Some(Codec::Plain),
        dooh: serde_json::from_slice::<Value>(&fixture.request).unwrap().get("dooh").is_some(),
        issued_s: u32::try_from(NOW_MS / 1000).unwrap(),
        seed,
        place: u8::from_str_radix(&digits[16..], 16).unwrap(),
        campaign: hash_of(text(bid, "cid")),
        creative: hash_of(text(bid, "crid")),
        ssp: hash_of(catalog.parts().ssp(demo(catalog)).id()),
        price: Micros::parse(&bid["price"].to_string(), Rounding::Down).unwrap(),
        own_price: Micros::ZERO,
        floor: 0,
        multiplier: ONE,
        cur: Currency::parse(text(response, "cur")),
        own_cur: Currency::USD,
        shard: 0,
        frequency: 0,
    }
}

/// OpenRTB 2.6 §3.2.1 and §3.2.12: `at` of the deal, else of the request, else 2. In a first-price auction and under a
/// deal with a fixed price, the winner pays its bid.
fn pays_bid(fixture: &Fixture, bid: &Value) -> bool {
    let request: Value = serde_json::from_slice(&fixture.request).unwrap();
    let same = |id: &Value, name: &str| id.as_str().map_or(id.to_string(), str::to_owned) == text(bid, name);
    let imps = request["imp"].as_array().unwrap();
    let imp = imps.iter().find(|imp| same(&imp["id"], "impid")).unwrap();
    let deals = imp["pmp"]["deals"].as_array().into_iter().flatten();
    let deal = deals.into_iter().find(|deal| bid.get("dealid").is_some() && same(&deal["id"], "dealid"));
    let of_deal = deal.and_then(|deal| deal["at"].as_i64());
    let at = of_deal.or(request["at"].as_i64()).unwrap_or(2);
    at == 1 || at == 3 && deal.is_some()
}

/// `imp.qty.multiplier` of the first impression of a screen, in thousandths.
fn multiplier(fixture: &Fixture) -> u32 {
    let request: Value = serde_json::from_slice(&fixture.request).unwrap();
    match &request["imp"][0]["qty"]["multiplier"] {
        Value::Null => ONE,
        _ if request.get("dooh").is_none() => ONE,
        number => u32::try_from(Micros::parse(&number.to_string(), Rounding::Up).unwrap().0 / 1000).unwrap(),
    }
}

/// Whether a URL of ours bills, if the bid has it.
fn bills(kind: &str, billing: &str) -> bool {
    matches!(kind, "bill" | "imp") || kind == "win" && billing == "win"
}

fn effect(kind: &str, billing: &str, catalog: &Catalog<'_>, token: &Token) -> Effect {
    // The URL in the markup cannot say that a play counts for fewer impressions than the request said.
    let impressions = if kind == "imp" { i64::from(token.multiplier) } else { i64::from(ONE) };
    let price = Micros(token.price.0 * impressions / i64::from(ONE));
    let usd = |to| catalog.rates.convert(price, token.cur, to, Rounding::Down);
    let bill = || match (usd(Currency::USD), usd(token.own_cur)) {
        (Some(usd), Some(own)) => {
            Effect::Bill(Cost { cur: token.cur, price, usd, own, is_assumed: false, differs: None })
        }
        _ => Effect::Refused(Why::Rate),
    };
    match kind {
        _ if token.test => Effect::Refused(Why::Test),
        "loss" => Effect::Loss(Some(102)),
        _ if !bills(kind, billing) => Effect::Win,
        _ if token.price == Micros::ZERO => Effect::Refused(Why::PriceZero),
        _ => bill(),
    }
}
