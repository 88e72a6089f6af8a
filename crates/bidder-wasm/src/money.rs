//! Notices, and the data of the ledger and the pacer: counts of bids, budgets, shares.

use base::json;
use pacing::part::Part;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{Bidder, called, text};
use auction::pace::Pacing;
use auction::write;
use notices::settle::{Directory, NoticeReader, PriceKeys};
use notices::{Notices, is_origin};

/// Sets the settings of notices from the first `len` bytes of input, lines of text: the origin of the URLs, such as
/// `https://bidder.example`; the number of shards of the ledger; the number of keys of tokens, and then these keys; and
/// the keys of encoded prices, see [`PriceKeys::new`]. Without an origin, bids have no notice URLs of ours.
///
/// The output is `{"errors":[…]}`, without `errors` if there are none.
#[wasm_bindgen]
pub fn set_notices(len: usize) {
    called(len, |input, output, bidder| {
        let Some(catalog) = &bidder.catalog else { return };
        let (origin, keys) = text(input).split_once('\n').unwrap_or_default();
        // A bidder with several host names gets another origin with nearly each request. Making the keys takes longer than a
        // decision.
        if let Some(notices) = bidder.notices.as_mut().filter(|_| keys == bidder.notice_keys)
            && is_origin(origin)
        {
            origin.clone_into(&mut notices.origin);
            return output.push_str(&bidder.notice_errors);
        }
        let mut lines = text(input).lines();
        let (settings, mut errors) = Notices::from_lines(&mut lines);
        let mut price_keys = PriceKeys::default();
        // Without settings, no notice is read.
        if settings.is_some() {
            let more;
            (price_keys, more) = PriceKeys::new(lines, catalog);
            errors.extend(more);
        }
        (bidder.notices, bidder.price_keys) = (settings, price_keys);
        let mut object = json::Object::begin(output);
        object.texts("errors", &errors);
        object.end();
        keys.clone_into(&mut bidder.notice_keys);
        output.as_str().clone_into(&mut bidder.notice_errors);
    });
}

/// Reads the first `len` bytes of input as the end of a notice's URL, `KIND/TOKEN?QUERY`, at `now_ms` milliseconds
/// since the Unix epoch. Returns false if there is no such kind of notice, or the bidder takes no notices. Otherwise
/// the output is the verdict: see [`NoticeReader::write`].
// Milliseconds since the epoch are far below 2^53, so a float holds them exactly.
#[allow(clippy::cast_possible_truncation)]
#[wasm_bindgen]
pub fn notice(len: usize, now_ms: f64) -> bool {
    called(len, |input, output, Bidder { scratch, catalog, notices, price_keys, directory, .. }| {
        let (Some(catalog), Some(notices)) = (catalog.as_ref(), notices.as_ref()) else { return false };
        let directory = directory.get_or_insert_with(|| Directory::of(catalog));
        let reader = NoticeReader { notices, price_keys, directory, catalog, now_ms: now_ms as i64 };
        let verdict = reader.read(input, scratch.arena());
        verdict.inspect(|verdict| reader.write(output, verdict)).is_some()
    })
}

/// Takes the counts of bids since the last call. The output is that of [`Tally::take`](auction::write::Tally::take).
#[wasm_bindgen]
pub fn take_tally() {
    called(0, |_, output, Bidder { scratch, .. }| scratch.tally.take(output));
}

/// Writes the budgets, SSPs and rates of the catalog, for one of `of` pacers. The output is that of
/// [`write::budgets`].
#[wasm_bindgen]
pub fn budgets(number: u32, of: u32) {
    called(0, |_, output, Bidder { catalog, .. }| {
        if let Some(catalog) = catalog {
            write::budgets(output, catalog, Part { number, of });
        }
    });
}

/// Takes the first `len` bytes of input as the shares of campaigns with a budget: the text of
/// [`Shares`](pacing::shares::Shares). They apply until the next call. Without any bytes, or with bytes that are not
/// shares, no shares are known; in the latter case, returns false. The text also has what options learn.
#[wasm_bindgen]
pub fn set_shares(len: usize) -> bool {
    called(len, |input, _, Bidder { catalog, pacing, options, .. }| {
        let Some(catalog) = catalog else { return false };
        options.read_shares(text(input), catalog);
        *pacing = Pacing::read(text(input), catalog).map(|newer| newer.after(pacing.as_ref()));
        pacing.is_some() || len == 0
    })
}

/// Takes the counts of campaigns with a budget since the last call, at `now_ms` milliseconds since the Unix epoch, or 0
/// if the time is not known. The output is that of [`Demand::take`](auction::write::Demand::take).
// Milliseconds since the epoch are far below 2^53, so a float holds them exactly.
#[allow(clippy::cast_possible_truncation)]
#[wasm_bindgen]
pub fn take_counts(now_ms: f64) {
    called(0, |_, output, Bidder { scratch, catalog, .. }| {
        if let Some(catalog) = catalog {
            scratch.demand.take(now_ms as i64, catalog, output);
        }
    });
}
