//! A rule with a list of included values and a list of excluded values.

use core::fmt;

use crate::flat::{Flat, List, Source, Writer, fingerprint};

/// The stored rule.
pub struct Among<'s, T> {
    /// Only these values. Empty: all.
    pub include: List<'s, T>,
    /// None of these values.
    pub exclude: List<'s, T>,
}

/// An [`Among`] before it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct AmongDraft<T> {
    /// Only these values. Empty: all.
    pub include: Vec<T>,
    /// None of these values.
    pub exclude: Vec<T>,
}

impl<T> AmongDraft<T> {
    /// Whether a list has entries, so that the rule can reject a value.
    #[must_use]
    pub fn asks(&self) -> bool {
        !self.include.is_empty() || !self.exclude.is_empty()
    }
}

impl<'s, T: Flat> Among<'s, T> {
    /// Whether a value is allowed; `is` compares it with an entry. An unknown value equals no entry: it fails an
    /// `include` list and passes an `exclude` list.
    pub fn allows(self, is: impl Fn(T::View<'s>) -> bool) -> bool {
        (self.include.is_empty() || self.include.iter().any(&is)) && !self.exclude.iter().any(&is)
    }
}

impl Among<'_, String> {
    /// Whether a text is allowed; case does not matter.
    #[must_use]
    pub fn allows_text(self, text: &str) -> bool {
        self.allows(|listed| listed.eq_ignore_ascii_case(text))
    }
}

impl<T: Flat> Flat for AmongDraft<T> {
    type View<'s> = Among<'s, T>;
    const SIZE: usize = 2 * <Vec<T> as Flat>::SIZE;
    const LAYOUT: u64 = fingerprint(T::LAYOUT, "included and excluded");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        self.include.write(out, record);
        self.exclude.write(out, record);
    }

    fn view(from: Source<'_>, at: usize) -> Among<'_, T> {
        let (include, exclude) = <(Vec<T>, Vec<T>)>::view(from, at);
        Among { include, exclude }
    }
}

impl<T> Default for AmongDraft<T> {
    fn default() -> Self {
        AmongDraft { include: Vec::new(), exclude: Vec::new() }
    }
}

impl<T> Clone for Among<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Among<'_, T> {}

impl<T> Default for Among<'_, T> {
    fn default() -> Self {
        Among { include: List::default(), exclude: List::default() }
    }
}

impl<'s, T: Flat> fmt::Debug for Among<'s, T>
where
    T::View<'s>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Among").field("include", &self.include).field("exclude", &self.exclude).finish()
    }
}
