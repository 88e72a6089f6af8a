//! Decisions on catalogs and requests that the tests make: categories, macros of exchanges, the search, limits, pods, budgets, frequency caps and
//! SKAdNetwork.

mod caps;
mod categories;
mod exchange_macros;
mod limits;
mod pacing;
mod pods;
mod search;
mod shading;
mod skadn;

use auction::context::Context;
use auction::recorder::Recorder;
use auction::{Outcome, Scratch};
use catalog::{Catalog, Snapshot};
use serde_json::{Value, json};

use super::{NOW_MS, compiled};

/// An object with the members of both.
fn with(mut object: Value, more: &Value) -> Value {
    object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    object
}

/// A catalog whose campaigns show a banner of 300 x 250. `more` are members of the document.
fn snapshot(more: &Value, campaigns: impl IntoIterator<Item = Value>) -> Snapshot {
    let campaigns: Value = campaigns.into_iter().collect();
    let document = json!({"format": 1, "ssps": [{"id": "demo"}], "campaigns": campaigns,
        "creatives": [{"crid": "b", "banner": {"w": 300, "h": 250, "adm": "<p>"}}]});
    compiled(with(document, more).to_string()).unwrap()
}

fn campaign(cid: &str, more: &Value) -> Value {
    let common = json!({"cid": cid, "seat": "s", "adomain": ["a.example"], "max_cpm": "1", "creatives": ["b"]});
    with(common, more)
}

/// A video of this duration with this number of files, whose URLs contain `crid`.
fn video(crid: &str, dur: i64, files: usize) -> Value {
    let file = |at: usize| json!({"url": format!("https://m.example/{crid}/{at}"), "mime": "video/mp4"});
    let media: Value = (0..files).map(file).collect();
    json!({"crid": crid, "video": {"dur": dur, "protocol": 3, "w": 640, "h": 360, "media": media}})
}

/// An impression for a banner of 300 x 250.
fn banner(more: &Value) -> Value {
    with(json!({"id": "1", "banner": {"w": 300, "h": 250}}), more)
}

/// A request with these impressions.
fn request(imps: impl IntoIterator<Item = Value>) -> Value {
    json!({"id": "r", "imp": imps.into_iter().collect::<Value>()})
}

/// What a decision shows outside.
struct Decided {
    outcome: Outcome,
    /// The response; empty if there is none.
    body: String,
    scratch: Scratch,
}

impl Decided {
    fn json(&self) -> Value {
        parsed(&self.body)
    }

    fn bids(&self) -> Vec<Value> {
        super::bids(&self.json()).into_iter().cloned().collect()
    }
}

/// Decides with fresh memory, at the first SSP.
fn decide(catalog: &Catalog<'_>, request: &Value, context: &Context<'_>) -> Decided {
    decide_with(Scratch::default(), catalog, request, context, &mut ())
}

fn decide_with(
    mut scratch: Scratch,
    catalog: &Catalog<'_>,
    request: &Value,
    context: &Context<'_>,
    recorder: &mut impl Recorder,
) -> Decided {
    let (outcome, body) = super::decide(&mut scratch, request.to_string().as_bytes(), 0, catalog, context, recorder);
    Decided { outcome, body, scratch }
}

/// Null for an empty text.
fn parsed(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { serde_json::from_str(text).unwrap() }
}
