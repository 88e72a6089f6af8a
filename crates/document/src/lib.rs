//! The catalog document: its objects and attributes, decoded but not yet checked against each other.
//!
//! `fixtures/catalog.schema.json` is made from these doc comments, so editors show them to authors of catalogs.

mod allowed;
pub mod check;
pub mod choices;
pub mod decode;
pub mod instant;
pub mod scalars;
pub mod templates;

pub use allowed::is_number;

use crate::allowed::{
    APP_STORE_ID, DATA_PATH, DATA_VALUE, DOMAIN, DSA_NAME, FIXED_TEXT, FIXED_URL, HOST, HTML, MARKUP, NAME,
    PREBID_CODE, PRICE_MACRO, PROVIDER, SHA_256, SKADN_CAMPAIGN, SKADN_NETWORK, SOURCE_IDENTIFIER, SSP_ID, SYNC_URL,
    URL, VAST, WORDS,
};
use crate::choices::{Approval, Authorised, CapPerson, Channel, ExchangeProfile, Pacing, Rotation, Uncalled};
use crate::decode::{ANY, JsonObject, POSITIVE, within};
use crate::scalars::{Amount, Degrees, Instant, InvoiceRatio, Times};
use base::limits::{
    MAX_CAP, MAX_CURVE_WEIGHT, MAX_FLIGHTS, MAX_MULTIPLIER, MAX_MULTIPLIERS, MAX_NOTICE_HOURS, MAX_RULE_LISTS,
    MAX_TRACKERS, MAX_WEIGHT,
};
use catalog::{Auction, Billing, CapOn, Codec, Costs, Floors, Per, PriceMissing, SellerType};
use consent::LegalBasis;

/// A template: an id, and any attributes of a campaign except its `cid`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TemplateEntry {
    /// The name by which campaigns refer to the template.
    pub id: String,
    /// The attributes that campaigns take.
    pub attributes: CampaignEntry,
    /// About the bytes that each campaign takes.
    pub bytes: usize,
}

object! {
    /// The whole catalog document.
    pub struct Document {
        /// The address of the JSON Schema, for editors, e.g. `fixtures/catalog.schema.json`. edgebid does not read it.
        pub schema as "$schema": Option<String>,
        /// The version of this format: 1.
        pub format: Option<i64> = required,
        /// Currencies that edgebid can convert. US dollars need no entry. Default: US dollars only.
        pub rates: Vec<RateEntry>,
        /// The SSPs that may send requests.
        pub ssps: Vec<SspEntry> = required,
        /// The name under which Prebid Server knows you. `site`, `app` and `user` of first-party data addressed to this
        /// name count as the request's own. Upper and lower case are the same. Default: only data addressed to all
        /// bidders (`*`) count. No effect with Prebid Server (Go), which merges such data itself and passes no
        /// `bidderconfig` on.
        pub prebid_code: String where PREBID_CODE,
        /// Your settings for GDPR. Default: not registered as a TCF vendor, so no bid where GDPR applies.
        pub privacy: PrivacyEntry,
        /// As whom frequency caps know a person (list "Cap Persons"). `household`: if the request has no id, by the address
        /// of a connected TV or set-top box (device type 3 or 7). Default `id`.
        pub cap_person: CapPerson,
        /// True: every bid carries the version of the catalog as `bid.ext.catalog`. Default false.
        pub version_in_bids: bool,
        /// The highest `max_cpm` that a campaign may have, in US dollars for a thousand impressions. It stops a price
        /// that confuses units and micros. Written as `max_cpm`, e.g. `"350"`. Default `"200"`.
        pub max_cpm_ceiling: Option<Amount>,
        /// Lists of values that several campaigns share.
        pub lists: Vec<ListEntry>,
        /// Attributes that campaigns share.
        pub templates: Vec<TemplateEntry>,
        /// The ads that campaigns show.
        pub creatives: Vec<CreativeEntry>,
        /// What you buy.
        pub campaigns: Vec<CampaignEntry>,
        /// Budgets that campaigns share.
        pub orders: Vec<OrderEntry>,
        /// Who may sell what. `edgebid supply compile` writes it.
        pub supply: Option<SupplyEntry>,
        /// What SSPs have decided about creatives. `edgebid creatives import` writes it.
        pub approvals: Vec<ApprovalEntry>,
    }

    /// Who may sell what, by the files of publishers and advertising systems.
    pub struct SupplyEntry {
        /// The day on which the files were read, e.g. `2026-11-28`.
        pub date: String = required,
        /// The files count as unknown after so many days, 1 to 365. Default 14.
        pub max_age_days: Option<i64> where within(1, 365),
        /// The advertising systems for which the files were read.
        pub systems: Vec<SystemEntry> = required,
        /// Each site with an ads.txt: its domain, and after a comma each authorised account of a system, such as
        /// `news.example,0D:pub-1,1R:77`: the position in `systems`, `D` for `DIRECT` or `R` for `RESELLER`, and the id.
        /// Each domain of an inventory partner follows a `=`, such as `=partner.example`.
        pub ads: Vec<String>,
        /// The same for each app with an app-ads.txt: its bundle comes first.
        pub app_ads: Vec<String>,
    }

    /// An advertising system.
    pub struct SystemEntry {
        /// Its domain, e.g. `exchange.example`.
        pub domain: String = required where DOMAIN.unique(),
        /// The accounts in its sellers.json, such as `P:pub-1`: `P` for a publisher, `I` for an intermediary, `B` for
        /// both, and the id. Default: it has no sellers.json.
        pub sellers: Vec<String>,
    }

    /// What an SSP has decided about a creative. It counts if the SSP has `needs_approval`.
    pub struct ApprovalEntry {
        /// `id` of the SSP.
        pub ssp: String = required,
        /// `crid` of the creative. The catalog need not have it.
        pub crid: String = required,
        /// The decision (list "Approvals").
        pub state: Option<Approval> = required,
        /// Why it is so, in the words of the SSP, e.g. `Alcohol`.
        pub reason: String,
        /// The day of the decision, e.g. `2026-11-20`.
        pub date: String,
    }

    /// A list of values, for `include_lists` and `exclude_lists` of targets. It is stored once, however many campaigns
    /// use it.
    pub struct ListEntry {
        /// The name by which targets refer to the list.
        pub id: String = required where NAME.unique(),
        /// The values, e.g. domains or app bundles. They mean what they would mean in `include` or `exclude` of the
        /// target's attribute: a domain includes its subdomains. At most 500000 in all lists together, and beside them
        /// 1000000 ranges in lists that only `ip` names.
        pub values: Vec<String> = required where ANY.some(),
    }

    /// Settings for GDPR.
    pub struct PrivacyEntry {
        /// Your id on the TCF's Global Vendor List, 1 to 65535. Default: not registered.
        pub vendor_id: Option<i64> where within(1, 65_535),
        /// Purposes that every bid needs. Default: purpose 2, by consent or legitimate interest.
        pub contextual: Vec<PurposeEntry>,
        /// Purposes that ids and segments need in addition. Default: purposes 1, 3 and 4, by consent.
        pub personal: Vec<PurposeEntry>,
        /// For a catalog without `vendor_id`, where GDPR applies. True: bid without ids and segments. False: do not
        /// bid, and show no note about it. Default: do not bid, and show the note.
        pub bid_unregistered: Option<bool>,
        /// Where GDPR applies and the request has no valid consent string. True: bid without ids and segments.
        /// Default false: do not bid.
        pub bid_without_string: Option<bool>,
        /// True: GDPR applies if the request does not say whether it does. Default false.
        pub assume_gdpr: bool,
    }

