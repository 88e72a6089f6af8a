//! The rules are where `ARCHITECTURE.md` says.

use std::fs;
use std::path::{Path, PathBuf};

use reasons::kind::kind_of;
use reasons::no_bid::NoBidReason;

/// Each name in the table of rules is in one of the files beside it, and each check is in one of the files of the table.
#[test]
fn rules_are_where_the_table_says() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(crates.join("../ARCHITECTURE.md")).unwrap();
    let table = text.split("Where a rule is").nth(1).unwrap().split("\n\n").nth(1).unwrap();
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
    ]
    .map(|folder| files(&crates.join(folder)))
    .concat();
    let names = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let (mut wrong, mut whole) = (Vec::new(), String::new());
    for row in table.lines().skip(2) {
        let [_, about, place, _] = row.split('|').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let is_named =
            |file: &&PathBuf| names(place).iter().any(|name| file.to_string_lossy().contains(&format!("/{name}")));
        let code: String = all.iter().filter(is_named).map(|file| fs::read_to_string(file).unwrap()).collect();
        wrong.extend(
            names(about).into_iter().filter(|name| !code.contains(name)).map(|name| format!("{name}: {place}")),
        );
        whole += &code;
    }
    let checks = NoBidReason::ALL.iter().filter(|reason| kind_of(**reason).is_none());
    wrong.extend(checks.map(|reason| format!("NoBidReason::{reason:?}")).filter(|name| !whole.contains(name)));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
