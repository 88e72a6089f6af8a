//! Collects the position of each macro while a text is read. In the text, a character of a private plane of Unicode
//! stands for each macro, so that tokenizers of HTML and XML tell where it is.

use catalog::macros::Context;

/// How the value is escaped, or where the macro was expected.
pub(super) type Position = Result<Context, &'static str>;

/// The first character of plane 15.
const FIRST: u32 = 0xf_0000;

/// The character that stands for a macro, by its number in the text.
pub(super) fn stand_in(number: usize) -> char {
    u32::try_from(number).ok().and_then(|number| char::from_u32(FIRST + number)).unwrap_or(char::MAX)
}

/// The number of the macro that a character stands for.
pub(super) fn number_of(c: char) -> Option<usize> {
    u32::from(c).checked_sub(FIRST).and_then(|number| usize::try_from(number).ok())
}

/// Each macro of a text: its number, and the text before it.
pub(super) fn each(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.char_indices().filter_map(|(at, c)| Some((number_of(c)?, text.get(..at)?)))
}

/// The positions of the macros of a text, by their numbers.
pub(super) struct Positions {
    found: Vec<Option<Position>>,
    /// Whether each macro is directly behind a `=`.
    bare: Vec<bool>,
}

impl Positions {
    /// `bare` says of each macro of the text whether it is directly behind a `=`.
    pub(super) fn new(bare: impl Iterator<Item = bool>) -> Positions {
        let bare: Vec<bool> = bare.collect();
        Positions { found: vec![None; bare.len()], bare }
    }

    /// Whether the macro is directly behind a `=`: as the start of an attribute's value, it has no quotes before it.
    pub(super) fn is_bare(&self, number: usize) -> bool {
        self.bare.get(number) == Some(&true)
    }

    pub(super) fn set(&mut self, number: usize, position: Position) {
        let Some(known) = self.found.get_mut(number) else { return };
        // The author's text has a character that stands for a macro, so one of the two positions is another one.
        *known = Some(if known.is_some() { Err("in a text without characters of private planes") } else { position });
    }

    /// Sets the position of all macros in a text.
    pub(super) fn set_all(&mut self, text: &str, position: Position) {
        each(text).for_each(|(number, _)| self.set(number, position));
    }

    /// The positions. A macro that no tokenizer tells is in the name of an element or an attribute, or in a part that
    /// is thrown away.
    pub(super) fn done(self) -> Vec<Position> {
        let unseen = Err("in a text, in the value of an attribute, or in a string of a script");
        self.found.into_iter().map(|position| position.unwrap_or(unseen)).collect()
    }
}
