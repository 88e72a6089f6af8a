//! What sound notices cost.

use bidder_wasm::limits::MAX_PRICE;
use bidder_wasm::money::{Currency, Micros, Rates, Rounding};
use bidder_wasm::notices::{Token, hash_of};
use bidder_wasm::settle::{Cost, Effect, Why};
use proptest::prelude::*;
use serde_json::json;

use super::office::{GOOGLE, MAGNITE, OPENX, Office, UNITY, bid, eur};

fn dollars(micros: i64) -> Cost {
    let price = Micros(micros);
    Cost { cur: Currency::USD, price, usd: price, own: price, is_assumed: false }
}

#[test]
fn a_plain_price_is_billed_to_the_micro() {
    let office = Office::new(&json!({}), "");
    for (query, micros) in [
        ("p=2.5&c=USD", 2_500_000),
        ("p=2.5", 2_500_000),
        ("p=2.50&c=usd", 2_500_000),
        ("p=2.5&c=${AUCTION_CURRENCY}", 2_500_000),
        ("p=2.5&c=", 2_500_000),
        ("c=USD&p=1.234567", 1_234_567),
        ("p=0.000001", 1),
        // Digits below a micro are rounded up, so that no spend is left out.
        ("p=0.0000001", 1),
        ("p=1.0E-5", 10),
        ("p=2%2E5", 2_500_000),
        // One hundredth and one micro above the bid.
        ("p=2.525001", 2_525_001),
        ("p=2.5&p=1", 2_500_000),
        ("p=2.5&x=${AUCTION_LOSS}&y=%", 2_500_000),
    ] {
        for kind in ["bill", "imp"] {
            let cost = office.cost(&bid(), &format!("{kind}?{query}"));
            assert_eq!(cost, dollars(micros), "{kind}?{query}");
            assert_eq!(cost, office.cost(&Token { pays_bid: false, ..bid() }, &format!("{kind}?{query}")));
        }
    }
}

#[test]
fn the_vectors_of_the_codecs_are_billed() {
    for (codec, keys, text, micros) in [
        ("google", GOOGLE, "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCce_6msaw", 100),
        ("index", GOOGLE, "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA", 1900),
        ("bidswitch", GOOGLE, "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemC32prpWWw", 2700),
        ("openx", OPENX, "SjpvRwAB4kB7jEpgW5IA8p73ew9ic6VZpFsPnA", 709_959_680_000),
        ("magnite", MAGNITE, "9CE9A1B1AB9902E2", 238_298),
        ("magnite", MAGNITE, "98FB4D5583FC8482", 180_000),
        ("unity", UNITY, "z5eznndAkpE=", 10_200_000),
        ("unity", UNITY, "z5eznndAkpE%3D", 10_200_000),
    ] {
        let office = Office::new(&json!({"price_codec": codec}), keys);
        let token = Token { price: Micros(709_959_680_000), ..bid() };
        assert_eq!(office.cost(&token, &format!("bill?p={text}")), dollars(micros), "{codec} {text}");
    }
}

#[test]
fn the_bid_is_billed_for_a_missing_price_where_the_winner_pays_its_bid() {
    let office = Office::new(&json!({"price_missing": "bid"}), "");
    let assumed = Cost { is_assumed: true, ..dollars(2_500_000) };
    for query in ["", "p=", "p=${AUCTION_PRICE}", "p=%24%7BAUCTION_PRICE%7D", "p=%%WINNING_PRICE%%"] {
        assert_eq!(office.cost(&bid(), &format!("bill?{query}")), assumed, "{query}");
        // The bid is in its own currency, whatever the notice says.
        assert_eq!(office.cost(&bid(), &format!("imp?{query}&c=EUR")), assumed, "{query}");
    }
    let in_euros = Office::new(&json!({"price_missing": "bid", "notice_cur": "EUR"}), "");
    assert_eq!(in_euros.cost(&bid(), "bill?p="), assumed);
    assert_eq!(in_euros.cost(&bid(), "bill?p=1").cur, eur());
    let encoded = Office::new(&json!({"price_missing": "bid", "price_codec": "google"}), "");
    assert_eq!(encoded.cost(&bid(), "bill?p=%%WINNING_PRICE_ESC%%"), assumed);
}

