//! What an impression asks of a campaign besides what its request does.

use super::term::{Base, Terms};
use super::{Candidates, find, take, take_one, values};
use crate::catalog::index::{Key, Set};
use crate::no_bid::NoBidReason as R;
use crate::request::{Imp, Request};
use crate::rules::banner;
use crate::targeting::{Spot, told};
use crate::work;

/// Who fits an impression of it too.
pub(crate) struct OfImp<'a> {
    /// All that it asks besides, bids without a deal and under one taken together.
    pub(super) terms: Terms<'a>,
    /// Who may bid without a deal; nothing where all do.
    pub(super) open: Option<Terms<'a>>,
    /// The campaigns that hold a deal on offer; `None` where no campaign holds one.
    pub(super) held: Option<Terms<'a>>,
    /// What creatives need, once many had nothing to show: it tells only who cannot bid.
    pub(super) needs: Option<Terms<'a>>,
}

/// Dimensions and sets that most impressions ask for.
const ROOM_OF_IMP: usize = 8;

/// What [`Candidates::look_at_needs`] may cost, in units of work.
const MOST_FOR_NEEDS: usize = 18_000;

impl<'a> Candidates<'a> {
    /// What an impression asks besides.
    pub(crate) fn of_imp(&self, imp: &Imp<'_>) -> OfImp<'a> {
        let (index, finder, campaigns) = (self.index, self.index.finder, self.index.campaigns);
        let mut terms = Terms::new(campaigns, ROOM_OF_IMP, self.meter, self.arena);
        for dimension in &index.of_imp {
            take_one(&mut terms, finder, dimension, &told::of_imp(dimension.reason, imp));
        }
        let base = if imp.private_auction { Base::Nobody } else { Base::These(index.laid.open(), usize::MAX) };
        terms.begin(R::Deal, base);
        let (mut held, mut open) = (None, None);
        for deal in imp.deals.iter().take_while(|_| !self.meter.is_empty()) {
            let Some(value) = find(&terms, finder, &Key::of(R::Deal, deal.id.value)) else { continue };
            terms.take(value);
            let begun = |base| {
                let mut terms = Terms::new(campaigns, 1, self.meter, self.arena);
                terms.begin(R::Deal, base);
                terms
            };
            held.get_or_insert_with(|| begun(Base::Nobody)).take(value);
            open.get_or_insert_with(|| begun(base));
        }
        let [banner, video, audio, native] = index.media;
        let others = [(video, imp.video.is_some()), (audio, imp.audio.is_some()), (native, imp.native.is_some())];
        terms.begin(R::MediaType, Base::Nobody);
        offered(&mut terms, &[(banner, imp.banner.is_some())]);
        offered(&mut terms, &others);
        // Only banners have to fit a size.
        terms.begin(R::Size, Base::Nobody);
        offered(&mut terms, &others);
        match &imp.banner {
            Some(offer) if banner::makes_size_claim(offer) => values::of_size(offer, self.meter, |key| {
                if let Some(value) = find(&terms, finder, &key) {
                    terms.take(value);
                }
            }),
            Some(_) => index.any_size.into_iter().for_each(|set| terms.include(set)),
            None => {}
        }
        for ratio in index.laid.ratios().iter().take_while(|_| !self.meter.is_empty()) {
            self.meter.charge(work::of_ratio(imp));
            if imp.banner.as_ref().is_some_and(|offer| banner::offers(offer, ratio.shape())) {
                terms.include(ratio.campaigns());
            }
        }
        terms.order();
        held.iter_mut().for_each(Terms::order);
        OfImp { terms, open, held, needs: None }
    }

    /// Looks from now on at what the creatives need too, unless the lists of the impression are so long that finding out
    /// would cost more than it could save.
    pub(crate) fn look_at_needs(&self, request: &Request<'_>, imp: &Imp<'_>, of_imp: &mut OfImp<'a>) {
        let work = work::of_needs(request, imp);
        if of_imp.needs.is_some() || work > MOST_FOR_NEEDS {
            return;
        }
        self.meter.charge(work);
        let mut needs = Terms::new(self.index.campaigns, ROOM_OF_IMP, self.meter, self.arena);
        let (finder, spots) = (self.index.finder, Spot::all(imp));
        for dimension in &self.index.of_creatives {
            let base = Base::of(dimension);
            if dimension.reason == R::Asset {
                // Each of them.
                values::of_texts(imp, self.meter, &mut |key| {
                    needs.begin(R::Asset, base);
                    take(&mut needs, finder, dimension, &key);
                    needs.end();
                });
                continue;
            }
            needs.begin(dimension.reason, base);
            let mut take = |key: Key<'_>| take(&mut needs, finder, dimension, &key);
            if told::is_of_spot(dimension.reason) {
                values::of_spots(dimension.reason, &spots, &mut take);
                needs.end();
            } else if values::of_creatives(dimension.reason, request, imp, &mut take) {
                needs.end();
            } else {
                needs.take_back();
            }
        }
        needs.order();
        of_imp.needs = Some(needs);
    }
}

/// Adds the campaigns that have an ad of an offered type.
fn offered<'a>(terms: &mut Terms<'a>, types: &[(Option<Set<'a>>, bool)]) {
    for (set, is_offered) in types {
        if let (Some(set), true) = (set, is_offered) {
            terms.include(*set);
        }
    }
}
