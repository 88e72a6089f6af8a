//! The plain reader: decodes the complete object model, then copies what the decision reads.
//!
//! It is slow and simple. Tests compare the fast reader with it, and `validate` returns its findings. It never borrows
//! from the body, and it escapes literals again.
//!
//! It follows the rules in the header of [`bidder_wasm::request`], and these rules:
//! - Refusals are checked in this order: too large, not JSON, not an object, `id`, `imp`.
//! - A list of objects leaves out items that are not objects. If `imp` has no object, or is a single object without an
//!   `id`, the result is [`BadRequest::MissingImp`]. Then entries without an `id` are left out, so `imp` may be empty.
//!   The first [`MAX_IMPS`] entries with an `id` are kept; `more_imps` tells whether another object follows.
//! - Of a list of objects, the first [`bidder_wasm::limits::MAX_LISTED_OBJECTS`] are read. Only the fast reader limits
//!   the whole request ([`bidder_wasm::limits::MAX_VALUES`], [`bidder_wasm::limits::MAX_TEXT_BYTES`]).
//! - An `id`, `source` or `type` is missing if it is absent, `null`, or neither text nor a number. `""` is not missing.
//!   An entry without other attributes is kept.
//! - Only U+0020 may surround the text of an integer. No spaces may surround the text of an amount. The text of a
//!   number may have leading zeros, but no plus sign.
//! - `value` of a metric, `multiplier`, `dt`, `lat` and `lon` are read like amounts. A negative metric stays and is rounded away from
//!   zero. `dt` is its integer part, and 0 beyond ±2^53. `lat` and `lon` are cut to millionths before their range is
//!   checked.
//! - A flag is true for 1 and false for any other integer. A flag that may be unknown (`skip`, `boxingallowed`,
//!   `livestream`) is unknown only without an integer.
//! - If an attribute is allowed both at its place in 2.6 and in `ext`, the first one that is not empty counts: a text
//!   other than `""`, a list with an item, an object as `schain` or `sua`.
//! - Of `gdpr`, `gpc` and `dsa`, the stricter place counts.
//! - A floor that is given but is not a number, such as `""`, is [`Micros::UNREADABLE`]; `null` is 0.
//! - A currency of `""` counts as absent, also in `cur`. Another text that is not a code is [`Currency::UNKNOWN`]. A
//!   value that is not a text is [`Currency::UNKNOWN`] too, except in `cur`.
//! - The default of `at` is 2, that of `cattax` is 1, also if the value is unreadable or `content` is absent. A
//!   negative floor or `mincpmpersec` is 0. Other integers keep their sign.
//! - `keywords` is a text. If it is an array and `kwarray` has no readable item, its items count as those of `kwarray`.
//! - Objects have only the attributes of the specification: `site` and `dooh` have no `bundle`; `app` and `dooh` have
//!   no `page`; `dooh` has no categories and no `kwarray`; `audio` has no `w`, `h`, `linearity`, `plcmt`, `pos`,
//!   `boxingallowed`, `playbackmethod`, `skip`, `skipmin` and `poddedupe`.
//! - `native.request` is a string with JSON, or an object. If it is missing, not JSON, nested too deep or not an
//!   object, the impression offers no native. If it has an object `native`, it is wrapped, and its other members are
//!   ignored.
//! - The version of native is `native.ver`, else `ver` inside, if not `""`: 1.0 for the number 1 and for texts that
//!   start with `1.0`, 1.1 for texts that start with `1.1`, else 1.2. A wrapped request without a version has 1.0.
//! - An event tracker counts once for each of its methods. The same tracker may occur several times.

mod channel;
mod first_party;
mod imp;
mod media;
mod person;
#[cfg(test)]
mod tests;

use bumpalo::Bump;

use crate::decode::{
    Code, Context, Decimal, Decoded, Field, Finding, Flag, Floor, Json, JsonObject, MARKED, Signal, from_json, has_mark,
};
use crate::openrtb;
use bidder_wasm::domain;
use bidder_wasm::limits::{MAX_FINDINGS, MAX_IMPS, MAX_REQUEST_BYTES};
use bidder_wasm::money::{Currency, Micros, Rounding};
use bidder_wasm::read::BadRequest;
use bidder_wasm::request::{Dsa, Node, Regs, Request, SupplyChain, Text, UNKNOWN_SECTION, UNREADABLE, codes_in};

/// Reads a bid request into `arena`. Merges the first-party data that are addressed to `prebid_code` or to all bidders.
pub fn read<'a>(body: &[u8], prebid_code: &str, arena: &'a Bump) -> Result<Request<'a>, BadRequest> {
    let mut request = decode(body)?.value.ok_or(BadRequest::NotAnObject)?;
    first_party::merge(&mut request, body, prebid_code);
    Reader { arena }.request(&request, body)
}

