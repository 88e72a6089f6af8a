//! Runs `fixtures/notices.tsv`, whose head explains it: each line decides, and sends a notice about the first bid.

use auction::Scratch;
use auction::context::Context;
use notices::settle::Effect;
use serde_json::{Map, Value};

use super::Ssp;
use crate::fixture_table::{Fixture, Notice, fixtures, notices};
use crate::{NOW_MS, compiled, decide};

#[test]
fn every_line_of_the_table_has_its_outcome() {
    let (fixtures, notices) = (fixtures(), notices());
    assert!(notices.len() >= 30, "only {} notices", notices.len());
    let mut wrong = Vec::new();
    for notice in notices {
        let Notice { name, outcome: expected, detail, .. } = &notice;
        let fixture = fixtures.iter().find(|fixture| format!("{}/{}", fixture.kind, fixture.name) == notice.fixture);
        let outcome = outcome(fixture.unwrap_or_else(|| panic!("{name}: no fixture {}", notice.fixture)), &notice);
        if outcome.trim_end() != format!("{expected} {detail}").trim_end() {
            wrong.push(format!("{name}: {outcome}, expected {expected} {detail}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn outcome(fixture: &Fixture, Notice { settings, keys, call, .. }: &Notice) -> String {
    let mut document: Value = serde_json::from_slice(&fixture.catalog).unwrap();
    let settings: Map<String, Value> = serde_json::from_str(settings).unwrap();
    let ssps = document["ssps"].as_array_mut().unwrap();
    let demo = ssps.iter().position(|ssp| ssp["id"] == "demo").unwrap();
    ssps[demo].as_object_mut().unwrap().extend(settings);
    let ssp = Ssp::of(compiled(document.to_string()).unwrap(), demo, keys);
    let context = Context { now_ms: NOW_MS, seed: 7, notices: Some(&ssp.notices), ..Context::default() };
    let (_, answer) = decide(&mut Scratch::default(), &fixture.request, demo, &ssp.catalog(), &context, &mut ());
    let (kinds, query) = call.split_once('?').unwrap();
    let (kind, of) = kinds.split_once(" of ").unwrap_or((kinds, kinds));
    // A token has no character that ends a path.
    let (_, behind) = answer.split_once(&format!("/n/{of}/")).unwrap_or_else(|| panic!("no such URL in {answer}"));
    let (token, _) = behind.split_once('?').unwrap();
    let verdict = ssp.read_url(format!("{kind}/{token}?{query}").as_bytes(), 1).unwrap();
    match verdict.effect {
        Effect::Refused(why) => format!("refused {}", why.as_str()),
        Effect::Win => "win".to_owned(),
        Effect::Loss(code) => format!("loss {}", code.map_or(String::new(), |code| code.to_string())),
        Effect::Bill(cost) => {
            let assumed = if cost.is_assumed { " assumed" } else { "" };
            let differs = cost.differs.map_or(String::new(), |differs| format!(" {}", differs.as_str()));
            format!("bill {} {} {}{assumed}{differs}", cost.price.0, cost.cur.as_str(), cost.usd.0)
        }
    }
}
