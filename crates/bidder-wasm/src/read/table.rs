//! Every attribute that is read, a row each: its name, what its value is read as, where that goes, and when it is needed.
//!
//! ```text
//! Kind if NEED, Fewer without(name …) => shape that its attributes go to {
//!     name: reading -> field if NEED,
//! }
//! ```
//!
//! A reading is a method of [`Values`], or one of
//! - `object(Kind)`, `kept(Kind)`, `list(Kind)`: objects that have a shape of their own; of all lists together as many entries
//!   as [`super::left`] allows;
//! - `part(Kind)`: the same where the field is no `Option`; `inside(Kind)`: filled even where there is no object, with what its
//!   rows give by themselves;
//! - `into(Kind)`: an object whose attributes go to the shape of the one around it. That is how what `OpenRTB` 2.5 had in `ext`
//!   is read: such a row stands in front of the others, and what they read goes over it, unless it says nothing;
//! - `required(reading)`: without it the object is not there;
//! - `by_hand`: read in the function behind `then`, or in [`super::native`] and [`super::first_party`].
//!
//! Rows are filled in in their order. One with `or` gives that for what cannot be read, too. `a -> x & b -> y` reads a value
//! twice. What is not needed for a catalog ([`Needs`]) is passed over like a name that has no row.

use super::rows::{Action, Attribute, Declared};
use super::values::{Values, point, removed_protocol, signals};
use super::{Needs, native};
use crate::request;

