//! The table of targeting dimensions: one row for each attribute that a campaign can target.
//!
//! ```text
//! /// When the check fails.
//! Reason = "reason-name" (nbr): kind attribute [needs] |source| value,
//! ```
//!
//! | part | meaning |
//! |---|---|
//! | `Reason` | the variant of [`NoBidReason`](crate::no_bid::NoBidReason) for a campaign that fails the check |
//! | `"reason-name"` | its name in counters, events, explanations and fixtures |
//! | `(nbr)` | its OpenRTB no-bid code; leave it out if OpenRTB has none |
//! | `kind` | what values look like: see below |
//! | `attribute` | the campaign's attribute: `target.attribute` in the catalog document |
//! | `[needs]` | the fields of [`Needs`](crate::read::Needs) without which the value is not read; may be empty |
//! | `\|source\| value` | the value or an `Option` of it; for several values, an `Option` of an iterator |
//!
//! The block that holds the row sets the type of `source`:
//!
//! | block | type of `source` | for values of |
//! |---|---|---|
//! | `request` | [`Facts`](crate::targeting::Facts) | the whole request |
//! | `imp` | [`Imp`](crate::request::Imp) | one impression |
//! | `spot` | [`Spot`](crate::targeting::Spot) | the banner, video or audio object that a creative would fill |
//!
//! | `kind` | values | a listed value matches |
//! |---|---|---|
//! | `text`, `texts` | one text, several texts | the same text; case does not matter |
//! | `domain` | one domain | itself and its subdomains; case does not matter |
//! | `category` | several pairs of category and taxonomy | itself and the categories below it; case does not matter |
//! | `id` | one id | the same id; case matters |
//! | `segment` | several pairs of provider and segment id | the same pair; case matters |
//! | `number`, `numbers` | one code, several codes of an `AdCOM` list, in which 0 says nothing | the same integer |
//! | `offset` | one integer, of which 0 is a value too | the same integer |
//! | `flag` | true or false | the same value |
//! | `known` | true or false | true; a campaign cannot ask for false |
//! | `channel` | site, app and DOOH, as a sum of 1, 2 and 4 | a sum of listed channels only |
//!
//! CONTRIBUTING.md lists the steps that add a dimension. A row goes to its place in the order of the checks.
//!
//! The rest is generated: the no-bid reason, the compiled rule, the index keys of campaigns and requests, the full
//! scan, the parts of the request to read, and the values of campaign and request in an explanation.

