//! Plays prepared requests against a server, checks every response, and prints the times.
//!
//!     bench-load play ADDRESS FILE CONNECTIONS MILLISECONDS RATE DELAY
//!     bench-load serve
//!
//! `play` prints one line of JSON. RATE 0 is a closed loop: each connection sends its next request after the answer to
//! its last one. Any other RATE is an open loop: requests become due at that many per second, whatever the server does,
//! and the time of a request starts when it is due. DELAY is the round-trip time of the network in milliseconds: half
//! of it passes before a request is sent, half after its response has arrived. FILE: see `requests.rs`.
//!
//! `serve` is a server that answers 204 to every request without looking at it. It shows the limit of the generator
//! itself. It prints its address, and ends when its standard input is closed.
//!
//! Other generators lack something: autocannon times whole milliseconds and has no open loop, wrk has no open loop
//! without a correction, and oha takes ten minutes to build. A comparison with wrk 4.1 used 10 connections, a body of
//! 3.8 KB and the target `read`: the medians were 5,914 and 6,241 requests/s, and p50 was 1.18 and 1.14 ms.

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
    let requests = requests::read(&fs::read(file)?).ok_or("the file has no requests or is incomplete")?;
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
