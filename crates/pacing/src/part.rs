//! Which of several pacers makes the shares of a budget. Each of them is a [`Pacer`](crate::pacer::Pacer) of its own.

/// One of `of` pacers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// From 0 to below `of`.
    pub number: u32,
    /// At least 1.
    pub of: u32,
}

impl Part {
    /// The only pacer.
    pub const WHOLE: Part = Part { number: 0, of: 1 };

    /// Whether the budget with this key, which is a hash, is one of its budgets.
    #[must_use]
    pub fn has(self, key: u64) -> bool {
        key % u64::from(self.of.max(1)) == u64::from(self.number)
    }
}

impl Default for Part {
    fn default() -> Part {
        Part::WHOLE
    }
}
