//! The native program of a suite: runs commands from standard input, one per line, so that native code and workerd can
//! take turns. `bench/native.ts` sends the commands.

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

/// Prints the names of everything it can run, one per line, then an empty line. For each line `COMMAND NAME INPUT`,
/// with numbers for the name and the input, it prints the result of `answer` as one line. It ends when standard input
/// is closed.
///
/// # Errors
///
/// Errors of `answer`, and lines that are not commands.
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
        let [command, name, input] = words[..] else { return Err(format!("not a command: {line}").into()) };
        writeln!(out, "{}", answer(command, name.parse()?, input.parse()?)?)?;
    }
    Ok(())
}
