//! The plain reader: decodes the complete object model, then picks out what the decision reads.
//!
//! It is slow and obvious, the oracle that the fast reader is held to, and it is what `validate`
//! tells its findings from. It never borrows from the body, and the literals it gives are escaped
//! anew.
//!
//! The rules are in [`bidder_wasm::request`]'s header. Where that is silent:
//! - Refusals are judged in this order: too large, not JSON, not an object, `id`, `imp`.
//! - `imp`, like every list of objects, leaves out what is no object. None left is
//!   [`BadRequest::MissingImp`], and so is one object without an `id` in place of a list; entries without an `id` are left out after that, so `imp` may be
//!   empty. The first [`MAX_IMPS`] entries with an `id` are kept; whether another object follows them is told.
//! - Of a list of objects the first [`bidder_wasm::limits::MAX_LISTED_OBJECTS`] are read. The limits on all that a request may
//!   hold ([`bidder_wasm::limits::MAX_VALUES`], [`bidder_wasm::limits::MAX_TEXT_BYTES`]) are the fast reader's alone.
//! - "Without" an `id`, `source` or `type` is: absent, `null`, or neither text nor a number. `""` is
//!   there. Entries that lack anything else are kept, be it all they have.
//! - Spaces around an integer's text are U+0020 only; around money's text none are allowed.
//!   A number's text may have leading zeros, and no plus sign in front.
//! - A metric's value, `dt`, `lat` and `lon` are taken from what money is taken from. A negative value
//!   of a metric stays and rounds away from zero. Of `dt` the integer part counts, and is 0 beyond
//!   ±2^53. `lat` and `lon` are cut to millionths before their range is judged.
//! - A flag is true for 1 and false for any other integer; those that may be unknown (`skip`,
//!   `boxingallowed`, `livestream`) are so only without an integer. `gdpr` knows 0 and 1 only.
//! - Of an attribute at the 2.6 place and in `ext`, the first one counts that is not empty once
//!   read: a text other than `""`, a list with a readable item, a `gdpr` of 0 or 1, a `schain`, a
//!   `sua` or a `dsa` that is an object.
//! - `gpc` is the exception: 1 at either place counts.
//! - A floor that is there and no number is [`Micros::UNREADABLE`], `""` too; `null` is 0.
//! - A currency of `""` is the same as absent, also in `cur`; other text that is no code stays, as
//!   [`Currency::UNKNOWN`], and so does what is no text, but not in `cur`.
//! - Default of `at` is 2, of `cattax` 1, also when unreadable; that of `content` is 1 even without a
//!   `content`. A negative floor is 0, `mincpmpersec` too. Other integers keep their sign.
//! - `keywords` is text like any other. Where it is an array, and `kwarray` has no readable item, the
//!   items of `keywords` count as those of `kwarray`.
//! - An object has the attributes that the specification gives it: `site` and `dooh` no `bundle`,
//!   `app` and `dooh` no `page`, `dooh` no categories and no `kwarray`, `audio` nothing to look at (`w`, `h`, `linearity`, `plcmt`,
//!   `pos`, `boxingallowed`, `playbackmethod`), to skip (`skip`, `skipmin`) or `poddedupe`.
//! - `native.request` is text with a JSON text in it, or an object. If that is missing, not JSON,
//!   nested too deep or not an object, the imp offers no native. With a member `native` that is an
//!   object it is wrapped; everything beside that is ignored then.
//! - The version of native is `native.ver`, else `ver` inside, whichever is not `""`: 1.0 for `1` however the
//!   number is written, or what starts with `1.0`, 1.1 for what starts with `1.1`, else 1.2; 1.0 too for what came wrapped
//!   without a version.
//! - An event tracker stands for each of its methods; the same one may come several times.

mod channel;
mod first_party;
mod imp;
mod media;
mod person;
#[cfg(test)]
mod tests;

use bumpalo::Bump;

use crate::decode::{
    Code, Context, Decimal, Decoded, Field, Finding, Flag, Floor, Json, JsonObject, MARKED, from_json, has_mark,
};
use crate::openrtb;
use bidder_wasm::limits::{MAX_FINDINGS, MAX_IMPS, MAX_REQUEST_BYTES};
use bidder_wasm::money::{Currency, Micros, Rounding};
use bidder_wasm::read::BadRequest;
use bidder_wasm::request::{Dsa, Node, Regs, Request, SupplyChain, Text};

