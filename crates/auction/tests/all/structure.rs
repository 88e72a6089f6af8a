//! The rules are where `docs/code/rules.md` says, and unsafe code is where `docs/code/invariants.md` says.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use reasons::kind::kind_of;
use reasons::no_bid::NoBidReason;
use rules::rows::Row;

/// Each name in the table of rules is in one of the files beside it, each check is in one of the files of the table, and
/// each rule of the fixtures has a row.
#[test]
fn rules_are_where_the_table_says() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(crates.join("../docs/code/rules.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    let all = [
        "base/src",
        "auction/src",
        "catalog/src",
        "consent/src",
        "notices/src",
        "openrtb/src",
        "reasons/src",
        "rules/src",
        "compiler/src",
        "document/src",
        "explain/src",
    ]
    .map(|folder| files(&crates.join(folder)))
    .concat();
    let names = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let (mut wrong, mut whole, mut numbers) = (Vec::new(), String::new(), BTreeSet::new());
    for row in rows {
        let [_, about, path, of_row, _] = row.split('|').collect::<Vec<_>>()[..] else { panic!("{row}") };
        numbers.extend(of_row.split_whitespace().map(str::to_owned));
        let is_named =
            |file: &&PathBuf| names(path).iter().any(|name| file.to_string_lossy().contains(&format!("/{name}")));
        let code: String = all.iter().filter(is_named).map(|file| fs::read_to_string(file).unwrap()).collect();
        wrong
            .extend(names(about).into_iter().filter(|name| !code.contains(name)).map(|name| format!("{name}: {path}")));
        whole += &code;
    }
    let has_row = |reason: NoBidReason| kind_of(reason).is_some() || Row::of(reason).is_some();
    let checks = NoBidReason::ALL.iter().filter(|reason| !has_row(**reason));
    wrong.extend(checks.map(|reason| format!("NoBidReason::{reason:?}")).filter(|name| !whole.contains(name)));
    assert!(wrong.is_empty(), "{wrong:#?}");
    let rules = fs::read_to_string(crates.join("../fixtures/rules.tsv")).unwrap();
    let of_fixtures: BTreeSet<String> =
        rules.lines().filter_map(|line| Some(line.split_once('\t')?.0.to_owned())).collect();
    assert_eq!(numbers, of_fixtures, "the column `rules` has each number of fixtures/rules.tsv");
}

/// The lints deny unsafe code; each file that allows it is on the page.
#[test]
fn unsafe_code_is_where_the_page_says() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(crates.join("../docs/code/invariants.md")).unwrap();
    let about = page.split("\n- ").find(|one| one.starts_with("**Unsafe code")).unwrap();
    let sources = fs::read_dir(&crates).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let all = sources.filter(|folder| folder.is_dir()).flat_map(|folder| files(&folder));
    let allows = |file: &PathBuf| fs::read_to_string(file).is_ok_and(|code| code.contains("allow(unsafe_code"));
    let found: Vec<PathBuf> = all.filter(allows).collect();
    let name = |file: &PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
    assert!(found.len() > 2);
    for file in &found {
        assert!(about.contains(&name(file)), "{} has unsafe code", file.display());
    }
    let named = about.matches(".rs`").count() - 1;
    assert_eq!(named, found.len(), "the page names a file without unsafe code: {about}");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
