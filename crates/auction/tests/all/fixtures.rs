//! The fixtures are the specification: a fixture's name states a behaviour, and the answer must equal the expected
//! bytes. A line of `fixtures/expected/KIND.tsv` has the fixture's name, the response, the no-bid reason, and the check
//! that each campaign failed. A line of `explained.tsv` is what an explanation says of a campaign, a bid or a privacy
//! signal, and a line of `described.tsv` what a description says of a campaign. A decision with warm memory allocates
//! nothing.
//!
//! `UPDATE_FIXTURES=1 cargo test` writes the actual answers as the expected ones; read the diff.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use auction::context::Context;
use auction::{Outcome, Scratch};
use explain::{describe, explain};
use serde_json::Value;

use super::fixture_table::{Fixture, fixtures, root};
use super::{NOW_MS, Reasons, SEED, compiled, decide, demo, warm_allocations};

const VERSION: u64 = 0xfedc_ba98_7654_3210;
const HEAD: &str = "# Written by `UPDATE_FIXTURES=1 cargo test`: ";

fn context() -> Context<'static> {
    Context { now_ms: NOW_MS, seed: SEED, version: VERSION, ..Context::default() }
}

#[test]
fn fixtures_that_bid() {
    check("bid", |outcome, _| (outcome == Outcome::Bid).then(String::new));
}

#[test]
fn fixtures_that_do_not_bid() {
    check("no-bid", |outcome, reasons| match outcome {
        Outcome::NoBid(reason) => Some(format!("{}\t{reasons}", reason.as_str())),
        _ => None,
    });
}

#[test]
fn malformed_fixtures_are_bad_requests() {
    check("malformed", |outcome, _| match outcome {
        Outcome::BadRequest(bad) => Some(bad.to_string()),
        _ => None,
    });
}

#[test]
fn explanations_of_fixtures() {
    said_once("explained", "fixture, what it is about, texts, places", explained);
}

#[test]
fn descriptions_of_campaigns() {
    said_once("described", "fixture, section, sentence", described);
}

