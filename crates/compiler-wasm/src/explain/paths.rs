//! The table of the attributes that each check looks at, besides those of targeting: see [`Dimension::paths`].

use bidder_wasm::kind::Dimension;
use bidder_wasm::no_bid::NoBidReason as R;

const FLOORS: &[&str] = &[
    "deal.bidfloor|imp.bidfloor",
    "?deal.bidfloorcur|imp.bidfloorcur",
    "?deal.mincpmpersec|spot.mincpmpersec",
    "?deal.durfloors|spot.durfloors",
];

const SCHAIN_NODES: &[&str] = &["source.schain.nodes|source.ext.schain.nodes"];

const PATHS: &[(R, &[&str])] = &[
    (R::NoImp, &["imp"]),
    (R::IdBytes, &["id", "imp.id"]),
    (R::DuplicateImp, &["imp.id"]),
    (R::Multiplier, &["imp.qty.multiplier"]),
    (R::Tmax, &["tmax"]),
    (R::Crawler, &["device.ua"]),
    (
        R::Privacy,
        &[
            "regs.gdpr|regs.ext.gdpr",
            "user.consent|user.ext.consent",
            "?regs.gpp|regs.ext.gpp",
            "?regs.gpp_sid|regs.ext.gpp_sid",
        ],
    ),
    (R::Currency, &["cur"]),
    // The length of all lists and texts, and checks that look at the catalog, the time or the answer.
    (R::ListLength, &[]),
    (R::NoCampaign, &[]),
    (R::Stopped, &[]),
    (R::Ssp, &[]),
    (R::Paused, &[]),
    (R::Flight, &[]),
    (R::Frequency, &[]),
    (R::Pacing, &[]),
    (R::ResponseBytes, &[]),
    (R::Work, &[]),
    (R::Seat, &["?wseat", "?bseat"]),
    (R::Mm, &["user.eids|user.ext.eids"]),
    (R::Badv, &["badv"]),
    (R::Bcat, &["bcat", "?cattax"]),
    (R::Bapp, &["bapp"]),
    (R::Dsa, &["regs.dsa|regs.ext.dsa"]),
    (R::Acat, &["acat", "?cattax"]),
    (R::Deal, &["imp.pmp.deals", "?imp.pmp.private_auction"]),
    (R::MediaType, &["imp.banner", "imp.video", "imp.audio", "imp.native"]),
    (R::Size, &["imp.banner.format", "imp.banner.w", "imp.banner.h"]),
    (R::Radius, &["geo.lat", "geo.lon"]),
    (R::Osv, &["device.sua.platform.version|device.ext.sua.platform.version|device.osv"]),
    (R::Yob, &["person.yob"]),
    (R::SchainIncomplete, &["source.schain.complete|source.ext.schain.complete"]),
    (R::SchainNodes, SCHAIN_NODES),
    (R::SchainAsi, SCHAIN_NODES),
    (R::Hours, &["?imp.dt", "?geo.utcoffset"]),
    (R::Metric, &["imp.metric"]),
    (R::Skadn, &["imp.ext.skadn"]),
    (R::Exp, &["imp.exp"]),
    (R::DealWseat, &["deal.wseat"]),
    (R::DealWadomain, &["deal.wadomain"]),
    (R::Btype, &["imp.banner.btype"]),
    (R::Mimes, &["spot.mimes"]),
    (R::Expdir, &["imp.banner.expdir"]),
    (R::Bitrate, &["spot.minbitrate", "spot.maxbitrate"]),
    (R::Delivery, &["spot.delivery"]),
    (R::Protocols, &["spot.protocols|spot.protocol"]),
    (R::Linearity, &["spot.linearity"]),
    (R::Duration, &["spot.minduration", "spot.maxduration", "spot.maxextended", "spot.rqddurs", "spot.poddur"]),
    (R::Skip, &["spot.skip"]),
    (R::Boxing, &["spot.boxingallowed", "?spot.w", "?spot.h"]),
    (R::Companion, &["spot.companionad", "?spot.companiontype"]),
    (R::Asset, &["imp.native.request"]),
    (R::Api, &["spot.api"]),
    (R::Battr, &["spot.battr"]),
    (R::Secure, &["imp.secure"]),
    (R::Ssai, &["imp.ssai"]),
    (R::Wlang, &["wlang", "?wlangb"]),
    (R::Advertiser, &["?badv", "?bcat", "?bapp", "?acat", "?deal.wadomain"]),
    (R::FloorUnreadable, FLOORS),
    (R::Rate, FLOORS),
    (R::Floor, FLOORS),
    (R::PodDuplicate, &["spot.poddedupe"]),
];

/// The paths of the attributes that the check of this reason looks at. Empty if the request does not decide.
pub(super) fn of(reason: R) -> &'static [&'static str] {
    let row = PATHS.iter().find(|(own, _)| *own == reason);
    row.map(|(_, paths)| *paths).or_else(|| Some(Dimension::of(reason)?.paths)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_paths_once() {
        for reason in R::ALL {
            let rows = PATHS.iter().filter(|(own, _)| own == reason).count();
            assert_eq!(rows + usize::from(Dimension::of(*reason).is_some()), 1, "{}", reason.as_str());
        }
    }
}
