//! Targeting of the channel, the location, the device, the content and the person: the dimensions of the whole request.

use std::net::IpAddr;

use reasons::kind::{DIMENSIONS, Dimension, Kind, kind_of};
use reasons::no_bid::NoBidReason as Reason;
use rules::targeting::value;
use serde_json::{Value, json};

use super::generate::words::{BROWSERS, COUNTRY_NOTATIONS, LISTS, RANGES};
use super::json::{at, has, int, list, text, text_of, texts};
use super::positions::{channel, eids, geo, sua};
use super::privacy::{Verdict, verdict};
use super::radius::within;

/// The request's values in a dimension.
type Values = Vec<String>;

/// The targeting checks that fail.
pub fn failures(target: &Value, request: &Value, settings: &Value) -> Vec<Reason> {
    let known = Known::of(request, settings);
    let rows = DIMENSIONS.iter().filter(|dimension| value::request::has(dimension.reason));
    let rows = rows.map(|dimension| (dimension.reason, known.fits(target, dimension)));
    let (device, user) = (at(request, "device"), known.user);
    let others = [
        (Reason::Radius, within(at(target, "radius"), &known.precise_geo)),
        (Reason::Osv, version(at(target, "osv"), &os_version(device))),
        // Only a target with `mm` can fail on it.
        (Reason::Mm, !has(target, "mm") || allows(at(target, "eids"), &sources_by_method(target, user), same)),
        (Reason::Yob, yob(target, user)),
    ];
    rows.chain(others).filter(|(_, met)| !met).map(|(reason, _)| reason).collect()
}

/// What a bid may know of a request.
struct Known<'v> {
    request: &'v Value,
    /// The name and the object of the channel.
    channel: (&'static str, &'v Value),
    /// `null` if personal data may not be used.
    user: &'v Value,
    /// The bits of each address that is told in full; none if personal data may not be used.
    addresses: Values,
    geo: Value,
    precise_geo: Value,
}

