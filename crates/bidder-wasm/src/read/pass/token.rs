//! Strings, numbers and literals: their grammar (RFC 8259 §3, §6, §7).

use super::{Cursor, Pass, Utf8};

impl<'a> Pass<'_, 'a> {
    /// A string; `at` is its opening quote.
    #[inline(always)]
    pub(super) fn string(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let first = at.next();
        match first.short_string() {
            Some(end) => Some(end),
            None => self.rest_of_string(first),
        }
    }

    /// A string; `at` is somewhere in it.
    #[inline(never)]
    pub(super) fn rest_of_string(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let mut has_escapes = false;
        let mut at = at;
        loop {
            at = at.special(self.utf8);
            match at.byte() {
                b'"' => {
                    let end = at.next();
                    if has_escapes {
                        self.escaped = self.text.offset(end);
                    }
                    return Some(end);
                }
                b'\\' => {
                    has_escapes = true;
                    at = self.escape(at.next())?;
                }
                0x80.. if self.utf8.is_none() => {
                    self.utf8 = Utf8::of(self.text);
                    if self.utf8.is_none() {
                        return self.refuse(at);
                    }
                }
                _ => return self.refuse(at),
            }
        }
    }

    /// An escape; `at` is behind its backslash.
    fn escape(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        match at.byte() {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at.next()),
            b'u' => {
                let mut at = at.next();
                for _ in 0..4 {
                    if !at.byte().is_ascii_hexdigit() {
                        return self.refuse(at);
                    }
                    at = at.next();
                }
                Some(at)
            }
            _ => self.refuse(at),
        }
    }

    /// A number or literal.
    #[inline(always)]
    pub(super) fn scalar(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let end = match at.byte() {
            b'1'..=b'9' => at.next().digits_end(),
            b'0' => at.next(),
            _ => return self.odd_scalar(at),
        };
        if matches!(end.byte(), b'.' | b'e' | b'E') { self.fraction(end) } else { Some(end) }
    }

    /// A negative number or a literal.
    #[inline(never)]
    fn odd_scalar(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        match at.byte() {
            b't' => self.literal(at, b"true"),
            b'f' => self.literal(at, b"false"),
            b'n' => self.literal(at, b"null"),
            b'-' => {
                let whole = at.next();
                let end = if whole.byte() == b'0' { whole.next() } else { self.digits(whole)? };
                self.fraction(end)
            }
            _ => self.refuse(at),
        }
    }

    fn literal(&mut self, at: Cursor<'a>, literal: &[u8]) -> Option<Cursor<'a>> {
        let mut at = at;
        for byte in literal {
            if at.byte() != *byte {
                return self.refuse(at);
            }
            at = at.next();
        }
        Some(at)
    }

    /// What may stand behind the whole part of a number.
    #[inline(never)]
    fn fraction(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let mut at = at;
        if at.byte() == b'.' {
            at = self.digits(at.next())?;
        }
        if matches!(at.byte(), b'e' | b'E') {
            at = at.next();
            if matches!(at.byte(), b'+' | b'-') {
                at = at.next();
            }
            at = self.digits(at)?;
        }
        Some(at)
    }

    /// Digits, of which there must be one.
    fn digits(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        if at.byte().is_ascii_digit() { Some(at.digits_end()) } else { self.refuse(at) }
    }
}
