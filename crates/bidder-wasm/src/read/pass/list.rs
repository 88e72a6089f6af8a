//! Lists that are asked for: of objects, each a block that leads to the next, and of scalars, a run of slots.

use super::{Cursor, Pass};
use crate::read::rows::Kind;
use crate::read::slot::Slot;

impl<'a> Pass<'_, 'a> {
    /// A list of which the objects are read, as long as any may be.
    pub(super) fn objects(&mut self, open: Cursor<'a>, kind: &Kind, place: usize, depth: usize) -> Option<Cursor<'a>> {
        let mut at = open.next().past_blanks();
        let (mut first, mut last, mut count) = (0, 0, 0);
        if at.byte() != b']' {
            loop {
                let end = if at.byte() == b'{' && self.left.takes(kind.weight) {
                    let block = self.slots.block(kind.slots);
                    if count == 0 {
                        first = block;
                    } else {
                        self.slots.link(last, block);
                    }
                    (last, count) = (block, count + 1);
                    self.object(at, kind, block, depth + 1)?
                } else {
                    self.value(at, depth)?
                };
                at = self.next_item(end)?;
                if at.byte() == b']' {
                    break;
                }
                at = at.next().past_blanks();
            }
        }
        self.slots.set(place, Slot::list(first, count));
        Some(at.next())
    }

    /// A list of which the scalars are kept.
    pub(super) fn values(&mut self, open: Cursor<'a>, place: usize, depth: usize) -> Option<Cursor<'a>> {
        let mut at = open.next().past_blanks();
        let run = self.slots.end();
        if at.byte() != b']' {
            loop {
                let mut first = at.byte();
                let end = match first {
                    b'"' => self.kept_string_end(at.next().near_special(), &mut first)?,
                    b'{' | b'[' => self.skip(at, depth)?,
                    _ => self.scalar(at, first)?,
                };
                if !matches!(first, b'{' | b'[') && self.left.takes(1) {
                    let slot = self.kept(first, at, end);
                    self.slots.push(slot);
                }
                at = match end.byte() {
                    b',' => end.next().past_blanks(),
                    b']' => {
                        at = end;
                        break;
                    }
                    _ => match self.next_item(end)? {
                        end if end.byte() == b']' => {
                            at = end;
                            break;
                        }
                        comma => comma.next().past_blanks(),
                    },
                };
            }
        }
        self.slots.set(place, Slot::list(run, self.slots.end() - run));
        Some(at.next())
    }
}
