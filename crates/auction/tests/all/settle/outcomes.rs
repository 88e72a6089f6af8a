//! Runs `outcomes.txt`, whose head explains it.

use base::hash::hash_of;
use base::money::{Currency, Micros};
use catalog::Codec;
use notices::settle::{Effect, Verdict};
use notices::{Bills, Token};
use serde_json::{Value, json};

use super::{Ssp, bid};

#[test]
fn notices_do_what_the_table_says() {
    let (mut ssp, mut token, mut settings, mut rows) = (Ssp::plain(), bid(), "", 0);
    for line in include_str!("outcomes.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(members) = line.strip_prefix("ssp ") {
            let (members, keys) = members.split_once('\t').unwrap_or((members, ""));
            (ssp, settings) = (Ssp::new(&serde_json::from_str(members).unwrap(), keys), line);
        } else if let Some(members) = line.strip_prefix("bid ") {
            token = bid_with(&serde_json::from_str(members).unwrap());
        } else {
            let (notice, outcome) = line.split_once('\t').unwrap();
            assert_eq!(told(&ssp.read(&token, notice)), outcome, "{notice} at {settings} about {token:?}");
            rows += 1;
        }
    }
    assert!(rows > 200, "{rows}");
}

/// The bid of these tests with other members.
fn bid_with(members: &Value) -> Token {
    let mut token = bid();
    for (name, value) in members.as_object().unwrap() {
        let (text, number) = (value.as_str().unwrap_or_default(), value.as_i64().unwrap_or_default());
        match name.as_str() {
            "books_bid" => token.books_bid = value == true,
            "by_win" => token.bills = Bills { by_win: value == true, ..token.bills },
            "codec" => token.codec = Codec::parse(text).unwrap(),
            "cur" => token.cur = Currency::parse(text),
            "multiplied" => token.multiplied = value == true,
            "floor" => token.floor = u16::try_from(number).unwrap(),
            "multiplier" => token.multiplier = u32::try_from(number).unwrap(),
            "own_cur" => token.own_cur = Currency::parse(text),
            "own_price" => token.own_price = Micros(number),
            "pays_bid" => token.pays_bid = value == true,
            "price" => token.price = Micros(number),
            "ssp" => token.ssp = hash_of(text),
            "test" => token.test = value == true,
            other => panic!("no member {other}"),
        }
    }
    token
}

/// What a notice does.
fn told(verdict: &Verdict) -> String {
    let price =
        |prefix: &str, price: Option<Micros>| price.map_or(String::new(), |Micros(price)| format!("{prefix}{price}"));
    let min = price(" min ", verdict.min_to_win);
    match verdict.effect {
        Effect::Refused(why) => format!("refused {}", why.as_str()),
        Effect::Win => format!("win{}{min}", price(" ", verdict.price)),
        Effect::Loss(code) => format!("loss{}{min}", code.map_or(String::new(), |code| format!(" {code}"))),
        Effect::Bill(cost) => {
            let assumed = if cost.is_assumed { " assumed" } else { "" };
            let differs = cost.differs.map_or(String::new(), |differs| format!(" {}", differs.as_str()));
            let (price, cur, usd, own) = (cost.price.0, cost.cur.as_str(), cost.usd.0, cost.own.0);
            format!("bill {price} {cur} {usd} {own}{assumed}{differs}")
        }
    }
}

/// A bid at an SSP that the catalog no longer has is read with the default hours.
#[test]
fn the_hours_of_an_ssp_that_is_gone_are_the_default() {
    let ssp = Ssp::new(&json!({"notice_hours": 1}), "");
    let token = bid_with(&json!({"ssp": "gone"}));
    assert!(matches!(ssp.read_at(&token, "bill?p=2.5", 48 * 3600).effect, Effect::Bill(_)));
}
