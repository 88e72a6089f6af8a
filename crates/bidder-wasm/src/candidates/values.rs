//! The keys under which the index of a catalog holds what a request says.
//!
//! Targeting is read by [`told`]; what an SSP blocks and what creatives require is read here. Says the same as [`crate::rules`]
//! says of one campaign: a campaign is eligible in a dimension if it includes one of the keys, or includes nothing, and
//! excludes none.

use crate::catalog::index::{ANY_CATEGORY, ANY_SIZE, Key, number_key};
use crate::digits::Digits;
use crate::domain;
use crate::flat::List;
use crate::no_bid::NoBidReason as R;
use crate::request::{AssetKind, Banner, Imp, Request, Size};
use crate::rules::{banner, dsa};
use crate::targeting::{Facts, Spot, Told, Value, told};
use crate::work::Meter;

/// What a request says in a dimension that does not depend on the impression.
pub(super) fn of_request<'a>(reason: R, facts: &Facts<'a>, ssp: usize) -> Told<'a> {
    let request = facts.request;
    let several = |list: &[&str]| if list.is_empty() { Told::Nothing } else { Told::Several };
    match reason {
        R::Ssp => Told::from(i64::try_from(ssp).unwrap_or(-1)),
        R::Dsa => Told::from(dsa::required(&request.regs.dsa)),
        R::Badv => several(request.badv),
        R::Bcat => several(request.bcat),
        R::Bapp => several(request.bapp),
        reason => told::of_request(reason, facts),
    }
}

/// Where the keys of a dimension go.
struct To<'t> {
    reason: R,
    take: &'t mut dyn FnMut(Key<'_>),
}

impl To<'_> {
    #[inline]
    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => self.text(text),
            Value::Number(number) => self.number(number),
            Value::Category(cat, cattax) => self.pair(cat.as_bytes(), Digits::of(cattax).as_bytes()),
            Value::Segment(provider, id) => self.pair(provider.as_bytes(), id.as_bytes()),
        }
    }

    fn text(&mut self, text: &str) {
        self.pair(text.as_bytes(), b"");
    }

    fn number(&mut self, number: i64) {
        self.pair(&number_key(number), b"");
    }

    fn pair(&mut self, a: &[u8], b: &[u8]) {
        (self.take)(Key { reason: self.reason, a, b });
    }
}

/// Hands over all keys of a dimension in which a request can say several things. Stops when `meter` is empty.
#[inline(never)]
pub(super) fn each_of_request(
    reason: R,
    facts: &Facts<'_>,
    taxonomies: List<'_, i64>,
    meter: &Meter,
    take: &mut dyn FnMut(Key<'_>),
) {
    let mut to = To { reason, take };
    match reason {
        R::Badv => {
            let listed = facts.request.badv.iter().flat_map(|entry| domain::hosts(entry)).map(domain::strip_www);
            let listed = listed.filter(|listed| !listed.is_empty()).take_while(|_| !meter.is_empty());
            listed.for_each(|text| to.text(text));
        }
        R::Bapp => facts.request.bapp.iter().take_while(|_| !meter.is_empty()).for_each(|listed| to.text(listed)),
        R::Bcat => of_bcat(facts.request, taxonomies, meter, &mut to),
        reason => told::each_of_request(reason, facts, meter, |value| to.value(value)),
    }
}

/// Hands over the categories that a request blocks, and every category of another taxonomy than theirs: those cannot be
/// compared.
fn of_bcat(request: &Request<'_>, taxonomies: List<'_, i64>, meter: &Meter, to: &mut To<'_>) {
    for other in taxonomies.iter().filter(|taxonomy| *taxonomy != request.cattax) {
        to.pair(Digits::of(other).as_bytes(), ANY_CATEGORY);
    }
    let cattax = Digits::of(request.cattax);
    for a in request.bcat.iter().take_while(|_| !meter.is_empty()) {
        to.pair(a.as_bytes(), cattax.as_bytes());
    }
}

/// Hands over the keys of the sizes that an impression has on offer.
pub(super) fn of_size(offer: &Banner<'_>, meter: &Meter, mut take: impl FnMut(Key<'_>)) {
    for Size { w, h } in banner::sizes(offer).take_while(|_| !meter.is_empty()) {
        let (wide, high) = (number_key(w), number_key(h));
        let (a, b) = (if w > 0 { &wide } else { ANY_SIZE }, if h > 0 { &high } else { ANY_SIZE });
        take(Key { reason: R::Size, a, b });
    }
}

