//! A module: compiled by Cargo, and given its exports by the wasm-bindgen generator.
//!
//! The generator is a library here, so `Cargo.lock` pins it to the version of the macro. Only Node must be on the PATH, for
//! `optimize.rs`. Downloads nothing, and writes only to `target/` and `pkg/`.

use std::{
    env,
    error::Error,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use wasm_bindgen_cli_support::Bindgen;

use crate::optimize::optimize;

const TARGET: &str = "wasm32-unknown-unknown";

/// The profile of modules that need not be fast: they are built in a fraction of the time.
pub(crate) const QUICK: &str = "wasm-quick";

/// An empty custom section named `quick`, by which the Worker and the benchmarks know a module of this profile.
const QUICK_SECTION: &[u8] = b"\0\x06\x05quick";

/// The stage of a module whose files are in its `pkg/` folder.
const READY: &str = "ready";

/// The modules that are built now, each with its stage.
static STAGES: Mutex<Vec<(String, &str)>> = Mutex::new(Vec::new());

/// A Wasm module of the package in `folder`.
#[derive(Clone, Copy)]
pub(crate) struct Module<'a> {
    folder: &'static str,
    profile: &'a str,
    /// The ends of the names of the generated files to keep.
    kept: &'static [&'static str],
    /// Compiler flags in addition to those of .cargo/config.toml.
    flags: Option<&'static str>,
}

/// The Worker makes the instances itself, one for each catalog version. It needs the module and the types of its
/// exports (`InitOutput`), not the generated JavaScript.
pub(crate) const BIDDER: Module<'static> =
    Module { folder: "crates/bidder-wasm", profile: "wasm-release", kept: &[".d.ts", "_bg.wasm"], flags: None };

/// The Worker uses it rarely and keeps no instance of it, so small size matters more than speed.
pub(crate) const COMPILER: Module<'static> = Module { folder: "crates/compiler-wasm", profile: "wasm-small", ..BIDDER };

/// Each object of pacer and relays has an instance, which works some milliseconds each five seconds.
pub(crate) const PACER: Module<'static> = Module { folder: "crates/pacer-wasm", ..COMPILER };

pub(crate) const JUDGE: Module<'static> =
    Module { folder: "crates/judge", profile: "dev", kept: &[".d.ts", ".js", "_bg.wasm"], flags: None };

/// Compiled like the bidder, so the benchmarks measure the code that the Worker runs. Their tests measure nothing, and
/// compile it with another profile.
pub(crate) const BENCH: Module<'static> = Module {
    folder: "bench/measured",
    kept: &["_bg.wasm"],
    // The crate's `randomness.rs` says why.
    flags: Some(r#"--cfg=getrandom_backend="custom""#),
    ..BIDDER
};

impl<'a> Module<'a> {
    /// The same module with another profile of Cargo.toml.
    pub(crate) fn with(self, profile: &'a str) -> Self {
        Module { profile, ..self }
    }

    /// Compiles the module and writes its files into the `pkg/` folder of its crate, unless they are there already.
    pub(crate) fn build(&self) -> Result<(), Box<dyn Error>> {
        // Cargo ignores `lto` for a library that is also an rlib, so this asks for the cdylib alone.
        build_as(&["rustc", "--crate-type", "cdylib"], &[*self])
    }

    /// The same for modules of one profile without `lto`. Cargo compiles once what they share, so each of them also exports
    /// what the others' crates export.
    pub(crate) fn build_together(modules: &[Self]) -> Result<(), Box<dyn Error>> {
        build_as(&["build"], modules)
    }

