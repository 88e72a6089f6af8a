//! The search on a large catalog finds the same bids as checking every campaign, in every block, and examines only
//! candidates that can change the answer. `tests/oracle/large.rs` compares the bids for generated catalogs too.

mod creatives;
mod rotation;

use auction::context::Context;
use auction::decide::Effort;
use auction::stop::Stop;
use auction::{Outcome, Scratch};
use base::limits::max_work;
use catalog::{Catalog, Snapshot};
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{Decided, banner, decide, decide_with, request, snapshot, video, with};
use crate::{Reasons, text};

/// More blocks than the search visits before it merges sets.
const CAMPAIGNS: usize = 5000;

/// Campaigns `c0`, `c1` and so on with a banner and a video of 15 seconds. Each pays less than the one before. `change`
/// edits a campaign, given its position.
fn catalog(change: impl Fn(usize, &mut Value)) -> Snapshot {
    catalog_with(&[], change)
}

/// Like [`catalog`], with more creatives.
fn catalog_with(more: &[Value], change: impl Fn(usize, &mut Value)) -> Snapshot {
    let banner = json!({"w": 300, "h": 250, "adm": "<p>"});
    let own = [
        json!({"crid": "b", "banner": banner}),
        video("v", 15, 1),
        json!({"crid": "api", "api": [3, 7], "banner": banner}),
    ];
    let campaign = |position: usize| {
        let terms = json!({"seat": format!("s{}", position % 5), "adomain": [format!("a{position}.example")],
            "creatives": ["b", "v"], "max_cpm": format!("{}.{:02}", 60 - position / 100, 99 - position % 100)});
        let mut campaign = super::campaign(&format!("c{position}"), &terms);
        change(position, &mut campaign);
        campaign
    };
    let creatives = [&own[..], more].concat();
    snapshot(&json!({ "creatives": creatives }), (0..CAMPAIGNS).map(campaign))
}

/// A decision that the index makes as the check of every campaign does: with a recorder, every campaign is checked.
fn compared(catalog: &Catalog<'_>, request: &Value, context: &Context<'_>) -> Decided {
    let all = decide_with(Scratch::default(), catalog, request, context, &mut Reasons::default());
    let quick = decide(catalog, request, context);
    assert_eq!((quick.outcome, &quick.body), (all.outcome, &all.body), "{request}");
    quick
}

/// The campaigns that bid, in the order of the answer; the number of examined candidates; and the no-bid reason.
fn search(catalog: &Catalog<'_>, request: &Value) -> (Vec<String>, usize, Option<NoBidReason>) {
    let quick = compared(catalog, request, &Context::default());
    let effort = quick.scratch.effort();
    assert!(!effort.gave_up, "{request}");
    let cids = quick.bids().iter().map(|bid| bid["cid"].as_str().unwrap().to_owned()).collect();
    let reason = if let Outcome::NoBid(reason) = quick.outcome { Some(reason) } else { None };
    (cids, effort.examined, reason)
}

#[test]
fn every_campaign_is_found_when_only_it_fits() {
    // Each campaign has its own tag. Some campaigns share each keyword.
    let catalog = catalog(|position, campaign| {
        campaign["target"] = json!({"tagid": {"include": [format!("t{position}")]},
            "keywords": {"include": [format!("k{}", position % 100), format!("own{position}")]}});
        // For impressions with this deal on offer, the search visits the last block first.
        if position == CAMPAIGNS - 1 {
            campaign["deals"] = json!(["d"]);
        }
    });
    let catalog = catalog.catalog();
    for position in (0..CAMPAIGNS).step_by(31).chain([511, 512, 513, 1023, 1024, CAMPAIGNS - 1]) {
        let tagged = |position: usize| {
            let deals = if position == CAMPAIGNS - 1 { json!([]) } else { json!([{"id": "d"}]) };
            banner(&json!({"id": format!("i{position}"), "tagid": format!("t{position}"), "pmp": {"deals": deals}}))
        };
        let other = CAMPAIGNS - 1 - position;
        // More keywords than the search checks block by block. The keyword that matches is last, then first.
        let mut kwarray: Vec<String> = (0..12).map(|number| format!("k{}", (position + 3 * number) % 100)).collect();
        kwarray.push(format!("own{other}"));
        for _ in 0..2 {
            let site = json!({"kwarray": kwarray});
            let request = json!({"id": "r", "site": site, "imp": [tagged(position), tagged(other)]});
            let (mut cids, examined, _) = search(&catalog, &request);
            cids.sort();
            let mut expected = [format!("c{position}"), format!("c{other}")];
            expected.sort();
            assert_eq!((cids, examined), (expected.to_vec(), 2), "{position}");
            kwarray.reverse();
        }
    }
}

