//! The grammar of strings, numbers and literals (RFC 8259 §3, §6, §7).

use super::{Cursor, Pass};

impl<'a> Pass<'_, 'a> {
    /// A string; `at` is its opening quote.
    #[inline(always)]
    pub(super) fn string(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        self.string_end(at.next().special_in_lane())
    }

    /// The position after a string's closing quote; `at` is inside the string or at the quote.
    #[inline(always)]
    pub(super) fn string_end(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        if at.byte() == b'"' { Some(at.next()) } else { self.rest_of_string(at) }
    }

    /// The position after a string's closing quote. Sets `first` to a backslash if the string has escapes.
    #[inline(always)]
    pub(super) fn string_end_marking_escapes(&mut self, at: Cursor<'a>, first: &mut u8) -> Option<Cursor<'a>> {
        if at.byte() == b'"' {
            return Some(at.next());
        }
        self.has_escapes = false;
        let end = self.rest_of_string(at);
        if self.has_escapes {
            *first = b'\\';
        }
        end
    }

    /// The rest of a string; `at` is inside the string.
    #[inline(never)]
    pub(super) fn rest_of_string(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let mut at = at;
        loop {
            at = at.next_special(self.text);
            match at.byte() {
                b'"' => return Some(at.next()),
                b'\\' => {
                    self.has_escapes = true;
                    at = self.escape(at.next())?;
                }
                0x80.. if self.text.is_utf8() => {}
                _ => return self.fail(at),
            }
        }
    }

    /// The rest of an escape; `at` is after the backslash.
    fn escape(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        match at.byte() {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at.next()),
            b'u' => {
                let mut at = at.next();
                for _ in 0..4 {
                    if !at.byte().is_ascii_hexdigit() {
                        return self.fail(at);
                    }
                    at = at.next();
                }
                Some(at)
            }
            _ => self.fail(at),
        }
    }

    /// A number or literal; `first` is its first byte.
    #[inline(always)]
    pub(super) fn scalar(&mut self, at: Cursor<'a>, first: u8) -> Option<Cursor<'a>> {
        if u32::from(first).wrapping_sub(u32::from(b'1')) >= 9 {
            return self.rare_scalar(at);
        }
        let end = at.next().digits_end();
        // A comma follows nearly always, so check it first.
        if end.byte() == b',' || !matches!(end.byte(), b'.' | b'e' | b'E') { Some(end) } else { self.fraction(end) }
    }

    /// A number that starts with 0 or a minus sign, or a literal.
    #[inline(never)]
    fn rare_scalar(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        match at.byte() {
            b't' => self.literal(at, b"true"),
            b'f' => self.literal(at, b"false"),
            b'n' => self.literal(at, b"null"),
            b'0' => self.fraction(at.next()),
            b'-' => {
                let whole = at.next();
                let end = if whole.byte() == b'0' { whole.next() } else { self.digits(whole)? };
                self.fraction(end)
            }
            _ => self.fail(at),
        }
    }

    fn literal(&mut self, at: Cursor<'a>, literal: &[u8]) -> Option<Cursor<'a>> {
        let mut at = at;
        for byte in literal {
            if at.byte() != *byte {
                return self.fail(at);
            }
            at = at.next();
        }
        Some(at)
    }

    /// The optional fraction and exponent of a number.
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

    /// One or more digits.
    fn digits(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        if at.byte().is_ascii_digit() { Some(at.digits_end()) } else { self.fail(at) }
    }
}
