//! The catalog document as people write it: plain values, decoded and not yet checked against
//! each other. Money and rates are decimal strings; enumerations are OpenRTB's numbers.

use super::amount::{Amount, Degrees};
use super::hours::Weekday;
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
        /// The code that Prebid Server knows us by: first-party data addressed to it is ours, in any
        /// case of letters. Absent: only what is addressed to all bidders (`*`) is. Prebid Server (Go) merges such data
        /// itself and passes no `bidderconfig` on, so there it has no effect.
        pub prebid_code: Option<String>,
        /// How the law is read for us. Absent: as in [`bidder_wasm::privacy::Settings::default`].
        pub privacy: Option<PrivacyEntry>,
        /// Whether every bid tells the version of the catalog that it comes from, as `bid.ext.catalog`. Default false.
        pub version_in_bids: Option<bool>,
        /// What can be shown.
        pub creatives: Vec<CreativeEntry>,
        /// What is bought.
        pub campaigns: Vec<CampaignEntry>,
    }
}

object! {
    /// What we may do under GDPR.
    pub struct PrivacyEntry {
        /// Our id on the TCF's Global Vendor List. Absent: not registered.
        pub vendor_id: Option<i64>,
        /// What any bid needs. Default: purpose 2 on either basis.
        pub contextual: Vec<PurposeEntry>,
        /// What using ids and segments needs besides. Default: purposes 1, 3 and 4 by consent.
        pub personal: Vec<PurposeEntry>,
        /// Whether to bid without ids where no string can speak of us, because there is no
        /// `vendor_id`. Default false: no bid.
        pub bid_unregistered: Option<bool>,
        /// Whether to bid without ids where there is no readable string. Default false.
        pub bid_without_string: Option<bool>,
        /// Whether GDPR applies where nothing tells. Default false.
        pub assume_gdpr: Option<bool>,
    }
}

object! {
    /// A purpose of the TCF and what it rests on.
    pub struct PurposeEntry {
        /// 1 to 11.
        pub purpose: Option<i64> = required,
        /// As declared to the Global Vendor List: `consent`, `legitimate-interest`,
        /// `flexible-consent` or `flexible-interest` (which the publisher may swap); or `either`.
        /// Default `consent`.
        pub basis: Option<String>,
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
        /// Milliseconds that a request and its answer are under way in all; where `tmax` is no more
        /// than that, the answer is a no-bid at once. Default 20.
        pub latency_ms: Option<i64>,
        /// The `tmax` that it usually sends, in milliseconds, 1 to 10000: a request that has not come whole by then gets a 204.
        /// Default 1000.
        pub tmax: Option<i64>,
        /// Answer a no-bid that has an OpenRTB reason code with 200 and `nbr`. Default false: 204.
        pub nbr: Option<bool>,
        /// The currency to answer in where a request names none, or this one among others. Default: US
        /// dollars where it names none, else the first that has a rate.
        pub cur: Option<String>,
        /// `seatbid.seat` of all seats that are not in `seats`. Absent: what the campaign calls its seat.
        pub seat: Option<String>,
        /// Seats that it knows by another name than the campaigns do. `wseat` and `bseat` are read with its names.
        pub seats: Vec<SeatEntry>,
        /// `deal.id` of the deals agreed with it; only checked. Where any SSP lists some, a campaign names
        /// deals that an SSP of its lists.
        pub deals: Vec<String>,
        /// Answer with gzip where the request's `Accept-Encoding` takes it. Default false.
        pub gzip: Option<bool>,
        /// Most bytes of an answer, before gzip. A bid that would go beyond gives way to the next best.
        /// Absent: any number.
        pub max_response_bytes: Option<i64>,
        /// What it replaces with the clearing price, where that is not `${AUCTION_PRICE}`: takes the
        /// place of those in markup and notices.
        pub price_macro: Option<String>,
        /// Whether we fill macros, because it fills none (Prebid Server's core does not): `${AUCTION_ID}`, `${AUCTION_BID_ID}`,
        /// `${AUCTION_IMP_ID}`, `${AUCTION_SEAT_ID}`, `${AUCTION_CURRENCY}` and, in a first-price auction and outside of `lurl`,
        /// `${AUCTION_PRICE}`, unless `price_macro` says that it fills the price itself. Default false.
        pub fill_macros: Option<bool>,
        /// Whether it takes one bid per impression only, on a dynamic pod those that can be shown together: then the one
        /// under a guaranteed deal, else the one with the highest price. Default false: one under each deal, and one without.
        pub one_bid_per_imp: Option<bool>,
        /// Whether all of its auctions are tests, as a request with `test` 1 is: answered as ever, counted
        /// apart and never billed, with a `bid.id` that starts with `test-`. Default false.
        pub test: Option<bool>,
        /// Where `GET /sync/:id` sends the person's browser with our id, when the SSP keeps the match table: `https`, with
        /// `{buyeruid}` in place of the id and, where it wants them, `{gdpr}`, `{gdpr_consent}`, `{gpp}`, `{gpp_sid}` and
        /// `{us_privacy}`. Absent: it brings its own id as `uid`, or does not sync.
        pub sync_url: Option<String>,
        /// Where `GET /sync/:id` may send the browser with our id when a call itself brings the address, as
        /// `redirect=https://…` with `$UID` in place of the id: hosts such as `prebid.example`, each with its port if the address
        /// has one. Empty: nowhere.
        pub sync_redirect_hosts: Vec<String>,
    }
}

