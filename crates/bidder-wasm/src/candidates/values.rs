//! The values that a request has in each dimension of the index.
//!
//! Says the same as [`crate::rules`] says of one campaign, in terms of keys: a campaign fits when one
//! of these is included, or none asked for, and none is excluded.

use crate::catalog::index::{ANY_CATEGORY, ANY_SIZE, AUDIO, BANNER, Key, NATIVE, VIDEO};
use crate::digits::Digits;
use crate::flat::List;
use crate::no_bid::NoBidReason as R;
use crate::request::{AssetKind, Imp, Request, Size};
use crate::rules::facts::Facts;
use crate::rules::{banner, category, domain, dsa, pod, target};
use crate::work::Meter;

/// Where the values of a dimension go.
struct To<T> {
    reason: R,
    take: T,
}

impl<T: FnMut(Key<'_>)> To<T> {
    fn text(&mut self, text: &str) {
        self.pair(text.as_bytes(), b"");
    }

    fn number(&mut self, number: i64) {
        self.pair(Digits::of(number).as_bytes(), b"");
    }

    fn pair(&mut self, a: &[u8], b: &[u8]) {
        (self.take)(Key { reason: self.reason, a, b });
    }
}

/// Hands over the values of a dimension that does not depend on the impression, of long lists as many as `meter` has work
/// left for.
pub(super) fn of_request(reason: R, facts: &Facts<'_>, ssp: usize, meter: &Meter, take: impl FnMut(Key<'_>)) {
    let (device, channel, geo, person) = (&facts.request.device, &facts.channel, &facts.geo, &facts.request.user);
    let content = &channel.content;
    let mut to = To { reason, take };
    match reason {
        R::Ssp => to.number(i64::try_from(ssp).unwrap_or(-1)),
        R::Channel => {
            let told = [&facts.request.site, &facts.request.app, &facts.request.dooh];
            to.number(told.iter().zip([1, 2, 4]).filter(|(told, _)| told.is_some()).map(|(_, bit)| bit).sum());
        }
        R::Country => to.text(geo.country),
        R::Region => to.text(geo.region),
        R::Metro => to.text(geo.metro),
        R::City => to.text(geo.city),
        R::Zip => to.text(geo.zip),
        R::Devicetype => to.number(device.devicetype),
        R::Make => to.text(device.make),
        R::Model => to.text(facts.model),
        R::Os => to.text(facts.os),
        R::Browser => facts.browsers().for_each(|text| to.text(text)),
        R::Language => to.text(target::language(device.language, device.langb)),
        R::Connectiontype => to.number(device.connectiontype),
        R::Carrier => to.text(device.carrier),
        R::Domain => domain::and_parents(channel.domain).for_each(|text| to.text(text)),
        R::Bundle => to.text(channel.bundle),
        R::Publisher => to.text(channel.publisher_id),
        R::Id => to.text(channel.id),
        R::Cat => {
            let own = [channel.cat, channel.sectioncat, channel.pagecat].into_iter().flatten();
            let all = own.map(|cat| (cat, channel.cattax)).chain(content.cat.iter().map(|cat| (cat, content.cattax)));
            for (cat, cattax) in all.take_while(|_| !meter.is_empty()) {
                let cattax = Digits::of(cattax);
                let parent = category::parent(cat);
                to.pair(cat.as_bytes(), cattax.as_bytes());
                if parent.len() < cat.len() {
                    to.pair(parent.as_bytes(), cattax.as_bytes());
                }
            }
        }
        R::Genre => target::genres(content).for_each(|text| to.text(text)),
        R::Contentrating => to.text(content.contentrating),
        R::Livestream => content.livestream.map(i64::from).into_iter().for_each(|number| to.number(number)),
        R::ContentLanguage => to.text(target::language(content.language, content.langb)),
        R::Network => to.text(content.network),
        R::ContentChannel => to.text(content.channel),
        R::Keywords => target::keywords(facts).take_while(|_| !meter.is_empty()).for_each(|text| to.text(text)),
        R::Segment => {
            for data in person.data {
                let name = if data.name == data.id { "" } else { data.name };
                for a in [data.id, name].into_iter().filter(|provider| !provider.is_empty()) {
                    let segments = data.segment.iter().take_while(|_| !meter.is_empty());
                    segments.for_each(|b| to.pair(a.as_bytes(), b.as_bytes()));
                }
            }
        }
        R::Eids => {
            let usable = person.eids.iter().filter(|eid| eid.is_usable()).take_while(|_| !meter.is_empty());
            usable.for_each(|eid| to.text(eid.source));
        }
        R::Buyeruid => to.number(i64::from(!person.buyeruid.is_empty())),
        R::Badv => {
            let listed = facts.request.badv.iter().flat_map(|entry| domain::hosts(entry)).map(domain::strip_www);
            let listed = listed.filter(|listed| !listed.is_empty()).take_while(|_| !meter.is_empty());
            listed.for_each(|text| to.text(text));
        }
        R::Bapp => facts.request.bapp.iter().take_while(|_| !meter.is_empty()).for_each(|listed| to.text(listed)),
        R::Dsa => dsa::required(&facts.request.regs.dsa).into_iter().for_each(|pubrender| to.number(pubrender)),
        _ => {}
    }
}

