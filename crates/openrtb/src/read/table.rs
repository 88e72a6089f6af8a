//! The table of OpenRTB: one row for each attribute that a decision reads.
//!
//! ```text
//! /// Description.
//! Kind if NEED, Variant without(name …) => Type, then(function); restricted {
//!     /// Description of the field.
//!     [number] name: reading restricts REASON if NEED as KEPT,
//! } + {
//!     /// Description of the field.
//!     field: Type,
//! }
//! ```
//!
//! All else follows from the rows: the types in [`crate::request`], how the reader finds an attribute in JSON and in
//! protobuf, the types that `edgebid validate` checks, what a kept request has, and the plain reader of the tests.
//!
//! - `number` is the field number in the IAB Tech Lab's `openrtb.proto` for OpenRTB 2.6
//!   (<https://github.com/InteractiveAdvertisingBureau/openrtb2.x>), `_` without such a field. A kind with variants
//!   has a number for itself and for each variant, in their order. `(1 or 50)`: a text in field 1, a message in field 50.
//! - `Kind` is a kind of object. A `Variant` has the same rows, except those in `without`.
//! - `=> Type`: the kind's own type in [`crate::request`]. `in Type`: its rows fill fields of the type of the object
//!   around it. `then` is a function that runs after the rows.
//! - A row with a description is a field of the type, with the row's name. `-> x` fills the field `x` instead, or also.
//!   `+` lists the fields that have no row of their own.
//! - A row without either is read by the `then` function, [`super::native`] or [`super::first_party`]. Its reading then
//!   only says the type.
//! - `if NEED` names a field of [`Needs`](super::Needs). A row that the catalog does not need is skipped like an unknown name.
//! - `if always` reads a row even if its kind is not needed.
//! - `restricts REASON`: the value limits which bids the seller takes. If it is there and cannot be read, nobody knows
//!   which bids these are: see [`super::odd`]. A `restricted` kind notes the first such REASON in its field
//!   `unreadable`, and its object then takes no bid. The rows of other kinds count for the row of the object around them.
//! - `as KEPT` says what a request that is kept for replay has of the value, if not all: see [`super::types::Kept`]. An
//!   identifier of a person or a device is left out: `as Nothing`.
//! - `or` gives the value for an absent or unreadable attribute.
//! - `a -> x & b` reads one value in two ways.
//!
//! A reading is a method of [`super::values::Values`] or one of these:
//! - `object(Kind)`: an object; the field is an `Option` of its type. It fills what another position has
//!   filled already.
//! - `object_ref(Kind)`: like `object`, but the object is in the arena.
//! - `list(Kind)`: a list of objects. Their number is limited by [`super::size_limit`].
//! - `joined(Kind)`: like `list`, behind the objects that the field has from another position.
//! - `chain(SupplyChain)`: like `object`, together with the chain that the field has from another position.
//! - `nested(Kind)`: an object; the field is the type itself, not an `Option`.
//! - `nested_always(Kind)`: like `nested`, but an absent object still gets the `or` values of its rows.
//! - `flatten(Kind)`: an object whose rows fill the type of the object around it.
//! - `whole(Kind)`: the JSON texts of an object: first those that first-party data merge over it, then its own.
//! - `required(reading)`: if the value is absent or unreadable, the whole object is left out.
//! - `optional(reading)`: the field is an `Option`.
//! - `custom(Kind)`, `custom_list(Kind)`: an object or a list of objects, in a row without a field.
//! - `decimal`: a number with a fraction, in a row without a field.
//!
//! Rows run in their order, and a later readable value replaces an earlier one. So `ext` rows with the places of
//! `OpenRTB` 2.5 are before the rows with the positions of 2.6.

