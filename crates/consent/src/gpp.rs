//! The Global Privacy Platform (GPP) string: splits it into sections, and reads those that apply with `tcf` and `us`.
//!
//! Only sections in `gpp_sid` apply:
//!
//! - 1 and 2 (TCF) say that GDPR applies.
//! - 3 and 4 are the header and signal integrity; they contain no choices of the person.
//! - `us` reads 6 to 27.
//! - Ids below 1 mean that no section applies, or that it is not known yet.
//! - All other ids make the verdict contextual.
//!
//! If the string lacks a section that `gpp_sid` lists, the verdict is contextual too.

use super::bits::Bits;
use super::us;
use super::verdict::Verdict;

const TCF_EU_V1: i64 = 1;
const TCF_EU_V2: i64 = 2;
const SIGNAL_INTEGRITY: i64 = 4;
const US_PRIVACY: i64 = 6;

/// The result of reading a string.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gpp<'a> {
    /// The verdict of the sections that are not TCF.
    pub(super) verdict: Verdict,
    /// Whether `gpp_sid` lists a TCF section.
    pub(super) gdpr: bool,
    /// The TCF string of section 2 if `gpp_sid` lists it: empty if the GPP string lacks it. `None` if there is no GPP
    /// string at all: then only `user.consent` counts.
    pub(super) tcf: Option<&'a str>,
}

/// Reads the sections of `text` (`regs.gpp`) that `ids` lists (`regs.gpp_sid`).
pub(super) fn read<'a>(text: &'a str, ids: &[i64]) -> Gpp<'a> {
    let can_read = |id: i64| (1..=SIGNAL_INTEGRITY).contains(&id) || id == US_PRIVACY || us::IDS.contains(&id);
    let listed = ids.iter().filter(|id| can_read(**id)).fold(0, |listed, id| listed | bit(*id));
    let has_unknown = ids.iter().any(|id| *id > 0 && !can_read(*id));
    let has = |id: i64| listed & bit(id) != 0;
    let mut gpp = Gpp {
        verdict: if has_unknown { Verdict::Contextual } else { Verdict::FREE },
        gdpr: has(TCF_EU_V1) || has(TCF_EU_V2),
        tcf: (has(TCF_EU_V2) && !text.is_empty()).then_some(""),
    };
    // Listed sections of the United States that have not been found yet.
    let mut missing = listed & !(bit(SIGNAL_INTEGRITY + 1) - 1);
    if missing == 0 && gpp.tcf.is_none() {
        return gpp;
    }
    for (id, section) in sections(text) {
        let id = i64::from(id);
        if !has(id) {
            continue;
        }
        missing &= !bit(id);
        match id {
            TCF_EU_V2 => gpp.tcf = Some(section),
            US_PRIVACY => gpp.verdict = gpp.verdict.min(us::verdict_of_ccpa_section(section)),
            _ if us::IDS.contains(&id) => gpp.verdict = gpp.verdict.min(us::verdict(id, section)),
            _ => {}
        }
    }
    if missing != 0 {
        gpp.verdict = gpp.verdict.min(Verdict::Contextual);
    }
    gpp
}

/// The bit of a section id; 0 if the id is not between 0 and 63.
fn bit(id: i64) -> u64 {
    u32::try_from(id).ok().and_then(|shift| 1_u64.checked_shl(shift)).unwrap_or(0)
}

/// The sections of a string with their ids ("GPP String Format"). No sections if the header is unreadable or announces
/// another number of sections than the string has: matching ids to sections would be a guess.
pub fn sections(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let (header, sections) = text.split_once('~').unwrap_or((text, ""));
    let ids = Ids::read(header).filter(|ids| {
        let present = sections.bytes().filter(|&byte| byte == b'~').count() + 1;
        ids.clone().count_announced().is_some_and(|announced| u32::try_from(present) == Ok(announced))
    });
    ids.into_iter().flatten().zip(sections.split('~'))
}

/// The header's section ids: a "Range (Fibonacci)", where each number is the distance from the id before.
#[derive(Debug, Clone)]
struct Ids<'a> {
    bits: Bits<'a>,
    /// The number of items that are not read yet. An item is one id or a group of ids.
    items: u32,
    /// The number of ids of the current group that are not returned yet.
    rest: u32,
    last: u32,
}

impl<'a> Ids<'a> {
    /// The ids of a header; `None` if the text is not a header of type 3 and version 1.
    fn read(header: &'a str) -> Option<Self> {
        let mut bits = Bits::new(header)?;
        let is_header = bits.take(6)? == 3 && bits.take(6)? == 1;
        let items = bits.take(12)?;
        is_header.then_some(Self { bits, items, rest: 0, last: 0 })
    }

    /// The number of ids, without a step for each id of a group. `None` if an item cannot be read.
    fn count_announced(mut self) -> Option<u32> {
        let mut count = 0_u32;
        while self.items != 0 {
            self.read_item()?;
            count = count.checked_add(1)?.checked_add(self.rest)?;
            self.last = self.last.checked_add(self.rest)?;
            self.rest = 0;
        }
        Some(count)
    }

    /// Moves to the first id of the next item.
    fn read_item(&mut self) -> Option<()> {
        self.items = self.items.checked_sub(1)?;
        let is_group = self.bits.bit()?;
        self.last = self.last.checked_add(self.bits.fibonacci()?)?;
        self.rest = if is_group { self.bits.fibonacci()? } else { 0 };
        Some(())
    }
}

impl Iterator for Ids<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if let Some(rest) = self.rest.checked_sub(1) {
            self.rest = rest;
            self.last = self.last.checked_add(1)?;
        } else {
            self.read_item()?;
        }
        Some(self.last)
    }
}
