//! What a campaign shows, in sentences: one for each creative.

use super::super::words::{join, list};
use super::described::Described;
use catalog::{Creative, Linear, Media, MediaFile, Shape, Vast};
use compiler::meanings::{API_FRAMEWORKS, CREATIVE_ATTRIBUTES, CREATIVE_SUBTYPES, Meanings};
use flat::List;

/// AdCOM creative attribute "has a skip button of its own".
const OWN_SKIP_BUTTON: i64 = 16;

/// The most creatives that have a sentence of their own.
const MAX_SHOWN: usize = 12;

pub(super) fn creatives(described: &Described<'_>) -> Vec<String> {
    let all: Vec<Creative<'_>> = described.catalog.parts().creatives_of(&described.campaign).collect();
    let mut sentences: Vec<String> = all.iter().take(MAX_SHOWN).map(sentence).collect();
    if all.len() > MAX_SHOWN {
        sentences.push(format!("And {} more creatives.", all.len() - MAX_SHOWN));
    }
    if all.len() > 1 {
        sentences.push(rotation(described));
    }
    if !described.campaign.texts().secure {
        sentences.push("A notice URL is plain http, so an impression with secure 1 gets no bid.".into());
    }
    sentences
}

/// How one of several creatives is chosen.
fn rotation(described: &Described<'_>) -> String {
    let bounds = described.bounds();
    if bounds.in_sequence() {
        return "The first of them that fits is shown.".into();
    }
    if bounds.weights().is_empty() {
        return "If several fit, one of them is drawn for each request.".into();
    }
    let weights = join(bounds.weights().iter(), ", ");
    format!("If several fit, one of them is drawn for each request, by these weights: {weights}.")
}

fn sentence(creative: &Creative<'_>) -> String {
    let mut parts = vec![match creative.media() {
        Media::Banner(ad) => format!("a banner of {}", shape(ad.shape())),
        Media::Video(ad) => linear("video", ad),
        Media::Audio(ad) => linear("audio ad", ad),
        Media::Native(ad) => {
            let video = ad.video().map_or_else(String::new, |video| format!(" and {}", linear("video", video)));
            format!("a native ad with {} images, {} texts{video}", ad.img().len(), ad.data().len())
        }
    }];
    if !creative.language().is_empty() {
        parts.push(format!("language {}", creative.language()));
    }
    parts.extend(named("attributes", creative.attr(), &CREATIVE_ATTRIBUTES));
    if matches!(creative.media(), Media::Video(_)) && creative.attr().iter().any(|attr| attr == OWN_SKIP_BUTTON) {
        parts.push("not where the player has a skip button (skip 1)".into());
    }
    parts.extend(named("needs", creative.api(), &API_FRAMEWORKS));
    if creative.clientside() {
        parts.push("must run on the person's device".into());
    }
    if !creative.texts().secure {
        parts.push("not where secure is 1, because it has plain http".into());
    }
    format!("{}: {}.", creative.crid(), join(parts, "; "))
}

fn shape(shape: Shape) -> String {
    match shape {
        Shape::Fixed { w, h } => format!("{w}x{h}"),
        Shape::Ratio { wratio, hratio, wmin } => format!("any size of {wratio}:{hratio} from a width of {wmin} on"),
    }
}

fn linear(what: &str, ad: Linear<'_>) -> String {
    let protocol = CREATIVE_SUBTYPES.of(ad.protocol()).map_or_else(|| ad.protocol().to_string(), str::to_owned);
    let size = if ad.w() > 0 && ad.h() > 0 { format!(" of {}x{}", ad.w(), ad.h()) } else { String::new() };
    let overlay = if ad.linearity() == 2 { ", non-linear" } else { "" };
    let mut mimes: Vec<&str> = ad.vast().files().iter().map(|file| file.mime()).collect();
    mimes.dedup();
    let companions = ad.vast().companions();
    let beside = match (companions.ads().len(), companions.required()) {
        (0, _) => String::new(),
        (count, true) => format!(", only beside one of {count} companions"),
        (count, false) => format!(", {count} companions"),
    };
    let article = if what.starts_with('a') { "an" } else { "a" };
    let facts = facts(&ad.vast());
    format!("{article} {what}{size}, {} seconds, {protocol}{overlay}, {}{facts}{beside}", ad.dur(), list(mimes))
}

/// What the VAST document does besides playing. Its texts are escaped as in a JSON string.
fn facts(vast: &Vast<'_>) -> String {
    let files: Vec<MediaFile<'_>> = vast.files().iter().collect();
    let elements = files.iter().map(MediaFile::element);
    let parts: Vec<&str> = [vast.head()].into_iter().chain(elements).chain([vast.tail(), vast.end()]).collect();
    let attribute = |name: &'static str| parts.iter().flat_map(move |part| part.split(name).skip(1)).map(value);
    let skipped = attribute(" skipoffset=").next().map(|offset| format!("can be skipped after {offset}"));
    let is_measured = parts.iter().any(|part| part.contains("<Verification"));
    let interactive = ["VPAID", "SIMID"].into_iter().filter(|api| attribute(" apiFramework=").any(|own| own == *api));
    let mut facts = vec![String::new()];
    facts.extend(skipped);
    facts.extend(is_measured.then(|| "measured with OMID".into()));
    facts.extend(interactive.map(|api| format!("interactive with {api}")));
    facts.join(", ")
}

/// The value of an attribute at the start of a text: what stands between the quotes.
fn value(text: &str) -> &str {
    let text = text.trim_start_matches(['\\', '"', '\'']);
    text.split(['\\', '"', '\'']).next().unwrap_or_default()
}

/// The codes with their meanings; `None` without codes.
fn named(what: &str, codes: List<'_, i64>, meanings: &Meanings) -> Option<String> {
    let text = |code: i64| meanings.of(code).map_or_else(|| code.to_string(), |meaning| format!("{code} ({meaning})"));
    (!codes.is_empty()).then(|| format!("{what} {}", list(codes.iter().map(text))))
}
