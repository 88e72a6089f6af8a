//! Runs: campaigns of equal worth on both sides of a border between two blocks.

use core::ops::Range;

use super::posting_list::BLOCK;
use flat::List;

/// The run at each border. Every search needs them, so they are found once, at loading.
#[derive(Debug, Clone)]
pub struct Runs(Vec<Range<usize>>);

impl Runs {
    /// The runs of campaigns with this worth, highest first.
    pub fn of(worth: List<'_, i64>) -> Runs {
        let run = |border: usize| {
            let own = worth.get(border);
            if worth.get(border - 1) != own {
                return border..border;
            }
            let is_over = |position| worth.get(position) > own;
            let is_equal = |position| worth.get(position) == own;
            first_without(0..border - 1, is_over)..first_without(border + 1..worth.len(), is_equal)
        };
        Runs((BLOCK..worth.len()).step_by(BLOCK).map(run).collect())
    }

    /// The positions of the run over the border before a block; an empty range if there is none.
    #[inline]
    pub fn before(&self, block: usize) -> Range<usize> {
        block.checked_sub(1).and_then(|border| self.0.get(border)).cloned().unwrap_or_default()
    }
}

/// The first position of a range that does not have a property. All positions before it have the property. If all have it,
/// this is the end of the range.
fn first_without(mut range: Range<usize>, has: impl Fn(usize) -> bool) -> usize {
    while range.start < range.end {
        let middle = usize::midpoint(range.start, range.end);
        if has(middle) { range.start = middle + 1 } else { range.end = middle }
    }
    range.start
}
