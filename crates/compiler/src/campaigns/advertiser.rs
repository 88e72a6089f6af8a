//! Makes ready to serve who advertises: the advertiser of a campaign or a creative, and what the ad tells under the DSA
//! (IAB community extension `dsa_transparency`).

use crate::taxonomy;
use base::json::Object;
use catalog::{AdvertiserDraft, DsaDraft};
use document::check::{At, ascii_domain};
use document::decode::Rule;
use document::{CampaignEntry, CreativeEntry, DsaEntry};

/// The taxonomy of an advertiser without `cattax`.
const DEFAULT_CATTAX: i64 = 1;

/// The advertiser of a campaign.
pub(crate) fn of_campaign(entry: &CampaignEntry) -> AdvertiserDraft {
    compile(&entry.adomain, entry.bundle.as_deref(), &entry.cat, entry.cattax)
}

/// The advertiser of a creative; `None` if it is that of the campaign.
pub(crate) fn of_creative(entry: &CreativeEntry, at: &At<'_>) -> Option<AdvertiserDraft> {
    if !entry.adomain.is_empty() {
        return Some(compile(&entry.adomain, entry.bundle.as_deref(), &entry.cat, entry.cattax));
    }
    let all = [("bundle", entry.bundle.is_some()), ("cat", !entry.cat.is_empty()), ("cattax", entry.cattax.is_some())];
    for (name, _) in all.iter().filter(|(_, is_given)| *is_given) {
        let message = "without adomain, the creative has no advertiser of its own; expected adomain too";
        at.attribute(name).report(Rule::Missing, message);
    }
    None
}

fn compile(adomain: &[String], bundle: Option<&str>, cat: &[String], cattax: Option<i64>) -> AdvertiserDraft {
    let adomain: Vec<String> = adomain.iter().map(|domain| ascii_domain(domain)).collect();
    let (bundle, cattax) = (bundle.unwrap_or_default(), cattax.unwrap_or(DEFAULT_CATTAX));
    let (mut advertised, mut categories) = (String::new(), String::new());
    let mut members = Object::more(&mut advertised);
    members.texts("adomain", &adomain);
    members.text("bundle", bundle);
    let mut members = Object::more(&mut categories);
    members.texts("cat", cat);
    if !cat.is_empty() {
        members.number("cattax", cattax);
    }
    let cat = cat.iter().map(|cat| taxonomy::path(cattax, cat)).collect();
    AdvertiserDraft { advertised, categories, adomain, bundle: bundle.to_owned(), cat, cattax }
}

/// `dsa` of a campaign.
pub(crate) fn dsa(entry: &DsaEntry) -> DsaDraft {
    let (mut names, mut transparency) = (String::new(), String::new());
    let mut members = Object::more(&mut names);
    members.string("behalf", &entry.behalf);
    members.string("paid", &entry.paid);
    members.number("adrender", entry.adrender);
    Object::more(&mut transparency).objects("transparency", &entry.transparency, |object, entry| {
        object.string("domain", &entry.domain.to_ascii_lowercase());
        object.numbers("dsaparams", &entry.dsaparams);
    });
    DsaDraft { adrender: entry.adrender == 1, names, transparency }
}
