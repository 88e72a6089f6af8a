//! Tokens in the wrong hands: whoever calls any URL with any values books at most the impression that it is about, and
//! never less than its floor.

use base::hash::hash_of;
use base::limits::MAX_PRICE;
use base::money::{Currency, Micros, Rounding};
use catalog::Codec;
use notices::settle::{Effect, Verdict, Why};
use notices::{Bills, Notice, ONE, Token, part_of};
use serde_json::json;

use super::{GOOGLE, Ssp, bid, eur};

const CALLS: usize = 200_000;

#[test]
fn no_misused_token_books_more_than_its_impression_or_less_than_its_floor() {
    let ssps = [
        Ssp::plain(),
        Ssp::new(&json!({"price_missing": "bid", "max_multiplier": 5}), ""),
        Ssp::new(&json!({"price_codec": "google"}), GOOGLE),
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut booked, mut held, mut forged) = (0, 0, 0);
    for number in 0..CALLS {
        let ssp = &ssps[random.below(3)];
        let token = random.token(ssp);
        let signed = Notice::ALL[random.below(4)];
        let called = if random.one_in(3) { signed } else { Notice::ALL[random.below(4)] };
        let query = random.query(&token);
        let url = format!("{}/{}?{query}", called.as_str(), ssp.text(&token, signed));
        let verdict = ssp.read_url(url.as_bytes(), 1).unwrap();
        if signed != called {
            assert_eq!((verdict.effect, verdict.weight), (Effect::Refused(Why::Forged), None), "{url}");
            forged += 1;
            continue;
        }
        let impression = impression(ssp, &token);
        let bills = token.bills.by(called);
        if let Some(weight) = verdict.weight {
            assert!(bills && weight.0 <= impression, "{url}: {weight} of {impression}: {token:?}");
            held += usize::from(!matches!(verdict.effect, Effect::Bill(_)));
        }
        if let Effect::Bill(cost) = verdict.effect {
            let usd = ssp.catalog().rates.convert(cost.price, cost.cur, Currency::USD, Rounding::Down);
            assert!(bills && usd == Some(cost.usd), "{url}: {token:?}");
            check(number, impression, &token, &verdict, &query);
            booked += 1;
        }
    }
    println!("{booked} were booked, {held} weigh, {forged} were of another kind");
    assert!(booked > 5000 && held > 5000 && forged > 50_000);
}

/// What an impression costs at most, in the campaign's currency.
fn impression(ssp: &Ssp, token: &Token) -> i64 {
    let own = ssp.catalog().rates.convert(token.price, token.cur, token.own_cur, Rounding::Up).unwrap();
    let multiplier = if token.multiplied { token.multiplier } else { ONE };
    own.0 * i64::from(multiplier) / i64::from(ONE)
}

fn check(number: usize, impression: i64, token: &Token, verdict: &Verdict, query: &str) {
    let Effect::Bill(cost) = verdict.effect else { return };
    let told = format!("call {number}, {query}: {cost:?} for {token:?}");
    assert!(cost.own.0 <= impression, "{told}: over {impression}");
    assert!(token.multiplied || (1..=MAX_PRICE).contains(&cost.price.0), "{told}");
    if verdict.notice == Notice::Imp && token.codec == Codec::Plain {
        let plays = if token.multiplied { token.multiplier } else { ONE };
        let bid = token.price.0 * i64::from(plays) / i64::from(ONE);
        assert!((cost.cur, cost.price.0) >= (token.cur, bid), "{told}: under the bid");
        return;
    }
    // In the exchange's own notices, a play may count for less than the request said.
    let x = query.split("x=").nth(1).and_then(|x| Micros::parse(x, Rounding::Down));
    let x = if token.multiplied { x.map_or(i64::from(token.multiplier) * 1000, |x| x.0) } else { 1_000_000 };
    let least = i128::from(token.least().0) * i128::from(x) / 1_000_000;
    if cost.cur == token.cur {
        assert!(i128::from(cost.price.0) >= least, "{told}: under {least}");
    }
}

/// The same numbers in each run (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed >> 33) % count as u64).unwrap()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn amount(&mut self, below: usize) -> Micros {
        Micros(i64::try_from(self.below(below)).unwrap())
    }

    fn token(&mut self, ssp: &Ssp) -> Token {
        let catalog = ssp.catalog();
        let [cur, own_cur] = [(); 2].map(|()| [Currency::USD, eur(), Currency::parse("JPY")][self.below(3)]);
        let price = Micros(self.amount(20_000_000).0 + 1);
        let floor = if self.one_in(2) { Micros::ZERO } else { Micros(price.0 * self.amount(1001).0 / 1000) };
        Token {
            test: self.one_in(50),
            pays_bid: self.one_in(2),
            multiplied: self.one_in(3),
            bills: Bills { by_win: self.one_in(2), by_burl: self.one_in(2), in_markup: self.one_in(2) },
            books_bid: self.one_in(3),
            codec: catalog.parts().ssp(0).price_codec(),
            seed: self.below(1 << 20) as u64,
            ssp: hash_of(if self.one_in(10) { "gone" } else { "x" }),
            price,
            own_price: catalog.rates.convert(price, cur, own_cur, Rounding::Down).unwrap(),
            floor: part_of(floor, price),
            multiplier: if self.one_in(2) { ONE } else { u32::try_from(self.below(50_000)).unwrap() + 1 },
            cur,
            own_cur,
            ..bid()
        }
    }

    fn query(&mut self, token: &Token) -> String {
        let near = Micros(token.price.0 * self.amount(1100).0 / 1000).to_string();
        let any = self.amount(40_000_000).to_string();
        let google = "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA";
        let bid = token.price.to_string();
        let prices = [&bid, &near, &any, "0.000001", "", "${AUCTION_PRICE}", "many", google, "-1", "1e9", "0", "AUDIT"];
        let price = prices[self.below(prices.len())];
        let cur = ["", "&c=USD", "&c=EUR", "&c=GBP"][self.below(4)];
        let own = Micros(i64::from(token.multiplier) * 1000).to_string();
        let x =
            ["", "&x=", "&x=1", "&x=0.000001", "&x=10000", "&x=2.5", &format!("&x={own}")][self.below(7)].to_owned();
        format!("p={price}{cur}{x}")
    }
}
