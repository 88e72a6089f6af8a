//! Reading notices: what a sound notice costs, and that no other one books anything.
//!
//! `tokens` and `prices` have what must not be billed, each with its reason; `outcomes` runs a table of notices and what
//! they do; `misuse` calls URLs with values of all kinds; `table` runs `fixtures/notices.tsv`.

mod misuse;
mod outcomes;
mod prices;
mod table;
mod tokens;

use base::hash::hash_of;
use base::money::{Currency, Micros};
use bumpalo::Bump;
use catalog::{Catalog, Codec, Snapshot};
use notices::settle::{Directory, Effect, NoticeReader, PriceKeys, Verdict, Why};
use notices::{Bills, Notice, Notices, ONE, Token};
use serde_json::{Value, json};

use super::{NOW_MS, SEED, compiled, notices};

/// When the bids of these tests are made.
pub(crate) const ISSUED_S: u32 = 1_795_003_200;

const GOOGLE: &str = "skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o= arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=";
const UNITY: &str = "encryption_key";

/// An SSP of a catalog, with what it takes to read notices about bids at it.
pub(crate) struct Ssp {
    snapshot: Snapshot,
    directory: Directory,
    notices: Notices,
    price_keys: PriceKeys,
}

impl Ssp {
    /// The SSP `x` without settings.
    fn plain() -> Ssp {
        Ssp::new(&json!({}), "")
    }

    /// The SSP `x` with these settings, and with keys of prices, which have a space between them, if it has some.
    fn new(settings: &Value, price_keys: &str) -> Ssp {
        let mut ssp = json!({"id": "x"});
        ssp.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let document = json!({"format": 1, "ssps": [ssp], "creatives": [], "campaigns": [],
            "rates": [{"cur": "EUR", "usd": "1.25"}, {"cur": "JPY", "usd": "0.008"}]});
        Ssp::of(compiled(document.to_string()).unwrap(), 0, price_keys)
    }

    /// The SSP at this place of a catalog.
    pub(crate) fn of(snapshot: Snapshot, place: usize, price_keys: &str) -> Ssp {
        let catalog = snapshot.catalog();
        let line = format!("{}\t{}", catalog.parts().ssp(place).id(), price_keys.replace(' ', "\t"));
        let lines = (!price_keys.is_empty()).then_some(line.as_str());
        let (price_keys, errors) = PriceKeys::new(lines.into_iter(), &catalog);
        // Some tests want an SSP that has no keys.
        assert!(errors.is_empty() || lines.is_none(), "{errors:?}");
        Ssp { directory: Directory::of(&catalog), notices: notices(), price_keys, snapshot }
    }

    pub(crate) fn catalog(&self) -> Catalog<'_> {
        self.snapshot.catalog()
    }

    /// The text of a token for a kind of notice.
    fn text(&self, token: &Token, notice: Notice) -> String {
        self.notices.keys.sign(token).text().of(notice).concat()
    }

    /// The verdict on the end of a URL, so many seconds after the bid.
    pub(crate) fn read_url(&self, url: &[u8], seconds: i64) -> Option<Verdict> {
        let (catalog, arena) = (self.catalog(), Bump::new());
        let reader = NoticeReader {
            notices: &self.notices,
            price_keys: &self.price_keys,
            directory: &self.directory,
            catalog: &catalog,
            now_ms: NOW_MS + seconds * 1000,
        };
        reader.read(url, &arena)
    }

    /// The verdict on a notice such as `bill?p=1` about a bid.
    fn read_at(&self, token: &Token, notice: &str, seconds: i64) -> Verdict {
        let (kind, query) = notice.split_once('?').unwrap_or((notice, ""));
        let notice = Notice::parse(kind).unwrap_or(Notice::Bill);
        let url = format!("{kind}/{}?{query}", self.text(token, notice));
        self.read_url(url.as_bytes(), seconds).unwrap()
    }

    /// The verdict a second after the bid.
    fn read(&self, token: &Token, notice: &str) -> Verdict {
        self.read_at(token, notice, 1)
    }

    /// Why nothing is booked; `None` if the notice has another effect.
    fn why(&self, token: &Token, notice: &str) -> Option<Why> {
        match self.read(token, notice).effect {
            Effect::Refused(why) => Some(why),
            _ => None,
        }
    }

    /// Asserts that nothing is booked for the end of a URL, and why.
    #[track_caller]
    fn refuses(&self, url: &[u8], why: Why) {
        let shown = String::from_utf8_lossy(url);
        let verdict = self.read_url(url, 1).unwrap_or_else(|| panic!("not a notice: {shown}"));
        assert_eq!(verdict.effect, Effect::Refused(why), "{shown}");
    }
}

/// A bid of 2.50 US dollars in a first-price auction, which `burl` and the markup bill.
pub(crate) fn bid() -> Token {
    Token {
        test: false,
        pays_bid: true,
        multiplied: false,
        bills: Bills { by_win: false, by_burl: true, in_markup: true },
        books_bid: false,
        arm: 0,
        codec: Codec::Plain,
        issued_s: ISSUED_S,
        seed: SEED,
        position: 1,
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

/// The same bid where a win bills it too.
fn billed_by_win() -> Token {
    Token { bills: Bills { by_win: true, ..bid().bills }, ..bid() }
}

fn eur() -> Currency {
    Currency::parse("EUR")
}
