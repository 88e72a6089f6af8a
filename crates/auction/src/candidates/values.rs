//! The keys of a request: the values that are looked up in the index, for each dimension.
//!
//! A campaign is eligible in a dimension if it excludes none of the keys, and includes one of them or accepts any
//! value. The result must be the same as that of [`crate::rules`] for one campaign. [`value`] reads the values of
//! targeting.

use base::domain;
use catalog::index::{ANY_CATEGORY, ANY_SIZE, Key, number_key};
use flat::List;
use openrtb::request::{Banner, Imp, Request, Size};
use reasons::no_bid::NoBidReason as R;
use rules::targeting::{Facts, Spot, Value, Values, value};
use rules::work::{self, Meter};
use rules::{banner, dsa};

/// The value of the request in a dimension that does not depend on the impression.
pub(super) fn of_request<'a>(reason: R, facts: &Facts<'a>, ssp: usize) -> Values<'a> {
    let request = facts.request;
    let several = |list: &[&str]| if list.is_empty() { Values::Unknown } else { Values::Several };
    match reason {
        R::Ssp => Values::from(i64::try_from(ssp).unwrap_or(-1)),
        R::Dsa => Values::from(dsa::required(&request.regs.dsa)),
        R::Badv => several(request.badv),
        R::Bcat => several(request.bcat),
        R::Bapp => several(request.bapp),
        reason => value::request::of(reason, facts),
    }
}

/// Passes the keys of one dimension on to `take`.
struct Keys<'t> {
    reason: R,
    take: &'t mut dyn FnMut(Key<'_>),
}

impl Keys<'_> {
    #[inline]
    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => self.text(text),
            Value::Number(number) => self.number(number),
            Value::Category(cat, cattax) => self.pair(cat.as_bytes(), itoa::Buffer::new().format(cattax).as_bytes()),
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

/// Passes on all keys of a dimension in which a request can have several values. Stops when `meter` is empty.
#[inline(never)]
pub(super) fn each_of_request(
    reason: R,
    facts: &Facts<'_>,
    taxonomies: List<'_, i64>,
    meter: &Meter,
    take: &mut dyn FnMut(Key<'_>),
) {
    let mut keys = Keys { reason, take };
    match reason {
        R::Badv => {
            let listed = facts.request.badv.iter().flat_map(|entry| domain::hosts(entry)).map(domain::strip_www);
            let listed = listed.filter(|listed| !listed.is_empty()).take_while(|_| !meter.is_empty());
            listed.for_each(|text| keys.text(text));
        }
        R::Bapp => facts.request.bapp.iter().take_while(|_| !meter.is_empty()).for_each(|listed| keys.text(listed)),
        R::Bcat => each_blocked_category(facts.request, taxonomies, meter, &mut keys),
        reason => value::request::each(reason, facts, meter, |value| keys.value(value)),
    }
}

/// Whether the request has a category of a taxonomy.
pub(super) fn tells_category(facts: &Facts<'_>, cattax: i64, meter: &Meter) -> bool {
    let mut told = false;
    value::request::each(R::Cat, facts, meter, |value| {
        meter.charge(work::of_members(1));
        told |= matches!(value, Value::Category(_, own) if own == cattax) && value.is_known(R::Cat);
    });
    told
}

/// Passes on the blocked categories, and [`ANY_CATEGORY`] of every other taxonomy: its categories cannot be compared
/// with the blocked ones.
fn each_blocked_category(request: &Request<'_>, taxonomies: List<'_, i64>, meter: &Meter, keys: &mut Keys<'_>) {
    for other in taxonomies.iter().filter(|taxonomy| *taxonomy != request.cattax) {
        keys.pair(itoa::Buffer::new().format(other).as_bytes(), ANY_CATEGORY);
    }
    let mut digits = itoa::Buffer::new();
    let cattax = digits.format(request.cattax);
    for a in request.bcat.iter().take_while(|_| !meter.is_empty()) {
        keys.pair(a.as_bytes(), cattax.as_bytes());
    }
}

/// Passes on the sizes that a banner may have.
pub(super) fn each_size(offer: &Banner<'_>, meter: &Meter, mut take: impl FnMut(Key<'_>)) {
    for Size { w, h } in banner::sizes(offer).take_while(|_| !meter.is_empty()) {
        let (width, height) = (number_key(w), number_key(h));
        let (a, b) = (if w > 0 { &width } else { ANY_SIZE }, if h > 0 { &height } else { ANY_SIZE });
        take(Key { reason: R::Size, a, b });
    }
}

/// Passes on the values that the impression accepts, or blocks, in a dimension of creatives. Returns false if the
/// dimension rules no campaign out. A campaign that fails cannot bid; one that passes may still have no fitting
/// creative.
#[inline(never)]
pub(super) fn each_requirement(reason: R, request: &Request<'_>, imp: &Imp<'_>, take: &mut dyn FnMut(Key<'_>)) -> bool {
    let mut keys = Keys { reason, take };
    let Imp { banner, video, audio, native, .. } = imp;
    let linear = || imp.linear();
    match reason {
        R::Btype => {
            let btype = banner.as_ref().map_or(&[][..], |offer| offer.btype);
            for kind in btype {
                keys.number(*kind);
            }
            !btype.is_empty() && linear().next().is_none() && native.is_none()
        }
        R::Mimes => {
            let lists = || banner.iter().map(|offer| offer.mimes).chain(linear().map(|offer| offer.mimes));
            lists().flatten().for_each(|mime| keys.text(mime));
            lists().all(|list| !list.is_empty()) && native.is_none()
        }
        R::Delivery => {
            linear().flat_map(|offer| offer.delivery).for_each(|delivery| keys.number(*delivery));
            linear().all(|offer| !offer.delivery.is_empty()) && banner.is_none() && native.is_none()
        }
        R::Protocols => {
            linear().flat_map(|offer| offer.protocols).for_each(|protocol| keys.number(*protocol));
            linear().all(|offer| !offer.protocols.is_empty()) && banner.is_none() && native.is_none()
        }
        R::Linearity => {
            linear().for_each(|offer| keys.number(offer.linearity));
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
            // An attribute excludes a campaign only if it is blocked for every media type on offer.
            let holds = |number: &&i64| reason == R::Api || lists().all(|list| list.contains(number));
            lists().flatten().filter(holds).for_each(|number| keys.number(*number));
            true
        }
        R::Secure => imp.secure,
        R::Wlang => {
            let listed = || request.wlang.iter().chain(request.wlangb);
            listed().filter_map(|tag| tag.split(['-', '_']).next()).for_each(|language| keys.text(language));
            listed().next().is_some()
        }
        _ => false,
    }
}

/// Passes on the values of all objects of the impression that a creative could fill.
#[inline(never)]
pub(super) fn each_spot_value(reason: R, spots: &[Spot<'_>], take: &mut dyn FnMut(Key<'_>)) {
    let mut keys = Keys { reason, take };
    for spot in spots {
        value::spot::all(reason, spot, |value| keys.value(value));
    }
}
