//! Writes what the Worker needs to know of a catalog.

use crate::options::inputs;
use base::json::Object;
use catalog::{Catalog, Ssp};
use reasons::no_bid::NoBidReason;

/// Appends the facts about a catalog that the Worker needs: see `load` in `abi`.
pub fn catalog_facts(out: &mut String, catalog: &Catalog<'_>) {
    let parts = catalog.parts();
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let ssps: Vec<Ssp<'_>> = parts.ssps().iter().collect();
    let reasons: Vec<&str> = NoBidReason::ALL.iter().map(|reason| reason.as_str()).collect();
    let untargeted = [NoBidReason::NoCampaign, NoBidReason::Badv].map(|reason| i64::from(reason.number()));
    let mut facts = Object::begin(out);
    facts.number("campaigns", count(parts.campaigns().len()));
    facts.number("budgets", count(parts.budgets().len()));
    facts.objects("ssps", &ssps, |object, ssp| {
        object.string("id", ssp.id());
        object.string("sync_url", ssp.sync_url());
        object.truth("closed", !ssp.credentials().is_empty());
        object.truth("gzip", ssp.gzip());
        object.number("tmax", ssp.tmax());
    });
    facts.texts("reasons", &reasons);
    facts.numbers("untargeted", &untargeted);
    facts.texts("options", &inputs::used_by(&parts));
    facts.truth("paced", !parts.budgets().is_empty() || parts.learns());
    facts.end();
}
