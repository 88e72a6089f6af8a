//! The ad objects of an impression: banner, video, audio, native.

use super::imp::size;
use super::{Reader, floor, is_set, known};
use crate::openrtb;
use crate::openrtb::native as inner;
use bidder_wasm::request::{
    Asset, AssetKind, Banner, EventTracker, Format, Linear, Native, NativeVersion, Size, dedupe,
};

impl<'a> Reader<'a> {
    pub(super) fn banner(self, from: &openrtb::Banner) -> Banner<'a> {
        Banner {
            format: self.list(from.format.iter().map(format)),
            size: size(from.w, from.h),
            btype: self.integers(&from.btype),
            battr: self.integers(&from.battr),
            mimes: self.texts(&from.mimes),
            api: self.integers(&from.api),
            pos: from.pos,
            expdir: self.integers(&from.expdir),
            topframe: known(from.topframe),
        }
    }

    pub(super) fn video(self, from: &openrtb::Video) -> Linear<'a> {
        Linear {
            mimes: self.texts(&from.mimes),
            minduration: from.minduration.unwrap_or_default(),
            maxduration: from.maxduration.unwrap_or_default(),
            rqddurs: self.integers(&from.rqddurs),
            protocols: self.protocols(from),
            size: size(from.w, from.h),
            linearity: from.linearity.unwrap_or_default(),
            battr: self.integers(&from.battr),
            api: self.integers(&from.api),
            startdelay: from.startdelay,
            plcmt: from.plcmt,
            pos: from.pos,
            skip: known(from.skip),
            skipmin: from.skipmin.unwrap_or_default(),
            maxextended: from.maxextended.unwrap_or_default(),
            minbitrate: from.minbitrate.unwrap_or_default(),
            maxbitrate: from.maxbitrate.unwrap_or_default(),
            delivery: self.integers(&from.delivery),
            playbackmethod: self.integers(&from.playbackmethod),
            boxingallowed: known(from.boxingallowed),
            companionad: self.list(from.companionad.iter().map(|slot| self.banner(slot))),
            companiontype: self.integers(&from.companiontype),
            podid: self.text(from.podid.as_ref()),
            podseq: from.podseq.unwrap_or_default(),
            slotinpod: from.slotinpod.unwrap_or_default(),
            maxseq: from.maxseq.unwrap_or_default(),
            poddur: from.poddur.unwrap_or_default(),
            mincpmpersec: floor(from.mincpmpersec.as_ref()),
            durfloors: self.dur_floors(&from.durfloors),
            poddedupe: dedupe(&from.poddedupe),
        }
    }

    fn protocols(self, from: &openrtb::Video) -> &'a [i64] {
        if from.protocols.is_empty() { self.list(from.protocol.into_iter()) } else { self.integers(&from.protocols) }
    }

    pub(super) fn audio(self, from: &openrtb::Audio) -> Linear<'a> {
        Linear {
            mimes: self.texts(&from.mimes),
            minduration: from.minduration.unwrap_or_default(),
            maxduration: from.maxduration.unwrap_or_default(),
            rqddurs: self.integers(&from.rqddurs),
            protocols: self.integers(&from.protocols),
            size: Size::default(),
            linearity: 0,
            battr: self.integers(&from.battr),
            api: self.integers(&from.api),
            startdelay: from.startdelay,
            plcmt: None,
            pos: None,
            skip: None,
            skipmin: 0,
            maxextended: from.maxextended.unwrap_or_default(),
            minbitrate: from.minbitrate.unwrap_or_default(),
            maxbitrate: from.maxbitrate.unwrap_or_default(),
            delivery: self.integers(&from.delivery),
            playbackmethod: &[],
            boxingallowed: None,
            companionad: self.list(from.companionad.iter().map(|slot| self.banner(slot))),
            companiontype: self.integers(&from.companiontype),
            podid: self.text(from.podid.as_ref()),
            podseq: from.podseq.unwrap_or_default(),
            slotinpod: from.slotinpod.unwrap_or_default(),
            maxseq: from.maxseq.unwrap_or_default(),
            poddur: from.poddur.unwrap_or_default(),
            mincpmpersec: floor(from.mincpmpersec.as_ref()),
            durfloors: self.dur_floors(&from.durfloors),
            poddedupe: 0,
        }
    }

    /// `None` without a readable request.
    pub(super) fn native(self, from: &openrtb::Native) -> Option<Native<'a>> {
        let payload = from.request.as_ref()?;
        let versions = [&from.ver, &payload.request.ver];
        let version = versions.into_iter().flatten().find(|version| !version.is_empty());
        Some(Native {
            ver: NativeVersion::of(version.map_or("", String::as_str), payload.wrapped),
            assets: self.list(payload.request.assets.iter().filter_map(|asset| self.asset(asset))),
            eventtrackers: self.list(payload.request.eventtrackers.iter().flat_map(event_trackers)),
            privacy: is_set(payload.request.privacy),
            battr: self.integers(&from.battr),
            api: self.integers(&from.api),
        })
    }

    fn asset(self, from: &inner::Asset) -> Option<Asset<'a>> {
        Some(Asset { id: from.id?, required: is_set(from.required), kind: self.asset_kind(from) })
    }

    fn asset_kind(self, from: &inner::Asset) -> AssetKind<'a> {
        if let Some(title) = &from.title {
            return AssetKind::Title { len: title.len.unwrap_or_default() };
        }
        if let Some(img) = &from.img {
            let kind = img.kind.unwrap_or_default();
            return AssetKind::Img { kind, size: size(img.w, img.h), min: size(img.wmin, img.hmin) };
        }
        if let Some(video) = &from.video {
            return AssetKind::Video {
                mimes: self.texts(&video.mimes),
                minduration: video.minduration.unwrap_or_default(),
                maxduration: video.maxduration.unwrap_or_default(),
                protocols: self.integers(&video.protocols),
            };
        }
        if let Some(data) = &from.data {
            return AssetKind::Data { kind: data.kind.unwrap_or_default(), len: data.len.unwrap_or_default() };
        }
        AssetKind::Other
    }
}

fn format(from: &openrtb::Format) -> Format {
    Format {
        size: size(from.w, from.h),
        wratio: from.wratio.unwrap_or_default(),
        hratio: from.hratio.unwrap_or_default(),
        wmin: from.wmin.unwrap_or_default(),
    }
}

/// One tracker for each method. No tracker if the event is missing.
fn event_trackers(from: &inner::EventTracker) -> impl Iterator<Item = EventTracker> {
    from.methods.iter().filter_map(|method| Some(EventTracker { event: from.event?, method: *method }))
}
