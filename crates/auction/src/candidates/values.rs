//! The keys of a request: the values that are looked up in the index, for each dimension.
//!
//! A campaign is eligible in a dimension if it excludes none of the keys, and includes one of them or accepts any
//! value. The result must be the same as that of [`crate::rules`] for one campaign. [`value`] reads the values of
//! targeting.

use base::domain;
use catalog::index::{ANY_CATEGORY, ANY_SIZE, Key, number_key};
use flat::List;
use openrtb::request::{Banner, Request, Size};
use reasons::no_bid::NoBidReason as R;
use rules::form::{self, Form, Offered};
use rules::offer::{MAX_OBJECTS, Offer};
use rules::rows::offered;
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

/// Whether the request has a value of a taxonomy.
pub(super) fn tells_category(reason: R, facts: &Facts<'_>, cattax: i64, meter: &Meter) -> bool {
    let mut told = false;
    value::request::each(reason, facts, meter, |value| {
        meter.charge(work::of_members(1));
        told |= matches!(value, Value::Category(_, own) if own == cattax) && value.is_known(reason);
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

/// What the objects of an impression accept, or block, in a dimension of creatives: a list for each object.
pub(super) struct Lists<'r> {
    all: [Offered<'r>; MAX_OBJECTS],
    count: usize,
}

impl<'r> Lists<'r> {
    /// The lists; `None` if the dimension rules no campaign out. A campaign that fails cannot bid; one that passes may
    /// still have no fitting creative. `whole` is the offer without an object, `each` has one for each object.
    #[inline(never)]
    pub(super) fn of(reason: R, form: Form, (whole, each): (&Offer<'r>, &[Offer<'r>])) -> Option<Lists<'r>> {
        if form == Form::Range {
            return None;
        }
        // An object that takes every creative, or that the rule does not concern, rules none out.
        let list_of = |offer| offered(reason, offer).filter(|list| !form.takes_all(list));
        let (first, others) = each.split_first()?;
        let mut lists = Lists { all: [list_of(first)?; MAX_OBJECTS], count: 1 };
        // What does not depend on the object is looked up once.
        if !others.is_empty() && offered(reason, whole).is_none() {
            for (list, offer) in lists.all.iter_mut().skip(1).zip(others) {
                *list = list_of(offer)?;
                lists.count += 1;
            }
        }
        Some(lists)
    }

    /// Passes on the keys of all lists.
    #[inline(never)]
    pub(super) fn each_key(&self, reason: R, form: Form, take: &mut dyn FnMut(Key<'_>)) {
        let all = self.all.get(..self.count).unwrap_or_default();
        let mut keys = Keys { reason, take };
        for list in all {
            list.each(|value| match value {
                form::Value::Text(text) => keys.text(text),
                // A number excludes a campaign only if it is blocked for every media type on offer.
                form::Value::Number(number) if form != Form::NoneOf || all.iter().all(|list| list.has(number)) => {
                    keys.number(number);
                }
                _ => {}
            });
        }
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
