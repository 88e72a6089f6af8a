//! The forms of the rules in [`creatives`](mod@reasons::creatives): how a creative's value and an impression's compare.

use flat::List;

/// The form of a rule: see the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The value is in the list, or the list is empty.
    OneOf,
    /// The value is in the list, or the list is empty, or the value is unknown.
    OneOfKnown,
    /// Each value is in the list.
    AllOf,
    /// No value is in the list.
    NoneOf,
    /// The number is unknown, or between two others.
    Range,
    /// Not both are true.
    Flag,
}

/// The value of a creative.
#[derive(Debug, Clone, Copy)]
pub enum Value<'c> {
    /// A number, or a flag as 1 or 0.
    Number(i64),
    /// Several numbers.
    Numbers(List<'c, i64>),
    /// A text; case does not matter.
    Text(&'c str),
    /// A text that fits every list.
    Any(&'c str),
}

/// The value of an impression.
#[derive(Debug, Clone, Copy)]
pub enum Offered<'r> {
    /// A list of numbers.
    Numbers(&'r [i64]),
    /// A list with this number; 0 for an empty list.
    Number(i64),
    /// A list of texts.
    Texts(&'r [&'r str]),
    /// Two lists of language tags, compared without the region.
    Tags([&'r [&'r str]; 2]),
    /// The least and the most; 0: no limit.
    Range(i64, i64),
    /// True or false.
    Flag(bool),
}

#[allow(clippy::inline_always, reason = "each row has one form and one type of values")]
impl Form {
    /// Whether every value fits.
    #[inline(always)]
    pub fn takes_all(self, offered: &Offered<'_>) -> bool {
        match self {
            Form::OneOf | Form::OneOfKnown | Form::NoneOf => offered.is_empty(),
            Form::Flag => matches!(offered, Offered::Flag(false)),
            Form::AllOf | Form::Range => false,
        }
    }

    /// Whether the values fit, if not [all](Form::takes_all) do.
    #[inline(always)]
    pub(crate) fn holds(self, own: Value<'_>, offered: Offered<'_>) -> bool {
        let has = |number: i64| offered.has(number);
        match (self, own) {
            (_, Value::Any(_)) | (Form::OneOfKnown | Form::Range, Value::Number(0)) => true,
            (Form::OneOf | Form::OneOfKnown, Value::Text(own)) => offered.has_text(own),
            (Form::OneOf | Form::OneOfKnown, Value::Number(own)) => has(own),
            (Form::NoneOf, Value::Number(own)) => !has(own),
            (Form::NoneOf, Value::Numbers(own)) => !own.iter().any(has),
            (Form::AllOf, Value::Numbers(own)) => own.iter().all(has),
            (Form::Range, Value::Number(own)) => {
                matches!(offered, Offered::Range(least, most) if least <= own && (most <= 0 || own <= most))
            }
            (Form::Flag, Value::Number(own)) => own == 0,
            _ => false,
        }
    }
}

#[allow(clippy::inline_always, reason = "each row has one type of values")]
impl<'r> Offered<'r> {
    /// Whether it is a list without entries.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        match self {
            Offered::Numbers(all) => all.is_empty(),
            Offered::Number(one) => *one == 0,
            Offered::Texts(all) => all.is_empty(),
            Offered::Tags(both) => both.iter().all(|all| all.is_empty()),
            Offered::Range(..) | Offered::Flag(_) => false,
        }
    }

    /// Whether a list has this number.
    #[inline(always)]
    pub fn has(&self, number: i64) -> bool {
        match self {
            Offered::Numbers(all) => all.contains(&number),
            Offered::Number(one) => *one == number,
            _ => false,
        }
    }

    fn has_text(&self, own: &str) -> bool {
        match self {
            Offered::Texts(all) => all.iter().any(|one| one.eq_ignore_ascii_case(own)),
            Offered::Tags(both) => {
                both.iter().copied().flatten().any(|tag| without_region(tag).eq_ignore_ascii_case(own))
            }
            _ => false,
        }
    }

    /// Calls `take` with each value of a list; a tag is a text without its region.
    pub fn each(&self, mut take: impl FnMut(Value<'r>)) {
        match *self {
            Offered::Numbers(all) => all.iter().for_each(|one| take(Value::Number(*one))),
            Offered::Number(one) => take(Value::Number(one)),
            Offered::Texts(all) => all.iter().for_each(|one| take(Value::Text(one))),
            Offered::Tags(both) => both.into_iter().flatten().for_each(|tag| take(Value::Text(without_region(tag)))),
            Offered::Range(..) | Offered::Flag(_) => {}
        }
    }
}

fn without_region(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Value::Number(flag.into())
    }
}

impl<'c> From<&'c str> for Value<'c> {
    fn from(text: &'c str) -> Value<'c> {
        Value::Text(text)
    }
}

impl<'c> From<List<'c, i64>> for Value<'c> {
    fn from(all: List<'c, i64>) -> Value<'c> {
        Value::Numbers(all)
    }
}

impl<'r> From<&'r [i64]> for Offered<'r> {
    fn from(all: &'r [i64]) -> Offered<'r> {
        Offered::Numbers(all)
    }
}

impl From<i64> for Offered<'_> {
    fn from(one: i64) -> Self {
        Offered::Number(one)
    }
}

impl<'r> From<&'r [&'r str]> for Offered<'r> {
    fn from(all: &'r [&'r str]) -> Offered<'r> {
        Offered::Texts(all)
    }
}

impl From<(i64, i64)> for Offered<'_> {
    fn from((least, most): (i64, i64)) -> Self {
        Offered::Range(least, most)
    }
}

impl From<bool> for Offered<'_> {
    fn from(flag: bool) -> Self {
        Offered::Flag(flag)
    }
}
