//! The native side of a suite: does what it is told on standard input, a line at a time, so that the driver can take turns
//! between it and workerd. The other end is `bench/native.ts`.

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

/// Prints the names of what it can run, one a line, then an empty line. For each line `COMMAND NAME INPUT`, the name and
/// the input as numbers, it prints what `answer` says, in one line. Ends with its input.
///
/// # Errors
///
/// Those of `answer`, and lines that are no commands.
pub fn answer_all(
    names: impl IntoIterator<Item = &'static str>,
    mut answer: impl FnMut(&str, usize, usize) -> Result<String, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    for name in names {
        writeln!(out, "{name}")?;
    }
    writeln!(out)?;
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let [command, name, input] = words[..] else { return Err(format!("not understood: {line}").into()) };
        writeln!(out, "{}", answer(command, name.parse()?, input.parse()?)?)?;
    }
    Ok(())
}