    /// A purpose of the TCF and its legal basis.
    pub struct PurposeEntry {
        /// The number of the purpose, 1 to 11 (list "TCF Purposes").
        pub purpose: i64 = required where within(1, 11),
        /// The legal basis that you declared to the Global Vendor List: `consent`, `legitimate-interest`,
        /// `flexible-consent` or `flexible-interest` (the publisher may swap these two), or `either` (list "Legal
        /// Bases"). Default `consent`.
        pub basis: Option<LegalBasis>,
    }

    /// The exchange rate of a currency.
    pub struct RateEntry {
        /// ISO 4217 code, e.g. `EUR`.
        pub cur: Option<String> = required where ANY.unique(),
        /// The value of one unit in US dollars as a decimal string, e.g. `"1.0837"`. At most 9 decimals.
        pub usd: Option<String> = required,
    }

    /// An SSP (exchange) that sends requests.
    pub struct SspEntry: Inherits {
        /// The last part of the SSP's URL, `POST /bid/:id`. Letters, digits, `-`, `_`, `.`.
        pub id: String = required where SSP_ID.unique(),
        /// The profile of a well-known exchange, e.g. `google` (list "Exchange Profiles"). The record takes the
        /// attributes that it does not name from the profile. An attribute that it names as `null` or as an empty list
        /// stays absent. Default: no profile.
        pub profile: Option<ExchangeProfile>,
        /// Its domain as an advertising system, as ads.txt files name it, e.g. `exchange.example`. Default: unknown.
        pub domain: Option<String> where DOMAIN,
        /// SHA-256, as 64 hex digits, of each bearer token that the SSP may send. Default: no token needed.
        pub credentials: Vec<String> where SHA_256,
        /// Milliseconds that the request and the response need on the network, both together, 0 to 1000. If `tmax` of a
        /// request is not above this, edgebid does not bid. Default 20.
        pub latency_ms: Option<i64> where within(0, 1000),
        /// The `tmax` that the SSP usually sends, in milliseconds, 1 to 10000. If the body is not complete by then, the
        /// answer is 204. Default 1000.
        pub tmax: i64 where within(1, 10_000),
        /// True: answer a no-bid that has an OpenRTB reason code with status 200 and `nbr`. Default false: status 204.
        pub nbr: bool,
        /// The currency of the response if the request names none, or if it names this one among others. Default: US
        /// dollars if the request names none, else the first one with a rate.
        pub cur: Option<String>,
        /// `seatbid.seat` for all seats that are not in `seats`. Default: `seat` of the campaign.
        pub seat: String where NAME,
        /// Seats that the SSP knows by another name. `wseat` and `bseat` of its requests contain these names.
        pub seats: Vec<SeatEntry>,
        /// `deal.id` of each deal agreed with the SSP. Used only to check the catalog: if any SSP lists deals, a
        /// campaign may only name deals of the SSPs that it buys from.
        pub deals: Vec<String>,
        /// True: compress the response with gzip if `Accept-Encoding` of the request allows it. Default false.
        pub gzip: bool,
        /// The largest response that the SSP takes, in bytes before gzip. A bid that does not fit is replaced by the
        /// next best one. Default: 1 MiB.
        pub max_response_bytes: i64 where within(1, 4_294_967_295),
        /// An object that goes into `bid.ext` of every bid for the SSP, such as what the SSP asks buyers to tell. Its values
        /// are strings, numbers, `true`, `false`, arrays and objects; together they have at most 2048 bytes. `catalog`,
        /// `dsa` and `skadn` are not allowed, because edgebid writes them. Default: nothing.
        pub bid_ext: Option<JsonObject>,
        /// How the SSP spells the macro of the clearing price. It replaces `${AUCTION_PRICE}` in markup and notices.
        /// Default `${AUCTION_PRICE}`.
        pub price_macro: String where PRICE_MACRO,
        /// True: edgebid fills the macros, for an SSP that fills none (such as the core of Prebid Server):
        /// `${AUCTION_ID}`, `${AUCTION_BID_ID}`, `${AUCTION_IMP_ID}`, `${AUCTION_SEAT_ID}`, `${AUCTION_CURRENCY}`,
        /// `${AUCTION_MULTIPLIER}`. It fills `${AUCTION_PRICE}` too, but only where the winner pays its bid (see
        /// `auction`), not in `lurl`, and not if `price_macro` is given. Default false.
        pub fill_macros: bool,
        /// True: the SSP takes one bid for each impression; on a dynamic pod, those bids that can be shown together. A
        /// bid under a guaranteed deal goes first, then the highest price. Default false: one bid for each deal, plus
        /// one open bid.
        pub one_bid_per_imp: bool,
        /// True: all auctions of this SSP are tests, like a request with `test` 1. Test bids are counted apart and
        /// never billed, and their `bid.id` starts with `test-`. Default false.
        pub test: bool,
        /// The address to which `GET /sync/:id` redirects the browser with your id, if the SSP keeps the match table.
        /// An `https` URL with `{buyeruid}` instead of the id. It may also contain `{gdpr}`, `{gdpr_consent}`,
        /// `{gpp}`, `{gpp_sid}` and `{us_privacy}`. Default: the SSP sends its own id as `uid`, or does not sync.
        pub sync_url: String where SYNC_URL,
        /// Hosts to which `GET /sync/:id` may redirect the browser if the call itself brings the address,
        /// `redirect=https://…` with `$UID` instead of your id. E.g. `prebid.example`, or `prebid.example:8443` if
        /// the address has a port. Default: no redirects.
        pub sync_redirect_hosts: Vec<String> where HOST,
        /// What the SSP's auctions are: `first`, if they are first-price whatever `at` of a request or a deal says; or
        /// `request`, if `at` says it (list "Auctions"). A deal's fixed price (`at` 3) stays in both. Default `request`.
        pub auction: Auction,
        /// Which floor of an impression counts for a video or audio ad: `specific`, if `mincpmpersec` and `durfloors` go
        /// before `bidfloor`; or `highest`, if the SSP enforces `bidfloor` for every ad (list "Floors"). Default
        /// `specific`.
        pub floors: Floors,
        /// The notices that nobody calls, `nurl` and `lurl` (list "Uncalled Notices"). Bids have none of them, also not
        /// those of the campaign. Default: none.
        pub uncalled: Vec<Uncalled>,
        /// Which notice bills: `burl`; `impression` (the VAST `Impression`, the native tracker, or a pixel in the
        /// banner); `both`, of which the first counts; `win`, if the SSP bills each win; or `openrtb`: `burl` for banners
        /// and native ads, `impression` for video and audio (list "Billing Notices"). Default `openrtb`.
        pub billing: Billing,
        /// What an impression costs: `notice`, the price in the notice, where it can be believed: the exchange's server
        /// sends it, or it is encoded; or `bid`, the price of the bid: the price in the notice is only compared (list
        /// "Booked Prices"). Default `notice`.
        pub price: Costs,
        /// What is booked for a billing notice without a price, such as one whose price macro the SSP has not replaced:
        /// `nothing`, or `bid`: the price of the bid, marked as assumed (list "Missing Prices").
        /// Default `nothing`.
        pub price_missing: PriceMissing,
        /// How the SSP encodes the price in notices: `plain`, `google`, `index`, `bidswitch`, `openx`, `magnite` or
        /// `unity` (list "Price Codecs"). The keys are secrets of the Worker, never in a catalog. Default `plain`.
        pub price_codec: Codec,
        /// The currency of the price in a notice that names none, as an ISO 4217 code with a rate. Default: the currency
        /// of the response.
        pub notice_cur: Option<String>,
        /// For how many impressions one showing on a screen or a television may count (`imp.qty.multiplier`), 1 to 10000.
        /// An impression that counts for more gets no bid. Default 1.
        pub max_multiplier: Option<i64> where within(1, MAX_MULTIPLIER),
        /// Hours after a bid in which its notices count, 1 to 168. Default 48.
        pub notice_hours: Option<i64> where within(1, MAX_NOTICE_HOURS),
        /// The amount of the SSP's invoices divided by what edgebid booked, as a decimal string, `"0.5"` to `"2"`, with
        /// at most 6 decimals. Budgets count the SSP's bills times this. `edgebid reconcile` computes it. Default `"1"`.
        pub invoice_ratio: Option<InvoiceRatio>,
        /// True: budgets believe prices under 5 % of the bids. Default false: they count the bids instead, because
        /// such prices are usually in another unit.
        pub low_prices: bool,
        /// True: the SSP takes only creatives that it has approved, so the others are not bid. `approvals` of the catalog
        /// has its decisions. Default false.
        pub needs_approval: bool,
    }

