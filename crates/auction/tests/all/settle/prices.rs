//! Prices with which nothing is booked, each with the reason that counters and `why` show.

use notices::settle::{Effect, PriceKeys, Why};
use notices::{Notice, Token};
use serde_json::json;

use super::{GOOGLE, Ssp, UNITY, bid, billed_by_win};
use crate::compiled;

/// Queries that are hostile wherever a plain price is due, with the reason. They book nothing even if an SSP's missing
/// prices are replaced by the bid. Of two parameters of a name, the first counts.
const PRICES: &[(Why, &str)] = &[
    (Why::PriceAudit, "p=AUDIT | p=AUDIT&c=AUDIT | p=%41UDIT | p=AUDIT&p=2.5"),
    (Why::PriceNegative, "p=-1 | p=-2.5 | p=-0.000001 | p=-1e300 | p=%2D2.5 | p=-1&p=2.5"),
    (Why::PriceZero, "p=0 | p=0.0 | p=-0 | p=0e300"),
    (Why::PriceAbsurd, "p=1e300 | p=1e9999999999999999999 | p=1000000000.1 | p=9223372036854775808 | p=1e300&p=2.5"),
    (Why::PriceAbsurd, "p=99999999999999999999999999999999999999"),
    // A 400th and a cent above the bid, and a micro.
    (Why::AboveBid, "p=2.516251 | p=2.5162501 | p=3 | p=2500 | p=2500000 | p=1e9 | p=2.5&c=EUR | p=2.108001&c=EUR"),
    (Why::Rate, "p=2.5&c=GBP | p=2.5&c=XXX | p=2.5&c=GBP&c=USD"),
    // Numbers of other notations, and other texts.
    (
        Why::PriceUnreadable,
        "p=1,2,3 | p=2.500,00 | p=1'000 | p=0x1 | p=.5 | p=1. | p=1e | p=+1 | p=1+ | p=1.2.3 | p=1;2",
    ),
    (Why::PriceUnreadable, "p=NaN | p=nan | p=Infinity | p=-inf | p=null | p=undefined | p=audit | p=USD | p=1USD"),
    (Why::PriceUnreadable, "p=$1 | p=2.5€ | p=٢ | p==1 | p=$ | p={2.5} | p=[2.5] | p=<script> | p=1%20OR%201 | p= 2.5"),
    // Escapes.
    (Why::PriceUnreadable, "p=% | p=%% | p=%2 | p=%%%% | p=2.5% | p=2.5%0 | p=2.5%zz | p=%00 | p=%002.5 | p=%202.5"),
    (Why::PriceUnreadable, "p=2.5%20 | p=2.5%0A | p=%FF%FE | p=%C3%28 | p=%D9%A2 | p=%252.5 | p=%7B%22price%22:2.5%7D"),
    // Encoded prices, and what is left of macros.
    (Why::PriceUnreadable, "p=YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA | p=9CE9A1B1AB9902E2 | p=z5eznndAkpE="),
    (Why::PriceUnreadable, "p=z5eznndAkpE%3D | p=${AUCTION_PRICE | p=${} | p=%2524%257BAUCTION_PRICE%257D"),
];

/// What counts as a missing price: see `price_missing`.
const MISSING: &[(Why, &str)] = &[
    (Why::PriceMissing, " | c=USD | p | p= | p=&c=USD | p=&p=2.5 | price=2.5 | P=2.5 | %70=2.5 | ;p=2.5 | pp=2.5"),
    (
        Why::PriceUnreplaced,
        "p=${AUCTION_PRICE} | p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY} | p=${AUCTION_PRICE:B64} | p=${AUCTON_PRICE}",
    ),
    (
        Why::PriceUnreplaced,
        "p=%24%7BAUCTION_PRICE%7D | p=%24%7bAUCTION_PRICE%7d | p=$%7BAUCTION_PRICE%7D | p=${AUCTION_PRICE}&p=2.5",
    ),
    (
        Why::PriceUnreplaced,
        "p=%%WINNING_PRICE%% | p=%25%25WINNING_PRICE%25%25 | p=%%PRICE%%&c=USD | p=[AUCTION_PRICE] | p={PRICE}",
    ),
];

