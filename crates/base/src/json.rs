//! Writes JSON text. Knows nothing of bids.

use core::fmt;

use crate::hash::hex;
use crate::money::Micros;

/// An object being written: each call appends one attribute.
#[derive(Debug)]
pub struct Object<'o> {
    out: &'o mut String,
    first: bool,
}

impl<'o> Object<'o> {
    /// Opens the object.
    pub fn begin(out: &'o mut String) -> Self {
        out.push('{');
        Object { out, first: true }
    }

    /// Continues an object: each new member gets a comma in front.
    pub fn more(out: &'o mut String) -> Self {
        Object { out, first: false }
    }

    /// The length of the whole text so far, in bytes.
    pub fn length(&self) -> usize {
        self.out.len()
    }

    /// Replaces each macro with its value, from byte `from` on. All macros start with `begin`, one character because
    /// that is found several times as fast as a longer text; `read` tells which one a text starts with, and its length
    /// in bytes; `value` appends the value.
    pub fn fill<M>(
        &mut self,
        from: usize,
        begin: char,
        read: impl Fn(&str) -> Option<(M, usize)>,
        mut value: impl FnMut(&mut String, M),
    ) {
        let end = self.out.len();
        let (mut done, mut at) = (from, from);
        while let Some(rest) =
            self.out.get(at..end).and_then(|text| text.find(begin).and_then(|found| text.get(found..)))
        {
            at = end - rest.len();
            let Some((which, bytes)) = read(rest) else {
                at += begin.len_utf8();
                continue;
            };
            self.out.extend_from_within(done..at);
            value(self.out, which);
            at += bytes;
            done = at;
        }
        if done > from {
            self.out.extend_from_within(done..end);
            self.out.drain(from..end);
        }
    }

    /// Closes the object.
    pub fn end(self) {
        self.out.push('}');
    }

    /// Finished members, each with a comma in front.
    pub fn members(&mut self, fragment: &str) {
        let first = core::mem::take(&mut self.first) && !fragment.is_empty();
        self.out.push_str(if first { fragment.get(1..).unwrap_or_default() } else { fragment });
    }

    /// A value that `write` appends.
    pub fn raw(&mut self, key: &str, write: impl FnOnce(&mut String)) {
        if !core::mem::take(&mut self.first) {
            self.out.push(',');
        }
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
        write(self.out);
    }

    /// A string whose inside `write` appends, escaped already.
    pub fn quoted(&mut self, key: &str, write: impl FnOnce(&mut String)) {
        self.raw(key, |out| {
            out.push('"');
            write(out);
            out.push('"');
        });
    }

    /// An object that `write` fills.
    pub fn object(&mut self, key: &str, write: impl FnOnce(&mut Object<'_>)) {
        self.raw(key, |out| {
            let mut object = Object::begin(out);
            write(&mut object);
            object.end();
        });
    }

    /// A string, escaped.
    pub fn string(&mut self, key: &str, value: &str) {
        self.quoted(key, |out| escape(out, value));
    }

    /// A string, escaped; no member if it is empty.
    pub fn text(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.string(key, value);
        }
    }

    /// A string that is escaped already.
    pub fn literal(&mut self, key: &str, literal: &str) {
        self.quoted(key, |out| out.push_str(literal));
    }

    /// A whole number.
    pub fn number(&mut self, key: &str, value: i64) {
        self.raw(key, |out| number_to(out, value));
    }

    /// A whole number; no member if there is none.
    pub fn maybe(&mut self, key: &str, value: Option<i64>) {
        if let Some(value) = value {
            self.number(key, value);
        }
    }

    /// `true` or `false`.
    pub fn truth(&mut self, key: &str, value: bool) {
        self.raw(key, |out| out.push_str(if value { "true" } else { "false" }));
    }

