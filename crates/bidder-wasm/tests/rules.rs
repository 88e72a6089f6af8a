//! Every rule of `fixtures/rules.tsv` has fixtures on both sides: a bid and a no-bid. A rule that shapes the answer or
//! chooses between bids has two fixtures that bid. `fixtures/fixtures.tsv` says which fixture shows which rules.
//!
//! `UPDATE_FIXTURES=1 cargo test` writes `fixtures/RULES.md`.

#![cfg(test)]

mod fixture_table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use fixture_table::{fixtures, root};

#[test]
fn every_rule_has_its_fixtures() {
    let (bids, no_bids) = (names("bid"), names("no-bid"));
    let mut table = String::from(
        "# Rules and the fixtures that show them\n\nWritten by `UPDATE_FIXTURES=1 cargo test` from `fixtures.tsv`. Numbers are those of\n`rules.tsv`; sections are OpenRTB 2.6-202606's. Where there\nis a bid on either side of a rule, because it shapes the answer or chooses among bids, both sides are among those that bid.\n\n| rule | § | bids | does not bid |\n|---|---|---|---|\n",
    );
    let mut missing = Vec::new();
    for line in fs::read_to_string(root().join("rules.tsv")).unwrap().lines() {
        let [number, section, text, sides] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let side = |of: &BTreeMap<String, Vec<String>>| of.get(number).cloned().unwrap_or_default();
        let (yes, no) = (side(&bids), side(&no_bids));
        let is_shown = match sides {
            "both" => !yes.is_empty() && !no.is_empty(),
            "bids" => yes.len() > 1 && no.is_empty(),
            _ => panic!("{line}"),
        };
        if !is_shown {
            missing.push(number.to_owned());
        }
        let no = if sides == "bids" { "either way a bid".to_owned() } else { no.join(", ") };
        writeln!(table, "| {number}. {text} | {section} | {} | {no} |", yes.join(", ")).unwrap();
    }
    assert!(missing.is_empty(), "rules without a fixture on each side: {}", missing.join(", "));
    let file = root().join("RULES.md");
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        fs::write(&file, &table).unwrap();
    }
    assert!(
        fs::read_to_string(&file).unwrap_or_default() == table,
        "fixtures/RULES.md is out of date; UPDATE_FIXTURES=1 cargo test writes it"
    );
}

/// For each rule number, the names of the fixtures of this kind that show it.
fn names(kind: &str) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for fixture in fixtures().into_iter().filter(|fixture| fixture.kind == kind) {
        for rule in fixture.rules {
            names.entry(rule).or_default().push(fixture.name.clone());
        }
    }
    names
}
