//! What a rule of [`creatives`](mod@reasons::creatives) compares on our side: a creative, or a part of one.

use crate::form::Value;
use catalog::{Banner, Companion, Creative, Linear, Media, MediaFile};
use flat::List;

/// The language code of a creative without words.
pub const WORDLESS: &str = "xx";

/// A creative, or a part of one. A rule that does not concern it has no value here.
#[derive(Debug, Clone, Copy)]
pub enum Own<'c> {
    /// A creative without its files and companions.
    Creative {
        /// The creative.
        creative: Creative<'c>,
        /// Its ad.
        media: Media<'c>,
        /// Whether the campaign's notices, which go out with the creative, are all HTTPS.
        has_safe_notices: bool,
    },
    /// A file of a video or audio ad.
    File(MediaFile<'c>),
    /// The video of a native ad, without its files.
    Video(Linear<'c>),
    /// A banner beside a video or audio ad.
    Companion(Companion<'c>),
}

#[allow(clippy::inline_always, reason = "the compiler leaves out the rules that do not concern this part")]
impl<'c> Own<'c> {
    /// A creative, and behind it the files of a video or audio ad.
    pub fn parts(creative: Creative<'c>, has_safe_notices: bool) -> Vec<Own<'c>> {
        let media = creative.media();
        let files = if let Media::Video(ad) | Media::Audio(ad) = media { ad.vast().files() } else { List::default() };
        [Own::Creative { creative, media, has_safe_notices }].into_iter().chain(files.iter().map(Own::File)).collect()
    }

    #[inline(always)]
    pub(crate) fn creative(&self) -> Option<Creative<'c>> {
        if let Own::Creative { creative, .. } = *self { Some(creative) } else { None }
    }

    #[inline(always)]
    pub(crate) fn banner(&self) -> Option<Banner<'c>> {
        if let Own::Creative { media: Media::Banner(ad), .. } = *self { Some(ad) } else { None }
    }

    #[inline(always)]
    pub(crate) fn linear(&self) -> Option<Linear<'c>> {
        match *self {
            Own::Video(ad) | Own::Creative { media: Media::Video(ad) | Media::Audio(ad), .. } => Some(ad),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) fn file(&self) -> Option<MediaFile<'c>> {
        if let Own::File(file) = *self { Some(file) } else { None }
    }

    #[inline(always)]
    pub(crate) fn btype(&self) -> Option<i64> {
        if let Own::Companion(ad) = *self { Some(ad.btype()) } else { Some(self.banner()?.btype()) }
    }

    #[inline(always)]
    pub(crate) fn mime(&self) -> Option<&'c str> {
        match *self {
            Own::File(file) => Some(file.mime()),
            Own::Companion(ad) => Some(ad.mime()),
            _ => Some(self.banner()?.mime()),
        }
    }

    #[inline(always)]
    pub(crate) fn api(&self) -> Option<List<'c, i64>> {
        if let Own::Companion(ad) = *self { Some(ad.api()) } else { Some(self.creative()?.api()) }
    }

    #[inline(always)]
    pub(crate) fn attr(&self) -> Option<List<'c, i64>> {
        if let Own::Companion(ad) = *self { Some(ad.attr()) } else { Some(self.creative()?.attr()) }
    }

    #[inline(always)]
    pub(crate) fn has_plain_http(&self) -> Option<bool> {
        let Own::Creative { creative, has_safe_notices, .. } = *self else { return None };
        Some(!(creative.texts().secure && has_safe_notices))
    }

    #[inline(always)]
    pub(crate) fn language(&self) -> Option<Value<'c>> {
        let language = self.creative()?.language();
        Some(if language == WORDLESS { Value::Any(language) } else { Value::Text(language) })
    }
}
