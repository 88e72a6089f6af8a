//! An object of the tree, and how its attributes are read as values of each type.

use bidder_wasm::domain;
use bidder_wasm::limits::MAX_LISTED_OBJECTS;
use bidder_wasm::money::{Currency, Micros, Rounding};
use bidder_wasm::request::{Size, Text, UNKNOWN_SECTION, UNREADABLE, codes_in};
use bumpalo::Bump;
use compiler_wasm::decode::{Context, Decimal, Field, Flag, Json, JsonObject};

#[derive(Clone)]
pub(super) struct Object<'a> {
    pub(super) json: JsonObject,
    pub(super) arena: &'a Bump,
}

impl<'a> Object<'a> {
    pub(super) fn empty(&self) -> Object<'a> {
        Object { json: JsonObject::default(), arena: self.arena }
    }

    fn read<F: Field + Default>(&self, name: &str) -> F {
        self.json.read(name, &mut Context::default())
    }

    pub(super) fn object(&self, name: &str) -> Option<Object<'a>> {
        self.read::<Option<JsonObject>>(name).map(|json| Object { json, arena: self.arena })
    }

    /// The object with this name, empty if there is none.
    pub(super) fn inner(&self, name: &str) -> Object<'a> {
        self.object(name).unwrap_or_else(|| self.empty())
    }

    pub(super) fn objects(&self, name: &str) -> Vec<Object<'a>> {
        let all = self.read::<Vec<JsonObject>>(name).into_iter().take(MAX_LISTED_OBJECTS);
        all.map(|json| Object { json, arena: self.arena }).collect()
    }

    pub(super) fn list<T: Copy>(&self, items: impl Iterator<Item = T>) -> &'a [T] {
        self.arena.alloc_slice_copy(&items.collect::<Vec<T>>())
    }

    fn keep(&self, text: &str) -> &'a str {
        self.arena.alloc_str(text)
    }

    /// A text, `None` without a readable one.
    pub(super) fn given_text(&self, name: &str) -> Option<&'a str> {
        self.read::<Option<String>>(name).map(|text| self.keep(&text))
    }

    pub(super) fn text(&self, name: &str) -> &'a str {
        self.given_text(name).unwrap_or_default()
    }

    /// A text that a response repeats.
    pub(super) fn echo(&self, name: &str) -> Option<Text<'a>> {
        let value = self.given_text(name)?;
        let mut literal = String::new();
        bidder_wasm::write::escape(&mut literal, value);
        Some(Text { literal: self.keep(&literal), value })
    }

    pub(super) fn texts(&self, name: &str) -> &'a [&'a str] {
        self.list(self.read::<Vec<String>>(name).iter().map(|text| self.keep(text)))
    }

    pub(super) fn codes(&self, name: &str) -> &'a [&'a str] {
        self.list(self.texts(name).iter().flat_map(|text| codes_in(text)))
    }

    pub(super) fn domains(&self, name: &str) -> &'a [&'a str] {
        let ascii = |text: &&str| {
            let mut ascii = String::new();
            domain::to_ascii(text, |c| ascii.push(c));
            self.keep(&ascii)
        };
        self.list(self.texts(name).iter().map(ascii))
    }

    /// The keywords in `kwarray`, else those of a list in `keywords`.
    pub(super) fn kwarray(&self) -> &'a [&'a str] {
        let kwarray = self.texts("kwarray");
        if kwarray.is_empty() { self.listed_keywords() } else { kwarray }
    }

    /// The keywords of a list in `keywords`, where the specification has a text.
    pub(super) fn listed_keywords(&self) -> &'a [&'a str] {
        if let Some(Json::Array(_)) = self.json.get("keywords") { self.texts("keywords") } else { &[] }
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.read(name)
    }

    pub(super) fn integers(&self, name: &str) -> &'a [i64] {
        self.list(self.read::<Vec<i64>>(name).into_iter())
    }

    pub(super) fn size(&self, w: &str, h: &str) -> Size {
        Size { w: self.integer(w).unwrap_or_default(), h: self.integer(h).unwrap_or_default() }
    }

    /// A flag that may be unknown.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.read::<Option<Flag>>(name).map(|flag| flag == Flag(1))
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.flag(name).unwrap_or_default()
    }

    /// A signal of privacy or safety: only 0 is not set. `None` if it is absent.
    pub(super) fn signal(&self, name: &str) -> Option<bool> {
        is_given(self.json.get(name)).then(|| self.read::<Option<Flag>>(name) != Some(Flag(0)))
    }

    /// The text of a privacy signal, [`UNREADABLE`] for a value that is no text.
    pub(super) fn signal_text(&self, name: &str) -> &'a str {
        if is_given(self.json.get(name)) { self.given_text(name).unwrap_or(UNREADABLE) } else { "" }
    }

    /// The ids of privacy sections, [`UNKNOWN_SECTION`] for a value that is no integer.
    pub(super) fn sections(&self, name: &str) -> &'a [i64] {
        let items = match self.json.get(name) {
            Some(Json::Array(items)) => items.clone(),
            one => one.cloned().into_iter().collect(),
        };
        let given = items.iter().filter(|item| is_given(Some(item)));
        self.list(given.map(|item| item.read(&mut Context::default()).unwrap_or(UNKNOWN_SECTION)))
    }

    pub(super) fn amount(&self, name: &str, rounding: Rounding) -> Option<Micros> {
        self.read::<Option<Decimal>>(name).and_then(|Decimal(text)| Micros::parse(&text, rounding))
    }

    /// The integer part of a number.
    pub(super) fn whole(&self, name: &str) -> i64 {
        self.read::<Option<Decimal>>(name).and_then(|Decimal(text)| whole(&text)).unwrap_or_default()
    }

    pub(super) fn floor(&self, name: &str) -> Micros {
        let text = self.read::<Option<Decimal>>(name);
        self.json.get(name).map_or(Micros::ZERO, |_| Micros::floor(text.as_ref().map(|Decimal(text)| &**text)))
    }

    pub(super) fn currency(&self, name: &str) -> Currency {
        match (self.json.get(name), self.given_text(name)) {
            (None, _) | (_, Some("")) => Currency::USD,
            (Some(_), Some(text)) => Currency::parse(text),
            (Some(_), None) => Currency::UNKNOWN,
        }
    }

    pub(super) fn currencies(&self, name: &str) -> &'a [Currency] {
        self.list(self.texts(name).iter().filter(|code| !code.is_empty()).map(|code| Currency::parse(code)))
    }
}

/// The number without its fraction, if it is within ±2^53.
fn whole(number: &str) -> Option<i64> {
    let (sign, number) = number.strip_prefix('-').map_or((1, number), |rest| (-1, rest));
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [before, behind].concat();
    if digits.bytes().all(|digit| digit == b'0') {
        return Some(0);
    }
    // An exponent that does not fit is far beyond all digits.
    let far = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let exponent = exponent.parse().unwrap_or(far);
    let Ok(length) = usize::try_from(exponent.saturating_add(i64::try_from(before.len()).unwrap())) else {
        return Some(0);
    };
    let zeros = "0".repeat(length.saturating_sub(digits.len()).min(20));
    let whole: String = digits.chars().take(length).chain(zeros.chars()).collect();
    let whole: i64 = format!("0{whole}").parse().ok()?;
    (whole <= 1 << 53).then_some(sign * whole)
}

/// Whether a signal is there. The empty text equals absent.
fn is_given(value: Option<&Json>) -> bool {
    !matches!(value, None | Some(Json::Null)) && !matches!(value, Some(Json::Text(text)) if text.is_empty())
}
