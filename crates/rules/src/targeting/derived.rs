//! Values that come from several attributes of a request. `None` if the request has none of these attributes.

use super::facts::{Below, Facts};
use base::category::{self, OPEN_OOH};
use base::ip;
use openrtb::request::{Channel, Content, Data, Eid, Request};
use reasons::kind::{APP, DOOH, KNOWN_ADDRESS, SITE};

/// The sum of the bits of the channels that a request has.
pub fn channels(request: &Request<'_>) -> i64 {
    let sent = [(&request.site, SITE), (&request.app, APP), (&request.dooh, DOOH)];
    sent.iter().filter(|(sent, _)| sent.is_some()).map(|(_, bit)| bit).sum()
}

/// Whether the request has an address.
pub fn has_address(facts: &Facts<'_>) -> bool {
    !facts.request.device.ip.is_empty() || !facts.request.device.ipv6.is_empty()
}

/// Passes on the ids of the lists of ranges that have the device's address, and [`KNOWN_ADDRESS`]. An address that is cut
/// short for privacy is not known.
pub fn each_list_with_address(facts: &Facts<'_>, mut take: impl FnMut(&str)) {
    let Some(addresses) = facts.addresses else { return };
    for text in [facts.request.device.ip, facts.request.device.ipv6] {
        if let Some(address) = ip::whole(text) {
            take(KNOWN_ADDRESS);
            addresses.lists_with(address).iter().for_each(&mut take);
        }
    }
}

/// The language without its region: `en` of `en-US`. `langb` counts if there is no `language`.
pub fn language<'a>(language: &'a str, langb: &'a str) -> &'a str {
    let tag = if language.is_empty() { langb } else { language };
    tag.split(['-', '_']).next().unwrap_or_default()
}

/// The categories of site, section, page and content, each with its taxonomy, and those above it that campaigns target.
pub fn categories<'a>(facts: &Facts<'a>) -> Option<impl Iterator<Item = (&'a str, i64)> + use<'a>> {
    let Channel { cat, sectioncat, pagecat, cattax, content, .. } = facts.channel;
    let own = [cat, sectioncat, pagecat];
    let is_known = own.iter().chain([&content.cat]).any(|list| !list.is_empty());
    let own = own.into_iter().flatten().map(move |cat| (*cat, cattax));
    let all = own.chain(content.cat.iter().map(move |cat| (*cat, content.cattax)));
    let below = facts.below;
    is_known.then(|| all.flat_map(move |(cat, cattax)| and_above(cat, cattax, below).map(move |cat| (cat, cattax))))
}

/// A category and those above it that campaigns target.
fn and_above<'a>(cat: &'a str, cattax: i64, below: Option<Below<'a>>) -> impl Iterator<Item = &'a str> {
    let parent = Some(category::parent(cat)).filter(|parent| parent.len() < cat.len());
    let targeted = below.filter(|below| !below.is_empty()).map(|below| {
        let key = category::key(cat, cattax);
        let (mut from, mut to) = (0, below.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            let is_before = below.get(middle).is_some_and(|(own, _)| own < key);
            (from, to) = if is_before { (middle + 1, to) } else { (from, middle) };
        }
        let from = (from..).map_while(move |place| below.get(place)).take_while(move |(own, _)| *own == key);
        from.map(|(_, above)| above)
    });
    core::iter::once(cat).chain(parent).chain(targeted.into_iter().flatten())
}

/// The types of a screen's venue, each with its taxonomy, and in OpenOOH those above it.
pub fn venues<'a>(channel: &Channel<'a>) -> Option<impl Iterator<Item = (&'a str, i64)> + use<'a>> {
    let Channel { venuetype, venuetypetax, .. } = *channel;
    let taxonomy = category::venue_taxonomy(venuetypetax);
    let and_above = move |own: &&'a str| {
        core::iter::successors(Some(*own), move |below| category::venue_above(below).filter(|_| taxonomy == OPEN_OOH))
    };
    (!venuetype.is_empty()).then(|| venuetype.iter().flat_map(and_above).map(move |own| (own, taxonomy)))
}

