//! Finds the positions of macros in HTML.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};

use super::positions::{Positions, each, number_of};
use super::script;
use super::url::{self, EXPECTED};
use catalog::macros::Context;

/// Attributes whose value is a URL, and those that set such an attribute of another element.
const URLS: &str = "action archive attributionsrc background by cite classid codebase data dynsrc formaction from href icon \
    imagesrcset longdesc lowsrc manifest ping poster src srcset to values xlink:href xml:base";

/// Types of `script` elements whose content has the strings of JavaScript.
const SCRIPTS: [&str; 8] = [
    "",
    "module",
    "text/javascript",
    "application/javascript",
    "application/x-javascript",
    "text/ecmascript",
    "application/json",
    "application/ld+json",
];

/// What the tokenizer is inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Text between elements.
    Text,
    Script,
    /// Markup that the tokenizer gives as one text.
    Noscript,
    /// No value is safe here: where a macro was expected instead.
    Refused(&'static str),
}

/// Finds the macros of a document or a part of one.
pub(super) fn find(markup: &str, positions: &mut Positions) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let (mut inside, mut content, mut is_foreign) = (Inside::Text, String::new(), false);
    for Ok(token) in Tokenizer::new_with_emitter(markup, emitter) {
        match token {
            Token::StartTag(tag) => {
                let name = text(&tag.name);
                for (attribute, value) in &tag.attributes {
                    self::attribute(&name, &text(attribute), &text(value), positions);
                }
                is_foreign |= ["svg", "math"].contains(&name.as_str());
                inside = inside_of(&name, &tag, is_foreign);
            }
            Token::String(part) => match inside {
                Inside::Text => in_text(&text(&part), positions),
                Inside::Script | Inside::Noscript => content.push_str(&text(&part)),
                Inside::Refused(expected) => positions.set_all(&text(&part), Err(expected)),
            },
            Token::Comment(comment) => positions.set_all(&text(&comment), Err("outside of comments")),
            Token::EndTag(_) => {
                end(inside, &core::mem::take(&mut content), positions);
                inside = Inside::Text;
            }
            Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    end(inside, &content, positions);
}

fn text(bytes: &HtmlString) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn in_text(content: &str, positions: &mut Positions) {
    for (number, before) in each(content) {
        let begins_tag = before.ends_with('<') || before.ends_with("</");
        positions.set(
            number,
            if begins_tag { Err("in another position than the name of an element") } else { Ok(Context::Markup) },
        );
    }
}

fn end(inside: Inside, content: &str, positions: &mut Positions) {
    match inside {
        Inside::Script => script::find(content, positions),
        Inside::Noscript => find(content, positions),
        Inside::Text | Inside::Refused(_) => {}
    }
}

/// What is behind a start tag. `is_foreign`: the tag may be inside of SVG or `MathML`, where elements with these names
/// have other content.
fn inside_of(name: &str, tag: &StartTag<()>, is_foreign: bool) -> Inside {
    match name {
        "style" => Inside::Refused("outside of <style>"),
        "xmp" | "iframe" | "noembed" | "noframes" | "plaintext" => {
            Inside::Refused("outside of elements whose content is not read as HTML")
        }
        "script" | "textarea" | "title" if is_foreign => {
            Inside::Refused("in an element before <svg> and <math>, where its content is read in another way")
        }
        "script" => {
            let kind = tag.attributes.get(&b"type"[..]).map(|kind| text(kind).trim().to_ascii_lowercase());
            if SCRIPTS.contains(&kind.unwrap_or_default().as_str()) {
                Inside::Script
            } else {
                Inside::Refused("in a script of JavaScript or JSON")
            }
        }
        "noscript" => Inside::Noscript,
        _ => Inside::Text,
    }
}

fn attribute(tag: &str, name: &str, value: &str, positions: &mut Positions) {
    if !value.contains(|c| number_of(c).is_some()) {
        return;
    }
    if name.starts_with("on") {
        return script::find(value, positions);
    }
    if name == "style" || name == "srcdoc" {
        return positions.set_all(value, Err("in another attribute than style and srcdoc"));
    }
    if url::holds_code(value) {
        return positions.set_all(value, Err(EXPECTED));
    }
    let is_url = URLS.split(' ').any(|url| url == name) || (tag, name) == ("meta", "content");
    for (number, before) in each(value) {
        let outside = match is_url {
            true if url::is_relative(before) => Ok(Context::Url),
            true => Err(EXPECTED),
            false => Ok(Context::Markup),
        };
        // If the value is empty, the next attribute becomes the value of this one.
        let is_alone = before.is_empty() && positions.is_bare(number);
        positions.set(number, if is_alone { Err("in quotes") } else { url::position(before, outside) });
    }
}