object! {
    /// A seat that an SSP knows by another name.
    pub struct SeatEntry {
        /// `seat` of campaigns.
        pub seat: Option<String> = required,
        /// What the SSP calls it.
        pub name: Option<String> = required,
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
        /// The most that is paid per thousand impressions, in `cur`: a decimal string of units, e.g. `"2.50"`. An integer is
        /// micros, millionths of a unit: `2500000` is the same.
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
        /// For first-price auctions: bid less than the most, as its parameters say. Absent: never.
        pub shading: Option<ShadingEntry>,
        /// `bid.exp`: seconds that it waits between auction and billing at most. An impression that
        /// may take longer gets no bid. Absent: as long as the exchange asks, 3600 where it does not.
        pub exp: Option<i64>,
        /// `bid.ext.dsa`: what the ad has to tell under the EU's Digital Services Act. Absent: no bid where that is required.
        pub dsa: Option<DsaEntry>,
        /// `bid.burl`: called when the bid is billed.
        pub burl: Option<String>,
        /// `bid.lurl`: called when the bid loses.
        pub lurl: Option<String>,
    }
}

object! {
    /// What the ad tells under the EU's Digital Services Act (IAB community extension `dsa_transparency`).
    pub struct DsaEntry {
        /// On whose behalf the ad is shown, e.g. `Acme Ltd.`; at most 100 bytes.
        pub behalf: Option<String> = required,
        /// Who paid for the ad, also where that is the same; at most 100 bytes.
        pub paid: Option<String> = required,
        /// 1: the ad shows the information itself. Default 0: the publisher has to.
        pub adrender: Option<i64>,
        /// Who used what of the person to choose the ad.
        pub transparency: Vec<TransparencyEntry>,
    }
}

object! {
    /// Who used what of the person.
    pub struct TransparencyEntry {
        /// A bare domain, e.g. `bidder.example`.
        pub domain: Option<String> = required,
        /// 1 profiling, 2 basic advertising, 3 the precise place.
        pub dsaparams: Vec<i64> = required,
    }
}

object! {
    /// Bid shading: the bid that earns the most where the chance of winning with `b` is
    /// `b^steepness / (b^steepness + typical^steepness)`. The method is the surplus maximisation
    /// of Pan et al., "Bid Shading by Win-Rate Estimation and Surplus Maximization" (2020).
    pub struct ShadingEntry {
        /// The price that wins half of the auctions, in the campaign's currency.
        pub typical: Option<Amount> = required,
        /// How sharply winning depends on the price, 1 to 4.
        pub steepness: Option<i64> = required,
    }
}

