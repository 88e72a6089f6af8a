//! Odd forms of values: which mean the same as a list, and which restrictions nobody can read.

use reasons::no_bid::NoBidReason as Reason;
use serde_json::Value;

use super::json::at;

/// An item of a list, or a part of a text instead of it.
#[derive(Clone, Copy)]
pub enum Item<'v> {
    Part(&'v str),
    Value(&'v Value),
}

impl<'v> Item<'v> {
    pub fn text(self) -> Option<&'v str> {
        match self {
            Item::Part(part) => Some(part),
            Item::Value(value) => value.as_str(),
        }
    }

    pub fn int(self) -> Option<i64> {
        match self {
            Item::Part(part) => part.parse().ok(),
            Item::Value(value) => value
                .as_i64()
                .or_else(|| value.as_bool().map(i64::from))
                .or_else(|| value.as_str()?.trim().parse().ok()),
        }
    }

    fn is_empty(self) -> bool {
        matches!(self, Item::Value(value) if is_nothing(value))
    }
}

/// The items of a list of scalars, or of what stands instead of it: a list in a list, an object with numbers as names,
/// a text with several items.
pub fn items<'v>(value: &'v Value) -> Vec<Item<'v>> {
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
    match value {
        Value::Null => vec![],
        Value::String(text) => {
            text.split([',', ';', '|']).map(str::trim).filter(|part| !part.is_empty()).map(Item::Part).collect()
        }
        Value::Object(members) => {
            let is_number = |name: &String| name.chars().all(|c| c.is_ascii_digit());
            if members.iter().all(|(name, value)| is_number(name) && is_scalar(value)) {
                members.values().map(Item::Value).collect()
            } else {
                vec![Item::Value(value)]
            }
        }
        Value::Array(all) => {
            let flat = |item: &'v Value| match item {
                Value::Array(inner) if inner.iter().all(is_scalar) => inner.iter().map(Item::Value).collect(),
                _ => vec![Item::Value(item)],
            };
            all.iter().flat_map(flat).collect()
        }
        _ => vec![Item::Value(value)],
    }
}

/// In place of a list or an object, `null`, the empty text, list and object say nothing.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// What a restriction should be.
#[derive(Clone, Copy)]
enum Of {
    Int,
    Ints,
    Texts,
    Object,
    Objects,
}

type Restrictions = [(&'static str, Of, Reason)];

const REQUEST: &Restrictions = &[
    ("regs", Of::Object, Reason::Privacy),
    ("regs/ext", Of::Object, Reason::Privacy),
    ("cur", Of::Texts, Reason::Currency),
    ("wseat", Of::Texts, Reason::Seat),
    ("bseat", Of::Texts, Reason::Seat),
    ("badv", Of::Texts, Reason::Badv),
    ("bcat", Of::Texts, Reason::Bcat),
    ("bapp", Of::Texts, Reason::Bapp),
    ("regs/dsa", Of::Object, Reason::Dsa),
    ("regs/ext/dsa", Of::Object, Reason::Dsa),
    ("regs/dsa/dsarequired", Of::Int, Reason::Dsa),
    ("regs/ext/dsa/dsarequired", Of::Int, Reason::Dsa),
    ("acat", Of::Texts, Reason::Acat),
    ("wlang", Of::Texts, Reason::Wlang),
    ("wlangb", Of::Texts, Reason::Wlang),
];

const IMP: &Restrictions = &[
    ("qty", Of::Object, Reason::Multiplier),
    ("pmp", Of::Object, Reason::Deal),
    ("exp", Of::Int, Reason::Exp),
    ("ssai", Of::Int, Reason::Ssai),
];

const DEAL: &Restrictions = &[
    ("wseat", Of::Texts, Reason::DealWseat),
    ("wadomain", Of::Texts, Reason::DealWadomain),
    ("durfloors", Of::Objects, Reason::FloorUnreadable),
];

const BANNER: &Restrictions = &[
    ("w", Of::Int, Reason::Size),
    ("h", Of::Int, Reason::Size),
    ("format", Of::Objects, Reason::Size),
    ("btype", Of::Ints, Reason::Btype),
    ("mimes", Of::Texts, Reason::Mimes),
    ("battr", Of::Ints, Reason::Battr),
];

const LINEAR: &Restrictions = &[
    ("mimes", Of::Texts, Reason::Mimes),
    ("minbitrate", Of::Int, Reason::Bitrate),
    ("maxbitrate", Of::Int, Reason::Bitrate),
    ("delivery", Of::Ints, Reason::Delivery),
    ("protocols", Of::Ints, Reason::Protocols),
    ("minduration", Of::Int, Reason::Duration),
    ("maxduration", Of::Int, Reason::Duration),
    ("rqddurs", Of::Ints, Reason::Duration),
    ("poddur", Of::Int, Reason::Duration),
    ("maxseq", Of::Int, Reason::Duration),
    ("companiontype", Of::Ints, Reason::Companion),
    ("battr", Of::Ints, Reason::Battr),
    ("durfloors", Of::Objects, Reason::FloorUnreadable),
];

/// Attributes that audio does not have.
const VIDEO: &Restrictions = &[
    ("protocol", Of::Int, Reason::Protocols),
    ("linearity", Of::Int, Reason::Linearity),
    ("skip", Of::Int, Reason::Skip),
    ("skipmin", Of::Int, Reason::Skip),
    ("w", Of::Int, Reason::Boxing),
    ("h", Of::Int, Reason::Boxing),
    ("boxingallowed", Of::Int, Reason::Boxing),
    ("poddedupe", Of::Ints, Reason::PodDuplicate),
];

const NATIVE: &Restrictions = &[("battr", Of::Ints, Reason::Battr)];

pub fn of_request(request: &Value) -> Option<Reason> {
    first(request, REQUEST)
}

pub fn of_imp(imp: &Value) -> Option<Reason> {
    first(imp, IMP)
}

pub fn of_deal(deal: &Value) -> Option<Reason> {
    first(deal, DEAL)
}

/// The first reason of a media object, or of a slot for a companion, which is a banner.
pub fn of_offer(medium: &str, offer: &Value) -> Option<Reason> {
    match medium {
        "banner" => first(offer, BANNER),
        "video" => first(offer, LINEAR).into_iter().chain(first(offer, VIDEO)).min(),
        "audio" => first(offer, LINEAR),
        _ => first(offer, NATIVE),
    }
}

fn first(object: &Value, restrictions: &Restrictions) -> Option<Reason> {
    let unreadable = restrictions.iter().filter(|(path, of, _)| !is_readable(at(object, path), *of));
    unreadable.map(|(.., reason)| *reason).min()
}

fn is_readable(value: &Value, of: Of) -> bool {
    if value.is_null() || is_nothing(value) && !matches!(of, Of::Int) {
        return true;
    }
    let all = |reads: fn(&Item<'_>) -> bool| items(value).iter().all(|item| item.is_empty() || reads(item));
    match of {
        Of::Int => value == "" || Item::Value(value).int().is_some(),
        Of::Ints => all(|item| item.int().is_some()),
        Of::Texts => all(|item| item.text().is_some()),
        Of::Object => value.is_object(),
        Of::Objects => {
            let is_entry = |entry: &Value| {
                let members = entry.as_object();
                let is_numbered = members.is_some_and(|members| members.keys().any(|name| name.parse::<u32>().is_ok()));
                entry.is_null() || members.is_some() && !is_numbered
            };
            value.as_array().map_or_else(|| is_entry(value), |entries| entries.iter().all(is_entry))
        }
    }
}
