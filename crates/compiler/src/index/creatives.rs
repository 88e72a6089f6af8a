//! Adds to the index what the creatives of a campaign are and what they need.

use super::{Builder, add};
use crate::own_values::OwnValues;
use catalog::index::{ANY_SIZE, AUDIO, BANNER, NATIVE, VIDEO, number_key};
use catalog::{CreativeDraft, LinearDraft, MediaDraft, NativeDraft, NativePart, Shape};
use reasons::no_bid::NoBidReason as R;
use rules::form::Form;
use rules::rows::ROWS;

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
    pub(super) fn needs_of(&mut self, creatives: &[&OwnValues]) {
        for (form, reason) in ROWS.iter().filter_map(|row| Some((row.form?, row.reason))) {
            // The values of each creative that the rule concerns.
            let mut all = creatives.iter().filter_map(|creative| creative.keys(reason));
            match form {
                // Values that all creatives have in common and that the impression may block.
                Form::NoneOf => {
                    let first = all.next().cloned().unwrap_or_default();
                    let common =
                        all.fold(first, |common, own| common.into_iter().filter(|key| own.contains(key)).collect());
                    for key in &common {
                        self.exclude(reason, key, b"");
                    }
                }
                Form::Range => {}
                _ => {
                    if all.clone().all(|values| !values.is_empty()) {
                        all.flatten().for_each(|key| self.select(reason, key, b""));
                    }
                }
            }
        }
    }

    fn linear(&mut self, ad: &LinearDraft) {
        self.durations.insert(ad.dur);
        self.select(R::Duration, &number_key(ad.dur), b"");
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
