//! Frequency caps: makes the question about a person, and the answer to send if the object is late.
//!
//! The module does not know how often a person has seen a campaign: an object of the Worker does. So a request whose
//! best bids have caps is decided in two calls. The first finds up to [`MAX_CAPPED_WINNERS`] best bids with caps, and
//! keeps an answer without any campaign that has caps. The Worker asks the object about them. The second call decides
//! again: of the campaigns with caps, only those that the object allows may bid. If the object is late, the Worker
//! sends the kept answer.
//!
//! A request whose best bids have no caps costs nothing more.

mod bid;
mod person;
pub(crate) mod sent;

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::bid::Bid;
use crate::decide::{Decision, Effort};
use crate::write::{Demand, Tally};
use base::json::Object;
use base::limits::{MAX_ASK_MS, MAX_CAPPED_WINNERS, MIN_AFTER_ASK_MS};
use catalog::{Catalog, Per, Ssp};
use flat::List;
use notices::{Keys, Notices};
use openrtb::request::Request;
pub use person::{Kind, Person};
use rules::frequency::{Frequency, Left, Subject};

/// A subject and its caps.
pub type Limited<'a> = (Subject, List<'a, (Per, u32)>);

/// Decides in passes. `pass` decides with these campaigns and creatives, and at most this much work; `None` for the
/// catalog's `max_work`. Without an [`Ask`], the decision is final. With an [`Ask`], it is the answer to keep.
///
/// Without `notices` there are no keys, so nothing can be counted. A campaign with caps then bids only for an unknown
/// person. All passes after the first together may take half of `max_work`, and so may the second call.
pub(crate) fn decide<'a>(
    max_work: usize,
    notices: Option<&Notices>,
    arena: &'a Bump,
    mut pass: impl FnMut(Frequency<'a>, Option<usize>) -> (Decision<'a>, Effort),
) -> (Decision<'a>, Effort, Option<Ask<'a>>) {
    let (decision, mut effort) = pass(Frequency::Open, None);
    let mut found = Found { limited: ArenaVec::new_in(arena), winners: 0 };
    let person = match &decision {
        Decision::Bids { envelope, bids } if found.add(bids) => Person::of(envelope.facts),
        _ => None,
    };
    let Some(person) = person else { return (decision, effort, None) };
    let mut left = max_work / 2;
    loop {
        let is_last = notices.is_none() || found.winners >= MAX_CAPPED_WINNERS;
        let frequency = if is_last { Frequency::Only(&[]) } else { Frequency::Except(found.subjects(arena)) };
        let (decision, taken) = pass(frequency, Some(if is_last { left } else { left / 2 }));
        left = left.saturating_sub(taken.work);
        effort = Effort { examined: effort.examined + taken.examined, work: effort.work + taken.work, ..taken };
        let is_open = match &decision {
            Decision::Bids { bids, .. } => !is_last && found.add(bids),
            Decision::NoBid(_) => false,
        };
        if !is_open {
            let ask = notices.map(|_| Ask { person, limited: found.limited.into_bump_slice() });
            return (decision, effort, ask);
        }
    }
}

/// The subjects of the best bids so far.
struct Found<'a> {
    limited: ArenaVec<'a, Limited<'a>>,
    winners: usize,
}

impl<'a> Found<'a> {
    /// Adds the subjects of these bids, as long as there is room. True if a bid has caps.
    fn add(&mut self, bids: &[Bid<'a>]) -> bool {
        let before = self.winners;
        for bid in bids.iter().filter(|bid| bid.has_caps()) {
            if self.winners >= MAX_CAPPED_WINNERS {
                break;
            }
            self.winners += 1;
            let own = [
                (Subject::of_campaign(&bid.campaign), bid.campaign.caps()),
                (Subject::of_creative(&bid.creative), bid.creative.caps()),
            ];
            for (subject, caps) in own {
                if !caps.is_empty() && !self.limited.iter().any(|(known, _)| *known == subject) {
                    self.limited.push((subject, caps));
                }
            }
        }
        self.winners > before
    }

    fn subjects(&self, arena: &'a Bump) -> &'a [Subject] {
        arena.alloc_slice_fill_iter(self.limited.iter().map(|(subject, _)| *subject))
    }
}

/// The counts of an answer that is perhaps not sent.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// For the report.
    pub(crate) tally: Tally,
    /// For the pacer.
    pub(crate) demand: Demand,
}

/// The question to the object of a person.
#[derive(Debug)]
pub struct Ask<'a> {
    /// The person.
    pub person: Person<'a>,
    /// The campaigns and creatives that would bid.
    pub limited: &'a [Limited<'a>],
}

