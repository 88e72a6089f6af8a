//! Authorised sellers: the decision agrees with another implementation, `rtblint-resolve`, which reads the files
//! themselves. The known differences are in the comments.

use std::cell::Cell;
use std::fs;

use auction::Outcome;
use proptest::prelude::*;
use proptest::sample::select;
use reasons::no_bid::NoBidReason;
use rtblint_resolve::{Cache, resolve_bid_request};
use serde_json::{Value, json};

use super::*;

const PAIRS: u32 = 5_000;
const SYSTEMS: [&str; 3] = ["exchange.example", "reseller.example", "untold.example"];
/// `www.` is the only prefix that both leave out: the other one does not read the file of a parent domain.
const DOMAINS: [&str; 4] = ["news.example", "www.news.example", "blog.example", "nofile.example"];
const BUNDLES: [&str; 3] = ["com.acme.app", "123456", "com.nofile"];
/// Case matters.
const SIDS: [&str; 4] = ["pub-1", "PUB-1", "7", "r-5"];

/// An account: the position of its system in [`SYSTEMS`], its id, and whether it is the owner's.
type Account = (usize, &'static str, bool);

/// The sites and apps with a file, each with its accounts.
const FILES: [(&str, &str, &[Account]); 4] = [
    ("ads", "news.example", &[(0, "pub-1", true), (1, "r-5", false), (0, "7", false), (2, "7", true)]),
    ("ads", "blog.example", &[]),
    ("app-ads", "com.acme.app", &[(0, "PUB-1", true), (1, "7", true), (0, "r-5", false)]),
    ("app-ads", "123456", &[(2, "pub-1", false), (0, "pub-1", true)]),
];
/// The accounts in sellers.json; the last system has none.
const SELLERS: [&[&str]; 2] = [&["pub-1", "7", "PUB-1"], &["r-5", "7"]];

/// Writes the files into a folder.
fn cache() -> Cache {
    let root = std::env::temp_dir().join(format!("edgebid-supply-{}", std::process::id()));
    let write = |folder: &str, name: &str, text: String| {
        fs::create_dir_all(root.join(folder)).unwrap();
        fs::write(root.join(folder).join(name), text).unwrap();
    };
    for (kind, name, accounts) in FILES {
        let line = |(system, sid, is_direct): &Account| {
            format!("{}, {sid}, {}\n", SYSTEMS[*system], if *is_direct { "DIRECT" } else { "RESELLER" })
        };
        write(&format!("{kind}/{name}"), &format!("{kind}.txt"), accounts.iter().map(line).collect());
    }
    for (system, sids) in SYSTEMS.iter().zip(SELLERS) {
        let sellers: Vec<Value> =
            sids.iter().map(|sid| json!({"seller_id": sid, "seller_type": "PUBLISHER"})).collect();
        write(&format!("sellers/{system}"), "sellers.json", json!({ "sellers": sellers }).to_string());
    }
    Cache::open(root).unwrap()
}

/// A catalog with the same files, and a campaign that buys from sellers that they refuse not (`known`), or that they
/// authorise (`require`).
fn catalog(authorised: &str) -> Snapshot {
    let list = |wanted: &str| {
        let files = FILES.iter().filter(|(kind, ..)| *kind == wanted);
        let account =
            |(system, sid, is_direct): &Account| format!(",{system}{}:{sid}", if *is_direct { "D" } else { "R" });
        let entry = |(_, name, accounts): &(&str, &str, &[_])| {
            format!("{name}{}", accounts.iter().map(account).collect::<String>())
        };
        files.map(entry).collect::<Vec<String>>()
    };
    let sellers = |at: usize| SELLERS.get(at).map(|sids| sids.iter().map(|sid| format!("P:{sid}")).collect::<Vec<_>>());
    let systems: Vec<Value> =
        SYSTEMS.iter().enumerate().map(|(at, domain)| json!({"domain": domain, "sellers": sellers(at)})).collect();
    let document = json!({
        "format": 1, "ssps": [{"id": "demo", "domain": SYSTEMS[0]}],
        "creatives": [{"crid": "c", "banner": {"w": 300, "h": 250, "adm": "<b>a</b>"}}],
        "campaigns": [{
            "cid": "known", "seat": "s", "adomain": ["a.example"], "max_cpm": "1", "creatives": ["c"],
            "target": {"supply": {"authorised": authorised}}
        }],
        "supply": {"date": "2026-11-17", "systems": systems, "ads": list("ads"), "app_ads": list("app-ads")}
    });
    compiled(document.to_string()).unwrap()
}

/// A request with a chain: without one, the other implementation checks nothing.
fn request() -> impl Strategy<Value = Value> {
    let position = prop_oneof![
        select(&DOMAINS[..]).prop_map(|domain| json!({"site": {"domain": domain}})),
        select(&BUNDLES[..]).prop_map(|bundle| json!({"app": {"bundle": bundle}})),
    ];
    let node = (select(&SYSTEMS[..]), select(&SIDS[..]), prop_oneof![4 => Just(1), 1 => Just(0)]);
    let node = node.prop_map(|(asi, sid, hp)| json!({"asi": asi, "sid": sid, "hp": hp}));
    // Without a paid seller, the other implementation checks nothing.
    let paid =
        (select(&SYSTEMS[..]), select(&SIDS[..])).prop_map(|(asi, sid)| json!({"asi": asi, "sid": sid, "hp": 1}));
    let nodes = (prop::collection::vec(node, 0..3), paid).prop_map(|(mut nodes, last)| {
        nodes.push(last);
        nodes
    });
    (position, nodes, any::<bool>()).prop_map(|(mut request, nodes, is_old)| {
        let chain = json!({"schain": {"complete": 1, "ver": "1.0", "nodes": nodes}});
        request["id"] = json!("r");
        request["imp"] = json!([{"id": "1", "banner": {"w": 300, "h": 250}}]);
        request["source"] = if is_old { json!({ "ext": chain }) } else { chain };
        request
    })
}

/// Whether a file does not name a later seller that is paid. The other implementation asks it about the first seller only,
/// but a publisher names each account that may sell for it (ads.txt 1.1, section 3.4.2), and anybody can put such an
/// account before its own.
fn names_later_seller(request: &Value) -> bool {
    let position = request["site"]["domain"].as_str().map(|domain| ("ads", domain.trim_start_matches("www.")));
    let position = position.unwrap_or_else(|| ("app-ads", request["app"]["bundle"].as_str().unwrap()));
    let Some((.., accounts)) = FILES.iter().find(|(kind, name, _)| (*kind, *name) == position) else { return false };
    let chain =
        [&request["source"]["schain"], &request["source"]["ext"]["schain"]].into_iter().find(|one| one.is_object());
    let mut paid = chain.unwrap()["nodes"].as_array().unwrap().iter().filter(|node| node["hp"] == 1);
    let is_named = |node: &Value| {
        accounts.iter().any(|(system, sid, _)| SYSTEMS[*system] == text(node, "asi") && *sid == text(node, "sid"))
    };
    paid.any(|node| !is_named(node))
}

#[test]
fn the_sellers_that_are_refused_are_those_that_another_implementation_refuses() {
    let (cache, snapshot) = (cache(), catalog("known"));
    let catalog = snapshot.catalog();
    let counts = [Cell::new(0), Cell::new(0)];
    let context = Context { now_ms: NOW_MS, ..Context::default() };
    proptest!(ProptestConfig::with_cases(PAIRS), |(request in request())| {
        let text = request.to_string();
        let issues = resolve_bid_request(&text, &cache);
        let is_refused = issues.iter().any(|issue| issue.id.contains("unauthorized") || issue.id.contains("sid_not_in"));
        let (outcome, _) = decide(&mut Scratch::default(), text.as_bytes(), 0, &catalog, &context, &mut ());
        let is_refused = is_refused || names_later_seller(&request);
        let expected = if is_refused { Outcome::NoBid(NoBidReason::SupplyUnauthorised) } else { Outcome::Bid };
        prop_assert_eq!(outcome, expected, "{:?}", issues);
        let count = &counts[usize::from(is_refused)];
        count.set(count.get() + 1);
    });
    assert!(counts.iter().all(|count| count.get() > 500), "{counts:?}");
}

const GOOD: (&str, &str) = ("exchange.example", "pub-1");
/// Sellers that the files of `news.example` refuse.
const REFUSED: [(&str, &str); 3] =
    [("exchange.example", "PUB-1"), ("reseller.example", "9"), ("exchange.example", "x")];
/// Sellers about which they say nothing.
const UNKNOWN: [(&str, &str); 4] = [("far.example", "7"), ("", "pub-1"), ("exchange.example", ""), ("", "")];
/// When the files are new, and when they are old.
const TIMES: [i64; 2] = [NOW_MS, NOW_MS + 30 * 86_400_000];

/// Decides on a request with these sellers.
fn decided(catalog: &Catalog<'_>, now_ms: i64, position: &Value, sellers: &[(&str, &str)]) -> Outcome {
    let nodes: Vec<Value> = sellers
        .iter()
        .zip([json!(1), json!(2), json!(true), Value::Null].iter().cycle())
        .map(|((asi, sid), hp)| json!({"asi": asi, "sid": sid, "hp": hp}))
        .collect();
    let mut request = position.clone();
    request["id"] = json!("r");
    request["imp"] = json!([{"id": "1", "banner": {"w": 300, "h": 250}}]);
    request["source"] = json!({"schain": {"ver": "1.0", "complete": 1, "nodes": nodes}});
    let context = Context { now_ms, ..Context::default() };
    decide(&mut Scratch::default(), request.to_string().as_bytes(), 0, catalog, &context, &mut ()).0
}

/// A chain of good sellers with these others at their positions.
fn chain<'s>(length: usize, others: &[(usize, (&'s str, &'s str))]) -> Vec<(&'s str, &'s str)> {
    let mut sellers = vec![GOOD; length];
    for (position, other) in others {
        sellers[*position] = *other;
    }
    sellers
}

