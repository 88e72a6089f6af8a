//! Looks the values of a dimension up in the index, and adds their posting lists to the filters.

use super::filter::{Base, Filters};
use catalog::index::{Dimension, Finder, Key, Postings, number_key};
use rules::targeting::{Value, Values};
use rules::work;

/// Adds the posting lists of one value to the dimension that was begun last.
#[inline]
pub(super) fn add_value<'a>(filters: &mut Filters<'a>, finder: Finder<'a>, dimension: &Dimension<'a>, key: &Key<'_>) {
    // Most values of most requests are empty, and few catalogs list an empty value: this saves the look-up.
    if key.a.is_empty() && !dimension.has_empty_value {
        return;
    }
    if let Some(postings) = look_up(filters, finder, key) {
        filters.add(postings);
    }
}

/// Adds a dimension in which the request has at most one value.
pub(super) fn add_single_value<'a>(
    filters: &mut Filters<'a>,
    finder: Finder<'a>,
    dimension: &Dimension<'a>,
    values: &Values<'_>,
) {
    let reason = dimension.reason;
    let key = |a| Key { reason, a, b: b"" };
    let found = match values {
        Values::One(Value::Text(text)) if !text.is_empty() || dimension.has_empty_value => {
            look_up(filters, finder, &key(text.as_bytes()))
        }
        Values::One(Value::Number(number)) => look_up(filters, finder, &key(&number_key(*number))),
        _ => None,
    };
    if found.is_none() && dimension.refuse_unknown.is_empty() {
        return filters.add_unmatched(dimension);
    }
    filters.begin(reason, Base::of(dimension));
    if let Some(postings) = found {
        filters.add(postings);
    }
    exclude_refusing(filters, dimension, |_| matches!(values, Values::One(value) if value.is_known(reason)));
    filters.end();
}

/// Excludes from the dimension that was begun last the campaigns that refuse a request without a known value. `is_told`
/// says whether there is one, in a taxonomy if that is not 0.
#[inline]
pub(super) fn exclude_refusing<'a>(
    filters: &mut Filters<'a>,
    dimension: &Dimension<'a>,
    is_told: impl Fn(i64) -> bool,
) {
    for refusal in dimension.refuse_unknown.iter() {
        if !is_told(refusal.cattax()) {
            filters.exclude(refusal.campaigns());
        }
    }
}

/// Looks a value up, unless the meter is empty.
#[inline]
pub(super) fn look_up<'a>(filters: &Filters<'a>, finder: Finder<'a>, key: &Key<'_>) -> Option<Postings<'a>> {
    if filters.meter.is_empty() {
        return None;
    }
    filters.meter.charge(work::of_lookup(key.a.len() + key.b.len()));
    finder.find(key)
}