attributes! {
    /// `BidRequest` (§3.2.1).
    BidRequest => request::Request<'a> {
        id: required(literal) -> id,
        imp: imps(Imp) -> imp,
        site: kept(Site) -> site,
        app: kept(App) -> app,
        dooh: kept(Dooh) -> dooh,
        device: part(Device) -> device,
        user: part(User) -> user,
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
        regs: part(Regs) -> regs,
        source: into(Source) if schain,
        ext: by_hand(RequestExt),
    }

    /// `Imp` (§3.2.4).
    Imp => request::Imp<'a> {
        id: required(literal) -> id,
        banner: object(Banner) -> banner if banner,
        video: kept(Video) -> video,
        audio: kept(Audio) -> audio,
        native: object(Native) -> native if native,
        pmp: into(Pmp),
        instl: flag -> instl,
        tagid: text -> tagid,
        bidfloor: floor -> bidfloor,
        bidfloorcur: currency -> bidfloorcur,
        secure: flag -> secure,
        ext: into(ImpExt),
        rwdd: flag -> rwdd,
        ssai: integer -> ssai,
        exp: integer -> exp,
        dt: whole -> dt,
        metric: list(Metric) -> metric if metric,
    }

    /// What Prebid adds to an impression.
    ImpExt => request::Imp<'a> {
        data: into(ImpData),
        gpid: text -> gpid,
        prebid: into(ImpPrebid),
    }

    /// `imp.ext.data`.
    ImpData => request::Imp<'a> { pbadslot: text -> gpid, }

    /// `imp.ext.prebid`.
    ImpPrebid => request::Imp<'a> { is_rewarded_inventory: flag -> rwdd, }

    /// `Metric` (§3.2.5).
    Metric => request::Metric<'a> {
        r#type: required(any_text) -> kind,
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

    /// `Video` (§3.2.7) and `Audio` (§3.2.8). The pod concerns every bid on the impression.
    Video if video,
    Audio if audio without(w h linearity plcmt pos protocol skip skipmin playbackmethod boxingallowed poddedupe)
    => request::Linear<'a>, then(removed_protocol) {
        mimes: texts -> mimes,
        minduration: integer -> minduration,
        maxduration: integer -> maxduration,
        rqddurs: integers -> rqddurs,
        protocols: integers -> protocols,
        protocol: by_hand,
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
        poddur: integer -> poddur,
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
    Native => request::Native<'a>, then(native::answerable) {
        request: by_hand(NativeContent),
        ver: by_hand,
        battr: integers -> battr,
        api: integers -> api,
    }

    /// The Native Ads request (Native Ads 1.2 §4.1), and what stands in it if it is wrapped.
    NativeContent,
    NativeWrapped without(native)
    => request::Native<'a> {
        native: by_hand(NativeWrapped),
        ver: by_hand,
        assets: list(Asset) -> assets,
        eventtrackers: event_trackers(EventTracker) -> eventtrackers,
        privacy: flag -> privacy,
    }

    /// An asset (Native Ads 1.2 §4.2).
    Asset => request::Asset<'a>, then(native::kind) {
        id: required(integer) -> id,
        required: flag -> required,
        title: by_hand(Title),
        img: by_hand(Img),
        video: by_hand(AssetVideo),
        data: by_hand(AssetData),
    }

    /// (Native Ads 1.2 §4.3)
    Title => () { len: by_hand, }

    /// (Native Ads 1.2 §4.4)
    Img => () {
        r#type: by_hand,
        w: by_hand,
        h: by_hand,
        wmin: by_hand,
        hmin: by_hand,
    }

    /// (Native Ads 1.2 §4.5)
    AssetVideo => () {
        mimes: texts,
        minduration: by_hand,
        maxduration: by_hand,
        protocols: integers,
    }

    /// (Native Ads 1.2 §4.6)
    AssetData => () { r#type: by_hand, len: by_hand, }

    /// An event to track (Native Ads 1.2 §4.7).
    EventTracker => () { event: by_hand, methods: integers, }

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

    /// `App` (§3.2.14), `Site` (§3.2.13) and `DOOH` (§3.2.32), and what they have together.
    Channel if channel,
    App if channel without(page),
    Site if channel without(bundle),
    Dooh if channel without(bundle page cat sectioncat pagecat cattax kwarray)
    => request::Channel<'a> {
        id: text -> id,
        domain: text -> domain,
        page: text -> page,
        bundle: text -> bundle,
        publisher: into(Publisher),
        cat: texts -> cat if cat,
        sectioncat: texts -> sectioncat if cat,
        pagecat: texts -> pagecat if cat,
        cattax: integer or 1 -> cattax if cat,
        keywords: array -> kwarray & text -> keywords if keywords,
        kwarray: texts -> kwarray if keywords,
        content: inside(Content) -> content if content,
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
        network: into(Network),
        channel: into(ContentChannel),
        cat: texts -> cat if cat,
        cattax: integer or 1 -> cattax if cat,
        keywords: array -> kwarray & text -> keywords if keywords,
        kwarray: texts -> kwarray if keywords,
    }

    /// `Network` (§3.2.23).
    Network => request::Content<'a> { name: text -> network, }

    /// `Channel` (§3.2.24).
    ContentChannel => request::Content<'a> { name: text -> channel, }

    /// `Device` (§3.2.18).
    Device => request::Device<'a> {
        ext: into(DeviceExt) if sua,
        sua: object(UserAgent) -> sua if sua,
        geo: part(Geo) -> geo if geo,
        devicetype: integer -> devicetype,
        dnt: flag -> dnt,
        lmt: flag -> lmt,
        ua: text -> ua,
        make: text -> make if device,
        model: text -> model if device,
        os: text -> os if device,
        osv: text -> osv if device,
        language: text -> language if device,
        langb: text -> langb if device,
        connectiontype: integer -> connectiontype if device,
        carrier: text -> carrier if device,
        ifa: text -> ifa if device,
    }

    /// Where `OpenRTB` 2.5 had it.
    DeviceExt => request::Device<'a> { sua: object(UserAgent) -> sua, }

    /// `UserAgent` (§3.2.29).
    UserAgent => request::UserAgent<'a> {
        browsers: list(Brand) -> browsers,
        platform: part(Brand) -> platform,
        model: text -> model,
    }

    /// `BrandVersion` (§3.2.30).
    Brand => request::Brand<'a> { brand: text -> brand, version: texts -> version, }

    /// `Geo` (§3.2.19).
    Geo => request::Geo<'a>, then(point) {
        country: text -> country,
        region: text -> region,
        metro: text -> metro,
        city: text -> city,
        zip: text -> zip,
        lat: by_hand,
        lon: by_hand,
        utcoffset: integer -> utcoffset,
    }

    /// `User` (§3.2.20), and what first-party data may say of one.
    User,
    UserPatch without(ext buyeruid consent eids)
    => request::User<'a> {
        ext: into(UserExt),
        buyeruid: text -> buyeruid,
        consent: text -> consent,
        eids: list(Eid) -> eids if eids,
        geo: part(Geo) -> geo if geo,
        yob: integer -> yob,
        keywords: array -> kwarray & text -> keywords if keywords,
        kwarray: texts -> kwarray if keywords,
        data: list(Data) -> data if data,
    }

    /// Where `OpenRTB` 2.5 had it.
    UserExt => request::User<'a> { consent: text -> consent, eids: list(Eid) -> eids if eids, }

    /// `Data` (§3.2.21).
    Data => request::Data<'a> {
        id: text -> id,
        name: text -> name,
        segment: ids(Segment) -> segment,
    }

    /// `Segment` (§3.2.22).
    Segment => () { id: by_hand, }

    /// `EID` (§3.2.27).
    Eid => request::Eid<'a> {
        source: required(any_text) -> source,
        uids: list(Uid) -> uids,
        mm: integer -> mm,
    }

    /// `UID` (§3.2.28).
    Uid => request::Uid<'a> { id: required(any_text) -> id, }

    /// `Regs` (§3.2.3).
    Regs => request::Regs<'a>, then(signals) {
        ext: into(RegsExt),
        gpc: by_hand,
        dsa: by_hand(Dsa),
        coppa: flag -> coppa,
        gdpr: zero_or_one -> gdpr,
        us_privacy: text -> us_privacy,
        gpp: text -> gpp,
        gpp_sid: integers -> gpp_sid,
    }

    /// Where `OpenRTB` 2.5 had it.
    RegsExt => request::Regs<'a> {
        gpc: by_hand,
        dsa: by_hand(Dsa),
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
    Source => request::Request<'a> { ext: into(SourceExt), schain: object(SupplyChain) -> schain, }

    /// Where `OpenRTB` 2.5 had it.
    SourceExt => request::Request<'a> { schain: object(SupplyChain) -> schain, }

    /// `SupplyChain` (§3.2.25).
    SupplyChain => request::SupplyChain<'a> { complete: flag -> complete, nodes: list(Node) -> nodes, }

    /// `SupplyChainNode` (§3.2.26).
    Node => request::Node<'a> { asi: text -> asi, sid: text -> sid, }

    /// Where Prebid Server has first-party data.
    RequestExt => () { prebid: by_hand(Prebid), }

    /// `ext.prebid`.
    Prebid => () { bidderconfig: by_hand_list(BidderConfig), }

    /// First-party data, and for which bidders.
    BidderConfig => () { bidders: texts, config: by_hand(Config), }

    /// What Prebid Server has around the objects.
    Config => () { ortb2: by_hand(Ortb2), }

    /// What is laid over the request's own.
    Ortb2 => () {
        site: by_hand(Site),
        app: by_hand(App),
        user: by_hand(UserPatch),
    }
}
