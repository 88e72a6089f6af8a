//! Prices with which nothing is booked, each with the reason that counters and `why` show.

use bidder_wasm::catalog::Codec;
use bidder_wasm::money::{Currency, Micros};
use bidder_wasm::notices::{Bills, Notice, Token};
use bidder_wasm::settle::codec::PriceError::{
    Absurd, Audit, Forged, Missing, Negative, NoKey, Unreadable, Unreplaced, Zero,
};
use bidder_wasm::settle::{Effect, PriceKeys, Why};
use compiler_wasm::compile::compile;
use serde_json::json;

use super::office::{GOOGLE, MAGNITE, OPENX, Office, UNITY, bid, eur};

/// Prices that are hostile wherever a plain price is due, with the reason. They book nothing even if an SSP's missing
/// prices are replaced by the bid.
const PRICES: &[(&str, Why)] = &[
    ("p=AUDIT", Why::Price(Audit)),
    ("p=AUDIT&c=AUDIT", Why::Price(Audit)),
    ("p=%41UDIT", Why::Price(Audit)),
    ("p=audit", Why::Price(Unreadable)),
    ("p=-1", Why::Price(Negative)),
    ("p=-2.5", Why::Price(Negative)),
    ("p=-0.000001", Why::Price(Negative)),
    ("p=-1e300", Why::Price(Negative)),
    ("p=%2D2.5", Why::Price(Negative)),
    ("p=0", Why::Price(Zero)),
    ("p=0.0", Why::Price(Zero)),
    ("p=-0", Why::Price(Zero)),
    ("p=0e300", Why::Price(Zero)),
    ("p=1e300", Why::Price(Absurd)),
    ("p=1e9999999999999999999", Why::Price(Absurd)),
    ("p=1000000000.1", Why::Price(Absurd)),
    ("p=9223372036854775808", Why::Price(Absurd)),
    ("p=99999999999999999999999999999999999999", Why::Price(Absurd)),
    // A 400th and a cent above the bid, and a micro.
    ("p=2.516251", Why::AboveBid),
    ("p=2.5162501", Why::AboveBid),
    ("p=3", Why::AboveBid),
    ("p=2500", Why::AboveBid),
    ("p=2500000", Why::AboveBid),
    ("p=1e9", Why::AboveBid),
    ("p=2.5&c=EUR", Why::AboveBid),
    ("p=2.108001&c=EUR", Why::AboveBid),
    ("p=2.5&c=GBP", Why::Rate),
    ("p=2.5&c=XXX", Why::Rate),
    ("p=2,5", Why::Price(Unreadable)),
    ("p=2.500,00", Why::Price(Unreadable)),
    ("p=1'000", Why::Price(Unreadable)),
    ("p=NaN", Why::Price(Unreadable)),
    ("p=nan", Why::Price(Unreadable)),
    ("p=Infinity", Why::Price(Unreadable)),
    ("p=-inf", Why::Price(Unreadable)),
    ("p=null", Why::Price(Unreadable)),
    ("p=undefined", Why::Price(Unreadable)),
    ("p=0x1", Why::Price(Unreadable)),
    ("p=.5", Why::Price(Unreadable)),
    ("p=1.", Why::Price(Unreadable)),
    ("p=1e", Why::Price(Unreadable)),
    ("p=+1", Why::Price(Unreadable)),
    ("p=1+", Why::Price(Unreadable)),
    ("p=$1", Why::Price(Unreadable)),
    ("p=1USD", Why::Price(Unreadable)),
    ("p=USD", Why::Price(Unreadable)),
    ("p=1.2.3", Why::Price(Unreadable)),
    ("p=1;2", Why::Price(Unreadable)),
    ("p==1", Why::Price(Unreadable)),
    ("p=%", Why::Price(Unreadable)),
    ("p=%%", Why::Price(Unreadable)),
    ("p=%2", Why::Price(Unreadable)),
    ("p=2.5%", Why::Price(Unreadable)),
    ("p=2.5%0", Why::Price(Unreadable)),
    ("p=2.5%zz", Why::Price(Unreadable)),
    ("p=%00", Why::Price(Unreadable)),
    ("p=%002.5", Why::Price(Unreadable)),
    ("p=%202.5", Why::Price(Unreadable)),
    ("p= 2.5", Why::Price(Unreadable)),
    ("p=2.5%20", Why::Price(Unreadable)),
    ("p=2.5%0A", Why::Price(Unreadable)),
    ("p=%FF%FE", Why::Price(Unreadable)),
    ("p=%C3%28", Why::Price(Unreadable)),
    ("p=%D9%A2", Why::Price(Unreadable)),
    ("p=٢", Why::Price(Unreadable)),
    ("p=2.5€", Why::Price(Unreadable)),
    ("p=%252.5", Why::Price(Unreadable)),
    ("p=<script>", Why::Price(Unreadable)),
    ("p=1%20OR%201", Why::Price(Unreadable)),
    ("p=YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA", Why::Price(Unreadable)),
    ("p=9CE9A1B1AB9902E2", Why::Price(Unreadable)),
    ("p=z5eznndAkpE=", Why::Price(Unreadable)),
    ("p=z5eznndAkpE%3D", Why::Price(Unreadable)),
    ("p=$", Why::Price(Unreadable)),
    ("p=${AUCTION_PRICE", Why::Price(Unreadable)),
    ("p=${}", Why::Price(Unreadable)),
    ("p=%%%%", Why::Price(Unreadable)),
    ("p={2.5}", Why::Price(Unreadable)),
    ("p=[2.5]", Why::Price(Unreadable)),
    ("p=%7B%22price%22:2.5%7D", Why::Price(Unreadable)),
    ("p=%2524%257BAUCTION_PRICE%257D", Why::Price(Unreadable)),
    // The first of two parameters counts.
    ("p=AUDIT&p=2.5", Why::Price(Audit)),
    ("p=1e300&p=2.5", Why::Price(Absurd)),
    ("p=-1&p=2.5", Why::Price(Negative)),
    ("p=2.5&c=GBP&c=USD", Why::Rate),
];

