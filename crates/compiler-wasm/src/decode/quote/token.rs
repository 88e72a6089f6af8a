//! Checks and copies literals, numbers and strings.

use super::{JsonError, Scan};

impl Scan<'_> {
    pub(super) fn literal(&mut self, word: &[u8]) -> Result<(), JsonError> {
        word.iter().try_for_each(|byte| self.expect(*byte, "true, false or null"))
    }

    pub(super) fn number(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        self.skip_if(b'-');
        if !self.skip_if(b'0') {
            self.digits()?;
        }
        let mut plain = true;
        if self.skip_if(b'.') {
            plain = false;
            self.digits()?;
        }
        if self.skip_if(b'e') || self.skip_if(b'E') {
            plain = false;
            let _ = self.skip_if(b'+') || self.skip_if(b'-');
            self.digits()?;
        }
        let number = self.text.get(start..self.at).unwrap_or_default();
        if plain && number != b"-0" && fits_i64(number) {
            return Ok(());
        }
        self.copy_up_to(start);
        self.out.extend_from_slice(b"\"\x01");
        self.copy_up_to(self.at);
        self.out.push(b'"');
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.error("a digit")) } else { Ok(()) }
    }

    pub(super) fn string(&mut self) -> Result<(), JsonError> {
        self.expect(b'"', "a double quote")?;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            self.at += plain.unwrap_or(rest.len());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                _ => return Err(self.error("the double quote that ends the string")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                let unit = self.code_unit()?;
                let paired = matches!(unit, 0xd800..0xdc00) && self.skip_low_surrogate();
                if matches!(unit, 0xd800..0xe000) && !paired {
                    self.copy_up_to(start);
                    self.out.extend_from_slice(b"\\ufffd");
                    self.copied = self.at;
                }
            }
            _ => return Err(self.error("one of \" \\ / b f n r t u")),
        }
        Ok(())
    }

    fn code_unit(&mut self) -> Result<u32, JsonError> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            unit = unit << 4 | digit.ok_or(self.error("four hex digits"))?;
            self.at += 1;
        }
        Ok(unit)
    }

    /// Skips the escape of a low surrogate if it comes next. Everything else is left to `string`.
    fn skip_low_surrogate(&mut self) -> bool {
        let low = matches!(
            self.text.get(self.at..self.at + 6),
            Some([b'\\', b'u', b'd' | b'D', b'c'..=b'f' | b'C'..=b'F', a, b])
                if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()
        );
        self.at += if low { 6 } else { 0 };
        low
    }
}

fn fits_i64(number: &[u8]) -> bool {
    // A number of at most 18 bytes cannot overflow, so most numbers need no parsing.
    number.len() <= 18 || core::str::from_utf8(number).is_ok_and(|text| text.parse::<i64>().is_ok())
}
