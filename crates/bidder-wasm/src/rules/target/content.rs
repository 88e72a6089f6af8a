//! What the ad is shown in: site, app or screen, and the content there (§3.2.13 to §3.2.16).

use super::device::language;
use crate::catalog::Target;
use crate::no_bid::NoBidReason;
use crate::request::Content;
use crate::rules::facts::Facts;
use crate::rules::{Verdict, category, domain, require};

pub(super) fn check(facts: &Facts<'_>, target: &Target<'_>) -> Verdict {
    let channel = &facts.channel;
    let content = &channel.content;
    require(target.domain.allows(|listed| domain::is_within(channel.domain, listed)), NoBidReason::Domain)?;
    require(target.bundle.allows_text(channel.bundle), NoBidReason::Bundle)?;
    require(target.publisher.allows(|listed| listed == channel.publisher_id), NoBidReason::Publisher)?;
    require(target.id.allows(|listed| listed == channel.id), NoBidReason::Id)?;
    require(target.cat.allows(|listed| is_about(facts, listed, target.cattax)), NoBidReason::Cat)?;
    let is_of = |listed: &str| genres(content).any(|genre| genre.eq_ignore_ascii_case(listed));
    require(target.genre.allows(is_of), NoBidReason::Genre)?;
    require(target.contentrating.allows_text(content.contentrating), NoBidReason::Contentrating)?;
    require(target.livestream.is_none_or(|live| content.livestream == Some(live)), NoBidReason::Livestream)?;
    let spoken = language(content.language, content.langb);
    require(target.content_language.allows_text(spoken), NoBidReason::ContentLanguage)?;
    require(target.network.allows_text(content.network), NoBidReason::Network)?;
    require(target.content_channel.allows_text(content.channel), NoBidReason::ContentChannel)?;
    let is_told = |listed: &str| keywords(facts).any(|word| word.eq_ignore_ascii_case(listed));
    require(target.keywords.allows(is_told), NoBidReason::Keywords)
}

/// Every genre that the content tells.
pub(crate) fn genres<'a>(content: &Content<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    core::iter::once(content.genre).chain(content.genres.iter().copied())
}

/// Whether site, section, page or content is of this category or of one under it. Categories of
/// another taxonomy are unknown.
fn is_about(facts: &Facts<'_>, listed: &str, cattax: i64) -> bool {
    let channel = &facts.channel;
    let own = [channel.cat, channel.sectioncat, channel.pagecat];
    let own = own.into_iter().flatten().filter(|_| channel.cattax == cattax);
    let content = channel.content.cat.iter().filter(|_| channel.content.cattax == cattax);
    own.chain(content).any(|cat| category::is_within(cat, listed))
}

/// Every keyword that anyone tells: a text's parts between commas, and the entries of an array.
pub(crate) fn keywords<'a>(facts: &Facts<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let channel = &facts.channel;
    let texts = [channel.keywords, channel.content.keywords, facts.request.user.keywords];
    let arrays = [channel.kwarray, channel.content.kwarray, facts.request.user.kwarray];
    let parts = texts.into_iter().flat_map(|text| text.split(','));
    parts.chain(arrays.into_iter().flatten().copied()).map(str::trim)
}
