//! The first pass over a text: refuses texts that are not JSON, and prepares the others for a decoder without floats.
//!
//! It checks RFC 8259 strictly, in one pass without recursion, so no later step can fail on syntax. It changes two
//! things and copies all other bytes:
//! - A number that is not an integer within `i64` (also `-0`) becomes a string: [`DECIMAL_MARK`] and the exact text.
//! - An escaped half of a surrogate pair without its other half becomes `\ufffd`.

mod token;

use std::borrow::Cow;

use bidder_wasm::limits::MAX_DEPTH;

/// The first character of a quoted number. JSON does not allow this byte unescaped in a string, so only a quoted number
/// starts with it.
pub const DECIMAL_MARK: char = '\u{1}';

/// Where a text stops being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError {
    /// Offset of the first byte that cannot be part of a JSON text; the length of the text if it ends too early. For
    /// invalid UTF-8, the first byte of the invalid sequence. For nesting beyond [`MAX_DEPTH`], the first bracket that
    /// is too deep.
    pub at: usize,
    /// What would be allowed there.
    pub expected: &'static str,
}

/// Checks `text` and quotes its decimals. Borrows the text if nothing changes.
pub fn quote_decimals(text: &[u8]) -> Result<Cow<'_, [u8]>, JsonError> {
    if simdutf8::basic::from_utf8(text).is_ok() {
        return Scan::new(text).run();
    }
    // The text before the invalid sequence may have an earlier error.
    let valid = core::str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
    let before = text.get(..valid).unwrap_or_default();
    let earlier = Scan::new(before).run().err().filter(|error| error.at < valid);
    Err(earlier.unwrap_or(JsonError { at: valid, expected: "UTF-8" }))
}

/// What the grammar allows next.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    CommaOrEnd,
    Nothing,
}

struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    /// The changed copy of the text before `copied`.
    out: Vec<u8>,
    copied: usize,
    /// One bit for each open array (0) or object (1). The lowest bit is the innermost one.
    open: u64,
    depth: usize,
}

const _: () = assert!(MAX_DEPTH <= u64::BITS as usize);

impl<'t> Scan<'t> {
    fn new(text: &'t [u8]) -> Scan<'t> {
        Scan { text, at: 0, out: Vec::new(), copied: 0, open: 0, depth: 0 }
    }

    fn run(mut self) -> Result<Cow<'t, [u8]>, JsonError> {
        let mut next = Next::Value;
        loop {
            self.skip_space();
            let Some(byte) = self.peek() else {
                return if next == Next::Nothing { Ok(self.finish()) } else { Err(self.error(self.allowed(next))) };
            };
            next = match (next, byte) {
                (Next::ValueOrEnd, b']') | (Next::NameOrEnd, b'}') => self.close(),
                (Next::Value | Next::ValueOrEnd, _) => self.value(byte)?,
                (Next::Name | Next::NameOrEnd, b'"') => {
                    self.string()?;
                    self.skip_space();
                    self.expect(b':', "a colon")?;
                    Next::Value
                }
                (Next::CommaOrEnd, b',') => {
                    self.at += 1;
                    if self.in_object() { Next::Name } else { Next::Value }
                }
                (Next::CommaOrEnd, b'}') if self.in_object() => self.close(),
                (Next::CommaOrEnd, b']') if !self.in_object() => self.close(),
                _ => return Err(self.error(self.allowed(next))),
            };
        }
    }

    fn value(&mut self, first: u8) -> Result<Next, JsonError> {
        match first {
            b'{' | b'[' => return self.open(first == b'{'),
            b'"' => self.string()?,
            b't' => self.literal(b"true")?,
            b'f' => self.literal(b"false")?,
            b'n' => self.literal(b"null")?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(self.error("a value")),
        }
        Ok(self.after_value())
    }

    fn open(&mut self, object: bool) -> Result<Next, JsonError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("less nesting"));
        }
        self.at += 1;
        self.depth += 1;
        self.open = self.open << 1 | u64::from(object);
        Ok(if object { Next::NameOrEnd } else { Next::ValueOrEnd })
    }

    fn close(&mut self) -> Next {
        self.at += 1;
        self.depth -= 1;
        self.open >>= 1;
        self.after_value()
    }

    fn after_value(&self) -> Next {
        if self.depth == 0 { Next::Nothing } else { Next::CommaOrEnd }
    }

    /// What the grammar allows next, in words.
    fn allowed(&self, next: Next) -> &'static str {
        match next {
            Next::Value => "a value",
            Next::ValueOrEnd => "a value, or ]",
            Next::Name => "a name in double quotes",
            Next::NameOrEnd => "a name in double quotes, or }",
            Next::CommaOrEnd if self.in_object() => "a comma, or }",
            Next::CommaOrEnd => "a comma, or ]",
            Next::Nothing => "nothing more",
        }
    }

    fn in_object(&self) -> bool {
        self.open & 1 == 1
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn skip_if(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), JsonError> {
        if self.skip_if(byte) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn error(&self, expected: &'static str) -> JsonError {
        JsonError { at: self.at, expected }
    }

    fn copy_up_to(&mut self, end: usize) {
        self.out.extend_from_slice(self.text.get(self.copied..end).unwrap_or_default());
        self.copied = end;
    }

    fn finish(mut self) -> Cow<'t, [u8]> {
        if self.copied == 0 {
            return Cow::Borrowed(self.text);
        }
        self.copy_up_to(self.text.len());
        Cow::Owned(self.out)
    }
}

#[cfg(test)]
mod tests;
