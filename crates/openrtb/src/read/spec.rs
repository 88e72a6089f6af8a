//! What the specification says of the attributes in [`super::table`] and [`super::unread`]: their types, and which of
//! them name a person.
//!
//! The compiling module checks and redacts requests with it. The serving module has no use for it, so the linker leaves
//! it out there. It has no values and reads no requests.

use super::Needs;
use super::objects::{KINDS, NAMES};
use super::rows::{self, Kind};
pub use super::types::{Attribute, Kept, Type};
use super::unread::{REQUIRED, UNREAD};

/// The attributes of a kind that a decision may read. None for an unknown kind.
pub fn read(kind: &str) -> impl Iterator<Item = Attribute> {
    kind_named(kind).into_iter().flat_map(|known| known.attributes.iter().filter(|row| known.has(row)).map(specified))
}

/// The attributes of a kind of which a kept request may have something: those that a decision may read, and those that
/// are required, because a request without them would look broken.
pub fn kept(kind: &str) -> impl Iterator<Item = Attribute> {
    let required = unread(kind).filter(move |known| is_required(kind, known.name));
    read(kind).chain(required.map(|known| Attribute { kept: Kept::All, ..known }))
}

/// The attributes of a kind that no decision reads.
fn unread(kind: &str) -> impl Iterator<Item = Attribute> {
    UNREAD.iter().filter(move |(owner, ..)| *owner == kind).flat_map(|(_, is_list, of, names)| {
        names.split(' ').map(|name| Attribute {
            name,
            of: *of,
            is_list: *is_list,
            kept: Kept::Nothing,
            restricts: None,
        })
    })
}

fn kind_named(name: &str) -> Option<&'static Kind> {
    NAMES.iter().zip(&KINDS).find(|(known, _)| **known == name).map(|(_, kind)| kind)
}

fn specified(row: &rows::Attribute) -> Attribute {
    let name_of_kind = NAMES.get(usize::from(row.kind)).copied().unwrap_or_default();
    let of = if row.spec.of == Type::Anything { Type::Object(name_of_kind) } else { row.spec.of };
    Attribute { of, ..row.spec }
}

/// All attributes of a kind in the specification. Each kind may have an `ext`, with any attributes.
pub fn all(kind: &str) -> impl Iterator<Item = Attribute> {
    let ext = Attribute { name: "ext", of: Type::Anything, is_list: false, kept: Kept::Nothing, restricts: None };
    read(kind).filter(|known| known.name != "ext").chain(unread(kind)).chain([ext])
}

/// Whether the specification requires the attribute.
#[must_use]
pub fn is_required(kind: &str, attribute: &str) -> bool {
    let names = REQUIRED.iter().find(|(owner, _)| *owner == kind).map(|(_, names)| names);
    names.is_some_and(|names| names.split(' ').any(|name| name == attribute))
}

/// Adds the parts of a request without which a check with this path has no value: see
/// [`Dimension::paths`](reasons::kind::Dimension::paths).
pub fn add_needs(path: &str, needs: &mut Needs) {
    for path in path.trim_start_matches('?').split('|') {
        let (root, rest) = path.split_once('.').unwrap_or((path, ""));
        match root {
            // Which of these objects are read depends on the creatives.
            "spot" => {}
            "channel" => add_needs_below("Channel", rest, needs),
            "person" => add_needs_below("User", rest, needs),
            "geo" => add_needs_below("Device", path, needs),
            _ => add_needs_below("BidRequest", path, needs),
        }
    }
}

fn add_needs_below(kind: &str, path: &str, needs: &mut Needs) {
    for need in rows(kind, path).flat_map(|(kind, row)| [kind.need, row.need]).flatten() {
        *need(needs) = true;
    }
}

/// Whether a request can have an attribute at this path that a decision may read.
#[must_use]
pub fn has(path: &str) -> bool {
    rows("BidRequest", path).count() == path.split('.').count()
}

/// The rows on the way from an object of this kind to an attribute, each with its kind. They end at an unknown name.
fn rows<'p>(kind: &str, path: &'p str) -> impl Iterator<Item = (&'static Kind, &'static rows::Attribute)> + use<'p> {
    let mut kind = kind_named(kind);
    path.split('.').map_while(move |name| {
        let of = kind?;
        let row = of.attributes.iter().find(|row| row.spec.name == name && of.has(row))?;
        kind = Kind::of(row.kind);
        Some((of, row))
    })
}
