//! `max_response_bytes` counts our URLs: an answer of exactly that many bytes stays, with one byte less it does not.

use bidder_wasm::Scratch;

use super::{Fixture, NOW_MS, decide, notices};

/// How often each effect of one byte less came up.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    other_bids: usize,
    no_bid: usize,
    /// The compiler says that one of the bids can never fit.
    refused: usize,
}

impl Counts {
    pub(crate) fn check(&self) {
        println!("{self:?}");
        let Counts { other_bids, no_bid, refused } = *self;
        assert!(other_bids >= 20 && no_bid >= 1000 && refused * 10 < no_bid, "{self:?}");
    }
}

pub(crate) fn check(fixture: &Fixture, billing: &str, counts: &mut Counts) -> Result<(), String> {
    let notices = notices();
    let answer = |limit: Option<usize>| -> Result<String, String> {
        let snapshot = fixture.snapshot(billing, limit)?;
        Ok(decide(&mut Scratch::default(), fixture, &snapshot.catalog(), Some(&notices), NOW_MS))
    };
    let full = answer(None)?;
    let short = match (answer(Some(full.len())), answer(Some(full.len() - 1))) {
        (Ok(exact), _) if exact != full => {
            return Err(format!("the limit {}, the length of the answer, changes it\n{full}\n{exact}", full.len()));
        }
        (Ok(_), Ok(short)) => short,
        (_, Err(error)) | (Err(error), _) if error.lines().all(|line| line.contains("bytes in a response")) => {
            counts.refused += 1;
            return Ok(());
        }
        (_, Err(error)) | (Err(error), _) => return Err(error),
    };
    if short.len() >= full.len() {
        return Err(format!("{} bytes, but the limit is {}: {short}", short.len(), full.len() - 1));
    }
    *if short.is_empty() { &mut counts.no_bid } else { &mut counts.other_bids } += 1;
    Ok(())
}
