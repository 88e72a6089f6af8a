//! Creatives, ready to be checked and written.
//!
//! Text that goes into responses is stored as escaped JSON. A *fragment* is a series of members, each after a comma; a
//! *literal* is the inside of a JSON string, without the quotes. The text of a native ad is escaped twice, because its
//! markup is JSON inside a JSON string.

use super::{AdvertiserDraft, Per, Shape, Texts};
use flat::{Flat, Source, Writer, fingerprint, flat};

flat! {
    /// A creative.
    #[derive(Default)]
    pub struct Creative from CreativeDraft {
        /// `adid` and `iurl`, as a fragment.
        pub preview: String,
        /// `attr`, `apis` and `language`, as a fragment. Many creatives share it.
        pub traits: String,
        /// `bid.crid`.
        pub crid: String,
        /// `bid.attr`.
        pub attr: Vec<i64>,
        /// API frameworks that the creative needs.
        pub api: Vec<i64>,
        /// ISO 639-1 code, lower case; `xx` if the creative has no words; empty if unknown.
        pub language: String,
        /// Whether the creative's code or trackers must run on the person's device.
        pub clientside: bool,
        /// Whether its markup and URLs are HTTPS, and whether they have macros of ours.
        pub texts: Texts,
        /// Its own advertiser: one item, or none.
        pub advertiser: Vec<AdvertiserDraft>,
        /// Its frequency caps, at most one for each period: how many impressions of it a person may see.
        pub caps: Vec<(Per, u32)>,
        /// The ad itself.
        pub media: MediaDraft,
    }
}

flat! {
    /// A banner.
    #[derive(Default)]
    pub struct Banner from BannerDraft {
        /// Its size.
        pub shape: Shape,
        /// Directions in which the banner expands.
        pub expdir: Vec<i64>,
        /// AdCOM banner type; 0 if unknown.
        pub btype: i64,
        /// MIME type.
        pub mime: String,
        /// The markup, as a literal.
        pub adm: String,
    }
}

flat! {
    /// A video or audio ad.
    #[derive(Default)]
    pub struct Linear from LinearDraft {
        /// Duration in seconds.
        pub dur: i64,
        /// AdCOM creative subtype of the markup.
        pub protocol: i64,
        /// Width in pixels; 0 if unknown.
        pub w: i64,
        /// Height in pixels; 0 if unknown.
        pub h: i64,
        /// 1 = linear, 2 = non-linear.
        pub linearity: i64,
        /// The VAST document.
        pub vast: VastDraft,
    }
}

flat! {
    /// A VAST document in parts, so that each response gets only the files that the player accepts. The parts are
    /// literals. A *ready* document is one that the catalog gives as a whole; it is not taken apart.
    #[derive(Default)]
    pub struct Vast from VastDraft {
        /// Everything before the files; of a ready document, the whole document.
        pub head: String,
        /// The byte of `head` before which an `Impression` may be added; 0: there is no such place.
        pub impression_at: u32,
        /// The files, at least one.
        pub files: Vec<MediaFileDraft>,
        /// Everything between the files and the companions.
        pub tail: String,
        /// Its companions.
        pub companions: CompanionsDraft,
        /// Everything after the companions.
        pub end: String,
    }
}

flat! {
    /// The companions of a video or audio ad. The parts are literals.
    #[derive(Default)]
    pub struct Companions from CompanionsDraft {
        /// Whether the ad needs a companion.
        pub required: bool,
        /// The text before the companions; left out if no companion is shown.
        pub head: String,
        /// The companions.
        pub ads: Vec<CompanionDraft>,
        /// The text after the companions; left out if no companion is shown.
        pub tail: String,
    }
}

flat! {
    /// A banner beside a video or audio ad.
    pub struct Companion from CompanionDraft {
        /// Width in pixels.
        pub w: i64,
        /// Height in pixels.
        pub h: i64,
        /// AdCOM companion type: 1 = static, 2 = HTML, 3 = iframe.
        pub kind: i64,
        /// AdCOM banner type; 0 if unknown.
        pub btype: i64,
        /// Its creative attributes.
        pub attr: Vec<i64>,
        /// API frameworks that the companion needs.
        pub api: Vec<i64>,
        /// MIME type.
        pub mime: String,
        /// Its `Companion` element, as a literal.
        pub element: String,
    }
}

