//! Strings, numbers and literals: their grammar (RFC 8259 §3, §6, §7).

use super::{Cursor, Pass};

impl<'a> Pass<'_, 'a> {
    /// A string; `at` is its opening quote.
    #[inline(always)]
    pub(super) fn string(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        self.string_end(at.next().near_special())
    }

    /// Behind a string's closing quote, which may be at `at`.
    #[inline(always)]
    pub(super) fn string_end(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        if at.byte() == b'"' { Some(at.next()) } else { self.rest_of_string(at) }
    }

    /// The same; `first` becomes a backslash if it has escapes.
    #[inline(always)]
    pub(super) fn kept_string_end(&mut self, at: Cursor<'a>, first: &mut u8) -> Option<Cursor<'a>> {
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

    /// A string; `at` is somewhere in it.
    #[inline(never)]
    pub(super) fn rest_of_string(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let mut at = at;
        loop {
            at = at.special(self.text);
            match at.byte() {
                b'"' => return Some(at.next()),
                b'\\' => {
                    self.has_escapes = true;
                    at = self.escape(at.next())?;
                }
                0x80.. if self.text.is_utf8() => {}
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

    /// A number or literal; `first` is its first byte.
    #[inline(always)]
    pub(super) fn scalar(&mut self, at: Cursor<'a>, first: u8) -> Option<Cursor<'a>> {
        if u32::from(first).wrapping_sub(u32::from(b'1')) >= 9 {
            return self.odd_scalar(at);
        }
        let end = at.next().digits_end();
        // Asked first, since it is what nearly always follows.
        if end.byte() == b',' || !matches!(end.byte(), b'.' | b'e' | b'E') { Some(end) } else { self.fraction(end) }
    }

    /// A number that starts with 0 or a minus sign, or a literal.
    #[inline(never)]
    fn odd_scalar(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
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
