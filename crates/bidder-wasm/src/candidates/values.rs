//! The values that a request has in each dimension of the index.
//!
//! Says the same as [`crate::rules`] says of one campaign, in terms of keys: a campaign fits when one
//! of these is included, or none asked for, and none is excluded.

use crate::catalog::index::{ANY_CATEGORY, ANY_SIZE, Key, number_key};
use crate::digits::Digits;
use crate::flat::List;
use crate::no_bid::NoBidReason as R;
use crate::request::{AssetKind, Banner, Imp, Request, Size};
use crate::rules::facts::Facts;
use crate::rules::{banner, category, domain, dsa, pod, target};
use crate::work::Meter;

/// What a request tells in a dimension.
pub(super) enum Told<'a> {
    /// Nothing.
    Nothing,
    /// One text, which may be empty.
    Text(&'a str),
    /// One number.
    Number(i64),
    /// Any number of values: [`each_of_request`] hands them over.
    Several,
}

/// What a request tells in a dimension that does not depend on the impression.
pub(super) fn of_request<'a>(reason: R, facts: &Facts<'a>, ssp: usize) -> Told<'a> {
    let (device, channel, geo, person) = (&facts.request.device, &facts.channel, &facts.geo, &facts.request.user);
    let content = &channel.content;
    let several = |is_told: bool| if is_told { Told::Several } else { Told::Nothing };
    match reason {
        R::Ssp => Told::Number(i64::try_from(ssp).unwrap_or(-1)),
        R::Channel => {
            let told = [&facts.request.site, &facts.request.app, &facts.request.dooh];
            Told::Number(told.iter().zip([1, 2, 4]).filter(|(told, _)| told.is_some()).map(|(_, bit)| bit).sum())
        }
        R::Country => Told::Text(geo.country),
        R::Region => Told::Text(geo.region),
        R::Metro => Told::Text(geo.metro),
        R::City => Told::Text(geo.city),
        R::Zip => Told::Text(geo.zip),
        R::Devicetype => Told::Number(device.devicetype),
        R::Make => Told::Text(device.make),
        R::Model => Told::Text(facts.model),
        R::Os => Told::Text(facts.os),
        R::Language => Told::Text(target::language(device.language, device.langb)),
        R::Connectiontype => Told::Number(device.connectiontype),
        R::Carrier => Told::Text(device.carrier),
        R::Bundle => Told::Text(channel.bundle),
        R::Publisher => Told::Text(channel.publisher_id),
        R::Id => Told::Text(channel.id),
        R::Contentrating => Told::Text(content.contentrating),
        R::Livestream => content.livestream.map_or(Told::Nothing, |live| Told::Number(live.into())),
        R::ContentLanguage => Told::Text(target::language(content.language, content.langb)),
        R::Network => Told::Text(content.network),
        R::ContentChannel => Told::Text(content.channel),
        R::Buyeruid => Told::Number(i64::from(!person.buyeruid.is_empty())),
        R::Dsa => dsa::required(&facts.request.regs.dsa).map_or(Told::Nothing, Told::Number),
        R::Genre if content.genres.is_empty() => Told::Text(content.genre),
        // No keywords are one empty keyword, as in `target::keywords`.
        R::Keywords if !tells_keywords(facts) => Told::Text(""),
        R::Browser | R::Genre | R::Keywords => Told::Several,
        R::Domain => several(!channel.domain.is_empty()),
        R::Cat => {
            several([channel.cat, channel.sectioncat, channel.pagecat, content.cat].iter().any(|own| !own.is_empty()))
        }
        R::Segment => several(!person.data.is_empty()),
        R::Eids => several(!person.eids.is_empty()),
        R::Badv => several(!facts.request.badv.is_empty()),
        R::Bcat => several(!facts.request.bcat.is_empty()),
        R::Bapp => several(!facts.request.bapp.is_empty()),
        _ => Told::Nothing,
    }
}

fn tells_keywords(facts: &Facts<'_>) -> bool {
    let (channel, content, person) = (&facts.channel, &facts.channel.content, &facts.request.user);
    let texts = [channel.keywords, content.keywords, person.keywords];
    let arrays = [channel.kwarray, content.kwarray, person.kwarray];
    texts.iter().any(|text| !text.is_empty()) || arrays.iter().any(|array| !array.is_empty())
}

