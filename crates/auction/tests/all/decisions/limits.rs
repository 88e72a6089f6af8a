//! Limits of a request and of a decision: a request over a limit gets no bid, and work and records end at their limits.

use auction::context::Context;
use auction::{Outcome, Scratch};
use base::limits::{MAX_RECORD_BYTES, MAX_VALUES, max_work};
use catalog::Snapshot;
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{Decided, banner, campaign, video, with};

/// A catalog with one campaign, and these members of the document.
fn catalog(more: &Value) -> Snapshot {
    super::snapshot(more, [campaign("c", &json!({"cat": ["IAB1"]}))])
}

/// A request for one banner with these members.
fn request(more: &Value) -> Value {
    with(super::request([banner(&json!({}))]), more)
}

fn decide(catalog: &Snapshot, request: &Value) -> Decided {
    super::decide(&catalog.catalog(), request, &Context::default())
}

/// Impressions for banners with the ids `0`, `1` and so on.
fn banners(count: usize) -> Value {
    (0..count).map(|at| banner(&json!({"id": at.to_string()}))).collect()
}

/// Reading only a part of a block list would let blocked campaigns bid.
#[test]
fn a_list_that_is_too_long_gets_no_bid() {
    let catalog = catalog(&json!({}));
    let listing = |count: usize| request(&json!({"badv": vec!["x"; count]}));
    let outcome = |count| decide(&catalog, &listing(count)).outcome;
    assert_eq!(outcome(100), Outcome::Bid);
    assert_eq!(outcome(MAX_VALUES + 2), Outcome::NoBid(NoBidReason::ListLength));
}

/// Looking up only a part of a block list would let blocked campaigns bid.
#[test]
fn a_block_list_that_uses_up_the_work_gets_no_bid() {
    let catalog = catalog(&json!({}));
    let long: Vec<String> =
        (0..MAX_VALUES / 2).map(|position| format!("{position}.{}.example", "x".repeat(60))).collect();
    let Decided { outcome, scratch, .. } = decide(&catalog, &request(&json!({"badv": long})));
    assert!(matches!(outcome, Outcome::NoBid(_)), "{outcome:?}");
    assert_eq!((scratch.effort().gave_up, scratch.effort().work), (true, max_work(1)));
}

/// The limit of work applies within a campaign too.
#[test]
fn not_every_copy_of_a_repeated_deal_is_examined() {
    let catalog = super::snapshot(&json!({}), [campaign("c", &json!({"deals": ["d"]}))]);
    let imp = banner(&json!({"pmp": {"deals": vec![json!({"id": "d"}); 500]}}));
    let effort = decide(&catalog, &request(&json!({"imp": [imp], "wlang": vec!["zz"; 1000]}))).scratch.effort();
    assert!(effort.gave_up && effort.examined < 50, "{effort:?}");
}

/// Companions are compared with slots to check an ad that requires one, and to write each bid. The work grows with the
/// slots and with the lists of both sides.
#[test]
fn comparing_companions_with_slots_is_charged() {
    let work = |is_required: bool, slots: usize, blocked: usize, attributes: usize| {
        let attr: Vec<usize> = (1..=attributes).collect();
        let mut creative = video("v", 15, 1);
        creative["video"]["companions"] = vec![json!({"w": 1, "h": 1, "html": "<b>x</b>", "attr": attr}); 8].into();
        creative["video"]["companion_required"] = is_required.into();
        let catalog = super::snapshot(&json!({"creatives": [creative]}), [campaign("c", &json!({"creatives": ["v"]}))]);
        let slot = json!({"battr": vec![99; blocked], "mimes": ["image/none"]});
        let video = json!({"mimes": ["video/mp4"], "companionad": vec![slot; slots]});
        let context = Context { max_work: Some(usize::MAX), ..Context::default() };
        let request = super::request([json!({"id": "1", "video": video})]);
        super::decide(&catalog.catalog(), &request, &context).scratch.effort().work
    };
    for is_required in [false, true] {
        let none = work(is_required, 0, 10, 10);
        let few = work(is_required, 6, 10, 10) - none;
        assert!(few > 6 * 8 * 10 * 10, "{few}");
        for longer in [(60, 10, 10), (6, 100, 10), (6, 10, 100)] {
            let (slots, blocked, attributes) = longer;
            let many = work(is_required, slots, blocked, attributes) - none;
            assert!((5 * few..=10 * few).contains(&many), "{longer:?}: {many}, {few}");
        }
    }
}

