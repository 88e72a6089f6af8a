//! How both readers convert values of each type, right or wrong: the rules in `bidder_wasm::request`, one row for each.

use bidder_wasm::limits::MAX_DEPTH;
use bidder_wasm::money::Micros;
use bidder_wasm::read::BadRequest;
use bidder_wasm::request::{Deal, Imp, Linear, Request};
use bumpalo::Bump;

use super::read;

type Show = fn(&Request<'_>) -> String;

fn check(body: &str, show: Show, expected: &str) {
    let arena = Bump::new();
    let request = read(body.as_bytes(), "edgebid", &arena).unwrap_or_else(|bad| panic!("{body}: {bad}"));
    assert_eq!(show(&request), expected, "{body}");
}

/// Each row has members of a request next to `id` and `imp`, and the expected text of `show`.
fn check_request(show: Show, rows: &[(&str, &str)]) {
    for (members, expected) in rows {
        check(&format!(r#"{{"id":"r","imp":[{{"id":"1"}}],{members}}}"#), show, expected);
    }
}

/// Each row has members of an impression next to `id`, and the expected text of `show`.
fn check_imp(show: Show, rows: &[(&str, &str)]) {
    for (members, expected) in rows {
        check(&format!(r#"{{"id":"r","imp":[{{"id":"1",{members}}}]}}"#), show, expected);
    }
}

fn imp<'r, 'a>(request: &'r Request<'a>) -> &'r Imp<'a> {
    &request.imp[0]
}

fn bad(body: impl AsRef<[u8]>) -> Option<BadRequest> {
    read(body.as_ref(), "edgebid", &Bump::new()).err()
}

#[test]
fn texts_convert_from_strings_and_numbers() {
    check_request(
        |request| request.app.map_or("-".into(), |app| app.id.into()),
        &[
            (r#""app":{"id":"a"}"#, "a"),
            (r#""app":{"id":""}"#, ""),
            (r#""app":{"id":12}"#, "12"),
            (r#""app":{"id":-1.50E2}"#, "-1.50E2"),
            (r#""app" : { "id" : 7 }"#, "7"),
            (r#""app":{"id":true}"#, ""),
            (r#""app":{"id":null}"#, ""),
            (r#""app":{"id":["a"]}"#, ""),
            (r#""app":{"id":{"id":"a"}}"#, ""),
            (r#""app":{"id":"a\u0026b\/\ud83d\ude00\ud800"}"#, "a&b/😀\u{FFFD}"),
            (r#""app":{"\u0069d":"a"}"#, "a"),
            (r#""app":{"i":1,"ID":2,"idx":3,"id ":4}"#, ""),
            (r#""\u0061pp":{"id":"a"}"#, "a"),
            (r#""app":{"id":"a","id":"b"}"#, "b"),
            (r#""app":{"id":"a","id":null}"#, ""),
            (r#""app":{"id":"a","id":[]}"#, ""),
            (r#""app":{"id":"a"},"app":{"domain":"d"}"#, ""),
            (r#""app":{"id":"a"},"app":null"#, "-"),
            (r#""app":null"#, "-"),
            (r#""app":[{"id":"a"}]"#, "-"),
            (r#""app":"a""#, "-"),
            (r#""app":{}"#, ""),
        ],
    );
}

#[test]
fn the_literal_of_an_id_is_its_text_in_the_body() {
    check_request(
        |request| format!("{} {}", request.id.literal, request.id.value),
        &[
            (r#""id":"a\u0026b""#, r"a\u0026b a&b"),
            (r#""id":"\"\\\/""#, r#"\"\\\/ "\/"#),
            (r#""id":12"#, "12 12"),
            (r#""id" : 1.50 "#, "1.50 1.50"),
            (r#""id":"é""#, "é é"),
        ],
    );
}

#[test]
fn integers_convert_from_numbers_strings_and_booleans() {
    check_request(
        |request| request.tmax.to_string(),
        &[
            (r#""tmax":320"#, "320"),
            (r#""tmax":320.0"#, "320"),
            (r#""tmax":3.2e2"#, "320"),
            (r#""tmax":320e-0"#, "320"),
            (r#""tmax":"320""#, "320"),
            (r#""tmax":"  320.0 ""#, "320"),
            (r#""tmax":"\u00333""#, "33"),
            (r#""tmax":"0320""#, "320"),
            (r#""tmax":-5"#, "-5"),
            (r#""tmax":true"#, "1"),
            (r#""tmax":false"#, "0"),
            (r#""tmax":9007199254740992"#, "9007199254740992"),
            (r#""tmax":9007199254740993"#, "0"),
            (r#""tmax":1e400"#, "0"),
            (r#""tmax":320.5"#, "0"),
            (r#""tmax":"""#, "0"),
            (r#""tmax":"x""#, "0"),
            (r#""tmax":"320 ms""#, "0"),
            (r#""tmax":"\t320""#, "0"),
            (r#""tmax":"+320""#, "0"),
            (r#""tmax":"true""#, "0"),
            (r#""tmax":null"#, "0"),
            (r#""tmax":[320]"#, "0"),
            (r#""tmax":{"tmax":320}"#, "0"),
            (r#""tmax":100,"tmax":200"#, "200"),
            (r#""tmax":100,"tmax":"x""#, "0"),
        ],
    );
    check_request(
        |request| format!("{} {}", request.at, request.cattax),
        &[
            (r#""x":0"#, "2 1"),
            (r#""at":1,"cattax":7"#, "1 7"),
            (r#""at":"3","cattax":"6""#, "3 6"),
            (r#""at":null,"cattax":"x""#, "2 1"),
            (r#""at":{},"cattax":[2]"#, "2 1"),
        ],
    );
}

#[test]
fn floors_and_currencies_of_impressions() {
    check_imp(
        |request| format!("{} {}", floor(imp(request).bidfloor), imp(request).bidfloorcur.as_str()),
        &[
            (r#""bidfloor":2.5"#, "2.5 USD"),
            (r#""bidfloor":"2.5","bidfloorcur":"EUR""#, "2.5 EUR"),
            (r#""bidfloor":1.0E-5"#, "0.00001 USD"),
            (r#""bidfloor":2.4301341"#, "2.430135 USD"),
            (r#""bidfloor":1e-400"#, "0.000001 USD"),
            (r#""bidfloor":-1.5"#, "0 USD"),
            (r#""bidfloor":-0"#, "0 USD"),
            (r#""bidfloor":" 2.5""#, "? USD"),
            (r#""bidfloor":true"#, "? USD"),
            (r#""bidfloor":"abc""#, "? USD"),
            (r#""bidfloor":"""#, "? USD"),
            (r#""bidfloor":[3]"#, "? USD"),
            (r#""bidfloor":{}"#, "? USD"),
            (r#""bidfloor":3,"bidfloor":[]"#, "? USD"),
            (r#""bidfloor":[],"bidfloor":3"#, "3 USD"),
            (r#""bidfloor":null,"bidfloorcur":null"#, "0 USD"),
            (r#""bidfloorcur":"eur""#, "0 EUR"),
            (r#""bidfloorcur":"""#, "0 USD"),
            (r#""bidfloorcur":["EUR"]"#, "0 ???"),
            (r#""bidfloorcur":true"#, "0 ???"),
            (r#""bidfloorcur":"euro""#, "0 ???"),
            (r#""bidfloorcur":978"#, "0 ???"),
        ],
    );
}

fn floor(floor: Micros) -> String {
    if floor == Micros::UNREADABLE { "?".into() } else { floor.to_string() }
}

#[test]
fn floors_of_video_audio_and_deals() {
    check_imp(
        |request| {
            let of_linear = |linear: &Linear<'_>| {
                let ranges = linear.durfloors.iter().map(|range| floor(range.bidfloor));
                format!("{} [{}]", floor(linear.mincpmpersec), ranges.collect::<Vec<_>>().join(" "))
            };
            let deal = |deal: &Deal<'_>| {
                let ranges = deal.durfloors.iter().map(|range| floor(range.bidfloor));
                let ranges = ranges.collect::<Vec<_>>().join(" ");
                let cur = deal.bidfloorcur;
                format!("{} {} {} [{ranges}]", floor(deal.bidfloor), cur.as_str(), floor(deal.mincpmpersec))
            };
            let imp = imp(request);
            imp.linear().map(of_linear).chain(imp.deals.iter().map(deal)).collect::<Vec<_>>().join(", ")
        },
        &[
            (
                r#""video":{"mincpmpersec":"x","durfloors":[{"bidfloor":"2"},{"bidfloor":[2]},{}]},"audio":{"mincpmpersec":-1}"#,
                "? [2 ? 0], 0 []",
            ),
            (
                r#""pmp":{"deals":[{"id":1,"bidfloor":{},"bidfloorcur":7,"mincpmpersec":true,"durfloors":{"bidfloor":"x"}},{"id":2,"bidfloor":null}]}"#,
                "? ??? ? [?], 0 USD 0 []",
            ),
        ],
    );
}

#[test]
fn lists_leave_out_unreadable_items() {
    check_request(
        |request| request.bcat.join("|"),
        &[
            (r#""bcat":["a","b"]"#, "a|b"),
            (r#""bcat":[ "a" , "b" ]"#, "a|b"),
            (r#""bcat":"a""#, "a"),
            (r#""bcat":7"#, "7"),
            (r#""bcat":["a",null,7,true,["b"],{"c":"d"},""]"#, "a|7"),
            (r#""bcat":[" a","b, c;d",""]"#, "a|b|c|d"),
            (r#""bcat":[""," "]"#, ""),
            (r#""bcat":[" ",[]]"#, ""),
            (r#""bcat":{"0":"a"}"#, ""),
            (r#""bcat":null"#, ""),
            (r#""bcat":true"#, ""),
            (r#""bcat":[]"#, ""),
            (r#""bcat":[ ]"#, ""),
            (r#""bcat":["a"],"bcat":[]"#, ""),
            (r#""bcat":["a"],"bcat":null"#, ""),
        ],
    );
    check_request(
        |request| request.cur.iter().map(|cur| cur.as_str().to_owned()).collect::<Vec<_>>().join("|"),
        &[
            (r#""cur":["JPY","usd"]"#, "JPY|USD"),
            (r#""cur":"EUR""#, "EUR"),
            (r#""cur":["","euro",null]"#, "???"),
            (r#""cur":"""#, ""),
        ],
    );
    check_imp(
        |request| {
            imp(request).banner.map_or("-".into(), |banner| {
                let sizes: Vec<_> = banner.format.iter().map(|format| format.size).collect();
                format!("{sizes:?} {:?}", banner.battr)
            })
        },
        &[
            (
                r#""banner":{"format":[{"w":1,"h":2},{}],"battr":[1,"2",3.0,true,"x",null,[4]]}"#,
                "[Size { w: 1, h: 2 }, Size { w: 0, h: 0 }] [1, 2, 3, 1]",
            ),
            (r#""banner":{"format":{"w":"1","h":2.0},"battr":7}"#, "[Size { w: 1, h: 2 }] [7]"),
            (r#""banner":{"format":[5,null,[]],"battr":{}}"#, "[] []"),
            (r#""banner":{}"#, "[] []"),
            (r#""banner":[]"#, "-"),
            (r#""banner":{},"banner":1"#, "-"),
        ],
    );
}

#[test]
fn video_audio_and_bundles() {
    check_imp(
        |request| {
            let describe = |linear: Option<&bidder_wasm::request::Linear<'_>>| {
                linear.map_or("-".into(), |l| {
                    format!("{} {} {} {}", l.size.w, l.linearity, l.maxduration, l.mimes.join(","))
                })
            };
            format!("{} / {}", describe(imp(request).video), describe(imp(request).audio))
        },
        &[
            (
                r#""video":{"w":640,"linearity":1,"maxduration":"30","mimes":"video/mp4"},"audio":null"#,
                "640 1 30 video/mp4 / -",
            ),
            (r#""audio":{"w":640,"linearity":1,"maxduration":30.0,"mimes":["audio/mp4"]}"#, "- / 0 0 30 audio/mp4"),
        ],
    );
    check_request(
        |request| {
            format!("{} {}", request.site.map_or("", |site| site.bundle), request.app.map_or("", |app| app.bundle))
        },
        &[(r#""site":{"bundle":"x"},"app":{"bundle":658367131}"#, " 658367131")],
    );
}

#[test]
fn pages_and_publishers() {
    check_request(
        |request| {
            let channels = [request.site, request.app, request.dooh].into_iter().flatten();
            let show = |channel: &bidder_wasm::request::Channel<'_>| {
                format!("{}|{}|{}", channel.page, channel.publisher_id, channel.publisher_domain)
            };
            channels.map(show).collect::<Vec<_>>().join(" ")
        },
        &[
            (r#""site":{"page":"https://a.example/b","publisher":{"id":7,"domain":"d"}}"#, "https://a.example/b|7|d"),
            (
                r#""app":{"page":"p","publisher":{"domain":"d"}},"dooh":{"page":"p","publisher":{"domain":7}}"#,
                "||d ||7",
            ),
            (r#""site":{"page":["p"],"publisher":{"id":"1","domain":"d"},"publisher":{"id":"2"}}"#, "|2|"),
            (r#""site":{"page":"p","page":null,"publisher":[{"id":"1"}]}"#, "||"),
        ],
    );
}

#[test]
fn protocol_counts_if_protocols_is_empty() {
    check_imp(
        |request| imp(request).linear().map(|offer| format!("{:?}", offer.protocols)).collect::<Vec<_>>().join(" "),
        &[
            (r#""video":{"protocol":"2"}"#, "[2]"),
            (r#""video":{"protocol":2,"protocols":[]}"#, "[2]"),
            (r#""video":{"protocols":["x"],"protocol":2}"#, "[2]"),
            (r#""video":{"protocol":2,"protocols":[3]}"#, "[3]"),
            (r#""video":{"protocol":2,"protocol":"x"}"#, "[]"),
            (r#""audio":{"protocol":2}"#, "[]"),
        ],
    );
}

#[test]
fn prebid_extensions_of_an_impression() {
    check_imp(
        |request| format!("{} {}", imp(request).gpid, imp(request).rwdd),
        &[
            (r#""ext":{"gpid":"/1/a#b","data":{"pbadslot":"/1/c"}}"#, "/1/a#b false"),
            (r#""ext":{"gpid":"","data":{"pbadslot":"/1/c"}}"#, "/1/c false"),
            (r#""ext":{"gpid":7,"data":[{"pbadslot":"/1/c"}]}"#, "7 false"),
            (r#""ext":{"gpid":["a"],"data":{"pbadslot":null}}"#, " false"),
            (r#""ext":{"gpid":"a"},"ext":{}"#, " false"),
            (r#""ext":{"prebid":{"is_rewarded_inventory":1}}"#, " true"),
            (r#""ext":{"prebid":{"a":{"b":[1]},"is_rewarded_inventory" : true , "id":2}}"#, " true"),
            (r#""ext":{"prebid":{"is_rewarded_inventory":1,"is_rewarded_inventory":0}}"#, " false"),
            (r#""ext":{"prebid":{"is_rewarded_inventoryy":1,"is_rewarded_inventorx":1}}"#, " false"),
            (r#""ext":{"prebid":{"is_rewarded_inventory":1}},"rwdd":0"#, " false"),
            (r#""ext":{"prebid":{"is_rewarded_inventory":1}},"rwdd":"x""#, " true"),
            (r#""ext":{"prebid":[{"is_rewarded_inventory":1}]},"rwdd":1"#, " true"),
        ],
    );
}

#[test]
fn genre_and_genres() {
    check_request(
        |request| format!("{} {:?}", request.app.unwrap().content.genre, request.app.unwrap().content.genres),
        &[
            (r#""app":{"content":{"genre":"g","genres":["a",7,null]}}"#, r#"g ["a", "7"]"#),
            (r#""app":{"content":{"genres":"drama"}}"#, r#" ["drama"]"#),
        ],
    );
}

#[test]
fn deals_need_an_id() {
    check_imp(
        |request| {
            let deals =
                imp(request).deals.iter().map(|deal| format!("{} {} {:?}", deal.id.value, deal.bidfloor, deal.wseat));
            format!("{} {}", imp(request).private_auction, deals.collect::<Vec<_>>().join("; "))
        },
        &[
            (
                r#""pmp":{"private_auction":true,"deals":[{"id":1,"bidfloor":"2","wseat":"s"},{"bidfloor":3},{"id":null},7]}"#,
                r#"true 1 2 ["s"]"#,
            ),
            (r#""pmp":{"deals":{"id":""}}"#, "false  0 []"),
            (r#""pmp":[{"private_auction":1}]"#, "false "),
            (r#""pmp":{"private_auction":1},"pmp":{}"#, "false "),
        ],
    );
}

#[test]
fn native_versions_and_assets() {
    check_imp(
        |request| {
            imp(request).native.map_or("-".into(), |n| {
                format!("{} {:?}", n.ver.as_str(), n.assets.iter().map(|asset| asset.id).collect::<Vec<_>>())
            })
        },
        &[
            (r#""native":{"request":"{\"native\":{\"assets\":[{\"id\":1}]}}"}"#, "1.0 [1]"),
            (r#""native":{"request":"{\"assets\":[{\"id\":\"2\"},{},{\"id\":3.5}]}"}"#, "1.2 [2]"),
            (r#""native":{"request":"{\"assets\":{\"id\":1}}","ver":"1.0"}"#, "1.0 [1]"),
            (r#""native":{"request":"{\"ver\":\"1.2\",\"native\":5}","ver":1}"#, "1.0 []"),
            (r#""native":{"request":{"native":{"ver":"1.2","assets":[{"id":4}]}}}"#, "1.2 [4]"),
            (r#""native":{"request":{"assets":[{"id":5}]},"ver":""}"#, "1.2 [5]"),
            (r#""native":{"request":{"ver":"1.0.1"},"ver":null}"#, "1.0 []"),
            (r#""native":{"request":{"native":{},"native":7,"assets":[{"id":6}]}}"#, "1.2 [6]"),
            (r#""native":{"request":{"ver":"1.1"}}"#, "1.1 []"),
            (r#""native":{"request":{"ver":"1.0"},"ver":1.10}"#, "1.1 []"),
            (r#""native":{"request":{"ver":"1.2"},"ver":1e0}"#, "1.0 []"),
            (r#""native":{"request":{"ver":"1.2"},"ver":10E-1}"#, "1.0 []"),
            (r#""native":{"request":{"ver":"1.2"},"ver":11e-1}"#, "1.1 []"),
            (r#""native":{"request":{"ver":"1.0"},"ver":1.2e0}"#, "1.2 []"),
            (r#""native":{"request":{"ver":"1.0"},"ver":"01"}"#, "1.0 []"),
            (r#""native":{"request":"json string"}"#, "-"),
            (r#""native":{"request":"{\"assets\":[}"}"#, "-"),
            (r#""native":{"request":"[]"}"#, "-"),
            (r#""native":{"request":""}"#, "-"),
            (r#""native":{"request":5}"#, "-"),
            (r#""native":{"request":null}"#, "-"),
            (r#""native":{}"#, "-"),
        ],
    );
    check_imp(
        |request| {
            imp(request).native.unwrap().assets.iter().map(|a| format!("{:?}", a.kind)).collect::<Vec<_>>().join(" ")
        },
        &[(
            r#""native":{"request":{"assets":[{"id":1,"title":{"len":"9"},"img":{}},{"id":2,"img":{"type":3,"w":1,"h":2,"wmin":3,"hmin":4}},
              {"id":3,"title":null,"video":{},"data":{}},{"id":4,"title":5,"data":{"type":2,"len":6}},{"id":5}]}}"#,
            "Title { len: 9 } Img { kind: 3, size: Size { w: 1, h: 2 }, min: Size { w: 3, h: 4 } } Video { mimes: [], minduration: 0, maxduration: 0, protocols: [] } Data { kind: 2, len: 6 } Other",
        )],
    );
}

#[test]
fn privacy_signals_in_regs_user_and_ext() {
    check_request(
        |request| {
            let (regs, user) = (request.regs, request.user);
            format!("{:?} {} {} {:?} {}", regs.gdpr, regs.us_privacy, regs.gpp, regs.gpp_sid, user.consent)
        },
        &[
            (
                r#""regs":{"gdpr":1,"us_privacy":"u","gpp":"g","gpp_sid":[7]},"user":{"consent":"c"}"#,
                "Some(true) u g [7] c",
            ),
            (
                r#""regs":{"ext":{"gdpr":1,"us_privacy":"u","gpp":"g","gpp_sid":[7]}},"user":{"ext":{"consent":"c"}}"#,
                "Some(true) u g [7] c",
            ),
            (
                r#""regs":{"gdpr":0,"us_privacy":"u","gpp":"g","gpp_sid":7,"ext":{"gdpr":1,"us_privacy":"x","gpp":"x","gpp_sid":8}}"#,
                "Some(true) u g [7] ",
            ),
            (
                r#""regs":{"ext":{"gdpr":true,"us_privacy":1},"gdpr":2,"us_privacy":"","gpp_sid":["x"]}"#,
                "Some(true) 1  [9223372036854775807] ",
            ),
            (r#""regs":{"gdpr":"1","gdpr":null}"#, "None   [] "),
            (r#""regs":{"gdpr":3,"ext":7},"user":"x""#, "Some(true)   [] "),
            (r#""regs":{"gdpr":[0]}"#, "Some(true)   [] "),
            (r#""regs":{"gdpr":1,"gdpr":null,"ext":{"gdpr":1,"gdpr":0}}"#, "Some(false)   [] "),
            (r#""regs":{"ext":"gdpr"},"user":{"consent":"","ext":{"consent":"C"}}"#, "None   [] C"),
            (r#""regs":{"gdpr":"","us_privacy":[],"gpp":{},"gpp_sid":""},"user":{"consent":true}"#, "None ? ? [] ?"),
        ],
    );
}

#[test]
fn global_privacy_control_in_regs_or_ext() {
    check_request(
        |request| request.regs.gpc.to_string(),
        &[
            (r#""regs":{"gpc":1}"#, "true"),
            (r#""regs":{"gpc":"1"}"#, "true"),
            (r#""regs":{"ext":{"gpc":"1"}}"#, "true"),
            (r#""regs":{"ext":{"gpc":1}}"#, "true"),
            (r#""regs":{"gpc":0,"ext":{"gpc":1}}"#, "true"),
            (r#""regs":{"gpc":1,"ext":{"gpc":0}}"#, "true"),
            (r#""regs":{"gpc":"0","ext":{"gpc":"x"}}"#, "true"),
            (r#""regs":{"gpc":"0","ext":{"gpc":""}}"#, "false"),
            (r#""regs":{}"#, "false"),
        ],
    );
}

#[test]
fn dsa_in_regs_or_ext() {
    check_request(
        |request| {
            let dsa = request.regs.dsa;
            format!("{} {:?} {:?}", dsa.dsarequired, dsa.pubrender, dsa.datatopub)
        },
        &[
            (r#""regs":{"dsa":{"dsarequired":2,"pubrender":0,"datatopub":1}}"#, "2 Some(0) Some(1)"),
            (r#""regs":{"ext":{"dsa":{"dsarequired":"3","pubrender":2.0,"transparency":[{}]}}}"#, "3 Some(2) None"),
            (r#""regs":{"ext":{"dsa":{"dsarequired":3}},"dsa":{"pubrender":1}}"#, "3 None None"),
            (r#""regs":{"dsa":{"dsarequired":3},"ext":{"dsa":{"dsarequired":2,"pubrender":1}}}"#, "3 None None"),
            (r#""regs":{"dsa":{"pubrender":0},"ext":{"dsa":{"pubrender":1}}}"#, "0 Some(0) None"),
            (r#""regs":{"dsa":2,"ext":{"dsa":{"dsarequired":true,"pubrender":"x","datatopub":null}}}"#, "1 None None"),
            (r#""regs":{"dsa":{"dsarequired":2},"dsa":null}"#, "0 None None"),
            (r#""regs":{"dsa":[{"dsarequired":2}],"ext":[{"dsa":{"dsarequired":2}}]}"#, "0 None None"),
        ],
    );
}

#[test]
fn eids_and_supply_chain_in_2_6_or_ext() {
    check_request(
        |request| {
            let eids = request.user.eids.iter().map(|eid| format!("{} {:?}", eid.source, eid.uids));
            let chain = request.schain.map_or("-".into(), |chain| format!("{} {}", chain.complete, chain.nodes.len()));
            format!("{} / {chain}", eids.collect::<Vec<_>>().join("; "))
        },
        &[
            (
                r#""user":{"eids":[{"source":"s","uids":[{"id":1},{},{"id":""}]},{"uids":[]},5]},"source":{"schain":{"complete":1,"nodes":[{},7]}}"#,
                r#"s [Uid { id: "1" }, Uid { id: "" }] / true 1"#,
            ),
            (
                r#""user":{"ext":{"eids":{"source":"s","uids":{"id":"1"}}}},"source":{"ext":{"schain":{"nodes":{}}}}"#,
                r#"s [Uid { id: "1" }] / false 1"#,
            ),
            (
                r#""user":{"eids":[{}],"ext":{"eids":[{"source":"e"}]}},"source":{"schain":{},"ext":{"schain":{"complete":1}}}"#,
                "e [] / false 0",
            ),
            (r#""user":{"eids":[{"source":"s"}],"ext":{"eids":[{"source":"e"}]}},"source":{"schain":"x"}"#, "s [] / -"),
            (r#""source":{"schain":{},"ext":{"schain":{"nodes":[{"asi":"a"}]}}}"#, " / false 0"),
            (r#""source":{"schain":"x","ext":{"schain":{"nodes":[{"asi":"a"},{},7]}}}"#, " / false 2"),
            (r#""source":"/home","user":null"#, " / -"),
        ],
    );
}

#[test]
fn impressions_need_an_id_and_have_a_limit() {
    for (imps, expected) in [
        (r#"[{"id":"a"},{},{"id":null},{"id":[]},{"id":true},{"id":""},{"id":7},5,null,"x",[],{"id":"a"}]"#, "a||7|a"),
        (r#"{"id":"a"}"#, "a"),
        ("[{}]", ""),
        (r#"[],"imp":[{"id":"b"}]"#, "b"),
    ] {
        let show: Show = |request| request.imp.iter().map(|imp| imp.id.value).collect::<Vec<_>>().join("|");
        check(&format!(r#"{{"id":"r","imp":{imps}}}"#), show, expected);
    }
    let show: Show = |request| format!("{} {}", request.imp.len(), request.more_imps);
    for (count, after, expected) in [
        (63, "", "63 false"),
        (64, "", "64 false"),
        (64, ",5,null", "64 false"),
        (64, ",{}", "64 true"),
        (100, "", "64 true"),
    ] {
        let list = vec![r#"{"id":"x"}"#; count].join(",");
        check(&format!(r#"{{"imp":[{{}},{list}{after}],"id":""}}"#), show, expected);
    }
}

/// Where the first bracket is that is too deep.
const DEEP: BadRequest = BadRequest::NotJson { at: 16 + MAX_DEPTH - 1 };

#[test]
fn bad_requests() {
    let imps = r#""imp":[{"id":"1"}]"#;
    for (body, expected) in [
        (String::new(), BadRequest::NotJson { at: 0 }),
        ("[]".into(), BadRequest::NotAnObject),
        (" null ".into(), BadRequest::NotAnObject),
        (r#""x""#.into(), BadRequest::NotAnObject),
        ("{}".into(), BadRequest::MissingId),
        (format!(r#"{{"id":null,{imps}}}"#), BadRequest::MissingId),
        (format!(r#"{{"id":true,{imps}}}"#), BadRequest::MissingId),
        (format!(r#"{{"id":"r","id":{{}},{imps}}}"#), BadRequest::MissingId),
        (r#"{"id":"r"}"#.into(), BadRequest::MissingImp),
        (format!(r#"{{"id":"1","imp":{}{}}}"#, "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH)), DEEP),
        (r#"{"id":"r","imp":null}"#.into(), BadRequest::MissingImp),
        (r#"{"id":"r","imp":"1"}"#.into(), BadRequest::MissingImp),
        (r#"{"id":"r","imp":[]}"#.into(), BadRequest::MissingImp),
        (r#"{"id":"r","imp":[5,null,[{"id":"1"}]]}"#.into(), BadRequest::MissingImp),
        (format!(r#"{{"id":"r",{imps},"imp":[]}}"#), BadRequest::MissingImp),
        (format!(r#"{{"id":"r",{imps},}}"#), BadRequest::NotJson { at: 29 }),
        (format!(r#"{{"id":"r",{imps}}} {{}}"#), BadRequest::NotJson { at: 30 }),
        (format!("\u{feff}{{\"id\":\"r\",{imps}}}"), BadRequest::NotJson { at: 0 }),
        (format!(r#"{{"id":"r",{imps}{}}}"#, " ".repeat(1 << 20)), BadRequest::TooLarge),
    ] {
        assert_eq!(bad(&body), Some(expected), "{body:.80}");
    }
    assert_eq!(bad(b"{\"id\":\"\xF0\xA4\xAD\",\"imp\":[{}]}"), Some(BadRequest::NotJson { at: 7 }));
    assert_eq!(bad(b"{\"id\":\"\xFF\",,"), Some(BadRequest::NotJson { at: 7 }));
    assert_eq!(bad(b"{\"id\",\"\xFF\""), Some(BadRequest::NotJson { at: 5 }));
    assert_eq!(bad(r#"{"id":"","imp":{}}"#), Some(BadRequest::MissingImp));
    assert_eq!(bad(r#"{"id":"","imp":{"id":null}}"#), Some(BadRequest::MissingImp));
    assert_eq!(bad(r#"{"id":"","imp":[{}]}"#), None);
    assert_eq!(bad(r#"{"id":"","imp":{"id":""}}"#), None);
}
