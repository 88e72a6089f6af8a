//! Impressions: metrics, floors and deals.

use super::{Reader, amount, currency, floor, in_ext, is_set, known, signal};
use crate::decode::{Decimal, JsonObject};
use crate::openrtb;
use bidder_wasm::limits::MAX_ID_BYTES;
use bidder_wasm::money::Rounding;
use bidder_wasm::request::{Deal, DurFloor, Imp, Metric, Size, Skadn};

impl<'a> Reader<'a> {
    /// `None` for an impression without an `id`.
    pub(super) fn imp(self, from: &openrtb::Imp) -> Option<Imp<'a>> {
        let pmp = from.pmp.as_ref();
        Some(Imp {
            id: self.echo(from.id.as_ref()?),
            banner: from.banner.as_ref().map(|banner| self.banner(banner)),
            video: from.video.as_ref().map(|video| self.keep(self.video(video))),
            audio: from.audio.as_ref().map(|audio| self.keep(self.audio(audio))),
            native: from.native.as_ref().and_then(|native| self.native(native)),
            private_auction: signal(pmp.and_then(|pmp| pmp.private_auction.as_ref())).unwrap_or_default(),
            deals: self.list(pmp.into_iter().flat_map(|pmp| &pmp.deals).filter_map(|deal| self.deal(deal))),
            instl: is_set(from.instl),
            tagid: self.text(from.tagid.as_ref()),
            bidfloor: floor(from.bidfloor.as_ref()),
            bidfloorcur: currency(from.bidfloorcur.as_ref()),
            secure: signal(from.secure.as_ref()).unwrap_or_default(),
            gpid: self.gpid(from.ext.as_ref()),
            rwdd: known(from.rwdd)
                .or_else(|| known(in_ext(prebid(from).as_ref(), "is_rewarded_inventory")))
                .unwrap_or_default(),
            ssai: from.ssai.unwrap_or_default(),
            exp: from.exp.unwrap_or_default(),
            dt: from.dt.as_ref().and_then(Decimal::whole).unwrap_or_default(),
            multiplier: from
                .qty
                .as_ref()
                .and_then(|qty| amount(qty.multiplier.as_ref(), Rounding::Up))
                .unwrap_or_default(),
            skadn: self.skadn(from.ext.as_ref()),
            metric: self.list(from.metric.iter().filter_map(|metric| self.metric(metric))),
        })
    }

    fn gpid(self, ext: Option<&JsonObject>) -> &'a str {
        let data: Option<JsonObject> = in_ext(ext, "data");
        let given = [in_ext::<Option<String>>(ext, "gpid"), in_ext::<Option<String>>(data.as_ref(), "pbadslot")];
        self.text(given.iter().flatten().find(|text| !text.is_empty()))
    }

    fn skadn(self, ext: Option<&JsonObject>) -> Option<&'a Skadn<'a>> {
        let skadn: JsonObject = in_ext::<Option<JsonObject>>(ext, "skadn")?;
        let list: Option<JsonObject> = in_ext(Some(&skadn), "skadnetlist");
        let text = |name| self.text(in_ext::<Option<String>>(Some(&skadn), name).as_ref());
        Some(self.keep(Skadn {
            version: text("version"),
            versions: self.texts(&in_ext::<Vec<String>>(Some(&skadn), "versions")),
            sourceapp: text("sourceapp"),
            skadnetids: self.texts(&in_ext::<Vec<String>>(Some(&skadn), "skadnetids")),
            addl: self.texts(&in_ext::<Vec<String>>(list.as_ref(), "addl")),
            max: in_ext::<Option<i64>>(list.as_ref(), "max").unwrap_or_default(),
            excl: self.list(in_ext::<Vec<i64>>(list.as_ref(), "excl").into_iter()),
        }))
    }

    fn metric(self, from: &openrtb::Metric) -> Option<Metric<'a>> {
        Some(Metric {
            kind: self.text(Some(from.kind.as_ref()?)),
            value: amount(from.value.as_ref(), Rounding::Up)?,
            vendor: self.text(from.vendor.as_ref()),
        })
    }

    /// `None` for a deal without an `id`, or with an `id` that is too long.
    fn deal(self, from: &openrtb::Deal) -> Option<Deal<'a>> {
        let id = from.id.as_ref().filter(|id| id.len() <= MAX_ID_BYTES)?;
        Some(Deal {
            id: self.echo(id),
            bidfloor: floor(from.bidfloor.as_ref()),
            bidfloorcur: currency(from.bidfloorcur.as_ref()),
            at: from.at.unwrap_or_default(),
            wseat: self.texts(&from.wseat),
            wadomain: self.domains(&from.wadomain),
            guar: is_set(from.guar),
            mincpmpersec: floor(from.mincpmpersec.as_ref()),
            durfloors: self.dur_floors(&from.durfloors),
        })
    }

    pub(super) fn dur_floors(self, from: &[openrtb::DurFloors]) -> &'a [DurFloor] {
        self.list(from.iter().map(|from| DurFloor {
            mindur: from.mindur.unwrap_or_default(),
            maxdur: from.maxdur.unwrap_or_default(),
            bidfloor: floor(from.bidfloor.as_ref()),
        }))
    }
}

fn prebid(imp: &openrtb::Imp) -> Option<JsonObject> {
    in_ext(imp.ext.as_ref(), "prebid")
}

pub(super) fn size(w: Option<i64>, h: Option<i64>) -> Size {
    Size { w: w.unwrap_or_default(), h: h.unwrap_or_default() }
}
