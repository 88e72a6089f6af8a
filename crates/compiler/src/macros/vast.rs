//! Finds the places of macros in a ready VAST document.

use roxmltree::{Document, Node, ParsingOptions};

use super::html;
use super::places::{Place, Places, each, number_of};
use super::url::{self, EXPECTED};
use catalog::macros::Context;

/// Elements whose content is a text for people, not a URL or code.
const WORDS: [&str; 8] =
    ["AdSystem", "AdTitle", "AdServingId", "Advertiser", "Description", "Category", "UniversalAdId", "AltText"];

/// Finds the macros of a document. A document that is not XML has another finding.
pub(super) fn find(text: &str, places: &mut Places) {
    if text.contains("<!DOCTYPE") {
        return places.set_all(text, Err("in a document without a DTD"));
    }
    let Ok(document) = Document::parse_with_options(text.trim_start(), ParsingOptions::default()) else {
        return places.set_all(text, Ok(Context::Url));
    };
    let sections = Sections::of(text);
    for node in document.descendants() {
        for attribute in node.attributes() {
            for (number, before) in each(attribute.value()) {
                let place = place(before, attribute.value(), Ok(Context::Markup));
                places.set(number, place);
            }
        }
        if let Some(content) = node.text().filter(|_| node.is_text()) {
            find_in_text(node, content, &sections, places);
        } else if node.is_comment() {
            places.set_all(node.text().unwrap_or_default(), Err("outside of comments"));
        }
    }
}

fn find_in_text(node: Node<'_, '_>, content: &str, sections: &Sections, places: &mut Places) {
    let name = node.parent_element().map_or("", |parent| parent.tag_name().name());
    let has_reference = content.chars().filter_map(number_of).any(|number| !sections.contain(number));
    match name {
        "HTMLResource" if has_reference => places.set_all(content, Err("in a CDATA section")),
        "HTMLResource" => html::find(content, places),
        _ => {
            for (number, before) in each(content) {
                let in_words = if sections.contain(number) { Context::Cdata } else { Context::Markup };
                let in_words = if WORDS.contains(&name) { Ok(in_words) } else { Err(EXPECTED) };
                places.set(number, place(before, content, in_words));
            }
        }
    }
}

/// The place of a macro in `all`, behind `before`; `otherwise` if it is not in a URL.
fn place(before: &str, all: &str, otherwise: Place) -> Place {
    if url::holds_code(all) { Err(EXPECTED) } else { url::place(before, otherwise) }
}

/// The macros inside of CDATA sections.
struct Sections(Vec<usize>);

impl Sections {
    /// Reads a document that is XML.
    fn of(text: &str) -> Sections {
        let (mut numbers, mut rest) = (Vec::new(), text);
        // Whichever comes first hides the others.
        let parts = [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")];
        loop {
            let starts = parts.iter().filter_map(|(begin, end)| Some((rest.find(begin)?, *begin, *end)));
            let Some((at, begin, end)) = starts.min_by_key(|(at, ..)| *at) else { break };
            let behind = rest.get(at + begin.len()..).unwrap_or_default();
            let (content, after) =
                behind.split_at_checked(behind.find(end).unwrap_or(behind.len())).unwrap_or_default();
            if begin == "<![CDATA[" {
                numbers.extend(each(content).map(|(number, _)| number));
            }
            rest = after;
        }
        Sections(numbers)
    }

    fn contain(&self, number: usize) -> bool {
        self.0.contains(&number)
    }
}
