//! Values of a request and a catalog in words, as people read them in an explanation.

use core::fmt::{Display, Write as _};

use super::values::Place;
use bidder_wasm::catalog::{Among, Campaign, Creative, Linear, Media, Shape};
use bidder_wasm::flat::Flat;
use bidder_wasm::request::{self, Banner, Imp, Size};
use bidder_wasm::rules::imp::is_offered;
use bidder_wasm::targeting::{Facts, Spot};
use bidder_wasm::{category, domain};

/// Most items that a list tells: a campaign may have hundreds of creatives, a request thousands of blocked domains.
const MOST_LISTED: usize = 8;

pub(super) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut items = items.into_iter();
    let text = join(items.by_ref().take(MOST_LISTED), ", ");
    match (text.is_empty(), items.count()) {
        (true, _) => "none".into(),
        (false, 0) => text,
        (false, more) => format!("{text} and {more} more"),
    }
}

/// A list with each text once.
pub(super) fn few(texts: impl IntoIterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !text.is_empty() && !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    list(distinct)
}

pub(super) fn join<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let mut text = String::new();
    for item in items {
        if !text.is_empty() {
            text.push_str(between);
        }
        let _ = write!(text, "{item}");
    }
    text
}

pub(super) fn among<'s, T: Flat>(rule: &Among<'s, T>) -> String
where
    T::View<'s>: Display,
{
    sides(rule.include.iter(), rule.exclude.iter())
}

pub(super) fn sides<T: Display>(include: impl Iterator<Item = T>, exclude: impl Iterator<Item = T>) -> String {
    let (include, exclude) = (join(include, ", "), join(exclude, ", "));
    match (include.is_empty(), exclude.is_empty()) {
        (true, _) => format!("not {exclude}"),
        (false, true) => include,
        (false, false) => format!("{include}, not {exclude}"),
    }
}

pub(super) fn range(from: &str, to: &str) -> String {
    format!("{from} to {to}")
}

pub(super) fn known(text: &str) -> String {
    if text.is_empty() { "unknown".into() } else { text.to_owned() }
}

pub(super) fn number(value: i64) -> String {
    if value == 0 { "unknown".into() } else { value.to_string() }
}

pub(super) fn maybe_number(value: Option<i64>) -> String {
    value.map_or("unknown".into(), |value| value.to_string())
}

pub(super) fn maybe(value: Option<bool>) -> String {
    value.map_or("unknown", |value| if value { "yes" } else { "no" }).into()
}

pub(super) fn first<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.is_empty() { b } else { a }
}

pub(super) fn seats(wseat: &[&str], bseat: &[&str]) -> String {
    let only = (!wseat.is_empty()).then(|| format!("only {} (wseat)", list(wseat)));
    let not = (!bseat.is_empty()).then(|| format!("not {} (bseat)", list(bseat)));
    join(only.into_iter().chain(not), ", ")
}

/// The entries of `badv` that the campaign's domains are under.
pub(super) fn blocked_domains(badv: &[&str], campaign: &Campaign<'_>) -> String {
    let blocks = |listed: &&&str| campaign.adomain().iter().any(|own| domain::is_within(own, listed));
    format!("badv {}", list(badv.iter().filter(blocks)))
}

/// The entries of `bcat` that the campaign's categories are under; all of them where they cannot be compared.
pub(super) fn blocked_categories(request: &request::Request<'_>, campaign: &Campaign<'_>) -> String {
    let compares = request.cattax == campaign.cattax();
    let blocks = |listed: &&&str| !compares || campaign.cat().iter().any(|own| category::is_within(own, listed));
    format!("bcat {} (cattax {})", list(request.bcat.iter().filter(blocks)), request.cattax)
}

pub(super) fn point(facts: &Facts<'_>) -> String {
    facts.geo.point.map_or("unknown".into(), |point| format!("{}, {} µ°", point.lat, point.lon))
}

pub(super) fn segments(facts: &Facts<'_>) -> String {
    list(
        facts
            .request
            .user
            .data
            .iter()
            .flat_map(|data| data.segment.iter().map(|id| format!("{}/{id}", first(data.id, data.name)))),
    )
}

pub(super) fn eids(facts: &Facts<'_>, text: impl Fn(&request::Eid<'_>) -> String) -> String {
    let one = |eid: &request::Eid<'_>| {
        let text = text(eid);
        if eid.is_usable() { text } else { format!("{text} (without an id)") }
    };
    list(facts.request.user.eids.iter().map(one))
}

pub(super) fn nodes<'a>(request: &request::Request<'a>) -> &'a [request::Node<'a>] {
    request.schain.map(|chain| chain.nodes).unwrap_or_default()
}

pub(super) fn cats(campaign: &Campaign<'_>) -> String {
    format!("{} (cattax {})", list(campaign.cat().iter()), campaign.cattax())
}

/// Why what the campaign tells under the Digital Services Act is not enough.
pub(super) fn dsa_of(campaign: &Campaign<'_>) -> String {
    match campaign.dsa().map(|dsa| dsa.adrender()) {
        None => "no dsa required: the campaign has none (campaigns[].dsa)".into(),
        Some(adrender) => format!("a pubrender that goes with the campaign's adrender {}", i64::from(adrender)),
    }
}

pub(super) fn dsa_asked(asked: &request::Dsa) -> String {
    let required = if asked.dsarequired == 3 { "required by a platform" } else { "required" };
    format!("dsarequired {} ({required}), pubrender {}", asked.dsarequired, maybe_number(asked.pubrender))
}

pub(super) fn deals(campaign: &Campaign<'_>) -> String {
    match (campaign.deals().is_empty(), campaign.open()) {
        (true, _) => "the open auction".into(),
        (false, true) => format!("{}, or the open auction", list(campaign.deals().iter())),
        (false, false) => list(campaign.deals().iter()),
    }
}

