//! Checks values that the reader does not keep, down to [`MAX_DEPTH`].

use super::{Cursor, Pass};
use base::limits::MAX_DEPTH;

impl<'a> Pass<'_, 'a> {
    /// An object or list; `open` is its opening bracket. `depth` containers are open around it.
    #[inline(always)]
    pub(super) fn skip(&mut self, open: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        if open.byte() == b'{' { self.skip_object(open, depth) } else { self.skip_list(open, depth) }
    }

    #[inline(never)]
    fn skip_object(&mut self, open: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        if depth == MAX_DEPTH {
            return self.fail(open);
        }
        let mut at = match open.after(*b"{\"") {
            Some(name) => name,
            None => match self.first_member(open.next())? {
                end if end.byte() == b'}' => return Some(end.next()),
                quote => quote.next(),
            },
        };
        loop {
            let name_end = at.special_in_lane();
            let end = if let Some(text) = name_end.after_three(*b"\":\"") {
                let text_end = text.special_in_lane();
                if let Some(next) = text_end.after_three(*b"\",\"") {
                    at = next;
                    continue;
                }
                self.string_end(text_end)?
            } else {
                let value = match name_end.after(*b"\":") {
                    Some(value) => value,
                    None => self.rare_name(name_end)?,
                };
                self.skip_value(value.skip_whitespace(), depth + 1)?
            };
            at = match end.after(*b",\"") {
                Some(next) => next,
                None if end.byte() == b'}' => return Some(end.next()),
                None => match self.next_member(end)? {
                    end if end.byte() == b'}' => return Some(end.next()),
                    quote => quote.next(),
                },
            };
        }
    }

    #[inline(never)]
    fn skip_list(&mut self, open: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        if depth == MAX_DEPTH {
            return self.fail(open);
        }
        let mut at = open.next().skip_whitespace();
        if at.byte() == b']' {
            return Some(at.next());
        }
        loop {
            let end = self.skip_value(at, depth + 1)?;
            at = match end.byte() {
                b',' => end.next().skip_whitespace(),
                b']' => return Some(end.next()),
                _ => match self.next_item(end)? {
                    end if end.byte() == b']' => return Some(end.next()),
                    comma => comma.next().skip_whitespace(),
                },
            };
        }
    }

    /// Any value; `depth` containers are open around it.
    #[inline(always)]
    pub(super) fn skip_value(&mut self, at: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        match at.byte() {
            b'"' => self.string(at),
            b'{' => self.skip_object(at, depth),
            b'[' => self.skip_list(at, depth),
            first => self.scalar(at, first),
        }
    }

    /// The rest of a name that is long or has special bytes, and the colon after it.
    #[inline(never)]
    fn rare_name(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let end = self.rest_of_string(at)?;
        self.after_colon(end)
    }
}
