//! Which values the creatives of a campaign have and need.

use super::Builder;
use bidder_wasm::catalog::MediaFileDraft;
use bidder_wasm::catalog::index::{ANY_SIZE, AUDIO, BANNER, INSECURE, NATIVE, VIDEO, number_key};
use bidder_wasm::catalog::{CreativeDraft, LinearDraft, MediaDraft, Shape};
use bidder_wasm::no_bid::NoBidReason as R;
use bidder_wasm::rules::creative::WORDLESS;

impl Builder {
    /// What there is to show.
    pub(super) fn creatives(&mut self, creatives: &[&CreativeDraft]) {
        for creative in creatives {
            let kind = match &creative.media {
                MediaDraft::Banner(ad) => {
                    self.banner(ad.shape);
                    BANNER
                }
                MediaDraft::Video(_) => VIDEO,
                MediaDraft::Audio(_) => AUDIO,
                MediaDraft::Native(_) => NATIVE,
            };
            self.held(R::MediaType, kind, b"");
        }
    }

    /// What its creatives need: if none of them gets it, the campaign has nothing to show.
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
            // A file that does not tell is taken any way.
            let told = files(creative, |file| number_key(file.delivery).to_vec())?;
            Some(if told.contains(&number_key(0).to_vec()) { vec![] } else { told })
        });
        self.each(R::Protocols, creatives, |creative| linear(creative, |ad| ad.protocol));
        self.each(R::Linearity, creatives, |creative| linear(creative, |ad| ad.linearity));
        self.each(R::Asset, creatives, |creative| match &creative.media {
            MediaDraft::Native(ad) => Some(ad.data.iter().map(|(kind, _)| number_key(*kind).to_vec()).collect()),
            _ => None,
        });
        self.each(R::Api, creatives, |creative| {
            Some(creative.api.iter().take(1).map(|api| number_key(*api).to_vec()).collect())
        });
        let insecure = |creative: &CreativeDraft| !(secure && creative.secure);
        self.each(R::Secure, creatives, |creative| {
            Some(insecure(creative).then(|| INSECURE.into()).into_iter().collect())
        });
        self.each(R::Wlang, creatives, |creative| {
            let language = Some(creative.language.clone()).filter(|language| language != WORDLESS);
            Some(language.into_iter().map(String::into_bytes).collect())
        });
        // What all of them are and the impression may refuse.
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

    /// The values of which each creative needs one; `None` for a creative that it does not concern. A campaign with one that
    /// needs none fits always.
    fn each(
        &mut self,
        reason: R,
        creatives: &[&CreativeDraft],
        values: impl Fn(&CreativeDraft) -> Option<Vec<Vec<u8>>>,
    ) {
        let all: Vec<Vec<Vec<u8>>> = creatives.iter().filter_map(|creative| values(creative)).collect();
        if !all.iter().any(Vec::is_empty) {
            all.iter().flatten().for_each(|value| self.held(reason, value, b""));
        }
    }

    fn banner(&mut self, shape: Shape) {
        match shape {
            Shape::Fixed { w, h } => {
                let (w, h) = (number_key(w), number_key(h));
                for (w, h) in [(w.as_slice(), h.as_slice()), (&w, ANY_SIZE), (ANY_SIZE, &h), (ANY_SIZE, b"")] {
                    self.held(R::Size, w, h);
                }
            }
            Shape::Ratio { .. } => self.keeps(shape),
        }
    }
}
