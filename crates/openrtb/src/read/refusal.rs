//! A request whose privacy signals allow no bid is read no further than its answer needs.

use super::objects::{BidRequest, Imp};
use super::values::Values;
use crate::request::Request;
use base::limits::{MAX_TEXT_BYTES, MAX_VALUES};

/// All rows of a kind: see [`takes`].
pub(super) const ALL: u8 = 0;
/// The rows of a request that say what privacy allows.
pub(super) const SIGNALS: u8 = 1;
/// All other rows of a request.
pub(super) const OTHERS: u8 = 2;

/// Whether the row with this name is one of `rows`.
pub(super) const fn takes(rows: u8, name: &str) -> bool {
    let is_signal = matches!(name.as_bytes(), b"regs" | b"device" | b"user" | b"dooh");
    match rows {
        SIGNALS => is_signal,
        OTHERS => !is_signal,
        _ => true,
    }
}

/// How much a byte of a value adds at most to the count of values that [`MAX_VALUES`] limits. An asset in the text of
/// `native.request` adds 8 and has at least the three bytes `{},`. All else adds less per byte.
const MOST_PER_BYTE: usize = 3;

const _: () = assert!(MAX_VALUES / MOST_PER_BYTE < MAX_TEXT_BYTES, "`is_small` excludes texts that are too long");

impl<'a> Values<'_, 'a> {
    /// Whether no value of a body with that many bytes can exceed a limit, so that values may be left out.
    pub(super) fn is_small(&self, body_bytes: usize) -> bool {
        self.size_limit.has_left(MOST_PER_BYTE * body_bytes)
    }

    /// Reads what is checked before privacy, and what the answer to a request without a bid needs.
    pub(super) fn refused(&self, root: usize, into: &mut Request<'a>) -> Option<()> {
        let slot = |attribute| self.slots.get(root + attribute);
        into.id = self.literal(slot(BidRequest::id))?;
        into.test = self.flag(slot(BidRequest::test)).unwrap_or_default();
        into.tmax = self.integer(slot(BidRequest::tmax)).unwrap_or_default();
        into.imp = self.imps_by(slot(BidRequest::imp), |values, block, imp| {
            imp.id = values.literal(values.slots.get(block + Imp::id))?;
            Some(())
        })?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::objects::NativeContent;
    use super::super::rows::{Action, Kind};
    use super::*;

    /// Objects of a list are at least `{},`. Other objects also have a name.
    #[test]
    fn no_object_in_a_native_request_counts_for_more_than_its_bytes() {
        fn check(kind: &Kind) {
            for row in kind.attributes.iter().filter(|row| kind.has(row)) {
                let is_object = matches!(row.action, Action::Object | Action::Whole | Action::Objects);
                let Some(inner) = Kind::of(row.kind).filter(|_| is_object) else { continue };
                let bytes = if row.action == Action::Objects { 3 } else { row.spec.name.len() + 6 };
                assert!(inner.weight <= MOST_PER_BYTE * bytes, "{}", row.spec.name);
                check(inner);
            }
        }
        check(Kind::of(NativeContent::KIND).unwrap());
    }
}
