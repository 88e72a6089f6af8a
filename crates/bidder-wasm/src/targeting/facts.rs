//! What several rules want to know of a request, worked out once for all campaigns.
//!
//! What the verdict does not let a bid know is in neither the facts nor the request that they hold, so no rule can use it by
//! mistake: ids, segments, the person's age and interests, the precise place.

use bumpalo::Bump;

use crate::catalog::Ssp;
use crate::country::alpha_3;
use crate::domain;
use crate::privacy::Verdict;
use crate::request::{Brand, Channel, Device, Geo, Request, User};

/// A request together with what follows from it.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The request, as far as it may be known; where the device and the person are is in `geo`.
    pub request: &'a Request<'a>,
    /// Who sends it.
    pub ssp: Ssp<'a>,
    /// Milliseconds since the epoch at which the decision is made.
    pub now_ms: i64,
    /// Site, app or DOOH: the first of them that came (they exclude each other, §3.2.1). Its `domain` is a bare one: that of the
    /// page where none is told, else the publisher's.
    pub channel: Channel<'a>,
    /// Where the device is, else where the person is; the country in three letters. Without the verdict for it, no point and no
    /// postal code.
    pub geo: Geo<'a>,
    /// Operating system; `sua` before `os`.
    pub os: &'a str,
    /// Model; `sua` before `model`.
    pub model: &'a str,
    /// Whether anything about the person may be used.
    pub personal: bool,
}

impl<'a> Facts<'a> {
    /// Works them out. The verdict says what may be known.
    #[must_use]
    pub fn new(request: &'a Request<'a>, ssp: Ssp<'a>, now_ms: i64, verdict: Verdict, arena: &'a Bump) -> Facts<'a> {
        let geo = geo(request, verdict.allows_precise_geo());
        let all = verdict.allows_personal() && verdict.allows_precise_geo();
        let request = if all { request } else { arena.alloc(known(request, verdict)) };
        let Device { sua, os, model, .. } = request.device;
        Facts {
            request,
            ssp,
            now_ms,
            channel: channel(request),
            geo,
            os: sua.map(|sua| sua.platform.brand).filter(|brand| !brand.is_empty()).unwrap_or(os),
            model: sua.map(|sua| sua.model).filter(|model| !model.is_empty()).unwrap_or(model),
            personal: verdict.allows_personal(),
        }
    }

    /// The operating system's version, part by part.
    pub fn osv(&self) -> impl Iterator<Item = &'a str> {
        let platform = self.request.device.sua.map(|sua| sua.platform).unwrap_or_default();
        let told = if platform.version.is_empty() { self.request.device.osv } else { "" };
        platform.version.iter().copied().chain(told.split('.').filter(|part| !part.is_empty()))
    }

    /// The browsers that the device says it is; `sua` before `ua`.
    pub fn browsers(&self) -> impl Iterator<Item = &'a str> {
        let sua: &'a [Brand<'a>] = self.request.device.sua.map(|sua| sua.browsers).unwrap_or_default();
        let from_ua = if sua.is_empty() { browser_of(self.request.device.ua) } else { None };
        sua.iter().flat_map(|brand| [brand.brand, usual_name(brand.brand)]).chain(from_ua)
    }
}

/// The request without what the verdict forbids, and without places.
fn known<'a>(request: &Request<'a>, verdict: Verdict) -> Request<'a> {
    let (device, user) = (request.device, request.user);
    let (device, user) = (Device { geo: Geo::default(), ..device }, User { geo: Geo::default(), ..user });
    if verdict.allows_personal() {
        return Request { device, user, ..*request };
    }
    Request { device: Device { ifa: "", ..device }, user: User::default(), ..*request }
}

fn channel<'a>(request: &Request<'a>) -> Channel<'a> {
    let channel = request.site.or(request.app).or(request.dooh).copied().unwrap_or_default();
    let mut told = [channel.domain, channel.page, channel.publisher_domain].into_iter().map(domain::host);
    let domain = told.find(|host| !host.is_empty()).unwrap_or_default();
    Channel { domain, ..channel }
}

/// Where the device is; where the person is, if the device's country is not told (§3.2.19). The two
/// are never mixed: they may be far apart. The precise place needs the verdict for it, unless it is
/// a screen's: that is nobody's (§7.9.2.5).
fn geo<'a>(request: &Request<'a>, precise: bool) -> Geo<'a> {
    let (device, user) = (request.device.geo, request.user.geo);
    if device.country.is_empty() && user != Geo::default() {
        return coarse(user, precise);
    }
    coarse(device, precise || request.dooh.is_some())
}

fn coarse(geo: Geo<'_>, precise: bool) -> Geo<'_> {
    let geo = Geo { country: alpha_3(geo.country), ..geo };
    if precise { geo } else { Geo { zip: "", point: None, ..geo } }
}

/// The name that people know a browser brand by; the brand itself where it is no other.
fn usual_name(brand: &str) -> &str {
    match brand {
        "Google Chrome" => "Chrome",
        "Microsoft Edge" => "Edge",
        "Mobile Safari" => "Safari",
        other => other,
    }
}

/// What browsers claim to be, the most specific claim first. Each begins with one of the letters that [`browser_of`] looks for.
const CLAIMS: &[(&str, &str)] = &[
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

/// The browser that a user agent string names. Each claims to be several; the most specific claim
/// counts, so the order matters.
fn browser_of(ua: &str) -> Option<&'static str> {
    let claimed = |at| ua.get(at..).and_then(|rest| CLAIMS.iter().position(|(claim, _)| rest.starts_with(claim)));
    let starts = ua.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'C' | b'E' | b'F' | b'O' | b'S' | b'V'));
    let best = starts.filter_map(|(at, _)| claimed(at)).min()?;
    CLAIMS.get(best).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::SspDraft;
    use crate::flat::{Flat as _, Source};

    #[test]
    fn the_verdict_leaves_nothing_of_the_person_to_find() {
        let geo = Geo { country: "DEU", zip: "10115", ..Geo::default() };
        let (nowhere, country) = (Geo::default(), Geo { zip: "", ..geo });
        let device = Device { geo, ifa: "3f6d", make: "Apple", ..Device::default() };
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
        assert_eq!(known(Verdict::Contextual), (country, Device { ifa: "", ..device }, User::default()));
    }

    #[test]
    fn each_claim_is_found() {
        for (claim, name) in CLAIMS {
            assert_eq!(browser_of(&format!("Mozilla/5.0 {claim}1")), Some(*name));
        }
    }

    #[test]
    fn browsers_are_known_by_their_most_specific_claim() {
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