    /// `true`; no member if it is false.
    pub fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.truth(key, true);
        }
    }

    /// An amount as the shortest exact decimal.
    pub fn amount(&mut self, key: &str, amount: Micros) {
        self.raw(key, |out| amount.push_to(out));
    }

    /// An array of strings; no member if it is empty.
    pub fn texts(&mut self, key: &str, values: &[impl AsRef<str>]) {
        self.list(key, values, |out, value| string(out, value.as_ref()));
    }

    /// An array of numbers; no member if it is empty.
    pub fn numbers(&mut self, key: &str, values: &[i64]) {
        self.list(key, values, |out, value| number_to(out, *value));
    }

    /// An array of objects that `write` fills; no member if it is empty.
    pub fn objects<T>(&mut self, key: &str, values: &[T], write: impl Fn(&mut Object<'_>, &T)) {
        if !values.is_empty() {
            self.raw(key, |out| objects(out, values, write));
        }
    }

    /// An array of values that `write` appends; no member if it is empty.
    pub fn list<T>(&mut self, key: &str, values: &[T], write: impl Fn(&mut String, &T)) {
        if values.is_empty() {
            return;
        }
        self.raw(key, |out| {
            for (i, value) in values.iter().enumerate() {
                out.push(if i == 0 { '[' } else { ',' });
                write(out, value);
            }
            out.push(']');
        });
    }
}

/// Appends an array of objects that `write` fills.
pub fn objects<T>(out: &mut String, values: impl IntoIterator<Item = T>, write: impl Fn(&mut Object<'_>, T)) {
    out.push('[');
    for (i, value) in values.into_iter().enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        let mut object = Object::begin(out);
        write(&mut object, value);
        object.end();
    }
    out.push(']');
}

/// Appends a whole number.
pub fn number_to(out: &mut String, number: i64) {
    out.push_str(itoa::Buffer::new().format(number));
}

/// Escapes the text that is written to it: see [`escape`].
pub struct Escaping<'o>(pub &'o mut String);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text);
        Ok(())
    }
}

/// `text` escaped for a JSON string, without quotes: see [`escape`].
pub fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    escape(&mut literal, text);
    literal
}

/// Appends `text` as a JSON string.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text);
    out.push('"');
}

/// Appends `text` escaped for a JSON string, without quotes. Escapes quotes, backslashes, control characters, and the
/// line separators U+2028 and U+2029, which older JavaScript does not allow in strings.
pub fn escape(out: &mut String, text: &str) {
    let _ = escape_to(out, text);
}

/// [`escape`] to any writer.
pub fn escape_to(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(may_be_special) {
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.write_str(plain)?;
        let mut chars = special.chars();
        match chars.next() {
            Some('"') => out.write_str("\\\"")?,
            Some('\\') => out.write_str("\\\\")?,
            Some('\n') => out.write_str("\\n")?,
            Some('\r') => out.write_str("\\r")?,
            Some('\t') => out.write_str("\\t")?,
            Some(other @ ('\0'..' ' | '\u{2028}' | '\u{2029}')) => write!(out, "\\u{:04x}", u32::from(other))?,
            Some(other) => out.write_char(other)?,
            None => {}
        }
        rest = chars.as_str();
    }
    out.write_str(rest)
}

/// Whether a character that begins with this byte may have to be escaped.
fn may_be_special(byte: u8) -> bool {
    /// The first byte of U+2028 and U+2029, and of about 4,000 other characters.
    const SEPARATORS: u8 = 0xe2;
    byte < b' ' || matches!(byte, b'"' | b'\\' | SEPARATORS)
}

/// Appends `{"error":message}`.
pub fn error(out: &mut String, message: &str) {
    let mut object = Object::begin(out);
    object.string("error", message);
    object.end();
}

/// Appends a number, such as a catalog's version, as a string of 16 hexadecimal digits.
pub fn hex_string(out: &mut String, number: u64) {
    out.push('"');
    hex(out, number, 16);
    out.push('"');
}

/// Appends a comma, unless this is the first item.
pub fn comma(out: &mut String, first: &mut bool) {
    if !core::mem::take(first) {
        out.push(',');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn escaped_text_is_parsed_back_unchanged(text in "\\PC*|[\"\\\\\u{0}-\u{1f}\u{2028}\u{1f600}a]{0,40}") {
            let mut out = String::from("\"");
            super::escape(&mut out, &text);
            out.push('"');
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
            let separators = out.contains('\u{2028}');
            prop_assert!(!separators);
        }
    }
}
