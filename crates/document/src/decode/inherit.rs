//! Objects that take attributes from another object of their type: the macro `object!` declares them with `: Inherits`.
//!
//! They remember which attributes the text names, because `null` and an empty list differ from an absent attribute.

use super::given::{Given, bit};
use super::object::Object;

/// An object that takes the attributes that it does not name from another object of its type.
pub trait Inherits: Object {
    /// What the object names.
    fn given(&self) -> Given;

    /// Takes each attribute that this object does not name from `base`. An attribute that is named as `null` or as an
    /// empty list stays absent.
    fn inherit(&mut self, base: &Self);

    /// Whether the object itself names the attribute, even as `null`.
    fn names(&self, attribute: &str) -> bool {
        position_of::<Self>(attribute).is_some_and(|position| self.given().names(position))
    }

    /// The required attributes that the object lacks, each with what a message says is expected.
    fn missing(&mut self) -> Vec<(&'static str, &'static str)> {
        let given = self.given();
        let slots = self.slots().into_iter().zip(0..);
        let missing = slots.filter(|(slot, position)| slot.name.required && given.present & bit(*position) == 0);
        missing.map(|(slot, _)| (slot.name.wire, slot.field.expected())).collect()
    }
}

/// The position of an attribute in [`Object::ATTRIBUTES`].
#[must_use]
pub fn position_of<T: Object>(attribute: &str) -> Option<usize> {
    T::ATTRIBUTES.iter().position(|known| known.wire == attribute)
}
