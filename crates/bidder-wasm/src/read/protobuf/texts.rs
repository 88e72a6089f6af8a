//! The texts of a message, copied one after the other, each between two quotes like a string of JSON. So slots hold them
//! as they hold strings, and one check finds out whether all are UTF-8.

use bumpalo::Bump;

use crate::read::pass::Text;
use crate::read::slot::Slot;

#[derive(Debug)]
pub(in crate::read) struct Texts<'a> {
    /// Filled with quotes at first.
    bytes: &'a mut [u8],
    /// Bytes up to the last quote, including it.
    used: usize,
}

impl<'a> Texts<'a> {
    /// Room for the texts of a message with this length. A text has a tag and a length before it, which take at least as
    /// much room as a quote.
    pub(in crate::read) fn new(message_length: usize, arena: &'a Bump) -> Texts<'a> {
        Texts { bytes: arena.alloc_slice_fill_copy(message_length + 1, b'"'), used: 1 }
    }

    /// Appends a text that need not be UTF-8.
    #[inline]
    pub(super) fn push(&mut self, text: &[u8]) -> Option<Slot> {
        let end = self.used + text.len();
        copy(text, self.bytes.get_mut(self.used..end)?);
        let slot = Slot::scalar(b'"', self.used - 1, end + 1);
        self.used = end + 1;
        Some(slot)
    }

    /// All texts; `None` if one is not UTF-8. The quotes between them keep one text from completing a character of
    /// another.
    pub(in crate::read) fn checked(self) -> Option<Text<'a>> {
        Text::of_utf8(self.bytes.get(..self.used)?)
    }
}

/// Copies a text. Most are short, and copies of a fixed size are quicker: two that overlap make every length.
#[inline]
fn copy(text: &[u8], to: &mut [u8]) {
    match text.len() {
        65.. => to.copy_from_slice(text),
        33.. => copy_ends::<32>(text, to),
        17.. => copy_ends::<16>(text, to),
        9.. => copy_ends::<8>(text, to),
        4.. => copy_ends::<4>(text, to),
        2.. => copy_ends::<2>(text, to),
        _ => copy_ends::<1>(text, to),
    }
}

/// Copies the first and the last `N` bytes.
#[inline]
fn copy_ends<const N: usize>(text: &[u8], to: &mut [u8]) {
    if let (Some(from), Some(to)) = (text.first_chunk::<N>(), to.first_chunk_mut::<N>()) {
        *to = *from;
    }
    if let (Some(from), Some(to)) = (text.last_chunk::<N>(), to.last_chunk_mut::<N>()) {
        *to = *from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_all_lengths_are_kept() {
        let arena = Bump::new();
        let text: String = ('a'..='z').cycle().take(200).collect();
        let mut texts = Texts::new(21_000, &arena);
        let slots: Vec<Slot> = (0..=200).map(|length| texts.push(&text.as_bytes()[..length]).unwrap()).collect();
        let checked = texts.checked().unwrap();
        for (length, slot) in slots.into_iter().enumerate() {
            assert_eq!(checked.slice(slot.start(), slot.end_or_len()), format!("\"{}\"", &text[..length]));
        }
    }

    #[test]
    fn two_texts_do_not_make_one_character() {
        let arena = Bump::new();
        let (first, second) = "é".as_bytes().split_at(1);
        for (parts, is_utf8) in [(["é".as_bytes(), "😀".as_bytes()], true), ([first, second], false)] {
            let mut texts = Texts::new(20, &arena);
            for part in parts {
                texts.push(part).unwrap();
            }
            assert_eq!(texts.checked().is_some(), is_utf8);
        }
    }

    #[test]
    fn more_than_the_room_is_refused() {
        let arena = Bump::new();
        assert!(Texts::new(2, &arena).push(b"ab").is_some());
        assert!(Texts::new(1, &arena).push(b"ab").is_none());
    }
}
