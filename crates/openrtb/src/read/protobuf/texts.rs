//! The texts of a message, copied one after the other, each between two quotes like a string of JSON. So slots hold them
//! as they hold strings, and one check finds out whether all are UTF-8.

use bumpalo::Bump;

use super::message::Message;
use crate::read::pass::{PADDING, Text};
use crate::read::slot::Slot;

#[derive(Debug)]
pub(in crate::read) struct Texts<'a> {
    bytes: &'a mut [u8],
    /// Bytes up to the last quote, including it.
    used: usize,
}

impl<'a> Texts<'a> {
    /// Room for the texts of a message with this length. A text has a tag and a length before it, which take at least as
    /// much room as a quote.
    pub(in crate::read) fn new(message_length: usize, arena: &'a Bump) -> Texts<'a> {
        let bytes = arena.alloc_slice_fill_copy(1 + message_length + PADDING, 0);
        if let Some(first) = bytes.first_mut() {
            *first = b'"';
        }
        Texts { bytes, used: 1 }
    }

    /// Appends a text that need not be UTF-8.
    #[inline]
    pub(super) fn push(&mut self, text: Message<'_>) -> Option<Slot> {
        text.copy_to(self.bytes, self.used)?;
        let end = self.used + text.len() + 1;
        let slot = Slot::scalar(b'"', self.used - 1, end);
        self.used = end;
        Some(slot)
    }

    /// All texts; `None` if one is not UTF-8. The quotes between them keep one text from completing a character of
    /// another.
    pub(in crate::read) fn checked(self) -> Option<Text<'a>> {
        Text::of_utf8(self.bytes.get(..self.used)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::pass::Padded;

    fn push(texts: &mut Texts<'_>, text: &[u8]) -> Option<Slot> {
        texts.push(Message::whole(&Padded::copied(text, &Bump::new())))
    }

    #[test]
    fn texts_of_all_lengths_are_kept() {
        let arena = Bump::new();
        let text: String = ('a'..='z').cycle().take(200).collect();
        let mut texts = Texts::new(21_000, &arena);
        let slots: Vec<Slot> = (0..=200).map(|length| push(&mut texts, &text.as_bytes()[..length]).unwrap()).collect();
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
                push(&mut texts, part).unwrap();
            }
            assert_eq!(texts.checked().is_some(), is_utf8);
        }
    }

    #[test]
    fn more_than_the_room_is_refused() {
        let arena = Bump::new();
        assert!(push(&mut Texts::new(2, &arena), b"ab").is_some());
        assert!(push(&mut Texts::new(1, &arena), b"ab").is_none());
    }
}