/// Forty campaigns on a pod whose seller repeats the settings of `poddedupe`: what is compared counts, however long the
/// lists of the creatives are.
#[test]
fn duplicates_on_a_pod_are_compared_within_the_limit() {
    for (files, most) in [(12, 8), (300, 8), (2000, 1)] {
        let crid = |at: usize| format!("v{at}");
        let own = |at: usize| {
            let terms = json!({"adomain": [format!("a{at}.example")], "max_cpm": (at + 1).to_string(), "creatives": [crid(at)]});
            campaign(&format!("c{at}"), &terms)
        };
        let creatives: Value = (0..40).map(|at| video(&crid(at), 15, files)).collect();
        let catalog = super::snapshot(&json!({ "creatives": creatives }), (0..40).map(own));
        let bids = |dedupe: Value| {
            let video = json!({"mimes": ["video/mp4"], "podid": "p", "poddur": 600, "maxseq": 8, "poddedupe": dedupe});
            let Decided { outcome, body, scratch } =
                decide(&catalog, &super::request([json!({"id": "1", "video": video})]));
            assert_eq!(outcome, Outcome::Bid, "{files}");
            (body, scratch.effort().work)
        };
        let (once, work) = bids(json!([4]));
        let (repeated, same) = bids(json!(vec![4; 300]));
        assert_eq!((once.matches("\"crid\"").count(), once == repeated, work), (most, true, same), "{files}");
    }
}

/// Campaigns that pay more, with ten ads each that are all too short, before one that fits.
#[test]
fn ads_of_other_durations_do_not_use_up_the_work_of_a_pod() {
    for others in [20, 60, 400] {
        let short: Vec<String> = (0..10).map(|at| format!("v{at}")).collect();
        let creatives = short.iter().map(|crid| video(crid, 15, 1)).chain([video("fits", 30, 1)]);
        let dear = |at| campaign(&format!("c{at}"), &json!({"max_cpm": "5", "creatives": short}));
        let fits = campaign("fits", &json!({"creatives": ["fits"]}));
        let catalog =
            super::snapshot(&json!({"creatives": creatives.collect::<Value>()}), (0..others).map(dear).chain([fits]));
        let offer = json!({"mimes": ["video/mp4"], "minduration": 30, "maxduration": 30});
        let imps = (0..10).map(|at| json!({"id": at.to_string(), "video": offer}));
        let Decided { outcome, body, scratch } = decide(&catalog, &super::request(imps));
        let found = (outcome, body.matches("\"impid\"").count(), scratch.effort().gave_up);
        assert_eq!(found, (Outcome::Bid, 10, false), "{others}");
    }
}

/// A page in twenty macros of a banner, on 64 impressions.
#[test]
fn long_values_of_macros_are_left_out() {
    let adm = "<img src='https://t.example/?u={site.page}&i={imp.id}'>".repeat(20);
    let catalog = catalog(&json!({"creatives": [{"crid": "b", "banner": {"w": 300, "h": 250, "adm": adm}}]}));
    let answer = |page: usize| {
        let page = format!("https://a.example/{}", "&".repeat(page));
        decide(&catalog, &request(&json!({"imp": banners(64), "site": {"page": page}}))).body
    };
    let (short, long) = (answer(200), answer(16_000));
    assert!(short.contains("u=https%3A%2F%2Fa.example%2F%26") && short.len() < 1 << 20, "{}", short.len());
    assert!(long.contains("?u=&i=0") && long.len() < 1 << 17, "{long:.500}");
}