    /// A seat that an SSP knows by another name.
    pub struct SeatEntry {
        /// `seat` of the campaigns.
        pub seat: String = required where ANY.unique(),
        /// The name that the SSP uses.
        pub name: String = required where NAME,
    }

    /// A campaign: price, targeting and creatives.
    pub struct CampaignEntry: Inherits {
        /// The campaign's id, sent as `bid.cid`.
        pub cid: String = required where NAME.unique(),
        /// `id` of the template whose attributes the campaign takes. The campaign's own attributes replace those of the
        /// template, also as `null` or as an empty list; only `target` is joined, attribute by attribute. The template
        /// may have the attributes that a campaign needs. Default: no template.
        pub template: Option<String>,
        /// A name for people. It is never sent.
        pub name: Option<String>,
        /// The buyer seat that the SSPs know, sent as `seatbid.seat`.
        pub seat: String = required,
        /// The advertiser's domains, sent as `bid.adomain`, e.g. `ford.com`: no scheme, no path.
        pub adomain: Vec<String> = required where DOMAIN.some(),
        /// The advertised app, sent as `bid.bundle`. Default: no app is advertised.
        pub bundle: Option<String>,
        /// The advertiser's categories in the taxonomy `cattax`, sent as `bid.cat`.
        pub cat: Vec<String>,
        /// The taxonomy of `cat` (AdCOM list "Category Taxonomies"). Default 1.
        pub cattax: Option<i64>,
        /// The most that you pay for a thousand impressions, in `cur`. A decimal string such as `"2.50"`, with at most
        /// 6 decimals, at least `"0.001"`. An integer means micros, millionths of a unit: `2500000` is the same price.
        pub max_cpm: Amount = required,
        /// The currency of `max_cpm`, as an ISO 4217 code. Default `USD`.
        pub cur: Option<String>,
        /// `id` of each SSP that the campaign buys from. Default: all SSPs.
        pub ssps: Vec<String>,
        /// The deals that the campaign may bid under. An entry is the `deal.id`, or an object with the `id` and a price
        /// for this deal, e.g. `{"id": "d-2", "max_cpm": "9.00"}`.
        pub deals: Vec<DealEntry>,
        /// True: the campaign also bids without a deal. False: it bids under its `deals` only. Default true.
        pub open: Option<bool>,
        /// Where the campaign bids. Default: everywhere.
        pub target: Option<TargetEntry>,
        /// The creatives that the campaign may show: `crid` of each, or an object with `crid` and `weight`.
        pub creatives: Vec<ShownEntry> = required where ANY.some(),
        /// In which order the creatives are tried; the first one that fits is shown. `random`: drawn for each request,
        /// by `weight` if given, else evenly. `sequence`: in the order of `creatives` (list "Rotations"). Default `random`.
        pub rotation: Rotation,
        /// The URL that the exchange calls when the bid wins, sent as `bid.nurl`. The exchange fills `${AUCTION_…}`
        /// macros in it, and edgebid its own, such as `{bid.id}`.
        pub nurl: String where URL,
        /// Bid less than `max_cpm` in first-price auctions. Default: never.
        pub shading: Option<ShadingEntry>,
        /// True: in first-price auctions without a deal, edgebid bids what it has learned from won and lost bids in the
        /// same placement, and never more than `max_cpm`. Until it knows enough, it bids as `shading` says. On 2 % of
        /// the requests it always does, to compare. Default false.
        pub learn_shading: bool,
        /// Multipliers of `max_cpm`, by placement, time and person: all entries whose `when` matches are multiplied, in
        /// the order of the list, and each result is rounded down to a micro. The shaded price is multiplied alike. The
        /// result is at most `max_cpm_ceiling`. At most 16 entries. Default: always `max_cpm`.
        pub bids: Vec<BidEntry> where ANY.most(MAX_MULTIPLIERS),
        /// What the campaign may spend. Default: no limit.
        pub budget: Option<BudgetEntry>,
        /// `id` of the order whose budget the campaign spends; instead of `budget`. Default: none.
        pub budget_of: Option<String>,
        /// How the budget is spent: `even` over the day, as `curve` says, or `asap`: as soon as possible (list
        /// "Pacing"). Default `even`.
        pub pacing: Option<Pacing>,
        /// The share of the day's budget for each hour of the day in `target.zone`: 24 integers, of which only the
        /// ratios count. Default: as the traffic of the day before.
        pub curve: Vec<i64> where within(0, MAX_CURVE_WEIGHT),
        /// True: the campaign does not bid. Default false.
        pub paused: bool,
        /// The first moment at which the campaign bids, in ISO 8601 with its zone, e.g. `2026-12-01T00:00+01:00` or
        /// `2026-11-30T23:00Z`. Default: as soon as it is pushed.
        pub start: Option<Instant>,
        /// The first moment at which the campaign no longer bids, written as `start`. Default: never.
        pub end: Option<Instant>,
        /// The times in which the campaign bids, in their order, without overlaps; instead of `start` and `end`. At
        /// most 100.
        pub flights: Vec<FlightEntry> where ANY.most(MAX_FLIGHTS),
        /// How often a person may see the campaign. A person without an id that privacy allows to use may see it at any
        /// time. Needs the bidder's secret keys of notices. Default: no limit.
        pub caps: Vec<CapEntry>,
        /// What `caps` of the campaign and of its creatives count: `bill`, the billed impressions, or `bid`, all bids,
        /// those of one request together (list "Cap Counts"). Default `bill`.
        pub cap_on: CapOn,
        /// The longest time between auction and billing, in seconds, sent as `bid.exp`. An impression that may take
        /// longer gets no bid. Default: the time that the exchange asks for, or 3600 if it asks for none.
        pub exp: i64 where POSITIVE,
        /// What the ad tells under the EU's Digital Services Act, sent as `bid.ext.dsa`. Default: no bid where the
        /// request requires it.
        pub dsa: Option<DsaEntry>,
        /// What the ads say to Apple's SKAdNetwork, which counts installs of apps, sent as `bid.ext.skadn`. Needs the
        /// Worker's secret `SKADN_KEY`. Default: nothing.
        pub skadn: Option<SkadnEntry>,
        /// The URL that the exchange calls when the bid is billed, sent as `bid.burl`.
        pub burl: String where URL,
        /// The URL that the exchange calls when the bid loses, sent as `bid.lurl`.
        pub lurl: String where URL,
    }