/// The rows of a table, one for each query.
fn each<W: Copy>(table: &'static [(W, &str)]) -> impl Iterator<Item = (W, &'static str)> {
    table.iter().flat_map(|(why, queries)| queries.split(" | ").map(|query| (*why, query)))
}

#[test]
fn hostile_prices_book_nothing() {
    assert!(each(PRICES).count() + each(MISSING).count() >= 107);
    let nothing = Ssp::plain();
    let or_bid = Ssp::new(&json!({"price_missing": "bid"}), "");
    let of_wins = Ssp::new(&json!({"price_missing": "bid", "billing": "win"}), "");
    let second_price = Token { pays_bid: false, ..bid() };
    for kind in ["bill", "imp"] {
        for (why, query) in each(PRICES) {
            let notice = format!("{kind}?{query}");
            for ssp in [&nothing, &or_bid, &of_wins] {
                assert_eq!([bid(), second_price].map(|token| ssp.why(&token, &notice)), [Some(why); 2], "{notice}");
            }
        }
        for (why, query) in each(MISSING) {
            let (notice, why) = (format!("{kind}?{query}"), Some(why));
            assert_eq!([bid(), second_price].map(|token| nothing.why(&token, &notice)), [why; 2], "{notice}");
        }
    }
    for (why, query) in each(PRICES) {
        let win = format!("win?{query}");
        assert_eq!(of_wins.why(&billed_by_win(), &win), Some(why), "{win}");
        let effect = nothing.read(&bid(), &win).effect;
        assert_eq!(effect == Effect::Win, why != Why::PriceAudit, "{win}: {effect:?}");
    }
}

#[test]
fn a_huge_query_books_nothing() {
    let ssp = Ssp::new(&json!({"price_missing": "bid"}), "");
    let long = |text: &str| text.repeat(1 << 20);
    let nines = long("9");
    for (price, why) in [
        (nines.clone(), Some(Why::PriceAbsurd)),
        // A price of 1, with many digits.
        (format!("0.{nines}"), None),
        (format!("1e{nines}"), Some(Why::PriceAbsurd)),
        (long("%"), Some(Why::PriceUnreadable)),
        (long("A"), Some(Why::PriceUnreadable)),
    ] {
        assert_eq!(ssp.why(&bid(), &format!("bill?p={price}")), why, "{price:.9}");
    }
    let not_utf_8 = [format!("bill/{}?p=", ssp.text(&bid(), Notice::Bill)).as_bytes(), b"\xff"].concat();
    ssp.refuses(&not_utf_8, Why::PriceUnreadable);
}

#[test]
fn an_ssp_that_encodes_prices_and_has_no_keys_is_an_error() {
    let document = json!({"format": 1, "creatives": [], "campaigns": [], "ssps": [
        {"id": "north", "price_codec": "index"}, {"id": "plain"}, {"id": "south", "price_codec": "unity"},
    ]});
    let snapshot = compiled(document.to_string()).unwrap();
    let none = |id: &str, codec: &str| {
        format!(
            "{id}: price_codec {codec}, and PRICE_KEYS has no keys for it: its bills get a 503 and are not booked until \
             you add its keys under the id {id}"
        )
    };
    let (no_north, no_south) = (none("north", "google"), none("south", "unity"));
    let unusable = "the price keys of north: expected an encryption key of 32 bytes in base64".to_owned();
    let google = GOOGLE.replace(' ', "\t");
    let (north, south) = (format!("north\t{google}"), format!("south\t{UNITY}\t"));
    for (lines, expected) in [
        (vec![], vec![no_north.clone(), no_south.clone()]),
        (vec![&format!("nort\t{google}"), &south], vec![no_north]),
        (vec![&north], vec![no_south]),
        (vec![&"north\t\t".to_owned(), &south], vec![unusable]),
        (vec![&south, &north], vec![]),
    ] {
        let (_, errors) = PriceKeys::new(lines.iter().map(|line| line.as_str()), &snapshot.catalog());
        assert_eq!(errors, expected, "{lines:?}");
    }
}