impl Ask<'_> {
    /// Appends `{"keys":[…],"ms","hours","subjects":[{"subject","caps":[{"n","per"}]}],"kept":{…},"demand"}`:
    ///
    /// - `keys`: the person's keys, 32 hex digits each; the first one is for writing,
    /// - `ms`: the milliseconds from the arrival of the request until the object must have answered; 0 or less: do not
    ///   ask,
    /// - `hours`: how long notices of the bids are valid,
    /// - `subjects`: at most twice [`MAX_CAPPED_WINNERS`](base::limits::MAX_CAPPED_WINNERS),
    /// - `kept`: the counts of the kept answer, as [`Tally::take`] writes them,
    /// - `demand`: its bids of campaigns with a budget, as [`Demand::take`] writes them; absent if there are none.
    pub(crate) fn write(
        &self,
        out: &mut String,
        keys: &Keys,
        request: &Request<'_>,
        (ssp, catalog): (Ssp<'_>, &Catalog<'_>),
        kept: &mut Kept,
    ) {
        let mut demand = String::new();
        kept.demand.take(0, catalog, &mut demand);
        let mut object = Object::begin(out);
        self.person.write(&mut object, keys);
        object.number("ms", ask_ms(request, ssp));
        object.number("hours", i64::from(ssp.notice_hours()));
        object.objects("subjects", self.limited, |object, (subject, caps)| {
            object.quoted("subject", |out| sent::subject(out, *subject));
            let caps: Vec<_> = caps.iter().collect();
            object.objects("caps", &caps, |object, (per, n)| {
                object.number("n", i64::from(*n));
                object.string("per", per.as_str());
            });
        });
        object.raw("kept", |out| kept.tally.take(out));
        object.text("demand", &demand);
        object.end();
    }
}

/// The milliseconds that an object has for its answer. The exchange's limit is `tmax` of the request, else the usual
/// `tmax` of the SSP.
fn ask_ms(request: &Request<'_>, ssp: Ssp<'_>) -> i64 {
    let tmax = [request.tmax, ssp.tmax()].into_iter().find(|ms| *ms > 0);
    tmax.map_or(MAX_ASK_MS, |ms| MAX_ASK_MS.min(ms - ssp.latency_ms() - MIN_AFTER_ASK_MS))
}

/// The campaigns and creatives that an object has allowed.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    /// The number of the object in tokens.
    pub counted_by: u16,
    /// The campaigns and creatives that may bid.
    pub subjects: Vec<Left>,
}

impl Allowed {
    /// Reads lines: the number, and the subjects as [`Ask`] writes them, without quotes, each with how often the person
    /// may still see it: `c000000000000000a 2`. An unreadable line allows nothing.
    pub fn read(text: &str) -> Allowed {
        let mut lines = text.lines();
        let counted_by = lines.next().and_then(|line| line.parse().ok()).unwrap_or_default();
        let subject = |line: &str| {
            let (name, left) = line.split_once(' ')?;
            let letter = name.chars().next().filter(|letter| matches!(letter, 'c' | 'k'))?;
            let hash = u64::from_str_radix(name.get(1..)?, 16).ok()?;
            Some((Subject(letter, hash), left.parse().ok()?))
        };
        Allowed { counted_by, subjects: lines.filter_map(subject).collect() }
    }
}
