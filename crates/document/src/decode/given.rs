//! Which attributes an object names.

/// The attributes of an [`Inherits`](super::Inherits) object, by their place in [`Object::ATTRIBUTES`](super::Object::ATTRIBUTES).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    /// Those that the object itself names, even as `null`.
    pub(super) named: u128,
    /// Those that are not `null`, in the object or inherited.
    pub(super) present: u128,
}

impl Given {
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

/// 0 after the 128th attribute; a test checks that no object has so many.
pub(super) fn bit(place: usize) -> u128 {
    u32::try_from(place).ok().and_then(|place| 1u128.checked_shl(place)).unwrap_or_default()
}
