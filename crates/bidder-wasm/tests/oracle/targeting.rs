//! Targeting of the channel, the location, the device, the content and the person: the dimensions of the whole request.

use bidder_wasm::no_bid::NoBidReason as Reason;
use serde_json::{Value, json};

use super::generate::words::{BROWSERS, COUNTRY_NOTATIONS, LISTS};
use super::json::{at, has, int, list, text, text_of, texts};
use super::privacy::{Verdict, geo, verdict};
use super::radius::within;

/// The request's values in a dimension.
type Values = Vec<String>;

/// The targeting checks that fail.
pub fn failures(target: &Value, request: &Value, settings: &Value) -> Vec<Reason> {
    let (name, channel) = channel(request);
    let free = verdict(request, settings) == Verdict::Free;
    let all = |values: Vec<&str>| -> Values { values.into_iter().map(str::to_owned).collect() };
    let one = |value: &str| if value.is_empty() { vec![] } else { vec![value.to_owned()] };
    let (device, geo, user) = (at(request, "device"), geo(request), at(request, "user"));
    let personal = |values: Values| if free { values } else { vec![] };
    // The location of a screen is no personal data (rule 66).
    let is_screen = has(request, "dooh") && std::ptr::eq(geo, at(request, "device/geo"));
    let precise_geo = if free || is_screen { geo } else { &Value::Null };
    let content = at(channel, "content");
    let code = |key: &str| allows_code(at(target, key), &int(device, key).into_iter().collect::<Vec<i64>>());
    let channels = texts(target, "channel");
    let among = |key: &str, values: Values| allows(at(target, key), &values, same);
    let exactly = |key: &str, value: &str| allows(at(target, key), &one(value), |value, entry| value == entry);
    let rules = [
        (Reason::Channel, channels.is_empty() || channels.contains(&name)),
        (Reason::Country, among("country", one(country(text(geo, "country"))))),
        (Reason::Region, among("region", one(text(geo, "region")))),
        (Reason::Metro, among("metro", one(text(geo, "metro")))),
        (Reason::City, among("city", one(text(geo, "city")))),
        (Reason::Zip, among("zip", one(text(precise_geo, "zip")))),
        (Reason::Radius, within(at(target, "radius"), precise_geo)),
        (Reason::Devicetype, code("devicetype")),
        (Reason::Make, among("make", one(text(device, "make")))),
        (Reason::Model, among("model", one(text_of(device, &["sua/model", "model"])))),
        (Reason::Hwv, among("hwv", one(text(device, "hwv")))),
        (Reason::Os, among("os", one(text_of(device, &["sua/platform/brand", "os"])))),
        (Reason::Osv, version(at(target, "osv"), &os_version(device))),
        (Reason::Browser, allows(at(target, "browser"), &browsers(device), same)),
        (Reason::Language, among("language", language(device))),
        (Reason::Connectiontype, code("connectiontype")),
        (Reason::Carrier, among("carrier", one(text(device, "carrier")))),
        (Reason::Domain, allows(at(target, "domain"), &one(domain(channel)), site_under)),
        (Reason::Bundle, among("bundle", one(text(channel, "bundle")))),
        (Reason::Publisher, exactly("publisher", text(channel, "publisher/id"))),
        (Reason::Id, exactly("id", text(channel, "id"))),
        (Reason::Cat, allows(at(target, "cat"), &categories(target, channel), category_under)),
        (Reason::Genre, among("genre", [one(text(content, "genre")), all(texts(content, "genres"))].concat())),
        (Reason::Contentrating, among("contentrating", one(text(content, "contentrating")))),
        (Reason::Livestream, livestream(target, content)),
        (Reason::ContentLanguage, among("content_language", language(content))),
        (Reason::Network, among("network", one(text(content, "network/name")))),
        (Reason::ContentChannel, among("content_channel", one(text(content, "channel/name")))),
        (
            Reason::Keywords,
            among("keywords", [keywords(channel), keywords(content), personal(keywords(user))].concat()),
        ),
        (Reason::Segment, segments(at(target, "segment"), if free { user } else { &Value::Null })),
        (Reason::Eids, has_ids(target, &personal(sources(user)))),
        // Only a target with `mm` can fail on it.
        (Reason::Mm, !has(target, "mm") || among("eids", personal(sources_by_method(target, user)))),
        (Reason::Buyeruid, at(target, "buyeruid") != true || free && !text(user, "buyeruid").is_empty()),
    ];
    let yob = (Reason::Yob, yob(target, if free { user } else { &Value::Null }));
    rules.into_iter().chain([yob]).filter(|(_, met)| !met).map(|(reason, _)| reason).collect()
}

