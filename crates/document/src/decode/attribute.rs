//! Reads a JSON value as an attribute of each type. All coercions are here.
//!
//! The rules are in the header of [`openrtb::request`]. A coerced value is a finding and is used. An unreadable
//! value is a finding and leaves the attribute absent.

use core::fmt::Arguments;

use super::finding::{Context, Rule};
use super::json::{Json, JsonObject};
use super::limit::{Limit, TextKind};
use base::money::{Micros, Rounding};
use openrtb::read::integer;

/// A type that one JSON value can be read into.
pub trait Attribute: Sized {
    /// What a message says is expected, e.g. `a string`.
    const EXPECTED: &'static str;
    /// What a message says is expected of a list, e.g. `an array of strings`.
    const EXPECTED_LIST: &'static str = "an array";
    /// The most items that a list keeps. It limits the memory for types that need much more memory than text.
    const MOST: usize = usize::MAX;

    /// Reads `value`, which is `null` only as an item of an array. Returns `None`, and adds a finding, if its meaning
    /// is not clear.
    fn decode(value: Json, cx: &mut Context) -> Option<Self>;

    /// Adds a finding if the attribute does not allow this value.
    fn check(&self, _: &Limit, _: &mut Context) {}

    /// Calls `visit` with each text in the value that has a kind, its kind and its path; `path` is that of the value.
    fn visit_texts(&mut self, _: Option<TextKind>, _path: Arguments<'_>, _visit: &mut VisitText<'_>) {}
}

/// Receives a text, its kind and its path. It may change the text.
pub type VisitText<'v> = dyn FnMut(&mut String, TextKind, Arguments<'_>) + 'v;

/// A position in an object that holds an attribute, an `Option` or a list.
pub trait Field {
    /// Replaces the content with `value`. `null` and an unreadable value empty the field.
    fn fill(&mut self, value: Json, cx: &mut Context);

    /// Adds a finding for each value that the attribute does not allow.
    fn check(&self, limit: &Limit, cx: &mut Context);

    /// What a message says is expected.
    fn expected(&self) -> &'static str;

    /// See [`Attribute::visit_texts`].
    fn visit(&mut self, _: Option<TextKind>, _path: Arguments<'_>, _visit: &mut VisitText<'_>) {}
}

impl JsonObject {
    /// Reads the member `name` as an `Option` or `Vec`, by the rules for attributes.
    pub fn read<F: Field + Default>(&self, name: &str, cx: &mut Context) -> F {
        let mut field = F::default();
        if let Some(value) = self.get(name) {
            cx.at_attribute(name, |cx| field.fill(value.clone(), cx));
        }
        field
    }
}

impl Json {
    /// Reads the value as a `T`, by the rules for attributes.
    pub fn read<T: Attribute>(&self, cx: &mut Context) -> Option<T> {
        T::decode(self.clone(), cx)
    }
}

/// An absent attribute has its default. If it is required, its absence refuses the document.
impl<T: Attribute + Default> Field for T {
    fn fill(&mut self, value: Json, cx: &mut Context) {
        let given = if value == Json::Null { None } else { T::decode(value, cx) };
        *self = given.unwrap_or_default();
    }

    fn check(&self, limit: &Limit, cx: &mut Context) {
        Attribute::check(self, limit, cx);
    }

    fn expected(&self) -> &'static str {
        T::EXPECTED
    }

    fn visit(&mut self, kind: Option<TextKind>, path: Arguments<'_>, visit: &mut VisitText<'_>) {
        self.visit_texts(kind, path, visit);
    }
}

impl<T: Attribute> Attribute for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const EXPECTED_LIST: &'static str = T::EXPECTED_LIST;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        T::decode(value, cx).map(Some)
    }

    fn check(&self, limit: &Limit, cx: &mut Context) {
        if let Some(value) = self {
            Attribute::check(value, limit, cx);
        }
    }

    fn visit_texts(&mut self, kind: Option<TextKind>, path: Arguments<'_>, visit: &mut VisitText<'_>) {
        if let Some(value) = self {
            value.visit_texts(kind, path, visit);
        }
    }
}

impl<T: Attribute> Attribute for Vec<T> {
    const EXPECTED: &'static str = T::EXPECTED_LIST;
    const EXPECTED_LIST: &'static str = T::EXPECTED_LIST;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        // Exact for objects, which may be large: a list that grows holds its entries twice for a moment.
        let is_object = |item: &&Json| matches!(item, Json::Object(_));
        let objects = if let Json::Array(items) = &value { items.iter().filter(is_object).count() } else { 0 };
        let mut list = Vec::with_capacity(objects.min(T::MOST));
        each_item(value, T::EXPECTED_LIST, cx, &mut |item, cx| {
            if list.len() < T::MOST {
                list.extend(T::decode(item, cx));
            } else {
                cx.report(Rule::OutOfRange, format_args!("ignored; expected at most {} items", T::MOST));
            }
        });
        Some(list)
    }

    fn check(&self, limit: &Limit, cx: &mut Context) {
        limit.check_length(self.len(), cx);
        for (i, item) in self.iter().enumerate() {
            cx.at_item(i, |cx| Attribute::check(item, limit, cx));
        }
    }

    fn visit_texts(&mut self, kind: Option<TextKind>, path: Arguments<'_>, visit: &mut VisitText<'_>) {
        for (i, item) in self.iter_mut().enumerate() {
            item.visit_texts(kind, format_args!("{path}[{i}]"), visit);
        }
    }
}

