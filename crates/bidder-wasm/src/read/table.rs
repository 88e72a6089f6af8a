//! The table of all attributes that the reader reads, one row each.
//!
//! ```text
//! Kind if NEED, Variant without(name …) => shape, then(function) {
//!     [number] name: reading -> field if NEED as KEPT,
//! }
//! ```
//!
//! - `number` is the field number in the IAB Tech Lab's `openrtb.proto` for OpenRTB 2.6
//!   (<https://github.com/InteractiveAdvertisingBureau/openrtb2.x>), `_` without such a field. A kind with variants has a
//!   number for itself and for each variant, in their order. `(1 or 50)`: a text in field 1, a message in field 50.
//! - `Kind` is a kind of object. A `Variant` has the same rows, except those in `without`.
//! - `shape` is the type with the fields. `then` is a function that runs after the rows.
//! - `if NEED` names a field of [`Needs`]. A row that the catalog does not need is skipped like an unknown name.
//! - `if always` reads a row even if its kind is not needed.
//! - `as KEPT` says what a request that is kept for replay has of the value, if not all: an `identifier` of a person or
//!   a device is left out. The other words are in [`spec::Kept`].
//! - `or` gives the value for an absent or unreadable attribute.
//! - `a -> x & b -> y` reads one value in two ways.
//! - A row without a field is read by the `then` function, [`super::native`] or [`super::first_party`]. Its reading then
//!   only says the type.
//!
//! A reading is a method of [`Values`] or one of these:
//! - `object(Kind)`: an object; the field is an `Option` of its shape.
//! - `object_ref(Kind)`: like `object`, but the object is in the arena.
//! - `list(Kind)`: a list of objects. Their number is limited by [`super::size_limit`].
//! - `nested(Kind)`: an object; the field is the shape itself, not an `Option`.
//! - `nested_always(Kind)`: like `nested`, but an absent object still gets the `or` values of its rows.
//! - `flatten(Kind)`: an object whose rows fill the shape of the object around it.
//! - `required(reading)`: if the value is absent or unreadable, the whole object is left out.
//! - `custom(Kind)`, `custom_list(Kind)`: an object or a list of objects, in a row without a field.
//! - `decimal`: a number with a fraction, in a row without a field.
//!
//! Rows run in their order, and a later readable value replaces an earlier one. So `ext` rows with the places of
//! `OpenRTB` 2.5 are before the rows with the places of 2.6.

use super::readings::{reading, spec_type};
use super::rows::{Attribute, Declaration, Number, without_raw_prefix};
use super::values::{Values, point, removed_protocol, two_places};
use super::{Needs, native, spec};
use crate::request;

