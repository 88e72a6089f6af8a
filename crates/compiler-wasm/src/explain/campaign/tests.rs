use super::*;
use crate::compile::{Zone, compile, name_of};
use crate::decode::{Json, from_json};
use bidder_wasm::kind::kind_of;
use bidder_wasm::no_bid::NoBidReason;

/// A catalog with one campaign that has these attributes, and these creatives.
fn catalog(creatives: &str, campaign: &str) -> bidder_wasm::catalog::Snapshot {
    let document = format!(
        r#"{{"format":1,"privacy":{{"vendor_id":1}},"rates":[{{"cur":"EUR","usd":"1.1"}}],"ssps":[{{"id":"one"}},{{"id":"two"}}],"creatives":[{creatives}],"lists":[{{"id":"bad","values":["a.example","b.example"]}}],"orders":[{{"id":"io","budget":{{"daily":"9"}}}}],"campaigns":[{{"cid":"c","seat":"agency","adomain":["x.example"],"max_cpm":"2.50","creatives":["a"]{campaign}}}]}}"#
    );
    let zone = Zone { name: "Europe/Berlin".to_owned(), changes: vec![(0, 60)] };
    let compiled = compile(document.as_bytes(), &[zone]);
    compiled.unwrap_or_else(|findings| panic!("{document}: {findings:?}")).snapshot
}

const BANNER: &str = r#"{"crid":"a","banner":{"w":300,"h":250,"adm":"<b>"}}"#;

/// The sentences about a campaign, each after the name of its section.
fn sentences(creatives: &str, campaign: &str) -> Vec<String> {
    sentences_of(&catalog(creatives, campaign))
}

/// The sentences about the campaign `c` of a catalog, each after the name of its section.
fn sentences_of(snapshot: &bidder_wasm::catalog::Snapshot) -> Vec<String> {
    let mut out = String::new();
    describe("c", &snapshot.catalog(), &mut out).unwrap();
    let Some(Json::Object(report)) = from_json::<Json>(out.as_bytes()).unwrap().value else { panic!("{out}") };
    let Some(Json::Array(sections)) = report.get("sections") else { panic!("{out}") };
    let texts = |json: &Json| match json {
        Json::Array(items) => items
            .iter()
            .map(|item| match item {
                Json::Text(text) => text.clone(),
                _ => panic!("{out}"),
            })
            .collect::<Vec<_>>(),
        _ => panic!("{out}"),
    };
    let mut all = Vec::new();
    for section in sections {
        let Json::Object(section) = section else { panic!("{out}") };
        let Some(Json::Text(about)) = section.get("about") else { panic!("{out}") };
        all.extend(texts(section.get("sentences").unwrap()).iter().map(|text| format!("{about}: {text}")));
    }
    all
}