    /// A creative that a campaign may show.
    pub struct ShownEntry from crid {
        /// `crid` of the creative.
        pub crid: String = required,
        /// How often it is drawn, compared with the weights of the others: 1 to 1000000. Give it for all creatives of
        /// the campaign or for none.
        pub weight: Option<i64> where within(1, MAX_WEIGHT),
    }

    /// A deal of a campaign, perhaps with a price of its own.
    pub struct DealEntry from id {
        /// `deal.id`.
        pub id: String = required,
        /// The most that you pay under this deal for a thousand impressions, in `cur` of the campaign. Written as
        /// `max_cpm` of the campaign, which it replaces. `shading` and `bids` do not change it. Default: `max_cpm`
        /// of the campaign.
        pub max_cpm: Option<Amount>,
        /// True: you have agreed to bid on each request under this deal. Where the request also calls it guaranteed
        /// (`guar` 1), neither pacing nor a budget that is used up holds the campaign back. Default false: what the
        /// request says changes nothing about budgets.
        pub guaranteed: bool,
    }

    /// A multiplier of `max_cpm`.
    pub struct BidEntry {
        /// What the request must be like. It takes all attributes of `target`, with the same meaning.
        pub when: Option<TargetEntry> = required,
        /// The factor as a decimal string with at most 6 decimals, `"0.01"` to `"100"`: `"1.25"` is 25 % more, `"0.8"`
        /// is 20 % less.
        pub times: Option<Times> = required,
    }

    /// A time in which a campaign bids.
    pub struct FlightEntry {
        /// Its first moment, in ISO 8601 with its zone, e.g. `2026-12-01T00:00+01:00` or `2026-11-30T23:00Z`.
        pub start: Option<Instant> = required,
        /// The first moment after it, written as `start`. Only the last flight may have none. Default: never.
        pub end: Option<Instant>,
        /// What the campaign may spend in this flight; what it leaves is not carried over. Then every flight has a
        /// budget, starts and ends at a midnight in `target.zone` (UTC without a zone), and the campaign has no `budget`.
        pub budget: Option<BudgetEntry>,
    }

    /// A budget that campaigns share (an insertion order).
    pub struct OrderEntry {
        /// Its id, which no campaign has as `cid`.
        pub id: String = required where NAME.unique(),
        /// A name for people. It is never sent.
        pub name: Option<String>,
        /// What all campaigns with this `budget_of` may spend together.
        pub budget: Option<BudgetEntry> = required,
        /// How the budget is spent, as `pacing` of a campaign. Default `even`.
        pub pacing: Option<Pacing>,
        /// The share of the day's budget for each hour of the day in `zone`, as `curve` of a campaign. Default: as the
        /// traffic of the day before.
        pub curve: Vec<i64> where within(0, MAX_CURVE_WEIGHT),
        /// The time zone of the days of `budget`, as an IANA name, e.g. `Europe/Berlin`. Default: UTC.
        pub zone: Option<String>,
        /// The currency of `budget` and of all its campaigns, as an ISO 4217 code. Default `USD`.
        pub cur: Option<String>,
    }

    /// What a campaign may spend, in `cur`. Bids stop when the bills that have come and those that are still expected
    /// reach the budget. Give one of the two, or both.
    pub struct BudgetEntry {
        /// The most for a day, in whole units such as dollars. The day is that of `target.zone`, without a zone the day
        /// in UTC. A decimal string such as `"50"`, with at most 6 decimals. An integer means millionths of a unit.
        pub daily: Option<Amount>,
        /// The most for the whole campaign, written as `daily`.
        pub total: Option<Amount>,
    }

    /// A frequency cap: the most impressions that a person may see in a time.
    pub struct CapEntry {
        /// The number of impressions, 1 to 1000.
        pub n: i64 = required where within(1, MAX_CAP),
        /// The time, which ends now: `hour`, `day` (24 hours), `week` (7 days), or `lifetime`, which ends 180 days after
        /// the last impression (list "Cap Periods"). One cap for each.
        pub per: Option<Per> = required,
    }

    /// What the ad tells under the EU's Digital Services Act (IAB community extension `dsa_transparency`).
    pub struct DsaEntry {
        /// On whose behalf the ad is shown, e.g. `Acme Ltd.`. At most 100 bytes.
        pub behalf: String = required where DSA_NAME,
        /// Who paid for the ad. Needed even if it is the same as `behalf`. At most 100 bytes.
        pub paid: String = required where DSA_NAME,
        /// 1: the ad shows the information itself. 0: the publisher shows it (list "DSA Rendering"). Default 0.
        pub adrender: i64 where within(0, 1),
        /// The companies that used data of the person to choose the ad.
        pub transparency: Vec<TransparencyEntry>,
    }

    /// What the ads of a campaign say to Apple's SKAdNetwork (IAB community extension `skadnetwork`, versions 2.0 to 4.0).
    /// A bid has the newest version that the impression offers and that the campaign has a number for.
    pub struct SkadnEntry {
        /// The id of your advertising network at Apple, e.g. `abc123.skadnetwork`.
        pub network: String = required where SKADN_NETWORK,
        /// The network's number in the IAB Tech Lab's list of SKAdNetwork ids. Some apps name only a range of this list.
        /// Default: unknown.
        pub list_id: i64 where POSITIVE,
        /// The id of the advertised app in the App Store, e.g. `"123456789"`.
        pub itunesitem: String = required where APP_STORE_ID,
        /// The campaign's number for version 4.0, `"1"` to `"9999"`. Default: no bids in this version.
        pub sourceidentifier: String where SOURCE_IDENTIFIER,
        /// The campaign's number for versions 2.0 to 3.0, `"1"` to `"100"`. Default: no bids in these versions.
        pub campaign: String where SKADN_CAMPAIGN,
        /// True: the campaign bids only where the bid can carry it. False: it bids elsewhere too, without it. Default
        /// false.
        pub required: bool,
    }

    /// A company that used data of the person, and which data.
    pub struct TransparencyEntry {
        /// The domain of the company, e.g. `bidder.example`.
        pub domain: String = required where DOMAIN,
        /// The data that the company used: 1 = profiling, 2 = basic advertising, 3 = precise location (list "DSA
        /// Parameters").
        pub dsaparams: Vec<i64> = required where within(1, 3).some(),
    }

    /// Bid shading: in a first-price auction, edgebid bids the price with the highest expected gain. It assumes that a
    /// bid `b` wins with the chance `b^steepness / (b^steepness + typical^steepness)`. The method is the surplus
    /// maximisation of Pan et al., "Bid Shading by Win-Rate Estimation and Surplus Maximization" (2020).
    pub struct ShadingEntry {
        /// The price that wins half of the auctions, in the currency of the campaign. Written as `max_cpm`, e.g.
        /// `"1.80"`.
        pub typical: Amount = required,
        /// How sharply the chance to win depends on the price, 1 to 4.
        pub steepness: i64 = required where within(1, 4),
    }

