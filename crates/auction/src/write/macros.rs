//! Fills macros: the `${AUCTION_…}` macros (OpenRTB 2.6 §4.4) for exchanges that do not fill them, and our own.
//!
//! Macros of the exchange with an encoding, such as `${AUCTION_PRICE:B64}`, stay as they are. Those whose values come from
//! the request or the catalog have marks, like our own.
//!
//! Each mark is replaced with its value, escaped for the place where it stands. Only ASCII letters,
//! digits and `-._~` are written as they are. All other characters are escaped in every context, so that no value ends
//! a string, an attribute or an element, and no value contains a macro of the exchange.

use super::envelope::{Envelope, auction_id};
use crate::bid::Bid;
use crate::price::pays_bid;
use base::hash::hex;
use base::json::{Escaping, Object, escape_to, number_to};
use base::limits::{MAX_FILLED_BYTES, MAX_PHRASE_VALUE, MAX_VALUE_BYTES};
use catalog::macros::{BID_ID, CURRENCY, Context, FILLED, MARK, MARK_BYTES, MULTIPLIER, Macro, marked};
use openrtb::request::{UNKNOWN_SECTION, UNREADABLE};

/// How often a text is escaped: once in a JSON string, twice in a JSON string inside another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Once,
    Twice,
}

/// Fills the macros of one bid.
#[derive(Clone, Copy)]
pub(super) struct Macros<'b> {
    bid: &'b Bid<'b>,
    envelope: &'b Envelope<'b>,
}

impl<'b> Macros<'b> {
    /// The macros of a bid; `None` if the exchange fills the macros.
    pub(super) fn of(bid: &'b Bid<'b>, envelope: &'b Envelope<'b>) -> Option<Macros<'b>> {
        envelope.facts.ssp.fill_macros().then_some(Macros { bid, envelope })
    }

    /// Fills the macros in the text from byte `from` on. Without a price, the price macro stays.
    pub(super) fn fill(self, object: &mut Object<'_>, from: usize, with_price: bool) {
        let Macros { bid, envelope } = self;
        let price_macro = envelope.facts.ssp.price_macro();
        // The bidder knows the price that the winner pays only if the winner pays its bid.
        let is_known = with_price && pays_bid(envelope.facts, bid.deal) || !price_macro.is_empty();
        let known = if is_known { FILLED.len() } else { FILLED.len() - 1 };
        let names = FILLED.get(..known).unwrap_or_default();
        let at_start = |text: &str| names.iter().find(|name| text.starts_with(**name)).map(|name| (*name, name.len()));
        object.fill(from, '$', at_start, |out, name| match name {
            BID_ID => auction_id(out, envelope),
            CURRENCY => out.push_str(envelope.cur.as_str()),
            MULTIPLIER => bid.imp.impressions().push_to(out),
            _ if !price_macro.is_empty() => out.push_str(price_macro),
            _ => bid.price.bid.push_to(out),
        });
    }
}

/// Appends a text, escaped.
pub(super) fn text(out: &mut String, text: &str, depth: Depth) {
    let _ = match depth {
        Depth::Once => escape_to(out, text),
        Depth::Twice => escape_to(&mut Escaping(out), text),
    };
}

/// The values of our macros in one bid.
#[derive(Clone, Copy)]
pub(super) struct Values<'b> {
    pub(super) bid: &'b Bid<'b>,
    pub(super) place: usize,
    pub(super) envelope: &'b Envelope<'b>,
}

/// The room for values in one bid.
#[derive(Default)]
pub(super) struct Room {
    /// The bytes that were written, including values that were removed again because they were too long.
    taken: usize,
    /// The number of macros.
    marks: usize,
    /// A bit for each macro whose value is too long in a context, so that it is not tried again.
    too_long: [u32; Context::ALL.len()],
}

impl Room {
    /// The bytes that were written, and 50 for each macro, because finding one takes as long as writing 50 bytes.
    pub(super) fn taken(&self) -> usize {
        self.taken + 50 * self.marks
    }
}