attributes! {
    /// `BidRequest` (§3.2.1).
    BidRequest => request::Request<'a> {
        [1] id: required(literal) -> id,
        [2] imp: imps(Imp) -> imp,
        [3] site: object_ref(Site) -> site,
        [4] app: object_ref(App) -> app,
        [22] dooh: object_ref(Dooh) -> dooh,
        [5] device: nested(Device) -> device,
        [6] user: nested(User) -> user,
        [15] test: flag -> test,
        [7] at: integer or 2 -> at,
        [8] tmax: integer -> tmax,
        [9] wseat: texts -> wseat,
        [17] bseat: texts -> bseat,
        [11] cur: currencies -> cur,
        [12] bcat: codes -> bcat,
        [23] acat: codes -> acat,
        [21] cattax: integer or 1 -> cattax,
        [13] badv: domains -> badv,
        [16] bapp: codes -> bapp,
        [18] wlang: codes -> wlang,
        [20] wlangb: codes -> wlangb,
        [14] regs: nested(Regs) -> regs,
        [19] source: flatten(Source) if schain,
        [_] ext: custom(RequestExt),
    }

    /// `Imp` (§3.2.4).
    Imp => request::Imp<'a> {
        [1] id: required(literal) -> id,
        [2] banner: object(Banner) -> banner if banner,
        [3] video: object_ref(Video) -> video,
        [15] audio: object_ref(Audio) -> audio,
        [13] native: object(Native) -> native if native,
        [11] pmp: flatten(Pmp),
        [6] instl: flag -> instl,
        [7] tagid: text -> tagid,
        [8] bidfloor: floor -> bidfloor,
        [9] bidfloorcur: currency -> bidfloorcur,
        [12] secure: signal -> secure,
        [99] ext: flatten(ImpExt),
        [18] rwdd: flag -> rwdd,
        [19] ssai: integer -> ssai,
        [14] exp: integer -> exp,
        [20] qty: flatten(Qty),
        [21] dt: truncated -> dt,
        [17] metric: list(Metric) -> metric if metric,
    }

    /// `Qty` (§3.2.31).
    Qty => request::Imp<'a> { [1] multiplier: amount -> multiplier, }

    /// `imp.ext`, as Prebid fills it.
    ImpExt => request::Imp<'a> {
        [_] data: flatten(ImpData),
        [1] gpid: text -> gpid,
        [_] prebid: flatten(ImpPrebid),
        [2] skadn: object_ref(Skadn) -> skadn if skadn,
    }

    /// `imp.ext.data`.
    ImpData => request::Imp<'a> { [_] pbadslot: text -> gpid, }

    /// `imp.ext.prebid`.
    ImpPrebid => request::Imp<'a> { [_] is_rewarded_inventory: flag -> rwdd, }

    /// `imp.ext.skadn` (community extension `skadnetwork`).
    Skadn => request::Skadn<'a> {
        [1] version: text -> version,
        [5] versions: texts -> versions,
        [2] sourceapp: text -> sourceapp,
        [3] skadnetids: texts -> skadnetids,
        [4] skadnetlist: flatten(SkadnList),
    }

    /// `imp.ext.skadn.skadnetlist`.
    SkadnList => request::Skadn<'a> { [1] max: integer -> max, [2] excl: integers -> excl, [3] addl: texts -> addl, }

    /// `Metric` (§3.2.5).
    Metric => request::Metric<'a> {
        [1] r#type: required(text_or_empty) -> kind,
        [2] value: required(amount) -> value,
        [3] vendor: text -> vendor,
    }

    /// `Banner` (§3.2.6).
    Banner => request::Banner<'a> {
        [15] format: list(Format) -> format,
        [1] w: integer -> size.w,
        [2] h: integer -> size.h,
        [5] btype: integers -> btype,
        [6] battr: integers -> battr,
        [7] mimes: texts -> mimes,
        [10] api: integers -> api,
        [4] pos: integer -> pos,
        [9] expdir: integers -> expdir,
        [8] topframe: flag -> topframe,
    }

    /// `Format` (§3.2.10).
    Format => request::Format {
        [1] w: integer -> size.w,
        [2] h: integer -> size.h,
        [3] wratio: integer -> wratio,
        [4] hratio: integer -> hratio,
        [5] wmin: integer -> wmin,
    }

    /// `Video` (§3.2.7) and `Audio` (§3.2.8). `podid`, `poddur` and `poddedupe` apply to every bid on the
    /// impression.
    Video if video,
    Audio if audio without(w h linearity plcmt pos protocol skip skipmin playbackmethod boxingallowed poddedupe)
    => request::Linear<'a>, then(removed_protocol) {
        [1 1] mimes: texts -> mimes,
        [3 2] minduration: integer -> minduration,
        [4 3] maxduration: integer -> maxduration,
        [32 26] rqddurs: integers -> rqddurs,
        [21 4] protocols: integers -> protocols,
        [5 _] protocol: integer,
        [6 _] w: integer -> size.w,
        [7 _] h: integer -> size.h,
        [2 _] linearity: integer -> linearity,
        [10 7] battr: integers -> battr,
        [19 13] api: integers -> api,
        [8 5] startdelay: integer -> startdelay,
        [35 _] plcmt: integer -> plcmt,
        [17 _] pos: integer -> pos,
        [23 _] skip: flag -> skip,
        [24 _] skipmin: integer -> skipmin,
        [11 8] maxextended: integer -> maxextended,
        [12 9] minbitrate: integer -> minbitrate,
        [13 10] maxbitrate: integer -> maxbitrate,
        [16 11] delivery: integers -> delivery,
        [15 _] playbackmethod: integers -> playbackmethod,
        [14 _] boxingallowed: flag -> boxingallowed,
        [18 12] companionad: list(Banner) -> companionad,
        [20 20] companiontype: integers -> companiontype,
        [30 27] podid: text -> podid if always,
        [31 28] podseq: integer -> podseq,
        [33 29] slotinpod: integer -> slotinpod,
        [28 21] maxseq: integer -> maxseq,
        [29 25] poddur: integer -> poddur if always,
        [34 30] mincpmpersec: floor -> mincpmpersec,
        [36 31] durfloors: list(DurFloor) -> durfloors,
        [37 _] poddedupe: dedupe -> poddedupe if always,
    }

    /// `DurFloors` (§3.2.35).
    DurFloor => request::DurFloor {
        [1] mindur: integer -> mindur,
        [2] maxdur: integer -> maxdur,
        [3] bidfloor: floor -> bidfloor,
    }

    /// `Native` (§3.2.9).
    Native => request::Native<'a>, then(native::read_request) {
        [(1 or 50)] request: custom(NativeContent),
        [2] ver: text,
        [4] battr: integers -> battr,
        [3] api: integers -> api,
    }

    /// The Native Ads request (Native Ads 1.2 §4.1), bare or wrapped in `{"native":…}`.
    NativeContent,
    NativeWrapped without(native)
    => request::Native<'a> {
        [_] native: custom(NativeWrapped),
        [1] ver: text,
        [6] assets: list(Asset) -> assets,
        [13] eventtrackers: event_trackers(EventTracker) -> eventtrackers,
        [14] privacy: flag -> privacy,
    }

    /// An asset (Native Ads 1.2 §4.2).
    Asset => request::Asset<'a>, then(native::asset_kind) {
        [1] id: required(integer) -> id,
        [2] required: flag -> required,
        [3] title: custom(Title),
        [4] img: custom(Img),
        [5] video: custom(AssetVideo),
        [6] data: custom(AssetData),
    }

    /// `title` (Native Ads 1.2 §4.3).
    Title => () { [1] len: integer, }

    /// `img` (Native Ads 1.2 §4.4).
    Img => () {
        [1] r#type: integer,
        [2] w: integer,
        [3] h: integer,
        [4] wmin: integer,
        [5] hmin: integer,
    }

    /// `video` (Native Ads 1.2 §4.5).
    AssetVideo => () {
        [1] mimes: texts,
        [3] minduration: integer,
        [4] maxduration: integer,
        [21] protocols: integers,
    }

    /// `data` (Native Ads 1.2 §4.6).
    AssetData => () { [1] r#type: integer, [2] len: integer, }

    /// An event tracker (Native Ads 1.2 §4.7).
    EventTracker => () { [1] event: integer, [2] methods: integers, }

    /// `Pmp` (§3.2.11).
    Pmp => request::Imp<'a> { [1] private_auction: signal -> private_auction, [2] deals: list(Deal) -> deals if deals, }

    /// `Deal` (§3.2.12).
    Deal => request::Deal<'a> {
        [1] id: required(short_literal) -> id,
        [2] bidfloor: floor -> bidfloor,
        [3] bidfloorcur: currency -> bidfloorcur,
        [6] at: integer -> at,
        [4] wseat: texts -> wseat,
        [5] wadomain: domains -> wadomain,
        [7] guar: int32_flag -> guar,
        [8] mincpmpersec: floor -> mincpmpersec,
        [9] durfloors: list(DurFloor) -> durfloors,
    }

    /// `App` (§3.2.14), `Site` (§3.2.13) and `DOOH` (§3.2.32). `Channel` has the attributes of all three.
    Channel if place,
    App if place without(page),
    Site if place without(bundle),
    Dooh if place without(bundle page cat sectioncat pagecat cattax kwarray)
    => request::Channel<'a> {
        [_ 1 1 1] id: text -> id if channel,
        [_ 3 3 6] domain: text -> domain,
        [_ _ 7 _] page: text -> page if channel as page,
        [_ 8 _ _] bundle: text -> bundle,
        [_ 11 11 5] publisher: flatten(Publisher) if channel,
        [_ 4 4 _] cat: texts -> cat if cat,
        [_ 5 5 _] sectioncat: texts -> sectioncat if cat,
        [_ 6 6 _] pagecat: texts -> pagecat if cat,
        [_ 17 16 _] cattax: integer or 1 -> cattax if cat,
        [_ 13 13 7] keywords: text_array -> kwarray & text -> keywords if keywords,
        [_ 19 18 _] kwarray: texts -> kwarray if keywords,
        [_ 12 12 8] content: nested_always(Content) -> content if content,
    }

    /// `Publisher` (§3.2.15).
    Publisher => request::Channel<'a> { [1] id: text -> publisher_id, [4] domain: text -> publisher_domain, }

    /// `Content` (§3.2.16).
    Content => request::Content<'a> {
        [22] genre: text -> genre,
        [35] genres: texts -> genres,
        [10] contentrating: text -> contentrating,
        [13] livestream: flag -> livestream,
        [19] language: text -> language,
        [29] langb: text -> langb,
        [30] network: flatten(Network),
        [31] channel: flatten(ContentChannel),
        [7] cat: texts -> cat if cat,
        [27] cattax: integer or 1 -> cattax if cat,
        [9] keywords: text_array -> kwarray & text -> keywords if keywords,
        [32] kwarray: texts -> kwarray if keywords,
    }

    /// `Network` (§3.2.23).
    Network => request::Content<'a> { [2] name: text -> network, }

    /// `Channel` (§3.2.24).
    ContentChannel => request::Content<'a> { [2] name: text -> channel, }

    /// `Device` (§3.2.18).
    Device => request::Device<'a> {
        [_] ext: flatten(DeviceExt) if sua,
        [31] sua: object(UserAgent) -> sua if sua,
        [4] geo: nested(Geo) -> geo & is_object -> has_geo if country,
        [18] devicetype: integer -> devicetype,
        [1] dnt: signal -> dnt,
        [23] lmt: signal -> lmt,
        [2] ua: text -> ua,
        [12] make: text -> make if device,
        [13] model: text -> model if device,
        [24] hwv: text -> hwv if device,
        [14] os: text -> os if device,
        [15] osv: text -> osv if device,
        [11] language: text -> language if device,
        [32] langb: text -> langb if device,
        [17] connectiontype: integer -> connectiontype if device,
        [10] carrier: text -> carrier if device,
        [20] ifa: text -> ifa if device as identifier,
    }

    /// `device.ext`, the place in `OpenRTB` 2.5.
    DeviceExt => request::Device<'a> { [_] sua: object(UserAgent) -> sua, }

    /// `UserAgent` (§3.2.29).
    UserAgent => request::UserAgent<'a> {
        [1] browsers: list(Brand) -> browsers,
        [2] platform: nested(Brand) -> platform,
        [6] model: text -> model,
    }

    /// `BrandVersion` (§3.2.30).
    Brand => request::Brand<'a> { [1] brand: text -> brand, [2] version: texts -> version, }

    /// `Geo` (§3.2.19).
    Geo => request::Geo<'a>, then(point) {
        [3] country: text -> country,
        [4] region: text -> region if geo,
        [6] metro: text -> metro if geo,
        [7] city: text -> city if geo,
        [8] zip: text -> zip if geo as identifier,
        [1] lat: decimal if geo as degrees,
        [2] lon: decimal if geo as degrees,
        [10] utcoffset: integer -> utcoffset if geo,
    }

    /// `User` (§3.2.20), and the attributes that first-party data may set.
    User,
    UserPatch without(ext id buyeruid consent eids)
    => request::User<'a> {
        [99] ext: flatten(UserExt),
        [1] id: text -> id if eids as identifier,
        [2] buyeruid: text -> buyeruid as identifier,
        [10] consent: signal_text -> consent as tcf,
        [11] eids: list(Eid) -> eids if eids as identifier,
        [7] geo: nested(Geo) -> geo if country,
        [3] yob: integer -> yob,
        [5] keywords: text_array -> kwarray & text -> keywords if keywords,
        [9] kwarray: texts -> kwarray if keywords,
        [8] data: list(Data) -> data if data,
    }

    /// `user.ext`, the place in `OpenRTB` 2.5.
    UserExt => request::User<'a> {
        [1] consent: signal_text -> consent & signal_text -> ext_consent as tcf,
        [2] eids: list(Eid) -> eids if eids as identifier,
    }

    /// `Data` (§3.2.21).
    Data => request::Data<'a> {
        [1] id: text -> id,
        [2] name: text -> name,
        [3] segment: segment_ids(Segment) -> segment,
    }

    /// `Segment` (§3.2.22).
    Segment => () { [1] id: text, }

    /// `EID` (§3.2.27).
    Eid => request::Eid<'a> {
        [1] source: required(text_or_empty) -> source,
        [2] uids: list(Uid) -> uids,
        [5] mm: integer -> mm,
    }

    /// `UID` (§3.2.28).
    Uid => request::Uid<'a> { [1] id: required(text_or_empty) -> id, }

    /// `Regs` (§3.2.3).
    Regs => request::Regs<'a>, then(two_places) {
        [99] ext: flatten(RegsExt),
        [_] gpc: signal,
        [_] dsa: custom(Dsa),
        [1] coppa: signal -> coppa,
        [4] gdpr: signal,
        [5] us_privacy: signal_text -> us_privacy as us_privacy,
        [2] gpp: signal_text -> gpp as gpp,
        [3] gpp_sid: sections -> gpp_sid,
    }

    /// `regs.ext`, the place in `OpenRTB` 2.5.
    RegsExt => request::Regs<'a> {
        [3] gpc: text,
        [4] dsa: custom(Dsa),
        [1] gdpr: signal,
        [2] us_privacy: signal_text -> us_privacy & signal_text -> ext_us_privacy as us_privacy,
        [_] gpp: signal_text -> gpp & signal_text -> ext_gpp as gpp,
        [_] gpp_sid: sections -> gpp_sid & sections -> ext_gpp_sid,
    }

    /// The Digital Services Act (community extension `dsa_transparency`).
    Dsa => request::Dsa {
        [1] dsarequired: integer -> dsarequired,
        [2] pubrender: integer -> pubrender,
        [3] datatopub: integer -> datatopub,
    }

    /// `Source` (§3.2.2).
    Source => request::Request<'a> { [99] ext: flatten(SourceExt), [4] schain: object(SupplyChain) -> schain, }

    /// `source.ext`, the place in `OpenRTB` 2.5.
    SourceExt => request::Request<'a> { [1] schain: object(SupplyChain) -> schain, }

    /// `SupplyChain` (§3.2.25).
    SupplyChain => request::SupplyChain<'a> { [1] complete: flag -> complete, [2] nodes: list(Node) -> nodes, }

    /// `SupplyChainNode` (§3.2.26).
    Node => request::Node<'a> { [1] asi: text -> asi, [2] sid: text -> sid, }

    /// `ext`, where Prebid Server puts first-party data.
    RequestExt => () { [_] prebid: custom(Prebid), }

    /// `ext.prebid`.
    Prebid => () { [_] bidderconfig: custom_list(BidderConfig), }

    /// `ext.prebid.bidderconfig[]`: first-party data and the bidders that get it.
    BidderConfig => () { [_] bidders: texts, [_] config: custom(Config), }

    /// `config` of an entry of `bidderconfig`.
    Config => () { [_] ortb2: custom(Ortb2), }

    /// The objects that are merged over the objects of the request.
    Ortb2 => () {
        [_] site: custom(Site),
        [_] app: custom(App),
        [_] user: custom(UserPatch),
    }
}
