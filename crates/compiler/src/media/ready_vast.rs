//! Checks a ready VAST or DAAST document: it must be XML and agree with the attributes of the creative.

use roxmltree::{Document, Node, ParsingOptions};

use document::LinearEntry;
use document::check::At;

/// AdCOM list "Creative Subtypes - Audio/Video": root element, version, number of an inline document, number of a
/// wrapper.
const PROTOCOLS: [(&str, &str, i64, i64); 8] = [
    ("VAST", "1.0", 1, 4),
    ("VAST", "2.0", 2, 5),
    ("VAST", "3.0", 3, 6),
    ("VAST", "4.0", 7, 8),
    ("VAST", "4.1", 11, 12),
    ("VAST", "4.2", 13, 14),
    ("VAST", "4.3", 15, 16),
    ("DAAST", "1.0", 9, 10),
];

/// The VAST version of an inline document with this number, from 2.0 on. `None` for numbers of which no document can be
/// written: wrappers, DAAST and unknown numbers.
pub(crate) fn version(protocol: i64) -> Option<&'static str> {
    let known = PROTOCOLS.iter().find(|(root, _, inline, _)| *root == "VAST" && *inline == protocol);
    known.map(|(_, version, ..)| *version).filter(|version| *version >= "2.0")
}

/// Checks the document, and returns the byte of `adm` before which an `Impression` may be added; `None` if there is no
/// such position.
pub(crate) fn check(ad: &LinearEntry, adm: &str, at: &At<'_>) -> Option<usize> {
    let report = |name: &str, message: String| at.attribute(name).error(message);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(adm.trim_start(), options) {
        Ok(document) => document,
        Err(error) => {
            report("adm", format!("not XML: {error}; expected a VAST document"));
            return None;
        }
    };
    let root = document.root_element();
    let (name, ads) = (root.tag_name().name(), children(root, "Ad"));
    if !PROTOCOLS.iter().any(|(known, ..)| *known == name) {
        report("adm", format!("<{name}> is not a VAST document; expected <VAST version=…>"));
        return None;
    }
    if ads.is_empty() {
        report("adm", format!("<{name}> has no <Ad>, so it shows nothing; expected at least one <Ad>"));
        return None;
    }
    if let Some(protocol) = ad.protocol
        && let Err(message) = protocol_of(root, &ads, protocol)
    {
        report("protocol", message);
    }
    if let Err(message) = duration(&texts(root, "Duration"), ad.dur) {
        report("dur", message);
    }
    let types: Vec<&str> = elements(root, "MediaFile").filter_map(|file| file.attribute("type")).collect();
    let is_listed = |kind: &&str| ad.mimes.iter().any(|mime| mime.eq_ignore_ascii_case(kind.trim()));
    if !types.is_empty() && !types.iter().any(is_listed) {
        let message = format!("the document plays only {}; expected at least one of them", types.join(", "));
        report("mimes", message);
    }
    Some(impression_position(&ads)? + adm.len() - adm.trim_start().len())
}

/// The position before the first `Impression` of the first ad, or else before the first element of that ad.
fn impression_position(ads: &[Node<'_, '_>]) -> Option<usize> {
    let ad = ads.first()?.children().find(|node| ["InLine", "Wrapper"].contains(&node.tag_name().name()))?;
    let impression = children(ad, "Impression").first().copied();
    Some(impression.or_else(|| ad.first_element_child())?.range().start)
}

/// Compares the version and kind of the document with `protocol` of the creative.
fn protocol_of(root: Node<'_, '_>, ads: &[Node<'_, '_>], protocol: i64) -> Result<(), String> {
    let name = root.tag_name().name();
    let version = root.attribute("version").unwrap_or_default().trim();
    let same = |known: &str| {
        let parts = |text: &str| -> Vec<String> { text.split('.').chain(["0"]).take(2).map(str::to_owned).collect() };
        parts(known) == parts(version)
    };
    let known = PROTOCOLS.iter().find(|(root, known, ..)| *root == name && same(known));
    let Some((_, version, inline, wrapper)) = known else {
        return Err(format!("the document is {name} version {version:?}; expected a version from 1.0 to 4.3"));
    };
    let has = |kind: &str| ads.iter().any(|ad| !children(*ad, kind).is_empty());
    let is = match (has("InLine"), has("Wrapper")) {
        (true, false) => vec![*inline],
        (false, true) => vec![*wrapper],
        _ => vec![*inline, *wrapper],
    };
    if is.contains(&protocol) {
        return Ok(());
    }
    let kind = if is == [*wrapper] { " wrapper" } else { "" };
    let expected = is.iter().map(i64::to_string).collect::<Vec<_>>().join(" or ");
    Err(format!("{protocol}, but the document is a {name} {version}{kind}; expected {expected}"))
}

/// Compares `dur` with the durations of the document: one duration, or the sum of all, must differ from `dur` by less
/// than a second.
fn duration(durations: &[&str], dur: i64) -> Result<(), String> {
    let mut all = 0;
    let mut found = durations.is_empty();
    for text in durations {
        let Some(ms) = milliseconds(text) else {
            return Err(format!("the document has the Duration {text:?}; expected a duration such as 00:00:15"));
        };
        all += ms;
        found |= is_near(ms, dur);
    }
    if found || is_near(all, dur) {
        return Ok(());
    }
    Err(format!(
        "{dur} seconds, but the document has the Duration {}; expected the same duration",
        durations.join(", ")
    ))
}

