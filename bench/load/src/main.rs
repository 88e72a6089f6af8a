//! Plays prepared requests against a server, checks every response, and tells how long they took.
//!
//!     bench-load play ADDRESS FILE CONNECTIONS MILLISECONDS RATE DELAY
//!     bench-load serve
//!
//! `play` prints one line of JSON. With a RATE of 0 it is a closed loop: each connection sends its next request when
//! its last one is answered. Else an open loop: so many requests a second fall due at constant distances,
//! whatever the server does, and a request's time counts from when it was due. DELAY is the network's, in milliseconds:
//! half of it passes before a request is sent, half after its response has come. FILE: see `requests.rs`.
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

const USAGE: &str = "usage: bench-load play ADDRESS FILE CONNECTIONS MILLISECONDS RATE DELAY | serve";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve::serve().map_err(Into::into),
        ["play", address, file, connections, milliseconds, rate, delay] => {
            play(address, file, connections, milliseconds, rate, delay)
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
    rate: &str,
    delay: &str,
) -> Result<(), Box<dyn Error>> {
    let requests = requests::read(&fs::read(file)?).ok_or("the file holds no requests, or is cut off")?;
    let plan = Plan {
        address: address.parse()?,
        connections: connections.parse()?,
        duration: Duration::from_millis(milliseconds.parse()?),
        rate: NonZero::new(rate.parse()?),
        delay: Duration::from_millis(delay.parse()?),
    };
    let tally = play::play(&plan, &requests)?;
    writeln!(io::stdout(), "{}", tally.json())?;
    Ok(())
}
