//! Both sides of failed checks in explanations.

use crate::compile::{Zone, compile};
use bidder_wasm::context::Context;
use bidder_wasm::{Scratch, bid};

use crate::explain::explain;

const CREATIVES: &str = r#"{"crid":"safe","banner":{"w":1,"h":1,"btype":3,"adm":"<b>s</b>"},"attr":[8,9]},
    {"crid":"old","banner":{"w":1,"h":1,"adm":"<img src='http://old.example/'>"}},
    {"crid":"large","banner":{"w":2,"h":2,"adm":"<b>s</b>"}}"#;

fn catalog(ssp: &str, campaigns: &[(&str, &str)]) -> String {
    let campaign = |(cid, more): &(&str, &str)| {
        format!(r#"{{"cid":"{cid}","seat":"s","adomain":["{cid}.example"],"max_cpm":"1",{more}}}"#)
    };
    let campaigns: Vec<String> = campaigns.iter().map(campaign).collect();
    format!(
        r#"{{"format":1,"ssps":[{{"id":"a"{ssp}}}],"creatives":[{CREATIVES}],"campaigns":[{}]}}"#,
        campaigns.join(",")
    )
}

const REQUEST: &[u8] = br#"{"id":"r","at":1,"imp":[{"id":"i","secure":1,"banner":{"format":[{"w":1,"h":1}]}}]}"#;

#[test]
fn an_outbid_row_has_both_prices() {
    let request = |at: i64, deals: &str| {
        format!(r#"{{"id":"r","at":{at},"imp":[{{"id":"i","banner":{{"w":1,"h":1}},"pmp":{{"deals":[{deals}]}}}}]}}"#)
    };
    let safe = r#""creatives":["safe"]"#;
    let deal_only = r#""creatives":["safe"],"deals":["d"],"open":false"#;
    let (high, low) = (format!(r#""max_cpm":"3.5",{safe}"#), format!(r#""max_cpm":"2",{safe}"#));
    let (dear, cheap) = (format!(r#""max_cpm":"3",{deal_only}"#), format!(r#""max_cpm":"2",{deal_only}"#));
    let campaigns = [("high", &*high), ("low", &*low), ("dear", &*dear), ("cheap", &*cheap)];
    let without_price = |document: String| document.replace(r#""max_cpm":"1","#, "");
    let guaranteed = request(2, r#"{"id":"d","guar":1}"#);
    for (ssp, rows) in [
        (
            "",
            r#"[{"cid":"low","reason":"outbid","wanted":"2 USD with safe","found":"3.5 USD of high with safe","by":{"cid":"high","crid":"safe","price":"3.5"}},{"cid":"cheap","dealid":"d","reason":"outbid","wanted":"2 USD with safe","found":"3 USD of dear with safe under d","by":{"cid":"dear","crid":"safe","dealid":"d","price":"3"}}]"#,
        ),
        (
            r#","one_bid_per_imp":true"#,
            r#"[{"cid":"high","reason":"outbid","wanted":"3.5 USD with safe","found":"3 USD of dear with safe under d","by":{"cid":"dear","crid":"safe","dealid":"d","price":"3"}},{"cid":"low","reason":"outbid","wanted":"2 USD with safe","found":"3 USD of dear with safe under d","by":{"cid":"dear","crid":"safe","dealid":"d","price":"3"}},{"cid":"cheap","dealid":"d","reason":"outbid","wanted":"2 USD with safe","found":"3 USD of dear with safe under d","by":{"cid":"dear","crid":"safe","dealid":"d","price":"3"}}]"#,
        ),
    ] {
        let (report, _) = explained(&without_price(catalog(ssp, &campaigns)), guaranteed.as_bytes());
        let sorted = |text: &str| {
            let row = |row: &str| row.trim_matches(['[', ']', '{', '}']).to_owned();
            let mut rows: Vec<String> = text.split("},{").map(row).collect();
            rows.sort();
            rows
        };
        let found = report.split(r#""rejected":["#).nth(1).and_then(|rest| rest.split(']').next());
        assert_eq!(sorted(found.unwrap_or_default()), sorted(rows), "{report}");
    }
}

#[test]
fn only_the_missing_asset_is_named() {
    let native = |number: usize| {
        format!(
            r#"{{"crid":"n{number}","native":{{"title":"A title","link":"https://x.example/","img":[{{"type":1,"url":"https://x.example/i","w":80,"h":80}}]}}}}"#
        )
    };
    let creatives: Vec<String> = (0..40).map(native).collect();
    let crids: Vec<String> = (0..40).map(|number| format!(r#""n{number}""#)).collect();
    let document = catalog("", &[("c", &format!(r#""creatives":[{}]"#, crids.join(",")))])
        .replace(CREATIVES, &creatives.join(","));
    for (assets, sides) in [
        (
            r#"{"id":1,"required":1,"title":{"len":90}},{"id":2,"required":1,"img":{"type":3,"wmin":300,"hmin":250}}"#,
            r#""wanted":"image of type 1, 80x80","found":"asset 2: image of type 3, at least 300x250""#,
        ),
        (
            r#"{"id":7,"required":1,"title":{"len":5}}"#,
            r#""wanted":"title of 7 characters","found":"asset 7: title of at most 5 characters""#,
        ),
        (
            r#"{"id":3,"data":{"type":2,"len":9}},{"id":4,"video":{"minduration":5,"maxduration":15}}"#,
            r#""wanted":"none","found":"asset 3: data of type 2 of at most 9 characters, asset 4: video of 5 to 15 s""#,
        ),
    ] {
        let request = format!(r#"{{"id":"r","imp":[{{"id":"i","native":{{"request":{{"assets":[{assets}]}}}}}}]}}"#);
        let (report, _) = explained(&document, request.as_bytes());
        assert!(report.contains(&format!(r#""reason":"asset",{sides}"#)), "{sides} in {report}");
    }
}

#[test]
fn a_long_list_of_sizes_is_cut() {
    let sizes: Vec<String> =
        (1..=40).map(|w| format!(r#"{{"crid":"s{w}","banner":{{"w":{w},"h":9,"adm":"<b>s</b>"}}}}"#)).collect();
    let crids: Vec<String> = (1..=40).map(|w| format!(r#""s{w}","s{w}""#)).collect();
    let document =
        catalog("", &[("c", &format!(r#""creatives":[{}]"#, crids.join(",")))]).replace(CREATIVES, &sizes.join(","));
    let (report, _) = explained(&document, REQUEST);
    assert!(report.contains("1x9, 2x9, 3x9, 4x9, 5x9, 6x9, 7x9, 8x9 and 32 more"), "{report}");
}

/// 2026-11-18T12:00Z.
const NOON: i64 = 1_795_003_200_000;

#[test]
fn hours_are_written_as_times_of_the_week() {
    let berlin =
        Zone { name: "Europe/Berlin".to_owned(), changes: vec![(1_774_746_000_000, 120), (1_792_890_000_000, 60)] };
    let (days, nights) = (
        r#"{"days":[1,2,4,5],"from":8,"to":18},{"days":[2],"from":20,"to":21}"#,
        r#"{"from":0,"to":6},{"from":22,"to":24}"#,
    );
    for (hours, zone, dt, geo, sides) in [
        (
            days,
            r#","zone":"Europe/Berlin""#,
            "",
            "{}",
            r#""wanted":"Mon 08:00-18:00, Tue 08:00-18:00 20:00-21:00, Thu-Fri 08:00-18:00 (Europe/Berlin)","found":"Wed 2026-11-18 13:00 (UTC+01:00)""#,
        ),
        (
            nights,
            "",
            "",
            r#"{"utcoffset":-210}"#,
            r#""wanted":"Mon-Sun 00:00-06:00 22:00-24:00 (the person's own time)","found":"Wed 2026-11-18 08:30 (UTC-03:30)""#,
        ),
        (
            nights,
            "",
            r#","dt":1795046400000"#,
            "{}",
            r#""wanted":"Mon-Sun 00:00-06:00 22:00-24:00 (the person's own time)","found":"Thu 2026-11-19 00:00 UTC, utcoffset unknown; hours with a zone do not need it""#,
        ),
    ] {
        let campaign = format!(r#""creatives":["safe"],"target":{{"hours":[{hours}]{zone}}}"#);
        let compiled = compile(catalog("", &[("c", &campaign)]).as_bytes(), core::slice::from_ref(&berlin)).unwrap();
        let request =
            format!(r#"{{"id":"r","imp":[{{"id":"i","banner":{{"w":1,"h":1}}{dt}}}],"device":{{"geo":{geo}}}}}"#);
        let context = Context { now_ms: NOON, ..Context::default() };
        let mut report = String::new();
        explain(request.as_bytes(), 0, &compiled.snapshot.catalog(), &context, None, &mut report).unwrap();
        assert!(report.contains(&format!(r#""reason":"hours",{sides}"#)), "{sides} in {report}");
    }
}

#[test]
fn a_campaign_that_does_not_run_says_when_it_does() {
    for (campaign, sides) in [
        (r#""paused":true"#, r#""reason":"paused","wanted":"a campaign that runs","found":"it is paused""#),
        (
            r#""start":"2026-12-01T00:00+01:00","end":"2026-12-24T00:00Z""#,
            r#""reason":"flight","wanted":"from Mon 2026-11-30 23:00:00 UTC until Thu 2026-12-24 00:00:00 UTC","found":"Wed 2026-11-18 12:00:00 UTC""#,
        ),
        (
            r#""end":"2026-11-18T12:00Z""#,
            r#""reason":"flight","wanted":"until Wed 2026-11-18 12:00:00 UTC","found":"Wed 2026-11-18 12:00:00 UTC""#,
        ),
    ] {
        let campaign = format!(r#""creatives":["safe"],{campaign}"#);
        let compiled = compile(catalog("", &[("c", &campaign)]).as_bytes(), &[]).unwrap();
        let request = r#"{"id":"r","imp":[{"id":"i","banner":{"w":1,"h":1}}]}"#;
        let context = Context { now_ms: NOON, ..Context::default() };
        let mut report = String::new();
        explain(request.as_bytes(), 0, &compiled.snapshot.catalog(), &context, None, &mut report).unwrap();
        assert!(report.contains(sides), "{sides} in {report}");
    }
}

#[test]
fn a_rejection_names_the_value_wanted_and_the_value_found() {
    let banner = r#""banner":{"w":1,"h":1}"#;
    let own = r#""creatives":["safe"],"bundle":"com.own","cat":["IAB1-2"]"#;
    let many: Vec<String> = (0..40).map(|number| format!(r#""b{number}.example""#)).collect();
    for (campaign, imp, more, expected) in [
        (own, banner, r#","wseat":["t","u"]"#, r#""seat","wanted":"s","found":"only t, u (wseat)""#),
        (own, banner, r#","bseat":["s"]"#, r#""seat","wanted":"s","found":"not s (bseat)""#),
        (
            own,
            banner,
            &format!(r#","badv":[{},"c.example"]"#, many.join(",")),
            r#""badv","wanted":"c.example not blocked","found":"badv c.example""#,
        ),
        (
            own,
            banner,
            r#","bcat":["IAB7","IAB1"]"#,
            r#""bcat","wanted":"IAB1-2 (cattax 1) not blocked","found":"bcat IAB1 (cattax 1)""#,
        ),
        (
            own,
            banner,
            r#","acat":["IAB7","IAB9"]"#,
            r#""acat","wanted":"IAB1-2 (cattax 1)","found":"acat IAB7, IAB9 (cattax 1)""#,
        ),
        (own, banner, r#","bapp":["com.own"]"#, r#""bapp","wanted":"com.own not blocked","found":"bapp com.own""#),
        (own, r#""banner":{"w":9,"h":9}"#, "", r#""size","wanted":"1x1","found":"9x9""#),
        (own, r#""video":{"mimes":["video/mp4"]}"#, "", r#""media-type","wanted":"banner","found":"video""#),
        (
            own,
            r#""banner":{"w":1,"h":1},"bidfloor":2.5"#,
            "",
            r#""floor","wanted":"at most 1 USD","found":"at least 2.5 USD""#,
        ),
        (
            own,
            r#""banner":{"w":1,"h":1},"bidfloor":0.5,"bidfloorcur":"GBP""#,
            "",
            r#""rate","wanted":"a rate for the floor's GBP","found":"rates for USD""#,
        ),
        (
            r#""creatives":["safe"],"deals":["d"],"open":false"#,
            r#""banner":{"w":1,"h":1},"pmp":{"deals":[{"id":"d","bidfloor":0.5,"bidfloorcur":"GBP"}]}"#,
            "",
            r#""rate","wanted":"a rate for the floor's GBP","found":"rates for USD""#,
        ),
        (
            own,
            r#""banner":{"w":1,"h":1},"bidfloor":"cheap""#,
            "",
            r#""floor-unreadable","wanted":"a floor that is a number, in a currency (ISO 4217)","found":"a floor that is not a number""#,
        ),
        (
            own,
            r#""banner":{"w":1,"h":1},"bidfloor":0.5,"bidfloorcur":"Euro""#,
            "",
            r#""floor-unreadable","wanted":"a floor that is a number, in a currency (ISO 4217)","found":"a floor of 0.5 whose bidfloorcur is not a currency""#,
        ),
        (own, r#""banner":{"w":1,"h":1,"btype":[1,3]}"#, "", r#""btype","wanted":"btype 3","found":"btype 3 blocked""#),
        (
            own,
            r#""banner":{"w":1,"h":1,"battr":[1,16,9]}"#,
            "",
            r#""battr","wanted":"attr 8, 9","found":"battr 9 blocked""#,
        ),
        (own, banner, r#","wlang":["de","fr"]"#, r#""wlang","wanted":"unknown","found":"de, fr""#),
        (
            own,
            banner,
            r#","regs":{"ext":{"dsa":{"dsarequired":2,"pubrender":0}}}"#,
            r#""dsa","wanted":"no required dsa: the campaign has no dsa (campaigns[].dsa)","found":"dsarequired 2 (required), pubrender 0""#,
        ),
    ] {
        let request = format!(r#"{{"id":"r","imp":[{{"id":"i",{imp}}}]{more}}}"#);
        let (report, _) = explained(&catalog("", &[("c", campaign)]), request.as_bytes());
        assert!(report.contains(&format!(r#""reason":{expected}"#)), "{expected} in {report}");
    }
}

/// The explanation of the request, and the length of its answer.
fn explained(document: &str, request: &[u8]) -> (String, usize) {
    let compiled = compile(document.as_bytes(), &[]).unwrap();
    let (catalog, context) = (compiled.snapshot.catalog(), Context::default());
    let (mut report, mut answer) = (String::new(), String::new());
    explain(request, 0, &catalog, &context, None, &mut report).unwrap();
    bid(&mut Scratch::default(), request, 0, &catalog, &context, &mut (), &mut answer);
    (report, answer.len())
}

#[test]
fn plain_http_urls_are_named() {
    for (campaign, wanted) in [
        (r#""creatives":["large","old"]"#, "plain http in old"),
        (r#""creatives":["safe"],"burl":"http://b.example/1""#, "the notice http://b.example/1"),
        (r#""creatives":["old"],"nurl":"http://n.example/1""#, "the notice http://n.example/1, plain http in old"),
    ] {
        let (report, _) = explained(&catalog("", &[("c", campaign)]), REQUEST);
        let expected = format!(r#""reason":"secure","wanted":"{wanted}","found":"https only (secure 1)""#);
        assert!(report.contains(&expected), "{expected} in {report}");
    }
}

#[test]
fn a_note_says_that_later_impressions_are_not_looked_at() {
    let document = catalog("", &[("c", r#""creatives":["safe"]"#)]);
    for (imps, has_note) in [(64, false), (65, true)] {
        let imps: Vec<String> = (0..imps).map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
        let (report, _) = explained(&document, format!(r#"{{"id":"r","imp":[{}]}}"#, imps.join(",")).as_bytes());
        assert_eq!(
            report.contains(r#""more_imps":"only the first 64 impressions are looked at""#),
            has_note,
            "{report}"
        );
    }
}

/// A creative is checked against the media object that it would fill, so the report names that object.
#[test]
fn a_placement_value_names_its_media_object() {
    let document = catalog("", &[("c", r#""creatives":["safe"],"target":{"pos":{"include":[1]}}"#)]);
    let request =
        br#"{"id":"r","imp":[{"id":"i","banner":{"w":1,"h":1,"pos":3},"video":{"mimes":["video/mp4"],"pos":1}}]}"#;
    let (report, _) = explained(&document, request);
    let expected = r#""reason":"pos","wanted":"1","found":"banner 3""#;
    assert!(report.contains(expected), "{expected} in {report}");
}

#[test]
fn the_length_of_the_answer_is_named() {
    let one = &[("c", r#""creatives":["large","safe"]"#)][..];
    let (_, bytes) = explained(&catalog("", one), REQUEST);
    let found = |report: &str, most: usize, others: &str| {
        let wanted = format!("an answer of {bytes} bytes with safe");
        let found = format!("the SSP takes at most {most} bytes (max_response_bytes){others}");
        let expected = format!(r#""reason":"response-bytes","wanted":"{wanted}","found":"{found}""#);
        assert!(report.contains(&expected), "{expected} in {report}");
    };
    let (report, answered) = explained(&catalog(&format!(r#","max_response_bytes":{}"#, bytes - 1), one), REQUEST);
    found(&report, bytes - 1, "");
    assert_eq!(answered, 0);

    // The answer has room for one bid, so the other impression gets none.
    let document = catalog(&format!(r#","max_response_bytes":{bytes}"#), one);
    let two = String::from_utf8_lossy(REQUEST)
        .replace("[{\"id\":\"i\"", r#"[{"id":"j","secure":1,"banner":{"w":1,"h":1}},{"id":"i""#);
    let (report, answered) = explained(&document, two.as_bytes());
    found(&report, bytes, ", and other bids already fill the answer");
    assert!(answered > 0 && answered <= bytes);
}

/// The explanation for a campaign with this target and a video and an audio ad of 30 seconds.
fn explained_linear(target: &str, imp: &str, more: &str) -> String {
    let media = r#""media":[{"url":"https://c.example/1","mime":"video/mp4"}]"#;
    let linear = format!(r#"{{"dur":30,"protocol":3,"w":640,"h":360,{media}}}"#);
    let audio = format!(r#"{{"dur":30,"protocol":3,{media}}}"#);
    let creatives = format!(r#"{{"crid":"v","video":{linear}}},{{"crid":"a","audio":{audio}}}"#);
    let campaign = format!(r#""creatives":["v","a"],"target":{target}"#);
    let document = catalog("", &[("c", &campaign)]).replace(CREATIVES, &creatives);
    explained(&document, format!(r#"{{"id":"r","imp":[{{"id":"i",{imp}}}]{more}}}"#).as_bytes()).0
}

#[test]
fn keywords_of_site_content_and_user_are_named_in_both_notations() {
    let more = r#","site":{"keywords":"a, b","kwarray":["c"],"content":{"keywords":"d"}},"user":{"kwarray":["e"]}"#;
    let report = explained_linear(r#"{"keywords":{"include":["z"]}}"#, r#""video":{}"#, more);
    assert!(report.contains(r#""reason":"keywords","wanted":"z","found":"a, b, d, c, e""#), "{report}");
    let limited = explained_linear(
        r#"{"keywords":{"include":["z"]}}"#,
        r#""video":{}"#,
        &format!(r#"{more},"regs":{{"coppa":1}}"#),
    );
    let hidden = "a, b, d, c; those of the user are hidden: privacy is contextual";
    assert!(limited.contains(&format!(r#""reason":"keywords","wanted":"z","found":"{hidden}""#)), "{limited}");
}

#[test]
fn start_delays_of_video_and_audio_are_named() {
    let report = explained_linear(
        r#"{"startdelay":{"include":[-1]}}"#,
        r#""video":{"startdelay":0},"audio":{"startdelay":15}"#,
        "",
    );
    assert!(report.contains(r#""reason":"startdelay","wanted":"-1","found":"video 0, audio 15""#), "{report}");
}

#[test]
fn durations_are_named_with_every_attribute_that_limits_them() {
    for (offer, found) in [
        (r#""maxduration":15"#, "0 to 15"),
        (r#""minduration":5,"maxduration":15,"maxextended":10"#, "5 to 15, extended by 10 (maxextended)"),
        (r#""rqddurs":[10,20],"maxduration":60"#, "10, 20"),
        (r#""poddur":20,"maxduration":60"#, "0 to 60, in a pod of 20 (poddur)"),
    ] {
        let report = explained_linear("{}", &format!(r#""video":{{{offer}}}"#), "");
        assert!(report.contains(&format!(r#""reason":"duration","wanted":"30 s","found":"{found}""#)), "{report}");
    }
    let both = explained_linear("{}", r#""video":{"maxduration":15},"audio":{"maxduration":20}"#, "");
    assert!(both.contains(r#""found":"video 0 to 15, audio 0 to 20""#), "{both}");
}

#[test]
fn prices_are_explained_with_each_factor() {
    let request = |floor: &str| {
        format!(
            r#"{{"id":"r","imp":[{{"id":"i","bidfloor":{floor},"banner":{{"w":1,"h":1,"pos":3}},"pmp":{{"deals":[{{"id":"d","bidfloor":{floor}}}]}}}}],"device":{{"devicetype":4}}}}"#
        )
    };
    let bids = r#""bids":[{"when":{"devicetype":{"include":[4]}},"times":"1.25"},
        {"when":{"devicetype":{"include":[5]}},"times":"9"},{"when":{"pos":{"include":[3]}},"times":"0.5"}]"#;
    let own = format!(r#""creatives":["safe"],"deals":[{{"id":"d","max_cpm":"4"}}],{bids}"#);
    let document = catalog("", &[("c", &own)]);
    let (report, _) = explained(&document, request("0.5").as_bytes());
    for expected in [r#""dealid":"d","most":"4","floor""#, r#""crid":"safe","most":"0.625","floor""#] {
        assert!(report.contains(expected), "{expected}: {report}");
    }
    let (report, _) = explained(&document, request("4.5").as_bytes());
    for expected in [
        r#""wanted":"at most 4 USD (max_cpm 4 USD of the deal)","found":"at least 4.5 USD""#,
        r#""wanted":"at most 0.625 USD (max_cpm 1 USD × 1.25 (bids[0]) × 0.5 (bids[2]) = 0.625 USD)""#,
    ] {
        assert!(report.contains(expected), "{expected}: {report}");
    }
    let capped =
        catalog("", &[("c", r#""creatives":["safe"],"bids":[{"when":{},"times":"100"},{"when":{},"times":"3"}]"#)]);
    let (report, _) = explained(&capped, request("201").as_bytes());
    let expected = "max_cpm 1 USD × 100 (bids[0]) × 3 (bids[1]) = 200 USD (max_cpm_ceiling)";
    assert!(report.contains(expected), "{expected}: {report}");
}
