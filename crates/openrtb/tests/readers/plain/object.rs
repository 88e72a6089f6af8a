//! An object of the request, with a method for each reading of the table: `None` if the attribute counts as absent.

use base::domain;
use base::limits::{MAX_ID_BYTES, MAX_IMPS};
use base::money::{Currency, Micros, Rounding};
use base::placeholder::is_placeholder;
use bumpalo::Bump;
use openrtb::request::{self, EventTracker, Text, UNKNOWN_SECTION, UNKNOWN_TAXONOMY, UNREADABLE, codes_in};
use reasons::no_bid::NoBidReason;

use super::json::{Json, Members};

#[derive(Clone)]
pub(super) struct Object<'a> {
    pub(super) members: Members,
    pub(super) arena: &'a Bump,
}

/// Fills a type from an object; `None` if a required attribute is missing.
type Fill<'a, T> = fn(&Object<'a>, &mut T) -> Option<()>;

impl<'a> Object<'a> {
    pub(super) fn of(json: &Json, arena: &'a Bump) -> Option<Object<'a>> {
        Some(Object { members: json.members()?, arena })
    }

    pub(super) fn without(&self, names: &[&str]) -> Object<'a> {
        let mut object = self.clone();
        object.members.retain(|name, _| !names.contains(&name.as_str()));
        object
    }

    fn get(&self, name: &str) -> Option<&Json> {
        self.members.get(name.trim_start_matches("r#")).filter(|value| !value.is_null())
    }

