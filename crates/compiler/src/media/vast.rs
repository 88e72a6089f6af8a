//! Writes the VAST document of a video or audio ad from its `media`.

use super::xml::{Element, each, escaped};
use super::{companion, interactive, stored, tracking};
use base::json::literal;
use catalog::macros::{Context, Macro, mark};
use catalog::{MediaFileDraft, VastDraft};
use document::{CreativeEntry, LinearEntry, MediaEntry};

/// The document in parts: each request gets only the files and companions that its player takes.
pub(crate) fn render(creative: &CreativeEntry, ad: &LinearEntry, version: &str) -> VastDraft {
    let crid = &creative.crid;
    // The elements are in the order of the schemas. VAST 4 has another one than the versions before.
    let is_4 = version >= "4.0";
    let only = |is: bool, part: &str| if is { part.to_owned() } else { String::new() };
    let title = Element::new("AdTitle").with(&escaped(crid));
    let verification = tracking::verification(ad, version);
    let before_impression = [
        Element::new("VAST").attribute("version", version).open(),
        Element::new("Ad").attribute("id", crid).open(),
        "<InLine><AdSystem>edgebid</AdSystem>".to_owned(),
        only(!is_4, &title),
        each("Error", &ad.error),
        only(version == "4.0", &verification),
    ];
    let before_impression = before_impression.concat();
    // VAST requires an Impression, which may be empty.
    let impressions = only(ad.impression.is_empty(), "<Impression/>") + &each("Impression", &ad.impression);
    let opening = Element::new("Creative").attribute("id", crid).open();
    let duration = Element::new("Duration").with(&tracking::time(ad.dur));
    let (events, clicks) = (tracking::events(ad), tracking::clicks(ad, version));
    let head = [
        before_impression.clone(),
        impressions,
        only(version > "4.0", &serving_id()),
        only(is_4, &title),
        only(version > "4.0", &verification),
        format!("<Creatives>{opening}"),
        Element::new("Linear").optional("skipoffset", ad.skipoffset.map(tracking::time)).open(),
        only(!is_4, &duration),
        events,
        if is_4 { duration } else { clicks.clone() },
        "<MediaFiles>".to_owned(),
    ];
    let closing = closing(version);
    let tail = format!("{}</MediaFiles>{}</Linear>{closing}", interactive::simid(ad), only(is_4, &clicks));
    let end = format!("</Creatives>{}</InLine></Ad></VAST>", only(!is_4, &verification));
    VastDraft {
        files: ad.media.iter().map(|entry| file(entry, ad)).collect(),
        head: literal(&head.concat()),
        impression_at: u32::try_from(literal(&before_impression).len()).unwrap_or_default(),
        tail: literal(&tail),
        companions: companion::render(&opening, closing, ad, version),
        end: literal(&end),
    }
}

/// The id of this one showing, which VAST 4.1 and later require.
fn serving_id() -> String {
    let mut id = String::new();
    mark(&mut id, Macro::BidId, Context::Markup);
    Element::new("AdServingId").with(&id)
}

fn file(entry: &MediaEntry, ad: &LinearEntry) -> MediaFileDraft {
    let (w, h) = (entry.w.unwrap_or(ad.w), entry.h.unwrap_or(ad.h));
    let delivery = entry.delivery.unwrap_or(2);
    let element = Element::new("MediaFile")
        .attribute("delivery", if delivery == 1 { "streaming" } else { "progressive" })
        .attribute("type", &entry.mime)
        .attribute("width", w)
        .attribute("height", h)
        .optional("bitrate", entry.bitrate)
        .optional("apiFramework", entry.api.as_ref());
    MediaFileDraft {
        mime: entry.mime.clone(),
        delivery,
        w,
        h,
        url: entry.url.clone(),
        element: literal(&element.text(&entry.url)),
        ..stored::file(entry)
    }
}