impl<'v> Known<'v> {
    fn of(request: &'v Value, settings: &Value) -> Known<'v> {
        let (is_free, geo) = (verdict(request, settings) == Verdict::Free, geo(request));
        // The location of a screen is no personal data (rule 66).
        let of_screen = if has(request, "dooh") { at(request, "device/geo") } else { &Value::Null };
        let addresses = ["device/ip", "device/ipv6"].map(|path| bits(text(request, path)));
        Known {
            request,
            addresses: addresses.into_iter().flatten().filter(|bits| is_free && is_whole(bits)).collect(),
            channel: channel(request),
            user: if is_free { at(request, "user") } else { &Value::Null },
            precise_geo: if is_free { geo.clone() } else { of_screen.clone() },
            geo,
        }
    }

    /// Whether the request fits the target's rule on a dimension.
    fn fits(&self, target: &Value, dimension: &Dimension) -> bool {
        let rule = at(target, dimension.name);
        let (name, channel) = self.channel;
        match (dimension.reason, kind_of(dimension.reason).unwrap()) {
            (Reason::Channel, _) => {
                let listed = texts(target, "channel");
                let sent = ["site", "app", "dooh"].into_iter().filter(|name| has(self.request, name));
                listed.is_empty() || !name.is_empty() && sent.into_iter().all(|name| listed.contains(&name))
            }
            (Reason::Cat, _) => {
                let is = if int(target, "cattax") == Some(6) { category_under_6 } else { category_under };
                allows(rule, &categories(target, channel), is)
            }
            (Reason::Venuetype, _) => {
                let openooh = |of: &Value| int(of, "venuetypetax").map_or(1, |tax| if tax == 5 { 1 } else { tax });
                let types = texts(channel, "venuetype").into_iter().filter(|_| openooh(channel) == openooh(target));
                let is = if openooh(target) == 1 { venue_under } else { same };
                allows(rule, &types.map(str::to_owned).collect::<Values>(), is)
            }
            (Reason::Gtax, _) => {
                let content = at(channel, "content");
                let default = if texts(content, "genres").is_empty() { None } else { Some(9) };
                allows_code(rule, &Vec::from_iter(int(content, "gtax").or(default)))
            }
            (Reason::Domain, _) => {
                let domain = Some(domain(channel).to_owned()).filter(|domain| !domain.is_empty());
                allows(rule, &domain.into_iter().collect::<Values>(), site_under)
            }
            (Reason::Ip, _) => allows(rule, &self.addresses, is_in_range),
            (Reason::Segment, _) => segments(rule, list(self.user, "data"), &segments_of),
            (Reason::ContentSegment, _) => segments(rule, list(channel, "content/data"), &segments_of),
            (Reason::Cids, _) => segments(rule, list(channel, "content/data"), &cids_of),
            (Reason::Eids, _) => has_ids(target, &sources(self.user)),
            (Reason::Inserter, _) => allows(rule, &of_eids(self.user, |eid| text(eid, "inserter")), same),
            (Reason::Matcher, _) => allows(rule, &of_eids(self.user, |eid| text_of(eid, &["matcher", "source"])), same),
            (Reason::Buyeruid, _) => rule != true || is_id(text(self.user, "buyeruid")),
            (_, Kind::Number) => {
                let codes = self.values(dimension).iter().map(|code| code.parse().unwrap()).collect::<Vec<i64>>();
                allows_code(rule, &codes)
            }
            (_, Kind::Flag) => {
                rule.as_bool().is_none_or(|wanted| self.values(dimension) == [i64::from(wanted).to_string()])
            }
            (_, Kind::Id) => allows(rule, &self.values(dimension), |value, entry| value == entry),
            _ => allows(rule, &self.values(dimension), same),
        }
    }

    /// The values at the paths of a dimension, of each path at the first of its alternatives that has any.
    fn values(&self, dimension: &Dimension) -> Values {
        let first = |path: &&str| {
            let all = path.trim_start_matches('?').split('|').map(|path| self.values_at(path));
            all.into_iter().find(|values| !values.is_empty()).unwrap_or_default()
        };
        let values = dimension.paths.iter().flat_map(first);
        let meant = |value: String| match dimension.reason {
            Reason::Country => country(&value).to_owned(),
            // The first part of a tag.
            Reason::Language | Reason::ContentLanguage => value.split('-').next().unwrap().to_owned(),
            _ => value,
        };
        match dimension.reason {
            Reason::Browser => browsers(at(self.request, "device")),
            Reason::Keywords => values
                .flat_map(|text| text.split(',').map(|word| word.trim().to_owned()).collect::<Values>())
                .filter(|word| !word.is_empty())
                .collect(),
            _ => values.map(meant).collect(),
        }
    }

    fn values_at(&self, path: &str) -> Values {
        let (root, rest) = path.split_once('.').unwrap_or((path, ""));
        let (object, rest) = match root {
            "channel" => (self.channel.1, rest),
            "person" => (self.user, rest),
            "geo" if rest == "zip" => (&self.precise_geo, rest),
            "geo" => (&self.geo, rest),
            _ => (self.request, path),
        };
        match at(object, &rest.replace('.', "/")) {
            Value::String(text) if !text.is_empty() => vec![text.clone()],
            Value::Number(number) => vec![number.to_string()],
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => vec![],
        }
    }
}

/// The 128 binary digits of an address. An IPv4 address has those of its form in IPv6.
fn bits(address: &str) -> Option<String> {
    let address = match address.parse().ok()? {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    Some(format!("{:0128b}", address.to_bits()))
}

/// Whether an address is not cut short to its network.
fn is_whole(address: &str) -> bool {
    let of_device = if is_in_range(address, "::ffff:0:0/96") { 120 } else { 64 };
    address[of_device..].contains('1')
}

/// Whether an address, in binary digits, begins like the range.
fn is_in_range(address: &str, range: &str) -> bool {
    let (first, length) = range.split_once('/').map_or((range, None), |(first, length)| (first, Some(length)));
    let before = if first.contains(':') { 0 } else { 96 };
    let length = length.map_or(128, |length| before + length.parse::<usize>().unwrap());
    address[..length] == bits(first).unwrap()[..length]
}

/// Whether a text is an id, and none of the placeholders that are generated.
pub fn is_id(text: &str) -> bool {
    !["", "0", "null", "$UID"].contains(&text)
}

fn sources(user: &Value) -> Values {
    of_eids(user, |eid| text(eid, "source"))
}

fn of_eids(user: &Value, value: fn(&Value) -> &str) -> Values {
    eids(user).map(|eid| value(eid).to_owned()).collect()
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

/// Whether a value is included, if the rule includes any, and no value is excluded.
pub fn allows(rule: &Value, values: &[String], is: fn(&str, &str) -> bool) -> bool {
    let entries = |key: &str| -> Vec<String> {
        let own = list(rule, key).iter().map(|entry| entry.as_str().map_or_else(|| entry.to_string(), str::to_owned));
        let named = texts(rule, &format!("{key}_lists"));
        let named =
            LISTS.iter().chain(RANGES).filter(|(id, _)| named.contains(id)).flat_map(|(_, values)| values.split(' '));
        own.chain(named.map(str::to_owned)).collect()
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

/// Whether a type of OpenOOH is the listed one or below it: `10101` is below `101` and `1`, `transit.buses` below `transit`.
fn venue_under(own: &str, listed: &str) -> bool {
    let rest = own.to_ascii_lowercase().strip_prefix(&listed.to_ascii_lowercase()).map(str::to_owned);
    let is_number = own.chars().all(|c| c.is_ascii_digit());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || is_number && rest.len().is_multiple_of(2))
}

/// Some categories of Content Taxonomy 2.2 (`cattax` 6): the first is below the others.
const BELOW_6: [(&str, &[&str]); 3] = [("2", &["1"]), ("3", &["2", "1"]), ("Rm3SiT", &["v9i3On"])];

/// Like [`category_under`], in Content Taxonomy 2.2.
pub fn category_under_6(category: &str, parent: &str) -> bool {
    let is_above = |parents: &&[&str]| parents.iter().any(|above| same(above, parent));
    let above = BELOW_6.iter().find(|(below, _)| same(below, category)).map(|(_, above)| above);
    category_under(category, parent) || above.is_some_and(is_above)
}

/// Whether `category` is `parent` or a subcategory of `parent`, as its code shows.
pub fn category_under(category: &str, parent: &str) -> bool {
    same(category, parent) || category.to_ascii_lowercase().starts_with(&format!("{}-", parent.to_ascii_lowercase()))
}

fn os_version(device: &Value) -> String {
    let sua = sua(device);
    let parts = texts(&sua, "platform/version");
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
    let plain = |brand: &str| brand.trim_start_matches("Google ").trim_start_matches("Microsoft ").to_owned();
    let brands: Vec<String> =
        list(&sua(device), "browsers").iter().map(|browser| text(browser, "brand").to_owned()).collect();
    if !brands.is_empty() {
        return brands.iter().flat_map(|brand| [brand.clone(), plain(brand)]).collect();
    }
    let agents = BROWSERS.iter();
    agents.filter(|(agent, _)| *agent == text(device, "ua")).map(|(_, name)| (*name).to_owned()).collect()
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

/// What a rule on segments may name of an entry of `data`: the ids, and the taxonomy if there is one.
type Named<'v> = (Vec<&'v str>, Option<i64>);

fn segments_of(data: &Value) -> Named<'_> {
    let said = at(data, "ext/segtax");
    let segtax = said.as_i64().or_else(|| said.as_str()?.parse().ok());
    (list(data, "segment").iter().map(|segment| text(segment, "id")).collect(), segtax)
}

fn cids_of(data: &Value) -> Named<'_> {
    let places = [texts(data, "cids"), texts(data, "ext/cids")];
    (places.into_iter().find(|ids| !ids.is_empty()).unwrap_or_default(), None)
}

fn segments<'v>(rule: &Value, data: &'v [Value], named: &dyn Fn(&'v Value) -> Named<'v>) -> bool {
    let has = |entry: &Value| {
        let is_named = |data: &&'v Value| {
            let provider = text(entry, "provider");
            let is_provider = provider.is_empty() || ["id", "name"].iter().any(|key| text(data, key) == provider);
            let (ids, segtax) = named(data);
            let is_taxonomy = int(entry, "segtax").is_none_or(|wanted| segtax == Some(wanted));
            is_provider && is_taxonomy && ids.contains(&text(entry, "id"))
        };
        data.iter().any(|data| is_named(&data))
    };
    // An id that neither a provider nor a taxonomy explains cannot be compared.
    let tells = |data: &&'v Value| {
        let (ids, segtax) = named(data);
        (segtax.is_some() || !text_of(data, &["id", "name"]).is_empty()) && ids.iter().any(|id| !id.is_empty())
    };
    let is_told = data.iter().any(|data| tells(&data));
    let (include, exclude) = (list(rule, "include"), list(rule, "exclude"));
    (include.is_empty() || include.iter().any(has)) && !exclude.iter().any(has) && (is_told || !excludes_unknown(rule))
}

fn yob(target: &Value, user: &Value) -> bool {
    let (min, max) = (int(target, "yob/min"), int(target, "yob/max"));
    match int(user, "yob") {
        Some(year) => min.is_none_or(|min| min <= year) && max.is_none_or(|max| year <= max),
        None => min.is_none() && max.is_none(),
    }
}
