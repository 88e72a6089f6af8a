//! Impressions: ad objects, floors and deals.

use super::imp;
use bidder_wasm::money::{Currency, Micros};
use bidder_wasm::request::{Banner, Deal, DurFloor, Format, Imp, Linear, Metric, Size, Text};

fn text(value: &str) -> Text<'_> {
    Text { literal: value, value }
}

#[test]
fn every_attribute_of_an_impression() {
    imp(
        r#""metric":[{"type":"v","value":0.5,"vendor":"EXCHANGE"}],"instl":1,"tagid":"t","bidfloor":1,
        "bidfloorcur":"EUR","secure":1,"rwdd":1,"ssai":3,"exp":60,"dt":1700000000000,"pmp":{"private_auction":1,
        "deals":[{"id":"d","bidfloor":2,"bidfloorcur":"JPY","at":3,"wseat":["s"],"wadomain":["a"],"guar":1,
        "mincpmpersec":0.1,"durfloors":[{"mindur":1,"maxdur":2,"bidfloor":3}]}]}"#,
        |imp| {
            let deal = Deal {
                id: text("d"),
                bidfloor: Micros(2_000_000),
                bidfloorcur: Currency::parse("JPY"),
                at: 3,
                wseat: &["s"],
                wadomain: &["a"],
                guar: true,
                mincpmpersec: Micros(100_000),
                durfloors: &[DurFloor { mindur: 1, maxdur: 2, bidfloor: Micros(3_000_000) }],
            };
            let expected = Imp {
                id: text("1"),
                private_auction: true,
                deals: &[deal],
                instl: true,
                tagid: "t",
                bidfloor: Micros(1_000_000),
                bidfloorcur: Currency::parse("EUR"),
                secure: true,
                rwdd: true,
                ssai: 3,
                exp: 60,
                dt: 1_700_000_000_000,
                metric: &[Metric { kind: "v", value: Micros(500_000), vendor: "EXCHANGE" }],
                ..Imp::default()
            };
            assert_eq!(*imp, expected);
        },
    );
}