/// The end of a `Creative`. VAST 4.0 and later require a `UniversalAdId`.
fn closing(version: &str) -> &'static str {
    match version {
        "2.0" | "3.0" => "</Creative>",
        "4.0" => r#"<UniversalAdId idRegistry="unknown" idValue="unknown">unknown</UniversalAdId></Creative>"#,
        _ => r#"<UniversalAdId idRegistry="unknown">unknown</UniversalAdId></Creative>"#,
    }
}

#[cfg(test)]
mod tests {
    use catalog::{Linear, Media};
    use roxmltree::{Document, Node};
    use serde_json::{Value, json};

    use crate::Compiled;
    use crate::tests::{compiled, with};

    const VERSIONS: [(i64, &str); 6] = [(2, "2.0"), (3, "3.0"), (7, "4.0"), (11, "4.1"), (13, "4.2"), (15, "4.3")];

    /// A catalog whose creative has this ad.
    fn catalog(medium: &str, ad: &str) -> Compiled {
        let ad: Value = serde_json::from_str(ad).unwrap();
        let creative = json!({ "crid": "c", "banner": null, "attr": [16], "api": [2, 8], medium: ad });
        compiled(&with([("creatives", creative)])).unwrap()
    }

    /// A whole document with all files and companions.
    fn whole(ad: &Linear<'_>) -> String {
        let vast = ad.vast();
        let files: String = vast.files().iter().map(|file| file.element()).collect();
        let companions = vast.companions();
        let ads: String = companions.ads().iter().map(|one| one.element()).collect();
        let parts = [vast.head(), &files, vast.tail(), companions.head(), &ads, companions.tail(), vast.end()].concat();
        serde_json::from_str(&format!("\"{parts}\"")).unwrap()
    }

    fn names(of: Node<'_, '_>) -> String {
        of.children().filter(Node::is_element).map(|node| node.tag_name().name()).collect::<Vec<_>>().join(" ")
    }

