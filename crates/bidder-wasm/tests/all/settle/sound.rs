//! What sound notices cost.

use bidder_wasm::catalog::Codec;
use bidder_wasm::money::{Currency, Micros};
use bidder_wasm::notices::{ONE, Token, hash_of};
use bidder_wasm::settle::{Cost, Differs, Effect, Why};
use serde_json::json;

use super::{GOOGLE, MAGNITE, OPENX, Ssp, UNITY, bid, billed_by_win, eur};

fn dollars(micros: i64) -> Cost {
    let price = Micros(micros);
    Cost { cur: Currency::USD, price, usd: price, own: price, is_assumed: false, differs: None }
}

#[test]
fn a_plain_price_is_billed_to_the_micro() {
    let ssp = Ssp::plain();
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
        ("p=2.5&p=1", 2_500_000),
        ("p=2.5&x=${AUCTION_LOSS}&y=%", 2_500_000),
    ] {
        let cost = ssp.cost(&bid(), &format!("bill?{query}"));
        assert_eq!(cost, dollars(micros), "{query}");
        assert_eq!(cost, ssp.cost(&Token { pays_bid: false, ..bid() }, &format!("bill?{query}")));
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
        let ssp = Ssp::new(&json!({"price_codec": codec}), keys);
        let price = Micros(709_959_680_000);
        let token = Token { price, own_price: price, codec: Codec::parse(codec), ..bid() };
        assert_eq!(ssp.cost(&token, &format!("bill?p={text}")), dollars(micros), "{codec} {text}");
    }
}

#[test]
fn the_bid_is_billed_for_a_missing_price_where_the_winner_pays_its_bid() {
    let ssp = Ssp::new(&json!({"price_missing": "bid"}), "");
    let assumed = Cost { is_assumed: true, ..dollars(2_500_000) };
    for query in ["", "p=", "p=${AUCTION_PRICE}", "p=%24%7BAUCTION_PRICE%7D", "p=%%WINNING_PRICE%%"] {
        assert_eq!(ssp.cost(&bid(), &format!("bill?{query}")), assumed, "{query}");
        // The bid is in its own currency, whatever the notice says.
        assert_eq!(ssp.cost(&bid(), &format!("imp?{query}&c=EUR")), assumed, "{query}");
    }
    let in_euros = Ssp::new(&json!({"price_missing": "bid", "notice_cur": "EUR"}), "");
    assert_eq!(in_euros.cost(&bid(), "bill?p="), assumed);
    assert_eq!(in_euros.cost(&bid(), "bill?p=1").cur, eur());
    let encoded = Ssp::new(&json!({"price_missing": "bid", "price_codec": "google"}), "");
    let token = Token { codec: Some(Codec::Google), ..bid() };
    assert_eq!(encoded.cost(&token, "bill?p=%%WINNING_PRICE_ESC%%"), assumed);
}

#[test]
fn prices_are_converted_and_kept_exact_in_their_own_currency() {
    let ssp = Ssp::plain();
    let jpy = Currency::parse("JPY");
    // 1 euro is 1.25 dollars; 1 dollar is 125 yen.
    let token = Token { own_cur: jpy, own_price: Micros(312_500_000), ..bid() };
    let cost = ssp.cost(&token, "bill?p=1.600001&c=EUR");
    let expected = Cost {
        cur: eur(),
        price: Micros(1_600_001),
        usd: Micros(2_000_001),
        own: Micros(250_000_156),
        is_assumed: false,
        differs: None,
    };
    assert_eq!(cost, expected);
    let of_euros = Token { cur: eur(), own_cur: eur(), ..bid() };
    let cost = ssp.cost(&of_euros, "bill?p=2.499999");
    assert_eq!((cost.cur, cost.price, cost.own), (eur(), Micros(2_499_999), Micros(2_499_999)));
    assert_eq!(cost.usd, Micros(3_124_998), "3.12499875 rounded down");
    let set = Ssp::new(&json!({"notice_cur": "JPY"}), "");
    assert_eq!(set.cost(&bid(), "bill?p=250").usd, Micros(2_000_000), "the currency of the SSP's record");
    assert_eq!(set.cost(&bid(), "bill?p=2&c=USD").usd, Micros(2_000_000), "the currency of the notice goes before");
}

