//! The channel and the location of a request, which may be told in several places: what one place does not tell, the next
//! one does. So an empty object hides nothing.

use bumpalo::Bump;
use bumpalo::collections::String as BumpString;

use base::country::alpha_3;
use base::domain::{self, MAX_DOMAIN_BYTES};
use openrtb::request::{Channel, Content, Geo, Request};

/// Site, app or DOOH. A request should have only one (§3.2.1). `domain` is the host name, in ASCII: a campaign's domains
/// are too.
pub(super) fn channel<'a>(request: &Request<'a>, arena: &'a Bump) -> Channel<'a> {
    let mut all = [request.site, request.app, request.dooh].into_iter().flatten();
    let with_host = |channel: &Channel<'a>| Channel { domain: host(channel), ..*channel };
    let mut channel = all.next().map(with_host).unwrap_or_default();
    all.for_each(|other| channel = either_channel(&channel, &with_host(other)));
    if !channel.domain.is_ascii() && channel.domain.len() <= MAX_DOMAIN_BYTES {
        let mut ascii = BumpString::new_in(arena);
        domain::to_ascii(channel.domain, |c| ascii.push(c));
        channel.domain = ascii.into_bump_str();
    }
    channel
}

/// The host name of a channel: of its domain, else of its page, else of its publisher.
pub(super) fn host<'a>(channel: &Channel<'a>) -> &'a str {
    let hosts = [channel.domain, channel.page, channel.publisher_domain].into_iter().map(domain::host);
    hosts.into_iter().find(|host| !host.is_empty()).unwrap_or_default()
}

#[cold]
fn either_channel<'a>(one: &Channel<'a>, other: &Channel<'a>) -> Channel<'a> {
    let has_cat = [one.cat, one.sectioncat, one.pagecat].iter().any(|cat| !cat.is_empty());
    let Channel { cat, sectioncat, pagecat, cattax, .. } = *if has_cat { one } else { other };
    let Channel { venuetype, venuetypetax, .. } = *if one.venuetype.is_empty() { other } else { one };
    let content = either_content(&one.content, &other.content);
    Channel { cat, sectioncat, pagecat, cattax, venuetype, venuetypetax, content, ..one.or(other) }
}

fn either_content<'a>(one: &Content<'a>, other: &Content<'a>) -> Content<'a> {
    let Content { cat, cattax, .. } = *if one.cat.is_empty() { other } else { one };
    Content { cat, cattax, ..one.or(other) }
}

/// The device's location; without one, that of the user, which is the home (§3.2.20). The two are never mixed, because
/// they may be far apart, except that the home says the country if nothing else does. A precise location needs consent,
/// except for a DOOH screen, which is no person's device (§7.9.2.5).
pub(super) fn geo<'a>(request: &Request<'a>, precise: bool) -> Geo<'a> {
    let (device, home) = (request.device.geo, request.user.geo);
    let country = alpha_3(if device.country.is_empty() { home.country } else { device.country });
    let geo = if device.has_place() { device } else { Geo { utcoffset: device.utcoffset.or(home.utcoffset), ..home } };
    let precise = precise || device.has_place() && request.dooh.is_some();
    let geo = Geo { country, ..geo };
    if precise { geo } else { Geo { zip: "", point: None, ..geo } }
}

#[cfg(test)]
mod tests {
    use super::super::facts::Facts;
    use super::super::value;
    use super::*;
    use catalog::SspDraft;
    use consent::Verdict;
    use flat::{Flat as _, Source};
    use openrtb::read::{Reader, Wants};
    use reasons::kind::{DIMENSIONS, Dimension};

    /// The known values in a dimension of a request with these members.
    fn values(dimension: &Dimension, members: &str) -> Vec<String> {
        let arena = Bump::new();
        let request = format!(r#"{{"id":"r","imp":[{{"id":"1"}}],{members}}}"#);
        let request = Reader::default().read(request.as_bytes(), &Wants::everything(""), &arena).unwrap();
        let (ssp, verdict) = (SspDraft::view(Source::default(), 0), Verdict::Personal { precise_geo: true });
        let (facts, mut known) = (Facts::new(&request, ssp, 0, verdict, &arena), Vec::new());
        value::request::all(dimension.reason, &facts, |value| {
            known.extend(value.is_known(dimension.reason).then(|| format!("{value:?}")));
        });
        known
    }

    #[test]
    fn an_object_that_does_not_tell_an_attribute_hides_that_of_no_other_object() {
        let mut compared = 0;
        for dimension in DIMENSIONS {
            let paths = dimension.paths.iter().flat_map(|path| path.split('|'));
            for path in paths.filter_map(|path| path.strip_prefix("channel.")) {
                // What is inside these objects belongs together.
                let path = if path.starts_with("content.data") { "content.data" } else { path };
                let told =
                    |value: &str| path.rsplit('.').fold(value.to_owned(), |of, name| format!(r#"{{"{name}":{of}}}"#));
                let before = compared;
                for own in ["site", "app", "dooh"] {
                    let data = r#"[{"id":"a","segment":[{"id":"a"}],"cids":["a"]}]"#;
                    for channel in [r#""a""#, "1", r#"["a"]"#, data].map(told) {
                        let alone = values(dimension, &format!(r#""{own}":{channel}"#));
                        for other in
                            ["site", "app", "dooh"].into_iter().filter(|other| *other != own && !alone.is_empty())
                        {
                            let request = format!(r#""{own}":{channel},"{other}":{{"content":{{}}}}"#);
                            assert_eq!(values(dimension, &request), alone, "{request}");
                            compared += 1;
                        }
                    }
                }
                assert!(compared > before, "no request tells {path}");
            }
        }
        assert!(compared > 200, "{compared}");
    }
}
