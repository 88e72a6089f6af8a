//! The campaigns that do not bid, a row each: the first check that failed, its two sides, and where in the request it
//! looked.

use std::collections::BTreeMap;

use super::at::{About, Paths};
use super::checks;
use super::rejection::{Case, Rejection};
use auction::bid::Bid;
use auction::recorder::{Recorder, Unfit};
use base::json::Object;
use catalog::Campaign;
use openrtb::request::{Deal, Imp};
use reasons::no_bid::NoBidReason;

/// The reason of an eligible campaign that a better bid beats. No check failed, so it is not a [`NoBidReason`].
const OUTBID: &str = "outbid";

/// A campaign that does not bid, on one impression or on the whole request.
pub(super) struct Row {
    imp: Option<String>,
    reason: &'static str,
    /// The row as an object.
    json: String,
}

impl Row {
    pub(super) fn write(&self, out: &mut String) {
        out.push_str(&self.json);
    }
}

/// Receives the rejections of a decision.
pub(super) struct Rejections<'a> {
    pub(super) paths: &'a Paths<'a>,
    pub(super) case: &'a Case<'a>,
    /// The only campaign to list; empty for all.
    pub(super) campaign: &'a str,
    pub(super) kept: Kept,
}

/// The most rows of a report. A person does not read more, and each takes some hundred bytes.
const MAX_ROWS: usize = 10_000;

/// The rows of the campaigns that passed the most checks, and how many others there are.
#[derive(Default)]
pub(super) struct Kept {
    rows: Vec<Row>,
    /// The positions of the rows in `rows`, by the number of their reason.
    ranks: BTreeMap<u16, Vec<usize>>,
    more: BTreeMap<&'static str, usize>,
}

impl Kept {
    /// The rows of the impression `imp`; if `imp` is `None`, the rows of the whole request.
    pub(super) fn on_imp(&self, imp: Option<&str>) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.imp.as_deref() == imp).collect()
    }

    /// How many rows are not listed, by reason; empty if all are.
    pub(super) fn more(&self) -> String {
        let counts: Vec<String> = self.more.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        if counts.is_empty() {
            return String::new();
        }
        let all: usize = self.more.values().sum();
        format!("{all} further rejections are not listed ({}); ask about one campaign (campaign)", counts.join(", "))
    }

    /// Keeps a row with a reason of this number, or counts it, or another row that passed fewer checks.
    fn add(&mut self, number: u16, reason: &'static str, row: impl FnOnce() -> Row) {
        let position = if self.rows.len() < MAX_ROWS {
            self.rows.push(row());
            self.rows.len() - 1
        } else {
            let lowest = self.ranks.first_entry().filter(|lowest| *lowest.key() < number);
            let Some((position, kept)) = lowest.and_then(|mut lowest| {
                let position = lowest.get_mut().pop()?;
                if lowest.get().is_empty() {
                    lowest.remove();
                }
                Some((position, self.rows.get_mut(position)?))
            }) else {
                *self.more.entry(reason).or_default() += 1;
                return;
            };
            *self.more.entry(kept.reason).or_default() += 1;
            *kept = row();
            position
        };
        self.ranks.entry(number).or_default().push(position);
    }
}

impl Rejections<'_> {
    /// What an outbid campaign would pay, and what the better bid pays.
    fn prices(&self, bid: &Bid<'_>, by: &Bid<'_>) -> (String, String) {
        let price = |bid: &Bid<'_>| format!("{} {}", bid.price.bid, self.case.cur.as_str());
        let under = by.deal.map_or_else(String::new, |deal| format!(" under {}", deal.id.value));
        let found = format!("{} of {} with {}{under}", price(by), by.campaign.cid(), by.creative.crid());
        (format!("{} with {}", price(bid), bid.creative.crid()), found)
    }

    fn is_asked(&self, campaign: &Campaign<'_>) -> bool {
        self.campaign.is_empty() || campaign.cid() == self.campaign
    }

    /// A row with the members that `more` adds.
    fn row(
        campaign: &Campaign<'_>,
        imp: Option<&Imp<'_>>,
        deal: Option<&Deal<'_>>,
        reason: &'static str,
        (wanted, found): (String, String),
        more: impl FnOnce(&mut Object<'_>),
    ) -> Row {
        let mut json = String::new();
        let mut object = Object::begin(&mut json);
        object.string("cid", campaign.cid());
        object.text("dealid", dealid(deal));
        object.string("reason", reason);
        object.text("wanted", &wanted);
        object.text("found", &found);
        more(&mut object);
        object.end();
        Row { imp: imp.map(|imp| imp.id.value.to_owned()), reason, json }
    }
}

fn dealid<'a>(deal: Option<&Deal<'a>>) -> &'a str {
    deal.map_or("", |deal| deal.id.value)
}

impl Recorder for Rejections<'_> {
    fn rejected(
        &mut self,
        campaign: &Campaign<'_>,
        imp: Option<&Imp<'_>>,
        deal: Option<&Deal<'_>>,
        reason: NoBidReason,
    ) {
        if !self.is_asked(campaign) {
            return;
        }
        let rejection = Rejection { case: self.case, campaign, imp, deal, reason };
        self.kept.add(reason.number().into(), reason.as_str(), || {
            let at = self.paths.of(reason, &About::rejection(&rejection));
            Self::row(campaign, imp, deal, reason.as_str(), checks::comparison(&rejection), |row| row.texts("at", &at))
        });
    }

    fn outbid(&mut self, bid: &Bid<'_>, by: &Bid<'_>, unfit: Option<Unfit<'_>>) {
        if !self.is_asked(&bid.campaign) {
            return;
        }
        let at = unfit.map_or_else(Vec::new, |unfit| {
            let (imp, reason) = (Some(bid.imp), unfit.reason());
            let rejection = Rejection { case: self.case, campaign: &bid.campaign, imp, deal: bid.deal, reason };
            self.paths.of(reason, &About::rejection(&rejection))
        });
        let (compared, by) = match &unfit {
            None => (self.prices(bid, by), Some(by)),
            Some(Unfit::Seconds { dur, left }) => {
                let found = format!("{left} s left in the pod, beside the ads in it");
                ((format!("room for {dur} s of {}", bid.creative.crid()), found), None)
            }
            Some(Unfit::Duplicate(twin)) => {
                let found = format!("a duplicate of {} of {}", twin.creative.crid(), twin.campaign.cid());
                ((checks::NO_DUPLICATE.into(), found), Some(twin))
            }
        };
        let reason = unfit.map_or(OUTBID, |unfit| unfit.reason().as_str());
        let more = |row: &mut Object<'_>| {
            row.texts("at", &at);
            if let Some(by) = by {
                row.object("by", |object| {
                    object.string("cid", by.campaign.cid());
                    object.string("crid", by.creative.crid());
                    object.text("dealid", dealid(by.deal));
                    object.string("price", &by.price.bid.to_string());
                });
            }
        };
        let row = || Self::row(&bid.campaign, Some(bid.imp), bid.deal, reason, compared, more);
        self.kept.add(u16::MAX, reason, row);
    }
}
