//! The table of targeting dimensions: one row for each attribute that a campaign can target.
//!
//! ```text
//! /// When the check fails.
//! Reason = "reason-name" (nbr): kind attribute [words] [paths] |source| value,
//! ```
//!
//! | part | meaning |
//! |---|---|
//! | `Reason` | the variant of [`NoBidReason`](crate::no_bid::NoBidReason) for a campaign that fails the check |
//! | `"reason-name"` | its name in counters, events, explanations and fixtures |
//! | `(nbr)` | its OpenRTB no-bid code; leave it out if OpenRTB has none |
//! | `kind` | what values look like: see below |
//! | `attribute` | the campaign's attribute: `target.attribute` in the catalog document |
//! | `[words]` | what a sentence calls the attribute, if not by its name; of a flag, the clauses for true and false |
//! | `[paths]` | the attributes of the request that the check looks at: see [`Dimension`](crate::kind::Dimension) |
//! | `\|source\| value` | the value or an `Option` of it; for several values, an `Option` of an iterator |
//!
//! The block that holds the row sets the type of `source`:
//!
//! | block | type of `source` | for values of |
//! |---|---|---|
//! | `request` | `Facts` | the whole request |
//! | `imp` | `Imp` | one impression |
//! | `spot` | `Spot` | the banner, video or audio object that a creative would fill |
//!
//! | `kind` | values | a listed value matches |
//! |---|---|---|
//! | `text`, `texts` | one text, several texts | the same text; case does not matter |
//! | `domain` | one domain | itself and its subdomains; case does not matter |
//! | `category` | several pairs of category and taxonomy | itself and the categories below it; case does not matter |
//! | `id` | one id | the same id; case matters |
//! | `address` | of the facts: the ids of the lists of ranges that have the address | the same id |
//! | `segment` | several pairs of provider, with its taxonomy or not, and id | the same pair; case matters |
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

