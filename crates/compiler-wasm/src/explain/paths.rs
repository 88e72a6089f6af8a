//! The table of the attributes that each check looks at.
//!
//! An entry is a list of paths. `a|b` is `a`, or `b` if the request has no `a`. After `?`, a path counts only if the
//! request has it: without it, something else than the request decides. The first name of a path may be one of these
//! roots:
//!
//! | root | stands for |
//! |---|---|
//! | `imp` | the impression; for a check of the whole request, every impression |
//! | `deal` | the deal |
//! | `spot` | each media object that a creative of the campaign would fill |
//! | `channel` | site, app or DOOH, and first-party data of it |
//! | `person` | the user, and first-party data of it |
//! | `geo` | the location that counts: the device's or the user's |

use bidder_wasm::no_bid::NoBidReason as R;

const SCHAIN_COMPLETE: &[&str] = &["source.schain.complete|source.ext.schain.complete"];
const SCHAIN_NODES: &[&str] = &["source.schain.nodes|source.ext.schain.nodes"];
const FLOORS: &[&str] = &[
    "deal.bidfloor|imp.bidfloor",
    "?deal.bidfloorcur|imp.bidfloorcur",
    "?deal.mincpmpersec|spot.mincpmpersec",
    "?deal.durfloors|spot.durfloors",
];

/// The paths of the attributes that the check of this reason looks at. Empty if the request does not decide.
// One arm for each reason. There is no arm for all others, so that a new reason does not compile without its paths.
#[allow(clippy::too_many_lines)]
pub(super) const fn of(reason: R) -> &'static [&'static str] {
    match reason {
        R::NoImp => &["imp"],
        R::IdBytes => &["id", "imp.id"],
        R::DuplicateImp => &["imp.id"],
        R::Multiplier => &["imp.qty.multiplier"],
        R::Tmax => &["tmax"],
        R::Crawler => &["device.ua"],
        R::Privacy => &[
            "regs.gdpr|regs.ext.gdpr",
            "user.consent|user.ext.consent",
            "?regs.gpp|regs.ext.gpp",
            "?regs.gpp_sid|regs.ext.gpp_sid",
        ],
        R::Currency => &["cur"],
        // The length of all lists and texts, and checks that look at the catalog, the time or the answer.
        R::ListLength
        | R::NoCampaign
        | R::Stopped
        | R::Ssp
        | R::Paused
        | R::Flight
        | R::Frequency
        | R::Pacing
        | R::ResponseBytes
        | R::Work => &[],
        R::Seat => &["?wseat", "?bseat"],
        R::Channel => &["site", "?app", "?dooh"],
        R::Country => &["geo.country"],
        R::Region => &["geo.region"],
        R::Metro => &["geo.metro"],
        R::City => &["geo.city"],
        R::Zip => &["geo.zip"],
        R::Devicetype => &["device.devicetype"],
        R::Make => &["device.make"],
        R::Model => &["device.sua.model|device.ext.sua.model|device.model"],
        R::Hwv => &["device.hwv"],
        R::Os => &["device.sua.platform.brand|device.ext.sua.platform.brand|device.os"],
        R::Browser => &["device.sua.browsers|device.ext.sua.browsers|device.ua"],
        R::Language => &["device.language|device.langb"],
        R::Connectiontype => &["device.connectiontype"],
        R::Carrier => &["device.carrier"],
        R::Domain => &["channel.domain|channel.page|channel.publisher.domain"],
        R::Bundle => &["channel.bundle"],
        R::Publisher => &["channel.publisher.id"],
        R::Id => &["channel.id"],
        R::Cat => &["channel.cat", "channel.sectioncat", "channel.pagecat", "channel.content.cat"],
        R::Genre => &["channel.content.genre", "channel.content.genres"],
        R::Contentrating => &["channel.content.contentrating"],
        R::Livestream => &["channel.content.livestream"],
        R::ContentLanguage => &["channel.content.language|channel.content.langb"],
        R::Network => &["channel.content.network.name"],
        R::ContentChannel => &["channel.content.channel.name"],
        R::Keywords => &[
            "channel.keywords",
            "channel.kwarray",
            "channel.content.keywords",
            "channel.content.kwarray",
            "person.keywords",
            "person.kwarray",
        ],
        R::Segment => &["person.data"],
        R::Eids | R::Mm => &["user.eids|user.ext.eids"],
        R::Buyeruid => &["user.buyeruid"],
        R::Badv => &["badv"],
        R::Bcat => &["bcat", "?cattax"],
        R::Bapp => &["bapp"],
        R::Dsa => &["regs.dsa|regs.ext.dsa"],
        R::Acat => &["acat", "?cattax"],
        R::Tagid => &["imp.tagid"],
        R::Gpid => &["imp.ext.gpid|imp.ext.data.pbadslot"],
        R::Instl => &["imp.instl"],
        R::Rwdd => &["imp.rwdd|imp.ext.prebid.is_rewarded_inventory"],
        R::Deal => &["imp.pmp.deals", "?imp.pmp.private_auction"],
        R::MediaType => &["imp.banner", "imp.video", "imp.audio", "imp.native"],
        R::Size => &["imp.banner.format", "imp.banner.w", "imp.banner.h"],
        R::Radius => &["geo.lat", "geo.lon"],
        R::Osv => &["device.sua.platform.version|device.ext.sua.platform.version|device.osv"],
        R::Yob => &["person.yob"],
        R::SchainIncomplete => SCHAIN_COMPLETE,
        R::SchainNodes | R::SchainAsi => SCHAIN_NODES,
        R::Hours => &["?imp.dt", "?geo.utcoffset"],
        R::Metric => &["imp.metric"],
        R::Skadn => &["imp.ext.skadn"],
        R::Exp => &["imp.exp"],
        R::DealWseat => &["deal.wseat"],
        R::DealWadomain => &["deal.wadomain"],
        R::Pos => &["spot.pos"],
        R::Plcmt => &["spot.plcmt"],
        R::Startdelay => &["spot.startdelay"],
        R::Playbackmethod => &["spot.playbackmethod"],
        R::Podseq => &["spot.podseq"],
        R::Slotinpod => &["spot.slotinpod"],
        R::Topframe => &["spot.topframe"],
        R::Btype => &["imp.banner.btype"],
        R::Mimes => &["spot.mimes"],
        R::Expdir => &["imp.banner.expdir"],
        R::Bitrate => &["spot.minbitrate", "spot.maxbitrate"],
        R::Delivery => &["spot.delivery"],
        R::Protocols => &["spot.protocols|spot.protocol"],
        R::Linearity => &["spot.linearity"],
        R::Duration => &["spot.minduration", "spot.maxduration", "spot.maxextended", "spot.rqddurs", "spot.poddur"],
        R::Skip => &["spot.skip"],
        R::Boxing => &["spot.boxingallowed", "?spot.w", "?spot.h"],
        R::Companion => &["spot.companionad", "?spot.companiontype"],
        R::Asset => &["imp.native.request"],
        R::Api => &["spot.api"],
        R::Battr => &["spot.battr"],
        R::Secure => &["imp.secure"],
        R::Ssai => &["imp.ssai"],
        R::Wlang => &["wlang", "?wlangb"],
        R::Advertiser => &["?badv", "?bcat", "?bapp", "?acat", "?deal.wadomain"],
        R::FloorUnreadable | R::Rate | R::Floor => FLOORS,
        R::PodDuplicate => &["spot.poddedupe"],
    }
}
