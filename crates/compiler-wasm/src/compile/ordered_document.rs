//! Decodes a document and records the order of its attributes, because findings are listed in this order.

use super::document::Document;
use crate::decode::{Attribute, Context, MemberSink, Members, Value};

#[derive(Default)]
pub(super) struct OrderedDocument {
    pub(super) document: Document,
    /// The names of the document's attributes, in the order of the text.
    pub(super) order: Vec<String>,
}

impl Attribute for OrderedDocument {
    const EXPECTED: &'static str = Document::EXPECTED;
    const EXPECTED_LIST: &'static str = Document::EXPECTED_LIST;

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        cx.refuses = true;
        let Value::Object(members) = value else { return Document::decode(value, cx).map(|_| Self::default()) };
        let mut recorder = NameRecorder { members, names: Vec::new() };
        let document = Document::decode(Value::Object(&mut recorder), cx)?;
        Some(OrderedDocument { document, order: recorder.names })
    }
}

/// Passes members on and keeps their names.
struct NameRecorder<'m> {
    members: &'m mut dyn Members,
    names: Vec<String>,
}

impl Members for NameRecorder<'_> {
    fn each(&mut self, cx: &mut Context, sink: &mut MemberSink<'_>) {
        let NameRecorder { members, names } = self;
        members.each(cx, &mut |name, value, cx| {
            names.push(name.to_owned());
            sink(name, value, cx);
        });
    }
}