#[test]
fn excluded_campaigns_are_skipped_in_every_block() {
    let catalog = catalog(|_, campaign| campaign["deals"] = json!(["d"]));
    let catalog = catalog.catalog();
    let mut blocked: Vec<String> = vec![];
    for position in 0..40 {
        let request = json!({"id": "r", "imp": [banner(&json!({}))], "badv": blocked, "bseat": ["s1"]});
        // Every fifth campaign has the blocked seat.
        let best = (0..CAMPAIGNS).filter(|position| position % 5 != 1).nth(position).unwrap();
        let (cids, examined, _) = search(&catalog, &request);
        assert_eq!((cids, examined), (vec![format!("c{best}")], 1), "{position}");
        blocked.push(format!("a{best}.example"));
    }
    // Blocks all but the last campaign of the first block.
    let last = 511;
    let blocked: Vec<String> = (0..last).map(|position| format!("a{position}.example")).collect();
    let request = json!({"id": "r", "imp": [banner(&json!({}))], "badv": blocked});
    assert_eq!(search(&catalog, &request).0, [format!("c{last}")]);
}

/// The oracle compares the bids of generated catalogs in which campaigns are stopped.
#[test]
fn stopped_campaigns_are_not_examined() {
    let snapshot = catalog(|_, _| {});
    let catalog = snapshot.catalog();
    let request = request([banner(&json!({}))]);
    for count in [1, 33, 511, 512, CAMPAIGNS - 1, CAMPAIGNS] {
        let cids = (0..count).fold(String::new(), |cids, position| cids + &format!("c{position}\n"));
        let (stop, known) = Stop::read(&cids, false, &catalog);
        let stopped = compared(&catalog, &request, &Context { stop: stop.as_ref(), ..Context::default() });
        let (bids, expected) = (stopped.bids(), (count < CAMPAIGNS).then(|| format!("c{count}")));
        assert_eq!(bids.iter().map(|bid| text(bid, "cid")).collect::<Vec<_>>(), expected.as_slice(), "{count}");
        assert_eq!((known, stopped.scratch.effort().examined), (count, bids.len()));
    }
    assert_eq!(Stop::read("c\nc1\nc9999\nC2\n c3\n", false, &catalog).1, 1, "ids are compared whole");
    assert_eq!(Stop::read("", false, &catalog), (None, 0));
    assert_eq!(Stop::read("c1\nc2\n", true, &catalog), (Some(Stop::All), 2));
    let all = compared(&catalog, &request, &Context { stop: Some(&Stop::All), ..Context::default() });
    assert_eq!((all.outcome, all.body.as_str()), (Outcome::NoBid(NoBidReason::Stopped), ""));
    assert_eq!(all.scratch.effort(), Effort::default());
}

#[test]
fn campaigns_that_cannot_pay_more_are_not_examined() {
    let catalog = catalog(|position, campaign| {
        // The index does not show that the three that pay most have no creative that fits.
        if position < 3 {
            campaign["creatives"] = json!(["api"]);
        }
    });
    let catalog = catalog.catalog();
    let on = |terms: Value| request([banner(&terms)]);
    assert_eq!(search(&catalog, &on(json!({}))), (vec!["c3".to_owned()], 4, None));
    // The floor equals what `c3` pays, then it is above what `c3` and all after it pay.
    assert_eq!(search(&catalog, &on(json!({"bidfloor": 60.96}))), (vec!["c3".to_owned()], 4, None));
    assert_eq!(search(&catalog, &on(json!({"bidfloor": 60.97}))), (vec![], 4, Some(NoBidReason::Floor)));
    let video = json!({"id": "1", "video": {"mimes": ["video/mp4"]}, "bidfloor": 60.97});
    assert_eq!(search(&catalog, &request([video])), (vec![], 1, Some(NoBidReason::Floor)));
}

