//! Impressions: what they offer, and their deals.

use super::{Reader, currency, floor, is_set};
use crate::openrtb;
use crate::openrtb::native as inner;
use crate::request::{Asset, AssetKind, Banner, Deal, Imp, Linear, Native, Size};

impl<'a> Reader<'a> {
    /// `None` for an impression without an `id`.
    pub(super) fn imp(self, from: &openrtb::Imp) -> Option<Imp<'a>> {
        let pmp = from.pmp.as_ref();
        Some(Imp {
            id: self.echo(from.id.as_ref()?),
            banner: from.banner.as_ref().map(|banner| self.banner(banner)),
            video: from.video.as_ref().map(|video| self.video(video)),
            audio: from.audio.as_ref().map(|audio| self.audio(audio)),
            native: from.native.as_ref().and_then(|native| self.native(native)),
            private_auction: is_set(pmp.and_then(|pmp| pmp.private_auction)),
            deals: self.list(pmp.into_iter().flat_map(|pmp| &pmp.deals).filter_map(|deal| self.deal(deal))),
            instl: is_set(from.instl),
            tagid: self.text(from.tagid.as_ref()),
            bidfloor: floor(from.bidfloor.as_ref()),
            bidfloorcur: currency(from.bidfloorcur.as_ref()),
            secure: is_set(from.secure),
        })
    }

    fn banner(self, from: &openrtb::Banner) -> Banner<'a> {
        Banner {
            format: self.list(from.format.iter().map(|format| size(format.w, format.h))),
            size: size(from.w, from.h),
            btype: self.integers(&from.btype),
            battr: self.integers(&from.battr),
            mimes: self.texts(&from.mimes),
            api: self.integers(&from.api),
        }
    }

    fn video(self, from: &openrtb::Video) -> Linear<'a> {
        Linear {
            mimes: self.texts(&from.mimes),
            minduration: from.minduration.unwrap_or_default(),
            maxduration: from.maxduration.unwrap_or_default(),
            rqddurs: self.integers(&from.rqddurs),
            protocols: self.integers(&from.protocols),
            size: size(from.w, from.h),
            linearity: from.linearity.unwrap_or_default(),
            battr: self.integers(&from.battr),
            api: self.integers(&from.api),
        }
    }

    fn audio(self, from: &openrtb::Audio) -> Linear<'a> {
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
        }
    }

    fn native(self, from: &openrtb::Native) -> Option<Native<'a>> {
        let payload = from.request.as_ref()?;
        let versions = [&from.ver, &payload.request.ver];
        let version = versions.into_iter().flatten().find(|version| !version.is_empty());
        Some(Native {
            wrapped: version.map_or(payload.wrapped, |version| version == "1" || version.starts_with("1.0")),
            assets: self.list(payload.request.assets.iter().filter_map(asset)),
            battr: self.integers(&from.battr),
            api: self.integers(&from.api),
        })
    }

    fn deal(self, from: &openrtb::Deal) -> Option<Deal<'a>> {
        Some(Deal {
            id: self.echo(from.id.as_ref()?),
            bidfloor: floor(from.bidfloor.as_ref()),
            bidfloorcur: currency(from.bidfloorcur.as_ref()),
            at: from.at.unwrap_or_default(),
            wseat: self.texts(&from.wseat),
            wadomain: self.texts(&from.wadomain),
        })
    }

    fn integers(self, values: &[i64]) -> &'a [i64] {
        self.list(values.iter().copied())
    }
}

fn size(w: Option<i64>, h: Option<i64>) -> Size {
    Size { w: w.unwrap_or_default(), h: h.unwrap_or_default() }
}

fn asset(from: &inner::Asset) -> Option<Asset> {
    let kind = if let Some(title) = &from.title {
        AssetKind::Title { len: title.len.unwrap_or_default() }
    } else if let Some(img) = &from.img {
        AssetKind::Img { kind: img.kind.unwrap_or_default(), size: size(img.w, img.h), min: size(img.wmin, img.hmin) }
    } else if from.video.is_some() {
        AssetKind::Video
    } else if let Some(data) = &from.data {
        AssetKind::Data { kind: data.kind.unwrap_or_default(), len: data.len.unwrap_or_default() }
    } else {
        AssetKind::Other
    };
    Some(Asset { id: from.id?, required: is_set(from.required), kind })
}