/// The entries of `eids` with a usable id.
fn eids(user: &Value) -> impl Iterator<Item = &Value> {
    list(user, "eids").iter().filter(|eid| list(eid, "uids").iter().any(|uid| !text(uid, "id").is_empty()))
}

fn sources(user: &Value) -> Values {
    eids(user).map(|eid| text(eid, "source").to_owned()).collect()
}

/// The check of `eids`. With `mm`, excluded sources belong to the check of `mm`.
fn has_ids(target: &Value, sources: &[String]) -> bool {
    let rule = at(target, "eids");
    if has(target, "mm") {
        let rule = json!({"include": at(rule, "include"), "exclude_unknown": at(rule, "exclude_unknown")});
        allows(&rule, sources, same)
    } else {
        allows(rule, sources, same)
    }
}

pub fn country(said: &str) -> &str {
    COUNTRY_NOTATIONS.iter().find(|(written, _)| *written == said).map_or(said, |(_, means)| means)
}

/// The channel's domain, else the domain of a site's page, else the publisher's domain. Generated pages are HTTPS URLs
/// with a path.
pub fn domain(channel: &Value) -> &str {
    let of_page = text(channel, "page").trim_start_matches("https://").split('/').next().unwrap();
    let domains = [text(channel, "domain"), of_page, text(channel, "publisher/domain")];
    domains.into_iter().find(|domain| !domain.is_empty()).unwrap_or("")
}

/// The name and the object of the channel: site, app or dooh.
pub fn channel(request: &Value) -> (&'static str, &Value) {
    let name = ["site", "app", "dooh"].into_iter().find(|name| has(request, name));
    name.map_or(("", &Value::Null), |name| (name, at(request, name)))
}

/// Whether a value is included, if the rule includes any, and no value is excluded.
pub fn allows(rule: &Value, values: &[String], is: fn(&str, &str) -> bool) -> bool {
    let entries = |key: &str| -> Vec<String> {
        let own = list(rule, key).iter().map(|entry| entry.as_str().map_or_else(|| entry.to_string(), str::to_owned));
        let named = texts(rule, &format!("{key}_lists"));
        let named = LISTS.iter().filter(|(id, _)| named.contains(id)).flat_map(|(_, values)| *values);
        own.chain(named.map(|value| (*value).to_owned())).collect()
    };
    let among = |entries: &[String]| entries.iter().any(|entry| values.iter().any(|value| is(value, entry)));
    let (include, exclude) = (entries("include"), entries("exclude"));
    let is_told = values.iter().any(|value| !value.is_empty());
    (include.is_empty() || among(&include)) && !among(&exclude) && (is_told || !excludes_unknown(rule))
}

pub fn excludes_unknown(rule: &Value) -> bool {
    at(rule, "exclude_unknown") == true
}

/// The check of a rule over codes of which 0 says nothing.
pub fn allows_code(rule: &Value, codes: &[i64]) -> bool {
    let is_told = codes.iter().any(|code| *code != 0);
    let texts: Vec<String> = codes.iter().map(i64::to_string).collect();
    allows(rule, &texts, same) && (is_told || !excludes_unknown(rule))
}

pub fn same(value: &str, entry: &str) -> bool {
    value.eq_ignore_ascii_case(entry)
}

/// Whether a domain is the listed one or a subdomain of it. A listed `www.` means the domain behind it.
fn site_under(domain: &str, listed: &str) -> bool {
    domain_under(domain, listed.trim_start_matches("www."))
}

/// Whether `domain` is `parent` or a subdomain of `parent`.
pub fn domain_under(domain: &str, parent: &str) -> bool {
    let (domain, parent) = (domain.to_ascii_lowercase(), parent.to_ascii_lowercase());
    domain == parent || domain.ends_with(&format!(".{parent}"))
}

/// Whether `category` is `parent` or a subcategory of `parent`.
pub fn category_under(category: &str, parent: &str) -> bool {
    same(category, parent) || category.to_ascii_lowercase().starts_with(&format!("{}-", parent.to_ascii_lowercase()))
}

