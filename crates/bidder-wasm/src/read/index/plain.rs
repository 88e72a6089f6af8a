//! The slow judge: a byte at a time, by the grammar of RFC 8259. It knows where a text goes wrong.

use super::masks::BLOCK_BYTES;
use super::{Index, Structure};
use crate::limits::MAX_DEPTH;
use crate::read::{number, text as escapes};

/// Indexes any JSON text. `Err` as in [`Index::build`].
pub(super) fn scan(index: &mut Index, text: &[u8]) -> Result<(), usize> {
    index.start(text.len());
    index.blocks.fill(Structure::default());
    let mut plain = Plain { text, index, open: [0; MAX_DEPTH], depth: 0 };
    let mut at = plain.value(blank_end(text, 0))?;
    while plain.depth > 0 {
        at = plain.inside(blank_end(text, at))?;
    }
    note_depths(index);
    at = blank_end(text, at);
    if at == text.len() { Ok(()) } else { Err(at) }
}

fn note_depths(index: &mut Index) {
    let mut depth: u8 = 0;
    for block in &mut index.blocks {
        (block.depth, block.lowest) = (depth, 63);
        for place in 0..BLOCK_BYTES {
            depth =
                depth.saturating_add((block.open >> place & 1) as u8).saturating_sub((block.close >> place & 1) as u8);
            if (block.open | block.close) >> place & 1 == 1 {
                block.lowest = block.lowest.min(depth);
            }
        }
    }
}

/// Where the white space that starts at `at` ends.
pub(super) fn blank_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

struct Plain<'i> {
    text: &'i [u8],
    index: &'i mut Index,
    /// The containers that are open: their closing brackets.
    open: [u8; MAX_DEPTH],
    depth: usize,
}

impl Plain<'_> {
    /// A value; of a container, its opening bracket and what makes it empty or leads to its first
    /// value. Yields where to go on.
    fn value(&mut self, at: usize) -> Result<usize, usize> {
        match self.text.get(at) {
            Some(b'{') => self.opened(at, b'}'),
            Some(b'[') => self.opened(at, b']'),
            Some(b'"') => self.string(at),
            _ => number::scalar_end(self.text, at),
        }
    }

    fn opened(&mut self, at: usize, closing: u8) -> Result<usize, usize> {
        *self.open.get_mut(self.depth).ok_or(at)? = closing;
        self.mark(at);
        self.note(at, |block, bit| block.open |= bit);
        self.depth += 1;
        let next = blank_end(self.text, at + 1);
        if self.text.get(next) == Some(&closing) {
            return Ok(next);
        }
        self.item(next, closing)
    }

    /// What a container holds: a value, with its key in front of it in an object. Goes down with
    /// the containers that this opens in turn, which `open` bounds.
    fn item(&mut self, at: usize, closing: u8) -> Result<usize, usize> {
        if closing == b']' {
            return self.value(at);
        }
        if self.text.get(at) != Some(&b'"') {
            return Err(at);
        }
        let colon = blank_end(self.text, self.string(at)?);
        if self.text.get(colon) != Some(&b':') {
            return Err(colon);
        }
        self.mark(colon);
        self.value(blank_end(self.text, colon + 1))
    }

    /// What comes after a value in a container.
    fn inside(&mut self, at: usize) -> Result<usize, usize> {
        let Some(closing) = self.depth.checked_sub(1).and_then(|top| self.open.get(top)).copied() else {
            return Err(at);
        };
        match self.text.get(at) {
            Some(b',') => {
                self.mark(at);
                self.item(blank_end(self.text, at + 1), closing)
            }
            Some(byte) if *byte == closing => {
                self.mark(at);
                self.note(at, |block, bit| block.close |= bit);
                self.depth -= 1;
                Ok(at + 1)
            }
            _ => Err(at),
        }
    }

    /// A string; yields the offset after its closing quote.
    fn string(&mut self, at: usize) -> Result<usize, usize> {
        let mut at = at + 1;
        loop {
            match self.text.get(at) {
                Some(b'"') => return Ok(at + 1),
                Some(b'\\') => {
                    let end = escapes::escape_end(self.text, at + 1)?;
                    self.note(at, |block, bit| block.backslashes |= bit);
                    // The second of two is a backslash as well.
                    if self.text.get(at + 1) == Some(&b'\\') {
                        self.note(at + 1, |block, bit| block.backslashes |= bit);
                    }
                    at = end;
                }
                Some(0..b' ') | None => return Err(at),
                Some(_) => at += 1,
            }
        }
    }

    /// Notes a structural character.
    fn mark(&mut self, at: usize) {
        self.note(at, |block, bit| block.marks |= bit);
    }

    fn note(&mut self, at: usize, set: impl Fn(&mut Structure, u64)) {
        if let Some(block) = self.index.blocks.get_mut(at / BLOCK_BYTES) {
            set(block, 1 << (at % BLOCK_BYTES));
        }
    }
}
