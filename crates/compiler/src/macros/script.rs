//! Finds the positions of macros in JavaScript: only inside of strings in single or double quotes can every value be
//! made safe.
//!
//! The scanner knows only what ends a string, a comment, a template or a regular expression. Where it cannot tell
//! whether a `/` divides or begins a regular expression, it refuses all macros behind it.

use core::iter::Peekable;
use core::str::Chars;

use super::positions::{Positions, each, number_of};
use super::url::{self, EXPECTED};
use catalog::macros::Context;

const IN_STRING: &str = "inside of a string in quotes: \"…\" or '…'";
const UNCLEAR: &str = "in a script before any <!--, --> or / that may begin a regular expression";
const IN_MARKUP: &str = "in a string without < and >, or there behind the host of a URL";

/// Words before a regular expression.
const BEFORE_REGEX: [&str; 11] =
    ["return", "typeof", "case", "do", "else", "in", "instanceof", "new", "void", "delete", "throw"];

/// Words that are names in some scripts and keywords in others.
const UNCLEAR_WORDS: [&str; 4] = ["of", "await", "yield", "async"];

/// What stands before the current position, for the meaning of a `/`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A value, so that `/` divides.
    Value,
    /// An operator or the start, so that `/` begins a regular expression.
    Operator,
    /// A dot, so that a word is the name of a member.
    Dot,
    Unclear,
}

/// Finds the macros of a script.
pub(super) fn find(script: &str, positions: &mut Positions) {
    let mut scanner =
        Scanner { rest: script.chars().peekable(), positions, before: Before::Operator, braces: Vec::new() };
    if script.contains("<!--") || script.contains("-->") || script.starts_with("#!") {
        return scanner.refuse_rest(UNCLEAR);
    }
    while let Some(c) = scanner.rest.next() {
        if !scanner.step(c) {
            return scanner.refuse_rest(UNCLEAR);
        }
    }
}

struct Scanner<'s, 'p> {
    rest: Peekable<Chars<'s>>,
    positions: &'p mut Positions,
    before: Before,
    /// The open braces: whether each belongs to `${` in a template.
    braces: Vec<bool>,
}

impl Scanner<'_, '_> {
    /// Reads what begins with this character. Returns false if its meaning is not clear.
    fn step(&mut self, c: char) -> bool {
        let next = self.rest.peek().copied();
        match c {
            _ if c.is_whitespace() => {}
            '/' if next == Some('/') => self.line_comment(),
            '/' if next == Some('*') => self.block_comment(),
            '/' => match self.before {
                Before::Value => self.before = Before::Operator,
                Before::Operator => return self.regex(),
                Before::Dot | Before::Unclear => return false,
            },
            '"' | '\'' => return self.string(c),
            '`' => self.template(),
            '{' => {
                self.braces.push(false);
                self.before = Before::Operator;
            }
            '}' if self.braces.pop() == Some(true) => self.template(),
            ')' | '}' => self.before = Before::Unclear,
            ']' => self.before = Before::Value,
            '.' => self.before = Before::Dot,
            '+' | '-' if next == Some(c) => {
                self.rest.next();
                self.before = Before::Unclear;
            }
            _ if is_word(c) => self.word(c),
            _ => match number_of(c) {
                Some(number) => {
                    self.positions.set(number, Err(IN_STRING));
                    self.before = Before::Unclear;
                }
                None => self.before = Before::Operator,
            },
        }
        true
    }

    fn refuse_rest(&mut self, expected: &'static str) {
        let rest: String = self.rest.by_ref().collect();
        self.positions.set_all(&rest, Err(expected));
    }

    fn refuse(&mut self, c: char) {
        if let Some(number) = number_of(c) {
            self.positions.set(number, Err(IN_STRING));
        }
    }

    fn line_comment(&mut self) {
        while let Some(c) = self.rest.next_if(|c| !is_line_end(*c)) {
            self.refuse(c);
        }
    }

    fn block_comment(&mut self) {
        self.rest.next();
        while let Some(c) = self.rest.next() {
            if c == '*' && self.rest.next_if_eq(&'/').is_some() {
                return;
            }
            self.refuse(c);
        }
    }

    /// Reads a template up to its end or its next `${`.
    fn template(&mut self) {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => drop(self.rest.next().map(|c| self.refuse(c))),
                '`' => {
                    self.before = Before::Value;
                    return;
                }
                '$' if self.rest.next_if_eq(&'{').is_some() => {
                    self.braces.push(true);
                    self.before = Before::Operator;
                    return;
                }
                c => self.refuse(c),
            }
        }
    }

    fn regex(&mut self) -> bool {
        let mut in_class = false;
        while let Some(c) = self.rest.next_if(|c| !is_line_end(*c)) {
            match c {
                '\\' => drop(self.rest.next_if(|c| !is_line_end(*c)).map(|c| self.refuse(c))),
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    self.before = Before::Value;
                    return true;
                }
                c => self.refuse(c),
            }
        }
        false
    }

    fn word(&mut self, first: char) {
        let mut word = String::from(first);
        while let Some(c) = self.rest.next_if(|c| is_word(*c)) {
            word.push(c);
        }
        let word = word.as_str();
        self.before = match self.before {
            Before::Dot => Before::Value,
            _ if BEFORE_REGEX.contains(&word) => Before::Operator,
            _ if UNCLEAR_WORDS.contains(&word) => Before::Unclear,
            _ => Before::Value,
        };
    }

    /// Reads a string. Returns false if it has no end.
    fn string(&mut self, quote: char) -> bool {
        let mut content = String::new();
        loop {
            match self.rest.next() {
                Some(c) if c == quote => break,
                Some('\n' | '\r') | None => {
                    self.positions.set_all(&content, Err(IN_STRING));
                    return false;
                }
                Some('\\') => match self.rest.next() {
                    // JSON and scripts in HTML often escape the slashes of URLs.
                    Some('/') => content.push('/'),
                    Some(c) => content.extend(['\\', c]),
                    None => {}
                },
                Some(c) => content.push(c),
            }
        }
        let has_markup =
            ["<", ">", "\\x3", "\\u003", "\\u{3", "\\74", "\\76"].iter().any(|part| content.contains(part));
        let holds_code = url::holds_code(&content);
        for (number, before) in each(&content) {
            let position = match before {
                _ if holds_code => Err(EXPECTED),
                // A backslash before the value would take its first character as part of an escape.
                _ if before.ends_with('\\') => Err("without a backslash before it"),
                _ => url::position(before, if has_markup { Err(IN_MARKUP) } else { Ok(Context::Script) }),
            };
            self.positions.set(number, position);
        }
        self.before = Before::Value;
        true
    }
}

fn is_word(c: char) -> bool {
    (c.is_alphanumeric() || matches!(c, '_' | '$' | '\\')) && number_of(c).is_none()
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}
