//! Imports between the top-level modules of the crate run one way, and the rules are where `ARCHITECTURE.md` says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use bidder_wasm::kind::kind_of;
use bidder_wasm::no_bid::NoBidReason;

/// For each module, the modules that it imports from.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_top_level_module_imports_itself_through_others() {
    let imports = imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(imports.len() > 20 && imports["decide"].contains("candidates"), "{imports:?}");
    assert_eq!(circle(&imports), None, "a circle of imports; move what both need into a module below");
}

#[test]
fn the_test_finds_a_circle() {
    let imports = |all: [(&str, &[&str]); 3]| -> Imports {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        all.map(|(module, imports)| (module.to_owned(), owned(imports))).into()
    };
    assert_eq!(circle(&imports([("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), None);
    assert_eq!(circle(&imports([("a", &["b"]), ("b", &["c"]), ("c", &["b"])])).unwrap(), ["b", "c"]);
}

/// Each name in the table of rules is in one of the files beside it, and each check is in one of the files of the table.
#[test]
fn rules_are_where_the_table_says() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(crates.join("../ARCHITECTURE.md")).unwrap();
    let table = text.split("Where a rule is").nth(1).unwrap().split("\n\n").nth(1).unwrap();
    let all = ["bidder-wasm/src", "compiler-wasm/src/compile"].map(|folder| files(&crates.join(folder))).concat();
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

/// The imports of each top-level module: all paths that start with `crate::`, without those of tests.
fn imports(src: &Path) -> Imports {
    let mut imports = Imports::new();
    for file in files(src) {
        let relative = file.strip_prefix(src).unwrap();
        let module = relative.iter().next().unwrap().to_string_lossy().trim_end_matches(".rs").to_owned();
        if module == "lib" || relative.to_string_lossy().contains("tests") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let own = imports.entry(module.clone()).or_default();
        for path in lines.flat_map(|line| line.split("crate::").skip(1)) {
            // A path names one module; a list in braces names several.
            let names = path.trim_start_matches('{').split(", ").take(if path.starts_with('{') { 9 } else { 1 });
            let name =
                |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
            own.extend(names.map(name));
        }
        own.remove(&module);
    }
    // The crate root also has macros and functions.
    let modules: BTreeSet<String> = imports.keys().cloned().collect();
    for own in imports.values_mut() {
        own.retain(|name| modules.contains(name));
    }
    imports
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The modules that import each other: what remains if modules that import none of the rest, or that none of the rest
/// imports, are removed again and again.
fn circle(imports: &Imports) -> Option<Vec<&String>> {
    let mut rest: BTreeSet<&String> = imports.keys().collect();
    loop {
        let is_between = |module: &&String| {
            let imports_another = imports[*module].iter().any(|name| rest.contains(name));
            imports_another && rest.iter().any(|other| imports[*other].contains(*module))
        };
        let left: BTreeSet<&String> = rest.iter().copied().filter(is_between).collect();
        if left.len() == rest.len() {
            return (!left.is_empty()).then(|| left.into_iter().collect());
        }
        rest = left;
    }
}
