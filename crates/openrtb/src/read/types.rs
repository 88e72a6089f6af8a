//! What the specification says of an attribute: its type, and what a kept request has of it.

use reasons::no_bid::NoBidReason;

/// An attribute of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// The name in JSON.
    pub name: &'static str,
    /// The type of the value, or of each item of a list.
    pub of: Type,
    /// Whether the value is a list.
    pub is_list: bool,
    /// What a kept request has of the value.
    pub kept: Kept,
    /// The reason not to bid if the value is there and cannot be read; `None` if the value restricts no bids.
    pub restricts: Option<NoBidReason>,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A string.
    Text,
    /// A string, for which some exchanges send a list.
    Keywords,
    /// A number without a fraction.
    Integer,
    /// 0 or 1.
    Flag,
    /// A number, also with a fraction.
    Number,
    /// An object of the kind with this name.
    Object(&'static str),
    /// A Native Ads request: a string with JSON, or an object.
    Native,
    /// An object with any attributes.
    Anything,
}

/// What a request that is kept for replay has of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The value.
    All,
    /// Nothing: it names a person, a device or a place.
    Nothing,
    /// A number of degrees with one decimal.
    Tenth,
    /// The scheme and host of a URL.
    Host,
    /// A consent string of the TCF, without its times.
    Tcf,
    /// A string of the Global Privacy Platform, with the sections that a decision may read.
    Gpp,
    /// A US Privacy string.
    UsPrivacy,
}
