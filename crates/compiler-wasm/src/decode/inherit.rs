//! Objects that take attributes from another object of their type: the macro `object!` declares them with `: Inherits`.
//!
//! They remember which attributes the text names, because `null` and an empty list differ from an absent attribute.

use super::object::{Object, Slot};

/// An object that takes the attributes that it does not name from another object of its type.
pub trait Inherits: Object {
    /// What the object names.
    fn given(&self) -> Given;

    /// Takes each attribute that this object does not name from `base`. An attribute that is named as `null` or as an
    /// empty list stays absent.
    fn inherit(&mut self, base: &Self);

    /// Whether the object itself names the attribute, even as `null`.
    fn names(&self, attribute: &str) -> bool {
        place_of::<Self>(attribute).is_some_and(|place| self.given().names(place))
    }

    /// The required attributes that the object lacks, each with what a message says is expected.
    fn missing(&mut self) -> Vec<(&'static str, &'static str)> {
        let given = self.given();
        let slots = self.slots().into_iter().zip(0..);
        let missing = slots.filter(|(slot, place)| slot.name.required && given.present & bit(*place) == 0);
        missing.map(|(slot, _)| (slot.name.wire, slot.field.expected())).collect()
    }
}

/// The attributes of an [`Inherits`] object, by their place in [`Object::ATTRIBUTES`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    /// Those that the object itself names, even as `null`.
    named: u128,
    /// Those that are not `null`, in the object or inherited.
    present: u128,
}

impl Given {
    pub(super) fn of(slots: &[Slot<'_>]) -> Given {
        slots.iter().zip(0..).fold(Given::default(), |Given { named, present }, (slot, place)| Given {
            named: named | if slot.named { bit(place) } else { 0 },
            present: present | if slot.present { bit(place) } else { 0 },
        })
    }

    /// Whether the object itself names the attribute at this place, even as `null`.
    #[must_use]
    pub fn names(self, place: usize) -> bool {
        self.named & bit(place) != 0
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
