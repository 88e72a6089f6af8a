//! Targeting of the person, the device, the place and what is around the ad: reasons that hold
//! for a whole request.

use bidder_wasm::no_bid::NoBidReason as Why;
use serde_json::{Value, json};

use super::json::{at, has, int, list, text, text_of, texts};
use super::place::within;
use super::privacy::{Verdict, geo, verdict};
use super::words::{BROWSERS, COUNTRIES_TOLD};

/// The value of a request that a rule speaks of, however many it has.
type Values = Vec<String>;

/// The rules of a campaign's target that the request does not meet.
pub fn failures(target: &Value, request: &Value, settings: &Value) -> Vec<Why> {
    let (name, channel) = channel(request);
    let free = verdict(request, settings) == Verdict::Free;
    let all = |values: Vec<&str>| -> Values { values.into_iter().map(str::to_owned).collect() };
    let told = |value: &str| if value.is_empty() { vec![] } else { vec![value.to_owned()] };
    let (device, geo, user) = (at(request, "device"), geo(request), at(request, "user"));
    let personal = |values: Values| if free { values } else { vec![] };
    // A screen stands where its device is, and that is nobody's place (rule 66).
    let screen = has(request, "dooh") && std::ptr::eq(geo, at(request, "device/geo"));
    let place = if free || screen { geo } else { &Value::Null };
    let content = at(channel, "content");
    let device_type = int(device, "devicetype").map(|number| number.to_string());
    let connection = int(device, "connectiontype").map(|number| number.to_string());
    let channels = texts(target, "channel");
    let among = |key: &str, values: Values| allows(at(target, key), &values, same);
    let exactly = |key: &str, value: &str| allows(at(target, key), &told(value), |value, entry| value == entry);
    let rules = [
        (Why::Channel, channels.is_empty() || channels.contains(&name)),
        (Why::Country, among("country", told(country(text(geo, "country"))))),
        (Why::Region, among("region", told(text(geo, "region")))),
        (Why::Metro, among("metro", told(text(geo, "metro")))),
        (Why::City, among("city", told(text(geo, "city")))),
        (Why::Zip, among("zip", told(text(place, "zip")))),
        (Why::Radius, within(at(target, "radius"), place)),
        (Why::Devicetype, among("devicetype", device_type.into_iter().collect())),
        (Why::Make, among("make", told(text(device, "make")))),
        (Why::Model, among("model", told(text_of(device, &["sua/model", "model"])))),
        (Why::Os, among("os", told(text_of(device, &["sua/platform/brand", "os"])))),
        (Why::Osv, version(at(target, "osv"), &os_version(device))),
        (Why::Browser, allows(at(target, "browser"), &browsers(device), same)),
        (Why::Language, among("language", language(device))),
        (Why::Connectiontype, among("connectiontype", connection.into_iter().collect())),
        (Why::Carrier, among("carrier", told(text(device, "carrier")))),
        (Why::Domain, allows(at(target, "domain"), &told(domain(channel)), domain_under)),
        (Why::Bundle, among("bundle", told(text(channel, "bundle")))),
        (Why::Publisher, exactly("publisher", text(channel, "publisher/id"))),
        (Why::Id, exactly("id", text(channel, "id"))),
        (Why::Cat, allows(at(target, "cat"), &categories(target, channel), category_under)),
        (Why::Genre, among("genre", [told(text(content, "genre")), all(texts(content, "genres"))].concat())),
        (Why::Contentrating, among("contentrating", told(text(content, "contentrating")))),
        (Why::Livestream, live(target, content)),
        (Why::ContentLanguage, among("content_language", language(content))),
        (Why::Network, among("network", told(text(content, "network/name")))),
        (Why::ContentChannel, among("content_channel", told(text(content, "channel/name")))),
        (Why::Keywords, among("keywords", [keywords(channel), keywords(content), personal(keywords(user))].concat())),
        (Why::Segment, segments(at(target, "segment"), if free { user } else { &Value::Null })),
        (Why::Eids, has_ids(target, &personal(every_source(user)))),
        // The reason is the second one only for those who say how ids are matched.
        (Why::Mm, !has(target, "mm") || among("eids", personal(sources(target, user)))),
        (Why::Buyeruid, at(target, "buyeruid") != true || free && !text(user, "buyeruid").is_empty()),
    ];
    let born = (Why::Yob, born(target, if free { user } else { &Value::Null }));
    rules.into_iter().chain([born]).filter(|(_, met)| !met).map(|(why, _)| why).collect()
}

/// Those with an id that can be used.
fn eids(user: &Value) -> impl Iterator<Item = &Value> {
    list(user, "eids").iter().filter(|eid| list(eid, "uids").iter().any(|uid| !text(uid, "id").is_empty()))
}

fn every_source(user: &Value) -> Values {
    eids(user).map(|eid| text(eid, "source").to_owned()).collect()
}

/// Where the way of matching decides, an excluded source keeps nobody out yet.
fn has_ids(target: &Value, sources: &[String]) -> bool {
    let rule = at(target, "eids");
    if has(target, "mm") {
        allows(&json!({"include": at(rule, "include")}), sources, same)
    } else {
        allows(rule, sources, same)
    }
}

fn country(told: &str) -> &str {
    COUNTRIES_TOLD.iter().find(|(written, _)| *written == told).map_or(told, |(_, means)| means)
}

