//! Tokens, paths and times with which nothing is booked, each with the reason that counters and `why` show.

use base::hash::hash_of;
use base::money::Micros;
use notices::settle::{Effect, Why};
use notices::{Keys, Notice, Token};
use serde_json::json;

use super::{ISSUED_S, Ssp, bid};
use crate::KEY;

/// A price that would be billed if the token were sound.
const QUERY: &str = "p=2.5&c=USD";

const HOUR: i64 = 3600;

#[test]
fn no_text_but_a_token_of_ours_is_billed() {
    let ssp = Ssp::new(&json!({"price_missing": "bid"}), "");
    let sound = ssp.text(&bid(), Notice::Bill);
    let signed = |token: &Token, key: &str| Keys::new([key]).unwrap().sign(token).text().of(Notice::Bill).concat();
    // The first 84 characters hold 63 of the content's 64 bytes.
    let spliced = |other: &Token| format!("{}{}", &ssp.text(other, Notice::Bill)[..84], &sound[84..]);
    let forged = [
        signed(&bid(), "another-key-of-32-bytes-and-some-more"),
        signed(&bid(), &KEY.to_uppercase()),
        signed(&bid(), &format!("{KEY} ")),
        spliced(&Token { price: Micros(9_000_000), ..bid() }),
        spliced(&Token { campaign: hash_of("others"), ..bid() }),
        sound.replace(|c: char| c.is_ascii_digit(), "A"),
        "A".repeat(sound.len()),
    ];
    let malformed = ["AUDIT", "${AUCTION_BID_ID}", "0123456789abcdef01"].map(str::to_owned).into_iter();
    let malformed = malformed
        .chain(["=", "A", "/", "%00", &sound].map(|more| format!("{sound}{more}")))
        .chain([" ", "../"].map(|before| format!("{before}{sound}")))
        .chain([sound.len() + 1, 1 << 16].map(|length| "A".repeat(length)))
        .chain((0..sound.len()).map(|end| sound[..end].to_owned()))
        .chain((1..sound.len()).map(|from| sound[from..].to_owned()));
    let hostile = malformed.map(|token| (token, Why::Malformed)).chain(forged.map(|token| (token, Why::Forged)));
    for (token, why) in hostile {
        for kind in ["bill", "imp", "win", "loss"] {
            ssp.refuses(format!("{kind}/{token}?{QUERY}").as_bytes(), why);
        }
    }
    let not_utf_8 = [b"bill/\xff\xfe".as_slice(), sound.as_bytes(), b"?p=2.5"].concat();
    ssp.refuses(&not_utf_8, Why::Malformed);
}

#[test]
fn other_paths_are_no_notices() {
    let ssp = Ssp::plain();
    let token = ssp.text(&bid(), Notice::Bill);
    for kind in ["", "Bill", "BILL", "bills", "burl", "impression", "view", "bill ", "%62ill", "Why"] {
        let url = format!("{kind}/{token}?{QUERY}");
        assert_eq!(ssp.read_url(url.as_bytes(), 1), None, "{kind}");
    }
    for url in ["", "bill", "/", "//"] {
        assert_eq!(ssp.read_url(url.as_bytes(), 1), None, "{url}");
    }
}

#[test]
fn notices_count_from_the_bid_to_the_end_of_their_hours() {
    for (settings, hours) in [(json!({}), 48), (json!({"notice_hours": 1}), 1), (json!({"notice_hours": 168}), 168)] {
        let ssp = Ssp::new(&settings, "");
        for kind in ["bill", "imp", "win", "loss"] {
            let effect = |seconds| ssp.read_at(&bid(), &format!("{kind}?{QUERY}"), seconds).effect;
            for sound in [-300, 0, hours * HOUR] {
                assert!(!matches!(effect(sound), Effect::Refused(_)), "{kind} after {sound} s of {hours} h");
            }
            for (seconds, why) in [
                (-301, Why::Future),
                (-86_400, Why::Future),
                (-i64::from(ISSUED_S), Why::Future),
                (hours * HOUR + 1, Why::Expired),
                (365 * 24 * HOUR, Why::Expired),
                (1 << 40, Why::Expired),
            ] {
                assert_eq!(effect(seconds), Effect::Refused(why), "{kind} after {seconds} s of {hours} h");
            }
        }
    }
}