/// Hands over the categories that a request blocks, and every category of another taxonomy than theirs: those cannot be
/// compared.
pub(super) fn of_bcat(request: &Request<'_>, taxonomies: List<'_, i64>, meter: &Meter, mut take: impl FnMut(Key<'_>)) {
    if request.bcat.is_empty() {
        return;
    }
    let reason = R::Bcat;
    for other in taxonomies.iter().filter(|taxonomy| *taxonomy != request.cattax) {
        take(Key { reason, a: Digits::of(other).as_bytes(), b: ANY_CATEGORY.as_bytes() });
    }
    let cattax = Digits::of(request.cattax);
    for a in request.bcat.iter().take_while(|_| !meter.is_empty()) {
        take(Key { reason, a: a.as_bytes(), b: cattax.as_bytes() });
    }
}

/// Hands over the values of a dimension that depends on the impression.
pub(super) fn of_imp(reason: R, imp: &Imp<'_>, meter: &Meter, take: impl FnMut(Key<'_>)) {
    let mut to = To { reason, take };
    match reason {
        R::Tagid => to.text(imp.tagid),
        R::Gpid => to.text(imp.gpid),
        R::Instl => to.number(i64::from(imp.instl)),
        R::Rwdd => to.number(i64::from(imp.rwdd)),
        R::Deal => imp.deals.iter().take_while(|_| !meter.is_empty()).for_each(|deal| to.text(deal.id.value)),
        R::MediaType => media(imp).for_each(|text| to.text(text)),
        _ => {}
    }
}

/// Hands over the keys of all that could be shown in an impression, as far as the type and the size tell, but
/// for ratios.
pub(super) fn of_size(imp: &Imp<'_>, meter: &Meter, mut take: impl FnMut(Key<'_>)) {
    media(imp).filter(|kind| *kind != BANNER).for_each(|kind| take(Key::of(R::MediaType, kind)));
    let Some(offer) = &imp.banner else { return };
    if !banner::makes_size_claim(offer) {
        take(Key::of(R::Size, ANY_SIZE));
        return;
    }
    for Size { w, h } in banner::sizes(offer).take_while(|_| !meter.is_empty()) {
        let (wide, high) = (Digits::of(w), Digits::of(h));
        let of_side = |side: i64, digits| if side > 0 { digits } else { ANY_SIZE.as_bytes() };
        take(Key { reason: R::Size, a: of_side(w, wide.as_bytes()), b: of_side(h, high.as_bytes()) });
    }
}

/// The texts without which a native impression takes nothing, by kind; none where something else will do.
pub(super) fn of_texts(imp: &Imp<'_>, meter: &Meter, take: impl FnMut(Key<'_>)) {
    if imp.banner.is_some() || imp.linear().next().is_some() {
        return;
    }
    let mut to = To { reason: R::Asset, take };
    let assets = imp.native.iter().flat_map(|offer| offer.assets).filter(|asset| asset.required);
    for asset in assets.take_while(|_| !meter.is_empty()) {
        if let AssetKind::Data { kind, .. } = asset.kind {
            to.number(kind);
        }
    }
}

