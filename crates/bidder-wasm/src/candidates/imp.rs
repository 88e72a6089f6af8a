//! What an impression asks of a campaign besides what its request does.

use super::term::{Base, Terms};
use super::{Candidates, FIRST_OF_IMP, LAST, dimensions, find, take, values};
use crate::catalog::index::Key;
use crate::limits::BASE_WORK;
use crate::no_bid::NoBidReason as R;
use crate::request::{Imp, Request};
use crate::rules::banner;
use crate::work;

/// Who fits an impression of it too.
pub(crate) struct OfImp<'a> {
    /// All that it asks besides, bids without a deal and under one taken together.
    pub(super) terms: Terms<'a>,
    /// Who may bid without a deal; nothing where all do.
    pub(super) open: Option<Terms<'a>>,
    /// Who holds a deal.
    pub(super) held: Terms<'a>,
    /// What creatives need, once many had nothing to show: it tells only who cannot bid.
    pub(super) needs: Option<Terms<'a>>,
}

/// Dimensions and sets that most impressions ask for.
const ROOM_OF_IMP: usize = 8;

/// What [`Candidates::look_at_needs`] may cost.
const MOST_FOR_NEEDS: usize = BASE_WORK / 10;

impl<'a> Candidates<'a> {
    /// What an impression asks besides.
    pub(crate) fn of_imp(&self, imp: &Imp<'_>) -> OfImp<'a> {
        let (index, finder, campaigns) = (self.index, self.finder, self.campaigns);
        let mut terms = Terms::new(campaigns, ROOM_OF_IMP, self.meter, self.arena);
        let own = dimensions(index).filter(|dimension| (FIRST_OF_IMP..R::Deal).contains(&dimension.reason()));
        for dimension in own {
            terms.begin(dimension.reason(), Base::of(&dimension, self.campaigns));
            values::of_imp(dimension.reason(), imp, self.meter, |key| take(&mut terms, finder, &dimension, &key));
            terms.end();
        }
        let base = if imp.private_auction { Base::Nobody } else { Base::These(index.open(), usize::MAX) };
        let mut held = Terms::new(campaigns, 0, self.meter, self.arena);
        // Who bids at all, and who does so under a deal.
        terms.begin(R::Deal, base);
        held.begin(R::Deal, Base::Nobody);
        let mut has_deals = false;
        values::of_imp(R::Deal, imp, self.meter, |key| {
            if let Some(value) = find(&terms, finder, &key) {
                terms.take(value);
                held.take(value);
                has_deals = true;
            }
        });
        let open = has_deals.then(|| {
            let mut open = Terms::new(campaigns, 1, self.meter, self.arena);
            open.begin(R::Deal, base);
            open
        });
        terms.begin(R::MediaType, Base::Nobody);
        values::of_imp(R::MediaType, imp, self.meter, |key| {
            if let Some(value) = find(&terms, finder, &key) {
                terms.take(value);
            }
        });
        terms.begin(R::Size, Base::Nobody);
        values::of_size(imp, self.meter, |key| {
            if let Some(value) = find(&terms, finder, &key) {
                terms.take(value);
            }
        });
        for ratio in index.ratios().iter().take_while(|_| !self.meter.is_empty()) {
            self.meter.charge(work::of_ratio(imp));
            if imp.banner.as_ref().is_some_and(|offer| banner::offers(offer, ratio.shape())) {
                terms.include(ratio.campaigns());
            }
        }
        terms.order();
        held.order();
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
        let mut needs = Terms::new(self.campaigns, ROOM_OF_IMP, self.meter, self.arena);
        for dimension in dimensions(self.index).filter(|dimension| dimension.reason() > LAST) {
            let base = Base::of(&dimension, self.campaigns);
            if dimension.reason() == R::Asset {
                // Each of them.
                values::of_texts(imp, self.meter, |key| {
                    needs.begin(R::Asset, base);
                    take(&mut needs, self.finder, &dimension, &key);
                    needs.end();
                });
                continue;
            }
            needs.begin(dimension.reason(), base);
            let take = |key: Key<'_>| take(&mut needs, self.finder, &dimension, &key);
            if values::of_creatives(dimension.reason(), request, imp, take) {
                needs.end();
            } else {
                needs.take_back();
            }
        }
        needs.order();
        of_imp.needs = Some(needs);
    }
}