    /// Where a campaign bids. Every rule that is given must hold.
    pub struct TargetEntry: Inherits {
        /// Any of `site`, `app`, `dooh` (list "Channels"). Default: all of them.
        pub channel: Vec<Channel>,
        /// ISO 3166-1 alpha-3 codes, e.g. `DEU`: the country of the device, else of the user. A two-letter code in a
        /// request means the same country.
        pub country: Option<TextsEntry>,
        /// ISO 3166-2 codes, as the exchange sends them. Give `country` too: many countries have the same codes.
        pub region: Option<TextsEntry>,
        /// Metro codes.
        pub metro: Option<TextsEntry>,
        /// City names or codes, as the exchange sends them.
        pub city: Option<TextsEntry>,
        /// Postal codes.
        pub zip: Option<TextsEntry>,
        /// Circles around locations.
        pub radius: Option<CirclesEntry>,
        /// Types of the device, e.g. 4 = phone, 5 = tablet (AdCOM list "Device Types").
        pub devicetype: Option<NumbersEntry>,
        /// Manufacturers of the device, e.g. `Apple`.
        pub make: Option<TextsEntry>,
        /// Models of the device, as the request spells them: `iPhone14,5` is another model than `iPhone`.
        pub model: Option<TextsEntry>,
        /// Versions of the device's hardware, as the exchange sends them, e.g. `5S`.
        pub hwv: Option<TextsEntry>,
        /// Operating systems, e.g. `iOS`.
        pub os: Option<TextsEntry>,
        /// Versions of the operating system.
        pub osv: Option<VersionsEntry>,
        /// Browsers: `Chrome`, `Safari`, `Firefox`, `Edge`, `Opera`, `Samsung Internet`, or a brand that the browser
        /// itself sends.
        pub browser: Option<TextsEntry>,
        /// Languages of the device, as ISO 639-1 codes, e.g. `de`.
        pub language: Option<TextsEntry>,
        /// Types of the connection, e.g. 2 = Wi-Fi (AdCOM list "Connection Types").
        pub connectiontype: Option<NumbersEntry>,
        /// Carriers, as the exchange sends them.
        pub carrier: Option<TextsEntry>,
        /// Kinds of the device's id, e.g. `rida`, `tifa`, `aaid`, `ppid`: `device.ifa_type`, else
        /// `device.ext.ifa_type`.
        pub ifa_type: Option<TextsEntry>,
        /// Addresses of devices (`device.ip`, `device.ipv6`), by lists of ranges such as `203.0.113.0/24`.
        pub ip: Option<AddressesEntry>,
        /// Domains of sites and apps. A domain includes its subdomains. If a site has no `domain`, the domain of its
        /// `page` counts, then that of its publisher; for apps and screens, that of the publisher.
        pub domain: Option<TextsEntry>,
        /// App bundles.
        pub bundle: Option<TextsEntry>,
        /// True: only paid apps. False: only free apps. Default: both, and sites and screens too.
        pub paid: Option<bool>,
        /// Ids of publishers: `publisher.id`.
        pub publisher: Option<TextsEntry>,
        /// Ids of sites, apps and screens: `site.id`, `app.id`, `dooh.id`.
        pub id: Option<TextsEntry>,
        /// Types of the screen's venue, in the taxonomy `venuetypetax`, as the exchange sends them. In OpenOOH, a type
        /// includes those below it: `1` and `transit` include `101`, `10101` and `transit.airports`.
        pub venuetype: Option<TextsEntry>,
        /// The taxonomy of `venuetype` (AdCOM list "DOOH Venue Taxonomies"). 1 and 5, which are versions of OpenOOH,
        /// mean the same. Default 1.
        pub venuetypetax: Option<i64>,
        /// Placements: `imp.tagid`.
        pub tagid: Option<TextsEntry>,
        /// Placements by their global id: `imp.ext.gpid`, else `imp.ext.data.pbadslot`.
        pub gpid: Option<TextsEntry>,
        /// Categories of site, section, page or content, in the taxonomy `cattax`.
        pub cat: Option<TextsEntry>,
        /// The taxonomy of `cat` (AdCOM list "Category Taxonomies"). Default 1.
        pub cattax: Option<i64>,
        /// Genres of the content: `content.genre`, or one of `content.genres`.
        pub genre: Option<TextsEntry>,
        /// Ids of the content, as the exchange gives them: `content.id`.
        pub content_id: Option<TextsEntry>,
        /// Titles of the content, e.g. `Search Committee`.
        pub title: Option<TextsEntry>,
        /// Series, e.g. `The Office`.
        pub series: Option<TextsEntry>,
        /// Seasons, as the exchange writes them, e.g. `Season 3` or `3`.
        pub season: Option<TextsEntry>,
        /// Numbers of the episode.
        pub episode: Option<NumbersEntry>,
        /// Artists.
        pub artist: Option<TextsEntry>,
        /// Albums.
        pub album: Option<TextsEntry>,
        /// Recordings, by their International Standard Recording Code.
        pub isrc: Option<TextsEntry>,
        /// Taxonomies of `content.genres`, e.g. 9 (AdCOM list "Category Taxonomies"). Genres without one are of 9.
        pub gtax: Option<NumbersEntry>,
        /// Ratings of the content, e.g. `PG-13`.
        pub contentrating: Option<TextsEntry>,
        /// True: only scheduled (linear) broadcasts. False: only others, e.g. video on demand. Default: both.
        pub livestream: Option<bool>,
        /// True: only events that happen while they are watched. False: only others, e.g. replays. Default: both.
        pub realtime: Option<bool>,
        /// True: only content that is shown for the first time. False: only repeats. Default: both.
        pub firstbroadcast: Option<bool>,
        /// Languages of the content, as ISO 639-1 codes, e.g. `de`.
        pub content_language: Option<TextsEntry>,
        /// Names of the network that shows the content.
        pub network: Option<TextsEntry>,
        /// Names of the channel that shows the content.
        pub content_channel: Option<TextsEntry>,
        /// Segments of the content: those of `content.data`.
        pub content_segment: Option<SegmentsEntry>,
        /// Ids that providers give the content: `content.data[].cids`, else `content.data[].ext.cids`. Without `segtax`.
        pub cids: Option<SegmentsEntry>,
        /// Keywords of site, app, content or user.
        pub keywords: Option<TextsEntry>,
        /// Positions on the screen (AdCOM list "Placement Positions"). `pos`, `plcmt`, `startdelay`, `playbackmethod`,
        /// `podseq`, `slotinpod` and `topframe` are compared with the banner, video or audio object that the ad would
        /// fill.
        pub pos: Option<NumbersEntry>,
        /// Measurements that the placement must reach.
        pub metric: Vec<MetricEntry>,
        /// True: only interstitials. False: only others. Default: both.
        pub instl: Option<bool>,
        /// True: only rewarded placements. False: only others. Default: both.
        pub rwdd: Option<bool>,
        /// Who measured how many people see a screen (`qty.multiplier`): 1 = the vendor `qty_vendor`, 2 = publisher,
        /// 3 = exchange (AdCOM list "DOOH Multiplier Measurement Source Types").
        pub sourcetype: Option<NumbersEntry>,
        /// Domains of the companies that measured it, e.g. `geopath.org` (`qty.vendor`).
        pub qty_vendor: Option<TextsEntry>,
        /// Types of the video placement, e.g. 1 = instream (AdCOM list "Plcmt Subtypes - Video").
        pub plcmt: Option<NumbersEntry>,
        /// When the ad plays, in seconds after the start of the content. 0 = pre-roll, -1 = mid-roll, -2 = post-roll
        /// (AdCOM list "Start Delay Modes").
        pub startdelay: Option<NumbersEntry>,
        /// How the video starts, and with which sound (AdCOM list "Playback Methods").
        pub playbackmethod: Option<NumbersEntry>,
        /// Position of the pod in the content: 1 = first, -1 = last, 0 = any (AdCOM list "Pod Sequence").
        pub podseq: Option<NumbersEntry>,
        /// Position in the pod: 1 = first, -1 = last, 0 = any (AdCOM list "Slot Position in Pod"). If the exchange
        /// offers "first or last", both match. For a dynamic pod, the bid asks for the included position
        /// (`bid.slotinpod`).
        pub slotinpod: Option<NumbersEntry>,
        /// True: only banners in the top frame. False: only banners in an iframe. Default: both.
        pub topframe: Option<bool>,
        /// Segments of the person: those of `user.data`.
        pub segment: Option<SegmentsEntry>,
        /// Sources of the person's extended ids, e.g. `id5-sync.com`. A source without a usable id does not count.
        pub eids: Option<TextsEntry>,
        /// Domains of those who put extended ids with a usable id into the request.
        pub inserter: Option<TextsEntry>,
        /// Domains of those who matched extended ids with a usable id. An id without a matcher was matched by its source.
        pub matcher: Option<TextsEntry>,
        /// How the ids for `eids` were matched; ids matched in another way are not used. 0 = unknown,
        /// 1 = not matched, 2 = cookie sync, 3 = authenticated, 4 = observed, 5 = inferred (AdCOM list "ID Match
        /// Methods"). Default: all of them.
        pub mm: Option<NumbersEntry>,
        /// True: only people whose id of yours the exchange knows (`user.buyeruid`). Default false: all people.
        pub buyeruid: Option<bool>,
        /// What the publisher's own data must say: `ext.data` of the site, app, screen, impression or user. All entries
        /// must hold.
        pub data: Vec<DataRuleEntry>,
        /// Years of birth, e.g. `"min": 1980`.
        pub yob: Option<RangeEntry>,
        /// Hours of the week in which the campaign bids. Default: always.
        pub hours: Vec<HoursEntry>,
        /// The time zone of `hours` and of the days of `budget`, as an IANA name, e.g. `Europe/Berlin`. Default: the
        /// person's own time for `hours`, UTC for `budget`. Many requests do not say the person's own time
        /// (`utcoffset`); then a campaign with `hours` does not bid.
        pub zone: Option<String>,
        /// What the supply chain must be like.
        pub schain: Option<SchainEntry>,
        /// What ads.txt, app-ads.txt and sellers.json must say about who sells. `supply` of the catalog has these files.
        pub supply: Option<SupplyRuleEntry>,
    }

