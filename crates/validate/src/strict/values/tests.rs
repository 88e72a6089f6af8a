use super::super::{tests::kinds, validate};
use super::table::{ALLOWED, Allowed, RELATIONS, Relation};
use document::decode::Rule;
use openrtb::read::spec;

/// `path: message` of each finding on the values of a request with these attributes and one impression.
fn found(attributes: &str, imp: &str) -> Vec<String> {
    let body = format!(r#"{{"id":"r","imp":[{{"id":"1",{imp}}}],{attributes}"tmax":100}}"#);
    let findings = validate(body.as_bytes()).unwrap_or_else(|bad| panic!("{body}: {bad}"));
    findings.iter().filter(|finding| finding.rule == Rule::OutOfRange).map(ToString::to_string).collect()
}

const BANNER: &str = r#""banner":{"w":300,"h":250}"#;

#[test]
fn values_that_are_not_allowed_are_found() {
    for (attributes, imp, expected) in [
        (r#""at":9,"#, BANNER, "at: 9 is unknown; expected 1 or 2, or an exchange-specific value from 500"),
        (
            r#""cur":["USD","Euro"],"#,
            BANNER,
            r#"cur[1]: "Euro" is not a currency code of ISO 4217; expected a code such as EUR"#,
        ),
        (
            r#""device":{"geo":{"country":"DE"}},"#,
            BANNER,
            r#"device.geo.country: "DE" is not a country code of ISO 3166-1 alpha-3; did you mean "DEU" (Germany)?"#,
        ),
        (
            r#""device":{"language":"english"},"#,
            BANNER,
            r#"device.language: "english" is not a language code of ISO 639-1; did you mean "en" (English)?"#,
        ),
        (r#""device":{"geo":{"lat":52.5,"lon":190.5}},"#, BANNER, "device.geo.lon: 190.5; expected -180 to 180"),
        (
            r#""device":{"devicetype":9},"#,
            BANNER,
            "device.devicetype: 9 is unknown; expected 1 to 8, or an exchange-specific value from 500",
        ),
        ("", r#""bidfloor":-0.5,"banner":{"w":300,"h":250}"#, "imp[0].bidfloor: -0.5; expected 0 or more"),
        ("", r#""banner":{"format":[{"w":-300,"h":250}]}"#, "imp[0].banner.format[0].w: -300; expected at least 1"),
        ("", r#""video":{"linearity":3}"#, "imp[0].video.linearity: 3 is unknown; expected 1 or 2"),
        (
            "",
            r#""native":{"request":"{\"assets\":[{\"id\":1,\"data\":{\"type\":99}}]}"}"#,
            "imp[0].native.request.assets[0].data.type: 99 is unknown; expected 1 to 12, or an exchange-specific value from 500",
        ),
        (
            "",
            r#""pmp":{"deals":[{"id":"d","at":4}]},"banner":{}"#,
            "imp[0].pmp.deals[0].at: 4 is unknown; expected 1, 2 or 3, or an exchange-specific value from 500",
        ),
    ] {
        assert_eq!(found(attributes, imp), [expected]);
    }
}

#[test]
fn attributes_that_do_not_belong_together_are_found() {
    for (attributes, imp, expected) in [
        (r#""site":{},"app":{},"#, BANNER, "app: given together with site; expected only one of site, app, dooh"),
        (
            r#""wseat":["a"],"bseat":["b"],"#,
            BANNER,
            "bseat: given together with wseat; expected only one of wseat, bseat",
        ),
        (
            r#""device":{"geo":{"lat":1}},"#,
            BANNER,
            "device.geo.lon: missing, but lat is given; expected both or neither",
        ),
        ("", r#""banner":{"w":320}"#, "imp[0].banner.h: missing, but w is given; expected both or neither"),
        (
            "",
            r#""instl":1"#,
            "imp[0]: has none of the required attributes; expected at least one of banner, video, audio, native",
        ),
        (
            "",
            r#""video":{"minduration":30,"maxduration":15}"#,
            "imp[0].video.minduration: 30 is above maxduration 15; expected minduration not above maxduration",
        ),
        (
            "",
            r#""audio":{"rqddurs":[15],"maxduration":15}"#,
            "imp[0].audio.maxduration: given together with rqddurs; expected only one of rqddurs, maxduration",
        ),
        ("", r#""banner":{}},{"id":"1","banner":{}"#, r#"imp[1].id: "1" is already used; expected a unique id"#),
    ] {
        assert_eq!(found(attributes, imp), [expected]);
    }
}

#[test]
fn allowed_values_have_no_finding() {
    for (attributes, imp) in [
        (r#""at":1,"cur":["EUR"],"wseat":["a"],"bseat":[],"wlang":["en","xx"],"#, BANNER),
        (r#""at":500,"device":{"geo":{"country":"deu","lat":-90,"lon":180,"utcoffset":-720}},"#, BANNER),
        (r#""ext":{"at":9},"#, r#""banner":{"ext":{"w":-1}},"ext":{"country":"x"}"#),
        (r#""device":{"devicetype":"phone"},"#, BANNER),
        ("", r#""bidfloor":0,"video":{"minduration":5,"maxduration":5,"startdelay":-2}"#),
    ] {
        assert_eq!(found(attributes, imp), [""; 0], "{attributes} {imp}");
    }
}

/// A misspelled name in the table would never match.
#[test]
fn the_table_names_attributes_of_the_specification() {
    let all = kinds();
    let has = |kinds: &[&str], name: &str| {
        let mut kinds = all.keys().filter(|kind| kinds.is_empty() || kinds.contains(kind));
        kinds.any(|kind| spec::all(kind).any(|known| known.name == name))
    };
    let is_kind = |kind: &&str| all.contains_key(kind);
    for (kinds, attributes, allowed) in ALLOWED {
        assert!(kinds.iter().all(is_kind), "{kinds:?}");
        assert!(attributes.iter().all(|name| has(kinds, name)), "{kinds:?} {attributes:?}");
        if let Allowed::Listed(list) | Allowed::Only(list) = allowed {
            assert!(list.is_sorted(), "{attributes:?}");
        }
    }
    for (kinds, relation) in RELATIONS {
        let names: Vec<&str> = match relation {
            Relation::OneOf(list) | Relation::SomeOf(list) => list.to_vec(),
            Relation::Together(one, other) | Relation::InOrder(one, other) => vec![one, other],
            Relation::DifferentIds(list) => vec![list],
        };
        assert!(kinds.iter().all(is_kind) && names.iter().all(|name| has(kinds, name)), "{kinds:?} {names:?}");
    }
}