#[test]
fn a_seller_counts_at_each_position_of_the_chain() {
    let site = json!({"site": {"domain": "news.example"}});
    for (authorised, is_required) in [("known", false), ("require", true)] {
        let snapshot = catalog(authorised);
        let catalog = snapshot.catalog();
        for (now_ms, is_old) in TIMES.into_iter().zip([false, true]) {
            let check = |others: &[(usize, (&str, &str))], length: usize, expected: Option<NoBidReason>| {
                let expected = expected.map_or(Outcome::Bid, Outcome::NoBid);
                let found = decided(&catalog, now_ms, &site, &chain(length, others));
                assert_eq!(found, expected, "{authorised}, old {is_old}: {others:?} of {length}");
            };
            let of_unknown = (is_required && !is_old).then_some(NoBidReason::SupplyUnknown);
            for length in 1..=5 {
                check(&[], length, None);
                for position in 0..length {
                    for refused in REFUSED {
                        check(&[(position, refused)], length, Some(NoBidReason::SupplyUnauthorised));
                    }
                    for unknown in UNKNOWN {
                        check(&[(position, unknown)], length, of_unknown);
                        for other in (0..length).filter(|other| *other != position) {
                            let both = [(position, unknown), (other, REFUSED[0])];
                            check(&both, length, Some(NoBidReason::SupplyUnauthorised));
                        }
                    }
                }
            }
            // More sellers than are looked up.
            check(&[], 32, None);
            check(&[(31, UNKNOWN[0])], 32, of_unknown);
            check(&[(31, REFUSED[0])], 32, Some(NoBidReason::SupplyUnauthorised));
            check(&[], 33, Some(NoBidReason::SupplyUnauthorised));
        }
    }
}

#[test]
fn sellers_json_counts_without_a_site_or_app() {
    for position in
        [json!({}), json!({"dooh": {"publisher": {"id": "s"}}}), json!({"site": {}}), json!({"app": {"id": "a"}})]
    {
        for (authorised, of_unknown) in [("known", None), ("require", Some(NoBidReason::SupplyUnknown))] {
            let snapshot = catalog(authorised);
            let unknown = of_unknown.map_or(Outcome::Bid, Outcome::NoBid);
            for (sellers, expected) in [
                (chain(2, &[]), unknown),
                (chain(2, &[(1, REFUSED[0])]), unknown),
                (chain(2, &[(0, REFUSED[1])]), Outcome::NoBid(NoBidReason::SupplyUnauthorised)),
                (chain(3, &[(0, UNKNOWN[1]), (2, REFUSED[2])]), Outcome::NoBid(NoBidReason::SupplyUnauthorised)),
            ] {
                let found = decided(&snapshot.catalog(), NOW_MS, &position, &sellers);
                assert_eq!(found, expected, "{authorised} {position} {sellers:?}");
            }
        }
    }
}
