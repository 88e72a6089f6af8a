//! The native program of a suite: runs commands from standard input, one per line, so that native code and workerd can
//! take turns. `bench/native.ts` sends the commands.

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

use crate::batch;

/// Prints the names of everything it can run, one per line, then an empty line. For each line `COMMAND NAME INPUT`,
/// with numbers for the name and the input, it makes calls and prints one line: `warm` calls for this time and prints
/// nothing, `measure` prints the mean microseconds of a batch of at least `min_calls`. It ends when standard input is
/// closed.
///
/// # Errors
///
/// Lines that are not commands.
pub fn answer_all(
    names: impl IntoIterator<Item = &'static str>,
    warm: Duration,
    min_calls: u32,
    mut call: impl FnMut(usize, usize),
) -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    for name in names {
        writeln!(out, "{name}")?;
    }
    writeln!(out)?;
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let [command, name, input] = words[..] else { return Err(format!("not a command: {line}").into()) };
        let (name, input) = (name.parse()?, input.parse()?);
        match command {
            "warm" => {
                batch::warm(warm, || call(name, input));
                writeln!(out)?;
            }
            "measure" => writeln!(out, "{}", batch::batch(min_calls, || call(name, input)))?,
            _ => return Err(format!("not a command: {line}").into()),
        }
    }
    Ok(())
}