/// Reads a bid request. All that it holds lives in `arena`. First-party data are ours when addressed
/// to `prebid_code`, or to everyone.
pub fn read<'a>(body: &[u8], prebid_code: &str, arena: &'a Bump) -> Result<Request<'a>, BadRequest> {
    let mut request = decode(body)?.value.ok_or(BadRequest::NotAnObject)?;
    first_party::merge(&mut request, body, prebid_code);
    Reader { arena }.request(&request, body)
}

/// Everything in which a bid request deviates from the model, and then the values that the model does not allow, at most
/// [`bidder_wasm::limits::MAX_FINDINGS`]; a missing `id` or `imp` is one of them.
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

/// What every gzip file starts with (RFC 1952 §2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// One sentence that says why a body is no bid request.
#[must_use]
pub fn sentence(bad: BadRequest, body: &[u8]) -> String {
    match bad {
        BadRequest::NotJson { .. } if has_mark(body) => MARKED.to_owned(),
        BadRequest::NotJson { .. } if body.is_empty() => "empty; expected a bid request as JSON".to_owned(),
        BadRequest::NotJson { .. } if body.starts_with(&GZIP) => "this is gzip; send Content-Encoding: gzip".to_owned(),
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
            bcat: self.texts(&from.bcat),
            acat: self.texts(&from.acat),
            cattax: from.cattax.unwrap_or(1),
            badv: self.texts(&from.badv),
            bapp: self.texts(&from.bapp),
            wlang: self.texts(&from.wlang),
            wlangb: self.texts(&from.wlangb),
            regs: from.regs.as_ref().map(|regs| self.regs(regs)).unwrap_or_default(),
            schain: from.source.as_ref().and_then(|source| self.schain(source)),
            has_too_much: false,
        })
    }

    fn regs(self, from: &openrtb::Regs) -> Regs<'a> {
        let ext = from.ext.as_ref();
        let gdpr_in_ext = || in_ext::<Option<Flag>>(ext, "gdpr").and_then(Flag::known);
        let mut gpp_sid = self.integers(&from.gpp_sid);
        if gpp_sid.is_empty() {
            gpp_sid = self.integers(&in_ext::<Vec<i64>>(ext, "gpp_sid"));
        }
        Regs {
            coppa: is_set(from.coppa),
            gdpr: from.gdpr.and_then(Flag::known).or_else(gdpr_in_ext),
            us_privacy: self.text_or_ext(from.us_privacy.as_ref(), ext, "us_privacy"),
            gpp: self.text_or_ext(from.gpp.as_ref(), ext, "gpp"),
            gpp_sid,
            gpc: is_set(from.gpc) || is_set(in_ext(ext, "gpc")),
            dsa: from.dsa.clone().or_else(|| in_ext(ext, "dsa")).map(|dsa| self::dsa(&dsa)).unwrap_or_default(),
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

    fn text_or_ext(self, value: Option<&String>, ext: Option<&JsonObject>, name: &str) -> &'a str {
        match value {
            Some(text) if !text.is_empty() => self.text(Some(text)),
            _ => self.text(in_ext::<Option<String>>(ext, name).as_ref()),
        }
    }

    /// What `keywords` and `kwarray` mean together.
    fn keywords(self, text: Option<&openrtb::Keywords>, array: &[String]) -> (&'a str, &'a [&'a str]) {
        let misplaced = text.map(openrtb::Keywords::list).unwrap_or_default();
        let array = if array.is_empty() { misplaced } else { array };
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

/// Whether `imp` is an object and no list of them.
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

fn is_set(flag: Option<Flag>) -> bool {
    known(flag).unwrap_or_default()
}

fn known(flag: Option<Flag>) -> Option<bool> {
    flag.map(|flag| flag == Flag(1))
}

fn amount(text: Option<&Decimal>, rounding: Rounding) -> Option<Micros> {
    text.and_then(|Decimal(text)| Micros::parse(text, rounding))
}

fn floor(told: Option<&Floor>) -> Micros {
    told.map_or(Micros::ZERO, |Floor(text)| Micros::floor(text.as_deref()))
}

fn currency(told: Option<&Code>) -> Currency {
    match told.map(|Code(text)| text.as_deref()) {
        None | Some(Some("")) => Currency::USD,
        Some(Some(text)) => Currency::parse(text),
        Some(None) => Currency::UNKNOWN,
    }
}