/// What counts as a missing price: see `price_missing`.
const MISSING: &[(&str, Why)] = &[
    ("", Why::Price(Missing)),
    ("c=USD", Why::Price(Missing)),
    ("p", Why::Price(Missing)),
    ("p=", Why::Price(Missing)),
    ("p=&c=USD", Why::Price(Missing)),
    ("p=&p=2.5", Why::Price(Missing)),
    ("price=2.5", Why::Price(Missing)),
    ("P=2.5", Why::Price(Missing)),
    ("%70=2.5", Why::Price(Missing)),
    (";p=2.5", Why::Price(Missing)),
    ("pp=2.5", Why::Price(Missing)),
    ("p=${AUCTION_PRICE}", Why::Price(Unreplaced)),
    ("p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}", Why::Price(Unreplaced)),
    ("p=${AUCTION_PRICE:B64}", Why::Price(Unreplaced)),
    ("p=${AUCTON_PRICE}", Why::Price(Unreplaced)),
    ("p=%24%7BAUCTION_PRICE%7D", Why::Price(Unreplaced)),
    ("p=%24%7bAUCTION_PRICE%7d", Why::Price(Unreplaced)),
    ("p=$%7BAUCTION_PRICE%7D", Why::Price(Unreplaced)),
    ("p=%%WINNING_PRICE%%", Why::Price(Unreplaced)),
    ("p=%25%25WINNING_PRICE%25%25", Why::Price(Unreplaced)),
    ("p=%%PRICE%%&c=USD", Why::Price(Unreplaced)),
    ("p=[AUCTION_PRICE]", Why::Price(Unreplaced)),
    ("p={PRICE}", Why::Price(Unreplaced)),
    ("p=${AUCTION_PRICE}&p=2.5", Why::Price(Unreplaced)),
];

