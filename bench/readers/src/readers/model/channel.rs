//! `site`, `app` and `dooh`.

use serde::Deserialize;

use super::Text;

#[derive(Deserialize)]
pub(super) struct Channel<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    domain: Option<Text<'a>>,
    bundle: Option<Text<'a>>,
    publisher: Option<Publisher<'a>>,
    #[serde(default)]
    cat: Vec<Text<'a>>,
    #[serde(default)]
    sectioncat: Vec<Text<'a>>,
    #[serde(default)]
    pagecat: Vec<Text<'a>>,
    cattax: Option<i64>,
    keywords: Option<Text<'a>>,
    #[serde(default)]
    kwarray: Vec<Text<'a>>,
    content: Option<Content<'a>>,
}

#[derive(Deserialize)]
struct Publisher<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    genre: Option<Text<'a>>,
    contentrating: Option<Text<'a>>,
    livestream: Option<u8>,
    language: Option<Text<'a>>,
    langb: Option<Text<'a>>,
    network: Option<Named<'a>>,
    channel: Option<Named<'a>>,
    #[serde(default)]
    cat: Vec<Text<'a>>,
    cattax: Option<i64>,
    keywords: Option<Text<'a>>,
    #[serde(default)]
    kwarray: Vec<Text<'a>>,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    name: Option<Text<'a>>,
}
