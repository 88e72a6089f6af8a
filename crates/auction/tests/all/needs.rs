//! The reader skips parts of a request that the catalog does not need, and this never changes a decision. Checked for
//! every request of the fixtures with every catalog; `tests/oracle/` checks generated pairs.

use std::collections::BTreeSet;

use auction::context::Context;
use auction::{Outcome, Scratch};
use bumpalo::Bump;
use openrtb::read::{Needs, Reader, Wants};

use super::fixture_table::fixtures;
use super::{NOW_MS, Reasons, compiled, decide};

#[test]
fn reading_only_what_is_needed_gives_the_same_decisions() {
    let fixtures: Vec<_> = fixtures().into_iter().filter(|fixture| fixture.kind != "malformed").collect();
    let documents: BTreeSet<_> = fixtures.iter().map(|fixture| &fixture.catalog).collect();
    assert!(fixtures.len() > 100 && documents.len() > 20, "{} {}", fixtures.len(), documents.len());
    let (mut scratch, mut bids) = (Scratch::default(), 0);
    let context = Context { now_ms: NOW_MS, seed: 1, ..Context::default() };
    for document in documents {
        let snapshot = compiled(document).unwrap();
        let [needed, mut everything] = [snapshot.catalog(), snapshot.catalog()];
        everything.needs = Needs::ALL;
        for request in fixtures.iter().map(|fixture| &fixture.request) {
            let [decision, expected] = [&needed, &everything].map(|catalog| {
                let mut reasons = Reasons::default();
                (decide(&mut scratch, request, 0, catalog, &context, &mut reasons), reasons)
            });
            bids += usize::from(decision.0.0 == Outcome::Bid);
            assert_eq!(decision, expected, "{:?}\n{}", needed.needs, String::from_utf8_lossy(request));
        }
    }
    assert!(bids > 100, "{bids}");
}