#[test]
fn a_win_is_billed_only_where_wins_bill() {
    // The setting at the time of the bid counts, because the bid's URLs were made with it.
    for billing in ["win", "burl"] {
        let ssp = Ssp::new(&json!({"billing": billing}), "");
        assert_eq!(ssp.cost(&billed_by_win(), "win?p=2.4&c=USD&m=2.39"), dollars(2_400_000));
    }
    for billing in ["openrtb", "burl", "impression", "both", "win"] {
        let ssp = Ssp::new(&json!({"billing": billing, "price_missing": "bid"}), "");
        let price = Some(Micros(2_400_000));
        for (notice, price) in
            [("win?p=2.4&m=2.39", price), ("win", None), ("win?p=${AUCTION_PRICE}", None), ("win?p=many", None)]
        {
            let verdict = ssp.read(&bid(), notice);
            assert_eq!((verdict.effect, verdict.price), (Effect::Win, price), "{notice}");
        }
    }
}

#[test]
fn losses_tell_their_code_and_the_price_to_win() {
    let ssp = Ssp::plain();
    for (query, code, min_to_win) in [
        ("l=102&m=3.01", Some(102), Some(3_010_000)),
        ("l=0", Some(0), None),
        ("l=213&m=", Some(213), None),
        ("l=500&m=AUDIT", None, None),
        ("l=100&m=0", Some(100), None),
        ("l=100&m=-1", Some(100), None),
        ("l=100&m=1e300", Some(100), None),
        ("l=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}", None, None),
        ("l=-1", None, None),
        ("l=", None, None),
        ("l=1e3", None, None),
        ("l=99999999999", None, None),
        ("l=11", None, None),
        ("l=1000", None, None),
        ("l=%31%30%32", Some(102), None),
        ("", None, None),
    ] {
        let verdict = ssp.read(&bid(), &format!("loss?{query}"));
        assert_eq!(verdict.effect, Effect::Loss(code), "{query}");
        assert_eq!(verdict.min_to_win, min_to_win.map(Micros), "{query}");
        let of_win = ssp.read(&bid(), &format!("win?{query}"));
        let found = (of_win.effect, of_win.price, of_win.min_to_win);
        assert_eq!(found, (Effect::Win, None, min_to_win.map(Micros)), "{query}");
    }
}

#[test]
fn an_ssp_that_the_catalog_no_longer_has_is_read_with_the_defaults() {
    let ssp = Ssp::new(&json!({"billing": "win", "price_missing": "bid", "notice_hours": 1}), "");
    let token = Token { ssp: hash_of("gone"), ..bid() };
    assert_eq!(ssp.cost(&token, "bill?p=2.5"), dollars(2_500_000));
    let win = ssp.read(&token, "win?p=2.5");
    assert_eq!((win.effect, win.price), (Effect::Win, Some(Micros(2_500_000))));
    assert!(ssp.why(&token, "bill?p=").is_some());
    assert!(matches!(ssp.read_at(&token, "bill?p=2.5", 48 * 3600).effect, Effect::Bill(_)));
}

#[test]
fn a_play_on_a_screen_costs_its_multiplier() {
    let ssp = Ssp::plain();
    let screen = Token { dooh: true, multiplier: 40 * ONE, ..bid() };
    for (x, price) in
        [("1", 2_000_000), ("1.0", 2_000_000), ("30.3", 60_600_000), ("0.5", 1_000_000), ("40", 80_000_000)]
    {
        assert_eq!(ssp.cost(&screen, &format!("bill?p=2&x={x}")), dollars(price), "{x}");
        assert_eq!(ssp.cost(&bid(), &format!("bill?p=2&x={x}")), dollars(2_000_000), "{x}, but no screen");
    }
    for x in ["", "&x=", "&x=${AUCTION_MULTIPLIER}", "&x=%24%7BAUCTION_MULTIPLIER%7D"] {
        assert_eq!(ssp.cost(&screen, &format!("bill?p=2{x}")), dollars(80_000_000), "{x}: what the request said");
    }
    for x in ["0", "-1", "40.000001", "10000", "1e300", "NaN", "many", "1,5", "0.0000001"] {
        let why = ssp.why(&screen, &format!("bill?p=2&x={x}"));
        assert_eq!(why, Some(Why::Multiplier), "{x}");
    }
    let above = ssp.why(&screen, "bill?p=2.6&x=0.1");
    assert_eq!(above, Some(Why::AboveBid), "the price of one impression is compared with the bid");
    let from_markup = ssp.cost(&screen, "imp?p=0.01&x=0.000001");
    let assumed = Cost { is_assumed: true, differs: Some(Differs::Under), ..dollars(100_000_000) };
    assert_eq!(from_markup, assumed, "who shows the ad cannot say what it costs");
}