/// The sentences about where a campaign with this target bids.
fn of_target(target: &str) -> Vec<String> {
    let all = sentences(BANNER, &format!(r#","target":{{{target}}}"#));
    all.iter().filter_map(|text| text.strip_prefix("bids where: ")).map(str::to_owned).collect()
}

#[test]
fn a_plain_campaign_has_a_sentence_in_each_section() {
    assert_eq!(
        sentences(BANNER, ""),
        [
            "advertises: The advertiser has the domains x.example.",
            "advertises: A request that blocks one of these gets no such bid.",
            "advertises: A request that requires information under the Digital Services Act gets no bid.",
            "buys from: All SSPs: one, two.",
            "buys from: Its seat is agency.",
            "buys from: It bids without a deal.",
            "bids where: Everywhere: it has no target.",
            "bids when: Always.",
            "pays: At most 2.5 USD for a thousand impressions.",
            "may spend: Any amount: it has no budget.",
            "is seen: Any number of times by a person.",
            "shows: a: a banner of 300x250.",
        ]
    );
}

#[test]
fn every_term_has_its_words() {
    let campaign = r#","bundle":"app.x","cat":["IAB1","IAB2"],"ssps":["two"],"deals":["d-1","d-2"],"open":false,"paused":true,"start":"2026-12-01T00:00Z","target":{"zone":"Europe/Berlin","hours":[{"days":[1,2],"from":8,"to":20}]},"exp":900,"cur":"EUR","shading":{"typical":"1.80","steepness":2},"budget":{"daily":"50","total":"1200"},"caps":[{"n":1,"per":"day"},{"n":10,"per":"lifetime"}],"cap_on":"bid","dsa":{"behalf":"X","paid":"X"},"nurl":"http://x.example/""#;
    let all = sentences(BANNER, campaign);
    for text in [
        "advertises: The advertiser advertises the app app.x.",
        "advertises: The advertiser has the categories IAB1, IAB2 (taxonomy 1).",
        "buys from: Only these SSPs: two.",
        "buys from: It bids only under the deals d-1, d-2.",
        "bids when: Never: it is paused.",
        "bids when: It bids from Tue 2026-12-01 00:00:00 UTC (Europe/Berlin: from Tue 2026-12-01 01:00:00).",
        "bids when: It bids Mon-Tue 08:00-20:00 (Europe/Berlin).",
        "bids when: Only if the impression is billed within 900 seconds of the auction.",
        "pays: At most 2.5 EUR for a thousand impressions.",
        "may spend: 50 EUR a day, and 1200 EUR in all, evenly, as the traffic comes.",
        "may spend: Days are those of Europe/Berlin.",
        "is seen: At most 1 time a day, 10 times in a lifetime by a person.",
        "is seen: Bids count, also those that lose.",
        "shows: A notice URL is plain http, so an impression with secure 1 gets no bid.",
    ] {
        assert!(all.iter().any(|known| known == text), "{text}: {all:?}");
    }
    assert!(all.iter().any(|text| text.starts_with("pays: In a first-price auction it bids ")), "{all:?}");
    assert!(!all.iter().any(|text| text.contains("Digital Services")), "{all:?}");
}

#[test]
fn targets_are_told_with_the_meanings_of_their_numbers() {
    let tell = "A request that does not tell a value after \"only\" gets no bid.";
    for (target, expected) in [
        (r#""country":{"include":["DEU","AUT","CHE"]}"#, vec!["Only where the country is DEU, AUT or CHE.", tell]),
        (r#""devicetype":{"exclude":[3,99]}"#, vec!["Not where the device type is 3 (connected TV) or 99."]),
        (r#""channel":["app","site"]"#, vec!["Only where the channel is site or app.", tell]),
        (
            r#""instl":false,"buyeruid":true"#,
            vec![
                "Only where the exchange knows your id for the person.",
                "Only where the placement is no interstitial.",
                tell,
            ],
        ),
        (
            r#""segment":{"include":[{"provider":"p","id":"1"}]}"#,
            vec!["Only where the segment of the person is 1 of p.", tell],
        ),
        (r#""cat":{"exclude":["IAB1","IAB2"]}"#, vec!["Not where the category is IAB1, IAB2 (taxonomy 1)."]),
        (
            r#""domain":{"exclude":["1.x","2.x","3.x","4.x","5.x","6.x","7.x","8.x","9.x","10.x"]}"#,
            vec!["Not where the domain is 1.x, 2.x, 3.x, 4.x, 5.x, 6.x, 7.x, 8.x and 2 more."],
        ),
        (
            r#""radius":{"include":[{"lat":"52.52","lon":"13.405","metres":5000}]},"osv":{"min":"16"},"yob":{"max":2004}"#,
            vec![
                "Only within 5000 m around 52.52, 13.405.",
                "Only if the version of the operating system is 16 or more.",
                "Only if the person's year of birth is 2004 or less.",
            ],
        ),
        (
            r#""eids":{"exclude":["a.x"]},"mm":{"include":[3,4]},"metric":[{"type":"viewability","vendor":"v","min":"0.7"}],"schain":{"complete":true,"max_nodes":3,"asi":{"include":["s.x"]}}"#,
            vec![
                "Extended ids count only if they were matched as 3 (authenticated, such as by a login) or 4 (observed by the publisher itself, without authentication).",
                "Not where an id that counts comes from a.x.",
                "Only if viewability is at least 0.7, measured by v.",
                "Only if the supply chain is complete.",
                "Only if the supply chain has at most 3 nodes.",
                "Only if all of the supply chain's systems are s.x.",
            ],
        ),
    ] {
        assert_eq!(of_target(target), expected, "{target}");
    }
}

/// A dimension that is added to the table must be told too.
#[test]
fn every_dimension_has_a_sentence() {
    let mut told = 0;
    for reason in (0..=u8::MAX).filter_map(NoBidReason::of_number).filter(|reason| kind_of(*reason).is_some()) {
        let name = name_of(reason);
        let values = [r#""deu""#, r#""de""#, "1", r#"{"provider":"p","id":"i"}"#];
        let rules = values.map(|value| format!(r#""{name}":{{"include":[{value}]}}"#));
        let rules = rules.into_iter().chain([format!(r#""{name}":true"#), format!(r#""{name}":["app"]"#)]);
        let told_one = rules.into_iter().any(|rule| {
            let document = format!(
                r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"s"}}],"creatives":[{BANNER}],"campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["a"],"target":{{{rule}}}}}]}}"#
            );
            compile(document.as_bytes(), &[]).is_ok() && of_target(&rule).first().is_some_and(|text| text.starts_with("Only where "))
        });
        assert!(told_one, "{name}");
        told += 1;
    }
    assert!(told > 35, "{told}");
}

#[test]
fn creatives_are_told_by_their_type() {
    let file = r#"{"url":"https://c.example/1","mime":"video/mp4"}"#;
    let video = format!(
        r#"{{"crid":"a","language":"de","api":[7],"attr":[1,600],"video":{{"dur":30,"protocol":3,"w":640,"h":360,"media":[{file},{file}],"companions":[{{"w":300,"h":250,"static":"https://c.example/2"}}]}}}}"#
    );
    let shown = |creatives: &str| -> Vec<String> {
        sentences(creatives, "").iter().filter_map(|text| text.strip_prefix("shows: ")).map(str::to_owned).collect()
    };
    assert_eq!(
        shown(&video),
        [
            "a: a video of 640x360, 30 seconds, VAST 3.0, video/mp4, 1 companions; language de; attributes 1 (audio ad, plays by itself), 600; needs 7 (OMID 1.0)."
        ]
    );
    let audio =
        video.replace("\"video\":", "\"audio\":").replace("video/mp4", "audio/mp4").replace(r#""w":640,"h":360,"#, "");
    assert!(
        shown(&audio)[0].starts_with("a: an audio ad, 30 seconds, VAST 3.0, audio/mp4, 1 companions"),
        "{:?}",
        shown(&audio)
    );
    let flexible = r#"{"crid":"a","banner":{"wratio":16,"hratio":9,"adm":"<img src='http://x.example/1'>"}}"#;
    assert_eq!(
        shown(flexible),
        ["a: a banner of any size of 16:9 from a width of 1 on; not where secure is 1, because it has plain http."]
    );
}

#[test]
fn a_video_tells_what_it_does_besides_playing() {
    let shown = |video: &str| {
        let creative = format!(
            r#"{{"crid":"a","api":[2,7,8],"attr":[16],"video":{{"dur":30,"protocol":13,"w":640,"h":360,{video}}}}}"#
        );
        let all = sentences(&creative, "");
        let text =
            all.iter().find_map(|text| text.strip_prefix("shows: a: a video of 640x360, 30 seconds, VAST 4.2, "));
        text.unwrap_or_else(|| panic!("{all:?}")).to_owned()
    };
    let file = r#""media":[{"url":"https://c.example/1","mime":"video/mp4"}"#;
    let verification = r#""verification":[{"vendor":"v.example-omid","url":"https://v.example/1.js"}]"#;
    let script = r#"{"url":"https://c.example/1.js","mime":"application/javascript","api":"VPAID"}"#;
    let ready = "<VAST version='4.2'><Ad><InLine><AdSystem>x</AdSystem><Impression/><Creatives><Creative><Linear skipoffset='10%'>\
        <Duration>00:00:30</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>\
        https://c.example/1</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";
    for (video, expected) in [
        (format!("{file}]"), "video/mp4"),
        (
            format!(r#"{file}],"skipoffset":5,{verification}"#),
            "video/mp4, can be skipped after 00:00:05, measured with OMID",
        ),
        (format!("{file},{script}]"), "video/mp4, application/javascript, interactive with VPAID"),
        (format!(r#"{file}],"interactive":"https://c.example/simid""#), "video/mp4, interactive with SIMID"),
        (format!(r#""adm":"{ready}","mimes":["video/mp4"]"#), "video/mp4, can be skipped after 10%"),
    ] {
        let text = shown(&video);
        assert_eq!(text.split(';').next(), Some(expected), "{video}");
        assert!(text.contains("; not where the player has a skip button (skip 1); "), "{text}");
    }
}

#[test]
fn prices_of_deals_alone_and_skadnetwork_are_told() {
    let own = r#"[{"id":"d-1","max_cpm":"4"},{"id":"d-2","max_cpm":"9"}]"#;
    let pays = |campaign: &str| -> Vec<String> {
        let all = sentences(BANNER, campaign);
        all.iter().filter_map(|text| text.strip_prefix("pays: ")).map(str::to_owned).collect()
    };
    let of_deals = "Under each deal, at most the deal's own price for a thousand impressions: see above.";
    assert_eq!(pays(&format!(r#","open":false,"deals":{own}"#)), [of_deals]);
    for more in [format!(r#","deals":{own}"#), format!(r#","open":false,"deals":{}"#, own.replace(']', r#","d-3"]"#))] {
        assert_eq!(pays(&more), ["At most 2.5 USD for a thousand impressions."], "{more}");
    }
    let skadn = r#""network":"abc123.skadnetwork","itunesitem":"7""#;
    for (more, versions, only) in [
        (r#","campaign":"45""#, "2.0 to 3.0", ""),
        (
            r#","campaign":"45","sourceidentifier":"4321","required":true"#,
            "2.0 to 4.0",
            ", and there is no bid elsewhere",
        ),
    ] {
        let all = sentences(BANNER, &format!(r#","skadn":{{{skadn}{more}}}"#));
        let text = format!(
            "advertises: Where the impression offers abc123.skadnetwork in SKAdNetwork {versions}, bids carry the app 7{only}."
        );
        assert!(all.contains(&text), "{text}: {all:?}");
    }
}

#[test]
fn what_an_ssp_wants_otherwise_is_told() {
    let long = "x".repeat(200);
    let document = format!(
        r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"one","seats":[{{"seat":"agency","name":"77"}}],"price_macro":"%%PRICE%%","bid_ext":{{"a":1,"b":"{long}"}}}},{{"id":"two","bid_ext":{{"c":2}}}}],"creatives":[{BANNER}],"campaigns":[{{"cid":"c","seat":"agency","adomain":["x.example"],"max_cpm":"1","ssps":["one"],"creatives":["a"]}}]}}"#
    );
    let (all, hidden) = (sentences_of(&compile(document.as_bytes(), &[]).unwrap().snapshot), "two");
    for text in ["buys from: At one, its seat is 77.", "buys from: For one, the macro of the price is %%PRICE%%."] {
        assert!(all.iter().any(|known| known == text), "{text}: {all:?}");
    }
    let ext = all.iter().find(|text| text.starts_with(r#"buys from: For one, bid.ext also has {"a":1,"b":"xxx"#));
    assert!(ext.is_some_and(|text| text.ends_with("x…}.") && text.len() < 200), "{all:?}");
    assert!(!all.iter().any(|text| text.contains(hidden)), "{all:?}");
}

#[test]
fn an_unknown_campaign_is_an_error_that_names_the_nearest() {
    let snapshot = catalog(BANNER, r#","name":"x""#);
    for (cid, hint) in [("cc", "did you mean c?"), ("something-else", "it has c")] {
        let error = describe(cid, &snapshot.catalog(), &mut String::new()).unwrap_err();
        assert_eq!(error, format!("the catalog has no campaign {cid}; {hint}"));
    }
}

#[test]
fn prices_flights_orders_and_lists_have_their_words() {
    let of = |campaign: &str, expected: &[&str]| {
        let all = sentences(BANNER, campaign);
        for text in expected {
            assert!(all.iter().any(|known| known == text), "{text}: {all:?}");
        }
    };
    of(
        r#","deals":["d-1",{"id":"d-2","max_cpm":"9"}],"bids":[{"when":{"model":{"include":["iPhone"]},"yob":{"min":1980}},"times":"1.25"},{"when":{},"times":"0.5"}]"#,
        &[
            "buys from: It bids under the deals d-1, d-2 at 9 USD, and without a deal.",
            "pays: Times 1.25: Only where the model is iPhone. Only if the person's year of birth is 1980 or more.",
            "pays: Times 0.5: Always.",
            "pays: All factors that hold are multiplied, up to 200 USD.",
        ],
    );
    of(
        r#","target":{"domain":{"exclude":["c.example"],"exclude_lists":["bad"],"exclude_unknown":true}}"#,
        &[
            "bids where: Not where the domain is c.example or one of the 2 values of the list bad.",
            "bids where: Only where the request tells the domain.",
        ],
    );
    of(
        r#","flights":[{"start":"2026-12-01T00:00Z","end":"2026-12-03T00:00Z","budget":{"daily":"5"}},{"start":"2026-12-10T00:00Z","budget":{"total":"7"}}],"pacing":"asap""#,
        &[
            "bids when: It bids from Tue 2026-12-01 00:00:00 UTC until Thu 2026-12-03 00:00:00 UTC.",
            "may spend: In the flight from Thu 2026-12-10 00:00:00 UTC: 7 USD in all.",
            "may spend: What its flights may spend, as soon as it can.",
        ],
    );
    of(
        r#","budget_of":"io""#,
        &["may spend: It shares the budget of the order io: 9 USD a day, evenly, as the traffic comes."],
    );
}
