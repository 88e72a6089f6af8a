//! Every rule of `fixtures/rules.tsv` has fixtures on both sides: a bid and a no-bid. A rule that shapes the answer or
//! chooses between bids has two fixtures that bid. A rule on notices has a notice that bills and one that does not.
//! `fixtures/fixtures.tsv` and `fixtures/notices.tsv` say which line shows which rules.
//!
//! `UPDATE_FIXTURES=1 cargo test` writes `fixtures/RULES.md`.

#![cfg(test)]

mod fixture_table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use fixture_table::{fixtures, notices, root};

#[test]
fn every_rule_has_its_fixtures() {
    let (bids, no_bids) = (names("bid"), names("no-bid"));
    let (bills, no_bills) = (names_of_notices(true), names_of_notices(false));
    let mut table = String::from(
        "# Rules and the fixtures that show them\n\nWritten by `UPDATE_FIXTURES=1 cargo test` from `fixtures.tsv` and\n`notices.tsv`. Numbers are those of `rules.tsv`; sections are OpenRTB 2.6-202606's. Where there\nis a bid on either side of a rule, because it shapes the answer or chooses among bids, both sides are among those that bid.\nA notice that bills is in the first column, one that does not in the second.\n\n| rule | § | bids | does not bid |\n|---|---|---|---|\n",
    );
    let mut missing = Vec::new();
    for line in fs::read_to_string(root().join("rules.tsv")).unwrap().lines() {
        let [number, section, text, sides] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let side = |of: &BTreeMap<String, Vec<String>>| of.get(number).cloned().unwrap_or_default();
        let (yes, no) = (side(&bids), side(&no_bids));
        let is_shown = match sides {
            "both" => !yes.is_empty() && !no.is_empty(),
            "bids" => yes.len() > 1 && no.is_empty(),
            "notices" => bills.contains_key(number) && no_bills.contains_key(number),
            _ => panic!("{line}"),
        };
        if !is_shown {
            missing.push(number.to_owned());
        }
        let with = |own: Vec<String>, notices| [own, side(notices)].concat().join(", ");
        let no = if sides == "bids" { "either way a bid".to_owned() } else { with(no, &no_bills) };
        writeln!(table, "| {number}. {text} | {section} | {} | {no} |", with(yes, &bills)).unwrap();
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

/// For each rule number, the names of the notices that show it, and that bill or do not.
fn names_of_notices(bills: bool) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for notice in notices().into_iter().filter(|notice| (notice.outcome == "bill") == bills) {
        for rule in notice.rules {
            names.entry(rule).or_default().push(format!("notice {}", notice.name));
        }
    }
    names
}
