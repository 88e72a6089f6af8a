//! `cargo xtask wasm` compiles `crates/bidder-wasm` and `crates/compiler-wasm` and puts each module into its `pkg/` folder;
//! `cargo xtask judge` does the same for `crates/judge`, which only the tests need, and
//! `cargo xtask readers` and `writers` for what only the benchmark needs. `cargo xtask count FROM TO` makes a module
//! count its instructions and `touch FROM TO` tell what it touches: see `count.rs` and `touch.rs`.
//!
//! The wasm-bindgen generator is linked in, so that `Cargo.lock` pins it to the version of the
//! macro and nothing has to be on the PATH. Nothing is downloaded and nothing outside `target/` and
//! `pkg/` is written.

mod count;
mod stretch;
mod touch;

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// One module: which package, how it is compiled, and which of the generated files are used.
struct Module {
    package: &'static str,
    /// Where its `pkg/` is, from the root.
    path: &'static str,
    profile: &'static str,
    /// What cargo calls the output folder of that profile.
    folder: &'static str,
    files: &'static [&'static str],
    /// Flags of the compiler besides those of .cargo/config.toml.
    flags: Option<&'static str>,
}

/// The Worker makes one instance per catalog version by itself, from the raw exports: of what the
/// generator writes it needs the module and the types of its exports (`InitOutput`), not the
/// JavaScript.
const BIDDER: Module = Module {
    package: "bidder-wasm",
    path: "crates/bidder-wasm",
    profile: "wasm-release",
    folder: "wasm-release",
    files: &["bidder_wasm.d.ts", "bidder_wasm_bg.wasm"],
    flags: None,
};

/// What the Worker needs only for a catalog that was not compiled before it was pushed. Instances of it are
/// thrown away, so it is built to be small.
const COMPILER: Module = Module {
    package: "compiler-wasm",
    path: "crates/compiler-wasm",
    profile: "wasm-small",
    folder: "wasm-small",
    files: &["compiler_wasm.d.ts", "compiler_wasm_bg.wasm"],
    flags: None,
};

const JUDGE: Module = Module {
    package: "judge",
    path: "crates/judge",
    profile: "dev",
    folder: "debug",
    files: &["judge.d.ts", "judge.js", "judge_bg.wasm"],
    flags: None,
};

/// Compiled as the bidder is, so that what is measured is what runs.
const READERS: Module = Module {
    package: "bench-readers",
    path: "bench/readers",
    files: &["bench_readers_bg.wasm"],
    // See its `randomness.rs`.
    flags: Some(r#"--cfg=getrandom_backend="custom""#),
    ..BIDDER
};
const WRITERS: Module =
    Module { package: "bench-writers", path: "bench/writers", files: &["bench_writers_bg.wasm"], ..BIDDER };

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["wasm"] => build(&BIDDER).and_then(|()| build(&COMPILER)),
        ["judge"] => build(&JUDGE),
        ["readers"] => build(&READERS),
        ["writers"] => build(&WRITERS),
        ["count", from, to] => count::count(from, to),
        ["touch", from, to] => touch::touch(from, to),
        _ => Err("usage: cargo xtask wasm | judge | readers | writers | count FROM TO | touch FROM TO".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn build(module: &Module) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(&root)
        // Set for other projects, it would replace the flags of .cargo/config.toml.
        .env_remove("RUSTFLAGS")
        .args(["build", "--locked", "--lib", "--package", module.package])
        .args(["--target", TARGET, "--profile", module.profile])
        .args(
            module.flags.iter().flat_map(|flags| ["--config".into(), format!("target.{TARGET}.rustflags=['{flags}']")]),
        )
        .status()?;
    if !status.success() {
        return Err(format!("{} does not compile", module.package).into());
    }

    let built = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let compiled = built.join(TARGET).join(module.folder).join(format!("{}.wasm", module.package.replace('-', "_")));
    let pkg = root.join(module.path).join("pkg");
    if is_newer_than(&pkg, module.files, &[compiled.clone(), env::current_exe()?]) {
        return Ok(());
    }
    let generated = built.join("wasm-bindgen").join(module.package);
    Bindgen::new()
        .input_path(compiled)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&generated)?;

    fs::create_dir_all(&pkg)?;
    for file in module.files {
        fs::write(pkg.join(file), fs::read(generated.join(file))?)?;
    }
    Ok(())
}

/// Whether every one of `files` in `folder` exists and was written after all of `sources`. A file
/// that is rewritten without need makes a running `wrangler dev` reload.
fn is_newer_than(folder: &Path, files: &[&str], sources: &[PathBuf]) -> bool {
    let written = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let newest = sources.iter().filter_map(|path| written(path)).max();
    files.iter().all(|file| written(&folder.join(file)) >= newest)
}