flat! {
    /// A file of a video or audio ad.
    #[derive(Default)]
    pub struct MediaFile from MediaFileDraft {
        /// MIME type.
        pub mime: String,
        /// Bit rate in kilobits per second; 0 if unknown.
        pub bitrate: i64,
        /// Delivery: 1 = streaming, 2 = progressive, 3 = download; 0 if unknown.
        pub delivery: i64,
        /// Width in pixels; 0 if unknown.
        pub w: i64,
        /// Height in pixels; 0 if unknown.
        pub h: i64,
        /// Its `MediaFile` element, as a literal; empty for a ready document.
        pub element: String,
        /// Its URL; empty for a ready document.
        pub url: String,
    }
}

flat! {
    /// A native ad. Its fragments and literals are escaped twice.
    pub struct Native from NativeDraft {
        /// Title.
        pub title: PhraseDraft,
        /// Pictures.
        pub img: Vec<ImgDraft>,
        /// Texts, each with its data asset type.
        pub data: Vec<(i64, PhraseDraft)>,
        /// A video.
        pub video: Option<LinearDraft>,
        /// `link`.
        pub link: String,
        /// `imptrackers` and `jstracker`, for requests that do not ask for event trackers.
        pub trackers: String,
        /// `eventtrackers` entries that are images, separated by commas.
        pub images: String,
        /// The `eventtrackers` entry that is a script, or empty.
        pub script: String,
        /// `privacy`, or empty.
        pub privacy: String,
    }
}

flat! {
    /// A text of a native ad.
    pub struct Phrase from PhraseDraft {
        /// Length in characters.
        pub len: i64,
        /// The `title` or `data` member with this text, as a fragment.
        pub fragment: String,
    }
}

flat! {
    /// A picture of a native ad.
    pub struct Img from ImgDraft {
        /// 1 = icon, 3 = main image.
        pub kind: i64,
        /// Width in pixels.
        pub w: i64,
        /// Height in pixels.
        pub h: i64,
        /// The `img` member with this picture, as a fragment.
        pub fragment: String,
    }
}

/// The ad of a creative: a banner of type `B`, a video or audio ad of type `L`, or a native ad of type `N`.
#[derive(Debug, Clone, Copy)]
pub enum Ad<B, L, N> {
    /// A banner.
    Banner(B),
    /// A video.
    Video(L),
    /// An audio ad.
    Audio(L),
    /// A native ad.
    Native(N),
}

/// The ad of a creative.
pub type Media<'s> = Ad<Banner<'s>, Linear<'s>, Native<'s>>;
/// A [`Media`] before it is stored.
pub type MediaDraft = Ad<BannerDraft, LinearDraft, NativeDraft>;

/// An ad without content, which the compiler fills.
impl<B: Default, L, N> Default for Ad<B, L, N> {
    fn default() -> Self {
        Ad::Banner(B::default())
    }
}

impl<B, L, N> Ad<B, L, N> {
    /// `bid.mtype`.
    pub fn mtype(&self) -> u8 {
        match self {
            Ad::Banner(_) => 1,
            Ad::Video(_) => 2,
            Ad::Audio(_) => 3,
            Ad::Native(_) => 4,
        }
    }
}

impl Flat for MediaDraft {
    type View<'s> = Media<'s>;
    const SIZE: usize = 5;
    const LAYOUT: u64 = fingerprint(BannerDraft::LAYOUT ^ LinearDraft::LAYOUT ^ NativeDraft::LAYOUT, "media");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let mut own = Vec::new();
        match self {
            Ad::Banner(ad) => ad.write(out, &mut own),
            Ad::Video(ad) | Ad::Audio(ad) => ad.write(out, &mut own),
            Ad::Native(ad) => ad.write(out, &mut own),
        }
        (self.mtype(), out.store(&own)).write(out, record);
    }

    fn view(from: Source<'_>, at: usize) -> Media<'_> {
        let (kind, own) = <(u8, u32)>::view(from, at);
        match kind {
            2 => Ad::Video(LinearDraft::view(from, own as usize)),
            3 => Ad::Audio(LinearDraft::view(from, own as usize)),
            4 => Ad::Native(NativeDraft::view(from, own as usize)),
            _ => Ad::Banner(BannerDraft::view(from, own as usize)),
        }
    }
}
