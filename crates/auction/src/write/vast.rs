//! Writes a VAST document.

use catalog::Linear;
use notices::{Link, Notice};
use openrtb::request;

/// Appends a VAST document that has only the media files and companions that the player takes.
pub(super) fn vast(out: &mut String, ad: &Linear<'_>, offer: Option<&request::Linear<'_>>, link: Option<&Link<'_>>) {
    let vast = ad.vast();
    let (before, behind) = vast.head().split_at_checked(vast.impression_at() as usize).unwrap_or((vast.head(), ""));
    out.push_str(before);
    let link = link.filter(|_| !before.is_empty());
    around(out, link, "<Impression><![CDATA[", "]]></Impression>");
    out.push_str(behind);
    vast.files()
        .iter()
        .filter(|file| offer.is_some_and(|offer| rules::playable(offer, file)))
        .for_each(|file| out.push_str(file.element()));
    out.push_str(vast.tail());
    let companions = &vast.companions();
    let mut shown =
        companions.ads().iter().filter(|companion| offer.is_some_and(|offer| rules::has_room(offer, companion)));
    if let Some(first) = shown.next() {
        out.push_str(companions.head());
        out.push_str(first.element());
        shown.for_each(|companion| out.push_str(companion.element()));
        out.push_str(companions.tail());
    }
    out.push_str(vast.end());
}

/// Appends the URL of our impression notice between two texts, if there is one.
pub(super) fn around(out: &mut String, link: Option<&Link<'_>>, before: &str, behind: &str) {
    if let Some(link) = link {
        out.push_str(before);
        link.url(out, Notice::Imp);
        out.push_str(behind);
    }
}
