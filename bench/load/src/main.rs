//! Plays prepared requests against a server, checks every response, and tells how long they took.
//!
//!     bench-load play ADDRESS FILE CONNECTIONS MILLISECONDS [RATE]
//!     bench-load serve
//!
//! `play` prints one line of JSON. Without RATE it is a closed loop: each connection sends its next request when
//! its last one is answered. With RATE, an open loop: so many requests a second fall due at constant distances,
//! whatever the server does, and a request's time counts from when it was due. FILE: see `requests.rs`.
//!
//! `serve` is what the generator itself can do at most: the same code answers every request with 204, without
//! looking at it. It prints its address and ends with its standard input.

mod http;
mod play;
mod requests;
mod serve;
mod tally;

use std::{
    env,
    error::Error,
    fs,
    io::{self, Write},
    num::NonZero,
    process::ExitCode,
    time::Duration,
};

use play::Plan;

const USAGE: &str = "usage: bench-load play ADDRESS FILE CONNECTIONS MILLISECONDS [RATE] | serve";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve::serve().map_err(Into::into),
        ["play", address, file, connections, milliseconds] => play(address, file, connections, milliseconds, None),
        ["play", address, file, connections, milliseconds, rate] => {
            play(address, file, connections, milliseconds, Some(rate))
        }
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

fn play(
    address: &str,
    file: &str,
    connections: &str,
    milliseconds: &str,
    rate: Option<&str>,
) -> Result<(), Box<dyn Error>> {
    let requests = requests::read(&fs::read(file)?).ok_or("the file holds no requests, or is cut off")?;
    let plan = Plan {
        address: address.parse()?,
        connections: connections.parse()?,
        duration: Duration::from_millis(milliseconds.parse()?),
        rate: rate.map(str::parse::<NonZero<u64>>).transpose()?,
    };
    let tally = play::play(&plan, &requests)?;
    writeln!(io::stdout(), "{}", tally.json())?;
    Ok(())
}