object! {
    /// Where a campaign bids: every rule that is given has to hold.
    pub struct TargetEntry {
        /// Any of `site`, `app`, `dooh`. Empty: all.
        pub channel: Vec<String>,
        /// ISO 3166-1 alpha-3 codes; where the device is, else where the person is. Two letters of a request mean these.
        pub country: Option<TextsEntry>,
        /// ISO 3166-2 codes, as the exchange sends them.
        pub region: Option<TextsEntry>,
        /// Metro codes.
        pub metro: Option<TextsEntry>,
        /// City names or codes.
        pub city: Option<TextsEntry>,
        /// Postal codes.
        pub zip: Option<TextsEntry>,
        /// Circles around places.
        pub radius: Option<CirclesEntry>,
        /// AdCOM device types.
        pub devicetype: Option<NumbersEntry>,
        /// Manufacturers.
        pub make: Option<TextsEntry>,
        /// Models.
        pub model: Option<TextsEntry>,
        /// Operating systems.
        pub os: Option<TextsEntry>,
        /// Versions of the operating system.
        pub osv: Option<VersionsEntry>,
        /// Browsers: `Chrome`, `Safari`, `Firefox`, `Edge`, `Opera`, `Samsung Internet`, or a brand
        /// as the browser itself tells it.
        pub browser: Option<TextsEntry>,
        /// Languages of the device, ISO 639-1.
        pub language: Option<TextsEntry>,
        /// AdCOM connection types.
        pub connectiontype: Option<NumbersEntry>,
        /// Carriers.
        pub carrier: Option<TextsEntry>,
        /// Site and app domains; a domain stands for its subdomains too. Without one, a site has that of its `page`, and anything
        /// that of its publisher.
        pub domain: Option<TextsEntry>,
        /// App bundles.
        pub bundle: Option<TextsEntry>,
        /// Publisher ids.
        pub publisher: Option<TextsEntry>,
        /// Site, app or DOOH ids.
        pub id: Option<TextsEntry>,
        /// Placements: `imp.tagid`.
        pub tagid: Option<TextsEntry>,
        /// Placements by their global id: `imp.ext.gpid`, else `imp.ext.data.pbadslot`.
        pub gpid: Option<TextsEntry>,
        /// Categories of site, section, page or content, in the taxonomy `cattax`.
        pub cat: Option<TextsEntry>,
        /// Taxonomy of `cat`. Default 1.
        pub cattax: Option<i64>,
        /// Genres of the content: `genre`, or one of `genres`.
        pub genre: Option<TextsEntry>,
        /// Content ratings.
        pub contentrating: Option<TextsEntry>,
        /// Only live content, or only other content.
        pub livestream: Option<bool>,
        /// Languages of the content, ISO 639-1.
        pub content_language: Option<TextsEntry>,
        /// Names of the content's network.
        pub network: Option<TextsEntry>,
        /// Names of the content's channel.
        pub content_channel: Option<TextsEntry>,
        /// Keywords of site, app, content or user.
        pub keywords: Option<TextsEntry>,
        /// AdCOM placement positions. This and what else banner, video and audio objects tell is asked of the one that the ad
        /// would fill.
        pub pos: Option<NumbersEntry>,
        /// Measurements that the placement has to reach.
        pub metric: Vec<MetricEntry>,
        /// Only interstitials, or only others.
        pub instl: Option<bool>,
        /// Only rewarded placements, or only others.
        pub rwdd: Option<bool>,
        /// AdCOM video placement subtypes.
        pub plcmt: Option<NumbersEntry>,
        /// Seconds into the content at which the ad plays: 0, -1, -2, or more.
        pub startdelay: Option<NumbersEntry>,
        /// AdCOM playback methods that may be in use (video).
        pub playbackmethod: Option<NumbersEntry>,
        /// Where the pod stands in the content: -1 last, 0 any, 1 first.
        pub podseq: Option<NumbersEntry>,
        /// Slots in the pod: -1 last, 0 any, 1 first. Where the exchange leaves first or last open, both match; a
        /// bid on a dynamic pod asks for the included one (`bid.slotinpod`).
        pub slotinpod: Option<NumbersEntry>,
        /// Only banners in the top frame, or only those in an iframe.
        pub topframe: Option<bool>,
        /// Segments of the person.
        pub segment: Option<SegmentsEntry>,
        /// Sources of extended ids that the person has; one without a usable id does not count.
        pub eids: Option<TextsEntry>,
        /// How the ids that count for `eids` were matched; others are not used. 0 unknown or untold, 1 not matched, 2
        /// cookie sync, 3 authenticated, 4 observed, 5 inferred (AdCOM list "ID Match Methods").
        pub mm: Option<NumbersEntry>,
        /// Only people whose id of ours the exchange knows.
        pub buyeruid: Option<bool>,
        /// Years of birth.
        pub yob: Option<RangeEntry>,
        /// When it bids. Empty: always.
        pub hours: Vec<HoursEntry>,
        /// Time zone of `hours`: an IANA name. Absent: the person's own time.
        pub zone: Option<String>,
        /// What the supply chain has to be.
        pub schain: Option<SchainEntry>,
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
    /// A rule over places.
    pub struct CirclesEntry {
        /// Only within these. Empty: anywhere.
        pub include: Vec<CircleEntry>,
        /// Within none of these.
        pub exclude: Vec<CircleEntry>,
    }
}

object! {
    /// A place and what is near it.
    pub struct CircleEntry {
        /// Degrees, north positive, e.g. `"52.5200"`.
        pub lat: Option<Degrees> = required,
        /// Degrees, east positive.
        pub lon: Option<Degrees> = required,
        /// Metres.
        pub metres: Option<i64> = required,
    }
}

object! {
    /// A rule over dotted versions: both ends included, compared as far as they are written, so
    /// that `max` 17 takes 17.5.
    pub struct VersionsEntry {
        /// The lowest.
        pub min: Option<String>,
        /// The highest.
        pub max: Option<String>,
    }
}

object! {
    /// A rule over a number: both ends included.
    pub struct RangeEntry {
        /// The least.
        pub min: Option<i64>,
        /// The greatest.
        pub max: Option<i64>,
    }
}

object! {
    /// A measurement that the placement has to reach.
    pub struct MetricEntry {
        /// What is measured, e.g. `viewability`.
        pub kind as "type": Option<String> = required,
        /// Who measured. Absent: anyone.
        pub vendor: Option<String>,
        /// The least value, e.g. `"0.7"`.
        pub min: Option<String> = required,
    }
}

object! {
    /// A rule over segments.
    pub struct SegmentsEntry {
        /// Only people in any of these. Empty: everyone.
        pub include: Vec<SegmentEntry>,
        /// Nobody in any of these.
        pub exclude: Vec<SegmentEntry>,
    }
}

object! {
    /// A segment.
    pub struct SegmentEntry {
        /// The provider's id or name: `data.id` or `data.name`.
        pub provider: Option<String> = required,
        /// `segment.id`.
        pub id: Option<String> = required,
    }
}

object! {
    /// A part of the week.
    pub struct HoursEntry {
        /// 1 Monday to 7 Sunday. Empty: every day.
        pub days: Vec<Weekday>,
        /// First hour, 0 to 23.
        pub from: Option<i64> = required,
        /// The hour before which it ends, 1 to 24.
        pub to: Option<i64> = required,
    }
}

object! {
    /// What the supply chain has to be.
    pub struct SchainEntry {
        /// Whether it has to be complete.
        pub complete: Option<bool>,
        /// Most nodes.
        pub max_nodes: Option<i64>,
        /// Advertising systems: all nodes among `include`, none in `exclude`.
        pub asi: Option<TextsEntry>,
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
        /// ISO 639-1 code of its language; `xx` for one without words. Absent: not told.
        pub language: Option<String>,
        /// Whether code or trackers of it must run on the person's device, so that insertion on
        /// the server alone will not do. Default false.
        pub clientside: Option<bool>,
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
        /// Width in density-independent pixels; absent for a banner that keeps a ratio.
        pub w: Option<i64>,
        /// Height in density-independent pixels; absent for a banner that keeps a ratio.
        pub h: Option<i64>,
        /// Width of the ratio that it keeps at any size.
        pub wratio: Option<i64>,
        /// Height of the ratio that it keeps at any size.
        pub hratio: Option<i64>,
        /// The least width at which the ratio looks right. Default 1.
        pub wmin: Option<i64>,
        /// Directions in which it expands (AdCOM list "Expandable Directions").
        pub expdir: Vec<i64>,
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
        /// Banners to show beside it, where the player has room: VAST `CompanionAds`.
        pub companions: Vec<CompanionEntry>,
        /// Whether it bids only where one of `companions` can be shown. Default false.
        pub companion_required: Option<bool>,
        /// A ready VAST document, in place of `media` and `companions`.
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
        /// Kilobits per second. Absent: not told, and not checked.
        pub bitrate: Option<i64>,
        /// 1 streaming, 2 progressive, 3 download. Default 2.
        pub delivery: Option<i64>,
        /// Width in pixels. Default: the ad's.
        pub w: Option<i64>,
        /// Height in pixels. Default: the ad's.
        pub h: Option<i64>,
    }
}

object! {
    /// A banner beside a video or audio ad: exactly one of `static`, `html`, `iframe`.
    pub struct CompanionEntry {
        /// Width in pixels.
        pub w: Option<i64> = required,
        /// Height in pixels.
        pub h: Option<i64> = required,
        /// Where a picture is (AdCOM companion type 1).
        pub image as "static": Option<String>,
        /// Markup (type 2).
        pub html: Option<String>,
        /// Where a page is (type 3).
        pub iframe: Option<String>,
        /// What the markup is, checked against `btype` of the slot: 1 XHTML text, 2 XHTML banner, 3 JavaScript. A page is
        /// 4, iframe.
        pub btype: Option<i64>,
        /// Its own creative attributes, checked against `battr` of the slot.
        pub attr: Vec<i64>,
        /// API frameworks that it needs, all of which the slot's `api` has to list.
        pub api: Vec<i64>,
        /// MIME type of the picture, checked against `mimes` of the slot. Default `image/png`. Markup and pages are
        /// `text/html`.
        pub mime: Option<String>,
        /// Where a click leads.
        pub clickthrough: Option<String>,
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
        /// A script to run when it is shown, where the publisher takes one.
        pub jstracker: Option<String>,
        /// Where its privacy notice is, where the publisher shows a link.
        pub privacy: Option<String>,
        /// A video, for the assets that ask for one.
        pub video: Option<LinearEntry>,
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