/// Compares what is said of all fixtures with `fixtures/expected/FILE.tsv`. What is said of several is there once.
fn said_once(file: &str, columns: &str, lines: impl Fn(&Fixture) -> Vec<String>) {
    let (mut said, mut all) = (BTreeSet::new(), format!("{HEAD}{columns}\n"));
    for fixture in fixtures().iter().filter(|fixture| fixture.kind != "malformed") {
        for line in lines(fixture).into_iter().filter(|line| said.insert(line.clone())) {
            writeln!(all, "{}\t{line}", fixture.name).unwrap();
        }
    }
    let wrong = differences(file, &all);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sentences on all campaigns of a fixture's catalog.
fn described(fixture: &Fixture) -> Vec<String> {
    let snapshot = compiled(&fixture.catalog).unwrap();
    let catalog = snapshot.catalog();
    let mut lines = Vec::new();
    for campaign in catalog.parts().campaigns().iter() {
        let mut text = String::new();
        describe(campaign.cid(), &catalog, &mut text).unwrap();
        let report: Value = serde_json::from_str(&text).unwrap();
        for section in list(&report, "sections") {
            let of_section = list(&section, "sentences").into_iter().map(|sentence| cell(&sentence));
            lines.extend(of_section.map(|sentence| format!("{}\t{sentence}", cell(&section["about"]))));
        }
    }
    lines
}

/// The lines on the outcome, the privacy signals, the impressions left out, the bids and the rejected campaigns of a
/// fixture.
fn explained(fixture: &Fixture) -> Vec<String> {
    let snapshot = compiled(&fixture.catalog).unwrap();
    let (catalog, mut report) = (snapshot.catalog(), String::new());
    explain(&*fixture.request, demo(&catalog), &catalog, &context(), None, &mut report).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let line = |row: &Value, names: &[&str]| {
        let cells = names.iter().map(|name| match &row[*name] {
            Value::String(text) => text.clone(),
            Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join("; "),
            _ => String::new(),
        });
        let cells: Vec<String> = cells.collect();
        cells.join("\t").trim_end().to_owned()
    };
    let imps = list(&report, "imps");
    let of_imps = |name: &str| -> Vec<Value> { imps.iter().flat_map(|imp| list(imp, name)).collect() };
    let rejected = [list(&report, "rejected"), of_imps("rejected")].concat();
    let outcome = line(&report, &["outcome", "privacy", "privacy_by", "wanted", "found", "at"]);
    let signals = list(&report, "signals").into_iter().map(|row| line(&row, &["signal", "said", "means", "at"]));
    let out = imps.iter().filter(|imp| imp["reason"].is_string());
    let out = out.map(|imp| line(imp, &["id", "reason", "wanted", "found", "at"]));
    let bids = of_imps("bids").into_iter().map(|row| line(&row, &["cid", "crid", "dealid", "steps", "caps"]));
    let rows = rejected.iter().map(|row| line(row, &["cid", "dealid", "reason", "wanted", "found", "at"]));
    [outcome].into_iter().chain(signals).chain(out).chain(bids).chain(rows).collect()
}

fn list(of: &Value, name: &str) -> Vec<Value> {
    of[name].as_array().cloned().unwrap_or_default()
}

/// An entry of a list: a path, a sentence, or a step of a price.
fn cell(item: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().replace('\n', "\\n");
    if item.is_string() { text(item) } else { format!("{} = {}", text(&item["what"]), text(&item["value"])) }
}

/// Checks the decision on each fixture of a kind. `reason` returns the no-bid reason, or an empty text for a bid; `None` if
/// the outcome is not of this kind.
fn check(kind: &str, reason: impl Fn(Outcome, &Reasons) -> Option<String>) {
    let fixtures: Vec<_> = fixtures().into_iter().filter(|fixture| fixture.kind == kind).collect();
    assert!(fixtures.len() >= 20, "only {} fixtures are {kind}", fixtures.len());
    let mut scratch = Scratch::default();
    let mut answers = format!("{HEAD}fixture, response, reason, campaigns\n");
    let mut wrong = Vec::new();
    for Fixture { name, request, catalog, .. } in &fixtures {
        let snapshot = compiled(catalog).unwrap();
        let (catalog, mut reasons) = (snapshot.catalog(), Reasons::default());
        let (ssp, context) = (demo(&catalog), context());
        let (outcome, response) = decide(&mut scratch, request, ssp, &catalog, &context, &mut reasons);
        // Without a recorder, only campaigns that the index lets through are checked.
        let by_index = decide(&mut scratch, request, ssp, &catalog, &context, &mut ());
        if by_index != (outcome, response.clone()) {
            wrong.push(format!("{name}: by index {by_index:?}"));
        }
        match warm_allocations(&mut scratch, request, ssp, &catalog, &context) {
            0 => {}
            count => wrong.push(format!("{name}: {count} allocations in a decision with warm memory")),
        }
        if let Some(reason) = reason(outcome, &reasons) {
            writeln!(answers, "{}", format!("{name}\t{response}\t{reason}").trim_end()).unwrap();
        } else {
            wrong.push(format!("{name}: {outcome:?}, {response}, {reasons}"));
        }
        if !response.is_empty() {
            let findings = judge::judge(&String::from_utf8_lossy(request), &response).into_iter();
            wrong.extend(findings.map(|finding| format!("{name}: {finding}\n{response}")));
        }
    }
    wrong.extend(differences(kind, &answers));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines that differ between the expected and the actual answers.
fn differences(kind: &str, answers: &str) -> Vec<String> {
    let file = root().join(format!("expected/{kind}.tsv"));
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        fs::write(&file, answers).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap();
    let [expected, actual]: [BTreeSet<&str>; 2] = [&expected, answers].map(|text| text.lines().collect());
    let missing = expected.difference(&actual).map(|line| format!("expected: {line}"));
    missing.chain(actual.difference(&expected).map(|line| format!("actual: {line}"))).collect()
}
