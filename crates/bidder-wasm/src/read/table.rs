//! The table of all attributes that the reader reads, one row each.
//!
//! ```text
//! Kind if NEED, Variant without(name …) => shape, then(function) {
//!     name: reading -> field if NEED,
//! }
//! ```
//!
//! - `Kind` is a kind of object. A `Variant` has the same rows, except those in `without`.
//! - `shape` is the type with the fields. `then` is a function that runs after the rows.
//! - `if NEED` names a field of [`Needs`]. A row that the catalog does not need is skipped like an unknown name.
//! - `if always` reads a row even if its kind is not needed.
//! - `or` gives the value for an absent or unreadable attribute.
//! - `a -> x & b -> y` reads one value in two ways.
//!
//! A reading is a method of [`Values`] or one of these:
//! - `object(Kind)`: an object; the field is an `Option` of its shape.
//! - `object_ref(Kind)`: like `object`, but the object is in the arena.
//! - `list(Kind)`: a list of objects. Their number is limited by [`super::size_limit`].
//! - `nested(Kind)`: an object; the field is the shape itself, not an `Option`.
//! - `nested_always(Kind)`: like `nested`, but an absent object still gets the `or` values of its rows.
//! - `flatten(Kind)`: an object whose rows fill the shape of the object around it.
//! - `required(reading)`: if the value is absent or unreadable, the whole object is left out.
//! - `custom`, `custom(Kind)`, `custom_list(Kind)`: read by the `then` function, [`super::native`] or
//!   [`super::first_party`].
//!
//! Rows run in their order, and a later readable value replaces an earlier one. So `ext` rows with the places of
//! `OpenRTB` 2.5 are before the rows with the places of 2.6.

use super::rows::{Action, Attribute, Declaration};
use super::values::{Values, gpc_and_dsa, point, removed_protocol};
use super::{Needs, native};
use crate::request;

