//! The catalog document as people write it: plain values, decoded and not yet checked against
//! each other. Money and rates are decimal strings; enumerations are OpenRTB's numbers.

use super::amount::Amount;
use crate::decode::object;

object! {
    /// The whole document.
    pub struct Document {
        /// For editors: where the JSON Schema is. Not read.
        pub schema as "$schema": Option<String>,
        /// Version of this format: 1.
        pub format: Option<i64> = required,
        /// Currencies that can be converted; US dollars need no entry.
        pub rates: Vec<RateEntry>,
        /// Who may send requests.
        pub ssps: Vec<SspEntry> = required,
        /// What can be shown.
        pub creatives: Vec<CreativeEntry>,
        /// What is bought.
        pub campaigns: Vec<CampaignEntry>,
    }
}

object! {
    /// What one unit of a currency is worth.
    pub struct RateEntry {
        /// ISO 4217 code.
        pub cur: Option<String> = required,
        /// Worth of one unit in US dollars, e.g. `"1.0837"`; up to 9 decimals.
        pub usd: Option<String> = required,
    }
}

object! {
    /// An exchange that sends us requests.
    pub struct SspEntry {
        /// The last part of its URL: `POST /bid/:id`. Letters, digits, `-`, `_`, `.`.
        pub id: Option<String> = required,
        /// SHA-256, in hex, of each bearer token it may send. Empty: no credentials needed.
        pub credentials: Vec<String>,
        /// Answer a no-bid that has an OpenRTB reason code with 200 and `nbr`. Default false: 204.
        pub nbr: Option<bool>,
    }
}

object! {
    /// A biddable unit.
    pub struct CampaignEntry {
        /// `bid.cid`.
        pub cid: Option<String> = required,
        /// For people; never sent.
        pub name: Option<String>,
        /// `seatbid.seat`: the buyer seat that the SSPs know.
        pub seat: Option<String> = required,
        /// `bid.adomain`: bare domains of the advertiser, e.g. `ford.com`.
        pub adomain: Vec<String> = required,
        /// `bid.bundle`: the advertised app, where it is one.
        pub bundle: Option<String>,
        /// `bid.cat`: categories of the advertiser, in the taxonomy `cattax`.
        pub cat: Vec<String>,
        /// Taxonomy of `cat` (AdCOM list "Category Taxonomies"). Default 1.
        pub cattax: Option<i64>,
        /// The most that is paid per thousand impressions, e.g. `"2.50"`, in `cur`.
        pub max_cpm: Option<Amount> = required,
        /// Currency of `max_cpm`. Default `USD`.
        pub cur: Option<String>,
        /// Only these SSPs. Empty: all.
        pub ssps: Vec<String>,
        /// `deal.id` of each deal that it may bid under.
        pub deals: Vec<String>,
        /// False: bids under its deals only. Default true.
        pub open: Option<bool>,
        /// Where it bids. Absent: everywhere.
        pub target: Option<TargetEntry>,
        /// `crid` of each creative it may show.
        pub creatives: Vec<String> = required,
        /// `bid.nurl`: called when the bid wins. `${AUCTION_…}` macros stay for the exchange.
        pub nurl: Option<String>,
        /// `bid.burl`: called when the bid is billed.
        pub burl: Option<String>,
        /// `bid.lurl`: called when the bid loses.
        pub lurl: Option<String>,
    }
}

object! {
    /// Where a campaign bids: every rule that is given has to hold.
    pub struct TargetEntry {
        /// Any of `site`, `app`, `dooh`. Empty: all.
        pub channel: Vec<String>,
        /// ISO 3166-1 alpha-3 codes; where the device is, else where the person is.
        pub country: Option<TextsEntry>,
        /// AdCOM device types.
        pub devicetype: Option<NumbersEntry>,
        /// Site domains; a domain stands for its subdomains too.
        pub domain: Option<TextsEntry>,
        /// App bundles.
        pub bundle: Option<TextsEntry>,
        /// Publisher ids.
        pub publisher: Option<TextsEntry>,
    }
}

object! {
    /// A rule over texts.
    pub struct TextsEntry {
        /// Only these; an unknown value does not match. Empty: all.
        pub include: Vec<String>,
        /// None of these.
        pub exclude: Vec<String>,
    }
}