/// A request that privacy refuses is read in part, unless the auction is recorded.
#[test]
fn a_refused_request_is_answered_as_if_it_were_read_as_a_whole() {
    let fixtures: Vec<_> = fixtures().into_iter().filter(|fixture| fixture.kind != "malformed").collect();
    let document = &fixtures.iter().find(|fixture| fixture.name.contains("native")).unwrap().catalog;
    let snapshot = compiled(document).unwrap();
    assert!(snapshot.catalog().needs.native);
    let imps = |count: usize, imp: &str| format!(r#"{{"id":"r","imp":[{}]}}"#, vec![imp; count].join(","));
    let native = |assets: usize| {
        let assets = vec!["{}"; assets].join(",");
        imps(1, &format!(r#"{{"id":"1","native":{{"request":"{{\"assets\":[{assets}]}}"}}}}"#))
    };
    let hostile = [
        imps(0, ""),
        imps(2, r#"{"id":"1"}"#),
        imps(3, "{}"),
        imps(1, &format!(r#"{{"id":"{}"}}"#, "1".repeat(513))),
        imps(1, &format!(r#"{{"id":"1","tagid":"{}"}}"#, "t".repeat(20_000))),
        format!(
            r#"{{"id":"r","imp":[{}]}}"#,
            (0..66).map(|at| format!(r#"{{"id":"{at}"}}"#)).collect::<Vec<_>>().join(",")
        ),
        native(1500),
        native(2100),
        native(5000),
    ];
    let requests = fixtures.iter().map(|fixture| String::from_utf8_lossy(&fixture.request).into_owned()).chain(hostile);
    let [mut in_part, mut whole] = [Scratch::default(), Scratch::default()];
    whole.records.weight = 1;
    let context = Context { now_ms: NOW_MS, seed: 1, ..Context::default() };
    let mut reasons = BTreeSet::new();
    for request in requests {
        // The last of two attributes with the same name counts.
        let Some(begin) = request.trim_end().strip_suffix('}') else { continue };
        let request = format!(r#"{begin},"regs":{{"gdpr":1}}}}"#);
        let [part, expected] = [&mut in_part, &mut whole].map(|scratch| {
            let answer = decide(scratch, request.as_bytes(), 0, &snapshot.catalog(), &context, &mut ());
            (answer, scratch.effort(), scratch.is_test())
        });
        assert_eq!(part, expected, "{request}");
        reasons.insert(format!("{:?}", part.0.0));
    }
    assert_eq!(reasons.len(), 8, "{reasons:?}");
}

#[test]
fn each_part_is_skipped_if_and_only_if_it_is_not_needed() {
    let body = br#"{"id":"r","imp":[{"id":"1","banner":{"w":1},"video":{"w":1,"podid":"p","poddedupe":[1],"poddur":30},
        "audio":{"mimes":["a"],"podid":"p","poddur":30},"native":{"request":{}},"pmp":{"private_auction":1,"deals":[{"id":"d"}]},
        "metric":[{"type":"t","value":1}],"ext":{"skadn":{"version":"2.0"}}}],
        "site":{"id":"s","domain":"a.example","publisher":{"id":"p"},"page":"a.example","cat":["c"],"keywords":"k","ext":{"data":{}},"content":{"title":"t","genre":"g","cat":["c"],"keywords":"k","data":[{"id":"d"}]}},
        "device":{"ua":"u","lmt":1,"make":"m","ip":"203.0.113.7","ipv6":"2001:db8::7","sua":{"model":"m"},"geo":{"country":"USA","lat":1,"lon":1}},
        "user":{"consent":"c","geo":{"country":"USA","city":"c"},"keywords":"k","eids":[{"source":"s"}],"data":[{"id":"d","ext":{"segtax":4}}],"ext":{"data":{}}},
        "source":{"schain":{"complete":1}}}"#;
    let arena = Bump::new();
    let read = |needs| Reader::default().read(body, &Wants { prebid_code: "", needs }, &arena).unwrap();
    let present = |needs| {
        let request = read(needs);
        let (imp, site, device, user) =
            (request.imp.first().unwrap(), request.site.unwrap(), request.device, request.user);
        // Every decision needs these attributes.
        assert!(imp.private_auction && device.lmt && device.ua == "u" && user.consent == "c");
        assert_eq!(imp.video.map(|video| (video.podid, video.poddedupe, video.poddur)), Some(("p", 1 << 1, 30)));
        assert_eq!(imp.audio.map(|audio| (audio.podid, audio.poddur)), Some(("p", 30)));
        Needs {
            banner: imp.banner.is_some(),
            video: imp.video.is_some_and(|video| video.size.w == 1),
            audio: imp.audio.is_some_and(|audio| !audio.mimes.is_empty()),
            native: imp.native.is_some(),
            deals: !imp.deals.is_empty(),
            metric: !imp.metric.is_empty(),
            place: !site.domain.is_empty(),
            channel: !site.id.is_empty() && !site.publisher_id.is_empty() && !site.page.is_empty(),
            cat: !site.cat.is_empty() && !site.content.cat.is_empty(),
            content: !site.content.genre.is_empty(),
            titles: !site.content.title.is_empty(),
            content_data: !site.content.data.is_empty(),
            keywords: !site.keywords.is_empty() && !site.content.keywords.is_empty() && !user.keywords.is_empty(),
            device: !device.make.is_empty(),
            address: !device.ip.is_empty() && !device.ipv6.is_empty(),
            sua: device.sua.is_some(),
            country: !device.geo.country.is_empty() && !user.geo.country.is_empty(),
            geo: device.geo.point.is_some() && !user.geo.city.is_empty(),
            eids: !user.eids.is_empty(),
            data: !user.data.is_empty(),
            data_ext: user.data.first().is_some_and(|data| data.segtax == 4),
            first_party: !site.first_party.is_empty() && !user.first_party.is_empty(),
            schain: request.schain.is_some(),
            skadn: imp.skadn.is_some(),
        }
    };
    assert_eq!(present(Needs::ALL), Needs::ALL);
    assert_eq!(present(Needs::default()), Needs::default());
    let all = Needs::ALL;
    for without in [
        Needs { banner: false, ..all },
        Needs { video: false, ..all },
        Needs { audio: false, ..all },
        Needs { native: false, ..all },
        Needs { deals: false, ..all },
        Needs { metric: false, ..all },
        Needs {
            place: false,
            channel: false,
            cat: false,
            content: false,
            titles: false,
            content_data: false,
            keywords: false,
            first_party: false,
            ..all
        },
        Needs {
            channel: false,
            cat: false,
            content: false,
            titles: false,
            content_data: false,
            keywords: false,
            ..all
        },
        Needs { cat: false, ..all },
        Needs { titles: false, ..all },
        Needs { content_data: false, ..all },
        Needs { content: false, titles: false, content_data: false, cat: false, keywords: false, ..all },
        Needs { keywords: false, ..all },
        Needs { device: false, ..all },
        Needs { address: false, ..all },
        Needs { sua: false, ..all },
        Needs { country: false, geo: false, ..all },
        Needs { geo: false, ..all },
        Needs { eids: false, ..all },
        Needs { data: false, data_ext: false, ..all },
        Needs { data_ext: false, ..all },
        Needs { first_party: false, ..all },
        Needs { schain: false, ..all },
        Needs { skadn: false, ..all },
    ] {
        assert_eq!(present(without), without);
    }
}