#[test]
fn metrics() {
    for (entry, expected) in [
        (r#"{"type":"v","value":0.1234561}"#, Some(("v", 123_457))),
        (r#"{"type":"","value":"1e-9"}"#, Some(("", 1))),
        (r#"{"type":7,"value":-0.5000001}"#, Some(("7", -500_001))),
        (r#"{"type":"v","value":" 1"}"#, None),
        (r#"{"type":"v","value":true}"#, None),
        (r#"{"type":"v","value":1,"value":null}"#, None),
        (r#"{"type":null,"value":1}"#, None),
        (r#"{"type":["v"],"value":1}"#, None),
        (r#""v""#, None),
    ] {
        let found = imp(&format!(r#""metric":{entry}"#), |imp| {
            imp.metric.first().map(|metric| (metric.kind.to_string(), metric.value.0))
        });
        assert_eq!(found, expected.map(|(kind, value)| (kind.to_string(), value)), "{entry}");
    }
}

#[test]
fn times_lose_their_fraction() {
    for (dt, expected) in [
        ("1700000000000", 1_700_000_000_000),
        ("1.7e12", 1_700_000_000_000),
        ("1700000000000.999", 1_700_000_000_000),
        (r#""1700000000000.5""#, 1_700_000_000_000),
        ("-1.5", -1),
        ("1e-7", 0),
        ("9007199254740992.9", 1 << 53),
        ("9007199254740993", 0),
        ("-9007199254740993", 0),
        ("1e400", 0),
        ("0e400", 0),
        (r#"" 1""#, 0),
        (r#""now""#, 0),
        ("true", 0),
        ("[5]", 0),
        ("null", 0),
    ] {
        assert_eq!(imp(&format!(r#""dt":5,"dt":{dt}"#), |imp| imp.dt), expected, "{dt}");
    }
}

const EVERY_LINEAR: &str = r#""mimes":["m"],"minduration":1,"maxduration":2,"rqddurs":[3],"protocols":[4],"w":5,"h":6,
    "linearity":7,"battr":[8],"api":[9],"startdelay":-2,"plcmt":10,"pos":11,"skip":1,"skipmin":12,"maxextended":-1,
    "minbitrate":13,"maxbitrate":14,"delivery":[15],"playbackmethod":[16],"boxingallowed":0,
    "companionad":[{"w":17,"h":"18","format":[{"w":1,"h":1}],"mimes":"m"},{},5],"companiontype":[26,"27"],"podid":"p","podseq":-1,"slotinpod":2,"maxseq":19,
    "poddur":20,"mincpmpersec":0.21,"durfloors":[{"mindur":"22","bidfloor":-1},{"maxdur":23.0,"bidfloor":24},{},[]],
    "poddedupe":[25,"4",4]"#;

#[test]
fn every_attribute_of_video_and_audio() {
    let both = Linear {
        mimes: &["m"],
        minduration: 1,
        maxduration: 2,
        rqddurs: &[3],
        protocols: &[4],
        battr: &[8],
        api: &[9],
        startdelay: Some(-2),
        maxextended: -1,
        minbitrate: 13,
        maxbitrate: 14,
        delivery: &[15],
        companionad: &[
            Banner {
                size: Size { w: 17, h: 18 },
                format: &[Format { size: Size { w: 1, h: 1 }, ..Format::default() }],
                mimes: &["m"],
                ..Banner::default()
            },
            Banner::default(),
        ],
        companiontype: &[26, 27],
        podid: "p",
        podseq: -1,
        slotinpod: 2,
        maxseq: 19,
        poddur: 20,
        mincpmpersec: Micros(210_000),
        durfloors: &[
            DurFloor { mindur: 22, maxdur: 0, bidfloor: Micros(0) },
            DurFloor { mindur: 0, maxdur: 23, bidfloor: Micros(24_000_000) },
            DurFloor { mindur: 0, maxdur: 0, bidfloor: Micros(0) },
        ],
        ..Linear::default()
    };
    let video = Linear {
        size: Size { w: 5, h: 6 },
        linearity: 7,
        plcmt: Some(10),
        pos: Some(11),
        skip: Some(true),
        skipmin: 12,
        playbackmethod: &[16],
        boxingallowed: Some(false),
        poddedupe: 0b1_0000,
        ..both
    };
    imp(&format!(r#""video":{{{EVERY_LINEAR}}},"audio":{{{EVERY_LINEAR}}}"#), |imp| {
        assert_eq!((imp.video, imp.audio), (Some(&video), Some(&both)));
    });
}

#[test]
fn every_attribute_of_a_banner() {
    imp(
        r#""banner":{"format":[{"w":1,"h":2,"wratio":"3","hratio":4.0,"wmin":5},{}],"w":6,"h":7,"btype":[8],
        "battr":[9],"mimes":["m"],"api":[10],"pos":11,"topframe":1,"expdir":[12,"13",null]}"#,
        |imp| {
            let first = Format { size: Size { w: 1, h: 2 }, wratio: 3, hratio: 4, wmin: 5 };
            let expected = Banner {
                format: &[first, Format::default()],
                size: Size { w: 6, h: 7 },
                btype: &[8],
                battr: &[9],
                mimes: &["m"],
                api: &[10],
                pos: Some(11),
                expdir: &[12, 13],
                topframe: Some(true),
            };
            assert_eq!(imp.banner, Some(expected));
        },
    );
}

#[test]
fn media() {
    imp(
        r#""banner":{"format":[{"w":"300","h":250.0},{},5],"w":728,"api":3,"battr":[1,"2",44.0,"x"],"mimes":[1,"a"]},
        "video":{"mimes":"video/mp4","w":640,"h":-1,"linearity":1,"rqddurs":[15],"protocols":["2"]},
        "audio":{"mimes":null,"w":640,"linearity":1,"maxduration":"30"}"#,
        |imp| {
            let banner = imp.banner.unwrap();
            assert_eq!(
                banner.format,
                [Format { size: Size { w: 300, h: 250 }, ..Format::default() }, Format::default()]
            );
            assert_eq!((banner.size, banner.api, banner.battr), (Size { w: 728, h: 0 }, &[3][..], &[1, 2, 44][..]));
            assert_eq!(banner.mimes, ["1", "a"]);
            let video = imp.video.unwrap();
            assert_eq!((video.mimes, video.size, video.linearity), (&["video/mp4"][..], Size { w: 640, h: -1 }, 1));
            assert_eq!((video.rqddurs, video.protocols), (&[15][..], &[2][..]));
            let audio = imp.audio.unwrap();
            assert_eq!(
                (audio.mimes, audio.size, audio.linearity, audio.maxduration),
                (&[][..], Size::default(), 0, 30)
            );
        },
    );
    assert!(imp(r#""banner":{}"#, |imp| imp.banner.is_some()));
    assert!(imp(r#""banner":[],"video":"x","native":{}"#, |imp| {
        imp.banner.is_none() && imp.video.is_none() && imp.native.is_none()
    }));
}