#[test]
fn a_price_a_little_over_the_bid_or_under_the_floor_books_the_bid_or_the_floor() {
    let ssp = Ssp::plain();
    let over = Cost { differs: Some(Differs::Over), ..dollars(2_500_000) };
    assert_eq!(ssp.cost(&bid(), "bill?p=2.500001"), over);
    assert_eq!(ssp.cost(&bid(), "bill?p=2.51625"), over);
    assert_eq!(ssp.cost(&bid(), "bill?p=2.108&c=EUR"), over);
    let token = Token { floor: u16::MAX / 5 * 4, ..bid() };
    assert_eq!(token.least(), Micros(2_000_000));
    for (price, booked) in [("2", 2_000_000), ("1.999999", 2_000_000), ("1.98375", 2_000_000), ("2.000001", 2_000_001)]
    {
        assert_eq!(ssp.cost(&token, &format!("bill?p={price}")), dollars(booked), "{price}");
    }
    for price in ["1.983749", "1", "0.000001"] {
        for kind in ["bill", "imp"] {
            assert_eq!(ssp.why(&token, &format!("{kind}?p={price}")), Some(Why::BelowFloor), "{kind} {price}");
        }
    }
}

#[test]
fn a_plain_price_from_the_markup_is_not_believed() {
    let ssp = Ssp::plain();
    let assumed = Cost { is_assumed: true, differs: Some(Differs::Under), ..dollars(2_500_000) };
    assert_eq!(ssp.cost(&bid(), "imp?p=0.000001"), assumed);
    assert_eq!(ssp.cost(&bid(), "imp?p=2.49"), dollars(2_500_000), "a cent of rounding is not worth telling");
    assert_eq!(ssp.cost(&bid(), "imp?p=2.5"), dollars(2_500_000));
    let encoded = Ssp::new(&json!({"price_codec": "google"}), GOOGLE);
    let token = Token { codec: Some(Codec::Google), ..bid() };
    assert_eq!(encoded.cost(&token, "imp?p=YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA"), dollars(1900));
}

#[test]
fn where_the_record_says_that_prices_are_bids_the_bid_is_booked() {
    let ssp = Ssp::plain();
    let token = Token { books_bid: true, floor: u16::MAX / 2, ..bid() };
    for (query, differs) in [
        ("p=2.5", None),
        ("p=2.49", None),
        ("p=0.000001", Some(Differs::Under)),
        ("p=2000", Some(Differs::Over)),
        ("p=1&c=GBP", None),
        ("p=", None),
        ("p=${AUCTION_PRICE}", None),
        ("p=many", None),
    ] {
        for kind in ["bill", "imp"] {
            assert_eq!(
                ssp.cost(&token, &format!("{kind}?{query}")),
                Cost { differs, ..dollars(2_500_000) },
                "{kind} {query}"
            );
        }
    }
    assert!(ssp.why(&token, "bill?p=AUDIT").is_some());
}

#[test]
fn bids_outlive_the_rates_that_they_were_made_with() {
    let ssp = Ssp::plain();
    let gbp = Currency::parse("GBP");
    // The catalog has no rate for pounds any more. When the bid was made, one was 1.25 dollars.
    let of_pounds = Token { own_cur: gbp, own_price: Micros(2_000_000), ..bid() };
    let cost = ssp.cost(&of_pounds, "bill?p=1.25");
    assert_eq!((cost.price, cost.usd, cost.own), (Micros(1_250_000), Micros(1_250_000), Micros(1_000_000)));
    let in_pounds = Token { cur: gbp, price: Micros(2_000_000), ..bid() };
    let cost = ssp.cost(&in_pounds, "bill?p=1");
    assert_eq!((cost.cur, cost.usd, cost.own), (gbp, Micros(1_250_000), Micros(1_250_000)));
}
