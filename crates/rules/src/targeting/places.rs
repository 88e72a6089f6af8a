//! The channel and the location of a request, which may be told in several places: what one place does not tell, the next
//! one does. So an empty object hides nothing.

use bumpalo::Bump;
use bumpalo::collections::String as BumpString;

use base::country::alpha_3;
use base::domain::{self, MAX_DOMAIN_BYTES};
use openrtb::request::{Channel, Content, Geo, Request};

/// A value that may tell nothing.
trait Told {
    fn is_told(&self) -> bool;
}

impl Told for &str {
    fn is_told(&self) -> bool {
        !self.is_empty()
    }
}

impl<T> Told for &[T] {
    fn is_told(&self) -> bool {
        !self.is_empty()
    }
}

impl<T> Told for Option<T> {
    fn is_told(&self) -> bool {
        self.is_some()
    }
}

/// The first value with these attributes of the second one where the first one does not tell them.
macro_rules! first_told {
    ($first:ident or $second:ident: $type:ident { $($attribute:ident)* }) => {
        $type { $($attribute: if $first.$attribute.is_told() { $first.$attribute } else { $second.$attribute },)* ..$first }
    };
}

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
    let has_cat = [one.cat, one.sectioncat, one.pagecat].iter().any(Told::is_told);
    let Channel { cat, sectioncat, pagecat, cattax, .. } = *if has_cat { one } else { other };
    let content = either_content(&one.content, &other.content);
    let Channel { venuetype, venuetypetax, .. } = *if one.venuetype.is_told() { one } else { other };
    let one = Channel { cat, sectioncat, pagecat, cattax, venuetype, venuetypetax, content, ..*one };
    first_told!(one or other: Channel {
        id domain page bundle paid publisher_id publisher_domain inventorypartnerdomain keywords kwarray
    })
}

fn either_content<'a>(one: &Content<'a>, other: &Content<'a>) -> Content<'a> {
    let Content { cat, cattax, .. } = *if one.cat.is_told() { one } else { other };
    let one = Content { cat, cattax, ..*one };
    first_told!(one or other: Content {
        genre genres contentrating livestream realtime firstbroadcast language langb network channel keywords kwarray
        id title series season episode artist album isrc gtax
    })
}

/// The device's location; without one, that of the user, which is the home (§3.2.20). The two are never mixed, because
/// they may be far apart, except that the home says the country if nothing else does. A precise location needs consent,
/// except for a DOOH screen, which is no person's device (§7.9.2.5).
pub(super) fn geo<'a>(request: &Request<'a>, precise: bool) -> Geo<'a> {
    let (device, home) = (request.device.geo, request.user.geo);
    let country = alpha_3(if device.country.is_told() { device.country } else { home.country });
    let geo = if device.has_place() { device } else { Geo { utcoffset: device.utcoffset.or(home.utcoffset), ..home } };
    let precise = precise || device.has_place() && request.dooh.is_some();
    let geo = Geo { country, ..geo };
    if precise { geo } else { Geo { zip: "", point: None, ..geo } }
}
