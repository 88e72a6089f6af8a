//! Containers of which nothing is kept: checked, without going down into them.

use super::{Cursor, Pass};
use crate::limits::MAX_DEPTH;

const _: () = assert!(MAX_DEPTH <= u64::BITS as usize, "`objects` has a bit for each container");

impl<'a> Pass<'_, 'a> {
    /// An object or list; `open` is its bracket. `depth` containers are open around it.
    #[inline(never)]
    pub(super) fn skip(&mut self, open: Cursor<'a>, depth: usize) -> Option<Cursor<'a>> {
        // A bit for each container that is open here, the innermost one's lowest: 1 for an object.
        let mut objects: u64 = 0;
        let mut left = 0;
        let most = MAX_DEPTH - depth.min(MAX_DEPTH);
        let mut at = open;
        'value: loop {
            let end = match at.byte() {
                b'"' => self.string(at)?,
                bracket @ (b'{' | b'[') => {
                    if left == most {
                        return self.refuse(at);
                    }
                    let is_object = bracket == b'{';
                    left += 1;
                    objects = objects << 1 | u64::from(is_object);
                    let first = at.next().past_blanks();
                    if first.byte() == bracket + 2 {
                        first
                    } else if is_object {
                        at = self.skip_key(first)?;
                        continue;
                    } else {
                        at = first;
                        continue;
                    }
                }
                _ => self.scalar(at)?,
            };
            // Behind a value, or at the bracket that closes an empty container.
            let mut end = end;
            loop {
                let is_object = objects & 1 == 1;
                end = end.past_blanks();
                match end.byte() {
                    b',' if is_object => {
                        let next = end.next().past_blanks();
                        at = self.skip_key(next)?;
                        continue 'value;
                    }
                    b',' => {
                        at = end.next().past_blanks();
                        continue 'value;
                    }
                    byte if byte == if is_object { b'}' } else { b']' } => {
                        end = end.next();
                        left -= 1;
                        objects >>= 1;
                        if left == 0 {
                            return Some(end);
                        }
                    }
                    _ => return self.refuse(end),
                }
            }
        }
    }

    /// A name and its colon; `at` is its quote.
    #[inline(always)]
    fn skip_key(&mut self, at: Cursor<'a>) -> Option<Cursor<'a>> {
        if at.byte() != b'"' {
            return self.refuse(at);
        }
        let end = self.string(at)?;
        match end.byte() {
            b':' => Some(end.next().past_blanks()),
            _ => self.behind_colon(end),
        }
    }
}
