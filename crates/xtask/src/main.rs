//! Builds the Wasm modules into the `pkg/` folders of their crates.
//!
//! `cargo xtask wasm` builds `crates/bidder-wasm`, `crates/compiler-wasm` and `crates/pacer-wasm` as they are deployed, and
//! `cargo xtask wasm quick` as they serve on a laptop and in tests. `judge` builds `crates/judge` for the tests, `bench
//! PROFILE` builds the module of the benchmarks, and `bidder PROFILE` builds `crates/bidder-wasm`. `count FROM TO` and
//! `touch FROM TO` add counters to a module: see `count.rs` and `touch.rs`.

mod basic_block;
mod count;
mod module;
mod optimize;
mod touch;

use std::{env, error::Error, process::ExitCode};

use module::{BENCH, BIDDER, COMPILER, JUDGE, Module, PACER, QUICK};

const USAGE: &str =
    "usage: cargo xtask wasm [quick] | judge | bench PROFILE | bidder PROFILE | count FROM TO | touch FROM TO";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["wasm"] => build_all([BIDDER, COMPILER, PACER]),
        ["wasm", "quick"] => Module::build_together(&[BIDDER, COMPILER, PACER].map(|module| module.with(QUICK))),
        ["judge"] => JUDGE.build(),
        ["bidder", profile] => BIDDER.with(profile).build(),
        ["bench", profile] => BENCH.with(profile).build(),
        ["count", from, to] => count::count(from, to),
        ["touch", from, to] => touch::touch(from, to),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the modules of the Worker. The bidder has another profile than the tools, and so a folder of its own. So Cargo can
/// build both at the same time, and does not build the bidder's crate again and again with other features. The
/// optimization of a whole module uses one core only.
fn build_all([bidder, tools @ ..]: [Module<'static>; 3]) -> Result<(), Box<dyn Error>> {
    let tools = std::thread::spawn(move || {
        tools.into_iter().try_for_each(|module| module.build().map_err(|error| error.to_string()))
    });
    let built = bidder.build();
    tools.join().map_err(|_| "the thread has panicked")??;
    built
}