/// Calls the macro `$then` with all rows.
#[macro_export]
macro_rules! openrtb {
    ($then:ident) => {
        $then! {
            /// `BidRequest` (§3.2.1).
            BidRequest => Request<'a>; restricted {
                /// Echoed as the response's `id`.
                [1] id: required(literal),
                /// At most [`base::limits::MAX_IMPS`]. Entries without an `id` are left out.
                [2] imp: imps(Imp),
                /// The specification wants exactly one of `site`, `app` and `dooh`. Some requests have none or several.
                [3] site: object_ref(Site),
                /// See `site`.
                [4] app: object_ref(App),
                /// See `site`.
                [22] dooh: object_ref(Dooh),
                /// The device that shows the ad.
                [5] device: nested(Device),
                /// The person; empty if unknown.
                [6] user: nested(User),
                /// Whether the auction is a test and not billable. Default 0.
                [15] test: flag,
                /// Auction type: 1 = first price, 2 = second price plus, 500 and above = exchange-specific. Default 2.
                [7] at: integer or 2,
                /// Time limit for the response in milliseconds; 0 if absent.
                [8] tmax: integer,
                /// Only these buyer seats may bid. Empty: any.
                [9] wseat: texts restricts Seat,
                /// These buyer seats may not bid.
                [17] bseat: texts restricts Seat,
                /// Allowed currencies of a bid. Empty: US dollars.
                [11] cur: currencies restricts Currency,
                /// Blocked advertiser categories, in the taxonomy `cattax`.
                [12] bcat: codes restricts Bcat,
                /// Allowed advertiser categories, in the taxonomy `cattax`. Empty: any.
                [23] acat: codes restricts Acat,
                /// Taxonomy of `bcat` and `acat`. Default 1.
                [21] cattax: taxonomy or 1,
                /// Blocked advertiser domains.
                [13] badv: domains restricts Badv,
                /// Blocked applications, as `bid.bundle` values.
                [16] bapp: codes restricts Bapp,
                /// Allowed languages of a creative (ISO 639-1). Empty: any.
                [18] wlang: codes restricts Wlang,
                /// Allowed languages of a creative (BCP 47). The specification wants only one of `wlang` and `wlangb`.
                [20] wlangb: codes restricts Wlang,
                /// Privacy signals.
                [14] regs: nested(Regs) restricts Privacy,
                [19] source: flatten(Source) if schain,
                [_] ext: custom(RequestExt),
            } + {
                /// Whether the list has more impressions than [`base::limits::MAX_IMPS`].
                more_imps: bool,
                /// The sellers of the request: `source.schain` and `source.ext.schain`.
                schain: Option<SupplyChain<'a>>,
                /// Whether the request exceeds [`base::limits::MAX_VALUES`] or a string exceeds
                /// [`base::limits::MAX_TEXT_BYTES`]. Then some values are missing here.
                has_too_much: bool,
            }

            /// `Imp` (§3.2.4).
            Imp => Imp<'a>; restricted {
                /// Echoed as `bid.impid`.
                [1] id: required(literal),
                /// Offered as a banner.
                [2] banner: object(Banner) if banner,
                /// Offered as video.
                [3] video: object_ref(Video),
                /// Offered as audio.
                [15] audio: object_ref(Audio),
                /// Offered as native.
                [13] native: object(Native) if native,
                [11] pmp: flatten(Pmp) restricts Deal,
                /// Whether the ad is interstitial or full screen. Default 0.
                [6] instl: flag,
                /// The publisher's name for the placement.
                [7] tagid: text,
                /// Minimum CPM, in `bidfloorcur`. Default 0. A negative floor is 0.
                [8] bidfloor: floor,
                /// Currency of `bidfloor`. Default US dollars.
                [9] bidfloorcur: currency,
                /// Whether creative assets and markup must use HTTPS. Default 0.
                [12] secure: signal,
                [99] ext: flatten(ImpExt),
                /// Whether the person gets a reward for watching: `rwdd`, else `ext.prebid.is_rewarded_inventory`
                /// (Prebid). Default 0.
                [18] rwdd: flag,
                /// How the ad is inserted: 0 = unknown, 1 = client side, 2 = assets server side and tracking client
                /// side, 3 = all server side. Default 0.
                [19] ssai: integer restricts Ssai,
                /// The most seconds between auction and impression; 0 if absent.
                [14] exp: integer restricts Exp,
                [20] qty: flatten(Qty) restricts Multiplier,
                /// When the ad will be shown, in milliseconds since the epoch. A fraction is cut off. 0 if absent.
                [21] dt: truncated,
                /// Measurements of the placement. Entries without a `type` or `value` are left out.
                [17] metric: list(Metric) if metric,
            } + {
                /// `pmp.private_auction`: whether only bids under `deals` are accepted. Default 0.
                private_auction: bool,
                /// `pmp.deals`. Entries without an `id`, or with an `id` over [`base::limits::MAX_ID_BYTES`], are left
                /// out.
                deals: &'a [Deal<'a>],
                /// The global placement id: `ext.gpid`, else `ext.data.pbadslot` (Prebid).
                gpid: &'a str,
                /// The publisher's data about the impression: `ext.data` as JSON text; empty without it.
                first_party: &'a [&'a str],
                /// `qty.multiplier`: how many impressions one showing counts for, in millionths. Further digits round
                /// up. 0 if absent, [`Micros::UNREADABLE`] if it is not a number.
                multiplier: Micros,
                /// `qty.sourcetype`: who measured the multiplier (AdCOM list). `None` if unknown.
                sourcetype: Option<i64>,
                /// `qty.vendor`: domain of the company that measured the multiplier.
                qty_vendor: &'a str,
                /// Offered to advertising networks of Apple's SKAdNetwork: `ext.skadn`.
                skadn: Option<&'a Skadn<'a>>,
            }

            /// `Qty` (§3.2.31).
            Qty in Imp<'a> {
                [1] multiplier: floor -> multiplier,
                [2] sourcetype: optional(integer) -> sourcetype,
                [3] vendor: text -> qty_vendor,
            }

            /// `imp.ext`, as Prebid fills it.
            ImpExt in Imp<'a> {
                [_] data: whole(ImpData) -> first_party & flatten(ImpData),
                [1] gpid: text -> gpid,
                [_] prebid: flatten(ImpPrebid),
                [2] skadn: object_ref(Skadn) -> skadn if skadn,
            }

            /// `imp.ext.data`.
            ImpData in Imp<'a> { [_] pbadslot: text -> gpid, }

            /// `imp.ext.prebid`.
            ImpPrebid in Imp<'a> { [_] is_rewarded_inventory: flag -> rwdd, }

            /// `imp.ext.skadn` (community extension `skadnetwork`).
            Skadn => Skadn<'a> {
                /// The version of SKAdNetwork, in requests without `versions`.
                [1] version: text,
                /// The versions of SKAdNetwork.
                [5] versions: texts,
                /// The publisher's app in the App Store.
                [2] sourceapp: text,
                /// Networks that the app lists.
                [3] skadnetids: texts,
                [4] skadnetlist: flatten(SkadnList),
            } + {
                /// `skadnetlist.addl`: more networks that the app lists.
                addl: &'a [&'a str],
                /// `skadnetlist.max`: the app lists all networks of the IAB Tech Lab's list up to this number; 0 if
                /// absent.
                max: i64,
                /// `skadnetlist.excl`: numbers of that list that the app does not list.
                excl: &'a [i64],
            }

            /// `imp.ext.skadn.skadnetlist`.
            SkadnList in Skadn<'a> { [1] max: integer -> max, [2] excl: integers -> excl, [3] addl: texts -> addl, }

            /// `Metric` (§3.2.5).
            Metric => Metric<'a> {
                [1] r#type: required(text_or_empty) -> kind,
                /// The value in millionths. Further digits round up.
                [2] value: required(amount),
                /// The company that measured, for example `EXCHANGE`.
                [3] vendor: text,
            } + {
                /// `type`, for example `viewability`.
                kind: &'a str,
            }

            /// `Banner` (§3.2.6).
            Banner => Banner<'a>; restricted {
                /// Permitted sizes, in density-independent pixels.
                [15] format: list(Format) restricts Size,
                [1] w: integer -> size.w restricts Size,
                [2] h: integer -> size.h restricts Size,
                /// Blocked banner types (AdCOM list: 1 = XHTML text, 2 = XHTML banner, 3 = JavaScript, 4 = iframe).
                [5] btype: integers restricts Btype,
                /// Blocked creative attributes.
                [6] battr: integers restricts Battr,
                /// Permitted MIME types. Empty: any.
                [7] mimes: texts restricts Mimes,
                /// Supported API frameworks; any other is not supported.
                [10] api: integers,
                /// Position on screen.
                [4] pos: optional(integer),
                /// Directions in which the banner may expand (AdCOM list). Empty: unknown.
                [9] expdir: integers,
                /// Whether the banner is in the top frame and not in an iframe. `None` if unknown.
                [8] topframe: optional(flag),
            } + {
                /// The size if `format` is absent.
                size: Size,
            }

            /// `Format` (§3.2.10).
            Format => Format {
                [1] w: integer -> size.w restricts Size,
                [2] h: integer -> size.h restricts Size,
                /// Width part of the ratio; 0 if absent.
                [3] wratio: integer restricts Size,
                /// Height part of the ratio; 0 if absent.
                [4] hratio: integer restricts Size,
                /// Minimum width for the ratio, in density-independent pixels; 0 if absent.
                [5] wmin: integer restricts Size,
            } + {
                /// Exact size.
                size: Size,
            }

            /// `Video` (§3.2.7) and `Audio` (§3.2.8). `podid`, `poddur` and `poddedupe` apply to every bid on the
            /// impression.
            Video if video,
            Audio if audio without(w h linearity plcmt pos protocol skip skipmin playbackmethod boxingallowed poddedupe)
            => Linear<'a>, then(removed_protocol); restricted {
                /// Playable MIME types (required by the spec).
                [1 1] mimes: texts restricts Mimes,
                /// Shortest ad in seconds; 0 if absent.
                [3 2] minduration: integer restricts Duration,
                /// Longest ad in seconds; 0 if absent.
                [4 3] maxduration: integer restricts Duration,
                /// The exact durations that are accepted, in seconds. Empty: use `minduration` and `maxduration`.
                [32 26] rqddurs: integers restricts Duration,
                /// Accepted VAST or DAAST versions (AdCOM creative subtypes). If a video has no `protocols`, its
                /// `protocol` counts, which OpenRTB 2.6 removed. Empty: any.
                [21 4] protocols: integers restricts Protocols,
                [5 _] protocol: integer restricts Protocols,
                [6 _] w: integer -> size.w restricts Boxing,
                [7 _] h: integer -> size.h restricts Boxing,
                /// 1 = linear, 2 = non-linear; 0 if absent, which allows both.
                [2 _] linearity: integer restricts Linearity,
                /// Blocked creative attributes.
                [10 7] battr: integers restricts Battr,
                /// Supported API frameworks; any other is not supported.
                [19 13] api: integers,
                /// Start in seconds: 0 = pre-roll, above 0 = mid-roll, -1 = generic mid-roll, -2 = generic post-roll.
                /// `None` if unknown.
                [8 5] startdelay: optional(integer),
                /// AdCOM video placement subtype.
                [35 _] plcmt: optional(integer),
                /// Position on screen.
                [17 _] pos: optional(integer),
                /// Whether the player lets the person skip the ad. `None` if unknown.
                [23 _] skip: optional(flag) restricts Skip,
                /// Minimum duration in seconds of an ad that can be skipped; 0 if absent.
                [24 _] skipmin: integer restricts Skip,
                /// Seconds that an ad may have beyond `maxduration`: 0 = none, -1 = no limit.
                [11 8] maxextended: integer,
                /// Minimum bit rate in kbps; 0 if absent.
                [12 9] minbitrate: integer restricts Bitrate,
                /// Maximum bit rate in kbps; 0 if absent.
                [13 10] maxbitrate: integer restricts Bitrate,
                /// Accepted delivery: 1 = streaming, 2 = progressive, 3 = download. Empty: any.
                [16 11] delivery: integers restricts Delivery,
                /// How playback starts (AdCOM list). Empty: unknown.
                [15 _] playbackmethod: integers,
                /// Whether letter-boxing is allowed. `None` means yes.
                [14 _] boxingallowed: optional(flag) restricts Boxing,
                /// Slots for companion ads.
                [18 12] companionad: list(Banner),
                /// Allowed companion types: 1 = static, 2 = HTML, 3 = iframe. Empty: any.
                [20 20] companiontype: integers restricts Companion,
                /// Id of the pod that contains this impression; empty if none.
                [30 27] podid: text if always,
                /// Position of the pod in the content: -1 = last, 0 = unknown, 1 = first.
                [31 28] podseq: integer,
                /// Guaranteed position of the slot in the pod: -1 = last, 0 = any, 1 = first, 2 = first or last.
                [33 29] slotinpod: integer,
                /// The most ads in a dynamic pod; 0 if absent.
                [28 21] maxseq: integer restricts Duration,
                /// Length of a dynamic pod in seconds; 0 if the slot is not a dynamic pod.
                [29 25] poddur: integer restricts Duration if always,
                /// Minimum CPM per second, in `imp.bidfloorcur`; 0 if absent.
                [34 30] mincpmpersec: floor,
                /// Floors by duration, in `imp.bidfloorcur`.
                [36 31] durfloors: list(DurFloor) restricts FloorUnreadable,
                /// How the seller finds duplicates within a pod, a bit for each known setting: see [`dedupe`].
                [37 _] poddedupe: dedupe restricts PodDuplicate if always,
            } + {
                /// Player size (video only).
                size: Size,
            }

            /// `DurFloors` (§3.2.35).
            DurFloor => DurFloor {
                /// Shortest duration in seconds, inclusive; 0 means no limit.
                [1] mindur: integer,
                /// Longest duration in seconds, inclusive; 0 means no limit.
                [2] maxdur: integer,
                /// Minimum CPM, in the currency of the object around it.
                [3] bidfloor: required(floor),
            }

            /// `Native` (§3.2.9).
            Native => Native<'a>, then(native::read_request); restricted {
                [(1 or 50)] request: custom(NativeContent),
                [2] ver: text,
                /// Blocked creative attributes.
                [4] battr: integers restricts Battr,
                /// Supported API frameworks; any other is not supported.
                [3] api: integers,
            } + {
                /// The version of the response.
                ver: NativeVersion,
                /// The assets of the placement. Entries without an `id` are left out, unless they are required.
                assets: &'a [Asset<'a>],
                /// The supported trackers: one entry for each pair of event and method.
                eventtrackers: &'a [EventTracker],
                /// Whether the ad may show a link to a privacy notice. Default 0.
                privacy: bool,
            }

            /// The Native Ads request (Native Ads 1.2 §4.1), bare or wrapped in `{"native":…}`.
            NativeContent,
            NativeWrapped without(native)
            in Native<'a>; restricted {
                [_] native: custom(NativeWrapped),
                [1] ver: text,
                [6] assets: list(Asset) -> assets restricts Asset,
                [13] eventtrackers: event_trackers(EventTracker) -> eventtrackers,
                [14] privacy: flag -> privacy,
            }

            /// An asset (Native Ads 1.2 §4.2).
            Asset => Asset<'a>, then(native::asset_kind) {
                /// Echoed by the asset in the response. `None` if it cannot be read: then no ad has an answer.
                [1] id: optional(integer),
                /// Whether the exchange refuses an ad without this asset. Default 0.
                [2] required: signal,
                [3] title: custom(Title),
                [4] img: custom(Img),
                [5] video: custom(AssetVideo),
                [6] data: custom(AssetData),
            } + {
                /// What the ad must provide.
                kind: AssetKind<'a>,
            }

            /// `title` (Native Ads 1.2 §4.3).
            Title { [1] len: integer restricts Asset, }

            /// `img` (Native Ads 1.2 §4.4).
            Img {
                [1] r#type: integer restricts Asset,
                [2] w: integer restricts Asset,
                [3] h: integer restricts Asset,
                [4] wmin: integer restricts Asset,
                [5] hmin: integer restricts Asset,
            }

            /// `video` (Native Ads 1.2 §4.5).
            AssetVideo {
                [1] mimes: texts restricts Asset,
                [3] minduration: integer restricts Asset,
                [4] maxduration: integer restricts Asset,
                [21] protocols: integers restricts Asset,
            }

            /// `data` (Native Ads 1.2 §4.6).
            AssetData { [1] r#type: integer restricts Asset, [2] len: integer restricts Asset, }

            /// An event tracker (Native Ads 1.2 §4.7).
            EventTracker { [1] event: integer, [2] methods: integers, }

            /// `Pmp` (§3.2.11).
            Pmp in Imp<'a> { [1] private_auction: signal -> private_auction, [2] deals: list(Deal) -> deals if deals, }

            /// `Deal` (§3.2.12).
            Deal => Deal<'a>; restricted {
                /// Echoed as `bid.dealid`.
                [1] id: required(short_literal),
                /// Minimum CPM for this deal, in `bidfloorcur`. Default 0.
                [2] bidfloor: floor,
                /// Currency of the floors of this deal. Default US dollars, not the currency of the impression.
                [3] bidfloorcur: currency,
                /// Auction type instead of the request's `at`; if 3, `bidfloor` is the agreed price. 0 if absent.
                [6] at: integer,
                /// Only these buyer seats may bid. Empty: any.
                [4] wseat: texts restricts DealWseat,
                /// Only these advertiser domains are allowed. Empty: any.
                [5] wadomain: domains restricts DealWadomain,
                /// Whether the deal is guaranteed, so the bidder must bid. Default 0.
                [7] guar: int32_flag,
                /// Minimum CPM per second, in `bidfloorcur`; 0 if absent.
                [8] mincpmpersec: floor,
                /// Floors by duration, in `bidfloorcur`.
                [9] durfloors: list(DurFloor) restricts FloorUnreadable,
            }

            /// `App` (§3.2.14), `Site` (§3.2.13) and `DOOH` (§3.2.32). `Channel` has the attributes of all three.
            Channel if place,
            App if place without(page venuetype venuetypetax),
            Site if place without(bundle paid venuetype venuetypetax),
            Dooh if place without(bundle paid page cat sectioncat pagecat cattax kwarray inventorypartnerdomain)
            => Channel<'a> {
                /// The exchange's id of the channel.
                [_ 1 1 1] id: text if channel,
                /// `domain` as in the request, not normalized.
                [_ 3 3 6] domain: text,
                /// `page` (sites): URL of the page with the ad.
                [_ _ 7 _] page: text if channel as Host,
                /// `bundle` (apps): package name or store id.
                [_ 8 _ _] bundle: text,
                /// `paid` (apps): whether the person paid for the app.
                [_ 10 _ _] paid: optional(flag),
                /// `venuetype` (screens): types of the venue.
                [_ _ _ 3] venuetype: texts if channel,
                /// Taxonomy of `venuetype` (AdCOM list). Default 1.
                [_ _ _ 4] venuetypetax: taxonomy or 1 if channel,
                [_ 11 11 5] publisher: flatten(Publisher) if channel,
                /// Categories of the site, app or screen: `cat`.
                [_ 4 4 _] cat: texts if cat,
                /// Categories of the section: `sectioncat`.
                [_ 5 5 _] sectioncat: texts if cat,
                /// Categories of the page or view: `pagecat`.
                [_ 6 6 _] pagecat: texts if cat,
                /// Taxonomy of the categories. Default 1.
                [_ 17 16 _] cattax: integer or 1 if cat,
                /// `keywords`: one string, separated by commas.
                [_ 13 13 7] keywords: text_array -> kwarray & text if keywords,
                /// `kwarray`: one keyword per item.
                [_ 19 18 _] kwarray: texts if keywords,
                /// The domain of the content's owner, whose ads.txt names sellers too.
                [_ 18 17 _] inventorypartnerdomain: text if schain,
                /// The content around the ad.
                [_ 12 12 8] content: nested_always(Content) if content,
                [_ _ _ _] ext: flatten(ChannelExt) if first_party,
            } + {
                /// The publisher's data about the channel: `ext.data` as JSON text; empty without it. A value of an
                /// earlier text counts.
                first_party: &'a [&'a str],
                /// `publisher.id`.
                publisher_id: &'a str,
                /// `publisher.domain`.
                publisher_domain: &'a str,
            }

            /// `ext` of a site, an app or a screen, as Prebid fills it.
            ChannelExt in Channel<'a> { [_] data: whole(ExtData) -> first_party as Nothing, }

            /// `ext.data`: first-party data with any attributes.
            ExtData {}

            /// `Publisher` (§3.2.15).
            Publisher in Channel<'a> { [1] id: text -> publisher_id, [4] domain: text -> publisher_domain, }

            /// `Content` (§3.2.16).
            Content => Content<'a> {
                /// `genre` as free text.
                [22] genre: text,
                /// `genres`, one genre per item. OpenRTB 2.6-202505 had one string.
                [35] genres: texts,
                /// The exchange's id of the content.
                [1] id: text if titles,
                /// Title of the content.
                [3] title: text if titles,
                /// Name of the series.
                [4] series: text if titles,
                /// Season, as the exchange writes it.
                [5] season: text if titles,
                /// Number of the episode. `None` if unknown.
                [2] episode: optional(integer) if titles,
                /// Artist.
                [21] artist: text if titles,
                /// Album of the artist.
                [23] album: text if titles,
                /// International Standard Recording Code.
                [24] isrc: text if titles,
                /// Taxonomy of `genres`. `None` if absent, which means 9.
                [33] gtax: optional(integer),
                /// Content rating as free text, for example `MPAA`.
                [10] contentrating: text,
                /// Whether the broadcast is scheduled, that is linear. `None` if unknown.
                [13] livestream: optional(flag),
                /// Whether the event happens while it is watched. `None` if unknown.
                [_] realtime: optional(flag),
                /// Whether the content is shown for the first time. `None` if unknown.
                [_] firstbroadcast: optional(flag),
                /// Language (ISO 639-1).
                [19] language: text,
                /// Language (BCP 47).
                [29] langb: text,
                [30] network: flatten(Network),
                [31] channel: flatten(ContentChannel),
                /// Categories.
                [7] cat: texts if cat,
                /// Taxonomy of `cat`. Default 1.
                [27] cattax: integer or 1 if cat,
                /// `keywords`: one string, separated by commas.
                [9] keywords: text_array -> kwarray & text if keywords,
                /// `kwarray`: one keyword per item.
                [32] kwarray: texts if keywords,
                /// Segments and ids of the content by provider.
                [28] data: list(Data) if content_data,
            } + {
                /// `network.name`.
                network: &'a str,
                /// `channel.name`.
                channel: &'a str,
            }

            /// `Network` (§3.2.23).
            Network in Content<'a> { [2] name: text -> network, }

            /// `Channel` (§3.2.24).
            ContentChannel in Content<'a> { [2] name: text -> channel, }

            /// `Device` (§3.2.18).
            Device => Device<'a> {
                [99] ext: flatten(DeviceExt),
                /// Structured user agent: `device.sua`, else `device.ext.sua`, attribute by attribute. What it tells
                /// replaces `ua`, `os` and `osv`.
                [31] sua: object(UserAgent) if sua,
                /// Location of the device: `device.geo`.
                [4] geo: nested(Geo) if country,
                /// AdCOM device type.
                [18] devicetype: optional(integer),
                /// Do Not Track. Default 0.
                [1] dnt: signal,
                /// Limit Ad Tracking. Default 0.
                [23] lmt: signal,
                /// User-Agent string.
                [2] ua: text,
                /// Manufacturer.
                [12] make: text if device,
                /// Model.
                [13] model: text if device,
                /// Version of the hardware.
                [24] hwv: text if device,
                /// Operating system.
                [14] os: text if device,
                /// Version of the operating system.
                [15] osv: text if device,
                /// Language (ISO 639-1).
                [11] language: text if device,
                /// Language (BCP 47).
                [32] langb: text if device,
                /// AdCOM connection type.
                [17] connectiontype: optional(integer) if device,
                /// Carrier or provider.
                [10] carrier: text if device,
                /// IPv4 address, or empty. Exchanges also send IPv6 addresses here.
                [3] ip: text if address as Nothing,
                /// IPv6 address, or empty.
                [9] ipv6: text if address as Nothing,
                /// Advertising id; empty if absent.
                [20] ifa: person_id if device as Nothing,
                /// What kind of id `ifa` is, for example `rida`: `ifa_type` (§7.9.2.5), else `ext.ifa_type`.
                [_] ifa_type: text if device,
            } + {
                /// Whether `ext.atts` says that the app may not track the person (community extension `skadnetwork`).
                atts: bool,
            }

            /// `device.ext`: where `OpenRTB` 2.5 has `sua`, the status of Apple's App Tracking Transparency, and the
            /// kind of `ifa`.
            DeviceExt in Device<'a> {
                [_] sua: object(UserAgent) -> sua if sua,
                [1] atts: untracked -> atts,
                [4] ifa_type: text -> ifa_type if device,
            }

            /// `UserAgent` (§3.2.29).
            UserAgent => UserAgent<'a> {
                /// Browsers and their versions.
                [1] browsers: list(Brand),
                /// Platform, usually the operating system.
                [2] platform: nested(Brand),
                /// Model.
                [6] model: text,
            }

            /// `BrandVersion` (§3.2.30).
            Brand => Brand<'a> {
                /// Name.
                [1] brand: text,
                /// Parts of the version, the most significant part first.
                [2] version: texts,
            }

            /// `Geo` (§3.2.19).
            Geo => Geo<'a>, then(point) {
                /// Country code of three letters (ISO 3166-1). Some exchanges send two letters.
                [3] country: text,
                /// Region code (ISO 3166-2).
                [4] region: text if geo,
                /// Metro code, for example Nielsen DMA.
                [6] metro: text if geo,
                /// City name or code.
                [7] city: text if geo,
                /// Postal code.
                [8] zip: text if geo as Nothing,
                [1] lat: decimal if geo as Tenth,
                [2] lon: decimal if geo as Tenth,
                /// Offset of local time from UTC in minutes. `None` if unknown.
                [10] utcoffset: optional(integer) if geo,
            } + {
                /// Latitude and longitude. `None` if one of them is absent or unreadable.
                point: Option<Point>,
            }

            /// `User` (§3.2.20), and the attributes that first-party data may set.
            User,
            UserPatch without(id buyeruid consent eids)
            => User<'a> {
                [99] ext: flatten(UserExt),
                /// The exchange's id for the person.
                [1] id: person_id if eids as Nothing,
                /// Our user id, from cookie sync.
                [2] buyeruid: person_id as Nothing,
                /// TCF consent string: `user.consent`, else `user.ext.consent`.
                [10] consent: signal_text as Tcf,
                /// `user.eids` and `user.ext.eids`. Entries without a `source` are left out.
                [11] eids: joined(Eid) if eids as Nothing,
                /// Location of the person's home: `user.geo`, used for what `device.geo` does not tell.
                [7] geo: nested(Geo) if country,
                /// Year of birth; 0 if absent.
                [3] yob: integer,
                /// `keywords`: one string, separated by commas.
                [5] keywords: text_array -> kwarray & text if keywords,
                /// `kwarray`: one keyword per item.
                [9] kwarray: texts if keywords,
                /// Segments by provider.
                [8] data: list(Data) if data,
            } + {
                /// `user.ext.consent`. If it is another text, the stricter one counts.
                ext_consent: &'a str,
                /// The publisher's data about the person: `ext.data` as JSON text; empty without it. A value of an
                /// earlier text counts.
                first_party: &'a [&'a str],
            }

            /// `user.ext`, the position in `OpenRTB` 2.5, and the publisher's data as Prebid has them.
            UserExt in User<'a> {
                [_] data: whole(ExtData) -> first_party if first_party as Nothing,
                [1] consent: signal_text -> consent & signal_text -> ext_consent as Tcf,
                [2] eids: list(Eid) -> eids if eids as Nothing,
            }

            /// `Data` (§3.2.21).
            Data => Data<'a>, then(in_taxonomy) {
                [99] ext: flatten(DataExt) if data_ext,
                /// The exchange's id of the data provider.
                [1] id: text,
                /// Name of the data provider.
                [2] name: text,
                /// `segment[].id`. Entries without an `id` are left out.
                [3] segment: segment_ids(Segment),
                /// Ids of the content: `cids` (§7.14), else `ext.cids`.
                [_] cids: texts if content_data,
            } + {
                /// `ext.segtax`: the taxonomy of the segments (community extension `segtax`); 0 if absent.
                segtax: i64,
                /// The provider's id, its name and the empty text, each with [`SEGTAX`] and the taxonomy behind it. Empty
                /// without a taxonomy.
                in_taxonomy: &'a [&'a str],
            }

            /// `data.ext`: the taxonomy, and where requests before `OpenRTB` 2.6-202505 have `cids`.
            DataExt in Data<'a> { [_] segtax: integer -> segtax, [1] cids: texts -> cids if content_data, }

            /// `Segment` (§3.2.22).
            Segment { [1] id: text, }

            /// `EID` (§3.2.27).
            Eid => Eid<'a> {
                /// Domain of the issuer of the ids.
                [1] source: required(text_or_empty),
                /// The ids. Entries without an `id` are left out.
                [2] uids: list(Uid),
                /// How the ids were matched (AdCOM list "ID Match Methods"); 0 if absent.
                [5] mm: integer,
                /// Domain of who put the ids into the request.
                [3] inserter: text,
                /// Domain of who matched the ids; empty if it is the `source`.
                [4] matcher: text,
            }

            /// `UID` (§3.2.28).
            Uid => Uid<'a> {
                /// The id.
                [1] id: required(person_id),
            }

            /// `Regs` (§3.2.3).
            Regs => Regs<'a>, then(two_positions); restricted {
                [99] ext: flatten(RegsExt) restricts Privacy,
                [_] gpc: signal,
                [_] dsa: custom(Dsa) restricts Dsa,
                /// Whether the request is subject to COPPA (children). Default 0.
                [1] coppa: signal,
                [4] gdpr: signal,
                /// US Privacy string: `regs.us_privacy`, else `regs.ext.us_privacy`.
                [5] us_privacy: signal_text as UsPrivacy,
                /// GPP string: `regs.gpp`, else `regs.ext.gpp`.
                [2] gpp: signal_text as Gpp,
                /// GPP sections that apply: `regs.gpp_sid`, else `regs.ext.gpp_sid`.
                [3] gpp_sid: sections,
            } + {
                /// Whether GDPR applies: `regs.gdpr` or `regs.ext.gdpr`. `None` if unknown.
                gdpr: Option<bool>,
                /// `regs.ext.us_privacy`. If it is another text, the stricter one counts; likewise for GPP.
                ext_us_privacy: &'a str,
                /// `regs.ext.gpp`.
                ext_gpp: &'a str,
                /// `regs.ext.gpp_sid`.
                ext_gpp_sid: &'a [i64],
                /// Whether the browser sent Global Privacy Control: `regs.gpc` or `regs.ext.gpc` is 1 (community
                /// extension). Default 0.
                gpc: bool,
                /// Requirements under the Digital Services Act: `regs.dsa`, else `regs.ext.dsa`.
                dsa: Dsa,
            }

            /// `regs.ext`, the position in `OpenRTB` 2.5.
            RegsExt in Regs<'a>; restricted {
                [3] gpc: text,
                [4] dsa: custom(Dsa) restricts Dsa,
                [1] gdpr: signal,
                [2] us_privacy: signal_text -> us_privacy & signal_text -> ext_us_privacy as UsPrivacy,
                [_] gpp: signal_text -> gpp & signal_text -> ext_gpp as Gpp,
                [_] gpp_sid: sections -> gpp_sid & sections -> ext_gpp_sid,
            }

            /// The Digital Services Act (community extension `dsa_transparency`).
            Dsa => Dsa {
                /// 0 = not required, 1 = supported, 2 = required, 3 = required by an online platform. Default 0.
                [1] dsarequired: integer restricts Dsa,
                /// Whether the publisher shows the transparency information: 0 = cannot, 1 = may, 2 = will. `None` if
                /// unknown.
                [2] pubrender: optional(integer),
                /// Whether the bid must send the transparency data: 0 = no, 1 = optional, 2 = yes. `None` if unknown.
                [3] datatopub: optional(integer),
            }

            /// `Source` (§3.2.2).
            Source in Request<'a> { [99] ext: flatten(SourceExt), [4] schain: chain(SupplyChain) -> schain, }

            /// `source.ext`, the position in `OpenRTB` 2.5.
            SourceExt in Request<'a> { [1] schain: object(SupplyChain) -> schain, }

            /// `SupplyChain` (§3.2.25).
            SupplyChain => SupplyChain<'a> {
                /// Whether the chain contains all parties back to the owner of the channel.
                [1] complete: flag,
                /// The parties, the first seller first.
                [2] nodes: list(Node),
            }

            /// `SupplyChainNode` (§3.2.26).
            Node => Node<'a> {
                /// Domain of the advertising system.
                [1] asi: text,
                /// The seller's account id in the system `asi`.
                [2] sid: text,
                /// Whether the seller is paid: only 0 says no. `None` if unknown.
                [6] hp: optional(signal),
            }

            /// `ext`, where Prebid Server puts first-party data.
            RequestExt { [_] prebid: custom(Prebid), }

            /// `ext.prebid`.
            Prebid { [_] bidderconfig: custom_list(BidderConfig), }

            /// `ext.prebid.bidderconfig[]`: first-party data and the bidders that get it.
            BidderConfig { [_] bidders: texts, [_] config: custom(Config), }

            /// `config` of an entry of `bidderconfig`.
            Config { [_] ortb2: custom(Ortb2), }

            /// The objects that are merged over the objects of the request.
            Ortb2 { [_] site: custom(Site), [_] app: custom(App), [_] user: custom(UserPatch), }
        }
    };
}
