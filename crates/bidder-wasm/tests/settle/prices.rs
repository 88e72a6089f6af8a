//! Prices with which nothing is booked, each with the reason that counters and `why` show.

use bidder_wasm::catalog::Codec;
use bidder_wasm::money::{Currency, Micros};
use bidder_wasm::notices::{Bills, Notice, Token};
use bidder_wasm::settle::Why::{
    PriceAbsurd, PriceAudit, PriceForged, PriceMissing, PriceNegative, PriceNoKey, PriceUnreadable, PriceUnreplaced,
    PriceZero,
};
use bidder_wasm::settle::{Effect, PriceKeys, Why};
use compiler_wasm::compile::compile;
use serde_json::json;

use super::office::{GOOGLE, MAGNITE, OPENX, Office, UNITY, bid, eur};

/// Prices that are hostile wherever a plain price is due, with the reason. They book nothing even if an SSP's missing
/// prices are replaced by the bid.
const PRICES: &[(&str, Why)] = &[
    ("p=AUDIT", PriceAudit),
    ("p=AUDIT&c=AUDIT", PriceAudit),
    ("p=%41UDIT", PriceAudit),
    ("p=audit", PriceUnreadable),
    ("p=-1", PriceNegative),
    ("p=-2.5", PriceNegative),
    ("p=-0.000001", PriceNegative),
    ("p=-1e300", PriceNegative),
    ("p=%2D2.5", PriceNegative),
    ("p=0", PriceZero),
    ("p=0.0", PriceZero),
    ("p=-0", PriceZero),
    ("p=0e300", PriceZero),
    ("p=1e300", PriceAbsurd),
    ("p=1e9999999999999999999", PriceAbsurd),
    ("p=1000000000.1", PriceAbsurd),
    ("p=9223372036854775808", PriceAbsurd),
    ("p=99999999999999999999999999999999999999", PriceAbsurd),
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
    ("p=2,5", PriceUnreadable),
    ("p=2.500,00", PriceUnreadable),
    ("p=1'000", PriceUnreadable),
    ("p=NaN", PriceUnreadable),
    ("p=nan", PriceUnreadable),
    ("p=Infinity", PriceUnreadable),
    ("p=-inf", PriceUnreadable),
    ("p=null", PriceUnreadable),
    ("p=undefined", PriceUnreadable),
    ("p=0x1", PriceUnreadable),
    ("p=.5", PriceUnreadable),
    ("p=1.", PriceUnreadable),
    ("p=1e", PriceUnreadable),
    ("p=+1", PriceUnreadable),
    ("p=1+", PriceUnreadable),
    ("p=$1", PriceUnreadable),
    ("p=1USD", PriceUnreadable),
    ("p=USD", PriceUnreadable),
    ("p=1.2.3", PriceUnreadable),
    ("p=1;2", PriceUnreadable),
    ("p==1", PriceUnreadable),
    ("p=%", PriceUnreadable),
    ("p=%%", PriceUnreadable),
    ("p=%2", PriceUnreadable),
    ("p=2.5%", PriceUnreadable),
    ("p=2.5%0", PriceUnreadable),
    ("p=2.5%zz", PriceUnreadable),
    ("p=%00", PriceUnreadable),
    ("p=%002.5", PriceUnreadable),
    ("p=%202.5", PriceUnreadable),
    ("p= 2.5", PriceUnreadable),
    ("p=2.5%20", PriceUnreadable),
    ("p=2.5%0A", PriceUnreadable),
    ("p=%FF%FE", PriceUnreadable),
    ("p=%C3%28", PriceUnreadable),
    ("p=%D9%A2", PriceUnreadable),
    ("p=٢", PriceUnreadable),
    ("p=2.5€", PriceUnreadable),
    ("p=%252.5", PriceUnreadable),
    ("p=<script>", PriceUnreadable),
    ("p=1%20OR%201", PriceUnreadable),
    ("p=YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA", PriceUnreadable),
    ("p=9CE9A1B1AB9902E2", PriceUnreadable),
    ("p=z5eznndAkpE=", PriceUnreadable),
    ("p=z5eznndAkpE%3D", PriceUnreadable),
    ("p=$", PriceUnreadable),
    ("p=${AUCTION_PRICE", PriceUnreadable),
    ("p=${}", PriceUnreadable),
    ("p=%%%%", PriceUnreadable),
    ("p={2.5}", PriceUnreadable),
    ("p=[2.5]", PriceUnreadable),
    ("p=%7B%22price%22:2.5%7D", PriceUnreadable),
    ("p=%2524%257BAUCTION_PRICE%257D", PriceUnreadable),
    // The first of two parameters counts.
    ("p=AUDIT&p=2.5", PriceAudit),
    ("p=1e300&p=2.5", PriceAbsurd),
    ("p=-1&p=2.5", PriceNegative),
    ("p=2.5&c=GBP&c=USD", Why::Rate),
];

