//! Building blocks of the generator. `null` stands for an absent attribute, and optional values shrink to it.

use proptest::collection::SizeRange;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::words::{CURRENCIES, MICROS};
use crate::json::{merge, of_fields};
use crate::money::{Exact, NO_RATE};

pub type Any = BoxedStrategy<Value>;

pub fn maybe(share: f64, strategy: Any) -> Any {
    weighted(share, strategy).prop_map(Option::unwrap_or_default).boxed()
}

pub fn word(words: &'static [&'static str]) -> Any {
    select(words).prop_map(Value::from).boxed()
}

pub fn number(numbers: &'static [i64]) -> Any {
    select(numbers).prop_map(Value::from).boxed()
}

pub fn yes() -> Any {
    Just(json!(1)).boxed()
}

pub fn zero_or_one() -> Any {
    number(&[0, 1])
}

pub fn truth() -> Any {
    any::<bool>().prop_map(Value::from).boxed()
}

/// One or two of the words.
pub fn words(words: &'static [&'static str]) -> Any {
    subsequence(words, 1..=2.min(words.len())).prop_map(|some| json!(some)).boxed()
}

/// One or two codes, sometimes in one text and with spaces around them.
pub fn codes(codes: &'static [&'static str]) -> Any {
    let joined = subsequence(codes, 1..=2.min(codes.len())).prop_map(|some| json!([format!(" {} ", some.join(", "))]));
    prop_oneof![5 => words(codes), 1 => joined].boxed()
}

/// At least one of the numbers, and at most `most`.
pub fn numbers(numbers: &'static [i64], most: usize) -> Any {
    subsequence(numbers, 1..=most).prop_map(|some| json!(some)).boxed()
}

pub fn object(fields: Vec<(&'static str, Any)>) -> Any {
    let (keys, values): (Vec<&'static str>, Vec<Any>) = fields.into_iter().unzip();
    values.prop_map(move |values| of_fields(keys.iter().copied().zip(values))).boxed()
}

fn with(mut object: Value, more: Value) -> Value {
    merge(&mut object, more);
    object
}

/// An object with the members of all parts; `null` adds none.
pub fn merged<const N: usize>(parts: [Any; N]) -> Any {
    let whole = |parts: Vec<Value>| parts.into_iter().filter(|part| !part.is_null()).fold(json!({}), with);
    Vec::from(parts).prop_map(whole).boxed()
}

/// An object with this member only.
pub fn member(key: &'static str, value: impl Strategy<Value = Value> + 'static) -> Any {
    value.prop_map(move |value| json!({ key: value })).boxed()
}

/// Width and height.
pub fn size(sizes: &'static [(i64, i64)]) -> Any {
    select(sizes).prop_map(|(w, h)| json!({"w": w, "h": h})).boxed()
}

/// A list of values.
pub fn several(one: Any, count: impl Into<SizeRange>) -> Any {
    prop::collection::vec(one, count).prop_map(Value::from).boxed()
}

/// An object with one of the fields.
pub fn one_field(fields: Vec<(&'static str, Any)>) -> Any {
    prop::strategy::Union::new(fields.into_iter().map(|(key, value)| member(key, value))).boxed()
}

/// An object, with at most `most` of the additions merged into it.
pub fn overlaid(base: Any, additions: Any, most: usize) -> Any {
    let merged = |(base, additions): (Value, Vec<Value>)| additions.into_iter().fold(base, with);
    (base, prop::collection::vec(additions, 0..=most)).prop_map(merged).boxed()
}

/// An amount as decimal text, and its currency. Many amounts differ by a micro, so prices are close to floors.
pub fn amount(convertible: bool) -> BoxedStrategy<(String, &'static str)> {
    let no_rate = u32::from(!convertible);
    let cur = prop_oneof![12 => select(CURRENCIES), no_rate => Just(NO_RATE)];
    (select(MICROS), cur, -1..=1_i128).prop_map(|(micros, cur, off)| (near(micros, 1, cur, off), cur)).boxed()
}

/// `micros` of a US dollar in another currency, divided by `parts`, plus `off` micros, as decimal text.
pub fn near(micros: i64, parts: i128, cur: &str, off: i128) -> String {
    let dollars = Exact::micros(i128::from(micros));
    let amount = dollars.convert("USD", cur).unwrap_or(dollars).micros_down() / parts + off;
    let text = format!("{}.{:06}", amount / 1_000_000, amount % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Decimal text as a JSON number.
pub fn as_number(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
