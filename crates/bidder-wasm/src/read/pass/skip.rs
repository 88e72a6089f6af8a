//! Containers of which nothing is kept: checked all the same, down to [`MAX_DEPTH`].

use super::{Cursor, Pass};
use crate::limits::MAX_DEPTH;

impl<'a> Pass<'_, 'a> {
    /// An object or list; `open` is its bracket. `depth` containers are open around it.
    #[inline(always)]
    pub(super) fn skip(&mut self, open: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        if open.byte() == b'{' { self.skip_object(open, depth) } else { self.skip_list(open, depth) }
    }

    #[inline(never)]
    fn skip_object(&mut self, open: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        if depth == MAX_DEPTH {
            return self.refuse(open);
        }
        let mut at = match open.behind(*b"{\"") {
            Some(name) => name,
            None => match self.first_member(open.next())? {
                end if end.byte() == b'}' => return Some(end.next()),
                quote => quote.next(),
            },
        };
        loop {
            let name_end = at.near_special();
            let end = if let Some(text) = name_end.behind_three(*b"\":\"") {
                let text_end = text.near_special();
                if let Some(next) = text_end.behind_three(*b"\",\"") {
                    at = next;
                    continue;
                }
                self.string_end(text_end)?
            } else {
                let value = match name_end.behind(*b"\":") {
                    Some(value) => value,
                    None => self.odd_name(name_end)?,
                };
                self.value(value.past_blanks(), depth + 1)?
            };
            at = match end.behind(*b",\"") {
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
            return self.refuse(open);
        }
        let mut at = open.next().past_blanks();
        if at.byte() == b']' {
            return Some(at.next());
        }
        loop {
            let end = self.value(at, depth + 1)?;
            at = match end.byte() {
                b',' => end.next().past_blanks(),
                b']' => return Some(end.next()),
                _ => match self.next_item(end)? {
                    end if end.byte() == b']' => return Some(end.next()),
                    comma => comma.next().past_blanks(),
                },
            };
        }
    }

    /// A value of which nothing is kept; `depth` containers are open around it.
    #[inline(always)]
    pub(super) fn value(&mut self, at: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        match at.byte() {
            b'"' => self.string(at),
            b'{' => self.skip_object(at, depth),
            b'[' => self.skip_list(at, depth),
            first => self.scalar(at, first),
        }
    }

    /// The rest of a name that is long or has something special in it, and the colon behind it.
    #[inline(never)]
    fn odd_name(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        let end = self.rest_of_string(at)?;
        self.behind_colon(end)
    }
}
