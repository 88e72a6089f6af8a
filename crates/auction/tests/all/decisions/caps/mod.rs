//! Frequency caps inside the module: which campaigns are asked about, what is answered without an answer, and that the
//! second decision is the plain decision without the refused campaigns.

mod generated;
mod limits;
mod people;
mod placeholders;

use auction::Outcome;
use auction::context::Context;
use auction::options::caps::Allowed;
use catalog::Snapshot;
use notices::Notices;
use rules::frequency::Frequency;
use serde_json::{Value, json};

use super::{banner, parsed, with};
use crate::{bids, text};

/// The number of an object, as the Worker gives it.
const OBJECT: u16 = 71;

pub(crate) fn snapshot(document: &Value) -> Snapshot {
    super::snapshot(document, [])
}

/// What a decision shows outside.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    /// The response; null if there is none.
    pub(crate) body: Value,
    /// What is asked, or what counts; null if nothing.
    pub(crate) asked: Value,
    pub(crate) work: usize,
    /// The counts of bids for the report.
    pub(crate) tally: Value,
}

impl Answer {
    /// Impression, campaign and creative of each bid.
    pub(crate) fn bids(&self) -> Vec<[&str; 3]> {
        let named = |bid| ["impid", "cid", "crid"].map(|key| text(bid, key));
        bids(&self.body).into_iter().map(named).collect()
    }

    pub(crate) fn subjects(&self) -> Vec<&str> {
        let subjects = self.asked["subjects"].as_array().into_iter().flatten();
        subjects.map(|subject| text(subject, "subject")).collect()
    }
}

/// Decides. `allowed`: these subjects of an earlier [`Answer`], each with the number that is left; many without one.
pub(crate) fn decide(
    snapshot: &Snapshot,
    request: &Value,
    notices: Option<&Notices>,
    allowed: Option<&[&str]>,
) -> Answer {
    let catalog = snapshot.catalog();
    let mut context = Context { now_ms: super::NOW_MS, seed: 7, notices, ..Context::default() };
    let line = |subject: &&str| if subject.contains(' ') { format!("{subject}\n") } else { format!("{subject} 99\n") };
    let lines = |subjects: &[&str]| format!("{OBJECT}\n{}", subjects.iter().map(line).collect::<String>());
    let allowed = allowed.map(|subjects| Allowed::read(&lines(subjects)));
    if let Some(allowed) = &allowed {
        context.options.frequency = Frequency::Only(&allowed.subjects);
        context.options.counted_by = allowed.counted_by;
        context.max_work = Some(catalog.max_work / 2);
    }
    let (mut decided, mut tally) = (super::decide(&catalog, request, &context), String::new());
    decided.scratch.tally.take(&mut tally);
    let (body, asked, tally) = (decided.json(), parsed(decided.scratch.left.json())["caps"].take(), parsed(&tally));
    Answer { outcome: decided.outcome, body, asked, work: decided.scratch.effort().work, tally }
}

/// A campaign with one creative.
pub(crate) fn campaign(cid: &str, max_cpm: &str, caps: &Value) -> Value {
    super::campaign(cid, &json!({"max_cpm": max_cpm, "caps": caps}))
}

pub(crate) fn catalog(campaigns: &[Value]) -> Value {
    let banner = json!({"w": 300, "h": 250, "adm": "<p>"});
    json!({"creatives": [{"crid": "b", "banner": banner}], "campaigns": campaigns})
}

pub(crate) fn request(user: &Value) -> Value {
    with(super::request([banner(&json!({}))]), &json!({ "user": user }))
}
