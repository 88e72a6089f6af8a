//! Adds to the index what the creatives of a campaign are and what they need.

use super::{Builder, add};
use catalog::MediaFileDraft;
use catalog::index::{ANY_SIZE, AUDIO, BANNER, INSECURE, NATIVE, VIDEO, number_key};
use catalog::{CreativeDraft, LinearDraft, MediaDraft, NativeDraft, NativePart, Shape};
use reasons::no_bid::NoBidReason as R;
use rules::creative::WORDLESS;

impl Builder {
    /// Adds media types, sizes, ratios, durations and the parts of native ads.
    pub(super) fn creatives(&mut self, creatives: &[&CreativeDraft]) {
        for creative in creatives {
            let kind = match &creative.media {
                MediaDraft::Banner(ad) => {
                    self.banner(ad.shape);
                    BANNER
                }
                MediaDraft::Video(ad) => {
                    self.linear(ad);
                    VIDEO
                }
                MediaDraft::Audio(ad) => {
                    self.linear(ad);
                    AUDIO
                }
                MediaDraft::Native(ad) => {
                    self.native(ad);
                    NATIVE
                }
            };
            self.select(R::MediaType, kind, b"");
        }
    }

    /// Adds what the creatives need. If the impression meets the needs of none of them, the campaign has nothing to
    /// show.
    pub(super) fn needs_of(&mut self, creatives: &[&CreativeDraft], secure: bool) {
        let files = |creative: &CreativeDraft, of_file: fn(&MediaFileDraft) -> Vec<u8>| -> Option<Vec<Vec<u8>>> {
            match &creative.media {
                MediaDraft::Video(ad) | MediaDraft::Audio(ad) => Some(ad.vast.files.iter().map(of_file).collect()),
                MediaDraft::Banner(_) | MediaDraft::Native(_) => None,
            }
        };
        let linear = |creative: &CreativeDraft, of_ad: fn(&LinearDraft) -> i64| match &creative.media {
            MediaDraft::Video(ad) | MediaDraft::Audio(ad) => Some(vec![number_key(of_ad(ad)).to_vec()]),
            MediaDraft::Banner(_) | MediaDraft::Native(_) => None,
        };
        self.each(R::Mimes, creatives, |creative| match &creative.media {
            MediaDraft::Banner(ad) => Some(vec![ad.mime.clone().into_bytes()]),
            _ => files(creative, |file| file.mime.clone().into_bytes()),
        });
        self.each(R::Delivery, creatives, |creative| {
            // A file without a delivery method needs none.
            let methods = files(creative, |file| number_key(file.delivery).to_vec())?;
            Some(if methods.contains(&number_key(0).to_vec()) { vec![] } else { methods })
        });
        self.each(R::Protocols, creatives, |creative| linear(creative, |ad| ad.protocol));
        self.each(R::Linearity, creatives, |creative| linear(creative, |ad| ad.linearity));
        self.each(R::Duration, creatives, |creative| linear(creative, |ad| ad.dur));
        self.each(R::Api, creatives, |creative| {
            Some(creative.api.iter().take(1).map(|api| number_key(*api).to_vec()).collect())
        });
        let insecure = |creative: &CreativeDraft| !(secure && creative.texts.secure);
        self.each(R::Secure, creatives, |creative| {
            Some(insecure(creative).then(|| INSECURE.into()).into_iter().collect())
        });
        self.each(R::Wlang, creatives, |creative| {
            let language = Some(creative.language.clone()).filter(|language| language != WORDLESS);
            Some(language.into_iter().map(String::into_bytes).collect())
        });
        // Values that all creatives have in common and that the impression may block.
        let of_all = |of: fn(&CreativeDraft) -> Option<Vec<i64>>| {
            let mut all = creatives.iter().filter_map(|creative| of(creative));
            let first = all.next().unwrap_or_default();
            all.fold(first, |common, own| common.into_iter().filter(|value| own.contains(value)).collect())
        };
        for attr in of_all(|creative| Some(creative.attr.clone())) {
            self.exclude(R::Battr, &number_key(attr), b"");
        }
        let btype = of_all(|creative| match &creative.media {
            MediaDraft::Banner(ad) => Some(vec![ad.btype]),
            _ => None,
        });
        for btype in btype {
            self.exclude(R::Btype, &number_key(btype), b"");
        }
    }

    /// Adds a need of the creatives. `values` returns the values of which a creative needs at least one: an empty list
    /// if every impression will do, `None` if the need does not concern the creative.
    fn each(
        &mut self,
        reason: R,
        creatives: &[&CreativeDraft],
        values: impl Fn(&CreativeDraft) -> Option<Vec<Vec<u8>>>,
    ) {
        let all: Vec<Vec<Vec<u8>>> = creatives.iter().filter_map(|creative| values(creative)).collect();
        if !all.iter().any(Vec::is_empty) {
            all.iter().flatten().for_each(|value| self.select(reason, value, b""));
        }
    }

    fn linear(&mut self, ad: &LinearDraft) {
        self.durations.insert(ad.dur);
        let place = self.place;
        add(self.frames.entry((ad.w, ad.h)).or_default(), place);
    }

    fn native(&mut self, ad: &NativeDraft) {
        let title = NativePart::Title { len: ad.title.len };
        let images = ad.img.iter().map(|img| NativePart::Img { kind: img.kind, w: img.w, h: img.h });
        let data = ad.data.iter().map(|(kind, text)| NativePart::Data { kind: *kind, len: text.len });
        let video = ad.video.iter().map(|_| NativePart::Video);
        for part in [title].into_iter().chain(images).chain(data).chain(video) {
            let place = self.place;
            add(self.native_parts.entry(part).or_default(), place);
        }
    }

    fn banner(&mut self, shape: Shape) {
        match shape {
            Shape::Fixed { w, h } => {
                let (w, h) = (number_key(w), number_key(h));
                for (w, h) in [(w.as_slice(), h.as_slice()), (&w, ANY_SIZE), (ANY_SIZE, &h), (ANY_SIZE, b"")] {
                    self.select(R::Size, w, h);
                }
            }
            Shape::Ratio { .. } => self.keeps(shape),
        }
    }
}
