//! Shares: the part of its requests that each campaign may bid on, and the effect of their age.
//!
//! As text: a line with [`Shares::made_ms`], then a line `CAMPAIGN SHARE` for each campaign with a budget: a hash of 16
//! hex digits and a decimal number. Below it may be a line `most NANOS`, see [`Shares::most`]. Each line ends with a line
//! break. Below `made_ms`, the Worker puts a line with the number of the shares, by which it orders
//! them (`shared/pacing/shares.ts`); this reader skips it. The isolate replaces `made_ms` by the time of its own clock.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::part::Part;

/// All requests. Smaller shares are that part of 2^32.
pub const WHOLE: u32 = u32::MAX;

/// Milliseconds after which shares are halved, because the pacer or a relay may be down.
pub const HALVED_AFTER_MS: i64 = 60_000;

/// Milliseconds after which campaigns with a budget stop.
pub const STOPPED_AFTER_MS: i64 = 120_000;

/// A campaign, its share, and [`Shares::most`].
pub type Row = (u64, u32, Option<u64>);

/// The shares of all campaigns with a budget. A campaign that is not among them has a share of 0: its budget is still
/// unknown to the pacer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shares {
    /// When the pacer made them, in milliseconds since the epoch.
    pub made_ms: i64,
    /// Campaign and share, sorted by campaign.
    pub rows: Vec<(u64, u32)>,
    /// By campaign: the most that an isolate may bid with these shares, in nanos of the campaign's currency, whatever
    /// arrives. A campaign that is not among them has no such bound.
    pub most: BTreeMap<u64, u64>,
}

impl Shares {
    /// Reads a text; `None` if it does not begin with a time. Other lines than shares are ignored.
    #[must_use]
    pub fn read(text: &str) -> Option<Shares> {
        let (made_ms, rows) = Shares::parts(text)?;
        let mut shares = Shares { made_ms, ..Shares::default() };
        for (campaign, share, most) in rows {
            shares.rows.push((campaign, share));
            shares.most.extend(most.map(|most| (campaign, most)));
        }
        shares.rows.sort_unstable_by_key(|(campaign, _)| *campaign);
        Some(shares)
    }

    /// [`Shares::made_ms`] and the rows of a text, in its order; `None` if it does not begin with a time.
    #[must_use]
    pub fn parts(text: &str) -> Option<(i64, impl Iterator<Item = Row>)> {
        let mut lines = text.lines().peekable();
        let made_ms = lines.next()?.parse().ok()?;
        let rows = std::iter::from_fn(move || {
            let (campaign, share) = lines.find_map(row)?;
            let most = lines.next_if(|line| line.starts_with(MOST));
            Some((campaign, share, most.and_then(|line| line.strip_prefix(MOST)?.parse().ok())))
        });
        Some((made_ms, rows))
    }

    /// Appends the text.
    pub fn write(&self, out: &mut String) {
        let _ = writeln!(out, "{}", self.made_ms);
        for (campaign, share) in &self.rows {
            let _ = writeln!(out, "{campaign:016x} {share}");
            if let Some(most) = self.most.get(campaign) {
                let _ = writeln!(out, "{MOST}{most}");
            }
        }
    }

    /// Appends the rows of several pacers' texts, each after a line `pacer NUMBER OF LAG_MS`: by how much it is older than
    /// the newest text. Of each budget, only the share of its own pacer counts.
    pub fn join(texts: &str, out: &mut String) {
        let (mut part, mut lag_ms, mut is_own) = (Part::WHOLE, 0, false);
        for line in texts.lines() {
            if let Some(head) = line.strip_prefix("pacer ") {
                let mut words = head.split(' ');
                let mut number = || words.next()?.parse::<u32>().ok();
                part = Part { number: number().unwrap_or_default(), of: number().unwrap_or(1) };
                lag_ms = number().map_or(STOPPED_AFTER_MS, i64::from);
            } else if let Some((key, share)) = row(line) {
                is_own = part.has(key);
                if is_own {
                    let _ = writeln!(out, "{key:016x} {}", aged(share, lag_ms));
                }
            } else if line.starts_with(CURVES) || is_own && line.starts_with(MOST) {
                let _ = writeln!(out, "{line}");
            }
        }
    }

    /// The share of a campaign when the shares are new.
    #[must_use]
    pub fn of(&self, campaign: u64) -> u32 {
        let at = self.rows.binary_search_by_key(&campaign, |(campaign, _)| *campaign);
        at.ok().and_then(|at| self.rows.get(at)).map_or(0, |(_, share)| *share)
    }
}

/// A share that is `age_ms` milliseconds old: half of it after [`HALVED_AFTER_MS`], nothing after [`STOPPED_AFTER_MS`].
/// Clocks of machines differ, so an age may be negative.
#[must_use]
pub fn aged(share: u32, age_ms: i64) -> u32 {
    match age_ms {
        STOPPED_AFTER_MS.. => 0,
        HALVED_AFTER_MS.. => share / 2,
        _ => share,
    }
}

const MOST: &str = "most ";

/// What learned shading knows: see `crates/shading`.
const CURVES: &str = "curves ";

fn row(line: &str) -> Option<(u64, u32)> {
    let (campaign, share) = line.split_once(' ')?;
    Some((u64::from_str_radix(campaign, 16).ok()?, share.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_written_text_is_read_back(
            made_ms in any::<i64>(),
            rows in proptest::collection::btree_map(any::<u64>(), (any::<u32>(), any::<Option<u64>>()), 0..20),
        ) {
            let most = rows.iter().filter_map(|(campaign, (_, most))| Some((*campaign, (*most)?))).collect();
            let rows: Vec<(u64, u32)> = rows.into_iter().map(|(campaign, (share, _))| (campaign, share)).collect();
            let shares = Shares { made_ms, rows: rows.clone(), most };
            let mut text = String::new();
            shares.write(&mut text);
            let read = Shares::read(&text);
            prop_assert_eq!(read.as_ref(), Some(&shares));
            for (campaign, share) in rows {
                prop_assert_eq!(shares.of(campaign), share);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = Shares::read(&text);
        }
    }

    #[test]
    fn lines_of_other_versions_change_no_share() {
        let text =
            "5\nnumber 7 2\n0000000000000001 9\nmost 300\nmost 400\n0000000000000002 8\nleast 1\nmost 500\nmost\n";
        let read = Shares { made_ms: 5, rows: vec![(1, 9), (2, 8)], most: [(1, 300)].into() };
        assert_eq!(Shares::read(text), Some(read));
    }

    #[test]
    fn shares_of_several_pacers_are_one_text_without_those_of_former_owners() {
        let texts = "pacer 0 2 60000\n1790000000\nnumber 7 3\npacers 2 7\n0000000000000002 8\n0000000000000003 9\ncurves 7 abc\n\
            pacer 1 2 0\n1790000001\nnumber 8 3\n0000000000000003 5\nmost 4\nfffffffffffffffe 5\nmost 6\n";
        let mut joined = String::new();
        Shares::join(texts, &mut joined);
        let expected = "0000000000000002 4\ncurves 7 abc\n0000000000000003 5\nmost 4\n";
        assert_eq!(joined, expected);
    }

    #[test]
    fn old_shares_are_halved_and_then_stop() {
        for (age_ms, share) in [(-5, 1000), (59_999, 1000), (60_000, 500), (119_999, 500), (120_000, 0)] {
            assert_eq!(aged(1000, age_ms), share, "{age_ms}");
        }
        assert_eq!(Shares::default().of(7), 0);
    }
}