/// A site's own domain, else that of its page; of anything, that of its publisher at last. Generated pages are HTTPS URLs
/// with a path.
fn domain(channel: &Value) -> &str {
    let of_page = text(channel, "page").trim_start_matches("https://").split('/').next().unwrap();
    let told = [text(channel, "domain"), of_page, text(channel, "publisher/domain")];
    told.into_iter().find(|domain| !domain.is_empty()).unwrap_or("")
}

/// What the ad is shown in, and which of the three it is.
pub fn channel(request: &Value) -> (&'static str, &Value) {
    let name = ["site", "app", "dooh"].into_iter().find(|name| has(request, name));
    name.map_or(("", &Value::Null), |name| (name, at(request, name)))
}

/// One of the values is included, if anything is, and none is excluded.
pub fn allows(rule: &Value, values: &[String], is: fn(&str, &str) -> bool) -> bool {
    let entries = |key: &str| -> Vec<String> {
        list(rule, key).iter().map(|entry| entry.as_str().map_or_else(|| entry.to_string(), str::to_owned)).collect()
    };
    let among = |entries: &[String]| entries.iter().any(|entry| values.iter().any(|value| is(value, entry)));
    let (include, exclude) = (entries("include"), entries("exclude"));
    (include.is_empty() || among(&include)) && !among(&exclude)
}

pub fn same(value: &str, entry: &str) -> bool {
    value.eq_ignore_ascii_case(entry)
}

/// Whether a domain is another one or a subdomain of it.
pub fn domain_under(domain: &str, parent: &str) -> bool {
    let (domain, parent) = (domain.to_ascii_lowercase(), parent.to_ascii_lowercase());
    domain == parent || domain.ends_with(&format!(".{parent}"))
}

/// Whether a category is another one or below it.
pub fn category_under(category: &str, parent: &str) -> bool {
    same(category, parent) || category.to_ascii_lowercase().starts_with(&format!("{}-", parent.to_ascii_lowercase()))
}

fn os_version(device: &Value) -> String {
    let parts = texts(device, "sua/platform/version");
    if parts.is_empty() { text(device, "osv").to_owned() } else { parts.join(".") }
}

/// Compared with each end as far as that end is written.
fn version(rule: &Value, version: &str) -> bool {
    let (min, max) = (text(rule, "min"), text(rule, "max"));
    if min.is_empty() && max.is_empty() {
        return true;
    }
    let parts = |text: &str| -> Vec<u64> { text.split('.').map(|part| part.parse().unwrap_or(0)).collect() };
    let cut = |end: &str| -> Vec<u64> { parts(version).into_iter().chain([0; 8]).take(parts(end).len()).collect() };
    !version.is_empty() && (min.is_empty() || cut(min) >= parts(min)) && (max.is_empty() || cut(max) <= parts(max))
}

/// The names that a browser goes by.
fn browsers(device: &Value) -> Vec<String> {
    let brands: Vec<&str> = list(device, "sua/browsers").iter().map(|browser| text(browser, "brand")).collect();
    if has(device, "sua") {
        let plain = |brand: &str| brand.trim_start_matches("Google ").trim_start_matches("Microsoft ").to_owned();
        return brands.iter().flat_map(|brand| [(*brand).to_owned(), plain(brand)]).collect();
    }
    let agents = BROWSERS.iter();
    agents.filter(|(agent, _)| *agent == text(device, "ua")).map(|(_, name)| (*name).to_owned()).collect()
}

/// A language, of `language` or of the first part of `langb`.
fn language(holder: &Value) -> Values {
    let tag = text_of(holder, &["language", "langb"]);
    tag.split('-').take(1).filter(|language| !language.is_empty()).map(str::to_owned).collect()
}

/// Categories in the taxonomy that the target is written in; those in another cannot be compared.
fn categories(target: &Value, channel: &Value) -> Values {
    let wanted = int(target, "cattax").unwrap_or(1);
    let of = |holder: &Value, keys: &[&str]| -> Values {
        let keys = keys.iter().filter(|_| int(holder, "cattax").unwrap_or(1) == wanted);
        keys.flat_map(|key| texts(holder, key)).map(str::to_owned).collect()
    };
    [of(channel, &["cat", "sectioncat", "pagecat"]), of(at(channel, "content"), &["cat"])].concat()
}

/// Where the ids are from that were matched in a way which the campaign uses; how is unknown where nothing is told.
fn sources(target: &Value, user: &Value) -> Values {
    let counts = |eid: &&Value| allows(at(target, "mm"), &[int(eid, "mm").unwrap_or(0).to_string()], same);
    eids(user).filter(counts).map(|eid| text(eid, "source").to_owned()).collect()
}

fn live(target: &Value, content: &Value) -> bool {
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
    let (include, exclude) = (list(rule, "include"), list(rule, "exclude"));
    (include.is_empty() || include.iter().any(in_segment)) && !exclude.iter().any(in_segment)
}

fn born(target: &Value, user: &Value) -> bool {
    let (min, max) = (int(target, "yob/min"), int(target, "yob/max"));
    match int(user, "yob") {
        Some(year) => min.is_none_or(|min| min <= year) && max.is_none_or(|max| year <= max),
        None => min.is_none() && max.is_none(),
    }
}
