//! Which attributes an object names.

/// The attributes of an [`Inherits`](super::Inherits) object, by their position in
/// [`Object::ATTRIBUTES`](super::Object::ATTRIBUTES).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    /// Those that the object itself names, even as `null`.
    pub(super) named: u128,
    /// Those that are not `null`, in the object or inherited.
    pub(super) present: u128,
}

impl Given {
    /// Whether the object itself names the attribute at this position, even as `null`.
    #[must_use]
    pub fn names(self, position: usize) -> bool {
        self.named & bit(position) != 0
    }

    /// The same without the attribute at this position.
    #[must_use]
    pub fn without(self, position: usize) -> Given {
        Given { named: self.named & !bit(position), present: self.present & !bit(position) }
    }

    /// What the object has after it has inherited from an object with `base`.
    #[must_use]
    pub fn and_inherited(self, base: Given) -> Given {
        Given { present: self.present | base.present & !self.named, ..self }
    }
}

/// 0 after the 128th attribute; a test checks that no object has so many.
pub(super) fn bit(position: usize) -> u128 {
    u32::try_from(position).ok().and_then(|position| 1u128.checked_shl(position)).unwrap_or_default()
}
