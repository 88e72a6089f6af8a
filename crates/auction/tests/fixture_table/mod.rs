//! Reads the fixtures. The heads of `fixtures/fixtures.tsv` and `fixtures/notices.tsv` explain the tables.

#![allow(dead_code, reason = "some tests use only a part of a fixture")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

pub(crate) struct Fixture {
    pub(crate) kind: String,
    pub(crate) name: String,
    /// The numbers of the rules that the fixture is for.
    pub(crate) rules: Vec<String>,
    pub(crate) request: Vec<u8>,
    /// The catalog document to decide with.
    pub(crate) catalog: Vec<u8>,
}

/// A notice about the first bid of a fixture.
pub(crate) struct Notice {
    pub(crate) name: String,
    /// The numbers of the rules that it shows.
    pub(crate) rules: Vec<String>,
    pub(crate) fixture: String,
    /// JSON members of the SSP.
    pub(crate) settings: String,
    /// The SSP's keys of prices, with a space between them; empty: none.
    pub(crate) keys: String,
    /// `KIND?QUERY`.
    pub(crate) call: String,
    pub(crate) outcome: String,
    pub(crate) detail: String,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// All fixtures, sorted by kind and name. Panics unless the table and the folders have the same requests and catalogs.
pub(crate) fn fixtures() -> Vec<Fixture> {
    let table = text("fixtures.tsv");
    let (mut fixtures, mut named) = (Vec::new(), BTreeSet::new());
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let mut column = || columns.next().unwrap_or_default();
        let (fixture, rules, catalog, campaign) = (column(), column(), column(), column());
        let (kind, name) = fixture.split_once('/').unwrap_or_else(|| panic!("not a fixture: {line}"));
        let request = format!("{fixture}.{}", if kind == "malformed" { "txt" } else { "json" });
        fixtures.push(Fixture {
            kind: kind.to_owned(),
            name: name.to_owned(),
            rules: rules.split_whitespace().map(str::to_owned).collect(),
            request: bytes(&request),
            catalog: document(catalog, campaign).into_bytes(),
        });
        assert!(named.insert(request), "{fixture} is in fixtures.tsv twice");
        if !catalog.is_empty() {
            named.insert(format!("catalogs/{catalog}.json"));
        }
    }
    let files: BTreeSet<String> = ["bid", "no-bid", "malformed", "catalogs"].into_iter().flat_map(files).collect();
    let unnamed: Vec<_> = files.difference(&named).collect();
    assert!(unnamed.is_empty(), "not in fixtures.tsv: {unnamed:?}");
    fixtures.sort_by(|a, b| (&a.kind, &a.name).cmp(&(&b.kind, &b.name)));
    fixtures
}

/// All lines of `fixtures/notices.tsv`.
pub(crate) fn notices() -> Vec<Notice> {
    let (table, mut names) = (text("notices.tsv"), BTreeSet::new());
    let notice = |line: &str| {
        let mut columns = line.split('\t');
        let mut column = || columns.next().unwrap_or_default().to_owned();
        let (name, rules, fixture, settings) = (column(), column(), column(), column());
        let (keys, call, outcome, detail) = (column(), column(), column(), column());
        assert!(names.insert(name.clone()), "{name} is in notices.tsv twice");
        let rules = rules.split_whitespace().map(str::to_owned).collect();
        Notice { name, rules, fixture, settings, keys, call, outcome, detail }
    };
    table.lines().filter(|line| !line.starts_with('#')).map(notice).collect()
}

/// The catalog of this name. `campaign` is a JSON object; its members go into the first campaign.
fn document(catalog: &str, campaign: &str) -> String {
    let file = if catalog.is_empty() { "catalog.json".to_owned() } else { format!("catalogs/{catalog}.json") };
    let document = text(&file);
    if campaign.is_empty() {
        return document;
    }
    let mut document: Value = serde_json::from_str(&document).unwrap();
    let members: Map<String, Value> =
        serde_json::from_str(campaign).unwrap_or_else(|error| panic!("{campaign}: {error}"));
    document.pointer_mut("/campaigns/0").and_then(Value::as_object_mut).unwrap().extend(members);
    document.to_string()
}

fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap())).collect()
}

fn text(path: &str) -> String {
    String::from_utf8(bytes(path)).unwrap()
}

fn bytes(path: &str) -> Vec<u8> {
    fs::read(root().join(path)).unwrap_or_else(|error| panic!("fixtures/{path}: {error}"))
}
