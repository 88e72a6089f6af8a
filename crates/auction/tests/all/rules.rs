//! Every rule of `fixtures/rules.tsv` has fixtures on both sides: a bid and a no-bid. A rule that shapes the answer or
//! chooses between bids has two fixtures that bid. A rule on notices has a notice that bills and one that does not.
//! `fixtures/fixtures.tsv` and `fixtures/notices.tsv` say which line shows which rules.
//!
//! `UPDATE_FIXTURES=1 cargo test` writes `fixtures/RULES.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use super::fixture_table::{fixtures, notices, root};

#[test]
fn every_rule_has_its_fixtures() {
    let (bids, no_bids) = (fixtures_of("bid"), fixtures_of("no-bid"));
    let (bills, no_bills) = (notices_that(true), notices_that(false));
    let mut table = String::from(
        "# Rules and the fixtures that show them\n\nWritten by `UPDATE_FIXTURES=1 cargo test` from `fixtures.tsv` and\n`notices.tsv`. Numbers are those of `rules.tsv`; sections are OpenRTB 2.6-202606's. Where there\nis a bid on either side of a rule, because it shapes the answer or chooses among bids, both sides are among those that bid.\nA notice that bills is in the first column, one that does not in the second.\n\n| rule | § | bids | does not bid |\n|---|---|---|---|\n",
    );
    let mut missing = Vec::new();
    for line in fs::read_to_string(root().join("rules.tsv")).unwrap().lines() {
        let [number, section, text, sides] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let side = |of: &Names| of.get(number).cloned().unwrap_or_default();
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

/// For each rule number, the names that show it.
type Names = BTreeMap<String, Vec<String>>;

/// The fixtures of a kind.
fn fixtures_of(kind: &str) -> Names {
    names(fixtures().into_iter().filter(|fixture| fixture.kind == kind).map(|fixture| (fixture.rules, fixture.name)))
}

/// The notices that bill, or those that do not.
fn notices_that(bill: bool) -> Names {
    let notices = notices().into_iter().filter(|notice| (notice.outcome == "bill") == bill);
    names(notices.map(|notice| (notice.rules, format!("notice {}", notice.name))))
}

fn names(shown: impl Iterator<Item = (Vec<String>, String)>) -> Names {
    let mut names = Names::new();
    for (rule, name) in shown.flat_map(|(rules, name)| rules.into_iter().map(move |rule| (rule, name.clone()))) {
        names.entry(rule).or_default().push(name);
    }
    names
}
