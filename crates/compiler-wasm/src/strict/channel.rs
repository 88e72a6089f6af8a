//! Sites, apps and screens, and their content.

use super::{Reader, known};
use crate::openrtb;
use bidder_wasm::request::{Channel, Content};

impl<'a> Reader<'a> {
    pub(super) fn site(self, from: &openrtb::Site) -> Channel<'a> {
        let (keywords, kwarray) = self.keywords(from.keywords.as_ref(), &from.kwarray);
        Channel {
            id: self.text(from.id.as_ref()),
            domain: self.text(from.domain.as_ref()),
            page: self.text(from.page.as_ref()),
            bundle: "",
            publisher_id: self.publisher_id(from.publisher.as_ref()),
            publisher_domain: self.publisher_domain(from.publisher.as_ref()),
            cat: self.texts(&from.cat),
            sectioncat: self.texts(&from.sectioncat),
            pagecat: self.texts(&from.pagecat),
            cattax: from.cattax.unwrap_or(1),
            keywords,
            kwarray,
            content: self.content(from.content.as_ref()),
        }
    }

    pub(super) fn app(self, from: &openrtb::App) -> Channel<'a> {
        let (keywords, kwarray) = self.keywords(from.keywords.as_ref(), &from.kwarray);
        Channel {
            id: self.text(from.id.as_ref()),
            domain: self.text(from.domain.as_ref()),
            page: "",
            bundle: self.text(from.bundle.as_ref()),
            publisher_id: self.publisher_id(from.publisher.as_ref()),
            publisher_domain: self.publisher_domain(from.publisher.as_ref()),
            cat: self.texts(&from.cat),
            sectioncat: self.texts(&from.sectioncat),
            pagecat: self.texts(&from.pagecat),
            cattax: from.cattax.unwrap_or(1),
            keywords,
            kwarray,
            content: self.content(from.content.as_ref()),
        }
    }

    pub(super) fn dooh(self, from: &openrtb::Dooh) -> Channel<'a> {
        let (keywords, kwarray) = self.keywords(from.keywords.as_ref(), &[]);
        Channel {
            id: self.text(from.id.as_ref()),
            domain: self.text(from.domain.as_ref()),
            page: "",
            bundle: "",
            publisher_id: self.publisher_id(from.publisher.as_ref()),
            publisher_domain: self.publisher_domain(from.publisher.as_ref()),
            cat: &[],
            sectioncat: &[],
            pagecat: &[],
            cattax: 1,
            keywords,
            kwarray,
            content: self.content(from.content.as_ref()),
        }
    }

    fn publisher_id(self, from: Option<&openrtb::Publisher>) -> &'a str {
        self.text(from.and_then(|publisher| publisher.id.as_ref()))
    }

    fn publisher_domain(self, from: Option<&openrtb::Publisher>) -> &'a str {
        self.text(from.and_then(|publisher| publisher.domain.as_ref()))
    }

    fn content(self, from: Option<&openrtb::Content>) -> Content<'a> {
        let Some(from) = from else { return Content { cattax: 1, ..Content::default() } };
        let (keywords, kwarray) = self.keywords(from.keywords.as_ref(), &from.kwarray);
        Content {
            genre: self.text(from.genre.as_ref()),
            genres: self.texts(&from.genres),
            contentrating: self.text(from.contentrating.as_ref()),
            livestream: known(from.livestream),
            language: self.text(from.language.as_ref()),
            langb: self.text(from.langb.as_ref()),
            network: self.text(from.network.as_ref().and_then(|network| network.name.as_ref())),
            channel: self.text(from.channel.as_ref().and_then(|channel| channel.name.as_ref())),
            cat: self.texts(&from.cat),
            cattax: from.cattax.unwrap_or(1),
            keywords,
            kwarray,
        }
    }
}
