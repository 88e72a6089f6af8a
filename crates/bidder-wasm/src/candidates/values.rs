//! The values that a request has in each dimension of the index.
//!
//! Says the same as [`crate::rules`] says of one campaign, in terms of keys: a campaign fits when one
//! of these is included, or none asked for, and none is excluded.

use crate::catalog::index::{ANY_CATEGORY, ANY_SIZE, AUDIO, BANNER, Key, NATIVE, VIDEO};
use crate::digits::Digits;
use crate::flat::List;
use crate::no_bid::NoBidReason as R;
use crate::request::{Imp, Request, Size};
use crate::rules::facts::Facts;
use crate::rules::{banner, category, domain, pod, target};

/// Hands over the values of a dimension that does not depend on the impression.
pub(super) fn of_request(reason: R, facts: &Facts<'_>, ssp: usize, mut take: impl FnMut(Key<'_>)) {
    let (device, channel, geo, person) = (&facts.request.device, &facts.channel, &facts.geo, &facts.request.user);
    let content = &channel.content;
    let mut text = |text: &str| take(Key::of(reason, text));
    let mut number = |number: i64| text(Digits::of(number).as_str());
    match reason {
        R::Ssp => number(i64::try_from(ssp).unwrap_or(-1)),
        R::Channel => {
            let told = [&facts.request.site, &facts.request.app, &facts.request.dooh];
            number(told.iter().zip([1, 2, 4]).filter(|(told, _)| told.is_some()).map(|(_, bit)| bit).sum());
        }
        R::Country => text(geo.country),
        R::Region => text(geo.region),
        R::Metro => text(geo.metro),
        R::City => text(geo.city),
        R::Zip => text(geo.zip),
        R::Devicetype => number(device.devicetype),
        R::Make => text(device.make),
        R::Model => text(facts.model),
        R::Os => text(facts.os),
        R::Browser => facts.browsers().for_each(text),
        R::Language => text(target::language(device.language, device.langb)),
        R::Connectiontype => number(device.connectiontype),
        R::Carrier => text(device.carrier),
        R::Domain => domain::and_parents(channel.domain).for_each(text),
        R::Bundle => text(channel.bundle),
        R::Publisher => text(channel.publisher_id),
        R::Id => text(channel.id),
        R::Cat => {
            let own = [channel.cat, channel.sectioncat, channel.pagecat].into_iter().flatten();
            let all = own.map(|cat| (cat, channel.cattax)).chain(content.cat.iter().map(|cat| (cat, content.cattax)));
            for (cat, cattax) in all {
                let cattax = Digits::of(cattax);
                let parent = category::parent(cat);
                take(Key { reason, a: cat, b: cattax.as_str() });
                if parent.len() < cat.len() {
                    take(Key { reason, a: parent, b: cattax.as_str() });
                }
            }
        }
        R::Genre => text(content.genre),
        R::Contentrating => text(content.contentrating),
        R::Livestream => content.livestream.map(i64::from).into_iter().for_each(number),
        R::ContentLanguage => text(target::language(content.language, content.langb)),
        R::Network => text(content.network),
        R::ContentChannel => text(content.channel),
        R::Keywords => target::keywords(facts).for_each(text),
        R::Segment => {
            for data in person.data {
                let name = if data.name == data.id { "" } else { data.name };
                for a in [data.id, name].into_iter().filter(|provider| !provider.is_empty()) {
                    data.segment.iter().for_each(|b| take(Key { reason, a, b }));
                }
            }
        }
        R::Eids => person.eids.iter().for_each(|eid| text(eid.source)),
        R::Buyeruid => number(i64::from(!person.buyeruid.is_empty())),
        R::Badv => {
            let listed = facts.request.badv.iter().map(|listed| domain::strip_www(listed));
            listed.filter(|listed| !listed.is_empty()).for_each(text);
        }
        R::Bapp => facts.request.bapp.iter().for_each(|listed| text(listed)),
        _ => {}
    }
}

/// Hands over the categories that a request blocks, and every category of another taxonomy than theirs: those cannot be
/// compared.
pub(super) fn of_bcat(request: &Request<'_>, taxonomies: List<'_, i64>, mut take: impl FnMut(Key<'_>)) {
    if request.bcat.is_empty() {
        return;
    }
    let reason = R::Bcat;
    for other in taxonomies.iter().filter(|taxonomy| *taxonomy != request.cattax) {
        take(Key { reason, a: Digits::of(other).as_str(), b: ANY_CATEGORY });
    }
    let cattax = Digits::of(request.cattax);
    for a in request.bcat {
        take(Key { reason, a, b: cattax.as_str() });
    }
}

/// Hands over the values of a dimension that depends on the impression.
pub(super) fn of_imp(reason: R, imp: &Imp<'_>, mut take: impl FnMut(Key<'_>)) {
    let mut text = |text: &str| take(Key::of(reason, text));
    let mut number = |number: i64| text(Digits::of(number).as_str());
    match reason {
        R::Tagid => text(imp.tagid),
        R::Instl => number(i64::from(imp.instl)),
        R::Rwdd => number(i64::from(imp.rwdd)),
        R::Pos => positions(imp).for_each(number),
        R::Plcmt => imp.video.iter().for_each(|own| number(own.plcmt)),
        R::Startdelay => imp.linear().filter_map(|own| own.startdelay).for_each(number),
        R::Playbackmethod => {
            imp.video.iter().flat_map(|own| own.playbackmethod).for_each(|method| number(*method));
        }
        R::Podseq => imp.linear().for_each(|own| number(own.podseq)),
        R::Slotinpod => imp.linear().flat_map(pod::slots).for_each(number),
        R::Topframe => imp.banner.as_ref().and_then(|own| own.topframe).map(i64::from).into_iter().for_each(number),
        R::Deal => imp.deals_in_reach().iter().for_each(|deal| text(deal.id.value)),
        R::MediaType => media(imp).for_each(text),
        _ => {}
    }
}

/// Hands over the keys of all that could be shown in an impression, as far as the type and the size tell, but
/// for ratios.
pub(super) fn of_size(imp: &Imp<'_>, mut take: impl FnMut(Key<'_>)) {
    media(imp).filter(|kind| *kind != BANNER).for_each(|kind| take(Key::of(R::MediaType, kind)));
    let Some(offer) = &imp.banner else { return };
    if !banner::makes_size_claim(offer) {
        take(Key::of(R::Size, ANY_SIZE));
        return;
    }
    for Size { w, h } in offer.format.iter().map(|format| format.size).chain([offer.size]) {
        take(Key { reason: R::Size, a: Digits::of(w).as_str(), b: Digits::of(h).as_str() });
    }
}

fn positions(imp: &Imp<'_>) -> impl Iterator<Item = i64> {
    imp.banner.iter().map(|own| own.pos).chain(imp.video.iter().map(|own| own.pos))
}

fn media(imp: &Imp<'_>) -> impl Iterator<Item = &'static str> {
    let kinds = [
        imp.banner.is_some().then_some(BANNER),
        imp.video.is_some().then_some(VIDEO),
        imp.audio.is_some().then_some(AUDIO),
        imp.native.is_some().then_some(NATIVE),
    ];
    kinds.into_iter().flatten()
}