/// Where the values of a dimension go.
struct To<'t> {
    reason: R,
    take: &'t mut dyn FnMut(Key<'_>),
}

impl To<'_> {
    fn text(&mut self, text: &str) {
        self.pair(text.as_bytes(), b"");
    }

    fn number(&mut self, number: i64) {
        self.pair(&number_key(number), b"");
    }

    fn pair(&mut self, a: &[u8], b: &[u8]) {
        (self.take)(Key { reason: self.reason, a, b });
    }
}

/// Hands over all values of a dimension that can have several. Stops when `meter` is empty.
#[inline(never)]
pub(super) fn each_of_request(
    reason: R,
    facts: &Facts<'_>,
    taxonomies: List<'_, i64>,
    meter: &Meter,
    take: &mut dyn FnMut(Key<'_>),
) {
    let (channel, person) = (&facts.channel, &facts.request.user);
    let content = &channel.content;
    let mut to = To { reason, take };
    match reason {
        R::Browser => facts.browsers().for_each(|text| to.text(text)),
        R::Domain => domain::and_parents(channel.domain).for_each(|text| to.text(text)),
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
        R::Badv => {
            let listed = facts.request.badv.iter().flat_map(|entry| domain::hosts(entry)).map(domain::strip_www);
            let listed = listed.filter(|listed| !listed.is_empty()).take_while(|_| !meter.is_empty());
            listed.for_each(|text| to.text(text));
        }
        R::Bapp => facts.request.bapp.iter().take_while(|_| !meter.is_empty()).for_each(|listed| to.text(listed)),
        R::Bcat => of_bcat(facts.request, taxonomies, meter, &mut to),
        _ => {}
    }
}

/// Hands over the categories that a request blocks, and every category of another taxonomy than theirs: those cannot be
/// compared.
fn of_bcat(request: &Request<'_>, taxonomies: List<'_, i64>, meter: &Meter, to: &mut To<'_>) {
    for other in taxonomies.iter().filter(|taxonomy| *taxonomy != request.cattax) {
        to.pair(Digits::of(other).as_bytes(), ANY_CATEGORY);
    }
    let cattax = Digits::of(request.cattax);
    for a in request.bcat.iter().take_while(|_| !meter.is_empty()) {
        to.pair(a.as_bytes(), cattax.as_bytes());
    }
}

/// What an impression tells in a dimension.
pub(super) fn of_imp<'a>(reason: R, imp: &Imp<'a>) -> Told<'a> {
    match reason {
        R::Tagid => Told::Text(imp.tagid),
        R::Gpid => Told::Text(imp.gpid),
        R::Instl => Told::Number(imp.instl.into()),
        R::Rwdd => Told::Number(imp.rwdd.into()),
        _ => Told::Nothing,
    }
}

/// Hands over the keys of the sizes that an impression has on offer.
pub(super) fn of_size(offer: &Banner<'_>, meter: &Meter, mut take: impl FnMut(Key<'_>)) {
    for Size { w, h } in banner::sizes(offer).take_while(|_| !meter.is_empty()) {
        let (wide, high) = (number_key(w), number_key(h));
        let (a, b) = (if w > 0 { &wide } else { ANY_SIZE }, if h > 0 { &high } else { ANY_SIZE });
        take(Key { reason: R::Size, a, b });
    }
}

/// The texts without which a native impression takes nothing, by kind; none where something else will do.
pub(super) fn of_texts(imp: &Imp<'_>, meter: &Meter, take: &mut dyn FnMut(Key<'_>)) {
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
#[inline(never)]
pub(super) fn of_creatives(reason: R, request: &Request<'_>, imp: &Imp<'_>, take: &mut dyn FnMut(Key<'_>)) -> bool {
    let mut to = To { reason, take };
    let Imp { banner, video, audio, native, .. } = imp;
    let linear = || imp.linear();
    match reason {
        R::Pos | R::Plcmt | R::Startdelay | R::Playbackmethod | R::Podseq | R::Slotinpod | R::Topframe => {
            of_placement(reason, imp, &mut to);
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
fn of_placement(reason: R, imp: &Imp<'_>, to: &mut To<'_>) {
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