#[test]
fn hostile_prices_book_nothing() {
    assert!(PRICES.len() + MISSING.len() >= 100, "{} and {}", PRICES.len(), MISSING.len());
    let nothing = Office::new(&json!({}), "");
    let or_bid = Office::new(&json!({"price_missing": "bid"}), "");
    let of_wins = Office::new(&json!({"price_missing": "bid", "billing": "win"}), "");
    let second_price = Token { pays_bid: false, ..bid() };
    for kind in ["bill", "imp"] {
        for (query, why) in PRICES {
            let notice = format!("{kind}?{query}");
            for office in [&nothing, &or_bid, &of_wins] {
                for token in [bid(), second_price] {
                    assert_eq!(office.why(&token, &notice), Some(*why), "{notice}");
                }
            }
        }
        for (query, why) in MISSING {
            let notice = format!("{kind}?{query}");
            assert_eq!(nothing.why(&bid(), &notice), Some(*why), "{notice}");
            assert_eq!(or_bid.why(&second_price, &notice), Some(*why), "{notice} in a second-price auction");
            assert_eq!(of_wins.why(&second_price, &notice), Some(*why), "{notice} in a second-price auction");
        }
    }
    for (query, why) in PRICES {
        let win = format!("win?{query}");
        assert_eq!(
            of_wins.why(&Token { bills: Bills { by_win: true, ..bid().bills }, ..bid() }, &win),
            Some(*why),
            "{win}"
        );
        let effect = nothing.read(&bid(), &win).effect;
        let is_audit = *why == Why::Price(Audit);
        assert!((effect == Effect::Win) != is_audit, "{win}: {effect:?}");
    }
}

#[test]
fn a_huge_query_books_nothing() {
    let office = Office::new(&json!({"price_missing": "bid"}), "");
    let long = "9".repeat(1 << 20);
    assert_eq!(office.why(&bid(), &format!("bill?p={long}")), Some(Why::Price(Absurd)));
    assert_eq!(office.why(&bid(), &format!("bill?p=0.{long}")), None, "a price of 1, with many digits");
    assert_eq!(office.why(&bid(), &format!("bill?p=1e{long}")), Some(Why::Price(Absurd)));
    assert_eq!(office.why(&bid(), &format!("bill?p={}", "%".repeat(1 << 20))), Some(Why::Price(Unreadable)));
    assert_eq!(office.why(&bid(), &format!("bill?p={}", "A".repeat(1 << 20))), Some(Why::Price(Unreadable)));
    let not_utf_8 = format!("bill/{}?p=\u{1}", office.text(&bid(), Notice::Bill));
    let not_utf_8: Vec<u8> = not_utf_8.bytes().map(|byte| if byte == 1 { 0xff } else { byte }).collect();
    office.refuses(&not_utf_8, 1, Why::Price(Unreadable));
}