object! {
    /// A rule over numbers.
    pub struct NumbersEntry {
        /// Only these; an unknown value does not match. Empty: all.
        pub include: Vec<i64>,
        /// None of these.
        pub exclude: Vec<i64>,
    }
}

object! {
    /// Something that can be shown: exactly one of `banner`, `video`, `audio`, `native`.
    pub struct CreativeEntry {
        /// `bid.crid`.
        pub crid: Option<String> = required,
        /// `bid.adid`: the exchange's id of a preloaded ad.
        pub adid: Option<String>,
        /// `bid.attr`: what it does (AdCOM list "Creative Attributes").
        pub attr: Vec<i64>,
        /// API frameworks that it needs (AdCOM list "API Frameworks").
        pub api: Vec<i64>,
        /// `bid.iurl`: a picture of it, for the exchange's review.
        pub iurl: Option<String>,
        /// Shown as a banner.
        pub banner: Option<BannerEntry>,
        /// Shown as video.
        pub video: Option<LinearEntry>,
        /// Played as audio.
        pub audio: Option<LinearEntry>,
        /// Shown in the publisher's own look.
        pub native: Option<NativeEntry>,
    }
}

object! {
    /// A banner: markup of a size.
    pub struct BannerEntry {
        /// Width in density-independent pixels.
        pub w: Option<i64> = required,
        /// Height in density-independent pixels.
        pub h: Option<i64> = required,
        /// What the markup is: 1 XHTML text, 2 XHTML banner, 3 JavaScript, 4 iframe.
        pub btype: Option<i64>,
        /// MIME type, checked against `banner.mimes`. Default `text/html`.
        pub mime: Option<String>,
        /// The markup.
        pub adm: Option<String> = required,
    }
}

object! {
    /// A video or audio ad: either `media`, from which the VAST is written, or a ready `adm`.
    pub struct LinearEntry {
        /// Seconds, as `bid.dur`.
        pub dur: Option<i64> = required,
        /// VAST or DAAST version as an AdCOM creative subtype: 2 VAST 2.0, 3 VAST 3.0, 7 VAST 4.0
        /// and so on; wrappers have numbers of their own.
        pub protocol: Option<i64> = required,
        /// Width in pixels (video).
        pub w: Option<i64>,
        /// Height in pixels (video).
        pub h: Option<i64>,
        /// 1 linear, 2 non-linear. Default 1.
        pub linearity: Option<i64>,
        /// The files to play.
        pub media: Vec<MediaEntry>,
        /// Where a click leads.
        pub clickthrough: Option<String>,
        /// Called when it is shown: VAST `Impression`.
        pub impression: Vec<String>,
        /// A ready VAST document, in place of `media`.
        pub adm: Option<String>,
        /// What the ready document plays, checked against `mimes`.
        pub mimes: Vec<String>,
    }
}

object! {
    /// One file of a video or audio ad.
    pub struct MediaEntry {
        /// Where it is.
        pub url: Option<String> = required,
        /// Its MIME type.
        pub mime: Option<String> = required,
        /// Kilobits per second.
        pub bitrate: Option<i64>,
        /// Width in pixels. Default: the ad's.
        pub w: Option<i64>,
        /// Height in pixels. Default: the ad's.
        pub h: Option<i64>,
    }
}

object! {
    /// A native ad: what can be put in the assets that a publisher asks for.
    pub struct NativeEntry {
        /// Title.
        pub title: Option<String> = required,
        /// Pictures.
        pub img: Vec<ImgEntry>,
        /// Texts by kind: 1 sponsored, 2 desc, 12 ctatext and so on.
        pub data: Vec<DataEntry>,
        /// Where a click leads.
        pub link: Option<String> = required,
        /// Called when it is shown.
        pub imptrackers: Vec<String>,
    }
}

object! {
    /// A picture of a native ad.
    pub struct ImgEntry {
        /// 1 icon, 3 main image.
        pub kind as "type": Option<i64> = required,
        /// Where it is.
        pub url: Option<String> = required,
        /// Width in pixels.
        pub w: Option<i64> = required,
        /// Height in pixels.
        pub h: Option<i64> = required,
    }
}

object! {
    /// A text of a native ad.
    pub struct DataEntry {
        /// Data asset type (Native Ads 1.2 §7.4).
        pub kind as "type": Option<i64> = required,
        /// The text.
        pub value: Option<String> = required,
    }
}
