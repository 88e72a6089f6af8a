//! A catalog with one SSP, the keys, and a bid, to read notices with.

use core::num::NonZeroU8;

use bidder_wasm::catalog::{Catalog, Codec, Snapshot};
use bidder_wasm::money::{Currency, Micros};
use bidder_wasm::notices::{Bills, Keys, Notice, Notices, ONE, Token, hash_of};
use bidder_wasm::settle::{Cost, Directory, Effect, NoticeReader, PriceKeys, Verdict, Why};
use bumpalo::Bump;
use compiler_wasm::compile::compile;
use serde_json::{Value, json};

/// Wednesday, 2026-11-18T12:00:00Z.
pub(crate) const ISSUED_S: u32 = 1_795_003_200;
pub(crate) const KEY: &str = "a-key-of-the-tests-of-32-bytes-at-least";
pub(crate) const GOOGLE: &str =
    "skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o= arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=";
pub(crate) const OPENX: &str =
    "sIxwz7yw62yrfoLGt12lIHKuYrK/S5kLuApI2BQe7Ac= v3fsVcMBMMHYzRhi7SpM0sdqwzvAxM6KPTu9OtVod5I=";
pub(crate) const MAGNITE: &str = "DEADBEEFDEADBEEF";
pub(crate) const UNITY: &str = "encryption_key";

pub(crate) struct Office {
    snapshot: Snapshot,
    directory: Directory,
    pub(crate) notices: Notices,
    price_keys: PriceKeys,
}

impl Office {
    /// With these settings of the SSP `x`, and its keys for prices with a space between them, if it has some.
    pub(crate) fn new(settings: &Value, price_keys: &str) -> Office {
        let mut ssp = json!({"id": "x"});
        ssp.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let document = json!({"format": 1, "ssps": [ssp], "creatives": [], "campaigns": [],
            "rates": [{"cur": "EUR", "usd": "1.25"}, {"cur": "JPY", "usd": "0.008"}]});
        Office::of(compile(document.to_string().as_bytes(), &[]).unwrap().snapshot, "x", price_keys)
    }

    pub(crate) fn of(snapshot: Snapshot, ssp: &str, price_keys: &str) -> Office {
        let catalog = snapshot.catalog();
        let line = format!("{ssp}\t{}", price_keys.replace(' ', "\t"));
        let lines = (!price_keys.is_empty()).then_some(line.as_str());
        let (price_keys, errors) = PriceKeys::new(lines.into_iter(), &catalog);
        // Some tests want an SSP that has no keys.
        assert!(errors.is_empty() || lines.is_none(), "{errors:?}");
        let notices = Notices {
            origin: "https://bidder.example".to_owned(),
            shards: NonZeroU8::MIN,
            keys: Keys::new([KEY]).unwrap(),
        };
        Office { directory: Directory::of(&catalog), notices, price_keys, snapshot }
    }

    pub(crate) fn catalog(&self) -> Catalog<'_> {
        self.snapshot.catalog()
    }

    /// The verdict on a notice such as `bill?p=1` about a bid, a second after it.
    pub(crate) fn read(&self, token: &Token, notice: &str) -> Verdict {
        self.read_at(token, notice, 1)
    }

    /// The verdict at that many seconds after the bid.
    pub(crate) fn read_at(&self, token: &Token, notice: &str, seconds: i64) -> Verdict {
        let (kind, query) = notice.split_once('?').unwrap_or((notice, ""));
        let notice = Notice::parse(kind).unwrap_or(Notice::Bill);
        let url = format!("{kind}/{}?{query}", self.text(token, notice));
        self.read_url(url.as_bytes(), seconds).unwrap()
    }

    /// The text of a token for a kind of notice.
    pub(crate) fn text(&self, token: &Token, notice: Notice) -> String {
        self.notices.keys.sign(token).of(notice).concat()
    }

    /// The verdict on the end of a URL.
    pub(crate) fn read_url(&self, url: &[u8], seconds: i64) -> Option<Verdict> {
        let (catalog, arena) = (self.catalog(), Bump::new());
        let reader = NoticeReader {
            notices: &self.notices,
            price_keys: &self.price_keys,
            directory: &self.directory,
            catalog: &catalog,
            now_ms: (i64::from(ISSUED_S) + seconds) * 1000,
        };
        reader.read(url, &arena)
    }

    /// Why nothing is booked; `None` if the notice has another effect.
    pub(crate) fn why(&self, token: &Token, notice: &str) -> Option<Why> {
        match self.read(token, notice).effect {
            Effect::Refused(why) => Some(why),
            _ => None,
        }
    }

    /// Asserts that nothing is booked for the end of a URL, and why.
    #[track_caller]
    pub(crate) fn refuses(&self, url: &[u8], seconds: i64, why: Why) {
        let shown = String::from_utf8_lossy(url);
        let verdict = self.read_url(url, seconds).unwrap_or_else(|| panic!("not a notice: {shown}"));
        assert_eq!(verdict.effect, Effect::Refused(why), "{shown}");
    }

    /// What is booked.
    pub(crate) fn cost(&self, token: &Token, notice: &str) -> Cost {
        match self.read(token, notice).effect {
            Effect::Bill(cost) => cost,
            other => panic!("{notice}: {other:?}"),
        }
    }
}

/// A bid of 2.50 US dollars in a first-price auction, which `burl` and the markup bill.
pub(crate) fn bid() -> Token {
    Token {
        test: false,
        pays_bid: true,
        dooh: false,
        bills: Bills { by_win: false, by_burl: true, in_markup: true },
        books_bid: false,
        codec: Some(Codec::Plain),
        issued_s: ISSUED_S,
        seed: 0x0123_4567_89ab_cdef,
        place: 1,
        campaign: hash_of("shoes"),
        creative: hash_of("banner"),
        ssp: hash_of("x"),
        price: Micros(2_500_000),
        own_price: Micros(2_500_000),
        floor: 0,
        multiplier: ONE,
        cur: Currency::USD,
        own_cur: Currency::USD,
        shard: 0,
        frequency: 0,
    }
}

pub(crate) fn eur() -> Currency {
    Currency::parse("EUR")
}