/// Calls the macro `$then` with `$more` and all rows, as `$then! { … request { … } imp { … } spot { … } }`.
#[macro_export]
macro_rules! dimensions {
    ($then:ident $($more:tt)*) => {
        $then! {
            $($more)*
            request {
                /// The campaign does not target this channel: site, app or DOOH.
                Channel = "channel": channel channel [] ["site", "?app", "?dooh"] |f| channels(f.request),
                /// The campaign does not target the country.
                Country = "country": text country [] ["geo.country"] |f| f.geo.country,
                /// The campaign does not target the region.
                Region = "region": text region [] ["geo.region"] |f| f.geo.region,
                /// The campaign does not target the metro area.
                Metro = "metro": text metro ["metro code"] ["geo.metro"] |f| f.geo.metro,
                /// The campaign does not target the city.
                City = "city": text city [] ["geo.city"] |f| f.geo.city,
                /// The campaign does not target the postal code.
                Zip = "zip": text zip ["postal code"] ["geo.zip"] |f| f.geo.zip,
                /// The campaign does not target the device type.
                Devicetype = "devicetype" (6): number devicetype ["device type"] ["device.devicetype"]
                    |f| f.request.device.devicetype,
                /// The campaign does not target the device's manufacturer.
                Make = "make" (6): text make ["manufacturer"] ["device.make"] |f| f.request.device.make,
                /// The campaign does not target the device model.
                Model = "model" (6): text model [] ["device.sua.model|device.ext.sua.model|device.model"] |f| f.model,
                /// The campaign does not target the version of the device's hardware.
                Hwv = "hwv" (6): text hwv ["hardware version"] ["device.hwv"] |f| f.request.device.hwv,
                /// The campaign does not target the operating system.
                Os = "os" (6): text os ["operating system"]
                    ["device.sua.platform.brand|device.ext.sua.platform.brand|device.os"] |f| f.os,
                /// The campaign does not target the browser.
                Browser = "browser" (6): texts browser [] ["device.sua.browsers|device.ext.sua.browsers|device.ua"]
                    |f| Some(f.browsers()),
                /// The campaign does not target the device's language.
                Language = "language": text language ["language of the device"] ["device.language|device.langb"]
                    |f| language(f.request.device.language, f.request.device.langb),
                /// The campaign does not target the connection type.
                Connectiontype = "connectiontype": number connectiontype ["connection"] ["device.connectiontype"]
                    |f| f.request.device.connectiontype,
                /// The campaign does not target the carrier.
                Carrier = "carrier": text carrier [] ["device.carrier"] |f| f.request.device.carrier,
                /// The campaign does not target the kind of the device's id.
                IfaType = "ifa-type": text ifa_type ["kind of the device's id"] ["device.ifa_type|device.ext.ifa_type"]
                    |f| f.request.device.ifa_type,
                /// The device's address is in none of the lists of ranges that the campaign wants, in one that it
                /// excludes, or not told in full.
                Ip = "ip": address ip ["address"] ["device.ip", "device.ipv6"] |f| f,
                /// The campaign does not target the domain.
                Domain = "domain" (7): domain domain [] ["channel.domain|channel.page|channel.publisher.domain"]
                    |f| f.channel.domain,
                /// The campaign does not target the app bundle.
                Bundle = "bundle" (7): text bundle ["app bundle"] ["channel.bundle"] |f| f.channel.bundle,
                /// The app is paid and the campaign wants only free ones, or the reverse, or it is unknown whether the
                /// app is paid.
                Paid = "paid": flag paid ["the app is paid", "the app is free"] ["channel.paid"] |f| f.channel.paid,
                /// The campaign does not target the publisher.
                Publisher = "publisher" (7): id publisher ["publisher's id"] ["channel.publisher.id"]
                    |f| f.channel.publisher_id,
                /// The campaign does not target the id of the site, app or screen.
                Id = "id" (7): id id ["id of the site, app or screen"] ["channel.id"] |f| f.channel.id,
                /// The campaign targets no type of the screen's venue, or excludes one.
                Venuetype = "venuetype": category venuetype ["type of the venue"] ["channel.venuetype", "?channel.venuetypetax"]
                    |f| venues(&f.channel),
                /// The campaign targets no category of the site, section, page or content, or excludes one.
                Cat = "cat": category cat ["category"]
                    ["channel.cat", "channel.sectioncat", "channel.pagecat", "channel.content.cat"]
                    |f| categories(f),
                /// The campaign does not target the genre.
                Genre = "genre": texts genre [] ["channel.content.genre", "channel.content.genres"]
                    |f| genres(&f.channel.content),
                /// The campaign does not target the id of the content.
                ContentId = "content-id": id content_id ["id of the content"] ["channel.content.id"]
                    |f| f.channel.content.id,
                /// The campaign does not target the title of the content.
                Title = "title": text title ["title of the content"] ["channel.content.title"]
                    |f| f.channel.content.title,
                /// The campaign does not target the series of the content.
                Series = "series": text series ["series of the content"] ["channel.content.series"]
                    |f| f.channel.content.series,
                /// The campaign does not target the season of the content.
                Season = "season": text season ["season of the content"] ["channel.content.season"]
                    |f| f.channel.content.season,
                /// The campaign does not target the episode of the content.
                Episode = "episode": offset episode ["episode of the content"] ["channel.content.episode"]
                    |f| f.channel.content.episode,
                /// The campaign does not target the artist.
                Artist = "artist": text artist [] ["channel.content.artist"]
                    |f| f.channel.content.artist,
                /// The campaign does not target the album.
                Album = "album": text album [] ["channel.content.album"]
                    |f| f.channel.content.album,
                /// The campaign does not target the recording (ISRC).
                Isrc = "isrc": text isrc ["recording (ISRC)"] ["channel.content.isrc"]
                    |f| f.channel.content.isrc,
                /// The campaign does not target the taxonomy of the genres.
                Gtax = "gtax": number gtax ["taxonomy of the genres"] ["channel.content.gtax"]
                    |f| gtax(&f.channel.content),
                /// The campaign does not target the content rating.
                Contentrating = "contentrating": text contentrating ["content rating"] ["channel.content.contentrating"]
                    |f| f.channel.content.contentrating,
                /// The broadcast is scheduled and the campaign does not want that, or the reverse, or it is unknown
                /// whether the broadcast is scheduled.
                Livestream = "livestream": flag livestream
                    ["the broadcast is scheduled", "the broadcast is not scheduled"]
                    ["channel.content.livestream"] |f| f.channel.content.livestream,
                /// The event happens while it is watched and the campaign does not want that, or the reverse, or it is
                /// unknown whether it does.
                Realtime = "realtime": flag realtime
                    ["the event happens in real time", "the event does not happen in real time"]
                    ["channel.content.realtime"] |f| f.channel.content.realtime,
                /// The content is shown for the first time and the campaign does not want that, or the reverse, or it is
                /// unknown whether it is the first time.
                Firstbroadcast = "firstbroadcast": flag firstbroadcast
                    ["the content is shown for the first time", "the content was shown before"]
                    ["channel.content.firstbroadcast"] |f| f.channel.content.firstbroadcast,
                /// The campaign does not target the content's language.
                ContentLanguage = "content-language": text content_language ["language of the content"]
                    ["channel.content.language|channel.content.langb"]
                    |f| language(f.channel.content.language, f.channel.content.langb),
                /// The campaign does not target the content's network.
                Network = "network": text network ["network of the content"] ["channel.content.network.name"]
                    |f| f.channel.content.network,
                /// The campaign does not target the content's channel.
                ContentChannel = "content-channel": text content_channel ["channel of the content"]
                    ["channel.content.channel.name"] |f| f.channel.content.channel,
                /// The campaign targets no segment of the content, or excludes one.
                ContentSegment = "content-segment": segment content_segment ["segment of the content"]
                    ["channel.content.data"] |f| segments(f.channel.content.data),
                /// The campaign targets no provider's id of the content, or excludes one.
                Cids = "cids": segment cids ["provider's id of the content"]
                    ["channel.content.data.cids|channel.content.data.ext.cids"] |f| cids(f.channel.content.data),
                /// The campaign targets no keyword of the request, or excludes one.
                Keywords = "keywords": texts keywords ["keyword"]
                    ["channel.keywords", "channel.kwarray", "channel.content.keywords", "channel.content.kwarray",
                     "person.keywords", "person.kwarray"]
                    |f| keywords(f),
                /// The campaign targets no segment of the request, or excludes one.
                Segment = "segment" (8): segment segment ["segment of the person"] ["person.data"]
                    |f| segments(f.request.user.data),
                /// The campaign targets the source of no extended id, or excludes one.
                Eids = "eids" (8): texts eids ["source of an extended id"] ["user.eids", "user.ext.eids"]
                    |f| sources(f.request.user.eids),
                /// The campaign targets no inserter of an extended id, or excludes one.
                Inserter = "inserter" (8): texts inserter ["inserter of an extended id"] ["user.eids", "user.ext.eids"]
                    |f| inserters(f.request.user.eids),
                /// The campaign targets no matcher of an extended id, or excludes one.
                Matcher = "matcher" (8): texts matcher ["matcher of an extended id"] ["user.eids", "user.ext.eids"]
                    |f| matchers(f.request.user.eids),
                /// The request has no `buyeruid`: our id for the person. A placeholder is none, nor is a text that does
                /// not have the form of our ids, if a sync gives them to the SSP.
                Buyeruid = "buyeruid" (8): known buyeruid ["the exchange knows your id for the person"]
                    ["user.buyeruid"] |f| !f.request.user.buyeruid.is_empty(),
            }
            imp {
                /// The campaign does not target the placement.
                Tagid = "tagid": id tagid ["placement (tagid)"] ["imp.tagid"] |imp| imp.tagid,
                /// The campaign does not target the placement's global id.
                Gpid = "gpid": id gpid ["placement (gpid)"] ["imp.ext.gpid|imp.ext.data.pbadslot"] |imp| imp.gpid,
                /// The placement is interstitial and the campaign does not want that, or the reverse.
                Instl = "instl": flag instl ["the placement is an interstitial", "the placement is no interstitial"]
                    ["imp.instl"] |imp| imp.instl,
                /// The placement is rewarded and the campaign does not want that, or the reverse.
                Rwdd = "rwdd": flag rwdd ["the placement is rewarded", "the placement is not rewarded"]
                    ["imp.rwdd|imp.ext.prebid.is_rewarded_inventory"] |imp| imp.rwdd,
                /// The campaign does not target the source of the impression multiplier.
                Sourcetype = "sourcetype": number sourcetype ["source of the multiplier"] ["imp.qty.sourcetype"]
                    |imp| imp.sourcetype,
                /// The campaign does not target the company that measured the impression multiplier.
                QtyVendor = "qty-vendor": text qty_vendor ["vendor of the multiplier"] ["imp.qty.vendor"]
                    |imp| imp.qty_vendor,
            }
            spot {
                /// The campaign does not target the position on the screen.
                Pos = "pos": number pos ["position on the screen"] ["spot.pos"] |spot| spot.pos,
                /// The campaign does not target the video placement type.
                Plcmt = "plcmt": number plcmt ["video placement"] ["spot.plcmt"]
                    |spot| spot.video.and_then(|offer| offer.plcmt),
                /// The campaign does not target the start delay.
                Startdelay = "startdelay": offset startdelay ["start of the ad"] ["spot.startdelay"]
                    |spot| spot.linear.and_then(|offer| offer.startdelay),
                /// The campaign does not target the playback method.
                Playbackmethod = "playbackmethod": numbers playbackmethod ["playback"] ["spot.playbackmethod"]
                    |spot| spot.video.map(|offer| offer.playbackmethod.iter().copied()),
                /// The campaign does not target the pod's place in the content.
                Podseq = "podseq": number podseq ["position of the pod"] ["spot.podseq"]
                    |spot| spot.linear.map(|offer| offer.podseq),
                /// The campaign does not target the slot in the pod.
                Slotinpod = "slotinpod": numbers slotinpod ["position in the pod"] ["spot.slotinpod"]
                    |spot| spot.linear.map(slots),
                /// The banner is in the top frame and the campaign does not want that, or the reverse, or its frame is
                /// unknown.
                Topframe = "topframe": flag topframe ["the banner is in the top frame", "the banner is in an iframe"]
                    ["spot.topframe"] |spot| spot.topframe,
            }
        }
    };
}
