//! Impressions: ad objects, floors and deals.

use bidder_wasm::limits::MAX_ID_BYTES;
use bidder_wasm::money::Rounding;
use bidder_wasm::request::{
    Asset, AssetKind, Banner, Deal, DurFloor, EventTracker, Format, Imp, Linear, Metric, Native, NativeVersion, Skadn,
    dedupe,
};
use compiler_wasm::decode::{Json, JsonObject, from_json};

use super::object::Object;

/// `None` for an impression without an `id`.
pub(super) fn imp<'a>(from: &Object<'a>) -> Option<Imp<'a>> {
    let (pmp, ext) = (from.inner("pmp"), from.inner("ext"));
    let gpids = [ext.text("gpid"), ext.inner("data").text("pbadslot")];
    let video = |name| from.object(name).map(|object| &*from.arena.alloc(linear(&object, name == "video")));
    Some(Imp {
        id: from.echo("id")?,
        banner: from.object("banner").map(|from| banner(&from)),
        video: video("video"),
        audio: video("audio"),
        native: from.object("native").and_then(|from| native(&from)),
        private_auction: pmp.signal("private_auction").unwrap_or_default(),
        deals: from.list(pmp.objects("deals").iter().filter_map(deal)),
        instl: from.is_set("instl"),
        tagid: from.text("tagid"),
        bidfloor: from.floor("bidfloor"),
        bidfloorcur: from.currency("bidfloorcur"),
        secure: from.signal("secure").unwrap_or_default(),
        gpid: gpids.into_iter().find(|text| !text.is_empty()).unwrap_or_default(),
        rwdd: from.flag("rwdd").unwrap_or_else(|| ext.inner("prebid").is_set("is_rewarded_inventory")),
        ssai: from.integer("ssai").unwrap_or_default(),
        exp: from.integer("exp").unwrap_or_default(),
        dt: from.whole("dt"),
        multiplier: from.inner("qty").amount("multiplier", Rounding::Up).unwrap_or_default(),
        skadn: ext.object("skadn").map(|from| &*from.arena.alloc(skadn(&from))),
        metric: from.list(from.objects("metric").iter().filter_map(metric)),
    })
}

fn skadn<'a>(from: &Object<'a>) -> Skadn<'a> {
    let list = from.inner("skadnetlist");
    Skadn {
        version: from.text("version"),
        versions: from.texts("versions"),
        sourceapp: from.text("sourceapp"),
        skadnetids: from.texts("skadnetids"),
        addl: list.texts("addl"),
        max: list.integer("max").unwrap_or_default(),
        excl: list.integers("excl"),
    }
}

fn metric<'a>(from: &Object<'a>) -> Option<Metric<'a>> {
    let (kind, value) = (from.given_text("type")?, from.amount("value", Rounding::Up)?);
    Some(Metric { kind, value, vendor: from.text("vendor") })
}

/// `None` for a deal without an `id`, or with an `id` that is too long.
fn deal<'a>(from: &Object<'a>) -> Option<Deal<'a>> {
    Some(Deal {
        id: from.echo("id").filter(|id| id.value.len() <= MAX_ID_BYTES)?,
        bidfloor: from.floor("bidfloor"),
        bidfloorcur: from.currency("bidfloorcur"),
        at: from.integer("at").unwrap_or_default(),
        wseat: from.texts("wseat"),
        wadomain: from.domains("wadomain"),
        guar: from.is_set("guar"),
        mincpmpersec: from.floor("mincpmpersec"),
        durfloors: dur_floors(from),
    })
}

fn dur_floors<'a>(from: &Object<'a>) -> &'a [DurFloor] {
    from.list(from.objects("durfloors").iter().map(|from| DurFloor {
        mindur: from.integer("mindur").unwrap_or_default(),
        maxdur: from.integer("maxdur").unwrap_or_default(),
        bidfloor: from.floor("bidfloor"),
    }))
}

fn banner<'a>(from: &Object<'a>) -> Banner<'a> {
    Banner {
        format: from.list(from.objects("format").iter().map(format)),
        size: from.size("w", "h"),
        btype: from.integers("btype"),
        battr: from.integers("battr"),
        mimes: from.texts("mimes"),
        api: from.integers("api"),
        pos: from.integer("pos"),
        expdir: from.integers("expdir"),
        topframe: from.flag("topframe"),
    }
}