    /// A rule over texts.
    pub struct TextsEntry {
        /// Only these values. A request that does not tell its value does not match. Default: all values.
        pub include: Vec<String> where ANY.some(),
        /// None of these values. A request that does not tell its value matches, unless `exclude_unknown` is true.
        pub exclude: Vec<String>,
        /// True: a request that does not tell its value does not match, even if the rule only excludes. Data that
        /// privacy law forbids to use count as not told. Default false.
        pub exclude_unknown: Option<bool>,
        /// `id` of each list whose values are included too.
        pub include_lists: Vec<String> where ANY.some().most(MAX_RULE_LISTS),
        /// `id` of each list whose values are excluded too.
        pub exclude_lists: Vec<String> where ANY.most(MAX_RULE_LISTS),
    }

    /// A rule over addresses.
    pub struct AddressesEntry {
        /// `id` of each list of ranges: only addresses in one of them. A request that does not tell its address does not
        /// match. Default: all addresses.
        pub include_lists: Vec<String> where ANY.some(),
        /// `id` of each list of ranges: no addresses in any of them. A request that does not tell its address matches,
        /// unless `exclude_unknown` is true.
        pub exclude_lists: Vec<String>,
        /// True: a request that does not tell its address does not match, even if the rule only excludes. An address that
        /// is cut short, or that privacy law forbids to use, counts as not told. Default false.
        pub exclude_unknown: Option<bool>,
    }

    /// A rule over numbers.
    pub struct NumbersEntry {
        /// Only these values. A request that does not tell its value does not match. Default: all values.
        pub include: Vec<i64> where ANY.some(),
        /// None of these values. A request that does not tell its value matches, unless `exclude_unknown` is true.
        pub exclude: Vec<i64>,
        /// True: a request that does not tell its value does not match, even if the rule only excludes. Data that
        /// privacy law forbids to use count as not told. Where 0 means unknown or any, it tells nothing. Default false.
        pub exclude_unknown: Option<bool>,
    }

    /// A rule over locations.
    pub struct CirclesEntry {
        /// Only locations inside one of these circles. Default: all locations.
        pub include: Vec<CircleEntry> where ANY.some(),
        /// No locations inside these circles. A request that does not tell its location matches, unless
        /// `exclude_unknown` is true.
        pub exclude: Vec<CircleEntry>,
        /// True: a request that does not tell its location does not match, even if the rule only excludes. Data that
        /// privacy law forbids to use count as not told. Default false.
        pub exclude_unknown: Option<bool>,
    }

    /// A circle around a location.
    pub struct CircleEntry {
        /// Latitude in degrees as a decimal string, north positive, e.g. `"52.5200"`.
        pub lat: Option<Degrees> = required,
        /// Longitude in degrees as a decimal string, east positive, e.g. `"13.4050"`.
        pub lon: Option<Degrees> = required,
        /// The radius in metres, 1 to 20000000.
        pub metres: Option<i64> = required where within(1, 20_000_000),
    }

    /// A range of versions, both ends included. Only the parts that both versions have are compared: `"max": "17"`
    /// includes 17.5.
    pub struct VersionsEntry {
        /// The lowest version, e.g. `"16.4"`. Default: no lower end.
        pub min: Option<String>,
        /// The highest version. Default: no upper end.
        pub max: Option<String>,
    }

    /// A range of numbers, both ends included.
    pub struct RangeEntry {
        /// The lowest number. Default: no lower end.
        pub min: Option<i64>,
        /// The highest number. Default: no upper end.
        pub max: Option<i64>,
    }

    /// A measurement that the placement must reach (`imp.metric`).
    pub struct MetricEntry {
        /// What is measured, e.g. `viewability`.
        pub kind as "type": Option<String> = required,
        /// Who measured it. Default: any vendor.
        pub vendor: Option<String>,
        /// The lowest value as a decimal string, e.g. `"0.7"`.
        pub min: Option<String> = required,
    }

    /// A rule over the publisher's own data at a path. Upper and lower case of the letters a to z are the same. Numbers are
    /// compared as the request writes them, `true` and `false` as these words. Each item of a list counts; an object,
    /// `null` and the empty text are no value.
    pub struct DataRuleEntry {
        /// Where the value is: `site.ext.data.`, `app.ext.data.`, `dooh.ext.data.`, `imp.ext.data.` or `user.ext.data.`,
        /// and up to 8 names of attributes with points between them, e.g. `site.ext.data.section`. A path leads through
        /// objects, not through lists. At most 256 bytes. At most 16 different paths in a catalog.
        pub path: Option<String> = required where DATA_PATH,
        /// Only these values, e.g. `sport`, `4`, `true`. A request that does not tell its value does not match. Default:
        /// all values.
        pub include: Vec<String> where DATA_VALUE.some(),
        /// None of these values. A request that does not tell its value matches, unless `exclude_unknown` is true.
        pub exclude: Vec<String> where DATA_VALUE,
        /// True: a request that does not tell its value does not match, even if the rule only excludes. Data that
        /// privacy law forbids to use count as not told. Default false.
        pub exclude_unknown: Option<bool>,
    }