/// `genre` and `genres` of the content.
pub fn genres<'a>(content: &Content<'a>) -> Option<impl Iterator<Item = &'a str> + use<'a>> {
    let is_known = !content.genre.is_empty() || !content.genres.is_empty();
    is_known.then(|| core::iter::once(content.genre).chain(content.genres.iter().copied()))
}

/// The taxonomy of `genres`: Content Taxonomy 3.1 if the content names none (§3.2.16).
pub fn gtax(content: &Content<'_>) -> Option<i64> {
    const CONTENT_3_1: i64 = 9;
    content.gtax.or((!content.genres.is_empty()).then_some(CONTENT_3_1))
}

/// The keywords of site or app, content and user, from `keywords` (separated by commas) and `kwarray`.
pub fn keywords<'a>(facts: &Facts<'a>) -> Option<impl Iterator<Item = &'a str> + use<'a>> {
    let (channel, user) = (&facts.channel, &facts.request.user);
    let texts = [channel.keywords, channel.content.keywords, user.keywords];
    let arrays = [channel.kwarray, channel.content.kwarray, user.kwarray];
    let is_known = texts.iter().any(|text| !text.is_empty()) || arrays.iter().any(|array| !array.is_empty());
    let parts = texts.into_iter().flat_map(|text| text.split(','));
    is_known.then(|| parts.chain(arrays.into_iter().flatten().copied()).map(str::trim))
}

/// Provider and id of each segment. A provider is listed by its id and by its name, both alone and with the taxonomy, and
/// the taxonomy alone.
pub fn segments<'a>(data: &'a [Data<'a>]) -> Option<impl Iterator<Item = (&'a str, &'a str)>> {
    let of = |data: &'a Data<'a>| {
        let all = providers(data).chain(data.in_taxonomy.iter().copied());
        all.flat_map(|provider| data.segment.iter().map(move |id| (provider, *id)))
    };
    (!data.is_empty()).then(|| data.iter().flat_map(of))
}

/// Provider and id of each id of the content.
pub fn cids<'a>(data: &'a [Data<'a>]) -> Option<impl Iterator<Item = (&'a str, &'a str)>> {
    let of = |data: &'a Data<'a>| providers(data).flat_map(|provider| data.cids.iter().map(move |id| (provider, *id)));
    (!data.is_empty()).then(|| data.iter().flat_map(of))
}

/// The id and the name of a provider.
fn providers<'a>(data: &'a Data<'a>) -> impl Iterator<Item = &'a str> {
    let name = if data.name == data.id { "" } else { data.name };
    [data.id, name].into_iter().filter(|provider| !provider.is_empty())
}

/// The sources of the extended ids that can be used.
pub fn sources<'a>(eids: &'a [Eid<'a>]) -> Option<impl Iterator<Item = &'a str>> {
    (!eids.is_empty()).then(|| eids.iter().filter(|eid| eid.is_usable()).map(|eid| eid.source))
}

/// Who put the extended ids that can be used into the request.
pub fn inserters<'a>(eids: &'a [Eid<'a>]) -> Option<impl Iterator<Item = &'a str>> {
    (!eids.is_empty()).then(|| eids.iter().filter(|eid| eid.is_usable()).map(|eid| eid.inserter))
}

/// Who matched the extended ids that can be used: the source if nobody is named (§3.2.27).
pub fn matchers<'a>(eids: &'a [Eid<'a>]) -> Option<impl Iterator<Item = &'a str>> {
    let matcher = |eid: &'a Eid<'a>| if eid.matcher.is_empty() { eid.source } else { eid.matcher };
    (!eids.is_empty()).then(|| eids.iter().filter(|eid| eid.is_usable()).map(matcher))
}