/// The first [`bidder_wasm::limits::MAX_FINDINGS`] findings on a bid request: deviations from the model, then values
/// that the specification does not allow. A missing `id` or `imp` is a finding too.
pub fn validate(body: &[u8]) -> Result<Vec<Finding>, BadRequest> {
    let decoded = decode(body)?;
    if decoded.value.is_none() {
        return Err(BadRequest::NotAnObject);
    }
    let mut findings = decoded.findings;
    openrtb::values::check(body, &mut findings);
    findings.truncate(MAX_FINDINGS);
    Ok(findings)
}

/// The first bytes of every gzip file (RFC 1952 §2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// One sentence that says why a body is not a bid request.
#[must_use]
pub fn sentence(bad: BadRequest, body: &[u8]) -> String {
    match bad {
        BadRequest::NotJson { .. } if has_mark(body) => MARKED.to_owned(),
        BadRequest::NotJson { .. } if body.is_empty() => "empty; expected a bid request as JSON".to_owned(),
        BadRequest::NotJson { .. } if body.starts_with(&GZIP) => {
            "the body is gzip; expected it with Content-Encoding: gzip".to_owned()
        }
        BadRequest::NotJson { at } if at == body.len() => format!("{bad}: the text ends here"),
        other => other.to_string(),
    }
}

fn decode(body: &[u8]) -> Result<Decoded<openrtb::BidRequest>, BadRequest> {
    if body.len() > MAX_REQUEST_BYTES {
        return Err(BadRequest::TooLarge);
    }
    from_json(body).map_err(|error| BadRequest::NotJson { at: error.at })
}

/// Copies from the model into the arena.
#[derive(Clone, Copy)]
struct Reader<'a> {
    arena: &'a Bump,
}

impl<'a> Reader<'a> {
    fn request(self, from: &openrtb::BidRequest, body: &[u8]) -> Result<Request<'a>, BadRequest> {
        let id = from.id.as_ref().ok_or(BadRequest::MissingId)?;
        if from.imp.is_empty() || (from.imp.iter().all(|imp| imp.id.is_none()) && is_bare_imp(body)) {
            return Err(BadRequest::MissingImp);
        }
        let last = from.imp.iter().enumerate().filter(|(_, imp)| imp.id.is_some()).nth(MAX_IMPS - 1);
        let cur = from.cur.iter().filter(|code| !code.is_empty());
        Ok(Request {
            id: self.echo(id),
            imp: self.list(from.imp.iter().filter_map(|imp| self.imp(imp)).take(MAX_IMPS)),
            more_imps: last.is_some_and(|(place, _)| place + 1 < from.imp.len()),
            site: from.site.as_ref().map(|site| self.keep(self.site(site))),
            app: from.app.as_ref().map(|app| self.keep(self.app(app))),
            dooh: from.dooh.as_ref().map(|dooh| self.keep(self.dooh(dooh))),
            device: from.device.as_ref().map(|device| self.device(device)).unwrap_or_default(),
            user: from.user.as_ref().map(|user| self.user(user)).unwrap_or_default(),
            test: is_set(from.test),
            at: from.at.unwrap_or(2),
            tmax: from.tmax.unwrap_or_default(),
            wseat: self.texts(&from.wseat),
            bseat: self.texts(&from.bseat),
            cur: self.list(cur.map(|code| Currency::parse(code))),
            bcat: self.codes(&from.bcat),
            acat: self.codes(&from.acat),
            cattax: from.cattax.unwrap_or(1),
            badv: self.domains(&from.badv),
            bapp: self.codes(&from.bapp),
            wlang: self.codes(&from.wlang),
            wlangb: self.codes(&from.wlangb),
            regs: from.regs.as_ref().map(|regs| self.regs(regs)).unwrap_or_default(),
            schain: from.source.as_ref().and_then(|source| self.schain(source)),
            has_too_much: false,
        })
    }

    fn regs(self, from: &openrtb::Regs) -> Regs<'a> {
        let ext = from.ext.as_ref();
        let in_both =
            |own: Option<&Signal<Flag>>, name| signal(own).max(signal(in_ext::<Option<_>>(ext, name).as_ref()));
        let text_in_ext = |name| self.signal_text(in_ext::<Option<_>>(ext, name).as_ref());
        let (ext_us_privacy, ext_gpp) = (text_in_ext("us_privacy"), text_in_ext("gpp"));
        let ext_gpp_sid = self.sections(&in_ext::<Vec<_>>(ext, "gpp_sid"));
        let own = |own: Option<&_>, ext| own.map_or(ext, |own| self.signal_text(Some(own)));
        Regs {
            coppa: signal(from.coppa.as_ref()).unwrap_or_default(),
            gdpr: in_both(from.gdpr.as_ref(), "gdpr"),
            us_privacy: own(from.us_privacy.as_ref(), ext_us_privacy),
            ext_us_privacy,
            gpp: own(from.gpp.as_ref(), ext_gpp),
            ext_gpp,
            gpp_sid: if from.gpp_sid.is_empty() { ext_gpp_sid } else { self.sections(&from.gpp_sid) },
            ext_gpp_sid,
            gpc: in_both(from.gpc.as_ref(), "gpc").unwrap_or_default(),
            dsa: [from.dsa.clone(), in_ext(ext, "dsa")]
                .iter()
                .flatten()
                .map(dsa)
                .reduce(Dsa::stricter)
                .unwrap_or_default(),
        }
    }

    fn schain(self, source: &openrtb::Source) -> Option<SupplyChain<'a>> {
        let elsewhere: Option<openrtb::SupplyChain>;
        let from = if let Some(schain) = &source.schain {
            schain
        } else {
            elsewhere = in_ext(source.ext.as_ref(), "schain");
            elsewhere.as_ref()?
        };
        Some(SupplyChain {
            complete: is_set(from.complete),
            nodes: self.list(
                from.nodes
                    .iter()
                    .map(|node| Node { asi: self.text(node.asi.as_ref()), sid: self.text(node.sid.as_ref()) }),
            ),
        })
    }

    /// The text of a privacy signal, [`UNREADABLE`] for a value that is no text.
    fn signal_text(self, given: Option<&Signal<String>>) -> &'a str {
        given.map_or("", |Signal(text)| text.as_ref().map_or(UNREADABLE, |text| self.text(Some(text))))
    }

    fn sections(self, ids: &[Signal<i64>]) -> &'a [i64] {
        self.list(ids.iter().map(|Signal(id)| id.unwrap_or(UNKNOWN_SECTION)))
    }

    /// The text and the list of keywords.
    fn keywords(self, text: Option<&openrtb::Keywords>, array: &[String]) -> (&'a str, &'a [&'a str]) {
        let from_text = text.map(openrtb::Keywords::list).unwrap_or_default();
        let array = if array.is_empty() { from_text } else { array };
        (self.arena.alloc_str(text.map(openrtb::Keywords::text).unwrap_or_default()), self.texts(array))
    }

    /// A text that a response repeats.
    fn echo(self, value: &str) -> Text<'a> {
        let mut literal = String::new();
        bidder_wasm::write::escape(&mut literal, value);
        Text { literal: self.arena.alloc_str(&literal), value: self.arena.alloc_str(value) }
    }

    fn text(self, value: Option<&String>) -> &'a str {
        value.map_or("", |text| self.arena.alloc_str(text))
    }

    fn texts(self, values: &[String]) -> &'a [&'a str] {
        self.list(values.iter().map(|text| self.text(Some(text))))
    }

    fn domains(self, texts: &[String]) -> &'a [&'a str] {
        let ascii = |text: &String| {
            let mut ascii = String::new();
            domain::to_ascii(text, |c| ascii.push(c));
            self.text(Some(&ascii))
        };
        self.list(texts.iter().map(ascii))
    }

    fn codes(self, texts: &[String]) -> &'a [&'a str] {
        self.list(self.texts(texts).iter().flat_map(|text| codes_in(text)))
    }

    fn integers(self, values: &[i64]) -> &'a [i64] {
        self.list(values.iter().copied())
    }

    fn keep<T: Copy>(self, value: T) -> &'a T {
        self.arena.alloc(value)
    }

    fn list<T: Copy>(self, items: impl Iterator<Item = T>) -> &'a [T] {
        self.arena.alloc_slice_copy(&items.collect::<Vec<T>>())
    }
}

