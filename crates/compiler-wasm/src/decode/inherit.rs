//! Objects that take attributes from another object of their type: the macro `object!` declares them with `: Inherits`.
//!
//! They remember which attributes the text names, because `null` and an empty list differ from an absent attribute.

use super::finding::Context;
use super::object::{Object, Slot, read_members, report_missing};
use super::value::Value;

/// An object that takes the attributes that it does not name from another object of its type.
pub trait Inherits: Object {
    /// A slot for each attribute, in the order of [`Object::ATTRIBUTES`].
    fn slots(&mut self) -> Vec<Slot<'_>>;

    /// What the object names.
    fn given(&self) -> Given;

    /// Whether the object itself names the attribute, even as `null`.
    fn names(&self, attribute: &str) -> bool {
        place_of::<Self>(attribute).is_some_and(|place| self.given().names(place))
    }

    /// Takes each attribute that this object does not name from `base`. An attribute that is named as `null` or as an
    /// empty list stays absent.
    fn inherit(&mut self, base: &Self);

    /// The required attributes that the object lacks, each with what a message says is expected.
    fn missing(&mut self) -> Vec<(&'static str, &'static str)> {
        let given = self.given();
        let slots = self.slots().into_iter().zip(0..);
        let missing = slots.filter(|(slot, place)| slot.name.required && !given.has(*place));
        missing.map(|(slot, _)| (slot.name.wire, slot.field.expected())).collect()
    }
}

/// The attribute that says from what an object inherits.
const TEMPLATE: &str = "template";

/// The attributes of an [`Inherits`] object, by their place in [`Object::ATTRIBUTES`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    named: u128,
    present: u128,
}

impl Given {
    /// Reads an object into `slots`. `None`, with a finding, if `value` is not an object. An object that names a
    /// template may inherit, so its missing attributes are no findings yet.
    pub fn read(value: Value<'_>, slots: &mut [Slot<'_>], cx: &mut Context) -> Option<Given> {
        let Value::Object(members) = value else {
            cx.ignored(&value, "an object");
            return None;
        };
        read_members(members, slots, cx);
        if !slots.iter().any(|slot| slot.name.wire == TEMPLATE && slot.present) {
            report_missing(slots, cx);
        }
        let slots = || (0..).zip(slots.iter());
        let named = slots().filter(|(_, slot)| slot.seen).map(|(place, _)| bit(place)).sum();
        let present = slots().filter(|(_, slot)| slot.present).map(|(place, _)| bit(place)).sum();
        Some(Given { named, present })
    }

    /// Whether the object itself names the attribute at this place, even as `null`.
    #[must_use]
    pub fn names(self, place: usize) -> bool {
        self.named & bit(place) != 0
    }

    /// Whether the attribute at this place is there and not `null`, in the object or inherited.
    #[must_use]
    pub fn has(self, place: usize) -> bool {
        self.present & bit(place) != 0
    }

    /// The same without the attribute at this place.
    #[must_use]
    pub fn without(self, place: usize) -> Given {
        Given { named: self.named & !bit(place), present: self.present & !bit(place) }
    }

    /// What the object has after it has inherited from an object with `base`.
    #[must_use]
    pub fn and_inherited(self, base: Given) -> Given {
        Given { present: self.present | base.present & !self.named, ..self }
    }
}

/// The place of an attribute in [`Object::ATTRIBUTES`].
#[must_use]
pub fn place_of<T: Object>(attribute: &str) -> Option<usize> {
    T::ATTRIBUTES.iter().position(|known| known.wire == attribute)
}

/// 0 after the 128th attribute; a test checks that no object has so many.
fn bit(place: usize) -> u128 {
    u32::try_from(place).ok().and_then(|place| 1u128.checked_shl(place)).unwrap_or_default()
}
