//! Facts about a request that several rules need, derived once for all campaigns.
//!
//! The facts leave out everything that the privacy verdict forbids, so that no rule can use it by mistake: ids,
//! addresses, segments, `user.ext.data`, the person's age and interests, the precise location. They also leave out a `buyeruid` that cannot be ours.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use base::hash::hash_of;
use base::placeholder;
use catalog::{Addresses, Ssp};
use consent::Verdict;
use flat::List;
use openrtb::request::{Brand, Channel, Deal, Device, Geo, Request, User};
use shading::Shade;

use super::data::FirstParty;
use super::places::{channel, geo, host};
use super::way::Way;

/// The categories below those that campaigns target.
pub(super) type Below<'a> = List<'a, (u64, String)>;

/// A request, and the facts that follow from it.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The request, without the data that the verdict forbids, and without a `buyeruid` that cannot be ours. It has `geo` objects only if everything is allowed, so
    /// use `geo` below.
    pub request: &'a Request<'a>,
    /// The SSP that sent the request.
    pub ssp: Ssp<'a>,
    /// The time of the decision, in milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// Site, app or DOOH; a request should have only one (§3.2.1), else the first that tells an attribute counts. Its
    /// `domain` is a host name: the channel's, else that of the page, else that of the publisher.
    pub channel: Channel<'a>,
    /// The device's location, completed by the user's. The country is an alpha-3 code. Without consent for precise
    /// location, there is no point and no postal code.
    pub geo: Geo<'a>,
    /// The operating system, from `device.sua`, else from `device.os`.
    pub os: &'a str,
    /// The device model, from `device.sua`, else from `device.model`.
    pub model: &'a str,
    /// Whether personal data may be used.
    pub personal: bool,
    /// The TCF consent string as the request has it, even if personal data may not be used.
    pub consent: &'a str,
    /// Whether an impression may offer a deal twice: by the same id, or by two ids with the same hash.
    pub repeats_deals: bool,
    /// What is known about learned shading.
    pub shade: Shade<'a>,
    /// See [`Parts::below`](catalog::Parts::below).
    pub below: Option<Below<'a>>,
    /// See [`Parts::caps_households`](catalog::Parts::caps_households).
    pub caps_households: bool,
    /// The ranges of addresses in the catalog's lists.
    pub addresses: Option<Addresses<'a>>,
    /// For the way of the request to its SSP; see [`Facts::path`].
    pub supply: Way<'a>,
    /// For first-party data; see [`Facts::data`].
    pub first_party: FirstParty<'a>,
}

impl<'a> Facts<'a> {
    /// Derives the facts; `verdict` says which data may be used.
    #[must_use]
    pub fn new(request: &'a Request<'a>, ssp: Ssp<'a>, now_ms: i64, verdict: Verdict, arena: &'a Bump) -> Facts<'a> {
        let (geo, consent) = (geo(request, verdict.allows_precise_geo()), request.user.consent);
        let all = verdict.allows_personal() && verdict.allows_precise_geo();
        let mut request = if all { request } else { arena.alloc(allowed(request, verdict)) };
        if is_foreign(request.user.buyeruid, ssp) {
            let user = User { buyeruid: "", ..request.user };
            request = arena.alloc(Request { user, ..*request });
        }
        let Device { sua, os, model, .. } = request.device;
        Facts {
            request,
            ssp,
            now_ms,
            channel: channel(request, arena),
            geo,
            os: sua.map(|sua| sua.platform.brand).filter(|brand| !brand.is_empty()).unwrap_or(os),
            model: sua.map(|sua| sua.model).filter(|model| !model.is_empty()).unwrap_or(model),
            personal: verdict.allows_personal(),
            consent,
            repeats_deals: request.imp.iter().any(|imp| repeats(imp.deals, arena)),
            shade: Shade::default(),
            below: None,
            caps_households: false,
            addresses: None,
            supply: Way::default(),
            first_party: FirstParty::default(),
        }
    }

    /// The host name of the site; empty without one.
    pub fn site_domain(&self) -> &'a str {
        let has_host = self.request.site.is_some_and(|site| !host(site).is_empty());
        if has_host { self.channel.domain } else { "" }
    }

    /// The parts of the operating system's version: `17` and `5` of `17.5`, and of `17_5` as in user agents.
    pub fn osv(&self) -> impl Iterator<Item = &'a str> {
        let parts = |version: &'a str| version.split(['.', '_']).filter(|part| !part.is_empty());
        let platform = self.request.device.sua.map(|sua| sua.platform).unwrap_or_default();
        let osv = if platform.version.iter().all(|part| part.is_empty()) { self.request.device.osv } else { "" };
        platform.version.iter().flat_map(move |version| parts(version)).chain(parts(osv))
    }

    /// The names of the browser, from `device.sua`, else from `device.ua`.
    pub fn browsers(&self) -> impl Iterator<Item = &'a str> {
        let sua: &'a [Brand<'a>] = self.request.device.sua.map(|sua| sua.browsers).unwrap_or_default();
        let from_ua =
            if sua.iter().all(|brand| brand.brand.is_empty()) { browser_of(self.request.device.ua) } else { None };
        sua.iter().flat_map(|brand| [brand.brand, usual_name(brand.brand)]).chain(from_ua)
    }
}