/// Hands over what the creatives of a campaign can need and the impression takes; false where it does not matter. Whoever
/// has none of it has nothing to show; whoever has some may have nothing either.
pub(super) fn of_creatives(reason: R, request: &Request<'_>, imp: &Imp<'_>, take: impl FnMut(Key<'_>)) -> bool {
    let mut to = To { reason, take };
    let Imp { banner, video, audio, native, .. } = imp;
    let linear = || imp.linear();
    match reason {
        R::Pos | R::Plcmt | R::Startdelay | R::Playbackmethod | R::Podseq | R::Slotinpod | R::Topframe => {
            of_placement(reason, imp, to.take);
            true
        }
        R::Btype => {
            let btype = banner.as_ref().map_or(&[][..], |offer| offer.btype);
            for kind in btype {
                to.number(*kind);
            }
            !btype.is_empty() && linear().next().is_none() && native.is_none()
        }
        R::Mimes => {
            let lists = || banner.iter().map(|offer| offer.mimes).chain(linear().map(|offer| offer.mimes));
            lists().flatten().for_each(|mime| to.text(mime));
            lists().all(|list| !list.is_empty()) && native.is_none()
        }
        R::Delivery => {
            linear().flat_map(|offer| offer.delivery).for_each(|delivery| to.number(*delivery));
            linear().all(|offer| !offer.delivery.is_empty()) && banner.is_none() && native.is_none()
        }
        R::Protocols => {
            linear().flat_map(|offer| offer.protocols).for_each(|protocol| to.number(*protocol));
            linear().all(|offer| !offer.protocols.is_empty()) && banner.is_none() && native.is_none()
        }
        R::Linearity => {
            linear().for_each(|offer| to.number(offer.linearity));
            linear().all(|offer| offer.linearity != 0) && banner.is_none() && native.is_none()
        }
        R::Api | R::Battr => {
            let of_media = [
                banner.as_ref().map(|offer| (offer.api, offer.battr)),
                video.map(|offer| (offer.api, offer.battr)),
                audio.map(|offer| (offer.api, offer.battr)),
                native.as_ref().map(|offer| (offer.api, offer.battr)),
            ];
            let lists = || of_media.iter().flatten().map(|(api, battr)| if reason == R::Api { *api } else { *battr });
            // What one type of ad may not have, another may.
            let holds = |number: &&i64| reason == R::Api || lists().all(|list| list.contains(number));
            lists().flatten().filter(holds).for_each(|number| to.number(*number));
            true
        }
        R::Secure => imp.secure,
        R::Wlang => {
            let listed = || request.wlang.iter().chain(request.wlangb);
            listed().filter_map(|tag| tag.split(['-', '_']).next()).for_each(|language| to.text(language));
            listed().next().is_some()
        }
        _ => false,
    }
}

/// Hands over what the objects of an impression tell of where they are, all of them together.
fn of_placement(reason: R, imp: &Imp<'_>, take: impl FnMut(Key<'_>)) {
    let mut to = To { reason, take };
    match reason {
        R::Pos => positions(imp).for_each(|number| to.number(number)),
        R::Plcmt => imp.video.iter().for_each(|own| to.number(own.plcmt)),
        R::Startdelay => imp.linear().filter_map(|own| own.startdelay).for_each(|number| to.number(number)),
        R::Playbackmethod => {
            imp.video.iter().flat_map(|own| own.playbackmethod).for_each(|method| to.number(*method));
        }
        R::Podseq => imp.linear().for_each(|own| to.number(own.podseq)),
        R::Slotinpod => imp.linear().flat_map(pod::slots).for_each(|number| to.number(number)),
        R::Topframe => imp
            .banner
            .as_ref()
            .and_then(|own| own.topframe)
            .map(i64::from)
            .into_iter()
            .for_each(|number| to.number(number)),
        _ => {}
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
