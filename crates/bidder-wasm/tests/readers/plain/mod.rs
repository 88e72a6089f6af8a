//! The plain reader: decodes the body as a tree, then looks up each attribute that the decision reads.
//!
//! It is slow and simple, and knows nothing of the fast reader's table. It never borrows from the body, and it escapes
//! literals again.
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

mod first_party;
mod imp;
mod object;
mod person;

use bidder_wasm::limits::{MAX_IMPS, MAX_REQUEST_BYTES};
use bidder_wasm::read::BadRequest;
use bidder_wasm::request::{Channel, Content, Dsa, Node, Regs, Request, SupplyChain};
use bumpalo::Bump;
use compiler_wasm::decode::{Json, JsonObject, from_json};

use object::Object;

/// Reads a bid request into `arena`. Merges the first-party data that are addressed to `prebid_code` or to all bidders.
pub(super) fn read<'a>(body: &[u8], prebid_code: &str, arena: &'a Bump) -> Result<Request<'a>, BadRequest> {
    if body.len() > MAX_REQUEST_BYTES {
        return Err(BadRequest::TooLarge);
    }
    let decoded = from_json::<JsonObject>(body).map_err(|error| BadRequest::NotJson { at: error.at })?;
    let mut json = decoded.value.ok_or(BadRequest::NotAnObject)?;
    first_party::merge(&mut json, prebid_code, arena);
    request(&Object { json, arena })
}

fn request<'a>(from: &Object<'a>) -> Result<Request<'a>, BadRequest> {
    let id = from.echo("id").ok_or(BadRequest::MissingId)?;
    let imps = from.objects("imp");
    let ids: Vec<bool> = imps.iter().map(|imp| imp.echo("id").is_some()).collect();
    let is_bare = matches!(from.json.get("imp"), Some(Json::Object(_)));
    if imps.is_empty() || (!ids.contains(&true) && is_bare) {
        return Err(BadRequest::MissingImp);
    }
    let last = ids.iter().enumerate().filter(|(_, has_id)| **has_id).nth(MAX_IMPS - 1);
    let arena = from.arena;
    let channel = |name| from.object(name).map(|object| &*arena.alloc(channel(&object, name)));
    Ok(Request {
        id,
        imp: from.list(imps.iter().filter_map(imp::imp).take(MAX_IMPS)),
        more_imps: last.is_some_and(|(place, _)| place + 1 < imps.len()),
        site: channel("site"),
        app: channel("app"),
        dooh: channel("dooh"),
        device: person::device(&from.inner("device")),
        user: person::user(&from.inner("user")),
        test: from.is_set("test"),
        at: from.integer("at").unwrap_or(2),
        tmax: from.integer("tmax").unwrap_or_default(),
        wseat: from.texts("wseat"),
        bseat: from.texts("bseat"),
        cur: from.currencies("cur"),
        bcat: from.codes("bcat"),
        acat: from.codes("acat"),
        cattax: from.integer("cattax").unwrap_or(1),
        badv: from.domains("badv"),
        bapp: from.codes("bapp"),
        wlang: from.codes("wlang"),
        wlangb: from.codes("wlangb"),
        regs: regs(&from.inner("regs")),
        schain: schain(&from.inner("source")),
        has_too_much: false,
    })
}

fn regs<'a>(from: &Object<'a>) -> Regs<'a> {
    let ext = from.inner("ext");
    let first = |own: &'a str, other: &'a str| if own.is_empty() { other } else { own };
    let (ext_us_privacy, ext_gpp) = (ext.signal_text("us_privacy"), ext.signal_text("gpp"));
    let (gpp_sid, ext_gpp_sid) = (from.sections("gpp_sid"), ext.sections("gpp_sid"));
    let dsas = [from.object("dsa"), ext.object("dsa")].into_iter().flatten();
    Regs {
        coppa: from.signal("coppa").unwrap_or_default(),
        gdpr: from.signal("gdpr").max(ext.signal("gdpr")),
        us_privacy: first(from.signal_text("us_privacy"), ext_us_privacy),
        ext_us_privacy,
        gpp: first(from.signal_text("gpp"), ext_gpp),
        ext_gpp,
        gpp_sid: if gpp_sid.is_empty() { ext_gpp_sid } else { gpp_sid },
        ext_gpp_sid,
        gpc: from.signal("gpc").max(ext.signal("gpc")).unwrap_or_default(),
        dsa: dsas.map(|from| dsa(&from)).reduce(Dsa::stricter).unwrap_or_default(),
    }
}

fn dsa(from: &Object<'_>) -> Dsa {
    Dsa {
        dsarequired: from.integer("dsarequired").unwrap_or_default(),
        pubrender: from.integer("pubrender"),
        datatopub: from.integer("datatopub"),
    }
}

fn schain<'a>(source: &Object<'a>) -> Option<SupplyChain<'a>> {
    let from = source.object("schain").or_else(|| source.inner("ext").object("schain"))?;
    let node = |node: &Object<'a>| Node { asi: node.text("asi"), sid: node.text("sid") };
    Some(SupplyChain { complete: from.is_set("complete"), nodes: from.list(from.objects("nodes").iter().map(node)) })
}

/// Site, app and screen have different attributes: each is read only where the specification has it.
fn channel<'a>(from: &Object<'a>, name: &str) -> Channel<'a> {
    let only = |has: bool| if has { from.clone() } else { from.empty() };
    let (site, app, no_screen) = (only(name == "site"), only(name == "app"), only(name != "dooh"));
    let publisher = from.inner("publisher");
    let kwarray = no_screen.texts("kwarray");
    Channel {
        id: from.text("id"),
        domain: from.text("domain"),
        page: site.text("page"),
        bundle: app.text("bundle"),
        publisher_id: publisher.text("id"),
        publisher_domain: publisher.text("domain"),
        cat: no_screen.texts("cat"),
        sectioncat: no_screen.texts("sectioncat"),
        pagecat: no_screen.texts("pagecat"),
        cattax: no_screen.integer("cattax").unwrap_or(1),
        keywords: from.text("keywords"),
        kwarray: if kwarray.is_empty() { from.listed_keywords() } else { kwarray },
        content: content(&from.inner("content")),
    }
}

fn content<'a>(from: &Object<'a>) -> Content<'a> {
    Content {
        genre: from.text("genre"),
        genres: from.texts("genres"),
        contentrating: from.text("contentrating"),
        livestream: from.flag("livestream"),
        language: from.text("language"),
        langb: from.text("langb"),
        network: from.inner("network").text("name"),
        channel: from.inner("channel").text("name"),
        cat: from.texts("cat"),
        cattax: from.integer("cattax").unwrap_or(1),
        keywords: from.text("keywords"),
        kwarray: from.kwarray(),
    }
}