fn repeats(deals: &[Deal<'_>], arena: &Bump) -> bool {
    if deals.len() < 2 {
        return false;
    }
    let mut ids = ArenaVec::from_iter_in(deals.iter().map(|deal| hash_of(deal.id.value)), arena);
    ids.sort_unstable();
    ids.windows(2).any(|two| two.first() == two.last())
}

/// Whether a `buyeruid` is not one of our ids: a sync gives our ids to the SSP, and they have a form.
fn is_foreign(buyeruid: &str, ssp: Ssp<'_>) -> bool {
    !buyeruid.is_empty() && ssp.gets_our_ids() && !placeholder::is_ours(buyeruid)
}

/// The request without the data that the verdict forbids, and without `geo` objects.
fn allowed<'a>(request: &Request<'a>, verdict: Verdict) -> Request<'a> {
    let (device, user) = (request.device, request.user);
    let (device, user) = (Device { geo: Geo::default(), ..device }, User { geo: Geo::default(), ..user });
    if verdict.allows_personal() {
        return Request { device, user, ..*request };
    }
    Request { device: Device { ifa: "", ip: "", ipv6: "", ..device }, user: User::default(), ..*request }
}

/// The usual name of a browser brand; the brand itself if there is no other name.
fn usual_name(brand: &str) -> &str {
    match brand {
        "Google Chrome" => "Chrome",
        "Microsoft Edge" => "Edge",
        "Mobile Safari" => "Safari",
        other => other,
    }
}

/// Product tokens of user agent strings and their browsers, the most specific first. Each token must start with one of
/// the letters that [`browser_of`] looks for.
const TOKENS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("OPT/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Version/", "Safari"),
];

/// The browser of a user agent string. Most strings name several browsers; the most specific one counts.
fn browser_of(ua: &str) -> Option<&'static str> {
    let token_at = |at| ua.get(at..).and_then(|rest| TOKENS.iter().position(|(token, _)| rest.starts_with(token)));
    let starts = ua.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'C' | b'E' | b'F' | b'O' | b'S' | b'V'));
    let best = starts.filter_map(|(at, _)| token_at(at)).min()?;
    TOKENS.get(best).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::SspDraft;
    use flat::{Flat as _, Source};

    #[test]
    fn facts_leave_out_what_the_verdict_forbids() {
        let geo = Geo { country: "DEU", zip: "10115", ..Geo::default() };
        let (nowhere, country) = (Geo::default(), Geo { zip: "", ..geo });
        let device =
            Device { geo, ifa: "3f6d", ip: "203.0.113.7", ipv6: "2001:db8::7", make: "Apple", ..Device::default() };
        let user = User { geo, buyeruid: "b", consent: "c", yob: 1990, keywords: "k", ..User::default() };
        let (request, arena) = (Request { device, user, ..Request::default() }, Bump::new());
        let ssp = SspDraft::view(Source::default(), 0);
        let known = |verdict| {
            let Facts { request, geo, .. } = Facts::new(&request, ssp, 0, verdict, &arena);
            (geo, request.device, request.user)
        };
        assert_eq!(known(Verdict::Personal { precise_geo: true }), (geo, device, user));
        let (device, user) = (Device { geo: nowhere, ..device }, User { geo: nowhere, ..user });
        assert_eq!(known(Verdict::Personal { precise_geo: false }), (country, device, user));
        assert_eq!(
            known(Verdict::Contextual),
            (country, Device { ifa: "", ip: "", ipv6: "", ..device }, User::default())
        );
    }

    #[test]
    fn every_browser_token_is_found() {
        for (token, name) in TOKENS {
            assert_eq!(browser_of(&format!("Mozilla/5.0 {token}1")), Some(*name));
        }
    }

    #[test]
    fn the_most_specific_browser_token_counts() {
        for (ua, name) in [
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36",
                Some("Chrome"),
            ),
            ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Edg/120.0", Some("Edge")),
            ("Mozilla/5.0 (iPhone) AppleWebKit/605.1 Version/17.1 Mobile/15E148 Safari/604.1", Some("Safari")),
            ("Mozilla/5.0 (iPhone) AppleWebKit/605.1 CriOS/119.0 Mobile/15E148 Safari/604.1", Some("Chrome")),
            ("Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/119.0", Some("Firefox")),
            (
                "Mozilla/5.0 (Linux; Android 13) SamsungBrowser/23.0 Chrome/115.0 Mobile Safari/537.36",
                Some("Samsung Internet"),
            ),
            ("curl/8.0", None),
        ] {
            assert_eq!(browser_of(ua), name, "{ua}");
        }
    }
}
