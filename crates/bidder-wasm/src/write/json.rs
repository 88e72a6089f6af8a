//! JSON text, appended piece by piece.

use core::fmt::Write as _;

/// An object being written: each call appends one attribute.
pub(crate) struct Object<'o> {
    out: &'o mut String,
    first: bool,
}

impl<'o> Object<'o> {
    pub(crate) fn begin(out: &'o mut String) -> Self {
        out.push('{');
        Object { out, first: true }
    }

    pub(crate) fn end(self) {
        self.out.push('}');
    }

    /// A value that `write` appends.
    pub(crate) fn raw(&mut self, key: &str, write: impl FnOnce(&mut String)) {
        if !core::mem::take(&mut self.first) {
            self.out.push(',');
        }
        let _ = write!(self.out, "\"{key}\":");
        write(self.out);
    }

    /// A string, escaped.
    pub(crate) fn string(&mut self, key: &str, value: &str) {
        self.raw(key, |out| string(out, value));
    }

    /// A string, escaped; nothing at all when it is empty.
    pub(crate) fn text(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.string(key, value);
        }
    }

    /// A string whose escaped form is at hand.
    pub(crate) fn literal(&mut self, key: &str, literal: &str) {
        self.raw(key, |out| {
            out.push('"');
            out.push_str(literal);
            out.push('"');
        });
    }

    pub(crate) fn number(&mut self, key: &str, value: i64) {
        self.raw(key, |out| {
            let _ = write!(out, "{value}");
        });
    }

    /// An array of strings; nothing at all when it is empty.
    pub(crate) fn texts(&mut self, key: &str, values: &[String]) {
        self.list(key, values, |out, value| string(out, value));
    }

    /// An array of numbers; nothing at all when it is empty.
    pub(crate) fn numbers(&mut self, key: &str, values: &[i64]) {
        self.list(key, values, |out, value| {
            let _ = write!(out, "{value}");
        });
    }

    /// An array; nothing at all when it is empty.
    pub(crate) fn list<T>(&mut self, key: &str, values: &[T], write: impl Fn(&mut String, &T)) {
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

fn string(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text);
    out.push('"');
}

/// Appends `text` as it stands between the quotes of a JSON string. Quotes, backslashes and
/// control characters are escaped, and the line separators U+2028 and U+2029, which older
/// JavaScript does not take inside a string.
pub fn escape(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c < ' ' || matches!(c, '"' | '\\' | '\u{2028}' | '\u{2029}')) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = special.chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(other) => {
                let _ = write!(out, "\\u{:04x}", u32::from(other));
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_escaped_reads_back_as_it_was(text in "\\PC*|[\"\\\\\u{0}-\u{1f}\u{2028}\u{1f600}a]{0,40}") {
            let mut out = String::from("\"");
            super::escape(&mut out, &text);
            out.push('"');
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
            let separators = out.contains('\u{2028}');
            prop_assert!(!separators);
        }
    }
}
