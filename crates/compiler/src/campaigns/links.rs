//! Notes ads whose links lead to another advertiser than the one that the bid names: exchanges compare the two.

use crate::drafts::Drafts;
use base::domain::{host, strip_www};
use document::CreativeEntry;
use document::decode::Rule;

/// How the hosts of click trackers begin, which lead to the page of the advertiser.
const TRACKERS: &str =
    "ad ads adclick adserver click clicks clk go link links r redir redirect t track tracker tracking trk";
/// Domains of click trackers and of app stores, whose apps `bundle` names.
const OTHERS: &str = "adform.net adjust.com app.link apple.com appsflyer.com bit.ly branch.io doubleclick.net flashtalking.com \
    google.com googleadservices.com onelink.me sizmek.com";

/// Compares the links of each shown creative with its advertiser's domains.
pub(crate) fn check(drafts: &Drafts<'_>) {
    for (at, campaign, _) in drafts.campaigns() {
        for (j, shown) in campaign.creatives.iter().enumerate() {
            let position = drafts.references.crids.get(&shown.crid);
            let Some(creative) = position.and_then(|position| drafts.document.creatives.get(position)) else {
                continue;
            };
            let own = if creative.adomain.is_empty() { &campaign.adomain } else { &creative.adomain };
            let links = links(creative);
            let all: Option<Vec<&str>> = links.iter().map(|link| other_host(link, own)).collect();
            if let Some(found) = all.filter(|_| !own.is_empty()).and_then(|all| all.first().copied()) {
                let message = format!(
                    "its ad links to {found:?}, and adomain is {}; expected the advertiser's domain in adomain",
                    own.join(", ")
                );
                at.item("creatives", j).report(Rule::Ambiguous, message);
            }
        }
    }
}

/// The pages that a click may open.
fn links(creative: &CreativeEntry) -> Vec<&str> {
    let markup = creative.banner.as_ref().map(|ad| ad.adm.as_str()).unwrap_or_default();
    let of_markup = markup.split("href=").skip(1).map(|rest| {
        let rest = rest.trim_start_matches(['"', '\'']);
        rest.split(['"', '\'', '>', ' ']).next().unwrap_or_default()
    });
    let linear = [&creative.video, &creative.audio].into_iter().flatten().map(|ad| ad.clickthrough.as_str());
    let native = creative.native.iter().map(|ad| ad.link.as_str());
    of_markup.chain(linear).chain(native).filter(|link| !link.is_empty()).collect()
}

/// The host of a link that has nothing in common with these domains; `None` if it may lead to one of them.
fn other_host<'l>(link: &'l str, domains: &[String]) -> Option<&'l str> {
    let is_web = link.starts_with("https://") || link.starts_with("http://");
    let host = strip_www(host(link));
    let is_tracker = || TRACKERS.split(' ').any(|word| host.split('.').next() == Some(word));
    let is_of = |domain: &str| host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
    let is_name = host.contains('.') && !host.contains(['{', '$', '%', '[']);
    let is_own = || domains.iter().any(|domain| link.contains(domain.as_str()) || is_like(host, domain));
    (is_web && is_name && !is_tracker() && !OTHERS.split(' ').any(is_of) && !is_own()).then_some(host)
}

/// Whether two domains have a name in common, such as `ford.de` and `fordshop.example`.
fn is_like(host: &str, domain: &str) -> bool {
    /// Shorter names are parts of many others.
    const LEAST: usize = 3;
    let names = |domain: &'_ str| -> Vec<String> {
        let labels: Vec<&str> = domain.split('.').collect();
        let names = labels.get(..labels.len().saturating_sub(1)).unwrap_or_default();
        names.iter().map(|name| name.to_ascii_lowercase()).filter(|name| name != "www" && name != "com").collect()
    };
    let own = names(domain);
    names(host).iter().any(|name| {
        let is_part = |other: &String| {
            name == other
                || other.len() >= LEAST && name.contains(other.as_str())
                || name.len() >= LEAST && other.contains(name.as_str())
        };
        own.iter().any(is_part)
    })
}
