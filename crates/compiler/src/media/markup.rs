//! Notes markup that is not whole: it ends within a tag, a comment or a script, or it has quotes of a word processor.

use core::fmt::Arguments;

use html5gum::{DefaultEmitter, Error, HtmlString, Token, Tokenizer};

use document::decode::{Finding, Rule};

/// Elements whose content is no markup: without an end tag, they take all that follows.
const RAW: [&str; 6] = ["script", "style", "textarea", "title", "noscript", "xmp"];

/// Attributes whose value is a text for people, which may begin with such a quote.
const WORDS: [&str; 7] = ["alt", "title", "aria-label", "placeholder", "content", "label", "value"];

/// Quotes of word processors, which begin no value.
const TYPOGRAPHIC: [char; 10] = [
    '\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{2018}', '\u{2019}', '\u{201a}', '\u{ab}', '\u{bb}', '\u{2033}',
];

/// Notes what is wrong with a document or a part of one.
pub(crate) fn check(markup: &str, path: Arguments<'_>, findings: &mut Vec<Finding>) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let (mut open, mut quote, mut end) = (String::new(), None, None);
    for Ok(token) in Tokenizer::new_with_emitter(markup, emitter) {
        match token {
            Token::StartTag(tag) => {
                let mut own = tag.attributes.iter().filter(|(name, _)| !WORDS.contains(&text(name).as_str()));
                let own = own.find_map(|(_, value)| typographic(&text(value)));
                quote = quote.or(own);
                open = text(&tag.name);
            }
            Token::String(part) if open == "script" => quote = quote.or_else(|| in_script(&text(&part))),
            Token::EndTag(_) => open.clear(),
            Token::Error(error) => end = ended(*error).or(end),
            _ => {}
        }
    }
    if end.is_none() && RAW.contains(&open.as_str()) {
        end = Some(format!("<{open}>"));
    }
    let mut report = |message| findings.push(Finding::new(path.to_string(), Rule::Ambiguous, message));
    if let Some(end) = end {
        report(format!("ends within {end}, so browsers drop what it has begun; expected the whole markup"));
    }
    if let Some(quote) = quote {
        report(format!("the quote {quote:?} begins no value for browsers; expected \" or '"));
    }
}

fn text(bytes: &HtmlString) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Within what the markup ends, if an error says so.
fn ended(error: Error) -> Option<String> {
    let within = match error {
        Error::EofBeforeTagName | Error::EofInTag => "a tag",
        Error::EofInComment | Error::EofInScriptHtmlCommentLikeText => "a comment",
        Error::EofInDoctype => "its doctype",
        _ => return None,
    };
    Some(within.to_owned())
}

fn typographic(value: &str) -> Option<char> {
    value.chars().next().filter(|first| TYPOGRAPHIC.contains(first))
}

/// A quote of a word processor where a script has a value.
fn in_script(script: &str) -> Option<char> {
    script.split(['=', '(', ',', ':', '[']).skip(1).find_map(|rest| typographic(rest.trim_start()))
}