/// Calls the macro `$then` with all rows, as `$then! { request { … } imp { … } spot { … } }`.
#[macro_export]
macro_rules! dimensions {
    ($then:ident) => {
        $then! {
            request {
                /// The campaign does not target this channel: site, app or DOOH.
                Channel = "channel": channel channel [] |f| channels(f.request),
                /// The campaign does not target the country.
                Country = "country": text country [geo] |f| f.geo.country,
                /// The campaign does not target the region.
                Region = "region": text region [geo] |f| f.geo.region,
                /// The campaign does not target the metro area.
                Metro = "metro": text metro [geo] |f| f.geo.metro,
                /// The campaign does not target the city.
                City = "city": text city [geo] |f| f.geo.city,
                /// The campaign does not target the postal code.
                Zip = "zip": text zip [geo] |f| f.geo.zip,
                /// The campaign does not target the device type.
                Devicetype = "devicetype" (6): number devicetype [] |f| f.request.device.devicetype,
                /// The campaign does not target the device's manufacturer.
                Make = "make" (6): text make [device] |f| f.request.device.make,
                /// The campaign does not target the device model.
                Model = "model" (6): text model [device sua] |f| f.model,
                /// The campaign does not target the version of the device's hardware.
                Hwv = "hwv" (6): text hwv [device] |f| f.request.device.hwv,
                /// The campaign does not target the operating system.
                Os = "os" (6): text os [device sua] |f| f.os,
                /// The campaign does not target the browser.
                Browser = "browser" (6): texts browser [sua] |f| Some(f.browsers()),
                /// The campaign does not target the device's language.
                Language = "language": text language [device]
                    |f| language(f.request.device.language, f.request.device.langb),
                /// The campaign does not target the connection type.
                Connectiontype = "connectiontype": number connectiontype [device]
                    |f| f.request.device.connectiontype,
                /// The campaign does not target the carrier.
                Carrier = "carrier": text carrier [device] |f| f.request.device.carrier,
                /// The campaign does not target the domain.
                Domain = "domain" (7): domain domain [channel] |f| f.channel.domain,
                /// The campaign does not target the app bundle.
                Bundle = "bundle" (7): text bundle [channel] |f| f.channel.bundle,
                /// The campaign does not target the publisher.
                Publisher = "publisher" (7): id publisher [channel] |f| f.channel.publisher_id,
                /// The campaign does not target the id of the site, app or screen.
                Id = "id" (7): id id [channel] |f| f.channel.id,
                /// The campaign targets no category of the site, section, page or content, or excludes one.
                Cat = "cat": category cat [channel content cat] |f| categories(&f.channel),
                /// The campaign does not target the genre.
                Genre = "genre": texts genre [channel content] |f| genres(&f.channel.content),
                /// The campaign does not target the content rating.
                Contentrating = "contentrating": text contentrating [channel content]
                    |f| f.channel.content.contentrating,
                /// The content is live and the campaign does not want that, or the reverse, or it is unknown whether
                /// the content is live.
                Livestream = "livestream": flag livestream [channel content] |f| f.channel.content.livestream,
                /// The campaign does not target the content's language.
                ContentLanguage = "content-language": text content_language [channel content]
                    |f| language(f.channel.content.language, f.channel.content.langb),
                /// The campaign does not target the content's network.
                Network = "network": text network [channel content] |f| f.channel.content.network,
                /// The campaign does not target the content's channel.
                ContentChannel = "content-channel": text content_channel [channel content]
                    |f| f.channel.content.channel,
                /// The campaign targets no keyword of the request, or excludes one.
                Keywords = "keywords": texts keywords [channel content keywords] |f| keywords(f),
                /// The campaign targets no segment of the request, or excludes one.
                Segment = "segment" (8): segment segment [data] |f| segments(f.request.user.data),
                /// The campaign targets the source of no extended id, or excludes one.
                Eids = "eids" (8): texts eids [eids] |f| sources(f.request.user.eids),
                /// The request has no `buyeruid`: our id for the person.
                Buyeruid = "buyeruid" (8): known buyeruid [] |f| !f.request.user.buyeruid.is_empty(),
            }
            imp {
                /// The campaign does not target the placement.
                Tagid = "tagid": id tagid [] |imp| imp.tagid,
                /// The campaign does not target the placement's global id.
                Gpid = "gpid": id gpid [] |imp| imp.gpid,
                /// The placement is interstitial and the campaign does not want that, or the reverse.
                Instl = "instl": flag instl [] |imp| imp.instl,
                /// The placement is rewarded and the campaign does not want that, or the reverse.
                Rwdd = "rwdd": flag rwdd [] |imp| imp.rwdd,
            }
            spot {
                /// The campaign does not target the position on the screen.
                Pos = "pos": number pos [] |spot| spot.pos,
                /// The campaign does not target the video placement type.
                Plcmt = "plcmt": number plcmt [] |spot| spot.video.and_then(|offer| offer.plcmt),
                /// The campaign does not target the start delay.
                Startdelay = "startdelay": offset startdelay []
                    |spot| spot.linear.and_then(|offer| offer.startdelay),
                /// The campaign does not target the playback method.
                Playbackmethod = "playbackmethod": numbers playbackmethod []
                    |spot| spot.video.map(|offer| offer.playbackmethod.iter().copied()),
                /// The campaign does not target the pod's place in the content.
                Podseq = "podseq": number podseq [] |spot| spot.linear.map(|offer| offer.podseq),
                /// The campaign does not target the slot in the pod.
                Slotinpod = "slotinpod": numbers slotinpod [] |spot| spot.linear.map(slots),
                /// The banner is in the top frame and the campaign does not want that, or the reverse, or its frame is
                /// unknown.
                Topframe = "topframe": flag topframe [] |spot| spot.topframe,
            }
        }
    };
}