/// Passes each item of a list to `sink`. `null` is an empty list, any other value a list of one.
pub fn each_item(value: Json, expected: &str, cx: &mut Context, sink: &mut dyn FnMut(Json, &mut Context)) {
    match value {
        Json::Null => {}
        Json::Array(items) => {
            for (index, item) in items.into_iter().enumerate() {
                cx.at_item(index, |cx| sink(item, cx));
            }
        }
        one => {
            cx.coerced(&one, expected);
            sink(one, cx);
        }
    }
}

impl Attribute for String {
    const EXPECTED: &'static str = "a string";
    const EXPECTED_LIST: &'static str = "an array of strings";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        if let Json::Integer(_) | Json::Decimal(_) = value {
            cx.coerced(&value, Self::EXPECTED);
        }
        match value {
            Json::Text(text) | Json::Decimal(text) => Some(text),
            Json::Integer(number) => Some(number.to_string()),
            other => cx.ignored(&other, Self::EXPECTED),
        }
    }

    fn check(&self, limit: &Limit, cx: &mut Context) {
        limit.check_text(self, cx);
    }

    fn visit_texts(&mut self, kind: Option<TextKind>, path: Arguments<'_>, visit: &mut VisitText<'_>) {
        if let Some(kind) = kind {
            visit(self, kind, path);
        }
    }
}

/// Integers within ±2^53.
impl Attribute for i64 {
    const EXPECTED: &'static str = "an integer";
    const EXPECTED_LIST: &'static str = "an array of integers";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        read_integer(&value, Self::EXPECTED, cx)
    }

    fn check(&self, limit: &Limit, cx: &mut Context) {
        limit.check_integer(*self, cx);
    }
}

/// An integer beyond ±2^53 may have lost digits already, because many systems store it as a float.
const MAX_INTEGER: i64 = 1 << 53;

fn read_integer(value: &Json, expected: &str, cx: &mut Context) -> Option<i64> {
    let coerced = match value {
        Json::Integer(number) if (-MAX_INTEGER..=MAX_INTEGER).contains(number) => return Some(*number),
        Json::Integer(_) => {
            let consequence = cx.consequence();
            cx.report(Rule::OutOfRange, format_args!("{value}{consequence}; expected an integer from -2^53 to 2^53"));
            return None;
        }
        Json::Bool(truth) => Some(i64::from(*truth)),
        Json::Decimal(text) => integer(text),
        Json::Text(text) => integer(text.trim_matches(' ')),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    };
    if coerced.is_none() {
        return cx.ignored(value, expected);
    }
    cx.coerced(value, expected);
    coerced
}

/// An integer that OpenRTB allows to be 0 or 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flag(pub i64);

impl Flag {
    /// `None` if it is neither 0 nor 1.
    #[must_use]
    pub fn known(self) -> Option<bool> {
        match self.0 {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Attribute for Flag {
    const EXPECTED: &'static str = "0 or 1";
    const EXPECTED_LIST: &'static str = "an array of 0 and 1";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        let flag = Flag(read_integer(&value, Self::EXPECTED, cx)?);
        if flag.known().is_none() {
            cx.report(Rule::OutOfRange, format_args!("{value}; expected {}", Self::EXPECTED));
        }
        Some(flag)
    }
}

/// For catalog documents; OpenRTB has [`Flag`]s. 0 and 1 are coerced.
impl Attribute for bool {
    const EXPECTED: &'static str = "true or false";
    const EXPECTED_LIST: &'static str = "an array of true and false";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        match value {
            Json::Bool(truth) => Some(truth),
            Json::Integer(number @ (0 | 1)) => {
                cx.coerced(&value, Self::EXPECTED);
                Some(number == 1)
            }
            other => cx.ignored(&other, Self::EXPECTED),
        }
    }
}

/// A number of any size and precision as its exact text, for [`Micros::parse`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decimal(pub String);

impl Attribute for Decimal {
    const EXPECTED: &'static str = "a number";
    const EXPECTED_LIST: &'static str = "an array of numbers";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        match value {
            Json::Decimal(text) => Some(Decimal(text)),
            Json::Integer(number) => Some(Decimal(number.to_string())),
            Json::Text(ref text) if Micros::parse(text, Rounding::Up).is_some() => {
                cx.coerced(&value, Self::EXPECTED);
                Some(Decimal(text.clone()))
            }
            other => cx.ignored(&other, Self::EXPECTED),
        }
    }
}

impl Attribute for Json {
    const EXPECTED: &'static str = "any value";

    fn decode(value: Json, _: &mut Context) -> Option<Self> {
        Some(value)
    }
}

impl Attribute for JsonObject {
    const EXPECTED: &'static str = "an object";
    const EXPECTED_LIST: &'static str = "an array of objects";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        match value {
            Json::Object(object) => Some(object),
            other => cx.ignored(&other, Self::EXPECTED),
        }
    }
}