#[test]
fn prices_are_converted_and_kept_exact_in_their_own_currency() {
    let office = Office::new(&json!({}), "");
    let jpy = Currency::parse("JPY");
    // 1 euro is 1.25 dollars; 1 dollar is 125 yen.
    let token = Token { own_cur: jpy, ..bid() };
    let cost = office.cost(&token, "bill?p=1.600001&c=EUR");
    let expected = Cost {
        cur: eur(),
        price: Micros(1_600_001),
        usd: Micros(2_000_001),
        own: Micros(250_000_156),
        is_assumed: false,
    };
    assert_eq!(cost, expected);
    let of_euros = Token { cur: eur(), own_cur: eur(), ..bid() };
    let cost = office.cost(&of_euros, "bill?p=2.499999");
    assert_eq!((cost.cur, cost.price, cost.own), (eur(), Micros(2_499_999), Micros(2_499_999)));
    assert_eq!(cost.usd, Micros(3_124_998), "3.12499875 rounded down");
    let set = Office::new(&json!({"notice_cur": "JPY"}), "");
    assert_eq!(set.cost(&bid(), "bill?p=250").usd, Micros(2_000_000), "the currency of the SSP's record");
    assert_eq!(set.cost(&bid(), "bill?p=2&c=USD").usd, Micros(2_000_000), "the currency of the notice goes before");
}

#[test]
fn a_win_is_billed_only_where_wins_bill() {
    // The setting at the time of the bid counts, because the bid's URLs were made with it.
    let of_wins = Token { win_bills: true, ..bid() };
    for billing in ["win", "burl"] {
        let office = Office::new(&json!({"billing": billing}), "");
        assert_eq!(office.cost(&of_wins, "win?p=2.4&c=USD&m=2.39"), dollars(2_400_000));
    }
    for billing in ["openrtb", "burl", "impression", "both", "win"] {
        let office = Office::new(&json!({"billing": billing, "price_missing": "bid"}), "");
        let price = Some(Micros(2_400_000));
        for (notice, price) in
            [("win?p=2.4&m=2.39", price), ("win", None), ("win?p=${AUCTION_PRICE}", None), ("win?p=many", None)]
        {
            let verdict = office.read(&bid(), notice);
            assert_eq!((verdict.effect, verdict.price), (Effect::Win, price), "{notice}");
        }
    }
}

#[test]
fn losses_tell_their_code_and_the_price_to_win() {
    let office = Office::new(&json!({}), "");
    for (query, code, min_to_win) in [
        ("l=102&m=3.01", Some(102), Some(3_010_000)),
        ("l=0", Some(0), None),
        ("l=213&m=", Some(213), None),
        ("l=500&m=AUDIT", Some(500), None),
        ("l=100&m=0", Some(100), None),
        ("l=100&m=-1", Some(100), None),
        ("l=100&m=1e300", Some(100), None),
        ("l=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}", None, None),
        ("l=-1", None, None),
        ("l=", None, None),
        ("l=1e3", None, None),
        ("l=99999999999", None, None),
        ("l=999", Some(999), None),
        ("l=1000", None, None),
        ("l=%31%30%32", Some(102), None),
        ("", None, None),
    ] {
        let verdict = office.read(&bid(), &format!("loss?{query}"));
        assert_eq!(verdict.effect, Effect::Loss(code), "{query}");
        assert_eq!(verdict.min_to_win, min_to_win.map(Micros), "{query}");
        let of_win = office.read(&bid(), &format!("win?{query}"));
        let found = (of_win.effect, of_win.price, of_win.min_to_win);
        assert_eq!(found, (Effect::Win, None, min_to_win.map(Micros)), "{query}");
    }
}

#[test]
fn an_ssp_that_the_catalog_no_longer_has_is_read_with_the_defaults() {
    let office = Office::new(&json!({"billing": "win", "price_missing": "bid", "notice_hours": 1}), "");
    let token = Token { ssp: hash_of("gone"), ..bid() };
    assert_eq!(office.cost(&token, "bill?p=2.5"), dollars(2_500_000));
    let win = office.read(&token, "win?p=2.5");
    assert_eq!((win.effect, win.price), (Effect::Win, Some(Micros(2_500_000))));
    assert!(office.why(&token, "bill?p=").is_some());
    assert!(matches!(office.read_at(&token, "bill?p=2.5", 48 * 3600).effect, Effect::Bill(_)));
}