/// The texts without which a native impression takes nothing, by kind; none where something else will do.
pub(super) fn of_texts(imp: &Imp<'_>, meter: &Meter, take: &mut dyn FnMut(Key<'_>)) {
    if imp.banner.is_some() || imp.linear().next().is_some() {
        return;
    }
    let mut to = To { reason: R::Asset, take };
    let assets = imp.native.iter().flat_map(|offer| offer.assets).filter(|asset| asset.required);
    for asset in assets.take_while(|_| !meter.is_empty()) {
        if let AssetKind::Data { kind, .. } = asset.kind {
            to.number(kind);
        }
    }
}

/// Hands over what the creatives of a campaign can need and the impression takes; false where it does not matter. Whoever
/// has none of it has nothing to show; whoever has some may have nothing either.
#[inline(never)]
pub(super) fn of_creatives(reason: R, request: &Request<'_>, imp: &Imp<'_>, take: &mut dyn FnMut(Key<'_>)) -> bool {
    let mut to = To { reason, take };
    let Imp { banner, video, audio, native, .. } = imp;
    let linear = || imp.linear();
    match reason {
        R::Btype => {
            let btype = banner.as_ref().map_or(&[][..], |offer| offer.btype);
            for kind in btype {
                to.number(*kind);
            }
            !btype.is_empty() && linear().next().is_none() && native.is_none()
        }
        R::Mimes => {
            let lists = || banner.iter().map(|offer| offer.mimes).chain(linear().map(|offer| offer.mimes));
            lists().flatten().for_each(|mime| to.text(mime));
            lists().all(|list| !list.is_empty()) && native.is_none()
        }
        R::Delivery => {
            linear().flat_map(|offer| offer.delivery).for_each(|delivery| to.number(*delivery));
            linear().all(|offer| !offer.delivery.is_empty()) && banner.is_none() && native.is_none()
        }
        R::Protocols => {
            linear().flat_map(|offer| offer.protocols).for_each(|protocol| to.number(*protocol));
            linear().all(|offer| !offer.protocols.is_empty()) && banner.is_none() && native.is_none()
        }
        R::Linearity => {
            linear().for_each(|offer| to.number(offer.linearity));
            linear().all(|offer| offer.linearity != 0) && banner.is_none() && native.is_none()
        }
        R::Api | R::Battr => {
            let of_media = [
                banner.as_ref().map(|offer| (offer.api, offer.battr)),
                video.map(|offer| (offer.api, offer.battr)),
                audio.map(|offer| (offer.api, offer.battr)),
                native.as_ref().map(|offer| (offer.api, offer.battr)),
            ];
            let lists = || of_media.iter().flatten().map(|(api, battr)| if reason == R::Api { *api } else { *battr });
            // What one type of ad may not have, another may.
            let holds = |number: &&i64| reason == R::Api || lists().all(|list| list.contains(number));
            lists().flatten().filter(holds).for_each(|number| to.number(*number));
            true
        }
        R::Secure => imp.secure,
        R::Wlang => {
            let listed = || request.wlang.iter().chain(request.wlangb);
            listed().filter_map(|tag| tag.split(['-', '_']).next()).for_each(|language| to.text(language));
            listed().next().is_some()
        }
        _ => false,
    }
}

/// Hands over what any of the objects of an impression says that a creative could fill.
#[inline(never)]
pub(super) fn of_spots(reason: R, spots: &[Spot<'_>], take: &mut dyn FnMut(Key<'_>)) {
    let mut to = To { reason, take };
    for spot in spots {
        match told::of_spot(reason, spot) {
            Told::One(value) => to.value(value),
            Told::Several => told::each_of_spot(reason, spot, &mut |value| to.value(value)),
            Told::Nothing => {}
        }
    }
}