attributes! {
    /// `BidRequest` (§3.2.1).
    BidRequest => request::Request<'a> {
        id: required(literal) -> id,
        imp: imps(Imp) -> imp,
        site: object_ref(Site) -> site,
        app: object_ref(App) -> app,
        dooh: object_ref(Dooh) -> dooh,
        device: nested(Device) -> device,
        user: nested(User) -> user,
        test: flag -> test,
        at: integer or 2 -> at,
        tmax: integer -> tmax,
        wseat: texts -> wseat,
        bseat: texts -> bseat,
        cur: currencies -> cur,
        bcat: texts -> bcat,
        acat: texts -> acat,
        cattax: integer or 1 -> cattax,
        badv: texts -> badv,
        bapp: texts -> bapp,
        wlang: texts -> wlang,
        wlangb: texts -> wlangb,
        regs: nested(Regs) -> regs,
        source: flatten(Source) if schain,
        ext: custom(RequestExt),
    }

    /// `Imp` (§3.2.4).
    Imp => request::Imp<'a> {
        id: required(literal) -> id,
        banner: object(Banner) -> banner if banner,
        video: object_ref(Video) -> video,
        audio: object_ref(Audio) -> audio,
        native: object(Native) -> native if native,
        pmp: flatten(Pmp),
        instl: flag -> instl,
        tagid: text -> tagid,
        bidfloor: floor -> bidfloor,
        bidfloorcur: currency -> bidfloorcur,
        secure: flag -> secure,
        ext: flatten(ImpExt),
        rwdd: flag -> rwdd,
        ssai: integer -> ssai,
        exp: integer -> exp,
        dt: truncated -> dt,
        metric: list(Metric) -> metric if metric,
    }

    /// `imp.ext`, as Prebid fills it.
    ImpExt => request::Imp<'a> {
        data: flatten(ImpData),
        gpid: text -> gpid,
        prebid: flatten(ImpPrebid),
        skadn: object_ref(Skadn) -> skadn if skadn,
    }

    /// `imp.ext.data`.
    ImpData => request::Imp<'a> { pbadslot: text -> gpid, }

    /// `imp.ext.prebid`.
    ImpPrebid => request::Imp<'a> { is_rewarded_inventory: flag -> rwdd, }

    /// `imp.ext.skadn` (community extension `skadnetwork`).
    Skadn => request::Skadn<'a> {
        version: text -> version,
        versions: texts -> versions,
        sourceapp: text -> sourceapp,
        skadnetids: texts -> skadnetids,
        skadnetlist: flatten(SkadnList),
    }

    /// `imp.ext.skadn.skadnetlist`.
    SkadnList => request::Skadn<'a> { max: integer -> max, excl: integers -> excl, addl: texts -> addl, }

    /// `Metric` (§3.2.5).
    Metric => request::Metric<'a> {
        r#type: required(text_or_empty) -> kind,
        value: required(amount) -> value,
        vendor: text -> vendor,
    }

    /// `Banner` (§3.2.6).
    Banner => request::Banner<'a> {
        format: list(Format) -> format,
        w: integer -> size.w,
        h: integer -> size.h,
        btype: integers -> btype,
        battr: integers -> battr,
        mimes: texts -> mimes,
        api: integers -> api,
        pos: integer -> pos,
        expdir: integers -> expdir,
        topframe: flag -> topframe,
    }

    /// `Format` (§3.2.10).
    Format => request::Format {
        w: integer -> size.w,
        h: integer -> size.h,
        wratio: integer -> wratio,
        hratio: integer -> hratio,
        wmin: integer -> wmin,
    }

    /// `Video` (§3.2.7) and `Audio` (§3.2.8). `podid`, `poddur` and `poddedupe` apply to every bid on the
    /// impression.
    Video if video,
    Audio if audio without(w h linearity plcmt pos protocol skip skipmin playbackmethod boxingallowed poddedupe)
    => request::Linear<'a>, then(removed_protocol) {
        mimes: texts -> mimes,
        minduration: integer -> minduration,
        maxduration: integer -> maxduration,
        rqddurs: integers -> rqddurs,
        protocols: integers -> protocols,
        protocol: custom,
        w: integer -> size.w,
        h: integer -> size.h,
        linearity: integer -> linearity,
        battr: integers -> battr,
        api: integers -> api,
        startdelay: integer -> startdelay,
        plcmt: integer -> plcmt,
        pos: integer -> pos,
        skip: flag -> skip,
        skipmin: integer -> skipmin,
        maxextended: integer -> maxextended,
        minbitrate: integer -> minbitrate,
        maxbitrate: integer -> maxbitrate,
        delivery: integers -> delivery,
        playbackmethod: integers -> playbackmethod,
        boxingallowed: flag -> boxingallowed,
        companionad: list(Banner) -> companionad,
        companiontype: integers -> companiontype,
        podid: text -> podid if always,
        podseq: integer -> podseq,
        slotinpod: integer -> slotinpod,
        maxseq: integer -> maxseq,
        poddur: integer -> poddur if always,
        mincpmpersec: floor -> mincpmpersec,
        durfloors: list(DurFloor) -> durfloors,
        poddedupe: integers -> poddedupe if always,
    }

    /// `DurFloors` (§3.2.35).
    DurFloor => request::DurFloor {
        mindur: integer -> mindur,
        maxdur: integer -> maxdur,
        bidfloor: floor -> bidfloor,
    }

    /// `Native` (§3.2.9).
    Native => request::Native<'a>, then(native::read_request) {
        request: custom(NativeContent),
        ver: custom,
        battr: integers -> battr,
        api: integers -> api,
    }

    /// The Native Ads request (Native Ads 1.2 §4.1), bare or wrapped in `{"native":…}`.
    NativeContent,
    NativeWrapped without(native)
    => request::Native<'a> {
        native: custom(NativeWrapped),
        ver: custom,
        assets: list(Asset) -> assets,
        eventtrackers: event_trackers(EventTracker) -> eventtrackers,
        privacy: flag -> privacy,
    }

    /// An asset (Native Ads 1.2 §4.2).
    Asset => request::Asset<'a>, then(native::asset_kind) {
        id: required(integer) -> id,
        required: flag -> required,
        title: custom(Title),
        img: custom(Img),
        video: custom(AssetVideo),
        data: custom(AssetData),
    }

    /// `title` (Native Ads 1.2 §4.3).
    Title => () { len: custom, }

    /// `img` (Native Ads 1.2 §4.4).
    Img => () {
        r#type: custom,
        w: custom,
        h: custom,
        wmin: custom,
        hmin: custom,
    }

    /// `video` (Native Ads 1.2 §4.5).
    AssetVideo => () {
        mimes: texts,
        minduration: custom,
        maxduration: custom,
        protocols: integers,
    }

    /// `data` (Native Ads 1.2 §4.6).
    AssetData => () { r#type: custom, len: custom, }

    /// An event tracker (Native Ads 1.2 §4.7).
    EventTracker => () { event: custom, methods: integers, }

    /// `Pmp` (§3.2.11).
    Pmp => request::Imp<'a> { private_auction: flag -> private_auction, deals: list(Deal) -> deals if deals, }

    /// `Deal` (§3.2.12).
    Deal => request::Deal<'a> {
        id: required(short_literal) -> id,
        bidfloor: floor -> bidfloor,
        bidfloorcur: currency -> bidfloorcur,
        at: integer -> at,
        wseat: texts -> wseat,
        wadomain: texts -> wadomain,
        guar: flag -> guar,
        mincpmpersec: floor -> mincpmpersec,
        durfloors: list(DurFloor) -> durfloors,
    }

    /// `App` (§3.2.14), `Site` (§3.2.13) and `DOOH` (§3.2.32). `Channel` has the attributes of all three.
    Channel if place,
    App if place without(page),
    Site if place without(bundle),
    Dooh if place without(bundle page cat sectioncat pagecat cattax kwarray)
    => request::Channel<'a> {
        id: text -> id if channel,
        domain: text -> domain,
        page: text -> page if channel,
        bundle: text -> bundle,
        publisher: flatten(Publisher) if channel,
        cat: texts -> cat if cat,
        sectioncat: texts -> sectioncat if cat,
        pagecat: texts -> pagecat if cat,
        cattax: integer or 1 -> cattax if cat,
        keywords: text_array -> kwarray & text -> keywords if keywords,
        kwarray: texts -> kwarray if keywords,
        content: nested_always(Content) -> content if content,
    }

    /// `Publisher` (§3.2.15).
    Publisher => request::Channel<'a> { id: text -> publisher_id, domain: text -> publisher_domain, }

    /// `Content` (§3.2.16).
    Content => request::Content<'a> {
        genre: text -> genre,
        genres: texts -> genres,
        contentrating: text -> contentrating,
        livestream: flag -> livestream,
        language: text -> language,
        langb: text -> langb,
        network: flatten(Network),
        channel: flatten(ContentChannel),
        cat: texts -> cat if cat,
        cattax: integer or 1 -> cattax if cat,
        keywords: text_array -> kwarray & text -> keywords if keywords,
        kwarray: texts -> kwarray if keywords,
    }

    /// `Network` (§3.2.23).
    Network => request::Content<'a> { name: text -> network, }

    /// `Channel` (§3.2.24).
    ContentChannel => request::Content<'a> { name: text -> channel, }

    /// `Device` (§3.2.18).
    Device => request::Device<'a> {
        ext: flatten(DeviceExt) if sua,
        sua: object(UserAgent) -> sua if sua,
        geo: nested(Geo) -> geo if country,
        devicetype: integer -> devicetype,
        dnt: flag -> dnt,
        lmt: flag -> lmt,
        ua: text -> ua,
        make: text -> make if device,
        model: text -> model if device,
        hwv: text -> hwv if device,
        os: text -> os if device,
        osv: text -> osv if device,
        language: text -> language if device,
        langb: text -> langb if device,
        connectiontype: integer -> connectiontype if device,
        carrier: text -> carrier if device,
        ifa: text -> ifa if device,
    }

    /// `device.ext`, the place in `OpenRTB` 2.5.
    DeviceExt => request::Device<'a> { sua: object(UserAgent) -> sua, }

    /// `UserAgent` (§3.2.29).
    UserAgent => request::UserAgent<'a> {
        browsers: list(Brand) -> browsers,
        platform: nested(Brand) -> platform,
        model: text -> model,
    }

    /// `BrandVersion` (§3.2.30).
    Brand => request::Brand<'a> { brand: text -> brand, version: texts -> version, }

    /// `Geo` (§3.2.19).
    Geo => request::Geo<'a>, then(point) {
        country: text -> country,
        region: text -> region if geo,
        metro: text -> metro if geo,
        city: text -> city if geo,
        zip: text -> zip if geo,
        lat: custom if geo,
        lon: custom if geo,
        utcoffset: integer -> utcoffset if geo,
    }

    /// `User` (§3.2.20), and the attributes that first-party data may set.
    User,
    UserPatch without(ext id buyeruid consent eids)
    => request::User<'a> {
        ext: flatten(UserExt),
        id: text -> id if eids,
        buyeruid: text -> buyeruid,
        consent: text -> consent,
        eids: list(Eid) -> eids if eids,
        geo: nested(Geo) -> geo if country,
        yob: integer -> yob,
        keywords: text_array -> kwarray & text -> keywords if keywords,
        kwarray: texts -> kwarray if keywords,
        data: list(Data) -> data if data,
    }

    /// `user.ext`, the place in `OpenRTB` 2.5.
    UserExt => request::User<'a> { consent: text -> consent, eids: list(Eid) -> eids if eids, }

    /// `Data` (§3.2.21).
    Data => request::Data<'a> {
        id: text -> id,
        name: text -> name,
        segment: segment_ids(Segment) -> segment,
    }

    /// `Segment` (§3.2.22).
    Segment => () { id: custom, }

    /// `EID` (§3.2.27).
    Eid => request::Eid<'a> {
        source: required(text_or_empty) -> source,
        uids: list(Uid) -> uids,
        mm: integer -> mm,
    }

    /// `UID` (§3.2.28).
    Uid => request::Uid<'a> { id: required(text_or_empty) -> id, }

    /// `Regs` (§3.2.3).
    Regs => request::Regs<'a>, then(gpc_and_dsa) {
        ext: flatten(RegsExt),
        gpc: custom,
        dsa: custom(Dsa),
        coppa: flag -> coppa,
        gdpr: zero_or_one -> gdpr,
        us_privacy: text -> us_privacy,
        gpp: text -> gpp,
        gpp_sid: integers -> gpp_sid,
    }

    /// `regs.ext`, the place in `OpenRTB` 2.5.
    RegsExt => request::Regs<'a> {
        gpc: custom,
        dsa: custom(Dsa),
        gdpr: zero_or_one -> gdpr,
        us_privacy: text -> us_privacy,
        gpp: text -> gpp,
        gpp_sid: integers -> gpp_sid,
    }

    /// The Digital Services Act (community extension `dsa_transparency`).
    Dsa => request::Dsa {
        dsarequired: integer -> dsarequired,
        pubrender: integer -> pubrender,
        datatopub: integer -> datatopub,
    }

    /// `Source` (§3.2.2).
    Source => request::Request<'a> { ext: flatten(SourceExt), schain: object(SupplyChain) -> schain, }

    /// `source.ext`, the place in `OpenRTB` 2.5.
    SourceExt => request::Request<'a> { schain: object(SupplyChain) -> schain, }

    /// `SupplyChain` (§3.2.25).
    SupplyChain => request::SupplyChain<'a> { complete: flag -> complete, nodes: list(Node) -> nodes, }

    /// `SupplyChainNode` (§3.2.26).
    Node => request::Node<'a> { asi: text -> asi, sid: text -> sid, }

    /// `ext`, where Prebid Server puts first-party data.
    RequestExt => () { prebid: custom(Prebid), }

    /// `ext.prebid`.
    Prebid => () { bidderconfig: custom_list(BidderConfig), }

    /// `ext.prebid.bidderconfig[]`: first-party data and the bidders that get it.
    BidderConfig => () { bidders: texts, config: custom(Config), }

    /// `config` of an entry of `bidderconfig`.
    Config => () { ortb2: custom(Ortb2), }

    /// The objects that are merged over the objects of the request.
    Ortb2 => () {
        site: custom(Site),
        app: custom(App),
        user: custom(UserPatch),
    }
}