    /// The orders are those of the XSDs of VAST 2.0.1, 3.0, 4.0, 4.1 and 4.2.
    #[test]
    fn elements_are_in_the_order_of_the_schemas() {
        for (protocol, version) in VERSIONS {
            let skipoffset = if version > "2.0" { r#""skipoffset":5,"# } else { "" };
            let progress = if version > "2.0" { r#"{"event":"progress","url":"https://t/p","offset":3},"# } else { "" };
            let interactive = if version > "4.0" { r#""interactive":"https://c/simid.html","# } else { "" };
            let errors = if version > "3.0" { r#""https://t/e1","https://t/e2""# } else { r#""https://t/e1""# };
            let ad = format!(
                r#"{{"dur":75,"protocol":{protocol},"w":1,"h":2,{skipoffset}{interactive}"clickthrough":"https://c/","error":[{errors}],
                "media":[{{"url":"https://c/1?a=1&b","mime":"video/mp4"}},{{"url":"https://c/1.js","mime":"application/javascript","api":"VPAID"}}],
                "tracking":[{progress}{{"event":"firstQuartile","url":"https://t/]]>"}}],"clicktracking":["https://t/1","https://t/2"],
                "impression":["https://t/i"],"companions":[{{"w":1,"h":1,"html":"<b>"}}],
                "verification":[{{"vendor":"v\"-omid","url":"https://v/1.js","params":"{{\"a\":\"<b>\"}}","not_executed":"https://v/[REASON]"}}]}}"#
            );
            let compiled = catalog("video", &ad);
            let catalog = compiled.snapshot.catalog();
            let creative = catalog.parts().creatives().iter().next().unwrap();
            let Media::Video(ad) = creative.media() else { panic!() };
            let xml = whole(&ad);
            let document = Document::parse(&xml).unwrap();
            let all = |name: &'static str| document.descendants().filter(move |node| node.has_tag_name(name));
            let first = |name: &'static str| all(name).next().unwrap_or_else(|| panic!("{version}: no {name}"));

            let (in_line, linear, verification) = match version {
                "2.0" | "3.0" => (
                    "AdSystem AdTitle Error Impression Creatives Extensions",
                    "Duration TrackingEvents VideoClicks MediaFiles",
                    "Extension",
                ),
                "4.0" => (
                    "AdSystem Error Error Extensions Impression AdTitle Creatives",
                    "TrackingEvents Duration MediaFiles VideoClicks",
                    "Extension",
                ),
                _ => (
                    "AdSystem Error Error Impression AdServingId AdTitle AdVerifications Creatives",
                    "TrackingEvents Duration MediaFiles VideoClicks",
                    "InLine",
                ),
            };
            assert_eq!(names(first("InLine")), in_line, "{version}");
            assert_eq!(names(first("Linear")), linear, "{version}");
            let universal = if version > "3.0" { " UniversalAdId" } else { "" };
            let creatives: Vec<String> = all("Creative").map(names).collect();
            assert_eq!(creatives, [format!("Linear{universal}"), format!("CompanionAds{universal}")], "{version}");
            let clicks = if version > "3.0" {
                "ClickTracking ClickTracking ClickThrough"
            } else {
                "ClickThrough ClickTracking ClickTracking"
            };
            assert_eq!(names(first("VideoClicks")), clicks, "{version}");
            let simid = if version > "4.0" { " InteractiveCreativeFile" } else { "" };
            assert_eq!(names(first("MediaFiles")), format!("MediaFile MediaFile{simid}"), "{version}");
            let parent = first("AdVerifications").parent().unwrap();
            assert_eq!(parent.tag_name().name(), verification, "{version}");
            assert_eq!(parent.attribute("type"), (version < "4.1").then_some("AdVerifications"));
            assert_eq!(names(first("Verification")), "JavaScriptResource TrackingEvents VerificationParameters");

            // What the catalog says comes out unchanged.
            let tracked = |name: &'static str| {
                all(name)
                    .map(|node| (node.attribute("event"), node.attribute("offset"), node.text()))
                    .collect::<Vec<_>>()
            };
            let mut expected = vec![(Some("firstQuartile"), None, Some("https://t/]]>"))];
            if version > "2.0" {
                expected.insert(0, (Some("progress"), Some("00:00:03"), Some("https://t/p")));
            }
            let not_executed = (Some("verificationNotExecuted"), None, Some("https://v/[REASON]"));
            let position = if version < "4.0" { expected.len() } else { 0 };
            expected.insert(position, not_executed);
            assert_eq!(tracked("Tracking"), expected, "{version}");
            assert_eq!(first("Linear").attribute("skipoffset"), (version > "2.0").then_some("00:00:05"));
            assert_eq!(first("Duration").text(), Some("00:01:15"));
            assert_eq!(first("Verification").attribute("vendor"), Some("v\"-omid"));
            assert_eq!(first("VerificationParameters").text(), Some("{\"a\":\"<b>\"}"));
            let apis: Vec<_> = all("MediaFile").map(|file| file.attribute("apiFramework")).collect();
            assert_eq!(apis, [None, Some("VPAID")], "{version}");
        }
    }

    #[test]
    fn an_ad_without_trackers_has_none_of_their_elements() {
        for (protocol, version) in VERSIONS {
            let ad =
                format!(r#"{{"dur":5,"protocol":{protocol},"media":[{{"url":"https://c/1","mime":"audio/mp4"}}]}}"#);
            let compiled = catalog("audio", &ad);
            let catalog = compiled.snapshot.catalog();
            let creative = catalog.parts().creatives().iter().next().unwrap();
            let Media::Audio(ad) = creative.media() else { panic!() };
            let xml = whole(&ad);
            for name in ["Tracking", "VideoClicks", "Error", "Verif", "Extension", "Interactive", "skip", "apiFra"] {
                assert!(!xml.contains(name), "{version}: {name} in {xml}");
            }
        }
    }
}