    /// Writes the files of the compiled module.
    fn finish(&self, root: &Path, built: &Path) -> Result<(), Box<dyn Error>> {
        let output = if self.profile == "dev" { "debug" } else { self.profile };
        let compiled = built.join(TARGET).join(output).join(format!("{}.wasm", self.name()));
        let made = [&compiled, &env::current_exe()?].into_iter().filter_map(|source| modified(source)).max();
        let made = made.ok_or("the file system has no times")?;

        // The files of each profile stay here, so a change of profile copies them back and generates nothing.
        let generated = built.join("wasm-bindgen").join(self.profile).join(self.package());
        let files: Vec<String> = self.kept.iter().map(|end| format!("{}{end}", self.name())).collect();
        if !files.iter().all(|file| modified(&generated.join(file)) == Some(made)) {
            self.generate(root, &compiled, &generated)?;
            for file in &files {
                File::open(generated.join(file))?.set_modified(made)?;
            }
        }

        let pkg = root.join(self.folder).join("pkg");
        fs::create_dir_all(&pkg)?;
        // A file that is written without need makes a running `wrangler dev` reload.
        for file in files.iter().filter(|file| modified(&pkg.join(file)) != Some(made)) {
            fs::write(pkg.join(file), fs::read(generated.join(file))?)?;
            File::open(pkg.join(file))?.set_modified(made)?;
        }
        self.begins(READY);
        Ok(())
    }

    /// Writes the module with its exports, and their types, into the folder `to`.
    fn generate(&self, root: &Path, compiled: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
        self.begins("writing the exports");
        Bindgen::new()
            .input_path(compiled)
            .web(true)?
            .typescript(true)
            .omit_default_module_path(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            .generate(to)?;
        let module = to.join(format!("{}_bg.wasm", self.name()));
        match self.profile {
            QUICK => Ok(File::options().append(true).open(module)?.write_all(QUICK_SECTION)?),
            profile if profile == BIDDER.profile => {
                self.begins("optimizing, which takes longest");
                optimize(root, &module, &module)
            }
            _ => Ok(()),
        }
    }

    /// Prints a line with what is done with each module now. The last line of the output is what `npm start` shows.
    fn begins(&self, stage: &'static str) {
        let mut stages = STAGES.lock().unwrap_or_else(PoisonError::into_inner);
        stages.retain(|(package, _)| *package != self.package());
        if stage != READY {
            stages.push((self.package(), stage));
        }
        let line: Vec<String> = stages.iter().map(|(package, stage)| format!("{package}: {stage}")).collect();
        if !line.is_empty() {
            eprintln!("{}", line.join(", "));
        }
    }

    /// Packages outside of `crates` are named after their whole path.
    fn package(&self) -> String {
        self.folder.trim_start_matches("crates/").replace('/', "-")
    }

    /// The name of the library, with which the names of the files begin.
    fn name(&self) -> String {
        self.package().replace('-', "_")
    }
}

/// Compiles modules of one profile with a call of Cargo, and writes their files.
fn build_as(command: &[&str], modules: &[Module<'_>]) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let built = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // RUSTFLAGS would replace the flags of .cargo/config.toml.
    cargo.current_dir(&root).env_remove("RUSTFLAGS").args(command).args(["--locked", "--lib", "--target", TARGET]);
    let flags = modules.iter().filter_map(|module| module.flags);
    for flag in [&*same_everywhere()?].into_iter().chain(flags) {
        cargo.args(["--config", &format!("target.{TARGET}.rustflags=['{flag}']")]);
    }
    for module in modules {
        module.begins("compiling");
        cargo.args(["--package", &module.package()]);
    }
    cargo.args(modules.first().into_iter().flat_map(|module| ["--profile", module.profile]));
    if !cargo.status()?.success() {
        return Err("the modules do not compile".into());
    }
    modules.iter().try_for_each(|module| module.finish(&root, &built))
}

/// The flag that takes this machine's home folder out of the paths in panic messages. With it, the same sources give
/// the same module on every machine.
fn same_everywhere() -> Result<String, Box<dyn Error>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let sources = home.ok_or("there is no home folder")?.join("registry/src");
    Ok(format!("--remap-path-prefix={}=", sources.display()))
}

/// When a file was written. The generated files get the time of what they were made from, so a build with other settings
/// is noticed also if it is older.
fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}