/// Whether `imp` is an object instead of a list.
fn is_bare_imp(body: &[u8]) -> bool {
    let tree = from_json::<JsonObject>(body).ok().and_then(|decoded| decoded.value).unwrap_or_default();
    matches!(tree.get("imp"), Some(Json::Object(_)))
}

fn dsa(from: &openrtb::Dsa) -> Dsa {
    let openrtb::Dsa { dsarequired, pubrender, datatopub, .. } = *from;
    Dsa { dsarequired: dsarequired.unwrap_or_default(), pubrender, datatopub }
}

fn in_ext<F: Field + Default>(ext: Option<&JsonObject>, name: &str) -> F {
    ext.map(|ext| ext.read(name, &mut Context::default())).unwrap_or_default()
}

/// Whether a signal is set: only 0 is not. `None` if it is absent.
fn signal(given: Option<&Signal<Flag>>) -> Option<bool> {
    given.map(|Signal(flag)| *flag != Some(Flag(0)))
}

fn is_set(flag: Option<Flag>) -> bool {
    known(flag).unwrap_or_default()
}

fn known(flag: Option<Flag>) -> Option<bool> {
    flag.map(|flag| flag == Flag(1))
}

fn amount(text: Option<&Decimal>, rounding: Rounding) -> Option<Micros> {
    text.and_then(|Decimal(text)| Micros::parse(text, rounding))
}

fn floor(given: Option<&Floor>) -> Micros {
    given.map_or(Micros::ZERO, |Floor(text)| Micros::floor(text.as_deref()))
}

fn currency(given: Option<&Code>) -> Currency {
    match given.map(|Code(text)| text.as_deref()) {
        None | Some(Some("")) => Currency::USD,
        Some(Some(text)) => Currency::parse(text),
        Some(None) => Currency::UNKNOWN,
    }
}
