//! Builds the Wasm modules into the `pkg/` folders of their crates.
//!
//! `cargo xtask wasm` builds `crates/bidder-wasm`, `crates/compiler-wasm` and `crates/pacer-wasm`, `judge` builds
//! `crates/judge` for the tests, `bench PROFILE` builds the module of the benchmarks, `bidder PROFILE` `crates/bidder-wasm`. `count FROM TO` and
//! `touch FROM TO` add counters to a module: see `count.rs` and `touch.rs`.
//!
//! The wasm-bindgen generator is a library here, so `Cargo.lock` pins it to the version of the macro. Only Node must be on
//! the PATH, for `optimize.rs`. Downloads nothing, and writes only to `target/` and `pkg/`.

mod basic_block;
mod count;
mod optimize;
mod touch;

use std::{
    env,
    error::Error,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::SystemTime,
};

use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// A Wasm module of the package in `folder`.
#[derive(Clone, Copy)]
struct Module<'a> {
    folder: &'static str,
    profile: &'a str,
    /// The ends of the names of the generated files to keep.
    kept: &'static [&'static str],
    /// Compiler flags in addition to those of .cargo/config.toml.
    flags: Option<&'static str>,
}

/// The Worker makes the instances itself, one for each catalog version. It needs the module and the types of its
/// exports (`InitOutput`), not the generated JavaScript.
const BIDDER: Module<'static> =
    Module { folder: "crates/bidder-wasm", profile: "wasm-release", kept: &[".d.ts", "_bg.wasm"], flags: None };

/// The Worker uses it rarely and keeps no instance of it, so small size matters more than speed.
const COMPILER: Module<'static> = Module { folder: "crates/compiler-wasm", profile: "wasm-small", ..BIDDER };

/// Each object of pacer and relays has an instance, which works some milliseconds each five seconds.
const PACER: Module<'static> = Module { folder: "crates/pacer-wasm", ..COMPILER };

const JUDGE: Module<'static> =
    Module { folder: "crates/judge", profile: "dev", kept: &[".d.ts", ".js", "_bg.wasm"], flags: None };

/// Compiled like the bidder, so the benchmarks measure the code that the Worker runs. Their tests measure nothing, and
/// compile it with another profile.
const BENCH: Module<'static> = Module {
    folder: "bench/measured",
    kept: &["_bg.wasm"],
    // The crate's `randomness.rs` says why.
    flags: Some(r#"--cfg=getrandom_backend="custom""#),
    ..BIDDER
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["wasm"] => build_all(),
        ["judge"] => build(&JUDGE),
        ["bidder", profile] => build(&Module { profile, ..BIDDER }),
        ["bench", profile] => build(&Module { profile, ..BENCH }),
        ["count", from, to] => count::count(from, to),
        ["touch", from, to] => touch::touch(from, to),
        _ => {
            Err("usage: cargo xtask wasm | judge | bench PROFILE | bidder PROFILE | count FROM TO | touch FROM TO"
                .into())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the modules of the Worker. The two profiles have folders of their own, so Cargo can build them at the same
/// time. The optimization of a whole module uses one core only.
fn build_all() -> Result<(), Box<dyn Error>> {
    let small = std::thread::spawn(|| {
        [&COMPILER, &PACER].into_iter().try_for_each(|module| build(module).map_err(|error| error.to_string()))
    });
    let fast = build(&BIDDER);
    small.join().map_err(|_| "the thread has panicked")??;
    fast
}

fn build(module: &Module<'_>) -> Result<(), Box<dyn Error>> {
    let Module { folder, profile, kept, flags } = *module;
    // Packages outside of `crates` are named after their whole path.
    let package = folder.trim_start_matches("crates/").replace('/', "-");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(&root)
        // RUSTFLAGS would replace the flags of .cargo/config.toml.
        .env_remove("RUSTFLAGS")
        // Cargo ignores `lto` for a library that is also an rlib, so this asks for the cdylib alone.
        .args(["rustc", "--locked", "--lib", "--crate-type", "cdylib", "--package", &package])
        .args(["--target", TARGET, "--profile", profile])
        .args(
            [Some(&*same_everywhere()?), flags]
                .into_iter()
                .flatten()
                .flat_map(|flags| ["--config".into(), format!("target.{TARGET}.rustflags=['{flags}']")]),
        )
        .status()?;
    if !status.success() {
        return Err(format!("{package} does not compile").into());
    }

    let built = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let output = if profile == "dev" { "debug" } else { profile };
    let name = package.replace('-', "_");
    let compiled = built.join(TARGET).join(output).join(format!("{name}.wasm"));
    let pkg = root.join(folder).join("pkg");
    let files: Vec<String> = kept.iter().map(|end| format!("{name}{end}")).collect();
    let made = [&compiled, &env::current_exe()?].into_iter().filter_map(|source| modified(source)).max();
    if files.iter().all(|file| modified(&pkg.join(file)) == made) {
        return Ok(());
    }
    let generated = built.join("wasm-bindgen").join(&package);
    Bindgen::new()
        .input_path(compiled)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&generated)?;

    if profile == BIDDER.profile {
        let module = generated.join(format!("{name}_bg.wasm"));
        optimize::optimize(&root, &module, &module)?;
    }

    fs::create_dir_all(&pkg)?;
    for file in &files {
        fs::write(pkg.join(file), fs::read(generated.join(file))?)?;
        File::open(pkg.join(file))?.set_modified(made.ok_or("the file system has no times")?)?;
    }
    Ok(())
}

/// The flag that takes this machine's home folder out of the paths in panic messages. With it, the same sources give
/// the same module on every machine.
fn same_everywhere() -> Result<String, Box<dyn Error>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let sources = home.ok_or("there is no home folder")?.join("registry/src");
    Ok(format!("--remap-path-prefix={}=", sources.display()))
}

/// When a file was written. The generated files get the time of what they were made from, so a build with other settings
/// is noticed also if it is older. A file that is written without need makes a running `wrangler dev` reload.
fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}
