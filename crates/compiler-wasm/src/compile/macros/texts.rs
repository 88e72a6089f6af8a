//! Lists the texts of a document that browsers, players and exchanges get, so that checks of texts need no list of
//! their own.

use core::fmt::Arguments;

use crate::compile::document::{CampaignEntry, CreativeEntry, LinearEntry, NativeEntry};

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A URL that is called or opened when the ad is shown.
    Url,
    /// A text that is the same for all requests: a URL that only the exchange opens, before it shows any ad, or the
    /// parameters of a measuring script.
    Fixed,
    /// HTML.
    Markup,
    /// A VAST or DAAST document.
    Vast,
    /// Words that people read in a native ad.
    Words,
}

/// Calls `visit` with each text of a creative, its kind and its path in the creative.
pub(crate) fn of_creative(entry: &mut CreativeEntry, visit: &mut impl FnMut(&mut String, Kind, Arguments<'_>)) {
    let mut texts = Texts { visit };
    texts.one(entry.iurl.as_mut(), Kind::Fixed, format_args!("iurl"));
    texts.one(entry.banner.as_mut().and_then(|ad| ad.adm.as_mut()), Kind::Markup, format_args!("banner.adm"));
    texts.linear(entry.video.as_mut(), format_args!("video"));
    texts.linear(entry.audio.as_mut(), format_args!("audio"));
    texts.native(entry.native.as_mut(), format_args!("native"));
}

/// Calls `visit` with each text of a campaign, its kind and its path in the campaign.
pub(crate) fn of_campaign(entry: &mut CampaignEntry, visit: &mut impl FnMut(&mut String, Kind, Arguments<'_>)) {
    let mut texts = Texts { visit };
    texts.one(entry.nurl.as_mut(), Kind::Url, format_args!("nurl"));
    texts.one(entry.burl.as_mut(), Kind::Url, format_args!("burl"));
    texts.one(entry.lurl.as_mut(), Kind::Url, format_args!("lurl"));
}

struct Texts<'v, V> {
    visit: &'v mut V,
}

impl<V: FnMut(&mut String, Kind, Arguments<'_>)> Texts<'_, V> {
    fn one(&mut self, text: Option<&mut String>, kind: Kind, path: Arguments<'_>) {
        if let Some(text) = text {
            (self.visit)(text, kind, path);
        }
    }

    fn url(&mut self, url: Option<&mut String>, path: Arguments<'_>) {
        self.one(url, Kind::Url, path);
    }

    fn urls(&mut self, urls: &mut [String], path: Arguments<'_>) {
        for (i, url) in urls.iter_mut().enumerate() {
            self.url(Some(url), format_args!("{path}[{i}]"));
        }
    }

    fn linear(&mut self, ad: Option<&mut LinearEntry>, path: Arguments<'_>) {
        let Some(ad) = ad else { return };
        self.one(ad.adm.as_mut(), Kind::Vast, format_args!("{path}.adm"));
        self.url(ad.clickthrough.as_mut(), format_args!("{path}.clickthrough"));
        self.url(ad.interactive.as_mut(), format_args!("{path}.interactive"));
        self.urls(&mut ad.impression, format_args!("{path}.impression"));
        self.urls(&mut ad.error, format_args!("{path}.error"));
        self.urls(&mut ad.clicktracking, format_args!("{path}.clicktracking"));
        for (i, entry) in ad.tracking.iter_mut().enumerate() {
            self.url(entry.url.as_mut(), format_args!("{path}.tracking[{i}].url"));
        }
        for (i, entry) in ad.verification.iter_mut().enumerate() {
            let path = format_args!("{path}.verification[{i}]");
            self.url(entry.url.as_mut(), format_args!("{path}.url"));
            self.one(entry.params.as_mut(), Kind::Fixed, format_args!("{path}.params"));
            self.url(entry.not_executed.as_mut(), format_args!("{path}.not_executed"));
        }
        for (i, file) in ad.media.iter_mut().enumerate() {
            self.url(file.url.as_mut(), format_args!("{path}.media[{i}].url"));
        }
        for (i, companion) in ad.companions.iter_mut().enumerate() {
            let path = format_args!("{path}.companions[{i}]");
            self.url(companion.image.as_mut(), format_args!("{path}.static"));
            self.one(companion.html.as_mut(), Kind::Markup, format_args!("{path}.html"));
            self.url(companion.iframe.as_mut(), format_args!("{path}.iframe"));
            self.url(companion.clickthrough.as_mut(), format_args!("{path}.clickthrough"));
        }
    }

    fn native(&mut self, ad: Option<&mut NativeEntry>, path: Arguments<'_>) {
        let Some(ad) = ad else { return };
        self.one(ad.title.as_mut(), Kind::Words, format_args!("{path}.title"));
        for (i, data) in ad.data.iter_mut().enumerate() {
            self.one(data.value.as_mut(), Kind::Words, format_args!("{path}.data[{i}].value"));
        }
        self.url(ad.link.as_mut(), format_args!("{path}.link"));
        self.urls(&mut ad.imptrackers, format_args!("{path}.imptrackers"));
        self.url(ad.jstracker.as_mut(), format_args!("{path}.jstracker"));
        self.url(ad.privacy.as_mut(), format_args!("{path}.privacy"));
        for (i, img) in ad.img.iter_mut().enumerate() {
            self.url(img.url.as_mut(), format_args!("{path}.img[{i}].url"));
        }
        self.linear(ad.video.as_mut(), format_args!("{path}.video"));
    }
}
