//! The rows of [`creatives`](mod@reasons::creatives): their check, their cost, and their data for the compiler and
//! explanations.

use crate::form::{Form, Offered, Value};
use crate::offer::{Object, Offer};
use crate::own::Own;
use crate::player;
use catalog::Ad;
use openrtb::request::Request;
use reasons::no_bid::{Checked, NoBidReason as R, require};

/// A rule about creatives.
#[derive(Debug)]
pub struct Row {
    /// The reason of a creative that fails the check.
    pub reason: R,
    /// What explanations say: see the table.
    pub words: &'static [&'static str],
    /// The attributes of the request that the check looks at: see [`Dimension`](reasons::kind::Dimension).
    pub paths: &'static [&'static str],
    /// How it compares; `None` if it has a function of its own.
    pub form: Option<Form>,
}

impl Row {
    /// The row with this reason.
    pub fn of(reason: R) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.reason == reason)
    }
}

/// How long the lists are that a creative is compared with.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lengths {
    /// The numbers in lists for one value.
    pub(crate) numbers: usize,
    /// The texts in lists for one value.
    pub(crate) texts: usize,
    /// The numbers in lists that are compared with each of several values.
    pub(crate) for_each: usize,
    /// Of all these, the numbers that no value may be.
    pub(crate) blocked: usize,
}

impl Lengths {
    #[allow(clippy::inline_always, reason = "each row has one form and one type of values")]
    #[inline(always)]
    fn add(&mut self, form: Option<Form>, offered: Option<Offered<'_>>) {
        if let (Some(Form::NoneOf), Some(Offered::Numbers(all))) = (form, offered) {
            self.blocked += all.len();
        }
        match (form, offered) {
            (Some(Form::AllOf | Form::NoneOf), Some(Offered::Numbers(all))) => self.for_each += all.len(),
            (_, Some(Offered::Numbers(all))) => self.numbers += all.len(),
            (_, Some(Offered::Texts(all))) => self.texts += all.len(),
            (_, Some(Offered::Tags([one, other]))) => self.texts += one.len() + other.len(),
            _ => {}
        }
    }
}

macro_rules! rows {
    (creative { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        [$($word:literal),*] [$($path:literal),*] $rule:tt,)* }) => {
        /// All rows, in the order of the checks.
        pub static ROWS: &[Row] = &[$(
            Row {
                reason: R::$reason,
                words: &[$($word),*],
                paths: &[$($path),*],
                form: rows!(@form $rule),
            },
        )*];

        /// The first reason against a part of a creative.
        #[allow(clippy::inline_always, reason = "the compiler leaves out the rules that do not concern the part")]
        #[inline(always)]
        pub(crate) fn check(own: &Own<'_>, offer: &Offer<'_>) -> Checked {
            $(require(rows!(@holds $rule own offer), R::$reason)?;)*
            Ok(())
        }

        /// The form of the rule with this reason; `None` if it has none.
        pub const fn form_of(reason: R) -> Option<Form> {
            match reason {
                $(R::$reason => rows!(@form $rule),)*
                _ => None,
            }
        }

        /// The value of a creative in the rule with this reason; `None` if the rule does not concern it.
        pub fn own<'c>(reason: R, own: &Own<'c>) -> Option<Value<'c>> {
            match reason {
                $(R::$reason => rows!(@own_of $rule own),)*
                _ => None,
            }
        }

        /// The value of an impression in the rule with this reason; `None` if the rule does not concern it.
        pub fn offered<'r>(reason: R, offer: &Offer<'r>) -> Option<Offered<'r>> {
            match reason {
                $(R::$reason => rows!(@offered_of $rule offer),)*
                _ => None,
            }
        }

        /// The lengths of the lists that the rules of this offer compare with.
        #[allow(clippy::inline_always, reason = "the compiler leaves out the rules that do not concern the object")]
        #[inline(always)]
        fn lengths(offer: &Offer<'_>) -> Lengths {
            let mut all = Lengths::default();
            $(all.add(form_of(R::$reason), rows!(@offered_of $rule offer));)*
            all
        }

        /// How many values of a creative are compared with lists.
        pub(crate) fn values(own: &Own<'_>) -> usize {
            let mut count = 0;
            $(if let Some(Form::AllOf | Form::NoneOf) = form_of(R::$reason) && let Some(Value::Numbers(all)) = rows!(@own_of $rule own) { count += all.len() })*
            count
        }
    };
    (@own any $method:ident $own:ident) => { $own.$method().map(Value::from) };
    (@own $object:ident $attribute:ident $own:ident) => { $own.$object().map(|own| Value::from(own.$attribute())) };
    (@offered $offer:ident $offered:expr) => {
        (|| Some(Offered::from($offered)))()
    };
    (@form {Nested}) => { None };
    (@form {Check $_module:ident . $_function:ident}) => { None };
    (@form {$form:ident $($_rest:tt)*}) => { Some(Form::$form) };
    (@own_of {$form:ident $object:ident . $attribute:ident, $($_offered:tt)*} $own:ident) => {
        rows!(@own $object $attribute $own)
    };
    (@own_of $_rule:tt $_own:ident) => { None };
    (@offered_of {$form:ident $object:ident . $attribute:ident, |$offer:ident| $offered:expr} $_offer:ident) => {{
        let $offer = $_offer;
        rows!(@offered $offer $offered)
    }};
    (@offered_of $_rule:tt $_offer:ident) => { None };
    (@holds {Nested} $own:ident $offer:ident) => { true };
    (@holds {Check $module:ident . $function:ident} $own:ident $offer:ident) => { $module::$function($own, $offer) };
    (@holds {$form:ident $object:ident . $attribute:ident, |$offer:ident| $offered:expr} $own:ident $_offer:ident) => {
        {
            let $offer = $_offer;
            // The value of the creative is read only if the impression does not take all.
            rows!(@offered $offer $offered).is_none_or(|offered| {
                Form::$form.takes_all(&offered)
                    || rows!(@own $object $attribute $own).is_none_or(|own| Form::$form.holds(own, offered))
            })
        }
    };
}

reasons::creatives!(rows);

/// The lengths of the lists of an object.
pub(crate) fn lengths_of(object: Object<'_>) -> Lengths {
    let of = |object| lengths(&Offer { object: Some(object), ..Offer::default() });
    match object {
        Ad::Banner(offer) => of(Ad::Banner(offer)),
        Ad::Video(offer) | Ad::Audio(offer) => of(Ad::Video(offer)),
        Ad::Native(offer) => of(Ad::Native(offer)),
    }
}

/// The lengths of the lists of a request.
pub(crate) fn lengths_of_request(request: &Request<'_>) -> Lengths {
    lengths(&Offer { request: Some(request), ..Offer::default() })
}

/// The first reason against a creative or the video of a native ad, without its parts.
pub(crate) fn check_whole(own: &Own<'_>, offer: &Offer<'_>) -> Checked {
    check(own, offer)
}
