//! What is said about a document: mistakes before notes, both in its order, with the ids of what they are about, and no more
//! than people read.

use super::document::Document;
use super::{finding, words};
use crate::decode::{Attribute, Context, Finding, JsonError, MemberSink, Members, Rule, Value};
use crate::decode::{MARKED, has_mark};
use bidder_wasm::limits::MAX_FINDINGS;

/// A document, and the names of its attributes in the order in which it has them.
#[derive(Default)]
pub(super) struct Told {
    pub(super) document: Document,
    pub(super) order: Vec<String>,
}

impl Attribute for Told {
    const EXPECTED: &'static str = Document::EXPECTED;
    const EXPECTED_LIST: &'static str = Document::EXPECTED_LIST;

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        cx.refuses = true;
        let Value::Object(members) = value else { return Document::decode(value, cx).map(|_| Told::default()) };
        let mut listening = Listening { members, names: Vec::new() };
        let document = Document::decode(Value::Object(&mut listening), cx)?;
        Some(Told { document, order: listening.names })
    }
}

/// Keeps the names that it hands over.
struct Listening<'m> {
    members: &'m mut dyn Members,
    names: Vec<String>,
}

impl Members for Listening<'_> {
    fn each(&mut self, cx: &mut Context, sink: &mut MemberSink<'_>) {
        let Listening { members, names } = self;
        members.each(cx, &mut |name, value, cx| {
            names.push(name.to_owned());
            sink(name, value, cx);
        });
    }
}

/// The mistakes and behind them the notes, each in the order of the document's entries, those on one entry as they were found.
/// `left_out` more mistakes have been found.
pub(super) fn arranged(
    mut findings: Vec<Finding>,
    left_out: usize,
    document: &Document,
    order: &[String],
) -> Vec<Finding> {
    // Where an entry is none, those behind it have other places in the document than in the text.
    let unreadable = findings.iter().filter(|finding| finding.rule == Rule::Unreadable);
    let moved = unreadable.filter_map(|finding| {
        let (list, place) = entry_of(&finding.path);
        (finding.path == format!("{list}[{}]", place?)).then(|| list.to_owned())
    });
    let moved: Vec<String> = moved.collect();
    for finding in &mut findings {
        let (list, place) = entry_of(&finding.path);
        if let Some(place) = place.filter(|_| !moved.iter().any(|moved| moved == list)) {
            finding.of = id(document, list, place).unwrap_or_default().to_owned();
        }
        words::explain(finding);
    }
    findings.sort_by_cached_key(|finding| {
        let (list, place) = entry_of(&finding.path);
        // What is missing comes last.
        (finding.rule.is_note(), order.iter().position(|name| name == list).unwrap_or(order.len()), place)
    });
    shortened(findings, left_out)
}

/// The list that a path leads into, and the entry of it; the attribute alone where it is no list.
fn entry_of(path: &str) -> (&str, Option<usize>) {
    let name = path.split(['.', '[']).next().unwrap_or_default();
    let rest = path.get(name.len()..).and_then(|rest| rest.strip_prefix('['));
    (name, rest.and_then(|rest| rest.split(']').next()?.parse().ok()))
}

/// What an entry of the document is called.
fn id<'d>(document: &'d Document, list: &str, place: usize) -> Option<&'d str> {
    match list {
        "rates" => document.rates.get(place)?.cur.as_deref(),
        "ssps" => document.ssps.get(place)?.id.as_deref(),
        "creatives" => document.creatives.get(place)?.crid.as_deref(),
        "campaigns" => document.campaigns.get(place)?.cid.as_deref(),
        _ => None,
    }
}

/// As many as people read of what is in order. What comes last tells how many more there are.
fn shortened(mut findings: Vec<Finding>, left_out: usize) -> Vec<Finding> {
    let rest = findings.split_off(findings.len().min(MAX_FINDINGS));
    let notes = rest.iter().filter(|finding| finding.rule.is_note()).count();
    let counted = |count: usize, noun: &str| format!("{count} more {noun}{}", if count == 1 { "" } else { "s" });
    let more = match (left_out + rest.len() - notes, notes) {
        (0, 0) => return findings,
        (0, notes) => counted(notes, "note"),
        (mistakes, 0) => counted(mistakes, "error"),
        (mistakes, notes) => format!("{} and {}", counted(mistakes, "error"), counted(notes, "note")),
    };
    if let Some(rule) = rest.first().or(findings.last()).map(|finding| finding.rule) {
        findings.push(finding(String::new(), rule, format!("{more}, which are not listed")));
    }
    findings
}

/// Points at the line and column of the byte that is not JSON: people wrote this text.
pub(super) fn not_json(text: &[u8], JsonError { at, expected }: JsonError) -> Finding {
    if has_mark(text) {
        return finding(String::new(), Rule::NotJson, MARKED.to_owned());
    }
    let before = text.get(..at).unwrap_or(text);
    let line = before.split(|byte| *byte == b'\n').count();
    let in_line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let column = String::from_utf8_lossy(in_line).chars().count() + 1;
    let rest = String::from_utf8_lossy(text.get(at..text.len().min(at + 4)).unwrap_or_default());
    let found = rest.chars().next().map_or("the end of the text".to_owned(), |found| format!("{found:?}"));
    let message = format!("line {line}, column {column}: not JSON: {found}; expected {expected}");
    finding(String::new(), Rule::NotJson, message)
}
