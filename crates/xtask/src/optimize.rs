//! Optimizes a module with Binaryen's `wasm-opt`, an npm package that `package-lock.json` pins. It runs in Node, so it is
//! the same program on every machine, and the same module comes out of it.

use std::{error::Error, path::Path, process::Command};

/// Its path, from the root of the repository.
const PROGRAM: &str = "node_modules/binaryen/bin/wasm-opt";

/// What a module for `wasm32-unknown-unknown` uses beyond the first version of WebAssembly. `.cargo/config.toml` takes the
/// list of these features out of the module.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Optimizes the module `from` for speed and writes it to `to`.
pub(crate) fn optimize(root: &Path, from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let program = root.join(PROGRAM);
    if !program.exists() {
        return Err(format!("{PROGRAM} is missing: run npm ci").into());
    }
    let status = Command::new("node").arg(program).arg("-O3").args(FEATURES).arg(from).arg("-o").arg(to).status()?;
    if status.success() { Ok(()) } else { Err("wasm-opt failed".into()) }
}