/// What counts as a missing price: see `price_missing`.
const MISSING: &[(&str, Why)] = &[
    ("", PriceMissing),
    ("c=USD", PriceMissing),
    ("p", PriceMissing),
    ("p=", PriceMissing),
    ("p=&c=USD", PriceMissing),
    ("p=&p=2.5", PriceMissing),
    ("price=2.5", PriceMissing),
    ("P=2.5", PriceMissing),
    ("%70=2.5", PriceMissing),
    (";p=2.5", PriceMissing),
    ("pp=2.5", PriceMissing),
    ("p=${AUCTION_PRICE}", PriceUnreplaced),
    ("p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}", PriceUnreplaced),
    ("p=${AUCTION_PRICE:B64}", PriceUnreplaced),
    ("p=${AUCTON_PRICE}", PriceUnreplaced),
    ("p=%24%7BAUCTION_PRICE%7D", PriceUnreplaced),
    ("p=%24%7bAUCTION_PRICE%7d", PriceUnreplaced),
    ("p=$%7BAUCTION_PRICE%7D", PriceUnreplaced),
    ("p=%%WINNING_PRICE%%", PriceUnreplaced),
    ("p=%25%25WINNING_PRICE%25%25", PriceUnreplaced),
    ("p=%%PRICE%%&c=USD", PriceUnreplaced),
    ("p=[AUCTION_PRICE]", PriceUnreplaced),
    ("p={PRICE}", PriceUnreplaced),
    ("p=${AUCTION_PRICE}&p=2.5", PriceUnreplaced),
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
        let is_audit = *why == PriceAudit;
        assert!((effect == Effect::Win) != is_audit, "{win}: {effect:?}");
    }
}

#[test]
fn a_huge_query_books_nothing() {
    let office = Office::new(&json!({"price_missing": "bid"}), "");
    let long = "9".repeat(1 << 20);
    assert_eq!(office.why(&bid(), &format!("bill?p={long}")), Some(PriceAbsurd));
    assert_eq!(office.why(&bid(), &format!("bill?p=0.{long}")), None, "a price of 1, with many digits");
    assert_eq!(office.why(&bid(), &format!("bill?p=1e{long}")), Some(PriceAbsurd));
    assert_eq!(office.why(&bid(), &format!("bill?p={}", "%".repeat(1 << 20))), Some(PriceUnreadable));
    assert_eq!(office.why(&bid(), &format!("bill?p={}", "A".repeat(1 << 20))), Some(PriceUnreadable));
    let not_utf_8 = format!("bill/{}?p=\u{1}", office.text(&bid(), Notice::Bill));
    let not_utf_8: Vec<u8> = not_utf_8.bytes().map(|byte| if byte == 1 { 0xff } else { byte }).collect();
    office.refuses(&not_utf_8, 1, PriceUnreadable);
}

#[test]
fn an_encoded_price_needs_its_codec_and_its_keys() {
    let [google, openx, magnite, unity] =
        [("google", GOOGLE), ("openx", OPENX), ("magnite", MAGNITE), ("unity", UNITY)];
    let (price, stranger) = ("YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA", "SjpvRwAB4kB7jEpgW5IA8p73ew9ic6VZpFsPnA");
    let swapped = GOOGLE.split_once(' ').map(|(encryption, integrity)| format!("{integrity} {encryption}")).unwrap();
    for ((codec, keys), text, why) in [
        (google, "2.5", PriceUnreadable),
        (google, "1900", PriceUnreadable),
        (google, stranger, PriceForged),
        (google, &price[..37], PriceUnreadable),
        (google, &format!("{price}AAAA"), PriceUnreadable),
        (google, &price.replace('C', "D"), PriceForged),
        (google, "AUDIT", PriceAudit),
        (google, "%%%", PriceUnreadable),
        (("google", &swapped), price, PriceForged),
        (("google", ""), price, PriceNoKey),
        (("google", ""), "2.5", PriceNoKey),
        (openx, price, PriceForged),
        // 709,959.68 dollars are far above the bid.
        (openx, stranger, Why::AboveBid),
        (openx, "2.5", PriceUnreadable),
        (magnite, "2.5", PriceUnreadable),
        (magnite, "9CE9A1B1AB9902E", PriceUnreadable),
        (magnite, "9CE9A1B1AB9902E3", PriceUnreadable),
        (magnite, "${AUCTION_PRICE:BF", PriceUnreadable),
        (("magnite", UNITY), "9CE9A1B1AB9902E2", PriceUnreadable),
        (("magnite", ""), "9CE9A1B1AB9902E2", PriceNoKey),
        (unity, "2.5", PriceUnreadable),
        (unity, "9CE9A1B1AB9902E2", PriceUnreadable),
        (unity, "z5eznndAkpE=", Why::AboveBid),
        (("unity", MAGNITE), "z5eznndAkpE=", PriceUnreadable),
        (("unity", ""), "z5eznndAkpE=", PriceNoKey),
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
