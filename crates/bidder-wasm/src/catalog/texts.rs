//! Two facts about the texts of a campaign or a creative, in one byte.

use crate::flat::{Flat, Source, Writer, fingerprint};

/// Two facts about URLs and markup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Texts {
    /// Whether all URLs are HTTPS.
    pub secure: bool,
    /// Whether there are [macros](crate::macros) of ours to fill.
    pub macros: bool,
}

impl Flat for Texts {
    type View<'s> = Texts;
    const SIZE: usize = 1;
    const LAYOUT: u64 = fingerprint(0, "secure 1, macros 2");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        (u8::from(self.secure) | u8::from(self.macros) << 1).write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> Texts {
        let bits = u8::view(from, at);
        Texts { secure: bits & 1 > 0, macros: bits & 2 > 0 }
    }
}