fn os_version(device: &Value) -> String {
    let parts = texts(device, "sua/platform/version");
    if parts.is_empty() { text(device, "osv").to_owned() } else { parts.join(".") }
}

/// Whether the version is in the range. A bound of `17` compares only the first part of a version.
fn version(rule: &Value, version: &str) -> bool {
    let (min, max) = (text(rule, "min"), text(rule, "max"));
    if min.is_empty() && max.is_empty() {
        return true;
    }
    let parts = |text: &str| -> Vec<u64> { text.split('.').map(|part| part.parse().unwrap_or(0)).collect() };
    let cut = |end: &str| -> Vec<u64> { parts(version).into_iter().chain([0; 8]).take(parts(end).len()).collect() };
    !version.is_empty() && (min.is_empty() || cut(min) >= parts(min)) && (max.is_empty() || cut(max) <= parts(max))
}

/// The names of the device's browsers.
fn browsers(device: &Value) -> Vec<String> {
    let brands: Vec<&str> = list(device, "sua/browsers").iter().map(|browser| text(browser, "brand")).collect();
    if has(device, "sua") {
        let plain = |brand: &str| brand.trim_start_matches("Google ").trim_start_matches("Microsoft ").to_owned();
        return brands.iter().flat_map(|brand| [(*brand).to_owned(), plain(brand)]).collect();
    }
    let agents = BROWSERS.iter();
    agents.filter(|(agent, _)| *agent == text(device, "ua")).map(|(_, name)| (*name).to_owned()).collect()
}

/// The language, from `language` or from the first part of `langb`.
fn language(holder: &Value) -> Values {
    let tag = text_of(holder, &["language", "langb"]);
    tag.split('-').take(1).filter(|language| !language.is_empty()).map(str::to_owned).collect()
}

/// The categories in the target's taxonomy; categories of another taxonomy cannot be compared.
fn categories(target: &Value, channel: &Value) -> Values {
    let wanted = int(target, "cattax").unwrap_or(1);
    let of = |holder: &Value, keys: &[&str]| -> Values {
        let keys = keys.iter().filter(|_| int(holder, "cattax").unwrap_or(1) == wanted);
        keys.flat_map(|key| texts(holder, key)).map(str::to_owned).collect()
    };
    [of(channel, &["cat", "sectioncat", "pagecat"]), of(at(channel, "content"), &["cat"])].concat()
}

/// The sources of ids whose match method the campaign allows; method 0 is unknown.
fn sources_by_method(target: &Value, user: &Value) -> Values {
    let counts = |eid: &&Value| allows_code(at(target, "mm"), &[int(eid, "mm").unwrap_or(0)]);
    eids(user).filter(counts).map(|eid| text(eid, "source").to_owned()).collect()
}

fn livestream(target: &Value, content: &Value) -> bool {
    let wanted = at(target, "livestream").as_bool();
    wanted.is_none_or(|wanted| int(content, "livestream") == Some(i64::from(wanted)))
}

fn keywords(holder: &Value) -> Values {
    let listed = text(holder, "keywords").split(',').map(str::trim);
    listed.chain(texts(holder, "kwarray")).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn segments(rule: &Value, user: &Value) -> bool {
    let in_segment = |entry: &Value| {
        let of_provider =
            |data: &&Value| ["id", "name"].iter().any(|key| same(text(data, key), text(entry, "provider")));
        let mut held = list(user, "data").iter().filter(of_provider).flat_map(|data| list(data, "segment"));
        held.any(|segment| same(text(segment, "id"), text(entry, "id")))
    };
    // A segment without a provider cannot be compared.
    let named = list(user, "data").iter().filter(|data| !text_of(data, &["id", "name"]).is_empty());
    let is_told = named.flat_map(|data| list(data, "segment")).any(|segment| !text(segment, "id").is_empty());
    let (include, exclude) = (list(rule, "include"), list(rule, "exclude"));
    (include.is_empty() || include.iter().any(in_segment))
        && !exclude.iter().any(in_segment)
        && (is_told || !excludes_unknown(rule))
}

fn yob(target: &Value, user: &Value) -> bool {
    let (min, max) = (int(target, "yob/min"), int(target, "yob/max"));
    match int(user, "yob") {
        Some(year) => min.is_none_or(|min| min <= year) && max.is_none_or(|max| year <= max),
        None => min.is_none() && max.is_none(),
    }
}
