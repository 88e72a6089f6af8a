//! Fills our own macros: replaces each mark in a text with its value, escaped for the place where it stands.
//!
//! Only ASCII letters, digits and `-._~` are written as they are. All other characters are escaped in every context, so
//! that no value ends a string, an attribute or an element, and no value contains a macro of the exchange.

use core::fmt::Write;
use std::borrow::Cow;

use super::json::Object;
use super::macros::{Depth, text};
use super::{Envelope, auction_id, hex};
use crate::bid::Bid;
use crate::digits::Digits;
use crate::limits::{MAX_FILLED_BYTES, MAX_PHRASE_VALUE};
use crate::macros::{Context, MARK, MARK_BYTES, Macro, marked};

/// The values of our macros in one bid.
#[derive(Clone, Copy)]
pub(super) struct Values<'b> {
    pub(super) bid: &'b Bid<'b>,
    pub(super) place: usize,
    pub(super) envelope: &'b Envelope<'b>,
}

impl<'b> Values<'b> {
    /// Fills the marks in the text from byte `from` on. A value that makes the values of the text longer than
    /// [`MAX_FILLED_BYTES`] is left out.
    pub(super) fn fill(self, object: &mut Object<'_>, from: usize, depth: Depth) {
        let mut room = MAX_FILLED_BYTES;
        object.fill(
            from,
            MARK,
            |text| Some((marked(text)?, MARK_BYTES)),
            |out, (which, context)| {
                let value = self.value(which);
                if let Some(rest) = room.checked_sub(value.len()) {
                    room = rest;
                    push(out, &value, context, depth);
                }
            },
        );
    }

    fn value(self, which: Macro) -> Cow<'b, str> {
        let Values { bid, envelope, .. } = self;
        let facts = envelope.facts;
        let (request, regs) = (facts.request, &facts.request.regs);
        Cow::Borrowed(match which {
            Macro::RequestId => envelope.id.value,
            Macro::ImpId => bid.imp.id.value,
            Macro::Tagid => bid.imp.tagid,
            Macro::BidId => return Cow::Owned(self.bid_id()),
            Macro::Cid => bid.campaign.cid(),
            Macro::Crid => bid.creative.crid(),
            Macro::Seat => envelope.seat_of(bid),
            Macro::Ssp => envelope.ssp.id(),
            Macro::DealId => bid.deal.map_or("", |deal| deal.id.value),
            Macro::SiteDomain => request.site.map_or("", |_| facts.channel.domain),
            Macro::SitePage => request.site.map_or("", |site| site.page),
            Macro::AppBundle => request.app.map_or("", |app| app.bundle),
            Macro::PublisherId => facts.channel.publisher_id,
            Macro::DeviceIfa => request.device.ifa,
            Macro::DeviceOs => facts.os,
            Macro::Country => facts.geo.country,
            Macro::Gdpr => regs.gdpr.map_or("", bit),
            Macro::GdprConsent => facts.consent,
            Macro::Gpp => regs.gpp,
            Macro::GppSid => return Cow::Owned(numbers(regs.gpp_sid)),
            Macro::UsPrivacy => regs.us_privacy,
            Macro::Coppa => bit(regs.coppa),
            Macro::Cachebuster => return Cow::Owned(self.cachebuster()),
            Macro::Timestamp => return Cow::Owned(numbers(&[facts.now_ms])),
        })
    }

    fn bid_id(self) -> String {
        let mut id = String::new();
        auction_id(&mut id, self.envelope);
        hex(&mut id, self.place as u64, 2);
        id
    }

    /// 12 digits from the seed, then the bid's place in 3 digits. The first digit is not 0, because scripts read such
    /// numbers as octal; 15 digits are exact in a JavaScript number.
    fn cachebuster(self) -> String {
        const LEAST: u64 = 100_000_000_000;
        let mut number = String::new();
        let _ = write!(number, "{}{:03}", LEAST + self.envelope.seed % (9 * LEAST), self.place);
        number
    }
}

const fn bit(is: bool) -> &'static str {
    if is { "1" } else { "0" }
}

fn numbers(numbers: &[i64]) -> String {
    let mut list = String::new();
    for number in numbers {
        if !list.is_empty() {
            list.push(',');
        }
        Digits::of(*number).push_to(&mut list);
    }
    list
}

fn push(out: &mut String, value: &str, context: Context, depth: Depth) {
    match context {
        Context::Url => text(out, &encoded(value, percent), depth),
        Context::Markup => text(out, &encoded(value, reference), depth),
        // A CDATA section has no references, so it ends before the value and begins again behind it.
        Context::Cdata => text(out, &format!("]]>{}<![CDATA[", encoded(value, reference)), depth),
        Context::Script => text(out, &encoded(value, escape), depth),
        Context::Plain if value.chars().count() > MAX_PHRASE_VALUE => {}
        // These escapes are those of the inner JSON string already.
        Context::Plain => text(out, &encoded(value, escape), Depth::Once),
    }
}

/// The value with every character escaped that is not unreserved in a URL (RFC 3986 §2.3).
fn encoded(value: &str, escaped: fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') {
            out.push(c);
        } else {
            escaped(&mut out, c);
        }
    }
    out
}

fn percent(out: &mut String, c: char) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let _ = write!(out, "%{byte:02X}");
    }
}

/// As a character reference. Beyond ASCII the character itself, because some references of HTML mean another character.
/// A character that XML does not allow becomes U+FFFD.
fn reference(out: &mut String, c: char) {
    match c {
        '\t' | '\n' | '\r' | ' '..='\u{7f}' => drop(write!(out, "&#x{:x};", u32::from(c))),
        '\0'..' ' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
        _ => out.push(c),
    }
}

/// As `\u` and four digits for each UTF-16 unit, as in strings of JavaScript and JSON.
fn escape(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}
