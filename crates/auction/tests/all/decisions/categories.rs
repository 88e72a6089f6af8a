//! A category includes those below it, in each taxonomy and for each use.

use auction::Outcome;
use auction::context::Context;
use reasons::no_bid::NoBidReason as R;
use serde_json::{Value, json};

use super::{banner, campaign, decide, request, snapshot, with};

/// In each taxonomy, a category, one below it, one below that if there is any, and one beside them; from the files of IAB
/// Tech Lab.
const TAXONOMIES: [(i64, [&str; 4]); 9] = [
    (1, ["IAB7", "IAB7-39", "iab7-39", "IAB8"]),
    (2, ["1", "2", "3", "42"]),
    (3, ["27", "30", "31", "1"]),
    (4, ["1", "2", "3", "206"]),
    (5, ["1", "2", "3", "484"]),
    (6, ["v9i3On", "Rm3SiT", "rm3sit", "3"]),
    (7, ["483", "496", "497", "1"]),
    (8, ["1010", "1036", "1037", "1003"]),
    (9, ["1", "2", "3", "484"]),
];

/// How one category is about another one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Use {
    Blocked,
    BlockedForCreative,
    Allowed,
    Excluded,
    ExcludedInList,
    Included,
    IncludedInList,
    Multiplied,
}

/// Whether a bid is as it must be if `found` counts as `named`. The index and the full scan agree.
fn counts(of: Use, cattax: i64, named: &str, found: &str) -> bool {
    let target = |cat: Value| json!({"target": {"cat": cat, "cattax": cattax}});
    let advertised = json!({"cat": [found], "cattax": cattax});
    let when = json!({"cat": {"include": [named]}, "cattax": cattax});
    let of_creative = with(json!({"adomain": ["a.example"]}), &advertised);
    let terms = match of {
        Use::Blocked | Use::Allowed => advertised,
        Use::BlockedForCreative => json!({}),
        Use::Excluded => target(json!({"exclude": [named]})),
        Use::ExcludedInList => target(json!({"exclude_lists": ["l"]})),
        Use::Included => target(json!({"include": [named]})),
        Use::IncludedInList => target(json!({"include_lists": ["l"]})),
        Use::Multiplied => json!({"bids": [{"when": when, "times": "2"}]}),
    };
    let ad = json!({"crid": "b", "banner": {"w": 300, "h": 250, "adm": "<p>"}});
    let ad = if of == Use::BlockedForCreative { with(ad, &of_creative) } else { ad };
    let more = json!({"creatives": [ad], "lists": [{"id": "l", "values": [named, "other"]}]});
    let catalog = snapshot(&more, [campaign("c", &terms)]);
    let asked = match of {
        Use::Blocked | Use::BlockedForCreative => json!({"bcat": [named], "cattax": cattax}),
        Use::Allowed => json!({"acat": [named], "cattax": cattax}),
        _ => json!({"site": {"content": {"cat": [found], "cattax": cattax}}}),
    };
    let request = with(request([banner(&json!({}))]), &asked);
    let decided = decide(&catalog.catalog(), &request, &Context::default());
    let is_bid = decided.outcome == Outcome::Bid;
    match of {
        Use::Multiplied => decided.body.contains("\"price\":2,"),
        Use::Allowed | Use::Included | Use::IncludedInList => {
            assert!(is_bid || matches!(decided.outcome, Outcome::NoBid(R::Acat | R::Cat)), "{:?}", decided.outcome);
            is_bid
        }
        _ => {
            assert!(
                is_bid || matches!(decided.outcome, Outcome::NoBid(R::Bcat | R::Advertiser | R::Cat)),
                "{:?}",
                decided.outcome
            );
            !is_bid
        }
    }
}

#[test]
fn a_category_includes_those_below_it() {
    let uses = [
        Use::Blocked,
        Use::BlockedForCreative,
        Use::Allowed,
        Use::Excluded,
        Use::ExcludedInList,
        Use::Included,
        Use::IncludedInList,
        Use::Multiplied,
    ];
    for (cattax, [top, child, below, beside]) in TAXONOMIES {
        for of in uses {
            let check = |named, found, expected| {
                assert_eq!(counts(of, cattax, named, found), expected, "{of:?} {named} for {found} of {cattax}");
            };
            check(top, top, true);
            check(top, child, true);
            check(top, below, true);
            check(child, below, true);
            check(child, top, false);
            check(top, beside, false);
            check(beside, child, false);
        }
    }
}
