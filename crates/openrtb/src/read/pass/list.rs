//! Reads the lists that have a row in the table. A list of objects becomes linked blocks, a list of scalars a run of
//! slots.

use super::{Cursor, Pass};
use crate::read::rows::Kind;
use crate::read::slot::{SKIPPED, Slot};

impl<'a> Pass<'_, 'a> {
    /// A list of objects. Items that are not objects, and objects above the size limit, are only checked. The slot at
    /// `index` gets the list.
    pub(super) fn object_list(
        &mut self,
        open: Cursor<'a>,
        kind: &Kind,
        index: usize,
        depth: usize,
    ) -> Option<Cursor<'a>> {
        let mut at = open.next().skip_whitespace();
        let (mut first, mut last, mut count, mut is_whole) = (0, 0, 0, true);
        if at.byte() != b']' {
            loop {
                let end = if at.byte() == b'{' && self.size_limit.try_take(kind.weight) {
                    let block = self.slots.add_block(kind.slots());
                    if count == 0 {
                        first = block;
                    } else {
                        self.slots.link(last, block);
                    }
                    (last, count) = (block, count + 1);
                    self.object(at, kind, block, depth + 1)?
                } else {
                    is_whole &= at.byte() == b'n';
                    self.skip_value(at, depth)?
                };
                at = self.next_item(end)?;
                if at.byte() == b']' {
                    break;
                }
                at = at.next().skip_whitespace();
            }
        }
        self.slots.set(index, if is_whole { Slot::list(first, count) } else { Slot::incomplete_list(first, count) });
        if !is_whole {
            self.slots.note_odd();
        }
        Some(at.next())
    }

    /// A list of scalars. Items that are not scalars, and scalars above the size limit, are only checked. The slot at
    /// `index` gets the list.
    pub(super) fn scalar_list(&mut self, open: Cursor<'a>, index: usize, depth: usize) -> Option<Cursor<'a>> {
        let mut at = open.next().skip_whitespace();
        let run = self.slots.len();
        if at.byte() != b']' {
            loop {
                let mut first = at.byte();
                let end = match first {
                    b'"' => self.string_end_marking_escapes(at.next().special_in_lane(), &mut first)?,
                    b'{' | b'[' => self.skip(at, depth)?,
                    _ => self.scalar(at, first)?,
                };
                if self.size_limit.try_take(1) {
                    let first = if matches!(first, b'{' | b'[') { SKIPPED } else { first };
                    self.slots.push(self.scalar_slot(first, at, end));
                }
                at = match end.byte() {
                    b',' => end.next().skip_whitespace(),
                    b']' => {
                        at = end;
                        break;
                    }
                    _ => match self.next_item(end)? {
                        end if end.byte() == b']' => {
                            at = end;
                            break;
                        }
                        comma => comma.next().skip_whitespace(),
                    },
                };
            }
        }
        self.slots.set(index, Slot::list(run, self.slots.len() - run));
        Some(at.next())
    }
}