fn any_price() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "-?[0-9]{0,20}\\.?[0-9]{0,20}([eE][+-]?[0-9]{1,4})?",
        "[0-9]{1,2}\\.[0-9]{1,9}",
        "(%[0-9A-Fa-f]{0,2}|[0-9.]){0,6}",
        "[A-Za-z0-9_-]{38}|[0-9A-F]{16}|[A-Za-z0-9+/=_-]{0,40}",
        "[$%{\\[]{0,2}[A-Z_:]{0,20}[}%\\]]{0,2}",
    ]
}

proptest! {
    /// Within the rounding of a conversion, nothing is billed above 1.01 times the bid and a micro.
    #[test]
    fn no_price_bills_more_than_the_bid(
        text in any_price(),
        cur in prop_oneof![Just("c=USD"), Just("c=EUR"), Just("c=JPY"), Just("c=GBP"), Just(""), Just("c=%")],
        (codec, keys) in prop_oneof![
            4 => Just(("plain", "")), 1 => Just(("google", GOOGLE)), 1 => Just(("openx", OPENX)),
            1 => Just(("magnite", MAGNITE)), 1 => Just(("unity", UNITY)),
        ],
        missing in prop_oneof![Just("nothing"), Just("bid")],
        pays_bid: bool,
        price in prop_oneof![0..100_000_000_i64, 0..=MAX_PRICE],
        in_euros: bool,
        kind in prop_oneof![Just("bill"), Just("imp"), Just("win"), Just("loss")],
    ) {
        let office = Office::new(&json!({"price_codec": codec, "price_missing": missing, "billing": "win"}), keys);
        let cur_of_bid = if in_euros { eur() } else { Currency::USD };
        let token = Token { pays_bid, price: Micros(price), cur: cur_of_bid, own_cur: cur_of_bid, ..bid() };
        let verdict = office.read(&token, &format!("{kind}?p={text}&{cur}"));
        let Effect::Bill(cost) = verdict.effect else { return Ok(()) };
        prop_assert_ne!(kind, "loss");
        prop_assert!(cost.own.0 <= price + price / 100 + 1, "{:?} for {}", cost, price);
        prop_assert!(cost.price.0 > 0 || cost.is_assumed && price == 0);
        prop_assert!(cost.price.0 <= MAX_PRICE);
        prop_assert!(!cost.is_assumed || missing == "bid" && pays_bid && cost.price.0 == price, "{:?}", cost);
        let mut rates = Rates::default();
        rates.set(Currency::USD, "1");
        rates.set(eur(), "1.25");
        rates.set(Currency::parse("JPY"), "0.008");
        let usd = rates.convert(cost.price, cost.cur, Currency::USD, Rounding::Down);
        prop_assert_eq!(usd, Some(cost.usd));
    }
}

#[test]
fn a_play_on_a_screen_costs_its_multiplier() {
    let office = Office::new(&json!({}), "");
    let screen = Token { dooh: true, ..bid() };
    let unread = ["", "&x=", "&x=${AUCTION_MULTIPLIER}", "&x=%24%7BAUCTION_MULTIPLIER%7D", "&x=1", "&x=1.0"];
    for x in unread {
        assert_eq!(office.cost(&screen, &format!("bill?p=2{x}")), dollars(2_000_000), "{x}");
    }
    for (x, price) in [("30.3", 60_600_000), ("0.5", 1_000_000), ("10000", 20_000_000_000), ("0.000001", 2)] {
        assert_eq!(office.cost(&screen, &format!("bill?p=2&x={x}")), dollars(price), "{x}");
        assert_eq!(office.cost(&bid(), &format!("bill?p=2&x={x}")), dollars(2_000_000), "{x}, but no screen");
    }
    for x in ["0", "-1", "10000.1", "1e300", "NaN", "many", "1,5", "0.0000001"] {
        let why = office.why(&screen, &format!("bill?p=2&x={x}"));
        assert_eq!(why, Some(Why::Multiplier), "{x}");
    }
    let above = office.why(&screen, "bill?p=2.6&x=0.1");
    assert_eq!(above, Some(Why::AboveBid), "the price of one impression is compared with the bid");
}