#[test]
fn an_encoded_price_needs_its_codec_and_its_keys() {
    let [google, openx, magnite, unity] =
        [("google", GOOGLE), ("openx", OPENX), ("magnite", MAGNITE), ("unity", UNITY)];
    let (price, stranger) = ("YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA", "SjpvRwAB4kB7jEpgW5IA8p73ew9ic6VZpFsPnA");
    let swapped = GOOGLE.split_once(' ').map(|(encryption, integrity)| format!("{integrity} {encryption}")).unwrap();
    for ((codec, keys), text, why) in [
        (google, "2.5", Why::Price(Unreadable)),
        (google, "1900", Why::Price(Unreadable)),
        (google, stranger, Why::Price(Forged)),
        (google, &price[..37], Why::Price(Unreadable)),
        (google, &format!("{price}AAAA"), Why::Price(Unreadable)),
        (google, &price.replace('C', "D"), Why::Price(Forged)),
        (google, "AUDIT", Why::Price(Audit)),
        (google, "%%%", Why::Price(Unreadable)),
        (("google", &swapped), price, Why::Price(Forged)),
        (("google", ""), price, Why::Price(NoKey)),
        (("google", ""), "2.5", Why::Price(NoKey)),
        (openx, price, Why::Price(Forged)),
        // 709,959.68 dollars are far above the bid.
        (openx, stranger, Why::AboveBid),
        (openx, "2.5", Why::Price(Unreadable)),
        (magnite, "2.5", Why::Price(Unreadable)),
        (magnite, "9CE9A1B1AB9902E", Why::Price(Unreadable)),
        (magnite, "9CE9A1B1AB9902E3", Why::Price(Unreadable)),
        (magnite, "${AUCTION_PRICE:BF", Why::Price(Unreadable)),
        (("magnite", UNITY), "9CE9A1B1AB9902E2", Why::Price(Unreadable)),
        (("magnite", ""), "9CE9A1B1AB9902E2", Why::Price(NoKey)),
        (unity, "2.5", Why::Price(Unreadable)),
        (unity, "9CE9A1B1AB9902E2", Why::Price(Unreadable)),
        (unity, "z5eznndAkpE=", Why::AboveBid),
        (("unity", MAGNITE), "z5eznndAkpE=", Why::Price(Unreadable)),
        (("unity", ""), "z5eznndAkpE=", Why::Price(NoKey)),
    ] {
        for price_missing in ["nothing", "bid"] {
            let office = Office::new(&json!({"price_codec": codec, "price_missing": price_missing}), keys);
            let token = Token { codec: Codec::parse(codec), ..bid() };
            let found = office.why(&token, &format!("bill?p={text}"));
            assert_eq!(found, Some(why), "{text} where {codec} is due");
        }
    }
}

#[test]
fn an_ssp_that_encodes_prices_and_has_no_keys_is_an_error() {
    let document = json!({"format": 1, "creatives": [], "campaigns": [], "ssps": [
        {"id": "north", "price_codec": "index"}, {"id": "plain"}, {"id": "south", "price_codec": "unity"},
    ]});
    let snapshot = compile(document.to_string().as_bytes(), &[]).unwrap().snapshot;
    let google = GOOGLE.replace(' ', "\t");
    let none = |id: &str, codec: &str| {
        format!(
            "{id}: price_codec {codec}, and PRICE_KEYS has no keys for it: its bills get a 503 and are not booked until \
             you add its keys under the id {id}"
        )
    };
    let unusable = "the price keys of north: expected an encryption key of 32 bytes in base64".to_owned();
    for (lines, expected) in [
        (vec![], vec![none("north", "google"), none("south", "unity")]),
        (vec![format!("nort\t{google}"), format!("south\t{UNITY}\t")], vec![none("north", "google")]),
        (vec![format!("north\t{google}")], vec![none("south", "unity")]),
        (vec!["north\t\t".to_owned(), format!("south\t{UNITY}\t")], vec![unusable]),
        (vec![format!("south\t{UNITY}\t"), format!("north\t{google}")], vec![]),
    ] {
        let (_, errors) = PriceKeys::new(lines.iter().map(String::as_str), &snapshot.catalog());
        assert_eq!(errors, expected, "{lines:?}");
    }
}

#[test]
fn a_currency_without_a_rate_books_nothing() {
    let gbp = Currency::parse("GBP");
    for (settings, token, query) in [
        (json!({}), Token { cur: gbp, own_cur: gbp, ..bid() }, "p=2.5"),
        (json!({}), Token { cur: gbp, ..bid() }, "p=2.5&c=USD"),
        (json!({}), Token { own_cur: gbp, own_price: Micros::ZERO, ..bid() }, "p=2.5"),
        (json!({}), Token { cur: Currency::UNKNOWN, ..bid() }, "p=2.5"),
        (json!({"price_missing": "bid"}), Token { cur: gbp, own_price: Micros::ZERO, ..bid() }, "p="),
        (json!({"notice_cur": "EUR"}), bid(), "p=1&c=GBP"),
        (json!({}), Token { cur: eur(), ..bid() }, "p=1&c=CHF"),
    ] {
        assert_eq!(Office::new(&settings, "").why(&token, &format!("bill?{query}")), Some(Why::Rate), "{query}");
    }
}