fn is_near(ms: i64, seconds: i64) -> bool {
    ms.saturating_sub(seconds.saturating_mul(1000)).abs() < 1000
}

/// Reads `HH:MM:SS` or `HH:MM:SS.mmm`.
fn milliseconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let number = |digits: &str| -> Option<i64> {
        let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    };
    let mut parts = whole.split(':');
    let (hours, minutes, seconds) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    let ms = number(&format!("{fraction:0<3}"))?;
    (parts.next().is_none() && minutes < 60 && seconds < 60)
        .then_some(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms)
}

/// The texts of all elements with this name.
fn texts<'a>(root: Node<'a, '_>, name: &'static str) -> Vec<&'a str> {
    elements(root, name).map(|element| element.text().unwrap_or_default().trim()).collect()
}

fn elements<'a, 'i>(root: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    root.descendants().filter(move |node| node.tag_name().name() == name)
}

fn children<'a, 'i>(of: Node<'a, 'i>, name: &str) -> Vec<Node<'a, 'i>> {
    of.children().filter(|node| node.tag_name().name() == name).collect()
}

#[cfg(test)]
mod tests {
    use crate::tests::{found_texts, with};
    use serde_json::json;

    /// The findings on a catalog with this document.
    fn found(adm: &str, dur: i64, protocol: i64) -> String {
        let video = json!({"dur": dur, "protocol": protocol, "w": 1, "h": 1, "mimes": ["video/mp4"], "adm": adm});
        let found = found_texts(&with([("creatives", json!({ "banner": null, "video": video }))]));
        let inside = |text: String| Some(text.strip_prefix("creatives[0].video.")?.to_owned());
        found.into_iter().filter_map(inside).collect::<Vec<_>>().join("\n")
    }

    fn inline(version: &str, duration: &str) -> String {
        format!(
            r#"<?xml version="1.0"?><VAST version="{version}" xmlns="http://www.iab.com/VAST"><Ad><InLine><Creatives><Creative><Linear><Duration> {duration} </Duration><MediaFiles><MediaFile type="video/mp4"><![CDATA[https://c.example/1?a&b]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"#
        )
    }

    #[test]
    fn a_document_that_agrees_with_its_creative_has_no_finding() {
        let wrapper =
            r#"<VAST version="3.0"><Ad><Wrapper><VASTAdTagURI>https://v.example</VASTAdTagURI></Wrapper></Ad></VAST>"#;
        let slots = inline("3.0", "00:00:10")
            .replace("</Creative>", "</Creative><Creative><Linear><Duration>00:00:05</Duration></Linear></Creative>");
        for (adm, dur, protocol) in [
            (inline("4.0", "00:00:15"), 15, 7),
            (format!("\n {}", inline("2.0.1", "00:01:15.96").replace(r#"<?xml version="1.0"?>"#, "")), 75, 2),
            (inline("4.3", "01:00:00"), 3600, 15),
            (wrapper.to_owned(), 15, 6),
            (r#"<DAAST version="1.0"><Ad><InLine/></Ad></DAAST>"#.to_owned(), 15, 9),
            (slots.clone(), 15, 3),
            (slots, 10, 3),
            (format!("<!DOCTYPE VAST [<!ENTITY a \"b\">]>{wrapper}"), 15, 6),
        ] {
            assert_eq!(found(&adm, dur, protocol), "", "{adm}");
        }
    }

    #[test]
    fn a_document_that_disagrees_with_its_creative_is_refused() {
        let good = inline("3.0", "00:00:15");
        let bare = good.replace("<![CDATA[", "").replace("]]>", "");
        for (adm, protocol, expected) in [
            (r#"<VAST version="2.0"><Ad><Linear>"#.to_owned(), 2, "adm: not XML: the root node was opened but"),
            (bare, 3, "adm: not XML: malformed entity reference at 1:207"),
            ("<html/>".to_owned(), 3, "adm: <html> is not a VAST document"),
            (r#"<VAST version="3.0"/>"#.to_owned(), 3, "adm: <VAST> has no <Ad>"),
            (inline("3.0", "00:00:30"), 3, "dur: 15 seconds, but the document has the Duration 00:00:30"),
            (inline("3.0", "15"), 3, "dur: the document has the Duration \"15\""),
            (inline("2.0", "00:00:15"), 7, "protocol: 7, but the document is a VAST 2.0; expected 2"),
            (good.clone(), 6, "protocol: 6, but the document is a VAST 3.0; expected 3"),
            (good.replace("InLine", "Wrapper"), 3, "protocol: 3, but the document is a VAST 3.0 wrapper; expected 6"),
            (inline("5.0", "00:00:15"), 7, "protocol: the document is VAST version \"5.0\""),
            (good.replace("video/mp4", "video/webm"), 3, "mimes: the document plays only video/webm"),
        ] {
            let found = found(&adm, 15, protocol);
            assert!(found.starts_with(expected) && !found.contains('\n'), "{adm}: {found}");
        }
    }

    #[test]
    fn entities_cannot_expand_without_limit() {
        let entity = |i: usize| format!("<!ENTITY a{} \"{}\">", i + 1, format!("&a{i};").repeat(10));
        let entities: String =
            core::iter::once("<!ENTITY a0 \"aaaaaaaaaa\">".to_owned()).chain((0..19).map(entity)).collect();
        let adm = format!("<!DOCTYPE VAST [{entities}]><VAST version=\"3.0\"><Ad>&a19;</Ad></VAST>");
        assert!(found(&adm, 15, 3).starts_with("adm: not XML: "), "{}", found(&adm, 15, 3));
    }
}
