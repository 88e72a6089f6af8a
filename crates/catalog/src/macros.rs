//! Our own macros, such as `{bid.id}`, which texts of creatives and campaigns may contain: their names, and the marks
//! that stand for them in a snapshot.
//!
//! A mark says which macro it is and how its value must be escaped there. The compiler reads the text around a macro
//! and makes the mark; the writer of answers only replaces marks, in one pass. The exchange's own macros, such as
//! `${AUCTION_PRICE}`, are not touched, except those whose values come from requests, if an SSP leaves it to us to fill
//! them.

use crate::PRICE_MACRO;
use base::named;
use openrtb::read::Needs;

/// Declares the macros: `Name = "text" [parts of a request that the value needs]`.
macro_rules! macros {
    ($($(#[$doc:meta])* $name:ident = $text:literal [$($need:ident)*],)*) => {
        named! {
            /// A macro.
            pub enum Macro {
                $($(#[$doc])* $name = $text,)*
            }
        }

        impl Macro {
            /// Adds the parts of a request that its value needs.
            pub fn need(self, needs: &mut Needs) {
                match self {
                    $(Macro::$name => { $(needs.$need = true;)* })*
                }
                let _ = needs;
            }
        }
    };
}

macros! {
    /// The id of the request.
    RequestId = "request.id" [],
    /// The id of the impression.
    ImpId = "imp.id" [],
    /// The publisher's name for the placement: `imp.tagid`.
    Tagid = "imp.tagid" [],
    /// The id of the bid.
    BidId = "bid.id" [],
    /// The id of the campaign.
    Cid = "cid" [],
    /// The id of the creative.
    Crid = "crid" [],
    /// The seat of the bid.
    Seat = "seat" [],
    /// The catalog's id of the SSP.
    Ssp = "ssp" [],
    /// The id of the deal; empty without a deal.
    DealId = "deal.id" [],
    /// The host name of the site; empty in apps and on screens.
    SiteDomain = "site.domain" [channel],
    /// The URL of the page.
    SitePage = "site.page" [channel],
    /// The bundle of the app.
    AppBundle = "app.bundle" [place],
    /// The publisher's id.
    PublisherId = "publisher.id" [channel],
    /// The advertising id of the device, if privacy allows to use it.
    DeviceIfa = "device.ifa" [device],
    /// The operating system.
    DeviceOs = "device.os" [device sua],
    /// The country as an alpha-3 code.
    Country = "country" [country],
    /// `1` if GDPR applies, `0` if not, empty if unknown.
    Gdpr = "gdpr" [],
    /// The TCF consent string, as it was sent.
    GdprConsent = "gdpr_consent" [],
    /// The GPP string, as it was sent.
    Gpp = "gpp" [],
    /// The GPP sections that apply, separated by commas.
    GppSid = "gpp_sid" [],
    /// The US Privacy string, as it was sent.
    UsPrivacy = "us_privacy" [],
    /// `1` if the request is subject to COPPA, else `0`.
    Coppa = "coppa" [],
    /// A random number of 15 digits, another one for each bid.
    Cachebuster = "cachebuster" [],
    /// The time of the decision in milliseconds since the Unix epoch.
    Timestamp = "timestamp" [],
    /// The exchange's macro of the request's id.
    AuctionId = "${AUCTION_ID}" [],
    /// The exchange's macro of the impression's id.
    AuctionImpId = "${AUCTION_IMP_ID}" [],
    /// The exchange's macro of the bid's seat.
    AuctionSeatId = "${AUCTION_SEAT_ID}" [],
}

/// The letter of a mark must need no escapes.
const _: () = assert!(FIRST as usize + Macro::ALL.len() <= b'\\' as usize);

impl Macro {
    /// Whether it is a macro of the exchange, which stays if the SSP fills it.
    pub fn is_of_exchange(self) -> bool {
        self.as_str().starts_with('$')
    }

    /// How an author writes it.
    pub fn written(self) -> String {
        if self.is_of_exchange() { self.as_str().to_owned() } else { format!("{{{}}}", self.as_str()) }
    }

    /// Whether its value has only digits, so that it may stand in a script outside a string.
    pub const fn is_number(self) -> bool {
        matches!(self, Macro::Cachebuster | Macro::Timestamp)
    }
}

/// The exchange's macro of the bid's id.
pub const BID_ID: &str = "${AUCTION_BID_ID}";
/// The exchange's macro of the currency.
pub const CURRENCY: &str = "${AUCTION_CURRENCY}";
/// The exchange's macro of how many impressions one showing counts for.
pub const MULTIPLIER: &str = "${AUCTION_MULTIPLIER}";

/// The macros of the exchange that the writer finds by their text, so that they need no mark. The price is last, because
/// some notices are filled without it.
pub const FILLED: [&str; 4] = [BID_ID, CURRENCY, MULTIPLIER, PRICE_MACRO];

/// How the value of a macro is escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// Percent-encoded, for a URL.
    Url,
    /// As character references, for text and attributes of HTML and XML.
    Markup,
    /// As character references outside the CDATA section around it.
    Cdata,
    /// With the escapes of a JavaScript string.
    Script,
    /// With the escapes of the JSON string around it, for a text of a native ad. See
    /// [`MAX_PHRASE_VALUE`](base::limits::MAX_PHRASE_VALUE).
    Plain,
}

impl Context {
    /// All contexts.
    pub const ALL: [Context; 5] = [Context::Url, Context::Markup, Context::Cdata, Context::Script, Context::Plain];
}

/// The character at the start of a mark. Unicode reserves it for use inside a program, and no escaping changes it.
pub const MARK: char = '\u{fdd0}';

/// The bytes of a mark: [`MARK`], a letter for the macro and a letter for the context.
pub const MARK_BYTES: usize = MARK.len_utf8() + 2;

/// The letter of the first macro and of the first context.
const FIRST: u8 = b'A';

/// Appends the mark of a macro.
pub fn mark(out: &mut String, which: Macro, context: Context) {
    out.push(MARK);
    for number in [which as u8, context as u8] {
        out.push(char::from(FIRST + number));
    }
}

/// The mark at the start of a text.
pub fn marked(text: &str) -> Option<(Macro, Context)> {
    let letters = text.strip_prefix(MARK)?.as_bytes().first_chunk::<2>()?;
    let [which, context] = letters.map(|letter| usize::from(letter.wrapping_sub(FIRST)));
    Some((*Macro::ALL.get(which)?, *Context::ALL.get(context)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_reads_back() {
        for which in Macro::ALL {
            for context in Context::ALL {
                let mut text = String::new();
                mark(&mut text, *which, context);
                assert_eq!((marked(&text), text.len()), (Some((*which, context)), MARK_BYTES));
            }
            assert_eq!(Macro::parse(which.as_str()), Some(*which));
        }
        for text in ["", "\u{fdd0}", "\u{fdd0}A", "\u{fdd0}~A", "\u{fdd0}A~", "AA", "\u{fdd0}\u{fdd0}"] {
            assert_eq!(marked(text), None, "{text:?}");
        }
    }
}