#[test]
fn an_answer_ends_at_its_default_limit() {
    let adm = "x".repeat(100_000);
    let catalog = catalog(&json!({"creatives": [{"crid": "b", "banner": {"w": 300, "h": 250, "adm": adm}}]}));
    let out = decide(&catalog, &request(&json!({"imp": banners(64)}))).body;
    assert!((900_000..=1 << 20).contains(&out.len()), "{}", out.len());
}

/// A native ad answers each asset with another of its parts.
#[test]
fn assets_that_repeat_are_answered_once() {
    let img = |w: i64| json!({"type": 3, "url": format!("https://i.example/{w}"), "w": w, "h": 10});
    let native = json!({"title": "T", "link": "https://a.example", "img": [img(10), img(20)]});
    let catalog = catalog(&json!({"creatives": [{"crid": "b", "native": native}]}));
    let assets: Vec<Value> = (0..1000).map(|id| json!({"id": id, "img": {"type": 3}})).collect();
    let imp = json!({"id": "1", "native": {"request": json!({"assets": assets}).to_string()}});
    let Decided { outcome, body, .. } = decide(&catalog, &super::request([imp]));
    let pictures = |w: i64| body.matches(&format!("https://i.example/{w}")).count();
    assert_eq!((outcome, pictures(10), pictures(20)), (Outcome::Bid, 1, 1), "{body}");
}

#[test]
fn no_campaign_is_examined_if_the_answer_without_bids_is_too_long() {
    let catalog = catalog(&json!({"ssps": [{"id": "s", "max_response_bytes": 200}]}));
    let Decided { outcome, scratch, .. } = decide(&catalog, &request(&json!({"id": "r".repeat(300)})));
    assert_eq!(outcome, Outcome::NoBid(NoBidReason::ResponseBytes));
    assert_eq!(scratch.effort().examined, 0);
}

#[test]
fn records_over_the_limit_are_dropped_and_counted() {
    let catalog = catalog(&json!({}));
    let id = "\u{1}".repeat(512);
    let imps: Value = (0..64).map(|at| banner(&json!({"id": format!("{}{at:02}", "\u{1}".repeat(510))}))).collect();
    let mut scratch = Scratch::default();
    scratch.records.bids = true;
    scratch.records.weight = 1;
    let request = request(&json!({"id": id, "imp": imps}));
    let Decided { outcome, scratch, .. } =
        super::decide_with(scratch, &catalog.catalog(), &request, &Context::default(), &mut ());
    assert_eq!(outcome, Outcome::Bid);
    let (kept, dropped) = (scratch.records.lines.lines().count(), scratch.records.dropped as usize);
    assert!(scratch.records.lines.len() <= MAX_RECORD_BYTES && dropped > 0 && kept > 0, "{kept} and {dropped}");
    assert_eq!(kept + dropped, 65);
}

/// A segment is looked up by the provider's id and name, by both with the taxonomy, and by the taxonomy alone.
#[test]
fn thousands_of_segments_in_a_taxonomy_are_looked_up_within_the_limit() {
    let target = json!({"target": {"segment": {"include": [{"segtax": 4, "id": "0"}]}}});
    let catalog = super::snapshot(&json!({}), [campaign("c", &target)]);
    for (count, expected) in [
        (300, Outcome::Bid),
        (7_000, Outcome::NoBid(NoBidReason::Work)),
        (10_000, Outcome::NoBid(NoBidReason::ListLength)),
    ] {
        let segment: Value = (0..count).map(|id| json!({"id": id.to_string()})).collect();
        let data = json!({"id": "p", "name": "q", "segment": segment, "ext": {"segtax": 4}});
        let Decided { outcome, scratch, .. } = decide(&catalog, &request(&json!({"user": {"data": [data]}})));
        let effort = scratch.effort();
        assert_eq!((outcome, effort.gave_up), (expected, count == 7_000), "{count}");
        assert!(effort.work <= max_work(1), "{count}: {}", effort.work);
    }
}
