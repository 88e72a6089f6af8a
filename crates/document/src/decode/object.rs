//! Objects with named attributes: the macro `object!` declares them, `read_object` reads them.
//!
//! If a name occurs several times, the last one counts, even if it is `null`. An unknown name is a finding; its value
//! is skipped.

use core::fmt;

use super::attribute::{Attribute, Field, VisitText};
use super::finding::{Context, Rule};
use super::given::{Given, bit};
use super::json::{Json, JsonObject};
use super::limit::{Limit, TextKind};
use super::nearest::nearest;

/// The name of an attribute, and whether it is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeName {
    /// The name in JSON.
    pub wire: &'static str,
    /// Whether a missing attribute is a finding.
    pub required: bool,
}

/// A type declared by `object!`.
pub trait Object: Default {
    /// The type's name.
    const NAME: &'static str;
    /// All attributes, in the order of declaration.
    const ATTRIBUTES: &'static [AttributeName];
    /// Attributes of which exactly one is given; empty if there are none.
    const ONE_OF: &'static [&'static str];
    /// What a message says is expected: of one value, and of a list.
    const FORMS: [&'static str; 2];

    /// A slot for each attribute, in the order of [`Object::ATTRIBUTES`].
    fn slots(&mut self) -> Vec<Slot<'_>>;

    /// The object that a text stands for; `None` if the value must be an object.
    fn of_text(_: &str) -> Option<Self> {
        None
    }

    /// Remembers which attributes the text names.
    fn keep(&mut self, _: Given) {}
}

impl<T: Object> Attribute for T {
    const EXPECTED: &'static str = T::FORMS[0];
    const EXPECTED_LIST: &'static str = T::FORMS[1];
    const MOST: usize = base::limits::MAX_LISTED_OBJECTS;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        if let Json::Text(text) = &value
            && let Some(object) = T::of_text(text)
        {
            return Some(object);
        }
        let mut object = T::default();
        let mut slots = object.slots();
        let given = read_object(value, &mut slots, cx)?;
        let is_one_of = |slot: &&Slot<'_>| slot.present && T::ONE_OF.contains(&slot.name.wire);
        if !T::ONE_OF.is_empty() && slots.iter().filter(is_one_of).count() != 1 {
            let names = T::ONE_OF.join(", ");
            cx.report(Rule::Missing, format_args!("has none of them, or several; expected exactly one of {names}"));
        }
        drop(slots);
        object.keep(given);
        Some(object)
    }

    fn visit_texts(&mut self, _: Option<TextKind>, path: fmt::Arguments<'_>, visit: &mut VisitText<'_>) {
        let dot = if path.as_str() == Some("") { "" } else { "." };
        for slot in self.slots() {
            let kind = slot.limit.and_then(|limit| limit.kind);
            slot.field.visit(kind, format_args!("{path}{dot}{}", slot.name.wire), visit);
        }
    }
}

/// An attribute of an object that is being read.
pub struct Slot<'o> {
    pub(super) name: AttributeName,
    pub(super) field: &'o mut dyn Field,
    limit: Option<Limit>,
    pub(super) named: bool,
    pub(super) present: bool,
}

impl<'o> Slot<'o> {
    /// A slot that fills `field`.
    pub fn new(name: AttributeName, field: &'o mut dyn Field) -> Slot<'o> {
        Slot { name, field, limit: None, named: false, present: false }
    }

    /// The same slot with a limit on its values.
    #[must_use]
    pub fn limited(self, limit: Limit) -> Slot<'o> {
        Slot { limit: Some(limit), ..self }
    }

    /// The same slot, whose absence is no finding.
    #[must_use]
    pub fn optional(self) -> Slot<'o> {
        Slot { name: AttributeName { required: false, ..self.name }, ..self }
    }

    /// The name of the attribute.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name.wire
    }
}

/// The attribute that says from what an object inherits.
const TEMPLATE: &str = "template";

/// Reads an object into `slots`. `None`, with a finding, if `value` is not an object. An object that names a template may
/// inherit, so its missing attributes are no findings yet.
pub fn read_object(value: Json, slots: &mut [Slot<'_>], cx: &mut Context) -> Option<Given> {
    let Json::Object(JsonObject(members)) = value else { return cx.ignored(&value, "an object") };
    for (name, value) in members {
        cx.at_attribute(&name, |cx| read_member(&name, value, slots, cx));
    }
    if !slots.iter().any(|slot| slot.name.wire == TEMPLATE && slot.present) {
        for slot in slots.iter().filter(|slot| slot.name.required && !slot.present) {
            let expected = slot.field.expected();
            cx.at_attribute(slot.name.wire, |cx| {
                cx.report(Rule::Missing, format_args!("missing; expected {expected}"));
            });
        }
    }
    Some(given(slots))
}

/// Which attributes an object names.
fn given(slots: &[Slot<'_>]) -> Given {
    slots.iter().zip(0..).fold(Given::default(), |Given { named, present }, (slot, position)| Given {
        named: named | if slot.named { bit(position) } else { 0 },
        present: present | if slot.present { bit(position) } else { 0 },
    })
}

fn read_member(name: &str, value: Json, slots: &mut [Slot<'_>], cx: &mut Context) {
    let position = slots.iter().position(|slot| slot.name.wire == name);
    let Some(slot) = position.and_then(|position| slots.get_mut(position)) else {
        return cx.report(Rule::UnknownAttribute, format_args!("{}", Unknown { name, slots }));
    };
    if slot.named {
        cx.report(Rule::DuplicateKey, format_args!("given more than once, the last one counts; expected once"));
    }
    slot.named = true;
    slot.present = value != Json::Null;
    slot.field.fill(value, cx);
    if let Some(limit) = slot.limit.as_ref().filter(|_| slot.present) {
        slot.field.check(limit, cx);
    }
}

/// The message for an unknown name. It is computed only if the finding is kept.
struct Unknown<'u, 'o> {
    name: &'u str,
    slots: &'u [Slot<'o>],
}

impl fmt::Display for Unknown<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown attribute; ")?;
        let names = || self.slots.iter().map(|slot| slot.name.wire);
        match nearest(self.name, names()) {
            Some(known) => write!(f, "did you mean `{known}`?"),
            None => write!(f, "expected one of {}", names().collect::<Vec<_>>().join(", ")),
        }
    }
}
