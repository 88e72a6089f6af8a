//! The filters of one impression: its dimensions, its deals, and what creatives require.

use bumpalo::collections::Vec;

use super::Candidates;
use super::add::{add_single_value, add_value, look_up};
use super::filter::{Base, Filters, ImpFilters};
use super::values::{self, Lists};
use catalog::index::{Dimension, Key, number_key};
use openrtb::request::{Imp, Request};
use reasons::no_bid::NoBidReason as R;
use rules::form::Form;
use rules::offer::{MAX_OBJECTS, Offer, objects};
use rules::rows::form_of;
use rules::targeting::{Spot, value};
use rules::work;
use rules::{banner, duration_accepted, fills, native};

/// The most impressions have at most this many dimensions.
const CAPACITY: usize = 8;

/// The most work that [`Candidates::add_requirements`] may do, in units of [`rules::work`].
const MAX_REQUIREMENTS_WORK: usize = 18_000;

impl<'a> Candidates<'a> {
    /// The filters of an impression, without what creatives require.
    pub(crate) fn imp_filters(&self, imp: &Imp<'_>) -> ImpFilters<'a> {
        let (index, finder, campaigns) = (self.index, self.index.finder, self.index.campaigns);
        let mut filters = Filters::new(campaigns, CAPACITY, self.meter, self.arena);
        for dimension in &index.imp_dimensions {
            add_single_value(&mut filters, finder, dimension, &value::imp::of(dimension.reason, imp));
        }
        let base = if imp.private_auction { Base::Empty } else { Base::Bitset(index.stored.open(), usize::MAX) };
        filters.begin(R::Deal, base);
        let (mut deals, mut open) = (None, None);
        for deal in imp.deals.iter().take_while(|_| !self.meter.is_empty()) {
            let Some(postings) = look_up(&filters, finder, &Key::of(R::Deal, deal.id.value)) else { continue };
            filters.add(postings);
            let begun = |base| {
                let mut filters = Filters::new(campaigns, 1, self.meter, self.arena);
                filters.begin(R::Deal, base);
                filters
            };
            deals.get_or_insert_with(|| begun(Base::Empty)).add(postings);
            open.get_or_insert_with(|| begun(base));
        }
        let offered = [imp.banner.is_some(), imp.video.is_some(), imp.audio.is_some(), imp.native.is_some()];
        let mut media = index.media;
        media.iter_mut().zip(offered).for_each(|(campaigns, is_offered)| *campaigns = campaigns.filter(|_| is_offered));
        let [_, others @ ..] = media;
        filters.begin(R::MediaType, Base::Empty);
        media.into_iter().flatten().for_each(|campaigns| filters.include(campaigns));
        // Only banners have to match a size.
        filters.begin(R::Size, Base::Empty);
        others.into_iter().flatten().for_each(|campaigns| filters.include(campaigns));
        match &imp.banner {
            Some(offer) if !banner::has_readable_sizes(offer) => {}
            Some(offer) if banner::makes_size_claim(offer) => values::each_size(offer, self.meter, |key| {
                if let Some(postings) = look_up(&filters, finder, &key) {
                    filters.add(postings);
                }
            }),
            Some(_) => index.any_size.into_iter().for_each(|campaigns| filters.include(campaigns)),
            None => {}
        }
        for ratio in index.stored.ratios().iter().take_while(|_| !self.meter.is_empty()) {
            self.meter.charge(work::of_ratio(imp));
            if imp.banner.as_ref().is_some_and(|offer| banner::offers(offer, ratio.shape())) {
                filters.include(ratio.campaigns());
            }
        }
        filters.finish();
        deals.iter_mut().for_each(Filters::finish);
        ImpFilters { filters, open, deal: deals, requirements: None }
    }

    /// Adds what creatives require, unless the lists of the impression are so long that this costs more than it saves.
    pub(crate) fn add_requirements(&self, request: &Request<'_>, imp: &Imp<'_>, imp_filters: &mut ImpFilters<'a>) {
        let stored = self.index.stored;
        let work = work::of_requirements(request, imp, stored.native_parts().len());
        if imp_filters.requirements.is_some() || work > MAX_REQUIREMENTS_WORK {
            return;
        }
        self.meter.charge(work);
        let mut requirements = Filters::new(self.index.campaigns, CAPACITY, self.meter, self.arena);
        let (finder, spots) = (self.index.finder, Spot::all(imp));
        let is_linear = imp.banner.is_none() && imp.native.is_none();
        let whole = Offer { request: Some(request), imp: Some(imp), object: None };
        let mut each = Vec::with_capacity_in(MAX_OBJECTS, self.arena);
        each.extend(objects(imp).map(|object| Offer { object: Some(object), ..whole }));
        for dimension in &self.index.creative_dimensions {
            let reason = dimension.reason;
            let Some(form) = form_of(reason) else {
                if reason != R::Duration {
                    requirements.begin(reason, Base::of(dimension));
                    let mut take = |key: Key<'_>| add_value(&mut requirements, finder, dimension, &key);
                    values::each_spot_value(reason, &spots, &mut take);
                    requirements.end();
                } else if is_linear {
                    self.add_durations(imp, dimension, &mut requirements);
                }
                continue;
            };
            let Some(lists) = Lists::of(reason, form, (&whole, &each)) else { continue };
            // Every creative has a value in these rules. So a campaign without any of these values can be left out.
            let base = if form == Form::OneOf { Base::Empty } else { Base::of(dimension) };
            requirements.begin(reason, base);
            lists.each_key(reason, form, &mut |key| add_value(&mut requirements, finder, dimension, &key));
            requirements.end();
        }
        if is_linear && imp.linear().all(|offer| offer.boxingallowed == Some(false)) {
            requirements.begin(R::Boxing, Base::Empty);
            for frame in stored.frames().iter().take_while(|_| !self.meter.is_empty()) {
                self.meter.charge(work::OF_FRAME);
                if imp.linear().any(|offer| fills(offer, frame.w(), frame.h())) {
                    requirements.include(frame.campaigns());
                }
            }
        }
        if imp.banner.is_none() && imp.linear().next().is_none() {
            self.add_assets(imp, &mut requirements);
        }
        requirements.finish();
        imp_filters.requirements = Some(requirements);
    }

    /// Adds the durations that an impression takes. Every video and audio ad has one.
    fn add_durations(&self, imp: &Imp<'_>, dimension: &Dimension<'a>, requirements: &mut Filters<'a>) {
        requirements.begin(R::Duration, Base::Empty);
        for dur in self.index.stored.durations().iter().take_while(|_| !self.meter.is_empty()) {
            self.meter.charge(work::of_durations(imp));
            if imp.linear().any(|offer| duration_accepted(offer, dur)) {
                let key = Key { reason: R::Duration, a: &number_key(dur), b: b"" };
                add_value(requirements, self.index.finder, dimension, &key);
            }
        }
        requirements.end();
    }

    /// Adds the required assets of an impression that takes native ads only. An ad needs all of them, so each is a filter.
    fn add_assets(&self, imp: &Imp<'_>, requirements: &mut Filters<'a>) {
        let assets = imp.native.iter().flat_map(|offer| offer.assets).filter(|asset| asset.required);
        for asset in assets.take_while(|_| !self.meter.is_empty()) {
            requirements.begin(R::Asset, Base::Empty);
            for part in self.index.stored.native_parts().iter().filter(|own| native::fits(&asset.kind, own.part())) {
                requirements.include(part.campaigns());
            }
        }
    }
}