const _: () = assert!(Macro::ALL.len() <= 32, "each has a bit");

/// The value of a macro.
#[derive(Clone, Copy)]
enum Value<'b> {
    Text(&'b str),
    Number(i64),
    Numbers(&'b [i64]),
    /// The id of the bid, which has at most 23 bytes.
    BidId,
}

/// A privacy string as it was sent; empty if the request has something else in its place.
fn readable(text: &str) -> &str {
    if text == UNREADABLE { "" } else { text }
}

impl<'b> Values<'b> {
    /// Fills the marks in the text from byte `from` on. Leaves out a value that has more than [`MAX_VALUE_BYTES`] once
    /// it is escaped, or for which the bid has no room.
    pub(super) fn fill(self, object: &mut Object<'_>, from: usize, depth: Depth, room: &mut Room) {
        object.fill(
            from,
            MARK,
            |text| Some((marked(text)?, MARK_BYTES)),
            |out, (which, context)| {
                if which.is_of_exchange() && !self.envelope.facts.ssp.fill_macros() {
                    return out.push_str(which.as_str());
                }
                let value = self.value(which);
                room.marks += 1;
                let Some(too_long) = room.too_long.get_mut(context as usize) else { return };
                let is_long = context == Context::Plain && value.characters() > MAX_PHRASE_VALUE;
                if is_long || *too_long >> which as u32 & 1 > 0 || value.bytes() > MAX_VALUE_BYTES {
                    return;
                }
                let begin = out.len();
                let most = MAX_VALUE_BYTES.min(MAX_FILLED_BYTES.saturating_sub(room.taken));
                self.push(value, &mut Slot { out, context, depth, end: begin + most });
                room.taken += out.len() - begin;
                if out.len() - begin > most {
                    out.truncate(begin);
                    *too_long |= 1 << which as u32;
                }
            },
        );
    }

    fn value(self, which: Macro) -> Value<'b> {
        let Values { bid, envelope, .. } = self;
        let facts = envelope.facts;
        let (request, regs) = (facts.request, &facts.request.regs);
        Value::Text(match which {
            Macro::RequestId | Macro::AuctionId => request.id.value,
            Macro::ImpId | Macro::AuctionImpId => bid.imp.id.value,
            Macro::Tagid => bid.imp.tagid,
            Macro::BidId => return Value::BidId,
            Macro::Cid => bid.campaign.cid(),
            Macro::Crid => bid.creative.crid(),
            Macro::Seat | Macro::AuctionSeatId => bid.seat,
            Macro::Ssp => envelope.facts.ssp.id(),
            Macro::DealId => bid.deal.map_or("", |deal| deal.id.value),
            Macro::SiteDomain => facts.site_domain(),
            Macro::SitePage => request.site.map_or("", |site| site.page),
            Macro::AppBundle => request.app.map_or("", |app| app.bundle),
            Macro::PublisherId => facts.channel.publisher_id,
            Macro::DeviceIfa => request.device.ifa,
            Macro::DeviceOs => facts.os,
            Macro::Country => facts.geo.country,
            Macro::Gdpr => regs.gdpr.map_or("", bit),
            Macro::GdprConsent => readable(facts.consent),
            Macro::Gpp => readable(regs.gpp),
            Macro::GppSid if regs.gpp_sid.contains(&UNKNOWN_SECTION) => "",
            Macro::GppSid => return Value::Numbers(regs.gpp_sid),
            Macro::UsPrivacy => readable(regs.us_privacy),
            Macro::Coppa => bit(regs.coppa),
            Macro::Cachebuster => return Value::Number(self.cachebuster()),
            Macro::Timestamp => return Value::Number(facts.now_ms),
        })
    }

    /// 12 digits from the seed, then the bid's place in 3 digits. The first digit is not 0, because scripts read such
    /// numbers as octal; 15 digits are exact in a JavaScript number.
    fn cachebuster(self) -> i64 {
        const LEAST: u64 = 100_000_000_000;
        let place = self.place as u64 % 1000;
        i64::try_from((LEAST + self.envelope.context.seed % (9 * LEAST)) * 1000 + place).unwrap_or_default()
    }

    fn push(self, value: Value<'_>, slot: &mut Slot<'_>) {
        let is_cdata = slot.context == Context::Cdata;
        // A CDATA section has no references, so it ends before the value and begins again after it.
        slot.out.push_str(if is_cdata { "]]>" } else { "" });
        match value {
            Value::Text(text) => {
                for c in text.chars() {
                    if slot.is_full() {
                        break;
                    }
                    slot.push(c);
                }
            }
            Value::Number(number) => number_to(slot.out, number),
            Value::Numbers(numbers) => {
                for (place, number) in numbers.iter().enumerate() {
                    if slot.is_full() {
                        break;
                    }
                    if place > 0 {
                        slot.push(',');
                    }
                    number_to(slot.out, *number);
                }
            }
            Value::BidId => {
                auction_id(slot.out, self.envelope);
                hex(slot.out, self.place as u64, 2);
            }
        }
        slot.out.push_str(if is_cdata { "<![CDATA[" } else { "" });
    }
}

