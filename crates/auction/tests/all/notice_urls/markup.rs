//! Where our URLs are in an answer, and where they have to be, by the SSP's `billing` and the medium.

use roxmltree::{Document, ParsingOptions};
use serde_json::Value;

use super::Seen;
use crate::{ORIGIN, text};

/// What follows the URL of a pixel, up to the end of the markup.
const PIXEL: &str = r#"" width="1" height="1" alt="" style="display:none">"#;

/// Checks a bid, and returns how many URLs of ours it has to have. `own` is the same bid without notices of ours.
pub(super) fn check(bid: &Value, own: &Value, billing: &str, seen: &mut Seen) -> Result<usize, String> {
    let mtype = bid["mtype"].as_i64().unwrap();
    let is_linear = mtype == 2 || mtype == 3;
    let (by_burl, in_markup) = match billing {
        "openrtb" => (!is_linear, is_linear),
        "burl" => (true, false),
        "impression" => (false, true),
        "both" => (true, true),
        "win" => (false, false),
        _ => return Err("an unknown setting".to_owned()),
    };
    // If the campaign's own URL replaces the notice that bills, the markup calls ours.
    let is_taken = by_burl && own.get("burl").is_some() || billing == "win" && own.get("nurl").is_some();
    let in_markup = in_markup || is_taken;
    let mut expected = 0;
    for (name, kind, asked) in [("nurl", "win", true), ("burl", "bill", by_burl), ("lurl", "loss", true)] {
        // The campaign's own URL stays in the attribute.
        let is_own = own.get(name).is_some();
        seen.count(&format!("{}{name}", if is_own { "own " } else { "" }));
        let ours = text(bid, name).starts_with(&format!("{ORIGIN}/n/{kind}/"));
        if ours != (asked && !is_own) || !ours && bid.get(name) != own.get(name) {
            return Err(format!("{name} is {:?}", bid.get(name)));
        }
        expected += usize::from(ours);
    }
    let adm = text(bid, "adm");
    let found = urls(adm);
    if found.len() != usize::from(in_markup) {
        return Err(format!("{} URLs of ours in {adm}", found.len()));
    }
    if is_linear {
        vast(adm, in_markup, seen)?;
    }
    if in_markup {
        let is_imp = adm.contains(&format!("{ORIGIN}/n/imp/"));
        match mtype {
            _ if !is_imp => return Err(format!("no impression notice in {adm}")),
            1 if adm.ends_with(&format!("<img src=\"{}{PIXEL}", found[0])) => seen.count("pixel"),
            1 => return Err(format!("no pixel at the end of {adm}")),
            4 => native(adm, seen)?,
            _ => {}
        }
    }
    Ok(expected + found.len())
}

/// The document is XML, and has our `Impression` once: in the first ad, before all others.
fn vast(adm: &str, in_markup: bool, seen: &mut Seen) -> Result<(), String> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(adm.trim_start(), options).map_err(|error| format!("{error}: {adm}"))?;
    let is_ours = |node: &roxmltree::Node<'_, '_>| node.text().is_some_and(|text| text.starts_with(ORIGIN));
    let impressions = document.descendants().filter(|node| node.tag_name().name() == "Impression");
    let impressions: Vec<_> = impressions.collect();
    if !in_markup {
        return Ok(());
    }
    seen.count("vast");
    let first = impressions.first().filter(|node| is_ours(node));
    let parent = first.and_then(roxmltree::Node::parent_element).map(|node| node.tag_name().name());
    let is_once = impressions.iter().filter(|node| is_ours(node)).count() == 1;
    if !is_once || !matches!(parent, Some("InLine" | "Wrapper")) {
        return Err(format!("our Impression is in {parent:?} of {adm}"));
    }
    Ok(())
}

/// The native answer is JSON, and has our tracker once: as an image, in the list that its version has.
fn native(adm: &str, seen: &mut Seen) -> Result<(), String> {
    let document: Value = serde_json::from_str(adm).map_err(|error| format!("{error}: {adm}"))?;
    let answer = document.get("native").unwrap_or(&document);
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    let is_ours = |url: &Value| url.as_str().is_some_and(|url| url.starts_with(ORIGIN));
    let images = list("imptrackers").iter().filter(|url| is_ours(url)).count();
    let events: Vec<_> = list("eventtrackers").into_iter().filter(|entry| is_ours(&entry["url"])).collect();
    if images + events.len() != 1 || events.iter().any(|entry| entry["event"] != 1 || entry["method"] != 1) {
        return Err(format!("our tracker is {images} times among the images, and in {events:?}: {adm}"));
    }
    if !events.is_empty() && answer["ver"] != "1.2" {
        return Err(format!("event trackers before version 1.2: {adm}"));
    }
    seen.count(if events.is_empty() { "imptrackers" } else { "eventtrackers" });
    Ok(())
}

/// Our URLs, from our origin to the end of the string, attribute or CDATA section that holds them.
pub(crate) fn urls(text: &str) -> Vec<&str> {
    let starts = text.match_indices(&format!("{ORIGIN}/n/")).map(|(at, _)| at).collect::<Vec<_>>();
    starts.into_iter().map(|at| until(&text[at..], &["\"", "\\", "]]>"])).collect()
}

fn until<'t>(text: &'t str, ends: &[&str]) -> &'t str {
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    &text[..end]
}

/// The answer without our URLs.
pub(super) fn without_urls(answer: &str) -> String {
    let mut left = answer.to_owned();
    for url in urls(answer) {
        let forms = [
            format!(r#","nurl":"{url}""#),
            format!(r#","burl":"{url}""#),
            format!(r#","lurl":"{url}""#),
            format!(r#"<img src=\"{url}\" width=\"1\" height=\"1\" alt=\"\" style=\"display:none\">"#),
            format!("<Impression><![CDATA[{url}]]></Impression>"),
            // A list that has only ours, and then an entry before others.
            format!(r#",\"imptrackers\":[\"{url}\"]"#),
            format!(r#",\"eventtrackers\":[{{\"event\":1,\"method\":1,\"url\":\"{url}\"}}]"#),
            format!(r#"{{\"event\":1,\"method\":1,\"url\":\"{url}\"}},"#),
            format!(r#"\"{url}\","#),
        ];
        let Some(form) = forms.iter().find(|form| left.contains(form.as_str())) else {
            panic!("{url} stands in no known position of {answer}");
        };
        left = left.replacen(form.as_str(), "", 1);
    }
    assert!(!left.contains(ORIGIN), "{left}");
    left
}