    /// The object with this name, empty if there is none.
    pub(super) fn inner(&self, name: &str) -> Object<'a> {
        Object { members: self.members_of(name).unwrap_or_default(), arena: self.arena }
    }

    pub(super) fn members_of(&self, name: &str) -> Option<Members> {
        self.get(name)?.members()
    }

    /// The objects of a list. An object whose names are numbers is not one.
    pub(super) fn objects(&self, name: &str) -> Vec<Object<'a>> {
        let is_numbered = |json: &&Json| {
            let names = json.members().unwrap_or_default().into_keys();
            names.into_iter().any(|name| name.starts_with(|c: char| c.is_ascii_digit()))
        };
        let items = self.get(name).filter(|json| !is_numbered(json)).map(Json::items).unwrap_or_default();
        items.iter().filter_map(|json| Object::of(json, self.arena)).collect()
    }

    /// Whether the value is not given or `reads` takes it.
    pub(super) fn has_readable(&self, name: &str, reads: impl Fn(&Json) -> bool) -> bool {
        self.get(name).is_none_or(|value| !value.is_given() || reads(value))
    }

    /// Whether each item of a list of scalars says nothing or `reads` takes it.
    pub(super) fn has_readable_items(&self, name: &str, reads: fn(&Json) -> bool) -> bool {
        self.has_readable(name, |list| {
            list.says_nothing() || list.scalars().iter().all(|item| item.says_nothing() || reads(item))
        })
    }

    /// Whether a value is an object, or a list of objects if it may be one, and all their restrictions can be read.
    pub(super) fn has_readable_objects(
        &self,
        name: &str,
        may_be_list: bool,
        unreadable: fn(&Object<'_>) -> Option<NoBidReason>,
    ) -> bool {
        let objects = if may_be_list {
            self.objects(name)
        } else {
            self.members_of(name).map(|members| Object { members, arena: self.arena }).into_iter().collect()
        };
        let is_whole = |value: &Json| {
            let items = if may_be_list { value.items() } else { vec![value.clone()] };
            items.iter().filter(|item| !item.is_null()).count() == objects.len()
        };
        let is_readable = || objects.iter().all(|object| unreadable(object).is_none());
        self.has_readable(name, |value| value.says_nothing() || is_whole(value) && is_readable())
    }

    fn filled<T: Default>(&self, fill: Fill<'a, T>) -> Option<T> {
        let mut value = T::default();
        fill(self, &mut value)?;
        Some(value)
    }

    pub(super) fn object<T: Default>(&self, name: &str, fill: Fill<'a, T>) -> Option<T> {
        Object { members: self.members_of(name)?, arena: self.arena }.filled(fill)
    }

    pub(super) fn whole<T>(&self, name: &str, _: Fill<'a, T>) -> Option<&'a [&'a str]> {
        self.members_of(name)?;
        self.kept(self.get(name)?.texts().iter().map(|text| &*self.arena.alloc_str(text)))
    }

    pub(super) fn object_ref<T: Default>(&self, name: &str, fill: Fill<'a, T>) -> Option<&'a T> {
        self.object(name, fill).map(|value| &*self.arena.alloc(value))
    }

    pub(super) fn nested_always<T: Default>(&self, name: &str, fill: Fill<'a, T>) -> Option<T> {
        self.inner(name).filled(fill)
    }

    pub(super) fn list<T: Default + Copy>(&self, name: &str, fill: Fill<'a, T>) -> Option<&'a [T]> {
        self.kept(self.objects(name).iter().filter_map(|object| object.filled(fill)))
    }

    pub(super) fn imps<T: Default + Copy>(&self, name: &str, fill: Fill<'a, T>) -> Option<&'a [T]> {
        self.list(name, fill).map(|imps| &imps[..imps.len().min(MAX_IMPS)])
    }

    pub(super) fn is_object(&self, name: &str) -> Option<bool> {
        self.members_of(name).map(|_| true)
    }

    /// The items in the arena. `None` without items.
    fn kept<T: Copy>(&self, items: impl Iterator<Item = T>) -> Option<&'a [T]> {
        let items: Vec<T> = items.collect();
        (!items.is_empty()).then(|| &*self.arena.alloc_slice_copy(&items))
    }

    fn keep(&self, text: &str) -> &'a str {
        self.arena.alloc_str(text)
    }

    /// The readable items of a list.
    fn items<T: Copy>(&self, name: &str, read: impl Fn(&Json) -> Option<T>) -> Option<&'a [T]> {
        self.kept(self.get(name)?.scalars().iter().filter_map(read))
    }

    pub(super) fn text_or_empty(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.text().map(|text| self.keep(&text))
    }

    /// A string. `None` for other values, also numbers.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        self.get(name).filter(|value| value.is_string())?.text()
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.text_or_empty(name).filter(|text| !text.is_empty())
    }

    /// The id of a person. `None` for a placeholder too.
    pub(super) fn person_id(&self, name: &str) -> Option<&'a str> {
        self.text(name).filter(|id| !is_placeholder(id))
    }

    /// A text that a response repeats.
    pub(super) fn literal(&self, name: &str) -> Option<Text<'a>> {
        let value = self.text_or_empty(name)?;
        let mut literal = String::new();
        base::json::escape(&mut literal, value);
        Some(Text { literal: self.keep(&literal), value })
    }

    pub(super) fn short_literal(&self, name: &str) -> Option<Text<'a>> {
        self.literal(name).filter(|id| id.value.len() <= MAX_ID_BYTES)
    }

    pub(super) fn texts(&self, name: &str) -> Option<&'a [&'a str]> {
        self.items(name, |item| item.text().map(|text| self.keep(&text)))
    }

    pub(super) fn codes(&self, name: &str) -> Option<&'a [&'a str]> {
        self.kept(self.texts(name)?.iter().flat_map(|text| codes_in(text)))
    }

    pub(super) fn domains(&self, name: &str) -> Option<&'a [&'a str]> {
        let ascii = |text: &&str| {
            let mut ascii = String::new();
            domain::to_ascii(text, |c| ascii.push(c));
            self.keep(&ascii)
        };
        self.kept(self.texts(name)?.iter().map(ascii))
    }

    pub(super) fn text_array(&self, name: &str) -> Option<&'a [&'a str]> {
        self.get(name).filter(|value| value.is_list()).and_then(|_| self.texts(name))
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.get(name)?.integer()
    }

    pub(super) fn taxonomy(&self, name: &str) -> Option<i64> {
        let given = self.get(name).filter(|value| value.is_given())?;
        Some(given.integer().unwrap_or(UNKNOWN_TAXONOMY))
    }

    pub(super) fn truncated(&self, name: &str) -> Option<i64> {
        self.get(name)?.truncated()
    }

    pub(super) fn integers(&self, name: &str) -> Option<&'a [i64]> {
        self.items(name, Json::integer)
    }

    pub(super) fn dedupe(&self, name: &str) -> Option<u8> {
        self.integers(name).map(request::dedupe)
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.integer(name).map(|integer| integer == 1)
    }

    pub(super) fn int32_flag(&self, name: &str) -> Option<bool> {
        self.flag(name)
    }

    /// A signal of privacy or safety: 0 means no, every other given value means yes.
    pub(super) fn signal(&self, name: &str) -> Option<bool> {
        self.get(name).filter(|value| value.is_given()).map(|value| value.integer() != Some(0))
    }

    /// A status of App Tracking Transparency: 3 means that the person allows tracking.
    pub(super) fn untracked(&self, name: &str) -> Option<bool> {
        self.get(name).filter(|value| value.is_given()).map(|value| value.integer() != Some(3))
    }

    /// The text of a privacy signal, [`UNREADABLE`] for a value that is no text.
    pub(super) fn signal_text(&self, name: &str) -> Option<&'a str> {
        self.get(name).filter(|value| value.is_given()).map(|_| self.text(name).unwrap_or(UNREADABLE))
    }

    /// The ids of privacy sections, [`UNKNOWN_SECTION`] for a value that is no integer.
    /// A list in the list counts as such a value too.
    pub(super) fn sections(&self, name: &str) -> Option<&'a [i64]> {
        let value = self.get(name)?;
        let items = if value.is_list() { value.items() } else { value.scalars() };
        let given = items.iter().filter(|item| item.is_given());
        self.kept(given.map(|item| item.integer().unwrap_or(UNKNOWN_SECTION)))
    }

    pub(super) fn millionths(&self, name: &str, rounding: Rounding) -> Option<Micros> {
        Micros::parse(self.text_or_empty(name)?, rounding)
    }

    pub(super) fn amount(&self, name: &str) -> Option<Micros> {
        self.millionths(name, Rounding::Up)
    }

    pub(super) fn floor(&self, name: &str) -> Option<Micros> {
        self.get(name).map(|_| Micros::floor_of(self.amount(name)))
    }

    pub(super) fn currency(&self, name: &str) -> Option<Currency> {
        match self.get(name)?.text() {
            Some(text) if text.is_empty() => None,
            text => Some(text.map_or(Currency::UNKNOWN, |text| Currency::parse(&text))),
        }
    }

    pub(super) fn currencies(&self, name: &str) -> Option<&'a [Currency]> {
        self.items(name, |item| item.text().filter(|text| !text.is_empty()).map(|text| Currency::parse(&text)))
    }

    pub(super) fn segment_ids(&self, name: &str) -> Option<&'a [&'a str]> {
        self.kept(self.objects(name).iter().filter_map(|segment| segment.text_or_empty("id")))
    }

    /// One tracker for each method. No tracker if the event is missing.
    pub(super) fn event_trackers(&self, name: &str) -> Option<&'a [EventTracker]> {
        self.kept(self.objects(name).iter().flat_map(|tracker| {
            let methods = tracker.integers("methods").unwrap_or_default();
            let event = tracker.integer("event").into_iter();
            event.flat_map(|event| methods.iter().map(move |method| EventTracker { event, method: *method }))
        }))
    }
}