#[test]
fn the_search_fills_a_pod_and_then_ends() {
    let catalog = catalog(|_, _| {});
    let catalog = catalog.catalog();
    let pod = |terms: Value| {
        request([json!({"id": "1", "video": with(json!({"mimes": ["video/mp4"], "podid": "p"}), &terms)})])
    };
    for (terms, bids) in [
        (json!({"poddur": 45}), 3),
        (json!({"poddur": 60}), 4),
        // The rest of the pod is shorter than any ad.
        (json!({"poddur": 74}), 4),
        (json!({"poddur": 600, "maxseq": 2}), 2),
        (json!({"poddur": 600, "maxseq": 1}), 1),
        (json!({"poddur": 600}), 8),
        (json!({}), 1),
    ] {
        let (cids, examined, _) = search(&catalog, &pod(terms.clone()));
        assert_eq!((cids.len(), examined), (bids, bids), "{terms}");
    }
    // A banner instead of the pod is one ad.
    let catalog = self::catalog(|_, campaign| campaign["rotation"] = "sequence".into());
    let catalog = catalog.catalog();
    let mut request = pod(json!({"poddur": 60}));
    request["imp"][0]["banner"] = json!({"w": 300, "h": 250});
    assert_eq!(search(&catalog, &request), (vec!["c0".to_owned()], 1, None));
}

#[test]
fn the_search_gives_up_at_the_limit_of_work() {
    let catalog = catalog(|_, campaign| {
        campaign["deals"] = json!(["d"]);
        campaign["creatives"] = json!(["api"]);
    });
    let catalog = catalog.catalog();
    for (imps, pmp) in [
        (1, json!({"deals": [{"id": "d"}]})),
        (1, json!({"private_auction": 1, "deals": [{"id": "d"}]})),
        (1, json!({})),
        (5, json!({})),
    ] {
        // The index has only the first API framework that a creative needs, and this one is on offer.
        let offer = json!({"w": 300, "h": 250, "api": [3]});
        let imps = (0..imps).map(|id| json!({"id": id.to_string(), "pmp": pmp, "banner": offer}));
        let request = request(imps);
        let Decided { outcome, scratch, .. } = decide(&catalog, &request, &Context::default());
        let effort = scratch.effort();
        assert_eq!((outcome, effort.gave_up), (Outcome::NoBid(NoBidReason::Work), true));
        let most = max_work(CAMPAIGNS);
        assert!((most * 9 / 10..=most).contains(&effort.work), "{request}: {}", effort.work);
    }
}

#[test]
fn impressions_without_a_bid_leave_work_for_the_others() {
    let catalog = catalog(|position, campaign| {
        campaign["creatives"] = if position == 4000 { json!(["v"]) } else { json!(["api"]) };
    });
    let catalog = catalog.catalog();
    let no_bid = |id: i32| json!({"id": id.to_string(), "banner": {"w": 300, "h": 250, "api": [3]}});
    let mut imps: Vec<Value> = (0..5).map(no_bid).collect();
    imps.push(json!({"id": "last", "video": {"mimes": ["video/mp4"]}}));
    let decided = decide(&catalog, &request(imps), &Context::default());
    assert_eq!((decided.outcome, decided.scratch.effort().gave_up), (Outcome::Bid, true));
    assert_eq!(decided.bids()[0]["impid"], "last");
}

#[test]
fn a_campaign_that_fails_on_the_request_is_not_examined_again() {
    let catalog = catalog(|position, campaign| {
        if [0, 2, 70, 515].contains(&position) {
            campaign["target"] = json!({"osv": {"min": "17"}});
        }
        if ![70, 515, 516].contains(&position) {
            campaign["bundle"] = json!("com.blocked");
        }
    });
    let catalog = catalog.catalog();
    let imp = |id: &str| banner(&json!({ "id": id }));
    let imps = |count: usize| (0..count).map(|id| imp(&id.to_string())).collect::<Value>();
    for (count, blocked, dropped, best) in [(1, false, 1, "c1"), (5, false, 1, "c1"), (5, true, 2, "c516")] {
        let bapp = if blocked { json!(["com.blocked"]) } else { json!([]) };
        let request = json!({"id": "r", "device": {"osv": "16"}, "imp": imps(count), "bapp": bapp});
        let (cids, examined, _) = search(&catalog, &request);
        assert_eq!((cids, examined), (vec![best.to_owned(); count], count + dropped), "{request}");
    }
}