fn format(from: &Object<'_>) -> Format {
    Format {
        size: from.size("w", "h"),
        wratio: from.integer("wratio").unwrap_or_default(),
        hratio: from.integer("hratio").unwrap_or_default(),
        wmin: from.integer("wmin").unwrap_or_default(),
    }
}

/// Audio lacks some attributes of a video.
fn linear<'a>(from: &Object<'a>, is_video: bool) -> Linear<'a> {
    let video = if is_video { from.clone() } else { from.empty() };
    let protocols = from.integers("protocols");
    Linear {
        mimes: from.texts("mimes"),
        minduration: from.integer("minduration").unwrap_or_default(),
        maxduration: from.integer("maxduration").unwrap_or_default(),
        rqddurs: from.integers("rqddurs"),
        protocols: if protocols.is_empty() { from.list(video.integer("protocol").into_iter()) } else { protocols },
        size: video.size("w", "h"),
        linearity: video.integer("linearity").unwrap_or_default(),
        battr: from.integers("battr"),
        api: from.integers("api"),
        startdelay: from.integer("startdelay"),
        plcmt: video.integer("plcmt"),
        pos: video.integer("pos"),
        skip: video.flag("skip"),
        skipmin: video.integer("skipmin").unwrap_or_default(),
        maxextended: from.integer("maxextended").unwrap_or_default(),
        minbitrate: from.integer("minbitrate").unwrap_or_default(),
        maxbitrate: from.integer("maxbitrate").unwrap_or_default(),
        delivery: from.integers("delivery"),
        playbackmethod: video.integers("playbackmethod"),
        boxingallowed: video.flag("boxingallowed"),
        companionad: from.list(from.objects("companionad").iter().map(banner)),
        companiontype: from.integers("companiontype"),
        podid: from.text("podid"),
        podseq: from.integer("podseq").unwrap_or_default(),
        slotinpod: from.integer("slotinpod").unwrap_or_default(),
        maxseq: from.integer("maxseq").unwrap_or_default(),
        poddur: from.integer("poddur").unwrap_or_default(),
        mincpmpersec: from.floor("mincpmpersec"),
        durfloors: dur_floors(from),
        poddedupe: dedupe(video.integers("poddedupe")),
    }
}

/// `None` without a readable request.
fn native<'a>(from: &Object<'a>) -> Option<Native<'a>> {
    let json = match from.json.get("request")? {
        Json::Text(text) => from_json::<JsonObject>(text.as_bytes()).ok()?.value?,
        Json::Object(object) => object.clone(),
        _ => return None,
    };
    let outer = Object { json, arena: from.arena };
    let inner = outer.object("native");
    let wrapped = inner.is_some();
    let request = inner.unwrap_or(outer);
    let own = from.text("ver");
    Some(Native {
        ver: NativeVersion::of(if own.is_empty() { request.text("ver") } else { own }, wrapped),
        assets: from.list(request.objects("assets").iter().filter_map(asset)),
        eventtrackers: from.list(request.objects("eventtrackers").iter().flat_map(event_trackers)),
        privacy: request.is_set("privacy"),
        battr: from.integers("battr"),
        api: from.integers("api"),
    })
}

fn asset<'a>(from: &Object<'a>) -> Option<Asset<'a>> {
    let integer = |from: &Object<'a>, name| from.integer(name).unwrap_or_default();
    let kind = if let Some(title) = from.object("title") {
        AssetKind::Title { len: integer(&title, "len") }
    } else if let Some(img) = from.object("img") {
        AssetKind::Img { kind: integer(&img, "type"), size: img.size("w", "h"), min: img.size("wmin", "hmin") }
    } else if let Some(video) = from.object("video") {
        AssetKind::Video {
            mimes: video.texts("mimes"),
            minduration: integer(&video, "minduration"),
            maxduration: integer(&video, "maxduration"),
            protocols: video.integers("protocols"),
        }
    } else if let Some(data) = from.object("data") {
        AssetKind::Data { kind: integer(&data, "type"), len: integer(&data, "len") }
    } else {
        AssetKind::Other
    };
    Some(Asset { id: from.integer("id")?, required: from.is_set("required"), kind })
}

/// One tracker for each method. No tracker if the event is missing.
fn event_trackers(from: &Object<'_>) -> Vec<EventTracker> {
    let event = from.integer("event").into_iter();
    event
        .flat_map(|event| from.integers("methods").iter().map(move |method| EventTracker { event, method: *method }))
        .collect()
}
