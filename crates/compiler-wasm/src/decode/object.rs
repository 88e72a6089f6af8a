//! Objects with named attributes: the macro `object!` declares them, `read_object` reads them.
//!
//! If a name occurs several times, the last one counts, even if it is `null`. An unknown name is a finding; its value
//! is skipped.

use core::fmt;

use super::attribute::{Attribute, Field};
use super::finding::{Context, Rule};
use super::limit::Limit;
use super::nearest::nearest;
use super::value::{Members, Value};

/// The name of an attribute, and whether it is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeName {
    /// The name in JSON.
    pub wire: &'static str,
    /// Whether a missing attribute is a finding.
    pub required: bool,
}

/// A type declared by `object!`.
pub trait Object: Attribute {
    /// The type's name.
    const NAME: &'static str;
    /// All attributes, in the order of declaration.
    const ATTRIBUTES: &'static [AttributeName];
}

/// An attribute of an object that is being read.
pub struct Slot<'o> {
    pub(super) name: AttributeName,
    pub(super) field: &'o mut dyn Field,
    limit: Option<Limit>,
    pub(super) seen: bool,
    pub(super) present: bool,
}

impl<'o> Slot<'o> {
    /// A slot that fills `field`.
    pub fn new(name: AttributeName, field: &'o mut dyn Field) -> Slot<'o> {
        Slot { name, field, limit: None, seen: false, present: false }
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

/// Reads an object into `slots`. Returns false, and adds a finding, if `value` is not an object.
pub fn read_object(value: Value<'_>, slots: &mut [Slot<'_>], cx: &mut Context) -> bool {
    let Value::Object(members) = value else {
        cx.ignored(&value, "an object");
        return false;
    };
    read_members(members, slots, cx);
    report_missing(slots, cx);
    true
}

/// Adds a finding for each required attribute that was not read.
pub(super) fn report_missing(slots: &[Slot<'_>], cx: &mut Context) {
    for slot in slots.iter().filter(|slot| slot.name.required && !slot.present) {
        let expected = slot.field.expected();
        cx.at_attribute(slot.name.wire, |cx| {
            cx.report(Rule::Missing, format_args!("missing; expected {expected}"));
        });
    }
}

pub(super) fn read_members(members: &mut dyn Members, slots: &mut [Slot<'_>], cx: &mut Context) {
    members.each(cx, &mut |name, value, cx| {
        cx.at_attribute(name, |cx| {
            let Some(index) = slots.iter().position(|slot| slot.name.wire == name) else {
                cx.report(Rule::UnknownAttribute, format_args!("{}", Unknown { name, slots }));
                return;
            };
            let Some(slot) = slots.get_mut(index) else { return };
            if slot.seen {
                cx.report(Rule::DuplicateKey, format_args!("given more than once, the last one counts; expected once"));
            }
            slot.seen = true;
            slot.present = !matches!(value, Value::Null);
            slot.field.fill(value, cx);
            if let Some(limit) = slot.limit.as_ref().filter(|_| slot.present) {
                slot.field.check(limit, cx);
            }
        });
    });
}

/// Adds a finding unless exactly one of the attributes is given.
pub fn check_one_of(slots: &[Slot<'_>], names: &[&str], cx: &mut Context) {
    if slots.iter().filter(|slot| slot.present && names.contains(&slot.name.wire)).count() != 1 {
        let names = names.join(", ");
        cx.report(Rule::Missing, format_args!("has none of them, or several; expected exactly one of {names}"));
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

/// Declares the type of a JSON object and implements its reading.
///
/// A field is an `Option` or a `Vec` of an [`Attribute`]. `as "name"` sets the name in JSON if it differs from the
/// field; `= required` makes a missing attribute a finding. `struct Name from field` allows a text in place of the
/// object; it stands for an object with this field only. `where` limits the values: see [`Limit`]. `one of ("a", "b")` means
/// that exactly one of these attributes is given.
///
/// `struct Name: Inherits` implements [`Inherits`](super::Inherits), and adds the field `given`.
macro_rules! object {
    (
        $(#[$meta:meta])*
        $scope:vis struct $object:ident: Inherits {
            $(
                $(#[$doc:meta])*
                $reach:vis $field:ident $(as $wire:literal)? : $type:ty $(= $required:ident)? $(where $limit:expr)?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        $scope struct $object {
            $( $(#[$doc])* $reach $field: $type, )*
            /// Which of the attributes the text names.
            pub given: $crate::decode::Given,
        }

        $crate::decode::object!(@object $object $($field $(as $wire)? $(= $required)?),*);

        impl $crate::decode::Inherits for $object {
            fn slots(&mut self) -> Vec<$crate::decode::Slot<'_>> {
                vec![ $(
                    $crate::decode::Slot::new(
                        $crate::decode::object!(@name $field $($wire)?, $($required)?),
                        &mut self.$field,
                    )
                    $(.limited($limit))?,
                )* ]
            }

            fn given(&self) -> $crate::decode::Given {
                self.given
            }

            fn inherit(&mut self, base: &Self) {
                let mut places = 0..;
                $(
                    if places.next().is_some_and(|place| !self.given.names(place)) {
                        self.$field.clone_from(&base.$field);
                    }
                )*
                self.given = self.given.and_inherited(base.given);
            }
        }

        impl $crate::decode::Attribute for $object {
            const EXPECTED: &'static str = "an object";
            const EXPECTED_LIST: &'static str = "an array of objects";
            const MOST: usize = ::bidder_wasm::limits::MAX_LISTED_OBJECTS;

            fn decode(value: $crate::decode::Value<'_>, cx: &mut $crate::decode::Context) -> Option<Self> {
                let mut object = Self::default();
                let given = $crate::decode::Given::read(value, &mut $crate::decode::Inherits::slots(&mut object), cx)?;
                object.given = given;
                Some(object)
            }
        }
    };
    ($(
        $(#[$meta:meta])*
        $scope:vis struct $object:ident $(from $short:ident)? $(one of ($($one:literal),+))? {
            $(
                $(#[$doc:meta])*
                $reach:vis $field:ident $(as $wire:literal)? : $type:ty $(= $required:ident)? $(where $limit:expr)?
            ),* $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        $scope struct $object {
            $( $(#[$doc])* $reach $field: $type, )*
        }

        $crate::decode::object!(@object $object $($field $(as $wire)? $(= $required)?),*);

        impl $crate::decode::Attribute for $object {
            const EXPECTED: &'static str = concat!($("a string, the ", stringify!($short), ", or ",)? "an object");
            const EXPECTED_LIST: &'static str = concat!("an array of " $(, "strings, the ", stringify!($short), ", or ")?, "objects");
            const MOST: usize = ::bidder_wasm::limits::MAX_LISTED_OBJECTS;

            fn decode(value: $crate::decode::Value<'_>, cx: &mut $crate::decode::Context) -> Option<Self> {
                $(if let $crate::decode::Value::Text(text) = value {
                    return Some(Self { $short: Some(text), ..Self::default() });
                })?
                let mut object = Self::default();
                let slots = &mut [ $(
                    $crate::decode::Slot::new(
                        $crate::decode::object!(@name $field $($wire)?, $($required)?),
                        &mut object.$field,
                    )
                    $(.limited($limit))?,
                )* ];
                let is_object = $crate::decode::read_object(value, slots, cx);
                $( if is_object { $crate::decode::check_one_of(slots, &[$($one),+], cx); } )?
                is_object.then_some(object)
            }
        }
    )+};
    (@object $object:ident $($field:ident $(as $wire:literal)? $(= $required:ident)?),*) => {
        impl $crate::decode::Object for $object {
            const NAME: &'static str = stringify!($object);
            const ATTRIBUTES: &'static [$crate::decode::AttributeName] = &[
                $( $crate::decode::object!(@name $field $($wire)?, $($required)?), )*
            ];
        }
    };
    (@name $field:ident, $($required:ident)?) => {
        $crate::decode::object!(@name $field (stringify!($field)), $($required)?)
    };
    (@name $field:ident $wire:expr, required) => {
        $crate::decode::AttributeName { wire: $wire, required: true }
    };
    (@name $field:ident $wire:expr,) => {
        $crate::decode::AttributeName { wire: $wire, required: false }
    };
}

pub(crate) use object;
