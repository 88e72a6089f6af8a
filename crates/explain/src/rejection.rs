//! A campaign that failed a check, with what the check compared.

use core::ops::Deref;

use super::privacy;
use auction::pace::Pacing;
use base::money::Currency;
use catalog::{Advertiser, Bounds, BoundsDraft, Campaign, Catalog, Creative};
use consent::Verdict;
use flat::{Flat, Source};
use openrtb::request::{Deal, Imp, Request};
use reasons::no_bid::NoBidReason;
use rules::offer::{object, unreadable};
use rules::targeting::Facts;

use super::tree::Tree;
use super::words::distinct_list;

/// The decision that is explained.
pub(super) struct Case<'a> {
    /// The request as it was sent.
    pub(super) tree: &'a Tree,
    pub(super) facts: Facts<'a>,
    /// The facts if the verdict would hide nothing.
    pub(super) told: Facts<'a>,
    pub(super) verdict: Verdict,
    /// The currency of the answer.
    pub(super) cur: Currency,
    pub(super) catalog: &'a Catalog<'a>,
    pub(super) pacing: Option<&'a Pacing>,
}

#[derive(Clone, Copy)]
pub(super) struct Rejection<'a, 'c> {
    pub(super) case: &'a Case<'a>,
    pub(super) campaign: &'a Campaign<'c>,
    pub(super) imp: Option<&'a Imp<'a>>,
    pub(super) deal: Option<&'a Deal<'a>>,
    pub(super) reason: NoBidReason,
}

impl<'a> Deref for Rejection<'a, '_> {
    type Target = Case<'a>;

    fn deref(&self) -> &Case<'a> {
        self.case
    }
}

impl<'a, 'c> Rejection<'a, 'c> {
    pub(super) fn request(&self) -> &'a Request<'a> {
        self.case.facts.request
    }

    /// The impression; an empty one for a check of the request.
    pub(super) fn imp(&self) -> Imp<'a> {
        self.imp.copied().unwrap_or_default()
    }

    /// The campaign's targeting that the index does not hold; without limits if it has none.
    pub(super) fn bounds(&self) -> Bounds<'c> {
        self.campaign.bounds().get(0).unwrap_or_else(|| BoundsDraft::view(Source::default(), 0))
    }

    /// The SSP's name for the campaign's seat.
    pub(super) fn seat(&self) -> String {
        self.facts.ssp.name_of(self.campaign.seat()).into()
    }

    /// The campaign's creatives that no earlier check keeps out.
    pub(super) fn creatives(&self) -> impl Iterator<Item = Creative<'a>> + use<'a, 'c> {
        let Rejection { case: Case { facts, catalog, .. }, campaign, imp, deal, reason } = *self;
        catalog.parts().creatives_of(campaign).filter(move |creative| {
            let checked = imp.map_or(Ok(()), |imp| rules::creative::check(facts, imp, campaign, creative));
            let own = || rules::campaign::check_advertiser(facts.request, deal, &Advertiser::of(campaign, creative));
            let checked = checked.and_then(|()| if campaign.has_advertisers() { own() } else { Ok(()) });
            checked.map_or_else(|earlier| earlier >= reason, |()| true)
        })
    }

    /// Whether what restricts the bid cannot be read.
    pub(super) fn is_unreadable(&self) -> bool {
        let of_imp = |imp: &Imp<'_>| {
            let mut all = self.creatives().filter_map(|creative| object(imp, &creative.media()));
            all.any(|object| unreadable(&object) == Some(self.reason))
        };
        self.deal.is_some_and(|deal| deal.unreadable == Some(self.reason)) || self.imp.is_some_and(of_imp)
    }

    /// `text` of each creative.
    pub(super) fn own(&self, text: fn(&Creative<'_>) -> String) -> String {
        distinct_list(self.creatives().map(|creative| text(&creative)))
    }

    /// `text` of the facts, or a note if the verdict hides what the request tells.
    pub(super) fn unless_hidden(&self, text: impl Fn(&Facts<'_>) -> String) -> String {
        let known = text(&self.facts);
        if known == text(&self.told) { known } else { privacy::hidden(self.verdict) }
    }
}
