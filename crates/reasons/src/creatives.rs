//! The table of rules about creatives: one row for each rule that compares a creative with what an impression offers.
//!
//! ```text
//! /// When the check fails.
//! Reason = "reason-name" (nbr): [words] [paths] {Form object.attribute, |offer| value},
//! ```
//!
//! | part | meaning |
//! |---|---|
//! | `Reason`, `"reason-name"`, `(nbr)` | as in [`dimensions`](mod@crate::dimensions) |
//! | `[words]` | what explanations say: of `NoneOf`, the names of the creative's values and of the list; of `Flag` and of some functions, a clause for the creative and one for the impression |
//! | `[paths]` | the attributes of the request that the check looks at: see [`Dimension`](crate::kind::Dimension) |
//! | `object.attribute` | the creative's value: the attribute of a stored object; `any` is for a method of `Own` in `crates/rules/src/own.rs` |
//! | `\|offer\| value` | the value of the impression; `?` ends a rule that the media object does not have |
//!
//! | `Form` | the creative | passes if | of the impression |
//! |---|---|---|---|
//! | `OneOf` | one value | it is in the list, or the list is empty | a list, or a number that is not 0 |
//! | `OneOfKnown` | one value; 0 is unknown; a text may fit all | likewise, or it is unknown or fits all | likewise |
//! | `AllOf` | values | each is in the list; so an empty list takes only a creative without values | a list |
//! | `NoneOf` | one value or several | none is in the list | a list |
//! | `Range` | one number; 0 is unknown | it is between both, or unknown | the least and the most; without a limit, 0 |
//! | `Flag` | true or false | not both are true | true or false |
//!
//! | `object` | the stored object, of which the attribute in the document has the same name |
//! |---|---|
//! | `banner` | a banner |
//! | `linear` | a video or audio ad |
//! | `file` | a file of it; one that passes is enough |
//! | `creative` | the creative itself |
//!
//! A rule without such a form is `{Check module.function}`: a function of `crates/rules/src`. `{Nested}` are rules about
//! ads within the ad, which `crates/rules/src/linear.rs` and `native.rs` check. Their sentences are in
//! `crates/explain/src/checks/creative.rs`, unless the row has `[words]`. Their cost, index keys, stored values and parts
//! to read are written by hand, too.
//!
//! A row goes to its position in the order of the checks. The rest of a row with a form is generated: the no-bid reason,
//! the compiled value, the check, its cost, the parts of the request to read, the values of creative and impression in an
//! explanation, and, except for `Range`, the index keys of campaigns and requests. The index relies on two rules: a
//! row whose list belongs to the impression or the request is about `creative`, not about one kind of ads, and `NoneOf` is
//! never about `file`, because one file that passes is enough.

/// Calls the macro `$then` with `$more` and all rows, as `$then! { … creative { … } }`.
#[macro_export]
macro_rules! creatives {
    ($then:ident $($more:tt)*) => {
        $then! {
            $($more)*
            creative {
                /// The banner's type is in `btype`.
                Btype = "btype": ["btype", "btype"] ["imp.banner.btype"]
                    {NoneOf any.btype, |offer| offer.banner()?.btype},
                /// The creative's MIME type is not accepted.
                Mimes = "mimes": [] ["spot.mimes"] {OneOf any.mime, |offer| offer.mimes()?},
                /// The creative expands in a direction that is not allowed.
                Expdir = "expdir": [] ["imp.banner.expdir"] {AllOf banner.expdir, |offer| offer.banner()?.expdir},
                /// No media file with an accepted MIME type has an accepted bit rate.
                Bitrate = "bitrate": [] ["spot.minbitrate", "spot.maxbitrate"]
                    {Range file.bitrate, |offer| offer.linear().map(|player| (player.minbitrate, player.maxbitrate))?},
                /// No media file with an accepted MIME type and bit rate has an accepted delivery method.
                Delivery = "delivery": [] ["spot.delivery"]
                    {OneOfKnown file.delivery, |offer| offer.linear()?.delivery},
                /// The markup's VAST or DAAST version is not accepted.
                Protocols = "protocols": [] ["spot.protocols|spot.protocol"]
                    {OneOf linear.protocol, |offer| offer.linear()?.protocols},
                /// The ad is linear where only non-linear ads are accepted, or the reverse.
                Linearity = "linearity": [] ["spot.linearity"]
                    {OneOf linear.linearity, |offer| offer.linear()?.linearity},
                /// The ad is too short or too long, or its duration is not in `rqddurs`.
                Duration = "duration": []
                    ["spot.minduration", "spot.maxduration", "spot.maxextended", "spot.rqddurs", "spot.poddur"]
                    {Check player.has_duration},
                /// Both the ad and the player have a skip button.
                Skip = "skip": ["a skip button of its own (attr 16)",
                    "a player with a skip button (skip 1), or only for longer ads (skipmin)"]
                    ["spot.skip", "?spot.skipmin"] {Check player.has_one_skip_button},
                /// The ad does not have the player's aspect ratio, and `boxingallowed` is 0.
                Boxing = "boxing": [] ["spot.boxingallowed", "?spot.w", "?spot.h"] {Check player.needs_no_boxes},
                /// The ad requires a companion, and no companion slot takes one.
                Companion = "companion": [] ["spot.companionad", "?spot.companiontype"] {Nested},
                /// The ad has nothing for a required native asset, or for any asset.
                Asset = "asset": [] ["imp.native.request"] {Nested},
                /// The creative needs an API framework that is not in `api`.
                Api = "api": [] ["spot.api"] {AllOf any.api, |offer| offer.api()?},
                /// The creative has an attribute in `battr`.
                Battr = "battr": ["attr", "battr"] ["spot.battr"] {NoneOf any.attr, |offer| offer.battr()?},
                /// `secure` is 1, and not every URL of the creative is HTTPS.
                Secure = "secure": ["plain http", "https only (secure 1)"] ["imp.secure"]
                    {Flag any.has_plain_http, |offer| offer.imp?.secure},
                /// The creative needs code on the device, and `ssai` is 3.
                Ssai = "ssai": ["code on the device (clientside)", "no code on the device (ssai 3)"] ["imp.ssai"]
                    {Flag creative.clientside, |offer| offer.is_all_server_side()?},
                /// The creative's language is not in `wlang` or `wlangb`.
                Wlang = "wlang": [] ["wlang", "?wlangb"] {OneOfKnown any.language, |offer| offer.languages()?},
            }
        }
    };
}
