//! Values that come from several attributes of a request. `None` if the request has none of these attributes.

use super::facts::Facts;
use crate::kind::{APP, DOOH, SITE};
use crate::request::{Channel, Content, Data, Eid, Request};

/// The sum of the bits of the channels that a request has.
pub(crate) fn channels(request: &Request<'_>) -> i64 {
    let sent = [(&request.site, SITE), (&request.app, APP), (&request.dooh, DOOH)];
    sent.iter().filter(|(sent, _)| sent.is_some()).map(|(_, bit)| bit).sum()
}

/// The language without its region: `en` of `en-US`. `langb` counts if there is no `language`.
pub(crate) fn language<'a>(language: &'a str, langb: &'a str) -> &'a str {
    let tag = if language.is_empty() { langb } else { language };
    tag.split(['-', '_']).next().unwrap_or_default()
}

/// The categories of site, section, page and content, each with its taxonomy.
pub(crate) fn categories<'a>(channel: &Channel<'a>) -> Option<impl Iterator<Item = (&'a str, i64)> + use<'a>> {
    let Channel { cattax, content, .. } = *channel;
    let own = [channel.cat, channel.sectioncat, channel.pagecat];
    let is_known = own.iter().chain([&content.cat]).any(|list| !list.is_empty());
    let own = own.into_iter().flatten().map(move |cat| (*cat, cattax));
    is_known.then(|| own.chain(content.cat.iter().map(move |cat| (*cat, content.cattax))))
}

/// `genre` and `genres` of the content.
pub(crate) fn genres<'a>(content: &Content<'a>) -> Option<impl Iterator<Item = &'a str> + use<'a>> {
    let is_known = !content.genre.is_empty() || !content.genres.is_empty();
    is_known.then(|| core::iter::once(content.genre).chain(content.genres.iter().copied()))
}

/// The keywords of site or app, content and user, from `keywords` (separated by commas) and `kwarray`.
pub(crate) fn keywords<'a>(facts: &Facts<'a>) -> Option<impl Iterator<Item = &'a str> + use<'a>> {
    let (channel, user) = (&facts.channel, &facts.request.user);
    let texts = [channel.keywords, channel.content.keywords, user.keywords];
    let arrays = [channel.kwarray, channel.content.kwarray, user.kwarray];
    let is_known = texts.iter().any(|text| !text.is_empty()) || arrays.iter().any(|array| !array.is_empty());
    let parts = texts.into_iter().flat_map(|text| text.split(','));
    is_known.then(|| parts.chain(arrays.into_iter().flatten().copied()).map(str::trim))
}

/// Provider and id of each segment. A provider is listed by its id and by its name.
pub(crate) fn segments<'a>(data: &'a [Data<'a>]) -> Option<impl Iterator<Item = (&'a str, &'a str)>> {
    let of = |data: &'a Data<'a>| {
        let name = if data.name == data.id { "" } else { data.name };
        let providers = [data.id, name].into_iter().filter(|provider| !provider.is_empty());
        providers.flat_map(|provider| data.segment.iter().map(move |id| (provider, *id)))
    };
    (!data.is_empty()).then(|| data.iter().flat_map(of))
}

/// The sources of the extended ids that can be used.
pub(crate) fn sources<'a>(eids: &'a [Eid<'a>]) -> Option<impl Iterator<Item = &'a str>> {
    (!eids.is_empty()).then(|| eids.iter().filter(|eid| eid.is_usable()).map(|eid| eid.source))
}