impl Value<'_> {
    /// Its length in bytes before escaping, or a little more.
    fn bytes(self) -> usize {
        match self {
            Value::Text(text) => text.len(),
            Value::Number(_) | Value::BidId => 23,
            Value::Numbers(numbers) => numbers.iter().map(|number| itoa::Buffer::new().format(*number).len() + 1).sum(),
        }
    }

    fn characters(self) -> usize {
        match self {
            Value::Text(text) => text.chars().count(),
            other => other.bytes(),
        }
    }
}

const fn bit(is: bool) -> &'static str {
    if is { "1" } else { "0" }
}

/// A place for a value, inside of a JSON string.
struct Slot<'o> {
    out: &'o mut String,
    context: Context,
    depth: Depth,
    /// Where the value is too long.
    end: usize,
}

impl Slot<'_> {
    fn is_full(&self) -> bool {
        self.out.len() > self.end
    }

    /// Appends a character, escaped unless it is unreserved in a URL (RFC 3986 §2.3).
    fn push(&mut self, c: char) {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') {
            return self.out.push(c);
        }
        match self.context {
            Context::Url => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| self.percent(byte)),
            Context::Markup | Context::Cdata => self.reference(c),
            Context::Script | Context::Plain => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| self.escape(*unit)),
        }
    }

    fn percent(&mut self, byte: u8) {
        const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
        self.out.push('%');
        for digit in [byte >> 4, byte & 15] {
            self.out.push(DIGITS.get(usize::from(digit)).copied().unwrap_or('0'));
        }
    }

    /// Appends a character reference. Beyond ASCII, appends the character itself, because some references in HTML mean
    /// another character. A character that XML does not allow becomes U+FFFD.
    fn reference(&mut self, c: char) {
        match c {
            '\t' | '\n' | '\r' | ' '..='\u{7f}' => {
                self.out.push_str("&#x");
                hex(self.out, u64::from(c), 2);
                self.out.push(';');
            }
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => self.out.push(char::REPLACEMENT_CHARACTER),
            _ => text(self.out, c.encode_utf8(&mut [0; 4]), self.depth),
        }
    }

    /// Appends `\u` and four digits, as in strings of JavaScript and JSON. Each JSON string around it doubles the
    /// backslash. A script in a native ad is inside one more string than a plain text there.
    fn escape(&mut self, unit: u16) {
        let is_deep = self.depth == Depth::Twice && self.context == Context::Script;
        self.out.push_str(if is_deep { "\\\\\\\\u" } else { "\\\\u" });
        hex(self.out, u64::from(unit), 4);
    }
}
