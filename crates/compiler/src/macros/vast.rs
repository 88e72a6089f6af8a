//! Finds the positions of macros in a ready VAST document.

use roxmltree::{Document, Node, ParsingOptions};

use super::html;
use super::positions::{Position, Positions, each, number_of};
use super::url::{self, EXPECTED};
use catalog::macros::Context;

/// Elements whose content is a text for people, not a URL or code.
const WORDS: [&str; 8] =
    ["AdSystem", "AdTitle", "AdServingId", "Advertiser", "Description", "Category", "UniversalAdId", "AltText"];

/// Finds the macros of a document. A document that is not XML has another finding.
pub(super) fn find(text: &str, positions: &mut Positions) {
    if text.contains("<!DOCTYPE") {
        return positions.set_all(text, Err("in a document without a DTD"));
    }
    let Ok(document) = Document::parse_with_options(text.trim_start(), ParsingOptions::default()) else {
        return positions.set_all(text, Ok(Context::Url));
    };
    let sections = Sections::of(text);
    for node in document.descendants() {
        for attribute in node.attributes() {
            for (number, before) in each(attribute.value()) {
                let position = position(before, attribute.value(), Ok(Context::Markup));
                positions.set(number, position);
            }
        }
        if let Some(content) = node.text().filter(|_| node.is_text()) {
            find_in_text(node, content, &sections, positions);
        } else if node.is_comment() {
            positions.set_all(node.text().unwrap_or_default(), Err("outside of comments"));
        }
    }
}

fn find_in_text(node: Node<'_, '_>, content: &str, sections: &Sections, positions: &mut Positions) {
    let name = node.parent_element().map_or("", |parent| parent.tag_name().name());
    let has_reference = content.chars().filter_map(number_of).any(|number| !sections.contain(number));
    match name {
        "HTMLResource" if has_reference => positions.set_all(content, Err("in a CDATA section")),
        "HTMLResource" => html::find(content, positions),
        _ => {
            for (number, before) in each(content) {
                let in_words = if sections.contain(number) { Context::Cdata } else { Context::Markup };
                let in_words = if WORDS.contains(&name) { Ok(in_words) } else { Err(EXPECTED) };
                positions.set(number, position(before, content, in_words));
            }
        }
    }
}

/// The position of a macro in `all`, behind `before`; `otherwise` if it is not in a URL.
fn position(before: &str, all: &str, otherwise: Position) -> Position {
    if url::holds_code(all) { Err(EXPECTED) } else { url::position(before, otherwise) }
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