    /// A rule over segments.
    pub struct SegmentsEntry {
        /// Only requests with at least one of these segments. Default: all requests.
        pub include: Vec<SegmentEntry> where ANY.some(),
        /// No requests with any of these segments. A request that tells no segments matches, unless `exclude_unknown` is
        /// true.
        pub exclude: Vec<SegmentEntry>,
        /// True: a request that does not tell its segments does not match, even if the rule only excludes. Data that
        /// privacy law forbids to use count as not told. Default false.
        pub exclude_unknown: Option<bool>,
    }

    /// A segment of a data provider, or an id that it gives the content. `provider`, `segtax`, or both say whose.
    pub struct SegmentEntry {
        /// The provider's id or name: `data.id` or `data.name`. Default: any provider.
        pub provider: Option<String> where PROVIDER,
        /// The taxonomy of the segment, e.g. 4: `data.ext.segtax` (AdCOM list "Category Taxonomies"). Segments of another
        /// taxonomy do not match, nor do segments whose taxonomy the request does not tell. Default: any taxonomy.
        pub segtax: Option<i64>,
        /// The segment's id: `segment.id`. For `cids`, the content's id.
        pub id: Option<String> = required,
    }

    /// A part of the week, e.g. Monday to Friday from 8 to 20. Hours over midnight need two entries.
    pub struct HoursEntry {
        /// Days, 1 = Monday to 7 = Sunday (list "Days of the Week"). Default: every day.
        pub days: Vec<i64> where within(1, 7),
        /// The first hour, 0 to 23.
        pub from: Option<i64> = required where within(0, 24),
        /// The hour at which the time ends, 1 to 24, not included.
        pub to: Option<i64> = required where within(0, 24),
    }

    /// What the supply chain must be like.
    pub struct SchainEntry {
        /// True: the chain must be complete, and must end at the `domain` of the SSP, if its record has one. Default false.
        pub complete: Option<bool>,
        /// The highest number of nodes. Default: no limit.
        pub max_nodes: Option<i64>,
        /// Advertising systems of the nodes. All nodes must be in `include`, and none in `exclude`.
        pub asi: Option<SystemsEntry>,
    }

    /// What the files of publishers and advertising systems must say. A seller that they refuse gets no bid.
    pub struct SupplyRuleEntry {
        /// `known`: only sellers that the files refuse get no bid. `require`: the files must authorise the seller (list
        /// "Authorised Sellers"). Default `known`.
        pub authorised: Authorised,
        /// True: the only seller must be an account of the site's or app's owner (`DIRECT`). Default false.
        pub direct_only: bool,
        /// The types that the first seller may have in sellers.json (list "Seller Types"). Default: any, also an unknown
        /// one.
        pub seller_types: Vec<SellerType>,
    }

    /// A rule over the systems of a supply chain.
    pub struct SystemsEntry {
        /// Only these systems. A request without a chain does not match. Default: all systems.
        pub include: Vec<String> where ANY.some(),
        /// None of these systems. A request without a chain matches, unless `exclude_unknown` is true.
        pub exclude: Vec<String>,
        /// True: the request must have a chain with nodes that all name their system. Default false.
        pub exclude_unknown: Option<bool>,
    }

    /// An ad. It has exactly one of `banner`, `video`, `audio`, `native`. Its markup, its texts and its URLs, except `iurl`,
    /// may have macros such as `{bid.id}`.
    pub struct CreativeEntry one of ("banner", "video", "audio", "native") {
        /// The creative's id, sent as `bid.crid`.
        pub crid: String = required where NAME.unique(),
        /// The id that the exchange gave to a preloaded ad, sent as `bid.adid`.
        pub adid: String,
        /// The advertiser's domains, sent as `bid.adomain`. Default: `adomain` of the campaign.
        pub adomain: Vec<String> where DOMAIN,
        /// The advertised app, sent as `bid.bundle`. Default: `bundle` of the campaign.
        pub bundle: Option<String>,
        /// The advertiser's categories, sent as `bid.cat`. Default: `cat` and `cattax` of the campaign.
        pub cat: Vec<String>,
        /// The taxonomy of `cat` (AdCOM list "Category Taxonomies"). Default 1.
        pub cattax: Option<i64>,
        /// What the creative does, sent as `bid.attr` (AdCOM list "Creative Attributes").
        pub attr: Vec<i64>,
        /// API frameworks that the creative needs, sent as `bid.apis` (AdCOM list "API Frameworks").
        pub api: Vec<i64>,
        /// ISO 639-1 code of the language, e.g. `en`; `xx` for an ad without words. Default: unknown.
        pub language: Option<String>,
        /// True: code or trackers of the creative must run on the person's device, so server-side ad insertion alone is
        /// not enough. Default false.
        pub clientside: bool,
        /// The URL of a picture of the creative, for the exchange's review, sent as `bid.iurl`.
        pub iurl: String where FIXED_URL,
        /// How often a person may see the creative, in all campaigns together. Default: no limit.
        pub caps: Vec<CapEntry>,
        /// The creative is a banner.
        pub banner: Option<BannerEntry>,
        /// The creative is a video ad.
        pub video: Option<LinearEntry>,
        /// The creative is an audio ad.
        pub audio: Option<LinearEntry>,
        /// The creative is a native ad.
        pub native: Option<NativeEntry>,
    }

    /// A banner. It has either `w` and `h`, or `wratio` and `hratio`.
    pub struct BannerEntry {
        /// Width in density-independent pixels.
        pub w: Option<i64> where POSITIVE,
        /// Height in density-independent pixels.
        pub h: Option<i64> where POSITIVE,
        /// Width of the ratio that the banner keeps at any size, e.g. 16 of 16:9.
        pub wratio: Option<i64> where POSITIVE,
        /// Height of the ratio that the banner keeps at any size, e.g. 9 of 16:9.
        pub hratio: Option<i64> where POSITIVE,
        /// With a ratio: the smallest width in density-independent pixels. Default 1.
        pub wmin: Option<i64>,
        /// Directions in which the banner expands (AdCOM list "Expandable Directions").
        pub expdir: Vec<i64>,
        /// The type of the markup: 1 = XHTML text, 2 = XHTML banner, 3 = JavaScript, 4 = iframe (list "Banner Ad
        /// Types"). Default: unknown.
        pub btype: i64 where within(1, 4),
        /// The MIME type of the markup, compared with `banner.mimes`. Default `text/html`.
        pub mime: Option<String>,
        /// The markup, sent as `bid.adm`.
        pub adm: String = required where MARKUP,
    }

