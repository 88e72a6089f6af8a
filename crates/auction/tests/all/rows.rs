//! Rows about creatives: each has its fixtures, and the index can rely on it. See `crates/reasons/src/creatives.rs`.

use std::collections::BTreeMap;
use std::fs;

use openrtb::request::{Banner, Imp, Linear, Native, Request};
use rules::form::Form;
use rules::offer::{Offer, object};
use rules::own::Own;
use rules::rows::{ROWS, Row, offered, own};

use super::fixture_table::{Fixture, fixtures, root};
use super::{compiled, restrictions};

#[test]
fn each_row_has_a_rule_with_a_fixture_that_bids_and_one_that_does_not() {
    let lines = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let (rules, expected) = (lines("rules.tsv"), lines("expected/no-bid.tsv"));
    let reasons: BTreeMap<&str, &str> =
        expected.lines().filter_map(|line| Some((line.split('\t').next()?, line.split('\t').nth(2)?))).collect();
    let all = fixtures();
    let has = |number: &str, is_one: &dyn Fn(&Fixture) -> bool| {
        all.iter().any(|fixture| fixture.rules.iter().any(|own| own == number) && is_one(fixture))
    };
    for row in ROWS {
        let names = names(row);
        let is_shown = |line: &str| {
            let number = line.split('\t').next().unwrap();
            let text = line.to_lowercase().replace("bit rate", "bitrate");
            names.iter().any(|name| text.contains(name))
                && has(number, &|one| one.kind == "no-bid" && reasons.get(&*one.name) == Some(&row.reason.as_str()))
                && has(number, &|one| one.kind == "bid" && names.iter().any(|name| names_attribute(one, name)))
        };
        assert!(
            rules.lines().any(is_shown),
            "{}: no line of rules.tsv names it and has a fixture that bids and one with this reason",
            row.reason.as_str()
        );
    }
}

/// The row's reason, and the attributes that it compares with.
fn names(row: &Row) -> Vec<&'static str> {
    let of_paths = row.paths.iter().flat_map(|path| path.split('|')).filter_map(|path| path.rsplit('.').next());
    of_paths.map(|name| name.trim_start_matches('?')).chain([row.reason.as_str()]).collect()
}

fn names_attribute(fixture: &Fixture, name: &str) -> bool {
    String::from_utf8_lossy(&fixture.request).contains(&format!("\"{name}\""))
}

/// Otherwise the index would rule out a campaign whose creative the row does not concern.
#[test]
fn a_creative_has_a_value_where_its_object_has_one() {
    let document = compiled(restrictions::catalog()).unwrap();
    let (request, linear) = (Request::default(), Linear::default());
    let imp = Imp {
        banner: Some(Banner::default()),
        video: Some(&linear),
        audio: Some(&linear),
        native: Some(Native::default()),
        ..Imp::default()
    };
    let catalog = document.catalog();
    let mut count = 0;
    for creative in catalog.parts().creatives().iter() {
        let offer = Offer { request: Some(&request), imp: Some(&imp), object: object(&imp, &creative.media()) };
        for row in ROWS.iter().filter(|row| offered(row.reason, &offer).is_some()) {
            let is_compared = Own::parts(creative, true).iter().any(|part| own(row.reason, part).is_some());
            assert!(is_compared, "{} does not concern {}", row.reason.as_str(), creative.crid());
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

/// Otherwise the index would rule out a campaign because of one file, although another one passes.
#[test]
fn no_row_blocks_a_file() {
    let document = compiled(restrictions::catalog()).unwrap();
    let catalog = document.catalog();
    let parts: Vec<_> = catalog.parts().creatives().iter().flat_map(|one| Own::parts(one, true)).collect();
    let mut files = parts.iter().filter(|part| matches!(part, Own::File(_))).peekable();
    assert!(files.peek().is_some());
    for file in files {
        for row in ROWS.iter().filter(|row| row.form == Some(Form::NoneOf)) {
            assert!(own(row.reason, file).is_none(), "{}", row.reason.as_str());
        }
    }
}