pub(super) fn offered(imp: &Imp<'_>) -> String {
    let ids = list(imp.deals.iter().map(|deal| deal.id.value));
    if imp.private_auction { format!("{ids}, private auction") } else { ids }
}

pub(super) fn media_offered(imp: &Imp<'_>) -> String {
    let kinds = [
        ("banner", imp.banner.is_some()),
        ("video", imp.video.is_some()),
        ("audio", imp.audio.is_some()),
        ("native", imp.native.is_some()),
    ];
    list(kinds.iter().filter(|(_, offered)| *offered).map(|(name, _)| name))
}

pub(super) fn media_name(media: &Media<'_>) -> &'static str {
    match media {
        Media::Banner(_) => "banner",
        Media::Video(_) => "video",
        Media::Audio(_) => "audio",
        Media::Native(_) => "native",
    }
}

pub(super) fn sizes(offer: Option<&Banner<'_>>) -> String {
    let Some(offer) = offer else { return String::new() };
    let formats = offer.format.iter().map(|format| {
        if format.wratio > 0 { format!("{}:{}", format.wratio, format.hratio) } else { size(format.size) }
    });
    let own = offer.size.w > 0 || offer.size.h > 0;
    list(formats.chain(own.then(|| size(offer.size))))
}

pub(super) fn size(size: Size) -> String {
    let told = |length: i64| if length > 0 { length.to_string() } else { "any".into() };
    format!("{}x{}", told(size.w), told(size.h))
}

pub(super) fn shape(media: &Media<'_>) -> String {
    match media {
        Media::Banner(ad) => match ad.shape() {
            Shape::Fixed { w, h } => size(Size { w, h }),
            Shape::Ratio { wratio, hratio, .. } => format!("{wratio}:{hratio}"),
        },
        Media::Video(_) | Media::Audio(_) | Media::Native(_) => String::new(),
    }
}

pub(super) fn btype(creative: &Creative<'_>) -> Vec<i64> {
    if let Media::Banner(ad) = &creative.media() { vec![ad.btype()] } else { Vec::new() }
}

pub(super) fn mimes(creative: &Creative<'_>) -> String {
    match &creative.media() {
        Media::Banner(ad) => ad.mime().into(),
        Media::Video(ad) | Media::Audio(ad) => list(ad.vast().files().iter().map(|file| file.mime())),
        Media::Native(_) => String::new(),
    }
}

pub(super) fn of_linear(creative: &Creative<'_>, text: impl Fn(&Linear<'_>) -> String) -> String {
    if let Media::Video(ad) | Media::Audio(ad) = &creative.media() { text(ad) } else { String::new() }
}

pub(super) fn files(creative: &Creative<'_>, value: impl Fn(bidder_wasm::catalog::MediaFile<'_>) -> i64) -> String {
    of_linear(creative, |ad| list(ad.vast().files().iter().map(&value)))
}

/// What the objects that the campaign's creatives would fill tell of themselves, each once: `banner 1, video 3`.
pub(super) fn spots(place: &Place<'_, '_>, told: &dyn Fn(&Spot<'_>) -> String) -> String {
    let imp = place.imp.copied().unwrap_or_default();
    let mut all: Vec<String> = Vec::new();
    for creative in place.catalog.parts().creatives_of(place.campaign) {
        let media = creative.media();
        let text = format!("{} {}", media_name(&media), told(&Spot::of(&imp, &media)));
        if is_offered(&imp, &media) && !all.contains(&text) {
            all.push(text);
        }
    }
    list(all)
}

pub(super) fn companion_slots(offer: &request::Linear<'_>) -> String {
    let slots = list(offer.companionad.iter().map(|slot| sizes(Some(slot))));
    if offer.companiontype.is_empty() { slots } else { format!("{slots}, type {}", list(offer.companiontype)) }
}

pub(super) fn companions(ad: &Linear<'_>) -> String {
    list(ad.vast().companions().ads().iter().map(|ad| format!("{}x{} type {}", ad.w(), ad.h(), ad.kind())))
}

pub(super) fn durations(offer: &request::Linear<'_>) -> String {
    if offer.rqddurs.is_empty() {
        range(&offer.minduration.to_string(), &number(offer.maxduration))
    } else {
        list(offer.rqddurs)
    }
}

pub(super) fn api<'a>(imp: &Imp<'a>) -> Vec<&'a i64> {
    let all =
        [imp.banner.map(|b| b.api), imp.video.map(|v| v.api), imp.audio.map(|a| a.api), imp.native.map(|n| n.api)];
    all.into_iter().flatten().flatten().collect()
}

pub(super) fn battr<'a>(imp: &Imp<'a>) -> Vec<&'a i64> {
    let all = [
        imp.banner.map(|b| b.battr),
        imp.video.map(|v| v.battr),
        imp.audio.map(|a| a.battr),
        imp.native.map(|n| n.battr),
    ];
    all.into_iter().flatten().flatten().collect()
}

pub(super) fn creatives(place: &Place<'_, '_>, text: &dyn Fn(&Creative<'_>) -> String) -> String {
    few(place.catalog.parts().creatives_of(place.campaign).map(|creative| text(&creative)))
}

/// The numbers of the campaign's creatives that the request blocks.
pub(super) fn blocked(place: &Place<'_, '_>, blocks: &[&i64], own: &dyn Fn(&Creative<'_>) -> Vec<i64>) -> String {
    let all = place.catalog.parts().creatives_of(place.campaign).flat_map(|creative| own(&creative));
    few(all.filter(|number| blocks.contains(&number)).map(|number| format!("{number} blocked")))
}