    /// A video or audio ad. It has either `media`, from which edgebid writes the VAST document, or a ready VAST
    /// document in `adm`.
    pub struct LinearEntry {
        /// Duration in seconds, sent as `bid.dur`.
        pub dur: i64 = required where POSITIVE,
        /// VAST or DAAST version, e.g. 2 = VAST 2.0, 3 = VAST 3.0, 7 = VAST 4.0 (AdCOM list "Creative Subtypes -
        /// Audio/Video"). Wrappers have their own numbers, e.g. 6 for a VAST 3.0 wrapper.
        pub protocol: Option<i64> = required,
        /// Width in pixels (video).
        pub w: i64,
        /// Height in pixels (video).
        pub h: i64,
        /// 1 = linear, 2 = non-linear (AdCOM list "Linearity Modes"). Default 1.
        pub linearity: Option<i64> where within(1, 2),
        /// The files to play. A request gets those files that its player takes.
        pub media: Vec<MediaEntry>,
        /// The URL that a click opens.
        pub clickthrough: String where URL,
        /// URLs that the player calls when it shows the ad: VAST `Impression`.
        pub impression: Vec<String> where URL,
        /// URLs that the player calls while it plays the ad: VAST `Tracking`. This attribute and those up to
        /// `interactive` need `media`; a document in `adm` has its own.
        pub tracking: Vec<TrackingEntry> where ANY.most(MAX_TRACKERS),
        /// URLs that the player calls if it cannot play the ad: VAST `Error`. VAST 2.0 and 3.0 have one at most.
        pub error: Vec<String> where URL.most(MAX_TRACKERS),
        /// URLs that the player calls on a click: VAST `ClickTracking`.
        pub clicktracking: Vec<String> where URL.most(MAX_TRACKERS),
        /// Seconds after which a person may skip the ad, less than `dur` (video, from VAST 3.0 on). `attr` of the
        /// creative must list 16: the ad can be skipped. Default: the ad does not offer it.
        pub skipoffset: Option<i64>,
        /// Scripts that measure the ad with Open Measurement (OMID): VAST `AdVerifications`. Where the player has no
        /// OMID, the ad plays without them; to bid only where the player has it, list 7 in `api` of the creative.
        pub verification: Vec<VerificationEntry> where ANY.most(MAX_TRACKERS),
        /// The URL of the page that makes the video interactive: a SIMID `InteractiveCreativeFile` (video, from VAST 4.1
        /// on). `api` of the creative must list 8 = SIMID 1.0.
        pub interactive: String where URL,
        /// Banners to show beside the ad, if the player has room: VAST `CompanionAds`.
        pub companions: Vec<CompanionEntry>,
        /// True: the ad bids only where one of its `companions` can be shown. Default false.
        pub companion_required: bool,
        /// A ready VAST document, instead of `media` and `companions`.
        pub adm: Option<String> where VAST,
        /// MIME types that the document in `adm` plays, compared with `mimes` of the request. Required with `adm`.
        pub mimes: Vec<String>,
    }

    /// A URL that the player calls while it plays a video or audio ad.
    pub struct TrackingEntry {
        /// The event of VAST, e.g. `start`, `firstQuartile`, `midpoint`, `thirdQuartile`, `complete`, `mute`, `skip`. It
        /// must be an event of the VAST version in `protocol`.
        pub event: Option<String> = required,
        /// The URL.
        pub url: String = required where URL,
        /// With the event `progress`: the second of the ad at which it happens, at most `dur`.
        pub offset: Option<i64>,
    }

    /// A script that measures the ad with Open Measurement (OMID).
    pub struct VerificationEntry {
        /// The vendor's key, e.g. `measure.example-omid`.
        pub vendor: String = required where NAME,
        /// The URL of the script.
        pub url: String = required where URL,
        /// What the vendor wants the script to get: VAST `VerificationParameters`. Default: nothing.
        pub params: Option<String> where FIXED_TEXT,
        /// The URL that the player calls if it does not run the script: the VAST event `verificationNotExecuted`.
        pub not_executed: String where URL,
    }

    /// A file of a video or audio ad.
    pub struct MediaEntry {
        /// The URL of the file.
        pub url: String = required where URL,
        /// The MIME type of the file, e.g. `video/mp4`.
        pub mime: String = required,
        /// The bit rate in kilobits per second. Default: unknown, and not compared with the request.
        pub bitrate: Option<i64>,
        /// 1 = streaming, 2 = progressive, 3 = download (AdCOM list "Delivery Methods"). Default 2.
        pub delivery: Option<i64>,
        /// Width in pixels. Default: `w` of the ad.
        pub w: Option<i64>,
        /// Height in pixels. Default: `h` of the ad.
        pub h: Option<i64>,
        /// `VPAID` for a script that plays the ad; `api` of the creative must list 1 = VPAID 1.0 or 2 = VPAID 2.0. Default:
        /// the file is played as it is.
        pub api: Option<String>,
    }

    /// A banner beside a video or audio ad. It has exactly one of `static`, `html`, `iframe`.
    pub struct CompanionEntry one of ("static", "html", "iframe") {
        /// Width in pixels.
        pub w: i64 = required where POSITIVE,
        /// Height in pixels.
        pub h: i64 = required where POSITIVE,
        /// The URL of a picture (AdCOM companion type 1).
        pub image as "static": Option<String> where URL,
        /// Markup (AdCOM companion type 2).
        pub html: Option<String> where HTML,
        /// The URL of a page (AdCOM companion type 3).
        pub iframe: String where URL,
        /// The type of the markup, compared with `btype` of the slot: 1 = XHTML text,
        /// 2 = XHTML banner, 3 = JavaScript, 4 = iframe (list "Banner Ad Types"). Default: 4 for `iframe`, else
        /// unknown.
        pub btype: Option<i64>,
        /// What the companion does, compared with `battr` of the slot (AdCOM list "Creative Attributes").
        pub attr: Vec<i64>,
        /// API frameworks that the companion needs (AdCOM list "API Frameworks"). `api` of the slot must list all of
        /// them.
        pub api: Vec<i64>,
        /// MIME type of the picture in `static`, compared with `mimes` of the slot. Default `image/png`. `html` and
        /// `iframe` count as `text/html`.
        pub mime: Option<String>,
        /// The URL that a click opens.
        pub clickthrough: String where URL,
    }

    /// A native ad: the assets that can fill the assets of a request.
    pub struct NativeEntry {
        /// The title.
        pub title: String = required where WORDS,
        /// Images.
        pub img: Vec<ImgEntry>,
        /// Texts, such as a description or a call to action.
        pub data: Vec<DataEntry>,
        /// The URL that a click opens.
        pub link: String = required where URL,
        /// URLs that are called when the ad is shown.
        pub imptrackers: Vec<String> where URL,
        /// The URL of a script that runs when the ad is shown, if the publisher takes one.
        pub jstracker: String where URL,
        /// The URL of the privacy notice, if the publisher shows a link to it.
        pub privacy: String where URL,
        /// A video, for requests that ask for one.
        pub video: Option<LinearEntry>,
    }

    /// An image of a native ad.
    pub struct ImgEntry {
        /// The type of the image: 1 = icon, 3 = main image (AdCOM list "Native Image Asset Types").
        pub kind as "type": i64 = required,
        /// The URL of the image.
        pub url: String = required where URL,
        /// Width in pixels.
        pub w: i64 = required where POSITIVE,
        /// Height in pixels.
        pub h: i64 = required where POSITIVE,
    }

    /// A text of a native ad.
    pub struct DataEntry {
        /// The type of the text, e.g. 1 = sponsored, 2 = description, 12 = call to action (AdCOM list "Native Data Asset
        /// Types").
        pub kind as "type": i64 = required,
        /// The text.
        pub value: String = required where WORDS,
    }
}

impl CampaignEntry {
    /// Whether the campaign buys from the SSP with this id.
    pub fn buys_from(&self, ssp: &str) -> bool {
        self.ssps.is_empty() || self.ssps.iter().any(|own| own == ssp)
    }
}
