//! The dimensions of targeting, a row each.
//!
//! ```text
//! /// When a campaign fails it.
//! Reason = "its name" (its nbr): kind attribute [parts to read] |from| value,
//! ```
//!
//! - `attribute` is the campaign's: `target.attribute` of the catalog document.
//! - `value` is what a request (`from` is [`Facts`](crate::targeting::Facts)), an impression ([`Imp`](crate::request::Imp)) or the ad
//!   object of an impression that a creative would fill ([`Spot`](crate::targeting::Spot)) says in this dimension.
//! - `parts` are the fields of [`Needs`](crate::read::Needs) without which the value is not read.
//! - `kind` says what values look like. In any case of letters: `text`, `texts` (several), `domain` (itself or a parent
//!   domain), `category` (with its taxonomy; itself or its parent). Letter by letter: `id`, `segment` (provider and id).
//!   Further: `number`, `numbers` (several), `flag`, `known` (a campaign can only ask for true), `channel` (site, app, DOOH).
//!
//! Everything about a dimension follows from its row: the reason, the compiled rule, the keys of the index on both sides, the
//! full scan that the index is tested against, what is read of a request, the checks of the document, and both sides of an
//! explanation. The order of the rows is the order of the checks.

/// Calls the macro `$then` with all rows, as `$then! { request { … } imp { … } spot { … } }`.
#[macro_export]
macro_rules! dimensions {
    ($then:ident) => {
        $then! {
            request {
                /// Site, app or DOOH is not what the campaign targets.
                Channel = "channel": channel channel [] |f| channels(f.request),
                /// The country is not one that the campaign targets.
                Country = "country": text country [geo] |f| f.geo.country,
                /// The region is not one that the campaign targets.
                Region = "region": text region [geo] |f| f.geo.region,
                /// The metro is not one that the campaign targets.
                Metro = "metro": text metro [geo] |f| f.geo.metro,
                /// The city is not one that the campaign targets.
                City = "city": text city [geo] |f| f.geo.city,
                /// The postal code is not one that the campaign targets.
                Zip = "zip": text zip [geo] |f| f.geo.zip,
                /// The device type is not one that the campaign targets.
                Devicetype = "devicetype" (6): number devicetype [] |f| f.request.device.devicetype,
                /// The manufacturer is not one that the campaign targets.
                Make = "make" (6): text make [device] |f| f.request.device.make,
                /// The model is not one that the campaign targets.
                Model = "model" (6): text model [device sua] |f| f.model,
                /// The operating system is not one that the campaign targets.
                Os = "os" (6): text os [device sua] |f| f.os,
                /// The browser is not one that the campaign targets.
                Browser = "browser" (6): texts browser [sua] |f| Some(f.browsers()),
                /// The device's language is not one that the campaign targets.
                Language = "language": text language [device]
                    |f| language(f.request.device.language, f.request.device.langb),
                /// The connection is not one that the campaign targets.
                Connectiontype = "connectiontype": number connectiontype [device]
                    |f| f.request.device.connectiontype,
                /// The carrier is not one that the campaign targets.
                Carrier = "carrier": text carrier [device] |f| f.request.device.carrier,
                /// The domain is not one that the campaign targets.
                Domain = "domain" (7): domain domain [channel] |f| f.channel.domain,
                /// The app bundle is not one that the campaign targets.
                Bundle = "bundle" (7): text bundle [channel] |f| f.channel.bundle,
                /// The publisher is not one that the campaign targets.
                Publisher = "publisher" (7): id publisher [channel] |f| f.channel.publisher_id,
                /// The site, app or screen is not one that the campaign targets.
                Id = "id" (7): id id [channel] |f| f.channel.id,
                /// No category of site, section, page or content is one that the campaign targets.
                Cat = "cat": category cat [channel content cat] |f| categories(&f.channel),
                /// The genre is not one that the campaign targets.
                Genre = "genre": texts genre [channel content] |f| genres(&f.channel.content),
                /// The content's rating is not one that the campaign targets.
                Contentrating = "contentrating": text contentrating [channel content]
                    |f| f.channel.content.contentrating,
                /// Live where the campaign wants other content, or the reverse, or unknown.
                Livestream = "livestream": flag livestream [channel content] |f| f.channel.content.livestream,
                /// The content's language is not one that the campaign targets.
                ContentLanguage = "content-language": text content_language [channel content]
                    |f| language(f.channel.content.language, f.channel.content.langb),
                /// The content's network is not one that the campaign targets.
                Network = "network": text network [channel content] |f| f.channel.content.network,
                /// The content's channel is not one that the campaign targets.
                ContentChannel = "content-channel": text content_channel [channel content]
                    |f| f.channel.content.channel,
                /// No keyword is one that the campaign targets, or one is that it avoids.
                Keywords = "keywords": texts keywords [channel content keywords] |f| keywords(f),
                /// No segment is one that the campaign targets, or one is that it avoids.
                Segment = "segment" (8): segment segment [data] |f| segments(f.request.user.data),
                /// No extended id is from a source that the campaign targets.
                Eids = "eids" (8): texts eids [eids] |f| sources(f.request.user.eids),
                /// The person's id of ours is not known.
                Buyeruid = "buyeruid" (8): known buyeruid [] |f| !f.request.user.buyeruid.is_empty(),
            }
            imp {
                /// The placement is not one that the campaign targets.
                Tagid = "tagid": id tagid [] |imp| imp.tagid,
                /// The placement's global id is not one that the campaign targets.
                Gpid = "gpid": id gpid [] |imp| imp.gpid,
                /// Interstitial where the campaign wants none, or the reverse.
                Instl = "instl": flag instl [] |imp| imp.instl,
                /// Rewarded where the campaign does not want it, or the reverse.
                Rwdd = "rwdd": flag rwdd [] |imp| imp.rwdd,
            }
            spot {
                /// The position is not one that the campaign targets.
                Pos = "pos": number pos [] |spot| spot.pos,
                /// The kind of video placement is not one that the campaign targets.
                Plcmt = "plcmt": number plcmt [] |spot| spot.video.map(|offer| offer.plcmt),
                /// The start delay is not one that the campaign targets.
                Startdelay = "startdelay": number startdelay []
                    |spot| spot.linear.and_then(|offer| offer.startdelay),
                /// The playback is not one that the campaign targets.
                Playbackmethod = "playbackmethod": numbers playbackmethod []
                    |spot| spot.video.map(|offer| offer.playbackmethod.iter().copied()),
                /// The pod does not stand where the campaign wants it.
                Podseq = "podseq": number podseq [] |spot| spot.linear.map(|offer| offer.podseq),
                /// The slot in the pod is not one that the campaign targets.
                Slotinpod = "slotinpod": numbers slotinpod [] |spot| spot.linear.map(slots),
                /// In the top frame where the campaign does not want it, or the reverse, or unknown.
                Topframe = "topframe": flag topframe [] |spot| spot.topframe,
            }
        }
    };
}
