//! A simple JSON parser (RFC 8259) for the tests, byte by byte. It finds the offset of the first wrong byte.

use base::limits::MAX_DEPTH;

/// Checks that `text` is JSON. `Err` holds the offset of the first byte that cannot be part of a JSON text, or the
/// text's length if the text ends too early.
pub(super) fn validate(text: &[u8]) -> Result<(), usize> {
    let mut reader = Reference { text, open: Vec::new() };
    let mut at = reader.value(reader.blank_end(0))?;
    while let Some(closing) = reader.open.last().copied() {
        at = reader.inside(reader.blank_end(at), closing)?;
    }
    at = reader.blank_end(at);
    if at == text.len() { Ok(()) } else { Err(at) }
}

struct Reference<'t> {
    text: &'t [u8],
    /// The closing brackets of the open containers.
    open: Vec<u8>,
}

impl Reference<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn blank_end(&self, at: usize) -> usize {
        at + self.text[at..].iter().take_while(|byte| b" \t\n\r".contains(byte)).count()
    }

    /// A scalar, or the start of a container: its opening bracket and its first item.
    fn value(&mut self, at: usize) -> Result<usize, usize> {
        match self.byte(at) {
            Some(b'{') => self.opened(at, b'}'),
            Some(b'[') => self.opened(at, b']'),
            Some(b'"') => self.string(at),
            Some(b't') => self.literal(at, b"true"),
            Some(b'f') => self.literal(at, b"false"),
            Some(b'n') => self.literal(at, b"null"),
            _ => self.number(at),
        }
    }

    fn opened(&mut self, at: usize, closing: u8) -> Result<usize, usize> {
        if self.open.len() == MAX_DEPTH {
            return Err(at);
        }
        self.open.push(closing);
        let next = self.blank_end(at + 1);
        if self.byte(next) == Some(closing) { Ok(next) } else { self.item(next, closing) }
    }

    /// An item of a container: a value, in an object with its name.
    fn item(&mut self, at: usize, closing: u8) -> Result<usize, usize> {
        if closing == b']' {
            return self.value(at);
        }
        if self.byte(at) != Some(b'"') {
            return Err(at);
        }
        let colon = self.blank_end(self.string(at)?);
        if self.byte(colon) == Some(b':') { self.value(self.blank_end(colon + 1)) } else { Err(colon) }
    }

    /// What follows a value in a container: a comma and the next item, or the closing bracket.
    fn inside(&mut self, at: usize, closing: u8) -> Result<usize, usize> {
        match self.byte(at) {
            Some(b',') => self.item(self.blank_end(at + 1), closing),
            Some(byte) if byte == closing => {
                self.open.pop();
                Ok(at + 1)
            }
            _ => Err(at),
        }
    }

    fn string(&self, at: usize) -> Result<usize, usize> {
        let mut at = at + 1;
        loop {
            at = match self.byte(at) {
                Some(b'"') => return Ok(at + 1),
                Some(b'\\') => self.escape(at + 1)?,
                Some(0..b' ') | None => return Err(at),
                Some(_) => at + 1,
            };
        }
    }

    fn escape(&self, at: usize) -> Result<usize, usize> {
        match self.byte(at) {
            Some(b'u') => {
                let digits = self.text[at + 1..].iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
                if digits == 4 { Ok(at + 5) } else { Err(at + 1 + digits) }
            }
            Some(byte) if b"\"\\/bfnrt".contains(&byte) => Ok(at + 1),
            _ => Err(at),
        }
    }

    fn literal(&self, at: usize, literal: &[u8]) -> Result<usize, usize> {
        let same = self.text[at..].iter().zip(literal).take_while(|(a, b)| a == b).count();
        if same == literal.len() { Ok(at + same) } else { Err(at + same) }
    }

    fn number(&self, at: usize) -> Result<usize, usize> {
        let whole = at + usize::from(self.byte(at) == Some(b'-'));
        let mut end = if self.byte(whole) == Some(b'0') { whole + 1 } else { self.digits(whole)? };
        if self.byte(end) == Some(b'.') {
            end = self.digits(end + 1)?;
        }
        if let Some(b'e' | b'E') = self.byte(end) {
            let sign = matches!(self.byte(end + 1), Some(b'+' | b'-'));
            end = self.digits(end + 1 + usize::from(sign))?;
        }
        Ok(end)
    }

    /// The end of one or more digits at `at`.
    fn digits(&self, at: usize) -> Result<usize, usize> {
        let count = self.text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 { Err(at) } else { Ok(at + count) }
    }
}
