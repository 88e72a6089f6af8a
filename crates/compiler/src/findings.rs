//! Decodes a document with the order of its attributes, and prepares the findings on it for people: in this order, with
//! the id of the entry, and not too many.

use super::{hints, macros};
use base::limits::MAX_FINDINGS;
use document::Document;
use document::decode::{Attribute, Context, Finding, Json, JsonError, JsonObject, MARKED, Rule, has_mark};
use document::templates;

/// Sorts the findings: errors before notes, then in the order of the document. Findings on one entry keep their order.
///
/// `order` lists the document's attributes in the order of the text. `left_out` is the number of errors that the
/// decoder found but did not keep.
pub(super) fn prepared(
    mut findings: Vec<Finding>,
    left_out: usize,
    document: &Document,
    order: &[String],
) -> Vec<Finding> {
    // An unreadable entry is left out of the decoded list, so the positions of later entries no longer match the paths.
    let unreadable = findings.iter().filter(|finding| finding.rule == Rule::Unreadable);
    let shifted = unreadable.filter_map(|finding| {
        let (list, position) = entry_of(&finding.path);
        (finding.path == format!("{list}[{}]", position?)).then(|| list.to_owned())
    });
    let shifted: Vec<String> = shifted.collect();
    if shifted.is_empty() {
        templates::relocate(document, &mut findings);
    }
    for finding in &mut findings {
        let (list, position) = entry_of(&finding.path);
        if let Some(position) = position.filter(|_| !shifted.iter().any(|shifted| shifted == list)) {
            finding.of = id(document, list, position).unwrap_or_default().to_owned();
        }
        macros::unmarked(&mut finding.message);
        hints::apply(finding);
    }
    findings.sort_by_cached_key(|finding| {
        let (list, position) = entry_of(&finding.path);
        // A finding on an attribute that the document lacks comes last.
        (finding.rule.is_note(), order.iter().position(|name| name == list).unwrap_or(order.len()), position)
    });
    shortened(findings, left_out)
}

/// The attribute of the document that a path starts with, and the entry if it is a list: `("campaigns", Some(3))`.
fn entry_of(path: &str) -> (&str, Option<usize>) {
    let name = path.split(['.', '[']).next().unwrap_or_default();
    let rest = path.get(name.len()..).and_then(|rest| rest.strip_prefix('['));
    (name, rest.and_then(|rest| rest.split(']').next()?.parse().ok()))
}

/// The id of an entry.
fn id<'d>(document: &'d Document, list: &str, position: usize) -> Option<&'d str> {
    match list {
        "rates" => document.rates.get(position)?.cur.as_deref(),
        "ssps" => document.ssps.get(position).map(|entry| entry.id.as_str()),
        "lists" => document.lists.get(position).map(|entry| entry.id.as_str()),
        "templates" => document.templates.get(position).map(|entry| entry.id.as_str()),
        "creatives" => document.creatives.get(position).map(|entry| entry.crid.as_str()),
        "campaigns" => document.campaigns.get(position).map(|entry| entry.cid.as_str()),
        "orders" => document.orders.get(position).map(|entry| entry.id.as_str()),
        _ => None,
    }
}

/// The first [`MAX_FINDINGS`] findings. If there are more, one last finding says how many.
fn shortened(mut findings: Vec<Finding>, left_out: usize) -> Vec<Finding> {
    let rest = findings.split_off(findings.len().min(MAX_FINDINGS));
    let notes = rest.iter().filter(|finding| finding.rule.is_note()).count();
    let counted = |count: usize, noun: &str| format!("{count} more {noun}{}", if count == 1 { "" } else { "s" });
    let more = match (left_out + rest.len() - notes, notes) {
        (0, 0) => return findings,
        (0, notes) => counted(notes, "note"),
        (errors, 0) => counted(errors, "error"),
        (errors, notes) => format!("{} and {}", counted(errors, "error"), counted(notes, "note")),
    };
    let first = if left_out > 0 { findings.last() } else { rest.first() };
    if let Some(rule) = first.map(|finding| finding.rule) {
        findings.push(Finding::new(String::new(), rule, format!("{more} not listed")));
    }
    findings
}

/// Tells the line and column of the first byte that is not JSON.
pub(super) fn not_json(text: &[u8], JsonError { at, expected }: JsonError) -> Finding {
    if has_mark(text) {
        return Finding::new(String::new(), Rule::NotJson, MARKED.to_owned());
    }
    let before = text.get(..at).unwrap_or(text);
    let line = before.split(|byte| *byte == b'\n').count();
    let in_line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let column = String::from_utf8_lossy(in_line).chars().count() + 1;
    let rest = String::from_utf8_lossy(text.get(at..text.len().min(at + 4)).unwrap_or_default());
    let found = rest.chars().next().map_or("the end of the text".to_owned(), |found| format!("{found:?}"));
    let message = format!("line {line}, column {column}: not JSON: {found}; expected {expected}");
    Finding::new(String::new(), Rule::NotJson, message)
}

#[derive(Default)]
pub(super) struct OrderedDocument {
    pub(super) document: Document,
    /// The names of the document's attributes, in the order of the text.
    pub(super) order: Vec<String>,
}

impl Attribute for OrderedDocument {
    const EXPECTED: &'static str = Document::EXPECTED;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        cx.refuses = true;
        let order = match &value {
            Json::Object(JsonObject(members)) => members.iter().map(|(name, _)| name.clone()).collect(),
            _ => Vec::new(),
        };
        Some(OrderedDocument { document: Document::decode(value, cx)?, order })
    }
}
